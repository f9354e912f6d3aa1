//! JSON as people and tools really leave it: a tolerant reader that keeps spans, and a writer that keeps order.
//!
//! Knows nothing of plans. The reader always gives what it could make out; what it could not is a finding in place,
//! and the text behind it is still read.

mod duplicates;
mod fields;
mod node;
mod parser;
mod peek;
mod pieces;
mod record;
mod scan;
mod strings;
#[cfg(test)]
mod tests;

pub(crate) use fields::{Fields, Fit};
pub(crate) use node::{Kind, Member, Node};
pub(crate) use parser::parse;
pub(crate) use peek::{Peek, peek};
pub(crate) use pieces::{Gather, parse_list};
pub(crate) use record::{KEYS, Record, key_list, number, to_text};
