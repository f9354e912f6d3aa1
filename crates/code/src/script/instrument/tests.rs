//! Tests of `instrument`.

use super::*;
use crate::repo::MemoryTree;

/// The script with the node reporter shortened, and what is expected of it.
fn shown(found: &Instrumented) -> String {
    let mut script = found.script.clone();
    while let Some((before, rest)) = script.split_once("data:text/javascript,") {
        let end = rest.find(['\'', ' ']).unwrap_or(rest.len());
        script = format!("{before}<reporter>{}", &rest[end..]);
    }
    let expects: Vec<String> = found
        .expects
        .iter()
        .map(|source| format!("{:?} {:?} {:?}", source.runner, source.need, source.format))
        .collect();
    format!("{script}\n  -> {}\n", expects.join(", "))
}

#[test]
fn every_runner_gets_its_report() {
    let scripts = [
        "pytest -q tests/x.py",
        "cd a && python -m pytest tests -k 'x y' 2>&1 | tail -3",
        "uv run pytest a.py && pytest b.py --junitxml=mine.xml",
        "cargo test -q -p x -- --nocapture --test-threads=1",
        "cargo test --lib 2>&1 | tail -5",
        "if cargo test >/dev/null 2>&1; then echo ok; fi",
        "cargo test > mine.txt",
        "cargo nextest run -p x",
        "npx vitest run a.test.ts",
        "npx vitest run --reporter=dot",
        "npx jest a.test.js",
        "npx mocha 'test/**/*.js'",
        "node --test a.test.js",
        "node --test --test-reporter=tap",
        "go test ./...",
        "go test ./... | grep ok",
        "python3 -m unittest tests/test_x.py",
        "python3 -m unittest discover -v -s tests",
        "bundle exec rspec spec/x_spec.rb",
        "rspec -fd spec",
        "bundle exec ruby -Ilib -Itest test/x_test.rb",
        "vendor/bin/phpunit tests/XTest.php",
        "cd core && mvn -q -Dtest=XTest test",
        "cmake --build build && ctest --test-dir build -R '^x_test$' --output-on-failure",
        "sh tests/run.sh",
        "pytest --collect-only | grep -q x",
        "bash -c 'pytest x'",
        "pytest a || pytest b",
    ];
    let all: String = scripts.iter().map(|script| shown(&instrument(script, "/r"))).collect();
    insta::assert_snapshot!(all, @r"
        pytest -q tests/x.py --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native
          -> Pytest Required Junit
        cd a && python -m pytest tests -k 'x y' --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native 2>&1 | tail -3
          -> Pytest Required Junit
        uv run pytest a.py --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native && pytest b.py --junitxml=mine.xml --junitxml=/r/report-2.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native
          -> Pytest Required Junit, Pytest Required Junit
        ( set -o pipefail; cargo test --no-fail-fast  -p x --  --test-threads=1 2>&1 | tee /r/report-1.txt )
          -> CargoTest Required Libtest
        ( set -o pipefail; cargo test --no-fail-fast --lib 2>&1 | tee -p /r/report-1.txt ) | tail -5
          -> CargoTest Required Libtest
        if cargo test --no-fail-fast >/r/report-1.txt 2>&1; then echo ok; fi
          -> CargoTest Required Libtest
        cargo test > mine.txt
          -> Tap IfPresent Tap
        ( set -o pipefail; cargo nextest run --no-fail-fast --retries 0 --message-format libtest-json -p x 2>&1 | tee /r/report-1.txt )
          -> Nextest Required NextestJson
        npx vitest run a.test.ts --no-coverage --bail=0 --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        npx vitest run --reporter=dot --no-coverage --bail=0 --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        npx jest a.test.js --coverage=false --bail=0 --json --outputFile=/r/report-1.json$(pwd -P >/r/report-1.json.root)
          -> Jest Required JestJson
        ( set -o pipefail; npx mocha 'test/**/*.js' --no-bail --reporter tap 2>&1 | tee /r/report-1.txt )
          -> Tap Required Tap
        node --test --test-reporter='<reporter>' --test-reporter-destination=/r/report-1.jsonl --test-reporter=spec --test-reporter-destination=stdout a.test.js
          -> NodeTest Required NodeEvents
        node --test --test-reporter='<reporter>' --test-reporter-destination=/r/report-1.jsonl --test-reporter-destination=stdout --test-reporter=tap
          -> NodeTest Required NodeEvents
        ( set -o pipefail; go test -json -vet=off ./... 2>&1 | tee /r/report-1.txt )
          -> GoTest Required GoJson
        go test ./... | grep ok
          -> Tap IfPresent Tap
        ( set -o pipefail; python3 -m unittest -v -b tests/test_x.py 2>&1 | tee /r/report-1.txt )
          -> Unittest Required Unittest
        ( set -o pipefail; python3 -m unittest discover -b -v -s tests 2>&1 | tee /r/report-1.txt )
          -> Unittest Required Unittest
        bundle exec rspec spec/x_spec.rb --format progress --format json --out /r/report-1.json
          -> Rspec Required RspecJson
        rspec -fd spec --format json --out /r/report-1.json
          -> Rspec Required RspecJson
        ( set -o pipefail; bundle exec ruby -Ilib -Itest test/x_test.rb -v 2>&1 | tee /r/report-1.txt )
          -> Minitest Required Minitest
        vendor/bin/phpunit tests/XTest.php --log-junit /r/report-1.xml
          -> Phpunit Required Junit
        cd core && ( find . -name 'TEST-*.xml' \( -path '*/surefire-reports/*' -o -path '*/failsafe-reports/*' -o -path '*/test-results/*' \) -delete; code=0; mvn -q -Dtest=XTest test || code=$?; { echo '<testsuites>'; find . -name 'TEST-*.xml' \( -path '*/surefire-reports/*' -o -path '*/failsafe-reports/*' -o -path '*/test-results/*' \) -exec sed 's/<?xml[^>]*?>//' {} +; echo '</testsuites>'; } >/r/report-1.xml; exit $code )
          -> Junit Required Junit
        cmake --build build && ctest --test-dir build -R '^x_test$' --output-on-failure --output-junit /r/report-1.xml --test-output-size-passed 4194304 --test-output-size-failed 4194304
          -> Ctest Required Junit
        sh tests/run.sh
          -> Tap IfPresent Tap
        pytest --collect-only | grep -q x
          -> Tap IfPresent Tap
        bash -c 'pytest x'
          -> Pytest IfPresent Junit
        pytest a --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native || pytest b --junitxml=/r/report-2.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native
          -> Pytest Required Junit, Pytest IfPresent Junit
        ");
}

#[test]
fn runners_behind_other_files() {
    let tree = MemoryTree::new([
        ("package.json", r#"{"scripts":{"test":"vitest run","unit":"npm run test","lint":"eslint ."}}"#),
        ("api/package.json", r#"{"scripts":{"test":"tsc && jest","node":"node --test","spec":"mocha"}}"#),
        (
            "Makefile",
            "all: build\nbuild:\n\tcc x\ntest-x: build\n\t@$(PYTHON) -m pytest tests/x.py\nrs:\n\tcargo test\n",
        ),
        ("run.sh", "#!/bin/sh\nset -e\npytest -q\n"),
        ("backend/go.mod", "module example.com/api\n"),
        ("api/go.mod", "module example.com/api\n"),
    ]);
    let scripts = [
        "npm test",
        "npm run unit",
        "npm test -- src/a",
        "pnpm test",
        "cd api && npm test",
        "npm --prefix api run node",
        "yarn --cwd api spec",
        "npm run lint",
        "make test-x",
        "make rs",
        "make",
        "./run.sh",
        "npm run gone",
        "cd backend && go test .",
        "cd api && go test .",
    ];
    let all: String = scripts.iter().map(|script| shown(&instrument_in(&tree, script, "/r"))).collect();
    insta::assert_snapshot!(all, @"
        npm test -- --no-coverage --bail=0 --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        npm run unit -- -- --no-coverage --bail=0 --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        npm test -- src/a --no-coverage --bail=0 --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        pnpm test --no-coverage --bail=0 --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        cd api && npm test -- --coverage=false --bail=0 --json --outputFile=/r/report-1.json$(pwd -P >/r/report-1.json.root)
          -> Jest Required JestJson
        NODE_OPTIONS='--test-reporter=<reporter> --test-reporter-destination=/r/report-1.jsonl --test-reporter=spec --test-reporter-destination=stdout' npm --prefix api run node
          -> NodeTest IfPresent NodeEvents
        ( set -o pipefail; yarn --cwd api spec --no-bail --reporter tap 2>&1 | tee /r/report-1.txt )
          -> Tap Required Tap
        npm run lint
          -> Tap IfPresent Tap
        PYTEST_ADDOPTS='--junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors' make test-x
          -> Pytest IfPresent Junit
        ( set -o pipefail; make rs 2>&1 | tee /r/report-1.txt )
          -> CargoTest IfPresent Libtest
        make
          -> Tap IfPresent Tap
        PYTEST_ADDOPTS='--junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors' ./run.sh
          -> Pytest IfPresent Junit
        npm run gone
          -> Tap IfPresent Tap
        cd backend && ( set -o pipefail; go test -json -vet=off$(echo 'example.com/api backend' >/r/report-1.txt.root) . 2>&1 | tee /r/report-1.txt )
          -> GoTest Required GoJson
        cd api && ( set -o pipefail; go test -json -vet=off . 2>&1 | tee /r/report-1.txt )
          -> GoTest Required GoJson
        ");
}

#[test]
fn a_report_directory_is_quoted() {
    let found = instrument("pytest", "/a b/it's");
    assert_eq!(
        found.script,
        r"pytest --junitxml='/a b/it'\''s/report-1.xml' -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native"
    );
    assert_eq!(found.expects[0].place, ReportPlace::File("/a b/it's/report-1.xml".into()));
    assert_eq!(found.runner(), Some(Runner::Pytest));
}

#[test]
fn words_that_bash_reads_back() {
    let table = [
        ("a", "a"),
        ("a/b.c-d_e:f=g@h%i+j,k", "a/b.c-d_e:f=g@h%i+j,k"),
        ("", "''"),
        ("a b", "'a b'"),
        ("it's", r"'it'\''s'"),
        ("$(x)", "'$(x)'"),
        ("a\nb", "'a\nb'"),
        ("~", "'~'"),
        ("*", "'*'"),
        ("ü", "'ü'"),
        ("a;b", "'a;b'"),
        ("{a,b}", "'{a,b}'"),
    ];
    for (text, expected) in table {
        assert_eq!(quote(text), expected);
        let parsed = ShellScript::parse(&format!("x {}", quote(text)));
        assert_eq!(parsed.commands[0].words[1].text, text);
    }
}

/// A report is required where a run that passes must have made it.
#[test]
fn which_reports_are_required() {
    use Need::{IfPresent, Required};
    let table: [(&str, &[Need]); 9] = [
        ("pytest a", &[Required]),
        ("pytest a; pytest b", &[Required, Required]),
        ("pytest a && pytest b", &[Required, Required]),
        ("pytest a || pytest b", &[Required, IfPresent]),
        ("if pytest a; then pytest b; fi", &[Required, IfPresent]),
        ("for f in a b; do pytest $f; done", &[IfPresent]),
        ("while pytest a; do true; done", &[Required]),
        ("echo nothing", &[IfPresent]),
        ("", &[IfPresent]),
    ];
    for (script, expected) in table {
        let needs: Vec<Need> = instrument(script, "/r").expects.iter().map(|source| source.need).collect();
        assert_eq!(needs, expected, "{script}");
    }
}

/// The runner that a verdict is about: the first whose report is certain.
#[test]
fn the_runner_of_a_script() {
    let table = [
        ("pytest", Some(Runner::Pytest)),
        ("npm ci && npx vitest run", Some(Runner::Vitest)),
        ("cargo test && pytest", Some(Runner::CargoTest)),
        ("false || cargo test; pytest", Some(Runner::Pytest)),
        ("bash -c 'pytest x'", None),
        ("make test", None),
    ];
    for (script, expected) in table {
        assert_eq!(instrument(script, "/r").runner(), expected, "{script}");
    }
}

/// A runner inside a quoted script is reached by its variable, where it has one.
#[test]
fn tests_that_start_with_nothing_built() {
    let tree = MemoryTree::default();
    let cases: &[(&str, &[&str], bool)] = &[
        ("pytest tests/test_a.py", &["tests/test_a.py"], true),
        ("cargo test", &["tests/a.rs"], false),
        ("sh tests/a_test.sh", &["tests/a_test.sh"], true),
        ("python3 tests/check.py", &["tests/check.py"], true),
        ("cc tests/a.c -o a && ./a", &["tests/a.c"], false),
        // What it builds before it starts the file cannot be known.
        ("make check", &["tests/a_test.sh"], false),
        ("true", &[], false),
    ];
    for (script, files, expected) in cases {
        assert_eq!(starts_at_once(&tree, script, files), *expected, "{script}");
    }
}

#[test]
fn runners_inside_words() {
    let table = [
        ("bash -c 'pytest tests'", Some("PYTEST_ADDOPTS")),
        ("sh -c \"node --test a\"", Some("NODE_OPTIONS")),
        ("docker run x sh -c 'cd a && pytest'", Some("PYTEST_ADDOPTS")),
        ("bash -c 'cargo test'", None),
        ("echo pytest", None),
    ];
    for (script, expected) in table {
        let run = instrument(script, "/r");
        assert_eq!(run.script, script);
        assert_eq!(run.env.first().map(|(name, _)| name.as_str()), expected, "{script}");
    }
}

#[test]
fn edits_are_applied_in_place_and_in_order() {
    let edit = |range: Range<usize>, text: &str| (range, text.to_owned());
    let table = [
        (vec![], "abc"),
        (vec![edit(0..0, "x")], "xabc"),
        (vec![edit(3..3, "x")], "abcx"),
        (vec![edit(1..2, "")], "ac"),
        (vec![edit(3..3, "y"), edit(0..1, "x")], "xbcy"),
        (vec![edit(1..1, "x"), edit(1..1, "y")], "axybc"),
    ];
    for (edits, expected) in table {
        assert_eq!(apply("abc", edits), expected);
    }
}

/// Thresholds are about all code, which one test file of many never reaches: they are switched off by the tools' own flags.
#[test]
fn thresholds_of_coverage_are_off() {
    let table = [
        (
            "nyc --lines 90 --check-coverage mocha a.js",
            "nyc --lines 90 --check-coverage --check-coverage=false mocha a.js",
        ),
        ("npx c8 --100 -r text uvu test", "npx c8 --100 -r text --100=false --check-coverage=false uvu test"),
        ("npx jest --coverage a.js", "npx jest --coverage a.js --coverage=false"),
        ("npx vitest run --coverage", "npx vitest run --coverage --no-coverage"),
        (
            "pytest --cov=x --cov-fail-under=90",
            "-o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native --no-cov",
        ),
    ];
    for (script, expected) in table {
        let changed = instrument(script, "/r").script;
        assert!(changed.contains(expected), "{changed}");
    }
    let configured: [(&str, &str, bool); 5] = [
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--cov=x --cov-fail-under=100'\n", true),
        ("pyproject.toml", "[tool.coverage.report]\nfail_under = 100\n", false),
        ("setup.cfg", "[metadata]\nname = x\n[tool:pytest]\naddopts =\n  --cov x\n", true),
        ("tox.ini", "[testenv]\ncommands = pytest --cov\n[pytest]\naddopts = -ra\n", false),
        ("pytest.ini", "[pytest]\naddopts = --cov\n", true),
    ];
    for (name, text, expected) in configured {
        let tree = MemoryTree::new([(name, text)]);
        let changed = instrument_in(&tree, "pytest a.py", "/r").script;
        assert_eq!(changed.contains("--no-cov"), expected, "{name}: {changed}");
    }
}

/// `tox` and `nox` start pytest in an environment of their own.
#[test]
fn sessions_of_tox_and_nox() {
    let tree = MemoryTree::new([
        ("tox.ini", "[tox]\nenv_list = py\n[testenv]\ndeps = pytest\ncommands = pytest {posargs:tests}\n"),
        ("noxfile.py", "@nox.session\ndef tests(session):\n    session.run(\"pytest\", *session.posargs)\n"),
    ]);
    for script in ["tox -e py", "nox -s tests", "python3 -m tox"] {
        let changed = instrument_in(&tree, script, "/r");
        assert!(
            changed.script.starts_with("PYTEST_ADDOPTS='--junitxml=/r/report-1.xml"),
            "{}",
            changed.script
        );
        let passed_on = changed
            .env
            .iter()
            .any(|(name, value)| name == "TOX_OVERRIDE" && value == "testenv.pass_env+=PYTEST_ADDOPTS");
        assert_eq!(passed_on, script.contains("tox"), "{script}");
    }
}
