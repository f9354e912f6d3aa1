//! What a person reads: findings, errors and screens as text. Knows terminals; decides nothing.

mod findings;
mod github;
mod json;
mod sarif;
mod screen;
mod snippet;
mod status;
mod story;
mod time;
mod transcript;
mod tree;

pub(crate) use findings::{Report, counted, human, summary};
pub(crate) use github::github;
pub(crate) use json::json;
pub(crate) use sarif::sarif;
pub(crate) use screen::{Paint, Screen, cut, pad, width};
pub(crate) use status::{status, tally, words};
pub(crate) use story::story;
pub(crate) use time::{precise, time};
pub(crate) use transcript::{Transcript, deeds, harmless};
pub(crate) use tree::{status_tree, task_status};
