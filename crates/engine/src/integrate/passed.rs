//! Which commands are known to have passed on the tree of a commit, so that a closing run need not repeat them: the evidence of the
//! commit says what its verification ran.

use windlass_core::failure::Gate;
use windlass_core::ids::Oid;

use super::{Evidence, SyncEvidence, TRAILER_EVIDENCE, TRAILER_SYNC};
use crate::context::Context;
use crate::error::EngineError;

/// The commands that passed on the tree of the last commit when it was verified: those of its task, of tasks with common files, the
/// suite; for a merge with a branch of the user, those of all tasks.
pub(crate) fn passed_when_verified(ctx: &Context, commit: &Oid) -> Result<Vec<String>, EngineError> {
    let commit = ctx.repo.commit(commit)?;
    let trailer = |name: &str| commit.trailers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
    let named = trailer(TRAILER_EVIDENCE).and_then(|(_, value)| Oid::new(value.trim()).ok());
    // A record that is missing or cannot be read says nothing, so that everything runs.
    let Some(record) = named.and_then(|blob| ctx.repo.read_blob(&blob).ok()) else { return Ok(Vec::new()) };
    if trailer(TRAILER_SYNC).is_some() {
        let sync = serde_json::from_slice::<SyncEvidence>(&record).ok();
        return Ok(sync.filter(|sync| sync.tree == commit.tree).map_or_else(Vec::new, |s| s.commands()));
    }
    let evidence = serde_json::from_slice::<Evidence>(&record).ok();
    Ok(evidence.filter(|e| e.green.tree == commit.tree).map_or_else(Vec::new, |e| passed_by(&e)))
}

/// The commands of the gates that run tests and ended with 0.
fn passed_by(evidence: &Evidence) -> Vec<String> {
    let tests = |gate: Gate| match gate {
        Gate::Tests | Gate::Neighbours | Gate::Suite => true,
        Gate::Setup
        | Gate::TypeCheck
        | Gate::Lint
        | Gate::Steps
        | Gate::Contract
        | Gate::Coverage
        | Gate::Purity
        | Gate::Rules
        | Gate::HeldOut
        | Gate::Canaries
        | Gate::Mutants => false,
    };
    let gates = evidence.green.gates.iter().filter(|gate| gate.exit == Some(0) && tests(gate.gate));
    gates.map(|gate| gate.command.clone()).collect()
}
