//! One Markdown contract task: YAML front matter, a title, and sections. Shared by the native form and the contract
//! dialect, which differ only in what lies around the files.

mod code;
mod keys;
mod lists;
mod output;
mod read;
mod section;
mod steps;
mod write;

pub(crate) use keys::TASK_KEYS;
pub(crate) use lists::criteria;
pub(crate) use read::{Shared, TaskSource, read_task};
#[cfg(test)]
pub(crate) use write::full_task;
pub(crate) use write::{Form, write_task};
