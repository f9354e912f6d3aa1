//! What single words, lines and headings mean: every decision about wording is made here, once.
//!
//! These functions see a text without its place in the document. Where the place matters, a reader decides.

mod blanks;
mod columns;
mod deferral;
mod errands;
mod foreign;
mod foreign_headings;
mod headings;
pub(super) mod ids;
mod operations;
pub(super) mod paths;
mod phrases;
mod sentences;
#[cfg(test)]
mod tests;
mod topic;
mod wishes;
mod work_state;

pub(super) use blanks::is_unfilled;
pub(super) use columns::{ColumnMeaning, TableColumns, is_blank};
pub(super) use deferral::{STRUCK, is_deferred, puts_off};
pub(super) use errands::{is_errand, is_report, tells_the_past};
pub(super) use foreign::{binds_in_foreign_words, is_foreign_statement};
pub(super) use foreign_headings::labels_reason;
pub(super) use headings::{HeadingMeaning, NamedThing, phase_name, same_phase, without_number};
pub(super) use operations::{
    operation_in_description, operation_in_heading, operation_in_remark, operation_of_verb,
};
pub(super) use phrases::{asks_labelled, is_release, tells_what, we_want};
pub(crate) use sentences::first_clause;
pub(super) use sentences::{
    dependency_phrase, is_ears, is_scenario, is_scenario_start, is_scenario_step, is_story, marked_criterion,
    opens_story, says_independent, says_standalone, used_names,
};
pub(crate) use topic::names_thing;
pub(super) use topic::{Topic, introduces_work, names_open_work};
pub(super) use wishes::{
    binds, binds_everything, forbids_means, is_regression, names_technology, orders_behaviour,
    orders_in_a_clause, sentences, states_behaviour,
};
pub(super) use work_state::WorkState;

/// The first number in a text: 5 in `about 5 tasks`.
pub(super) fn first_number(text: &str) -> Option<u32> {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
