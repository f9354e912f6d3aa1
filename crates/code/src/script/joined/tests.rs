//! Tests of `joined`.

use super::*;
use crate::repo::MemoryTree;

fn joined(scripts: &[&str]) -> Vec<String> {
    let files = [
        "tests/test_a.py",
        "tests/test_b.py",
        "other/test_a.py",
        "a.test.js",
        "b.test.js",
        "web/c.test.js",
        "x.ini",
        "y.ini",
    ];
    let tree = MemoryTree::new(files.map(|file| (file, "")));
    let scripts: Vec<String> = scripts.iter().map(|script| (*script).to_owned()).collect();
    let runs = join_runs(&scripts, &tree);
    let members: usize = runs.iter().map(|run| run.members.len()).sum();
    assert_eq!(members, scripts.len(), "{scripts:?}");
    runs.into_iter().map(|run| run.script).collect()
}

#[test]
fn the_same_call_of_other_files_is_one_run() {
    assert_eq!(
        joined(&["pytest -q tests/test_a.py", "true", "pytest -q tests/test_b.py"]),
        ["pytest -q tests/test_a.py tests/test_b.py", "true"]
    );
    assert_eq!(
        joined(&[
            "npx --no-install jest --ci a.test.js --silent",
            "npx --no-install jest --ci 'b.test.js' --silent"
        ]),
        ["npx --no-install jest --ci a.test.js 'b.test.js' --silent"]
    );
    assert_eq!(
        joined(&["npm run build && node --test a.test.js", "npm run build && node --test b.test.js"]),
        ["npm run build && node --test a.test.js b.test.js"]
    );
    let tree = MemoryTree::new((0..30).map(|n| (format!("test_{n}.py"), "")));
    let scripts: Vec<String> = (0..30).map(|n| format!("pytest test_{n}.py")).collect();
    let sizes: Vec<usize> = join_runs(&scripts, &tree).iter().map(|run| run.members.len()).collect();
    assert_eq!(sizes, [MOST, MOST, 30 - 2 * MOST]);
}

#[test]
fn what_may_mean_something_else_together_stays_apart() {
    for apart in [
        // Other options, other variables, another directory.
        ["pytest -q tests/test_a.py", "pytest tests/test_b.py"],
        ["A=1 pytest tests/test_a.py", "A=2 pytest tests/test_b.py"],
        ["node --test a.test.js", "cd web && node --test c.test.js"],
        // Values of options, and single tests.
        ["pytest -c x.ini", "pytest -c y.ini"],
        ["pytest tests/test_a.py::test_one", "pytest tests/test_b.py::test_two"],
        // Two files of one name, and files that are not there.
        ["pytest tests/test_a.py", "pytest other/test_a.py"],
        ["pytest tests/test_x.py", "pytest tests/test_y.py"],
        // A second file would be an argument of the first.
        ["node a.test.js", "node b.test.js"],
        // Anything but a plain call at the end.
        ["pytest tests/test_a.py | tee log", "pytest tests/test_b.py | tee log"],
        ["pytest tests/test_a.py || true", "pytest tests/test_b.py || true"],
        ["pytest tests/test_a.py >log", "pytest tests/test_b.py >log"],
        ["if true; then pytest tests/test_a.py; fi", "if true; then pytest tests/test_b.py; fi"],
        ["pytest $OPTIONS tests/test_a.py", "pytest $OPTIONS tests/test_b.py"],
    ] {
        assert_eq!(joined(&apart), apart);
    }
}
