//! The team: the parts agents play and the typed messages they answer with.
//!
//! Fields that decide something are read strictly, all others leniently. An answer that cannot be read is *unknown*:
//! neither an approval nor a rejection. Agents and the transport of their answers are not known here.

mod answer;
mod planned;
mod queue;
mod role;
mod verdict;

pub use answer::find_object;
pub use planned::{Changed, PlanAnswer, find_plan, losses, overlay, plan_of};
pub use queue::{Conflict, QueueAnswer, Queued, settle_queue};
pub use role::{Claim, Role};
pub(crate) use verdict::same_issues;
pub use verdict::{Issue, IssueSeverity, Verdict};

use schemars::{Schema, schema_for};

/// The JSON Schemas of the answers, by file name.
pub fn schemas() -> [(&'static str, Schema); 2] {
    [
        ("review.schema.json", schema_for!(verdict::ReviewAnswer)),
        ("queue.schema.json", schema_for!(QueueAnswer)),
    ]
}
