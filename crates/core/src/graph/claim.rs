//! What a leaf does to which path. Knows paths only as text: nothing is looked up on a disk.

use std::borrow::Cow;

use crate::diagnostic::Span;
use crate::plan::Task;

/// What a task does to a path, in the order a file's life would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    /// Makes it.
    Create,
    /// Its tests go there; the file may exist already.
    Test,
    /// Changes it.
    Modify,
    /// Removes it.
    Delete,
}

/// Every path a task may change with the earliest thing it does to it, in the order written.
pub(super) fn owned(task: &Task) -> Vec<(Cow<'_, str>, Touch)> {
    let files = &task.files;
    let listed = files.create.iter().map(|p| (p.as_str(), Touch::Create));
    let listed = listed.chain(files.modify.iter().map(|p| (p.as_str(), Touch::Modify)));
    let listed = listed.chain(files.delete.iter().map(|p| (p.as_str(), Touch::Delete)));
    let tests = task.test_files().into_iter().map(|p| (p, Touch::Test));
    let mut found: Vec<(Cow<'_, str>, Touch)> = Vec::with_capacity(4);
    for (path, touch) in listed.chain(tests) {
        let path = tidy(path);
        if !path.is_empty() && !found.iter().any(|(known, _)| *known == path) {
            found.push((path, touch));
        }
    }
    found
}

/// A path without `./`, doubled slashes and surrounding space.
pub(super) fn tidy(path: &str) -> Cow<'_, str> {
    let path = path.trim();
    if is_tidy(path) {
        return Cow::Borrowed(path);
    }
    let untidy = |part: &str| part.is_empty() || part == ".";
    let mut parts: Vec<&str> = path.split('/').filter(|part| !untidy(part)).collect();
    if path.starts_with('/') {
        parts.insert(0, "");
    }
    if path.ends_with('/') && !parts.is_empty() {
        parts.push("");
    }
    Cow::Owned(parts.join("/"))
}

/// Whether no part of a path is empty or `.`.
fn is_tidy(path: &str) -> bool {
    let bytes = path.as_bytes();
    let mut begins = true;
    for (at, byte) in bytes.iter().enumerate() {
        let ends = || matches!(bytes.get(at + 1), None | Some(b'/'));
        if begins && (*byte == b'/' || *byte == b'.' && ends()) {
            return false;
        }
        begins = *byte == b'/';
    }
    !begins
}

/// A path that matches several: a directory (`src/`) or a pattern (`src/**/*.py`).
#[derive(Debug)]
pub(super) struct Cover<'a> {
    /// The directory all of them lie in, with its final slash; empty for the root.
    pub(super) dir: &'a str,
    /// What all of them end in.
    tail: &'a str,
}

impl<'a> Cover<'a> {
    /// Reads a path as a cover, if it is one.
    pub(super) fn read(path: &'a str) -> Option<Cover<'a>> {
        let wild = |b: &u8| matches!(b, b'*' | b'?' | b'[' | b'{');
        let bytes = path.as_bytes();
        let last = || bytes.iter().rposition(|b| wild(b) || matches!(b, b']' | b'}'));
        match bytes.iter().position(wild).map(|first| (Some(first), last())).unwrap_or_default() {
            (Some(first), Some(last)) => {
                let dir = path[..first].rfind('/').map_or("", |slash| &path[..=slash]);
                Some(Cover { dir, tail: &path[last + 1..] })
            }
            _ => path.ends_with('/').then_some(Cover { dir: path, tail: "" }),
        }
    }

    /// Whether it could match a path below its directory.
    pub(super) fn may_hold(&self, path: &str) -> bool {
        path.ends_with(self.tail) || Cover::read(path).is_some()
    }
}

/// The directories of a path, the root first, each with its final slash.
pub(super) fn dirs(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(path.match_indices('/').map(|(at, _)| &path[..=at]))
}

/// Where a task names a path.
pub(super) fn span(task: &Task, path: &str) -> Option<Span> {
    let files = &task.files;
    let lists = [
        ("files.create", &files.create),
        ("files.modify", &files.modify),
        ("files.delete", &files.delete),
        ("files.read", &files.read),
    ];
    let place = |key: &str| task.places.get(key).copied();
    for (field, list) in lists {
        if let Some(at) = list.iter().position(|p| tidy(p) == path) {
            let found = place(&format!("{field}[{at}]")).or_else(|| place(field)).or_else(|| place("files"));
            return found.or_else(|| task.span(""));
        }
    }
    task.span("test.file")
}

#[cfg(test)]
mod tests;
