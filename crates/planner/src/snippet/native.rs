//! Tests in C++ with GoogleTest or Catch2, where the tests beside show how a header is included.
//!
//! How a test is built and linked is written in no convention, so without a neighbour there is nothing.

use windlass_code::survey::Framework;

use super::Ask;
use super::case::TestCase;
use super::classes::{beside, capital, from};
use super::example::Check;
use windlass_code::detect::{dir_of, text};

pub(super) fn write(ask: &Ask<'_>) -> Option<String> {
    let (test, subject) = (ask.wanted.file, ask.wanted.subject);
    let ending = subject.rsplit_once('.')?.1;
    // What is not in a header cannot be seen by a test.
    if !matches!(ending, "h" | "hpp" | "hh" | "hxx") {
        return None;
    }
    let style = ask.survey.conventions_for(test).and_then(|c| c.style)?.framework;
    let is_frame = |line: &&str| {
        line.starts_with("#include") && ["gtest", "catch"].iter().any(|name| line.contains(name))
    };
    let (frame, include) = beside(ask, &[".cpp", ".cc", ".cxx"]).into_iter().find_map(|path| {
        let shown = text(ask.tree, path)?;
        let frame = shown.lines().find(is_frame)?.to_owned();
        Some((frame, included(ask, &shown)?))
    })?;
    let stem = subject.rsplit('/').next()?.split('.').next()?;
    let suite: String = stem.split(['_', '-']).map(capital).collect();
    let indent = ask.survey.conventions_for(test).and_then(|c| c.indent.clone());
    let indent = indent.unwrap_or_else(|| "    ".to_owned());
    let mut out = format!("{frame}\n\n#include \"{include}\"\n");
    for case in &ask.frame.cases {
        out.push_str(&one(case, style, &suite, &indent, &ask.frame.hint())?);
    }
    Some(out)
}

/// The header as the test beside would name it: by the way from the test, or by its path below a directory that is
/// searched.
fn included(ask: &Ask<'_>, shown: &str) -> Option<String> {
    let (test, subject) = (ask.wanted.file, ask.wanted.subject);
    let by_way = from(dir_of(test), subject);
    let quoted = |line: &str| line.strip_prefix("#include \"")?.strip_suffix('"').map(str::to_owned);
    shown.lines().filter_map(|line| quoted(line.trim())).find_map(|header| {
        if header.starts_with("../") {
            return Some(by_way.clone());
        }
        let found = ask.survey.sources().find(|path| path.ends_with(&format!("/{header}")))?;
        let root = found.strip_suffix(&header)?;
        subject.strip_prefix(root).map(str::to_owned)
    })
}

fn one(case: &TestCase, style: Framework, suite: &str, indent: &str, hint: &str) -> Option<String> {
    let catch = match style {
        Framework::Catch2 => true,
        Framework::Gtest => false,
        _ => return None,
    };
    let mut out = if catch {
        format!("\nTEST_CASE(\"{}\") {{\n", case.title())
    } else {
        format!("\nTEST({suite}, {}) {{\n", case.pascal())
    };
    let mut line = |text: &str| out.push_str(&format!("{indent}{text}\n"));
    for check in &case.checks {
        line(&match check {
            Check::Equals { call, value } if catch => format!("REQUIRE({call} == {value});"),
            Check::Equals { call, value } => format!("EXPECT_EQ({call}, {value});"),
            Check::Raises { call, error } if catch => format!("REQUIRE_THROWS_AS({call}, {error});"),
            Check::Raises { call, error } => format!("EXPECT_THROW({call}, {error});"),
        });
    }
    if case.checks.is_empty() {
        line(&format!("// {hint}"));
        line(&format!("{}{};", if catch { "FAIL(" } else { "FAIL() << " }, said(case, catch)));
    }
    out.push_str("}\n");
    Some(out)
}

fn said(case: &TestCase, catch: bool) -> String {
    let text = super::case::quoted(&case.says);
    if catch { format!("{text})") } else { text }
}
