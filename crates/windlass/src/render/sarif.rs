//! Findings as SARIF 2.1.0, for code scanning.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use windlass_core::diagnostic::{Diagnostic, Severity, Sources, Span};

use super::findings::Report;

/// The report as a SARIF log. `title_of` names the rule of a code, where it has one.
pub(crate) fn sarif(
    report: &Report<'_>,
    title_of: &dyn Fn(&str) -> Option<String>,
) -> Result<String, serde_json::Error> {
    let mut rules: BTreeMap<&str, usize> = report.findings.iter().map(|f| (f.code, 0)).collect();
    for (at, index) in rules.values_mut().enumerate() {
        *index = at;
    }
    let rule = |code: &&str| {
        let title = title_of(code).unwrap_or_else(|| (*code).to_owned());
        json!({ "id": code, "shortDescription": { "text": title } })
    };
    let results: Vec<Value> =
        report.findings.iter().map(|f| result(f, rules.get(f.code).copied(), report.sources)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "windlass",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.keys().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).map(|text| text + "\n")
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
