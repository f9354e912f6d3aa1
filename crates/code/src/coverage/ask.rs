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
mod tests {
    use super::*;

    #[test]
    fn each_runner_is_asked_in_its_own_way() {
        let asked = |runner, script: &str| ask(runner, script, "/r").map(|p| (p.script, p.env));
        let (script, env) = asked(Runner::Pytest, "pytest tests/test_a.py").unwrap();
        assert_eq!(script, "pytest tests/test_a.py");
        assert_eq!(env[0].1, "--cov=. --cov-report=json:/r/coverage.json");
        let (script, _) = asked(Runner::CargoTest, "cd x\ncargo test --lib a").unwrap();
        assert_eq!(script, "cd x\ncargo llvm-cov test --lcov --output-path /r/lcov.info --lib a");
        let (script, _) = asked(Runner::Jest, "npx jest a.test.js\n").unwrap();
        assert!(script.starts_with("npx jest a.test.js --coverage"), "{script}");
        assert_eq!(asked(Runner::Jest, "npx jest a.test.js | tail"), None);
        assert_eq!(asked(Runner::Tap, "sh t.sh"), None);
        let (script, _) = asked(Runner::Nextest, "cargo nextest run -p a").unwrap();
        assert_eq!(script, "cargo llvm-cov nextest --lcov --output-path /r/lcov.info -p a");
        let (_, env) = asked(Runner::GoTest, "go test ./...").unwrap();
        assert_eq!(env, [("GOFLAGS".to_owned(), "-coverprofile=/r/cover.out".to_owned())]);
        let (script, _) = asked(Runner::NodeTest, "node --test").unwrap();
        assert!(script.contains("c8 --reporter=lcovonly --reports-dir=/r bash -e"), "{script}");
    }

    #[test]
    fn a_directory_with_a_blank_is_quoted() {
        for (runner, script) in [
            (Runner::CargoTest, "cargo test"),
            (Runner::Vitest, "npx vitest run"),
            (Runner::Jest, "npx jest"),
            (Runner::NodeTest, "node --test"),
        ] {
            let plan = ask(runner, script, "/a b").unwrap();
            assert!(plan.script.contains("'/a b"), "{}", plan.script);
        }
        let plan = ask(Runner::Pytest, "pytest", "/a b").unwrap();
        assert_eq!(plan.env[0].1, "--cov=. --cov-report='json:/a b/coverage.json'");
    }
}
