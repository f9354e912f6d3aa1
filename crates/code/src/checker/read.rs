//! Readers, one per form of report.

use serde_json::Value;

use super::CheckerFinding;
use crate::text::strip_ansi;

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckerFormat {
    /// `path:line:column: message`, as most tools print it.
    Lines,
    /// `path(line,column): error TS1234: message`.
    Tsc,
    /// The messages of cargo, a JSON object per line.
    Cargo,
    /// One JSON object with `generalDiagnostics`.
    Pyright,
    /// A JSON object per line.
    Mypy,
    /// A JSON list of findings.
    Ruff,
    /// A JSON list of files with messages.
    Eslint,
}

impl CheckerFormat {
    /// Whether its reports say which findings the tool could fix.
    pub fn tells_fixes(self) -> bool {
        match self {
            Self::Eslint | Self::Ruff => true,
            Self::Lines | Self::Tsc | Self::Cargo | Self::Pyright | Self::Mypy => false,
        }
    }
}

/// Whether a report names something that the tool could fix; `None` if it cannot be read, or does not say.
pub fn has_fixes(format: CheckerFormat, output: &[u8]) -> Option<bool> {
    let could_fix: fn(&Value) -> Option<bool> = match format {
        CheckerFormat::Eslint => |file| {
            let count = |name: &str| file[name].as_u64();
            Some(count("fixableErrorCount")? + count("fixableWarningCount")? > 0)
        },
        CheckerFormat::Ruff => |finding| Some(!finding.get("fix")?.is_null()),
        CheckerFormat::Lines
        | CheckerFormat::Tsc
        | CheckerFormat::Cargo
        | CheckerFormat::Pyright
        | CheckerFormat::Mypy => return None,
    };
    let document = document(&strip_ansi(&String::from_utf8_lossy(output)), '[')?;
    let told: Vec<bool> = document.as_array()?.iter().map(could_fix).collect::<Option<_>>()?;
    Some(told.contains(&true))
}

/// The findings that made the tool fail. `root` is where the tree was when it ran, `dir` where in it the tool ran. `None`
/// if the report cannot be read, or names nothing.
pub fn read_findings(
    format: CheckerFormat,
    output: &[u8],
    root: &str,
    dir: &str,
) -> Option<Vec<CheckerFinding>> {
    let text = String::from_utf8_lossy(output);
    let text = strip_ansi(&text);
    let found = match format {
        CheckerFormat::Lines => text.lines().filter_map(line).collect(),
        CheckerFormat::Tsc => text.lines().filter_map(tsc).collect(),
        CheckerFormat::Cargo => objects(&text).iter().filter_map(cargo).collect(),
        CheckerFormat::Mypy => objects(&text).iter().filter_map(mypy).collect(),
        CheckerFormat::Pyright => pyright(&document(&text, '{')?),
        CheckerFormat::Ruff => ruff(&document(&text, '[')?),
        CheckerFormat::Eslint => eslint(&document(&text, '[')?),
    };
    let placed = |mut finding: CheckerFinding| {
        finding.path = in_tree(&finding.path, root, dir);
        finding
    };
    let found: Vec<CheckerFinding> = found.into_iter().map(placed).collect();
    (!found.is_empty()).then_some(found)
}

/// A printed path as a path of the tree.
fn in_tree(path: &str, root: &str, dir: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let inside = path.strip_prefix(root.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'));
    match inside {
        Some(inside) => inside.to_owned(),
        None if dir.is_empty() || path.starts_with('/') => path.to_owned(),
        None => format!("{dir}/{path}"),
    }
}

/// `src/a.go:3:2: message`; a `vet: ` or `error: ` before the path is taken off.
fn line(text: &str) -> Option<CheckerFinding> {
    let text = text.trim();
    let text = text.strip_prefix("vet: ").unwrap_or(text);
    let (path, rest) = text.split_once(':')?;
    let is_path = !path.is_empty() && !path.contains(char::is_whitespace) && path.contains('.');
    let (number, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
    let line = number.parse().ok().filter(|_| is_path)?;
    let rest = rest.strip_prefix(':')?;
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let message = behind.strip_prefix(':').unwrap_or(behind).trim();
    let (message, rule) = match message.strip_suffix(']').and_then(|m| m.rsplit_once('[')) {
        Some((message, rule)) if !rule.contains(' ') => (message.trim(), rule),
        Some(_) | None => (message, ""),
    };
    // A note explains the finding before it.
    let own = !message.is_empty() && !message.starts_with("note:");
    own.then(|| CheckerFinding { path: path.into(), line, rule: rule.into(), message: message.into() })
}

fn tsc(text: &str) -> Option<CheckerFinding> {
    let (place, rest) = text.split_once("): error ")?;
    let (path, at) = place.rsplit_once('(')?;
    let line = at.split(',').next()?.parse().ok()?;
    let (rule, message) = rest.split_once(": ")?;
    Some(CheckerFinding { path: path.into(), line, rule: rule.into(), message: message.into() })
}

fn cargo(object: &Value) -> Option<CheckerFinding> {
    let message = object.get("message").filter(|m| m["level"] == "error")?;
    let spans = message["spans"].as_array()?;
    let span = spans.iter().find(|s| s["is_primary"] == true).or(spans.first())?;
    finding(&span["file_name"], &span["line_start"], &message["code"]["code"], &message["message"])
}

fn mypy(object: &Value) -> Option<CheckerFinding> {
    let is_error = object["severity"] == "error";
    finding(&object["file"], &object["line"], &object["code"], &object["message"]).filter(|_| is_error)
}

fn pyright(document: &Value) -> Vec<CheckerFinding> {
    let all = document["generalDiagnostics"].as_array().into_iter().flatten();
    all.filter(|d| d["severity"] == "error")
        .filter_map(|d| {
            let line = Value::from(d["range"]["start"]["line"].as_u64()? + 1);
            finding(&d["file"], &line, &d["rule"], &d["message"])
        })
        .collect()
}

fn ruff(document: &Value) -> Vec<CheckerFinding> {
    let all = document.as_array().into_iter().flatten();
    all.filter_map(|d| finding(&d["filename"], &d["location"]["row"], &d["code"], &d["message"])).collect()
}

fn eslint(document: &Value) -> Vec<CheckerFinding> {
    let files = document.as_array().into_iter().flatten();
    let of = |file: &Value| -> Vec<CheckerFinding> {
        let all = file["messages"].as_array().into_iter().flatten();
        all.filter(|m| m["severity"] == 2)
            .filter_map(|m| finding(&file["filePath"], &m["line"], &m["ruleId"], &m["message"]))
            .collect()
    };
    files.flat_map(of).collect()
}

fn finding(path: &Value, line: &Value, rule: &Value, message: &Value) -> Option<CheckerFinding> {
    Some(CheckerFinding {
        path: path.as_str()?.to_owned(),
        line: line.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0),
        rule: rule.as_str().unwrap_or_default().to_owned(),
        message: message.as_str()?.to_owned(),
    })
}

/// The lines that are JSON objects; a tool may print others between them.
fn objects(text: &str) -> Vec<Value> {
    text.lines().filter(|l| l.starts_with('{')).filter_map(|l| serde_json::from_str(l).ok()).collect()
}

/// The one document in a text that a launcher may have printed something before.
fn document(text: &str, opens: char) -> Option<Value> {
    let begins = |at: &usize| *at == 0 || text[..*at].ends_with('\n');
    text.match_indices(opens).map(|(at, _)| at).filter(begins).find_map(|at| {
        let mut all = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        all.next()?.ok()
    })
}
