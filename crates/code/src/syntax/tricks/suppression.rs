//! Comments and attributes that silence a linter, a type checker or a coverage tool.

use super::{Rule, Trick};
use crate::syntax::language_of;

/// How they are written. A file has them in comments and attributes only, so that the text of a line is enough.
const MARKS: [&str; 26] = [
    "# noqa",
    "#noqa",
    "ruff: noqa",
    "flake8: noqa",
    "# type: ignore",
    "# pyright: ignore",
    "# mypy: ignore",
    "pylint: disable",
    "# nosec",
    "# fmt: off",
    "pragma: no cover",
    "eslint-disable",
    "@ts-ignore",
    "@ts-nocheck",
    "@ts-expect-error",
    "biome-ignore",
    "oxlint-disable",
    "istanbul ignore",
    "c8 ignore",
    "v8 ignore",
    "#[allow(",
    "#![allow(",
    "//nolint",
    "rubocop:disable",
    "@SuppressWarnings",
    "NOLINT",
];

pub(super) fn look(path: &str, bytes: &[u8], out: &mut Vec<Trick>) {
    if language_of(path).is_none() {
        return;
    }
    let text = String::from_utf8_lossy(bytes);
    for (n, line) in text.lines().enumerate() {
        if MARKS.iter().any(|mark| line.contains(mark)) {
            let code = line.trim().chars().take(120).collect();
            out.push(Trick { rule: Rule::Suppresses, path: path.to_owned(), line: n + 1, code });
        }
    }
}
