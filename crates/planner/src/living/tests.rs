//! Documents that change: exactly the tasks that a person would name change.

mod edits;
mod merging;
mod words;
