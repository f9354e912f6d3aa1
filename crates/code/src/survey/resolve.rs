//! From an import to the file of the repository it means, by paths alone; nothing for what lies outside.

use super::facts::{FileFacts, Import};
use super::place::{join, split};
use super::query::Survey;

impl Survey {
    /// The files that an import in `path` means.
    pub(super) fn resolve(&self, path: &str, facts: &FileFacts, import: &Import) -> Vec<String> {
        (facts.language.row().resolve)(self, path, import)
    }

    /// The first of these files that the repository has.
    pub(crate) fn first(&self, candidates: impl IntoIterator<Item = String>) -> Option<String> {
        candidates.into_iter().find(|path| self.has(path))
    }
}

/// The directories from that of `path` up to the root, and the usual roots of sources below each.
pub(crate) fn roots(path: &str, usual: &[&str]) -> Vec<String> {
    let mut roots = Vec::new();
    let mut dir = split(path).0;
    loop {
        roots.push(dir.to_owned());
        roots.extend(usual.iter().map(|sub| join(dir, sub)));
        if dir.is_empty() {
            return roots;
        }
        dir = split(dir).0;
    }
}

/// `a/b` + `../c` is `a/c`; `None` when it climbs out of the tree.
pub(crate) fn resolve_dots(dir: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests;
