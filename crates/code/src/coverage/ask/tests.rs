//! Tests of `ask`.

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

/// Options are added only to a last line that is one plain command.
#[test]
fn options_at_the_end_of_a_script() {
    let table = [
        ("npx jest", Some("npx jest --x\n")),
        ("npx jest a\n\n", Some("npx jest a --x\n")),
        ("cd a && b\nnpx jest", Some("cd a && b\nnpx jest --x\n")),
        ("npx jest | tail", None),
        ("npx jest; echo", None),
        ("npx jest && echo", None),
        ("npx jest > out", None),
        ("npx jest # all", None),
        ("npm test -- a", None),
        ("", None),
    ];
    for (script, expected) in table {
        let found = append_to_last(script, "--x").map(|(script, _)| script);
        assert_eq!(found.as_deref(), expected, "{script}");
    }
}

/// The tool, the report and its format by runner; the others cannot be measured.
#[test]
fn tools_by_runner() {
    let table = [
        (Runner::Pytest, "pytest", Some(("pytest-cov", "/r/coverage.json", CoverageFormat::CoveragePy))),
        (Runner::CargoTest, "cargo test", Some(("cargo-llvm-cov", "/r/lcov.info", CoverageFormat::Lcov))),
        (
            Runner::Nextest,
            "cargo nextest run",
            Some(("cargo-llvm-cov", "/r/lcov.info", CoverageFormat::Lcov)),
        ),
        (
            Runner::Vitest,
            "npx vitest run",
            Some(("@vitest/coverage-v8", "/r/lcov.info", CoverageFormat::Lcov)),
        ),
        (Runner::Jest, "npx jest", Some(("jest --coverage", "/r/lcov.info", CoverageFormat::Lcov))),
        (Runner::NodeTest, "node --test", Some(("c8", "/r/lcov.info", CoverageFormat::Lcov))),
        (Runner::GoTest, "go test", Some(("go test -cover", "/r/cover.out", CoverageFormat::GoProfile))),
        (Runner::CargoTest, "make test", None),
        (Runner::Rspec, "rspec", None),
        (Runner::Minitest, "rails test", None),
        (Runner::Phpunit, "phpunit", None),
        (Runner::Ctest, "ctest", None),
        (Runner::Junit, "mvn test", None),
        (Runner::Unittest, "python -m unittest", None),
    ];
    for (runner, script, expected) in table {
        let found = ask(runner, script, "/r");
        let found = found.as_ref().map(|plan| (plan.tool, plan.report.as_str(), plan.format));
        assert_eq!(found, expected, "{runner:?}");
    }
}
