//! The verifier: decides whether one tree is green, and writes a proof. Nothing of the agent is present except the
//! owned files of that tree.
//!
//! Knows nothing of branches or of what follows from a verdict.

mod base_tests;
mod canary;
mod candidate;
mod checkers;
mod closing;
mod contract;
mod coverage;
mod examples;
mod expectations;
mod format;
mod gates;
mod held_out;
mod layer;
mod mutants;
mod proof;
mod recheck;
mod repeat_runs;
mod rules;
mod script;
mod services;
pub(crate) mod setup;
mod tree_checks;
mod unfinished_need;
mod weak_tests;
mod without_tests;
mod wrong_tests;

pub(crate) use base_tests::{
    BaseRun, BaseTests, changed_test_files, failing_on, failures_of, is_own_test, stood_before,
};
pub(crate) use candidate::{ForeignVerdict, MergedCandidate, accept, judge_merged, merge_candidate, verify};
pub(crate) use checkers::CheckedTrees;
pub(crate) use closing::{close, closing_scripts, run_closing};
pub(crate) use contract::contract_findings;
pub(crate) use expectations::TestsBefore;
pub(crate) use format::{FormatInput, format_files, has_formatter};
pub(crate) use gates::{GateInput, GatePurpose, contract_names, run_gates};
pub use held_out::HeldOutStore;
pub(crate) use held_out::missing;
pub(crate) use layer::LayerStore;
pub(crate) use mutants::{
    BiteInput, BiteLook, TryUntil, WrongVersion, bite, changed_versions, loaded_files, named_versions,
    recorded_version,
};
pub(crate) use proof::GateResults;
pub use proof::{
    BiteKind, BiteRecord, BiteSeen, CanaryRecord, GateRecord, GreenProof, HeldOutRecord, ProofStrength,
    RepeatRecord,
};
pub use recheck::SeenAgain;
pub(crate) use recheck::see_again;
pub(crate) use script::{
    NamedResults, ScriptInput, ScriptRun, alive, exit_of, red_script, run_script, task_script, time_limit,
};
pub(crate) use services::Services;
pub(crate) use tree_checks::{frozen_changes, frozen_changes_on, frozen_parts, in_new_form};
pub(crate) use unfinished_need::unfinished_need;
pub(crate) use weak_tests::under_test;
