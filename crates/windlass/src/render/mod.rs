//! Findings, errors and screens as text. Knows terminals; decides nothing.

mod evidence;
mod findings;
mod github;
mod json;
mod plan_page;
mod plan_page_html;
mod plan_page_markdown;
mod pull_request;
mod report_html;
mod report_junit;
mod report_markdown;
mod sarif;
mod screen;
mod snippet;
mod status;
mod story;
mod time;
mod transcript;
mod tree;

pub(crate) use evidence::{evidence, is_test};
pub(crate) use findings::{CheckReport, counted, human, summary};
pub(crate) use github::github;
pub(crate) use json::json;
pub(crate) use plan_page::plan_page;
pub(crate) use plan_page_html::plan_page_html;
pub(crate) use plan_page_markdown::plan_page_markdown;
pub(crate) use pull_request::PullRequestText;
pub(crate) use report_html::report_html;
pub(crate) use report_junit::report_junit;
pub(crate) use report_markdown::report_markdown;
pub(crate) use sarif::sarif;
pub(crate) use screen::{Paint, Screen, cut, in_ascii, pad, visible_width, width};
pub(crate) use status::{
    StatusKnown, dollars, ending_lines, mark, short_number, status, tally, with_strip, words,
};
pub(crate) use story::{TurnOutputs, story, where_to_look};
pub(crate) use time::{precise, time};
pub(crate) use transcript::{Transcript, coloured, deeds, harmless};
pub(crate) use tree::{TreeView, phase_status, status_tree, task_status};
