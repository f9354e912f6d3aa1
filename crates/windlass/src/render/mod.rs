//! What a person reads: findings, errors and screens as text. Knows terminals; decides nothing.

mod findings;
mod github;
mod json;
mod sarif;
mod screen;
mod snippet;

pub(crate) use findings::{Report, human, summary};
pub(crate) use github::github;
pub(crate) use json::json;
pub(crate) use sarif::sarif;
pub(crate) use screen::{Paint, Screen, cut, pad, width};
