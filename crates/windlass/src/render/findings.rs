//! Findings for people: code, message, place, the line itself, other places, help.

use std::fmt::Write as _;

use windlass_core::diagnostic::{Diagnostic, Severity, Sources};

use super::screen::{Paint, Screen};
use super::snippet::{Mark, Snippet};

/// The result of a check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckReport<'a> {
    /// The plan's name.
    pub(crate) plan: &'a str,
    /// The format it was read as.
    pub(crate) dialect: &'a str,
    /// How many tasks it has.
    pub(crate) tasks: usize,
    /// The findings, in the order they are shown.
    pub(crate) findings: &'a [Diagnostic],
    /// The texts they point at.
    pub(crate) sources: &'a Sources,
}

impl CheckReport<'_> {
    /// How many findings are of a severity.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|f| f.severity == severity).count()
    }
}

/// The findings as text, at most `limit` of them.
pub(crate) fn human(findings: &[Diagnostic], sources: &Sources, screen: &Screen, limit: usize) -> String {
    let mut text = String::new();
    for finding in findings.iter().take(limit) {
        text.push_str(&one(finding, sources, screen));
        text.push('\n');
    }
    text
}

/// One line that says how many.
pub(crate) fn summary(report: &CheckReport<'_>, screen: &Screen) -> String {
    let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
    let notes = report.count(Severity::Note);
    let what = format!("plan `{}` ({}, {})", report.plan, report.dialect, counted(report.tasks, "task"));
    let mut counts = Vec::new();
    for (n, word, paint) in
        [(errors, "error", Paint::Error), (warnings, "warning", Paint::Warning), (notes, "note", Paint::Note)]
    {
        if n > 0 {
            counts.push(screen.paint(paint, &counted(n, word)));
        }
    }
    if counts.is_empty() {
        return format!("{what}: {}\n", screen.paint(Paint::Good, "no findings"));
    }
    format!("{what}: {}\n", counts.join(", "))
}

/// `1 task`, `2 tasks`.
pub(crate) fn counted(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

fn one(finding: &Diagnostic, sources: &Sources, screen: &Screen) -> String {
    let (word, paint) = match finding.severity {
        Severity::Error => ("error", Paint::Error),
        Severity::Warning => ("warning", Paint::Warning),
        Severity::Note => ("note", Paint::Note),
    };
    let head = screen.paint(paint, &format!("{word}[{}]", finding.code));
    let mut text = format!("{head}: {}\n", screen.paint(Paint::Strong, &clean(&finding.message)));
    let gutter = gutter(finding, sources);
    let arrow = |sign: &str| screen.paint(Paint::Frame, &format!("{}{sign}", " ".repeat(gutter)));
    let room = screen.width.saturating_sub(gutter + 3);
    if let Some(span) = finding.span {
        let snippet = Snippet::new(sources, span, room);
        let _ = writeln!(text, "{} {}", arrow("-->"), snippet.place);
        text.push_str(&snippet.draw(screen, gutter, Mark { sign: "^", label: "", paint }));
    } else if let Some(task) = &finding.task {
        let _ = writeln!(text, "{} task `{}`", arrow("-->"), clean(task));
    }
    for (span, label) in &finding.related {
        let snippet = Snippet::new(sources, *span, room);
        let _ = writeln!(text, "{} {}", arrow(":::"), snippet.place);
        let mark = Mark { sign: "-", label: &clean(label), paint: Paint::Frame };
        text.push_str(&snippet.draw(screen, gutter, mark));
    }
    if let Some(help) = &finding.help {
        for (at, line) in help.lines().enumerate() {
            let lead = if at == 0 { screen.paint(Paint::Help, "help: ") } else { "      ".into() };
            let _ = writeln!(text, "{} {lead}{}", arrow(" ="), clean(line));
        }
    }
    text
}

/// Room for the longest line number.
fn gutter(finding: &Diagnostic, sources: &Sources) -> usize {
    let spans = finding.span.iter().chain(finding.related.iter().map(|(span, _)| span));
    let longest = spans.map(|span| sources.position(*span).line.to_string().len()).max();
    longest.unwrap_or(1) + 1
}

/// The text without control sequences.
fn clean(text: &str) -> String {
    text.chars().map(super::screen::harmless).collect()
}
