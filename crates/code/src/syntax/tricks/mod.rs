//! Tricks that no honest change needs: ending the test process, skipping tests from code, detecting that a test is
//! running.
//!
//! Looks at source code only, so a determined author can get around it, and it can be wrong about honest code.
//! Each rule therefore has a level that can be configured, and only new code is reported.

mod dependency;
pub(crate) mod literal;
mod manifest;
mod reach;
mod rule;
mod suppression;
mod table;
mod unsteady;

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};

use windlass_core::path_text::file_name;

use super::language_of;
use super::source::{MAX_DEPTH, ParsedText};
use crate::detect::is_test_path;
pub(crate) use dependency::package_names;
pub(crate) use reach::{ReachScan, names};
pub use reach::{debug_switch, reaches_out};
pub use rule::{Rule, Strictness, Trick};
pub(crate) use table::TrickTable;
pub(crate) use unsteady::bare_code;
pub use unsteady::is_unsteady;

/// The files that hold expected results: snapshots, golden files, fixtures. They are looked for when a rule asks for the first
/// time, because there may be ten thousand files and most changes name none.
#[derive(Debug)]
pub struct GoldenFiles<'a> {
    paths: &'a [String],
    holds: fn(&str) -> bool,
    names: OnceCell<HashSet<String>>,
}

impl<'a> GoldenFiles<'a> {
    /// Those of these files that `holds` says it of.
    pub fn among(paths: &'a [String], holds: fn(&str) -> bool) -> Self {
        Self { paths, holds, names: OnceCell::new() }
    }

    /// There are none.
    pub fn none() -> Self {
        Self::among(&[], |_| false)
    }

    /// Whether one of them has this name.
    fn has_name(&self, name: &str) -> bool {
        let name_of = |path: &String| file_name(path).to_owned();
        let golden = || self.paths.iter().filter(|path| (self.holds)(path)).map(name_of).collect();
        self.names.get_or_init(golden).contains(name)
    }
}

/// A changed file, and the files with expected results around it.
#[derive(Debug, Clone, Copy)]
pub struct ChangedFile<'a> {
    /// Its path.
    pub path: &'a str,
    /// What it was; none for a new file.
    pub before: Option<&'a [u8]>,
    /// Its text after the change.
    pub after: &'a [u8],
    /// Files that hold expected results.
    pub golden: &'a GoldenFiles<'a>,
}

/// The tricks a change brings that were not there before.
pub fn tricks(changed: &ChangedFile<'_>) -> Vec<Trick> {
    let before = changed.before.map(|bytes| found(changed, bytes)).unwrap_or_default();
    let mut known: BTreeMap<(Rule, String), usize> = BTreeMap::new();
    for trick in before {
        *known.entry((trick.rule, trick.code)).or_default() += 1;
    }
    let mut new = found(changed, changed.after);
    new.retain(|trick| match known.get_mut(&(trick.rule, trick.code.clone())) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    new
}

fn found(changed: &ChangedFile<'_>, bytes: &[u8]) -> Vec<Trick> {
    let mut out = Vec::new();
    manifest::look(changed.path, bytes, &mut out);
    dependency::look(changed.path, bytes, &mut out);
    suppression::look(changed.path, bytes, &mut out);
    if is_test_path(changed.path) {
        return out;
    }
    let Some(language) = language_of(changed.path) else { return out };
    let Some(source) = ParsedText::parse(language, bytes) else {
        let code = format!("{} bytes", bytes.len());
        out.push(Trick { rule: Rule::Unreadable, path: changed.path.to_owned(), line: 1, code });
        return out;
    };
    let mut look = TrickScan { source: &source, path: changed.path, golden: changed.golden, out };
    look.too_deep();
    (language.row().tricks)(&mut look);
    look.out.sort_by_key(|trick| (trick.line, trick.rule));
    look.out.dedup();
    look.out
}

/// One look at one file.
pub(crate) struct TrickScan<'a> {
    pub(crate) source: &'a ParsedText<'a>,
    pub(crate) path: &'a str,
    pub(crate) golden: &'a GoldenFiles<'a>,
    out: Vec<Trick>,
}

impl<'a> TrickScan<'a> {
    pub(crate) fn add(&mut self, rule: Rule, node: tree_sitter::Node<'_>) {
        let code: String = self.source.one_line(node.byte_range()).chars().take(120).collect();
        let line = super::source::line_of(node);
        self.out.push(Trick { rule, path: self.path.to_owned(), line, code });
    }

    /// The rule about an `eval`: an error where the file also has what hides code or reaches for the runner, so that its
    /// text cannot be read; else a finding, because templates, classes made from declarations and bound functions need it.
    pub(crate) fn evaluation_rule(&self) -> Rule {
        self.evaluation_near(&String::from_utf8_lossy(self.source.bytes))
    }

    /// The same for a call: what puts text together counts if it stands in the same function, or if the call is in none.
    pub(crate) fn evaluation_rule_at(&self, call: tree_sitter::Node<'_>) -> Rule {
        let is_function = |node: &tree_sitter::Node<'_>| {
            matches!(
                node.kind(),
                "function_definition"
                    | "function_declaration"
                    | "function_expression"
                    | "method_definition"
                    | "arrow_function"
                    | "lambda"
            )
        };
        let mut function = None;
        let mut at = call.parent();
        while let Some(node) = at {
            function = Some(node).filter(is_function).or(function);
            at = node.parent();
        }
        match function {
            Some(function) => self.evaluation_near(&self.source.text(function)),
            None => self.evaluation_rule(),
        }
    }

    fn evaluation_near(&self, near: &str) -> Rule {
        /// What makes names and text unreadable wherever it stands.
        const ANYWHERE: [&str; 11] = [
            "from base64",
            "from codecs",
            "from zlib",
            "from pickle",
            "import marshal",
            "from marshal",
            "rot13",
            "rot_13",
            "_exit",
            "import pytest",
            "import unittest",
        ];
        const NEAR: [&str; 21] = [
            "b64decode",
            "base64",
            "fromhex(",
            "unhexlify",
            "codecs",
            "zlib",
            "pickle",
            "[::-1]",
            "chr(",
            "bytes([",
            "bytearray(",
            "atob(",
            "fromCharCode",
            "fromCodePoint",
            "Buffer.from",
            "decodeURIComponent",
            "unescape(",
            "charCodeAt",
            ".reverse()",
            "read_text(",
            "readFileSync",
        ];
        let text = String::from_utf8_lossy(self.source.bytes);
        let hidden =
            ANYWHERE.iter().any(|sign| text.contains(sign)) || NEAR.iter().any(|sign| near.contains(sign));
        if hidden { Rule::DynamicCode } else { Rule::EvaluatesCode }
    }

    /// Every node of the file, outer ones first.
    pub(crate) fn nodes(&self) -> Vec<tree_sitter::Node<'a>> {
        let mut out = Vec::new();
        let mut stack = vec![self.source.root()];
        while let Some(node) = stack.pop() {
            out.push(node);
            let mut cursor = node.walk();
            let children: Vec<_> = node.children(&mut cursor).collect();
            stack.extend(children.into_iter().rev());
        }
        out
    }

    /// Whether a name stands in the path as a word of its own: `cli` in `src/cli.py`.
    pub(crate) fn path_has(&self, words: &[&str]) -> bool {
        self.path.split(['/', '.', '-', '_']).any(|part| words.contains(&part))
    }

    /// Code that nests deeper than anything in this crate looks is hidden from the other rules.
    fn too_deep(&mut self) {
        let mut stack = vec![(self.source.root(), 0usize)];
        while let Some((node, depth)) = stack.pop() {
            if depth > 2 * MAX_DEPTH {
                self.add(Rule::Unreadable, node);
                return;
            }
            let mut cursor = node.walk();
            stack.extend(node.named_children(&mut cursor).map(|child| (child, depth + 1)));
        }
    }
}

#[cfg(test)]
mod tests;
