//! Findings as `windlass.check/1`. Its keys are public.
//!
//! Written one finding at a time: a report with a hundred thousand of them is not held in memory twice.

use std::io;

use serde::{Serialize, Serializer};
use windlass_core::diagnostic::{Diagnostic, Severity, Sources, Span};

use super::findings::CheckReport;

#[derive(Serialize)]
struct CheckDocument<'a> {
    schema: &'static str,
    plan: PlanPart<'a>,
    diagnostics: Findings<'a>,
    summary: FindingCounts,
}

#[derive(Serialize)]
struct PlanPart<'a> {
    name: &'a str,
    dialect: &'a str,
    tasks: usize,
}

#[derive(Serialize)]
struct FindingCounts {
    errors: usize,
    warnings: usize,
    notes: usize,
}

#[derive(Serialize)]
struct FindingRecord<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    #[serde(flatten)]
    place: Option<FindingPlace<'a>>,
    /// The field of a JSON file: `tasks[0].steps[1].run`.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct FindingPlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Related<'a> {
    label: &'a str,
    #[serde(flatten)]
    place: FindingPlace<'a>,
}

/// The findings, each made when its turn comes.
struct Findings<'a>(&'a CheckReport<'a>);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.findings.iter().map(|found| finding(self.0.sources, found)))
    }
}

/// The report as JSON.
pub(crate) fn json(report: &CheckReport<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let document = CheckDocument {
        schema: "windlass.check/1",
        plan: PlanPart { name: report.plan, dialect: report.dialect, tasks: report.tasks },
        diagnostics: Findings(report),
        summary: FindingCounts {
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
            notes: report.count(Severity::Note),
        },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn finding<'a>(sources: &'a Sources, f: &'a Diagnostic) -> FindingRecord<'a> {
    let related = |(span, label): &'a (Span, String)| Related { label, place: place(sources, *span) };
    FindingRecord {
        code: f.code,
        severity: f.severity,
        message: &f.message,
        task: f.task.as_deref(),
        place: f.span.map(|span| place(sources, span)),
        field: f.span.and_then(|span| field(sources, span)),
        help: f.help.as_deref(),
        related: f.related.iter().map(related).collect(),
    }
}

/// The largest file whose fields are named: the search begins at its first byte, for every finding.
const NAMED: usize = 1 << 20;

fn field(sources: &Sources, span: Span) -> Option<String> {
    let file = sources.file(span.file);
    let is_json = file.path.ends_with(".json") && file.text.len() <= NAMED;
    is_json.then(|| windlass_formats::field_at(&file.text, span.start as usize)).flatten()
}

fn place(sources: &Sources, span: Span) -> FindingPlace<'_> {
    let at = sources.position(span);
    FindingPlace { file: &sources.file(span.file).path, line: at.line, column: at.column }
}
