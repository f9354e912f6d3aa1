//! What a page shows of a run: small documents, each a pure function of the view.
//!
//! A page with ten thousand tasks gets an [`OverviewDoc`] first, then rows and drawings as it asks for them, and a
//! [`ChangeDoc`] for every piece of the journal that was written since.

mod attention;
mod change;
mod head;
mod map;
mod phases;
mod review;
mod rows;
mod spending;
#[cfg(test)]
mod tests;
mod timeline;

pub use attention::{AttentionDoc, attention};
pub use change::{ChangeDoc, Touched};
pub use head::{Around, HeadDoc, OverviewDoc, overview};
pub use map::{MapDoc, map};
pub use phases::{PhaseDoc, phases};
pub use review::{ReviewDoc, ReviewLine, ReviewTask, SpecDoc, review};
pub use rows::{Doings, RowDoc, RowOrder, RowQuery, RowsDoc, row, rows};
pub use spending::{CostDoc, CostPoint, SpendingFold};
pub use timeline::{Bar, TimelineDoc, timeline};
