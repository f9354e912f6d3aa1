//! Examples in a document that is run as a test: `>>> f(1)` with what it shows below.

use std::ops::Range;
use windlass_core::path_text::file_name;

use super::alter::{self, Choice};
use super::edit::SourceEdit;
use super::{ExpectationKind, ExpectationMutant, TestExpectations};

/// The test that a document is, under the name that pytest has for it.
pub(super) fn named_tests(
    path: &str,
    bytes: &[u8],
    wanted: &dyn Fn(&str) -> bool,
    choice: &mut Choice,
) -> Vec<TestExpectations> {
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.contains(">>> ")) else {
        return Vec::new();
    };
    let test = format!("{path}::{}", file_name(path));
    if !wanted(&test) {
        return Vec::new();
    }
    let mut mutants: Vec<ExpectationMutant> = Vec::new();
    for (call, shown) in examples(text) {
        let Some((at, size, other)) = changed(&text[shown.clone()], choice) else { continue };
        let edit = shown.start + at..shown.start + at + size;
        let now = format!("{}{other}{}", &text[shown.start..edit.start], &text[edit.end..shown.end]);
        mutants.push(ExpectationMutant {
            kind: ExpectationKind::Equality,
            line: text[..shown.start].matches('\n').count() + 1,
            was: text[shown].to_owned(),
            now,
            straight: true,
            every_case: false,
            change: vec![SourceEdit::new(edit, other)],
            denial: Some(vec![SourceEdit::new(call, "raise AssertionError")]),
            same: Vec::new(),
            framed: None,
            may_not_compile: false,
        });
    }
    choice.shuffle(&mut mutants);
    let (entry, end, goldens, marked) = (None, None, Vec::new(), text.contains("doctest:"));
    vec![TestExpectations { mutants, entry, end, goldens, marked, ..TestExpectations::empty(test) }]
}

/// The calls, and the line that each shows. Several lines are one, the first; errors are left out.
fn examples(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let mut out = Vec::new();
    let mut call: Option<Range<usize>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        let end = at + line.trim_end().len();
        at += line.len();
        let words = line.trim();
        if words.starts_with(">>> ") {
            call = Some(start + 4..end);
        } else if words.starts_with("... ") {
            // A statement of several lines cannot be replaced by one.
            call = None;
        } else if let Some(call) = call.take()
            && !words.is_empty()
            && !words.starts_with("Traceback")
        {
            out.push((call, start..end));
        }
    }
    out
}

/// Another line of the same size.
fn changed(line: &str, choice: &mut Choice) -> Option<(usize, usize, String)> {
    if line.parse::<i64>().is_ok() {
        return alter::integer(line, choice).map(|now| (0, line.len(), now));
    }
    alter::text(line, &|_, c| c.is_ascii_alphanumeric(), choice)
}

#[cfg(test)]
mod tests {
    use super::super::expectations;

    #[test]
    fn what_a_document_shows_is_changed() {
        let text = "Sums\n\n>>> from a import f\n>>> f([1, 2])\n3\n>>> f([])\n0\n\n>>> f(None)\nTraceback (most recent call last):\n";
        let all = expectations("tests/a.txt", text.as_bytes(), &|name| name == "tests/a.txt::a.txt", 1);
        let mut seen: Vec<(usize, &str)> =
            all[0].mutants.iter().map(|mutant| (mutant.line, mutant.was.as_str())).collect();
        seen.sort_unstable();
        assert_eq!(seen, [(5, "3"), (7, "0")]);
        assert!(all[0].mutants.iter().all(|mutant| mutant.now != mutant.was && mutant.straight));
        assert!(expectations("tests/a.txt", b"no examples\n", &|_| true, 1).is_empty());
    }
}
