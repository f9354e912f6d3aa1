//! Scripts of set-ups, run with stand-ins for the programs that they start.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use windlass_code::detect::setup;
use windlass_code::repo::MemoryTree;

/// An interpreter whose pip knows one major version of pytest at a time, and whose pytest runs in some of them.
const PYTHON: &str = r#"#!/bin/bash
state=$PWD/.venv/version
case "$*" in
"-m venv .venv") mkdir -p .venv/bin; cp "$0" .venv/bin/python; echo "$FIRST" >"$state" ;;
*"pip install"*"pytest<"*) echo "$*" >>"$LOG"; last=${!#}; echo $((${last#pytest<} - 1)) >"$state" ;;
*"pip install"*"pytest=="*) echo "$*" >>"$LOG"; last=${!#}; echo "${last#pytest==}" >"$state" ;;
*"pip install"*) ;;
"-m pytest"*) cd "$OLDPWD"; now=$(cat .venv/version)
  [[ " $RUNS " == *" $now "* ]] || { echo "pluggy.PluginValidationError: Plugin 'x'"; exit 1; } ;;
"-c "*version*) cat "$state" ;;
*) echo "unexpected: $*" >&2; exit 9 ;;
esac
"#;

/// The version of pytest that a set-up ends with, and how often it asked for another one.
fn ends_with(first: &str, runs: &str) -> (String, usize) {
    let dir = tempfile::tempdir().unwrap();
    let (work, tools) = (dir.path().join("work"), dir.path().join("tools"));
    let tmp = dir.path().join("tmp");
    for made in [&work, &tools, &tmp] {
        fs::create_dir(made).unwrap();
    }
    program(&tools.join("python3"), PYTHON);
    let tree = MemoryTree::new([
        ("pyproject.toml", "[project]\nname = 'a'\nversion = '1'\ndependencies = ['six']\n"),
        ("tests/test_a.py", "def test_a(): pass\n"),
    ]);
    let plans = setup(&tree);
    let log = dir.path().join("log");
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let done = Command::new("bash")
        .args(["-e", "-c", &plans[0].script])
        .current_dir(&work)
        .envs([("PATH", path.as_str()), ("FIRST", first), ("RUNS", runs)])
        .envs([("LOG", &log), ("TMPDIR", &tmp)])
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let asked = fs::read_to_string(&log).unwrap_or_default().lines().count();
    (fs::read_to_string(work.join(".venv/version")).unwrap().trim().to_owned(), asked)
}

fn program(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_pytest_that_does_not_run_gives_way_to_one_that_does() {
    let table = [
        ("9", "9 8", ("9", 0)),
        // A plug-in does not fit the newest one.
        ("9", "8 7", ("8", 1)),
        ("9", "7", ("7", 2)),
        // A pinned one is too old for this Python.
        ("6", "9 8 7", ("8", 1)),
        // No other one helps: it stays, and the tests say why.
        ("9", "", ("9", 4)),
    ];
    for (first, runs, (version, asked)) in table {
        assert_eq!(ends_with(first, runs), (version.to_owned(), asked), "{first}, runs: {runs}");
    }
}
