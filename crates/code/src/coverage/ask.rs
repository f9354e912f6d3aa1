//! The same script, made to leave a coverage report.

use windlass_core::report::Runner;

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

/// A script that leaves a coverage report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveragePlan {
    /// The tool that measures, for messages.
    pub tool: &'static str,
    /// The script to run instead.
    pub script: String,
    /// Variables to set for it.
    pub env: Vec<(String, String)>,
    /// Where the report will lie.
    pub report: String,
    /// How it is written.
    pub format: CoverageFormat,
}

/// How to measure the coverage of a script that calls this runner; reports land in `dir`. `None` where no tool is known.
pub fn ask(runner: Runner, script: &str, dir: &str) -> Option<CoveragePlan> {
    let lcov = format!("{dir}/lcov.info");
    let same = |tool, env: Vec<(&str, String)>, report: String, format| CoveragePlan {
        tool,
        script: script.to_owned(),
        env: env.into_iter().map(|(n, v)| (n.to_owned(), v)).collect(),
        report,
        format,
    };
    match runner {
        Runner::Pytest => {
            let report = format!("{dir}/coverage.json");
            let options = format!("--cov=. --cov-report=json:{report}");
            let data = format!("{dir}/coverage.data");
            let env = vec![("PYTEST_ADDOPTS", options), ("COVERAGE_FILE", data)];
            Some(same("pytest-cov", env, report, CoverageFormat::CoveragePy))
        }
        Runner::GoTest => {
            let report = format!("{dir}/cover.out");
            Some(same(
                "go test -cover",
                vec![("GOFLAGS", format!("-coverprofile={report}"))],
                report,
                CoverageFormat::GoProfile,
            ))
        }
        Runner::CargoTest | Runner::Nextest => {
            let script = replace_cargo(script, runner, &lcov)?;
            let tool = "cargo-llvm-cov";
            Some(CoveragePlan { tool, script, env: Vec::new(), report: lcov, format: CoverageFormat::Lcov })
        }
        Runner::NodeTest => {
            let command = format!("c8 --reporter=lcovonly --reports-dir={dir} bash -e");
            let script =
                format!("npx --no-install {command} <<'WINDLASS_COVERAGE'\n{script}\nWINDLASS_COVERAGE\n");
            Some(CoveragePlan {
                tool: "c8",
                script,
                env: Vec::new(),
                report: lcov,
                format: CoverageFormat::Lcov,
            })
        }
        Runner::Vitest | Runner::Jest => {
            let arguments = match runner {
                Runner::Vitest => {
                    format!("--coverage --coverage.reporter=lcovonly --coverage.reportsDirectory={dir}")
                }
                _ => format!("--coverage --coverageReporters=lcovonly --coverageDirectory={dir}"),
            };
            let script = append_to_last(script, &arguments)?;
            let tool = if runner == Runner::Vitest { "@vitest/coverage-v8" } else { "jest --coverage" };
            Some(CoveragePlan { tool, script, env: Vec::new(), report: lcov, format: CoverageFormat::Lcov })
        }
        Runner::Unittest
        | Runner::Rspec
        | Runner::Minitest
        | Runner::Phpunit
        | Runner::Ctest
        | Runner::Junit
        | Runner::Tap => None,
    }
}

/// `cargo test …` and `cargo nextest run …` under `cargo llvm-cov`.
fn replace_cargo(script: &str, runner: Runner, report: &str) -> Option<String> {
    let (from, to) = match runner {
        Runner::Nextest => ("cargo nextest run", "cargo llvm-cov nextest"),
        _ => ("cargo test", "cargo llvm-cov test"),
    };
    let at = script.find(from)?;
    let after = &script[at + from.len()..];
    Some(format!("{}{to} --lcov --output-path {report}{after}", &script[..at]))
}

/// Adds arguments to the last line, where that is one plain command.
fn append_to_last(script: &str, arguments: &str) -> Option<String> {
    let trimmed = script.trim_end();
    let last = trimmed.lines().last()?;
    let plain = !last.contains(['|', ';', '&', '>', '<', '#']) && !last.contains(" -- ");
    plain.then(|| format!("{trimmed} {arguments}\n"))
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
    }
}
