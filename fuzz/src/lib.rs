//! What every target does with its input. A target is a file in `targets/` that calls one function of this one.
//!
//! A new reader gets a function here that takes bytes and panics when a promise is broken, a target that calls it, a
//! line in `Cargo.toml`, and seeds in `seeds/<target>/`.

use std::collections::BTreeMap;

use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::graph::{Overlap, SealOptions};
use windlass_core::plan::Loaded;
use windlass_formats::{Dialect, Input, TextFile};
use windlass_planner::brief::TokenLimits;
use windlass_planner::lint::{self, LintContext, Profile};
use windlass_planner::runnable::make_runnable;

/// Before a file's name in an input that has several; an input without it is one file.
const FILE: &str = "=== ";

/// Reads the bytes as a plan and does with it what `check` and `export` do.
///
/// Promised: nothing panics or hangs, every finding has a page and a place inside its file, and a plan that was read
/// without an error is written and read again with the same tasks.
pub fn plan(dialect: Dialect, data: &[u8]) {
    let input = input(dialect, data);
    windlass_formats::detect(&input);
    let loaded = windlass_formats::read(dialect, &input);
    check(dialect, &loaded);
    let is_broken = loaded.diagnostics.iter().any(|d| d.severity == Severity::Error);
    for other in [dialect, Dialect::Native] {
        let written =
            Input { root: String::new(), files: windlass_formats::write(other, &loaded.plan, &|_| None) };
        let back = windlass_formats::read(other, &written);
        // A mistake can hide what a file is; once it is mended by writing, there may be more or less to see.
        let (before, after) = (loaded.plan.tasks.len(), back.plan.tasks.len());
        assert!(is_broken || after == before, "{before} tasks become {after} in {other}");
    }
}

fn check(dialect: Dialect, loaded: &Loaded) {
    let is_test = |path: &str| path.contains("test");
    let options = SealOptions {
        is_test: &is_test,
        max_depth: 3,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::new(),
        pools: BTreeMap::new(),
    };
    let prepared = make_runnable(&loaded.plan, &options);
    let refused = prepared.findings.iter().any(|f| f.severity == Severity::Error);
    assert_eq!(refused, prepared.runnable.is_none(), "a plan that cannot run has an error that says so");
    let found = prepared.findings;
    let context = LintContext {
        profile: Profile::of(dialect),
        dialect,
        overrides: BTreeMap::new(),
        tokens: &str::len,
        token_limits: TokenLimits::default(),
        exists: None,
    };
    let linted = lint::check(&loaded.plan, &context);
    loaded.diagnostics.iter().chain(&found).chain(&linted).for_each(|finding| place(finding, loaded));
}

fn place(finding: &Diagnostic, loaded: &Loaded) {
    assert!(lint::explain(finding.code).is_some(), "{} has no page", finding.code);
    for span in finding.span.iter().chain(finding.related.iter().map(|(span, _)| span)) {
        let text = &loaded.sources.file(span.file).text;
        assert!(
            text.get(span.start as usize..span.end as usize).is_some(),
            "{finding:?} is outside its file"
        );
        loaded.sources.position(*span);
    }
}

/// The files of an input: each begins with a line `=== path`, or it is one file with the format's usual name.
fn input(dialect: Dialect, data: &[u8]) -> Input {
    let mut files: Vec<TextFile> = Vec::new();
    for line in data.split_inclusive(|b| *b == b'\n') {
        let named = std::str::from_utf8(line).ok().and_then(|l| l.strip_prefix(FILE));
        match (named, files.last_mut()) {
            (Some(path), _) => files.push(TextFile { path: path.trim().to_owned(), bytes: Vec::new() }),
            (None, Some(file)) => file.bytes.extend(line),
            (None, None) => {
                files.push(TextFile { path: dialect.usual_file().to_owned(), bytes: line.to_vec() });
            }
        }
    }
    Input { root: "fuzz".to_owned(), files }
}
