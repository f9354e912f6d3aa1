//! Findings as annotations of a GitHub workflow.

use std::fmt::Write as _;
use std::io;

use windlass_core::diagnostic::Severity;

use super::findings::CheckReport;

/// The report as workflow commands, one per line.
pub(crate) fn github(report: &CheckReport<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    for finding in report.findings {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = Vec::new();
        if let Some(span) = finding.span {
            let at = report.sources.position(span);
            let file = property(&report.sources.file(span.file).path);
            properties.push(format!("file={file},line={},col={}", at.line, at.column));
        }
        properties.push(format!("title={}", finding.code));
        let mut message = finding.message.clone();
        if let Some(help) = &finding.help {
            let _ = write!(message, "\nhelp: {help}");
        }
        writeln!(out, "::{level} {}::{}", properties.join(","), data(&message))?;
    }
    Ok(())
}

/// A message as the runner wants it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property as the runner wants it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
