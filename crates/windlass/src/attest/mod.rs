//! Evidence in the words of in-toto: statements about commits, in signed envelopes where the user has a key.
//!
//! A statement says nothing that the evidence does not say: it is made from the record and the commit alone, so an audit can
//! make it again and compare.

mod envelope;
mod secretbox;
mod sigstore;
mod statement;

use std::path::Path;

use serde_json::Value;
use windlass_core::calendar;
use windlass_core::ids::Oid;
use windlass_engine::audit::{Audit, Audited};
use windlass_engine::git::Repo;

use crate::cli::CliError;
use crate::world::World;
use envelope::{is_envelope, opened};

pub(crate) use envelope::{SignerCheck, SigningKey, sealed};
pub(crate) use sigstore::PASSWORD;

/// A statement, and the name of its file.
#[derive(Debug, Clone)]
pub(crate) struct NamedStatement {
    /// `<task>.<predicate>.json`; the commit tells revisions apart.
    pub(crate) name: String,
    /// The statement.
    pub(crate) statement: Value,
}

/// The ref that holds a plan's statements where they go with a pull request.
pub(crate) fn attestations_ref(plan: &str) -> String {
    format!("refs/windlass/{plan}/attestations")
}

/// The files of that ref; none where there is no such ref.
pub(crate) fn attached(repo: &Repo, plan: &str) -> Result<Vec<(String, String)>, CliError> {
    let Some(commit) = repo.resolve(&attestations_ref(plan))? else { return Ok(Vec::new()) };
    let entries = repo.ls_tree(&commit)?;
    let oids: Vec<Oid> = entries.iter().map(|entry| entry.oid.clone()).collect();
    let texts = repo.read_blobs(&oids)?.into_iter().map(|text| String::from_utf8_lossy(&text).into_owned());
    Ok(entries.iter().map(|entry| entry.path.clone()).zip(texts).collect())
}

/// The statements of every record that holds.
pub(crate) fn statements(world: &World, repo: &Repo, audit: &Audit) -> Result<Vec<NamedStatement>, CliError> {
    let mut all = Vec::new();
    for record in audit.records.iter().filter(|record| record.problems.is_empty()) {
        let Some(evidence) = &record.evidence else { continue };
        let time = committed(world, repo.common_dir(), record)?;
        let short = record.commit.short();
        for (predicate, statement) in statement::of(record, evidence, &time) {
            all.push(NamedStatement { name: format!("{}.{short}.{predicate}.json", record.task), statement });
        }
    }
    Ok(all)
}

/// When the commit was made, which is when its verification had ended.
fn committed(world: &World, dir: &Path, record: &Audited) -> Result<String, CliError> {
    let time = world.git_in(dir, &["show", "--no-patch", "--format=%ct", record.commit.as_str()])?;
    let seconds: i64 = time.trim().parse().unwrap_or_default();
    Ok(calendar::rfc3339(seconds))
}

/// The text of a statement or an envelope in its file.
pub(crate) fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

/// What is wrong with these files, given what the evidence says, each named by its file; and the signers, in sentences.
pub(crate) fn differences(
    known: &[NamedStatement],
    files: &[(String, String)],
    check: &dyn Fn(&Value) -> Result<Option<SignerCheck>, CliError>,
) -> Result<(Vec<String>, Vec<String>), CliError> {
    let (mut problems, mut signers) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => {
                problems.push(format!("`{name}` is not JSON: {error}"));
                continue;
            }
        };
        let said = match check(&value)? {
            Some(SignerCheck::Good(who)) => Some(format!("signed by {who}")),
            Some(SignerCheck::Unchecked(who)) => {
                Some(format!("the signature of {who} was not checked: `--signers` names its public key"))
            }
            Some(SignerCheck::Bad(why)) => {
                problems.push(format!("`{name}`: {why}"));
                None
            }
            None => None,
        };
        signers.extend(said.filter(|said| !signers.contains(said)));
        let statement = if is_envelope(&value) { opened(&value) } else { Some(value) };
        if !statement.is_some_and(|statement| known.iter().any(|own| own.statement == statement)) {
            problems.push(format!("`{name}` says something that the evidence does not say"));
        }
    }
    Ok((problems, signers))
}
