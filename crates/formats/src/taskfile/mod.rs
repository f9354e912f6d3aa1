//! One Markdown contract task: YAML front matter, a title, and sections. Shared by the native form and the contract
//! dialect, which differ only in the files around the tasks.

mod code;
mod keys;
mod lists;
mod output;
mod read;
mod section;
mod steps;
#[cfg(test)]
mod tests;
mod write;

pub use code::comment_mark;
pub(crate) use keys::TASK_KEYS;
pub(crate) use lists::criteria;
pub(crate) use read::{Shared, TaskSource, read_task};
pub(crate) use write::{Form, write_task};
