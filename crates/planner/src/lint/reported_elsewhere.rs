//! Codes, names and pages of the findings that readers and the graph report. Checks nothing.

use super::rule::{Levels, LintRule, RuleFamily};
use windlass_core::diagnostic::Severity::{self, Error, Note, Warning};

const fn read(code: &'static str, name: &'static str, severity: Severity, summary: &'static str) -> LintRule {
    LintRule { code, name, family: RuleFamily::Reading, levels: Levels::all(severity), summary }
}

const fn sealed(
    code: &'static str,
    name: &'static str,
    severity: Severity,
    summary: &'static str,
) -> LintRule {
    LintRule { code, name, family: RuleFamily::Shape, levels: Levels::all(severity), summary }
}

/// The findings of readers.
pub(super) static RULES: &[&LintRule] = &[
    &read("WL0001", "unreadable", Error, "a file is not text, or too large"),
    &read("WL0002", "syntax", Error, "the YAML, TOML or JSON has a syntax error"),
    &read("WL0003", "wrong-type", Error, "a value does not fit its key"),
    &read("WL0004", "misspelt-key", Warning, "an unknown key looks like a known one"),
    &read("WL0005", "duplicate-key", Error, "a key is given twice"),
    &read("WL0006", "status-in-plan", Warning, "a native plan holds a state"),
    &read("WL0007", "assumed", Note, "a missing value was assumed"),
    &read("WL0008", "no-tasks", Error, "the plan has no tasks, or its file is missing"),
    &read("WL0009", "open-fence", Warning, "a code fence is never closed"),
    &read("WL0010", "stray-line", Warning, "a line of a known section has no meaning"),
    &read("WL0012", "unknown-word", Warning, "a word is not one the format knows"),
    &read("WL0013", "left-out", Warning, "a part of the input could not be used"),
];

/// The findings of sealing.
pub(super) static SEALED: &[&LintRule] = &[
    &sealed("WL0150", "cycle", Error, "tasks depend on each other in a cycle"),
    &sealed("WL0151", "unknown-reference", Error, "a task refers to one that is not in the plan"),
    &sealed("WL0152", "self-reference", Error, "a task depends on itself or is its own parent"),
    &sealed("WL0153", "bad-id", Error, "an id cannot be used in file names and refs"),
    &sealed("WL0154", "duplicate-id", Error, "two tasks have the same id"),
    &sealed("WL0155", "too-deep", Error, "parents are stacked too high"),
    &sealed("WL0156", "too-many-links", Error, "references to parents multiply into too many links"),
    &sealed("WL0157", "empty-pool", Error, "a limit of zero would stop every task under it"),
    &sealed("WL0160", "unordered-overlap", Warning, "two tasks change a file and nothing orders them"),
    &sealed("WL0161", "level-only-overlap", Note, "two tasks change a file and only their levels order them"),
    &sealed(
        "WL0162",
        "read-before-made",
        Note,
        "a task reads a file another creates, and nothing orders them",
    ),
];
