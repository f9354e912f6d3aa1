//! What a task changed, as a document: files, hunks, lines with colours.

use serde::Serialize;
use windlass_core::ids::Oid;
use windlass_core::view::TaskHistory;
use windlass_engine::git::{ChangeKind, PathChange, Repo};

use super::answers::text_of;
use super::page_state::PageState;
use super::patch::{PatchHunk, colour, hunks};
use super::query::{NoAnswer, PageQuery};
use super::task_doc::{history_of, task_of};

/// More files than this are only counted.
const FILES: usize = 200;
/// A file with more changed lines than this is only counted.
const LINES: u64 = 4_000;

/// What a task changed.
#[derive(Debug, Serialize)]
struct TaskDiff {
    schema: &'static str,
    /// `merged`, or the number of the attempt.
    shown: String,
    /// What else can be shown.
    choices: Vec<String>,
    from: String,
    to: String,
    files: Vec<FileDiff>,
    /// How many files are not listed.
    left_out: usize,
}

/// One file.
#[derive(Debug, Serialize)]
struct FileDiff {
    path: String,
    kind: &'static str,
    added: u64,
    removed: u64,
    hunks: Vec<PatchHunk>,
}

/// What a task changed: as it was merged, or in one of its attempts.
pub(super) fn diff(page: &PageState, query: &PageQuery) -> Result<String, NoAnswer> {
    let id = task_of(page, query)?;
    let history = history_of(page, &id)?;
    let repo = page.repo()?;
    let mut choices = choices(&repo, &history)?;
    let wanted = query.text("of");
    let at = match wanted {
        "" => choices.len().checked_sub(1),
        _ => choices.iter().position(|(name, ..)| name == wanted),
    };
    let Some(at) = at else {
        return Err(NoAnswer::missing(format!("`{id}` has no change to show yet")));
    };
    let names = choices.iter().map(|(name, ..)| name.clone()).collect();
    let (shown, from, to) = choices.swap_remove(at);
    let (files, left_out) = files(&repo, &from, &to)?;
    text_of(&TaskDiff {
        schema: "windlass.diff/1",
        shown,
        choices: names,
        from: from.short().to_owned(),
        to: to.short().to_owned(),
        files,
        left_out,
    })
}

/// A change by its name in the page, from one tree to another.
type ChangeRange = (String, Oid, Oid);

/// The changes that there are: of every attempt that made one, and the merge last.
fn choices(repo: &Repo, history: &TaskHistory) -> Result<Vec<ChangeRange>, NoAnswer> {
    let mut all: Vec<ChangeRange> = Vec::new();
    for attempt in &history.attempts {
        if let Some((commit, ..)) = &attempt.candidate {
            all.push((attempt.no.to_string(), attempt.base.clone(), commit.clone()));
        }
    }
    if let Some(merged) = &history.merged {
        let parent = repo.commit(&merged.commit)?.parents.into_iter().next();
        all.extend(parent.map(|parent| ("merged".to_owned(), parent, merged.commit.clone())));
    }
    Ok(all)
}

fn files(repo: &Repo, from: &Oid, to: &Oid) -> Result<(Vec<FileDiff>, usize), NoAnswer> {
    let changes = repo.diff(from, to)?;
    let counts = repo.line_counts(from, to)?;
    let patch = repo.patch(from, to)?;
    // The patch has the same files in the same order.
    let mut hunked = hunks(&String::from_utf8_lossy(&patch)).into_iter();
    let mut files = Vec::new();
    for change in changes.iter().take(FILES) {
        let mut hunks = hunked.next().unwrap_or_default();
        let (added, removed) =
            counts.iter().find(|(path, ..)| *path == change.path).map_or((0, 0), |(_, a, r)| (*a, *r));
        if added + removed > LINES {
            hunks.clear();
        }
        if !hunks.is_empty() {
            let (old, new) = contents(repo, change)?;
            colour(&mut hunks, &change.path, &old, &new);
        }
        let kind = match change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Modified => "modified",
            ChangeKind::Deleted => "deleted",
            ChangeKind::TypeChanged => "type changed",
        };
        files.push(FileDiff { path: change.path.clone(), kind, added, removed, hunks });
    }
    Ok((files, changes.len().saturating_sub(FILES)))
}

fn contents(repo: &Repo, change: &PathChange) -> Result<(Vec<u8>, Vec<u8>), NoAnswer> {
    let read = |side: &Option<(u32, Oid)>| match side {
        Some((_, oid)) => repo.read_blob(oid),
        None => Ok(Vec::new()),
    };
    Ok((read(&change.old)?, read(&change.new)?))
}
