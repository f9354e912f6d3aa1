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
