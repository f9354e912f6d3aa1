//! The chain of records: each names the one before it and the state of the journal. A dropped, moved or replaced record
//! breaks it.
//!
//! The evidence ref is enough for that; a journal, if present, is checked too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use windlass_core::event::EventFact;
use windlass_core::ids::{Oid, PlanName};

use super::record::{Audit, Audited};
use crate::chronicle::from_record;
use crate::error::EngineError;
use crate::git::Repo;
use crate::integrate::{ChainRecord, JournalPoint, brought};
use crate::journal::{JournalError, JournalReader};

/// How many events are read at once.
const PAGE: usize = 4096;

/// Checks the chain on the evidence ref, and that the branch has its records in the order of the chain.
pub(super) fn check(repo: &Repo, plan: &PlanName, audit: &mut Audit) -> Result<(), EngineError> {
    let links = links(repo, plan)?;
    let mut before: Option<&ChainLink> = None;
    for link in &links {
        if let Some(problem) = follows(link, before) {
            tell(audit, &link.blob, problem);
        }
        before = Some(link);
    }
    in_order(&links, &mut audit.records);
    for sync in &mut audit.syncs {
        if !links.iter().any(|link| Some(&link.blob) == sync.blob.as_ref()) {
            sync.problems.push("it is not in the chain of the evidence ref".into());
        }
    }
    Ok(())
}

/// One record of the ref.
struct ChainLink {
    blob: Oid,
    record: Option<ChainPart>,
}

/// The part of a record, of any kind, that says where it stands.
#[derive(Deserialize)]
struct ChainPart {
    #[serde(default)]
    chain: Option<ChainRecord>,
}

/// The records of the ref in the order they came.
fn links(repo: &Repo, plan: &PlanName) -> Result<Vec<ChainLink>, EngineError> {
    let Some(tip) = repo.resolve(&format!("refs/windlass/{plan}/evidence"))? else { return Ok(Vec::new()) };
    let mut commits = repo.first_parents(&tip, None)?;
    commits.reverse();
    let read = |blob: Oid| {
        let bytes = repo.read_blob(&blob).ok();
        let record = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        ChainLink { blob, record }
    };
    Ok(commits.iter().filter_map(brought).map(read).collect())
}

/// What is wrong with a link after the one before it.
fn follows(link: &ChainLink, before: Option<&ChainLink>) -> Option<String> {
    let Some(record) = &link.record else {
        return Some(format!("the record {} of the chain cannot be read", link.blob.short()));
    };
    let chain = record.chain.as_ref();
    let previous = chain.and_then(|chain| chain.previous.as_ref());
    match (chain, previous, before) {
        // What an older program wrote is in no chain.
        (None, _, None) | (Some(_), None, None) => None,
        (None, _, Some(_)) => Some("it is in no chain, although there are records before it".into()),
        (Some(_), None, Some(_)) => Some("it claims to be the first record and is not".into()),
        (Some(_), Some(named), before) if before.is_some_and(|b| b.blob == *named) => None,
        (Some(_), Some(named), _) => {
            Some(format!("the record before it, {}, is missing or was replaced", named.short()))
        }
    }
}

/// Adds a problem to its record, or to the audit if the record is not in the branch.
fn tell(audit: &mut Audit, blob: &Oid, problem: String) {
    let own = audit.records.iter_mut().map(|r| (&r.blob, &mut r.problems));
    let syncs = audit.syncs.iter_mut().map(|s| (&s.blob, &mut s.problems));
    match own.chain(syncs).find(|(own, _)| own.as_ref() == Some(blob)) {
        Some((_, problems)) => problems.push(problem),
        None => audit.problems.push(format!("record {}: {problem}", blob.short())),
    }
}

/// The branch has its records in the order of the chain.
fn in_order(links: &[ChainLink], records: &mut [Audited]) {
    let place: BTreeMap<&Oid, usize> = links.iter().enumerate().map(|(n, link)| (&link.blob, n)).collect();
    let mut last = None;
    for record in records {
        let chained = record.evidence.as_ref().is_some_and(|e| e.chain.is_some());
        let Some(blob) = record.blob.as_ref().filter(|_| chained) else { continue };
        match place.get(blob) {
            None => record.problems.push("it is not in the chain of the evidence ref".into()),
            Some(place) if last.is_some_and(|last| *place <= last) => {
                record.problems.push("the branch has it after a record that the chain wrote later".into());
            }
            Some(place) => last = Some(*place),
        }
    }
}

/// Compares the records with the journal, if it is the one they name.
pub fn ask_journal(audit: &mut Audit, journal: &Path) -> Result<(), EngineError> {
    let Some(reader) = JournalReader::open(journal)? else { return Ok(()) };
    let merged = match merged(&reader) {
        Ok(merged) => merged,
        Err(problem) => {
            audit.problems.push(format!("the journal here is damaged: {problem}"));
            return Ok(());
        }
    };
    for record in &mut audit.records {
        let chain = record.evidence.as_ref().and_then(|e| e.chain.as_ref());
        let known = (&record.commit, record.blob.as_ref());
        record.problems.extend(differences(&reader, &merged, chain, known)?);
    }
    for sync in &mut audit.syncs {
        let chain = sync.evidence.as_ref().and_then(|e| e.chain.as_ref());
        let known = (&sync.commit, sync.blob.as_ref());
        sync.problems.extend(differences(&reader, &merged, chain, known)?);
    }
    Ok(())
}

/// What the journal says otherwise about a record; nothing if the record was made where another journal was kept.
fn differences(
    reader: &JournalReader,
    merged: &BTreeSet<(Oid, Oid)>,
    chain: Option<&ChainRecord>,
    (commit, blob): (&Oid, Option<&Oid>),
) -> Result<Vec<String>, EngineError> {
    let Some(said) = chain.and_then(|chain| chain.journal.as_ref()) else { return Ok(Vec::new()) };
    let Some(here) = reader.point(said.seq)? else { return Ok(Vec::new()) };
    let here = JournalPoint::from(&here);
    let mut problems = Vec::new();
    if here.first != said.first {
        return Ok(problems);
    }
    if here.hash != said.hash {
        problems.push("the journal here differs about the events before it".into());
    }
    if !blob.is_some_and(|blob| merged.contains(&(commit.clone(), blob.clone()))) {
        problems.push("the journal here has no merge of it".into());
    }
    Ok(problems)
}

/// The commits that the journal says were merged, with their records.
fn merged(reader: &JournalReader) -> Result<BTreeSet<(Oid, Oid)>, JournalError> {
    let mut found = BTreeSet::new();
    let mut seq = 0;
    loop {
        let page = reader.read_after(seq, PAGE)?;
        let Some(last) = page.last() else { return Ok(found) };
        seq = last.seq;
        for stamped in page.iter().filter_map(|record| from_record(record).ok()) {
            match stamped.event.fact() {
                EventFact::Commit { commit, evidence } => {
                    found.insert((commit.clone(), evidence.clone()));
                }
                EventFact::Turn(_)
                | EventFact::RunBegan
                | EventFact::AttemptBegan
                | EventFact::AttemptEnded(_)
                | EventFact::TaskStopped(_)
                | EventFact::Other => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
