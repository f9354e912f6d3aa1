//! The outline of a test file: the names of the contract, and a test per criterion.

use crate::lint::outcome::capital;
use crate::snippet::{CaseWanted, TestWanted};
use windlass_code::survey::{ExportKind, Language};

use super::example::{Check, checks};
use windlass_code::syntax::{contract_exports, of_hint};

/// A test to be written, in no language yet.
pub(super) struct TestOutline {
    /// The names to import, in the order of the contract.
    pub(super) names: Vec<String>,
    /// The functions that can be called, with their signatures.
    pub(super) calls: Vec<(String, String)>,
    /// The tests.
    pub(super) cases: Vec<TestCase>,
}

/// One test.
pub(super) struct TestCase {
    /// Its name in words, lower case.
    pub(super) words: Vec<String>,
    /// The criterion on one line, with its id.
    pub(super) says: String,
    /// What can be checked with the values that the criterion states.
    pub(super) checks: Vec<Check>,
}

impl TestOutline {
    /// Reads the contract and the cases; `None` without a contract that names a function.
    pub(super) fn read(language: Language, wanted: &TestWanted<'_>) -> Option<Self> {
        let mut names: Vec<String> = Vec::new();
        let mut calls = Vec::new();
        for block in wanted.contract {
            let stated = block.language.as_deref().filter(|l| !l.is_empty()).and_then(of_hint);
            let elsewhere = block.path.as_deref().is_some_and(|path| path != wanted.subject);
            if stated.is_some_and(|stated| !stated.same_family(language)) || elsewhere {
                continue;
            }
            for export in contract_exports(language, &block.code) {
                match export.kind {
                    ExportKind::Method => calls.push((export.name, export.signature)),
                    ExportKind::Function => {
                        calls.push((export.name.clone(), export.signature));
                        names.push(export.name);
                    }
                    // Types without behaviour are seen where they are used.
                    ExportKind::Type | ExportKind::Value | ExportKind::Macro => names.push(export.name),
                    ExportKind::Module if language.row().modules_hold_functions => names.push(export.name),
                    ExportKind::Interface | ExportKind::Module => {}
                }
            }
        }
        let plain = |name: &String| !name.contains(['.', ' ']) && !name.is_empty();
        names.retain(|name| plain(name) && (language.row().modules_hold_functions || !name.contains(':')));
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        if calls.is_empty() || names.is_empty() {
            return None;
        }
        let mut cases: Vec<TestCase> = Vec::new();
        for case in wanted.cases {
            let one = TestCase::of(language, case, &calls, &cases);
            cases.push(one);
        }
        if cases.is_empty() {
            // Without criteria every function is at least called for.
            let from_calls = calls.iter().map(|(name, signature)| TestCase {
                words: words(&format!("{name} does what it is for")),
                says: signature.clone(),
                checks: Vec::new(),
            });
            cases.extend(from_calls.take(5));
        }
        Some(Self { names, calls, cases })
    }

    /// The names that the tests use; all of them when none is named.
    pub(super) fn used(&self) -> Vec<&str> {
        let named =
            |name: &&str| self.cases.iter().any(|case| case.checks.iter().any(|check| check.mentions(name)));
        let open = self.cases.iter().any(|case| case.checks.is_empty());
        let all = self.names.iter().map(String::as_str);
        if open { all.collect() } else { all.filter(named).collect() }
    }

    /// What a case that cannot be checked yet is about: the signatures, in short.
    pub(super) fn hint(&self) -> String {
        let shown: Vec<&str> = self.calls.iter().map(|(_, signature)| signature.as_str()).take(3).collect();
        shown.join("; ")
    }
}

impl TestCase {
    fn of(
        language: Language,
        case: &CaseWanted<'_>,
        calls: &[(String, String)],
        before: &[TestCase],
    ) -> Self {
        let text = case.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let says = if case.id.is_empty() { text.clone() } else { format!("{}: {text}", case.id) };
        let mut name = words(&text);
        if before.iter().any(|other| other.words == name) {
            name.push((before.len() + 1).to_string());
        }
        Self { words: name, says, checks: checks(language, case.text, calls) }
    }

    /// `like_this`, for names.
    pub(super) fn snake(&self) -> String {
        self.words.join("_")
    }

    /// `LikeThis`, for names.
    pub(super) fn pascal(&self) -> String {
        self.words.iter().map(|word| capital(word)).collect()
    }

    /// `likeThis`, for names.
    pub(super) fn camel(&self) -> String {
        let mut words = self.words.iter();
        let first = words.next().cloned().unwrap_or_default();
        first + &words.map(|word| capital(word)).collect::<String>()
    }

    /// In words, for titles.
    pub(super) fn title(&self) -> String {
        self.says.replace('\\', "").replace('\'', "’").replace(['"', '`'], "")
    }
}

/// At most eight words of a text, fit for a name.
fn words(text: &str) -> Vec<String> {
    let small = |word: &str| matches!(word, "the" | "a" | "an" | "that" | "shall" | "must" | "should");
    // Text between backticks is code; none of its words are left out.
    let mut out: Vec<String> = text
        .split('`')
        .enumerate()
        .flat_map(|(part, text)| {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
            let lower = words.map(str::to_ascii_lowercase);
            lower.filter(move |word| part % 2 == 1 || !small(word)).collect::<Vec<_>>()
        })
        .take(8)
        .collect();
    if out.first().is_none_or(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        out.insert(0, "case".to_owned());
    }
    out
}

#[cfg(test)]
mod tests;
