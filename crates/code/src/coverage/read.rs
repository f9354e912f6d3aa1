//! Coverage reports as counts of lines by file. Garbage gives nothing, never a panic.

use std::collections::BTreeMap;

use super::ask::CoverageFormat;

/// How many of a file's lines that could run did run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCoverage {
    /// Lines that ran.
    pub covered: u64,
    /// Lines that could have.
    pub total: u64,
}

impl LineCoverage {
    /// In per cent; a file with nothing to run is covered.
    #[expect(clippy::cast_precision_loss, reason = "line counts are far below 2^52")]
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.total as f64 }
    }
}

/// Counts by path as the report names it. Empty when the bytes are no such report.
pub fn read(format: CoverageFormat, bytes: &[u8]) -> BTreeMap<String, LineCoverage> {
    let text = String::from_utf8_lossy(bytes);
    match format {
        CoverageFormat::CoveragePy => coverage_py(&text),
        CoverageFormat::Lcov => lcov(&text),
        CoverageFormat::GoProfile => go_profile(&text),
    }
}

fn coverage_py(text: &str) -> BTreeMap<String, LineCoverage> {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return BTreeMap::new() };
    let Some(files) = value.get("files").and_then(|f| f.as_object()) else { return BTreeMap::new() };
    let count = |file: &serde_json::Value, key: &str| file.pointer(&format!("/summary/{key}"))?.as_u64();
    files
        .iter()
        .filter_map(|(path, file)| {
            let covered = count(file, "covered_lines")?;
            let total = count(file, "num_statements")?;
            Some((path.clone(), LineCoverage { covered, total }))
        })
        .collect()
}

fn lcov(text: &str) -> BTreeMap<String, LineCoverage> {
    let mut all: BTreeMap<String, LineCoverage> = BTreeMap::new();
    let mut file: Option<String> = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            all.entry(path.to_owned()).or_default();
            file = Some(path.to_owned());
        } else if let (Some(data), Some(path)) = (line.strip_prefix("DA:"), &file) {
            let Some(hits) = data.split(',').nth(1).and_then(|h| h.trim().parse::<u64>().ok()) else {
                continue;
            };
            let entry = all.entry(path.clone()).or_default();
            entry.total += 1;
            entry.covered += u64::from(hits > 0);
        } else if line == "end_of_record" {
            file = None;
        }
    }
    all
}

/// `path:3.14,5.2 2 1`: a block, its statements, how often it ran.
fn go_profile(text: &str) -> BTreeMap<String, LineCoverage> {
    let mut all: BTreeMap<String, LineCoverage> = BTreeMap::new();
    for line in text.lines().filter(|l| !l.starts_with("mode:")) {
        let Some((path, rest)) = line.rsplit_once(':') else { continue };
        let mut numbers = rest.split_whitespace().skip(1).map(str::parse::<u64>);
        let (Some(Ok(statements)), Some(Ok(hits))) = (numbers.next(), numbers.next()) else { continue };
        let entry = all.entry(path.to_owned()).or_default();
        entry.total = entry.total.saturating_add(statements);
        entry.covered = entry.covered.saturating_add(if hits > 0 { statements } else { 0 });
    }
    all
}

#[cfg(test)]
mod tests;
