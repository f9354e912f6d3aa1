//! The in-toto statements of a plan in the repository itself: a ref beside the evidence, pushed with it.
//!
//! Forges have no place for files at a pull request. A ref travels with every push and fetch, and `windlass audit --fetch`
//! checks what it holds.

use std::collections::BTreeSet;

use windlass_core::ids::Oid;
use windlass_engine::error::EngineError;
use windlass_engine::git::{CommitSpec, ExpectedRef, RefMove, Repo, Signing, TreeEdit};

use super::{PlanProposal, PrArgs};
use crate::attest::{self, NamedStatement, SigningKey, attestations_ref, sealed};
use crate::cli::CliError;
use crate::world::World;

/// The mode of a plain file.
const FILE: u32 = 0o100_644;

/// The statements that go with a pull request.
pub(super) struct AttachedStatements {
    /// The ref that holds them.
    pub(super) name: String,
    /// How many there are.
    pub(super) count: usize,
}

/// Puts the statements of every record onto their ref. Those that are there stay, unless they are to be signed.
pub(super) fn attach(
    world: &World,
    args: &PrArgs,
    proposal: &PlanProposal,
) -> Result<AttachedStatements, CliError> {
    let name = attestations_ref(&proposal.name);
    let key = args.signing.key(world)?;
    let all = attest::statements(world, &proposal.repo, &proposal.audit)?;
    let apart = World::temporary_dir("pr")?;
    let repo = proposal.repo.clone().with_own_dir(apart.path())?;
    if repo.resolve(&name)?.is_none() {
        // A new clone goes on with what was pushed before; it is no mistake that there is nothing yet.
        let _ = world.git(&["fetch", "--quiet", "--no-tags", &args.remote, &format!("{name}:{name}")]);
    }
    loop {
        let before = repo.resolve(&name)?;
        let base = before.as_ref().map_or_else(|| repo.empty_tree(), |commit| repo.tree_of(commit))?;
        let edits = edits(&repo, &base, &all, key.as_ref())?;
        let tree = repo.edit_tree(&base, &edits)?;
        if before.is_some() && tree == base {
            return Ok(AttachedStatements { name, count: all.len() });
        }
        let people = repo.people()?;
        let (author, committer) = people.author.zip(people.committer).ok_or(EngineError::NoIdentity)?;
        let commit = repo.commit_tree(&CommitSpec {
            tree,
            parents: before.iter().cloned().collect(),
            message: format!("attestations of {} at {}\n", proposal.name, proposal.tip),
            author,
            committer,
            sign: Signing::No,
        })?;
        let expect = before.map_or(ExpectedRef::Absent, ExpectedRef::Is);
        match repo.update_ref(&name, &commit, expect, "windlass: attestations")? {
            RefMove::Moved => return Ok(AttachedStatements { name, count: all.len() }),
            // Another process wrote in between: read again.
            RefMove::Mismatch { .. } => {}
        }
    }
}

fn edits(
    repo: &Repo,
    base: &Oid,
    all: &[NamedStatement],
    key: Option<&SigningKey>,
) -> Result<Vec<TreeEdit>, CliError> {
    let there = repo.ls_tree(base)?;
    let there: BTreeSet<&str> = there.iter().map(|entry| entry.path.as_str()).collect();
    let mut edits = Vec::new();
    for own in all.iter().filter(|own| key.is_some() || !there.contains(own.name.as_str())) {
        let text = match key {
            Some(key) => attest::text(&sealed(&own.statement, key)?),
            None => attest::text(&own.statement),
        };
        edits.push(TreeEdit { path: own.name.clone(), new: Some((FILE, repo.write_blob(text.as_bytes())?)) });
    }
    Ok(edits)
}
