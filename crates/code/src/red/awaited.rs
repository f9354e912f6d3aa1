//! Which tests must run at green, where red was only missing code and nothing ran.
//!
//! The names come from our reading of the test files. A test that a condition may leave out is not required if the
//! condition cannot depend on the task's own code, and no agent of the task wrote it: then nothing an agent does decides
//! whether it runs. Where a runner can be started with stand-ins for the missing code, its own list counts: what it
//! skips or does not have whatever the stand-ins answer is not required, and what it has besides our reading is.

use std::collections::BTreeSet;

use windlass_core::event::TestAuthor;
use windlass_core::report::{TestOutcome, TestReport};

use super::verdict::RedInput;
use crate::language::Language;
use crate::runner::row;
use crate::syntax::same_test::same_path;
use crate::syntax::{TestItem, imports, language_of, same_test, tests};

/// The tests of a task whose code is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AwaitedTests {
    /// Those that must pass at green.
    pub required: Vec<String>,
    /// Those that a condition may leave out.
    pub conditional: Vec<String>,
}

/// Whether the runner should be asked for its list, with stand-ins for the code that is missing: our reading finds no
/// test, or one that may not run.
pub fn wants_stand_ins(input: &RedInput<'_>) -> bool {
    let Some(runner) = input.runner.filter(|_| input.author != TestAuthor::Agent) else { return false };
    let items: Vec<TestItem> =
        input.test_files.iter().flat_map(|(path, bytes)| tests(path, bytes)).filter(|i| !i.skipped).collect();
    row(runner).stand_ins.is_some() && (items.is_empty() || items.iter().any(|item| item.condition.is_some()))
}

/// Sorts the names that [`classify`](super::classify) found; `listed` are the reports of runs with stand-ins that gave
/// different answers.
pub fn awaited(input: &RedInput<'_>, names: &[String], listed: &[TestReport]) -> AwaitedTests {
    let free: BTreeSet<String> = match (input.author, input.runner.map(row)) {
        (TestAuthor::Agent, _) => BTreeSet::new(),
        // Where no run with stand-ins gave results, as with code that waits for them, our own reading stands.
        (TestAuthor::Plan | TestAuthor::Base, Some(row)) if row.stand_ins.is_some() && !listed.is_empty() => {
            names.iter().filter(|name| is_left_out(name, listed)).cloned().collect()
        }
        (TestAuthor::Plan | TestAuthor::Base, _) => independent(input),
    };
    let (conditional, mut required): (Vec<String>, Vec<String>) =
        names.iter().cloned().partition(|name| free.contains(name));
    required.extend(unread(names, listed));
    required.sort();
    required.dedup();
    // Something has to be seen green.
    if required.is_empty() {
        return AwaitedTests { required: conditional, conditional: Vec::new() };
    }
    AwaitedTests { required, conditional }
}

/// The tests that run once for each entry of a list in the task's own code. Their cases are in no file that is frozen, and
/// a case may be skipped where the test says so, as long as another passes.
pub fn cases_of_the_code(test_files: &[(String, Vec<u8>)], owned: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    for (path, bytes) in test_files {
        let items: Vec<TestItem> =
            tests(path, bytes).into_iter().filter(|item| item.cases.is_some()).collect();
        if items.is_empty() {
            continue;
        }
        let own = imported_words(path, bytes, owned);
        let listed = |text: &str| words(text).any(|word| own.contains(word));
        let made = items.into_iter().filter(|item| item.cases.as_deref().is_some_and(listed));
        out.extend(made.map(|item| item.name_in(path)));
    }
    out
}

/// The tests that our reading finds in the test files and a run that reached them does not have.
pub fn not_run(input: &RedInput<'_>) -> Vec<String> {
    let Some(report) = input.report else { return Vec::new() };
    let items = input.test_files.iter().flat_map(|(path, bytes)| {
        tests(path, bytes)
            .into_iter()
            .filter(|i| !i.skipped && i.condition.is_none())
            .map(|i| i.name_in(path))
    });
    items
        .filter(|name| !report.tests.keys().any(|known| same_test(known, name)) && loaded(report, name))
        .collect()
}

/// Whether no run had the test, or every run skipped it. A run that did not load the file of the test says nothing.
fn is_left_out(name: &str, listed: &[TestReport]) -> bool {
    let out = |report: &TestReport| {
        let mut own = report.tests.iter().filter(|(known, _)| same_test(known, name)).peekable();
        match own.peek() {
            Some(_) => own.all(|(_, outcome)| *outcome == TestOutcome::Skipped),
            None => loaded(report, name),
        }
    };
    // Of one run it is not known whether its answers decided.
    listed.len() > 1 && listed.iter().all(out)
}

/// Whether a run has other tests of the same file.
fn loaded(report: &TestReport, name: &str) -> bool {
    let Some((file, _)) = name.split_once("::") else { return false };
    report.tests.iter().any(|(known, outcome)| {
        let own = known.split_once("::").is_some_and(|(own, _)| same_path(own, file));
        own && *outcome != TestOutcome::Errored
    })
}

/// The tests that every run had and our reading has not, without their parameters.
fn unread(names: &[String], listed: &[TestReport]) -> Vec<String> {
    let Some((first, others)) = listed.split_first() else { return Vec::new() };
    let runs = |report: &TestReport, name: &str| {
        matches!(report.tests.get(name), Some(TestOutcome::Passed | TestOutcome::Failed))
    };
    first
        .tests
        .keys()
        .filter(|known| known.contains("::") && runs(first, known) && others.iter().all(|r| runs(r, known)))
        .filter(|known| !names.iter().any(|name| same_test(known, name)))
        .map(|known| known.split('[').next().unwrap_or(known).to_owned())
        .collect()
}

/// The tests with a condition in which nothing of the task's code occurs.
fn independent(input: &RedInput<'_>) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (path, bytes) in input.test_files {
        let own = words_of_the_task(path, bytes, input.owned);
        let free = |text: &str| words(text).all(|word| !own.contains(word));
        let items = tests(path, bytes).into_iter();
        let free = items.filter(|item| item.condition.as_deref().is_some_and(free));
        out.extend(free.map(|item| item.name_in(path)));
    }
    out
}

/// The words of a test file that may stand for something of the task: those on the lines that import its files, and
/// those on the left of an assignment from them.
fn words_of_the_task(path: &str, bytes: &[u8], owned: &[String]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut found = imported_words(path, bytes, owned);
    // An assignment may stand before its use at any distance, so until nothing is added.
    loop {
        let before = found.len();
        for line in text.lines() {
            let Some((left, right)) = line.split_once('=') else { continue };
            if words(right).any(|word| found.contains(word)) {
                found.extend(
                    words(left).filter(|word| !matches!(*word, "const" | "let" | "var")).map(str::to_owned),
                );
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The words on the lines of a test file that import files of the task.
fn imported_words(path: &str, bytes: &[u8], owned: &[String]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let language = language_of(path);
    let is_ending = |part: &str| {
        let of_kin = |own: Language| Language::of_ending(part).is_some_and(|other| other.same_family(own));
        part == "index" || language.is_some_and(of_kin)
    };
    let stem = |path: &str| {
        let name = path.trim_end_matches('/').rsplit(['/', '.', ':']).find(|part| !is_ending(part));
        name.unwrap_or_default().to_owned()
    };
    let own_stem = |file: &String| {
        let mut parts =
            file.trim_end_matches('/').rsplit('/').map(|part| part.split('.').next().unwrap_or(part));
        parts.find(|part| !matches!(*part, "" | "index" | "__init__" | "mod")).unwrap_or_default().to_owned()
    };
    let stems: BTreeSet<String> = owned.iter().map(own_stem).filter(|stem| !stem.is_empty()).collect();
    let lines: Vec<&str> = text.lines().collect();
    let imports = imports(path, bytes);
    let own = imports.iter().filter(|import| {
        stems.contains(&stem(&import.module))
            || import.module.split(['/', '.', ':']).any(|p| stems.contains(p))
            // `from package import module`
            || import.names.iter().any(|name| stems.contains(name))
    });
    let mut found: BTreeSet<String> = own
        .flat_map(|import| {
            let line = lines.get(import.line.saturating_sub(1)).copied().unwrap_or_default();
            words(line).map(str::to_owned).chain(import.names.iter().cloned()).collect::<Vec<_>>()
        })
        .collect();
    for keyword in ["import", "from", "const", "let", "var", "require", "as", "use", "type"] {
        found.remove(keyword);
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
