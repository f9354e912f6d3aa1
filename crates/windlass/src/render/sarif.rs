//! Findings as SARIF 2.1.0, for code scanning.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use windlass_core::diagnostic::{Diagnostic, Severity, Sources, Span};

use super::findings::CheckReport;

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    column_kind: &'static str,
    results: Results<'a>,
}

/// The results, each made when its turn comes.
struct Results<'a> {
    report: &'a CheckReport<'a>,
    rules: &'a BTreeMap<&'a str, usize>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rule = |found: &Diagnostic| self.rules.get(found.code).copied();
        serializer.collect_seq(self.report.findings.iter().map(|f| result(f, rule(f), self.report.sources)))
    }
}

/// The report as a SARIF log. `title_of` names the rule of a code, where it has one.
pub(crate) fn sarif(
    report: &CheckReport<'_>,
    title_of: &dyn Fn(&str) -> Option<String>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut rules: BTreeMap<&str, usize> = report.findings.iter().map(|f| (f.code, 0)).collect();
    for (at, index) in rules.values_mut().enumerate() {
        *index = at;
    }
    let rule = |code: &&str| {
        let title = title_of(code).unwrap_or_else(|| (*code).to_owned());
        json!({ "id": code, "shortDescription": { "text": title } })
    };
    let driver = json!({
        "name": "windlass",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules.keys().map(rule).collect::<Vec<_>>(),
    });
    let run = Run {
        tool: json!({ "driver": driver }),
        column_kind: "unicodeCodePoints",
        results: Results { report, rules: &rules },
    };
    let log = Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn result(finding: &Diagnostic, rule: Option<usize>, sources: &Sources) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let text = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": level,
        "message": { "text": text },
        "locations": finding.span.map(|span| location(span, sources)).into_iter().collect::<Vec<_>>(),
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|(span, label)| {
            let mut place = location(*span, sources);
            place["message"] = json!({ "text": label });
            place
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

fn location(span: Span, sources: &Sources) -> Value {
    let from = sources.position(span);
    let to = sources.position(Span { start: span.end.max(span.start), ..span });
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&sources.file(span.file).path) },
        "region": {
            "startLine": from.line,
            "startColumn": from.column,
            "endLine": to.line,
            "endColumn": to.column,
        },
    }})
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/@+,=!$&'()*;".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
