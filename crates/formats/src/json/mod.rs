//! JSON as people and tools leave it: a tolerant reader that keeps spans, and a writer that keeps order.
//!
//! Knows nothing of plans. The reader returns everything it could read; a mistake is a finding at its place, and the
//! text behind it is still read.

mod duplicates;
mod field;
mod node;
mod parser;
mod peek;
mod scan;
mod shape;
mod strings;
#[cfg(test)]
mod tests;
mod text;
mod values;

pub use field::field_at;
pub(crate) use node::{JsonKind, JsonMember, JsonNode};
pub(crate) use parser::parse;
pub(crate) use peek::{Peek, peek};
pub(crate) use shape::Shape;
pub(crate) use text::{key_list, number, to_text};
pub(crate) use values::{Fit, ValueReader};
