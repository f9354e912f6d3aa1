//! The same script, made to leave a coverage report.

use windlass_core::report::Runner;

use crate::runner::row;

/// How a coverage report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverageFormat {
    /// `coverage json`.
    CoveragePy,
    /// LCOV.
    Lcov,
    /// `go test -coverprofile`.
    GoProfile,
}

/// A script and the variables to set for it.
pub(crate) type MeasuringScript = (String, Vec<(String, String)>);

/// How a runner's tests are measured.
pub(crate) struct CoverageFacts {
    /// The tool that measures, for messages.
    pub(crate) tool: &'static str,
    /// How its report is written.
    pub(crate) format: CoverageFormat,
    /// The name of its report.
    pub(crate) file: &'static str,
    /// The script and the variables that make it measure, from a script, the directory for reports and the report's path.
    pub(crate) measure: fn(&str, &str, &str) -> Option<MeasuringScript>,
}

/// A script that leaves a coverage report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveragePlan {
    /// The tool that measures, for messages.
    pub tool: &'static str,
    /// The script to run instead.
    pub script: String,
    /// Variables to set for it.
    pub env: Vec<(String, String)>,
    /// The path of the report.
    pub report: String,
    /// How it is written.
    pub format: CoverageFormat,
}

/// How to measure the coverage of a script that calls this runner; reports land in `dir`. `None` where no tool is known.
pub fn ask(runner: Runner, script: &str, dir: &str) -> Option<CoveragePlan> {
    let facts = row(runner).coverage.as_ref()?;
    let report = format!("{dir}/{}", facts.file);
    let (script, env) = (facts.measure)(script, dir, &report)?;
    Some(CoveragePlan { tool: facts.tool, script, env, report, format: facts.format })
}

/// Adds arguments to the last line, where that is one plain command.
pub(crate) fn append_to_last(script: &str, arguments: &str) -> Option<MeasuringScript> {
    let trimmed = script.trim_end();
    let last = trimmed.lines().last()?;
    let plain = !last.contains(['|', ';', '&', '>', '<', '#']) && !last.contains(" -- ");
    plain.then(|| (format!("{trimmed} {arguments}\n"), Vec::new()))
}

#[cfg(test)]
mod tests;
