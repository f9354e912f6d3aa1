//! Scripts that cannot fail, hide an exit code, or name paths.

use super::*;

#[test]
fn scripts_that_cannot_fail() {
    let never = [
        "pytest || true",
        "pytest; true",
        "pytest ; echo ok",
        "pytest || echo failed",
        "pytest; exit 0",
        "exit 0",
        "echo ok",
        "",
        "# pytest",
        "cd x\necho done",
        "a && b || :",
        "pytest || exit 0",
        "pytest ||\\\n true",
        "pytest ||\n true",
        "pytest &",
    ];
    for script in never {
        assert!(VerificationScript::parse(script).never_fails(), "{script}");
    }
    let can = [
        "pytest",
        "pytest && echo ok",
        "pytest\necho ok",
        "a || exit 1",
        "a || true && b",
        "echo 'a || true' | grep a",
        "test -f x || (echo no; exit 1)",
        "if a; then true; fi",
        "x=1 pytest",
        "! grep x y",
        "pytest # || true",
        "cat <<EOF\n|| true\nEOF\npytest",
        "python -c 'x || true'",
    ];
    for script in can {
        assert!(!VerificationScript::parse(script).never_fails(), "{script}");
    }
}

#[test]
fn filters_hide_exit_codes() {
    let table = [
        ("pytest | tail -5", Some("tail")),
        ("pytest 2>&1 | tee log", Some("tee")),
        ("cd a && npm test |& head", Some("head")),
        ("pytest > log; tail log", Some("tail")),
        ("set -o pipefail\npytest | tail", None),
        ("pytest | grep -q passed", None),
        ("test \"$(ls | wc -l)\" = 3", None),
        ("grep 'a | tail' x", None),
    ];
    for (script, expected) in table {
        assert_eq!(VerificationScript::parse(script).mask(), expected, "{script}");
    }
    assert!(VerificationScript::parse("server &").leaves_running());
    assert!(VerificationScript::parse("server & pytest").leaves_running());
    assert!(!VerificationScript::parse("a 2>&1 && b &> log").leaves_running());
}

#[test]
fn paths_follow_cd() {
    let script = "cd backend\nnpx vitest run ./src/a.test.ts --config=../v.ts && pytest tests/x.py::test_y 1.5 'a b.c'";
    let script = VerificationScript::parse(script);
    let paths = script.paths();
    assert_eq!(paths, ["backend/src/a.test.ts", "v.ts", "backend/tests/x.py", "backend/1.5"]);
}

#[test]
fn scripts_that_only_look_at_files() {
    let table = [
        ("grep -q sum src/cart.py", true),
        ("test -f a && [ -s b ]", true),
        ("cd src; ls", true),
        ("echo ok", true),
        ("grep x a && pytest", false),
        ("find . | xargs pytest", false),
        ("if grep x a; then true; fi", false),
        ("X=1", false),
        ("", false),
        ("# grep", false),
    ];
    for (script, expected) in table {
        assert_eq!(VerificationScript::parse(script).only_looks(), expected, "{script}");
    }
}

#[test]
fn words_that_could_be_paths() {
    let table: [(&str, &[&str]); 13] = [
        ("pytest tests/a.py", &["tests/a.py"]),
        ("scripts/run.sh ./a.py", &["a.py", "scripts/run.sh"]),
        ("run.sh", &[]),
        ("./run.sh", &["run.sh"]),
        ("pytest --config=a.ini --verbose -x", &["a.ini"]),
        ("pytest tests/a.py::TestA::test_b", &["tests/a.py"]),
        ("curl http://localhost/a.html", &[]),
        ("pytest tests/*.py $FILE a?.py", &[]),
        ("cd a/b && pytest ../c.py ./d.py", &["a/c.py", "a/b/d.py"]),
        // Above the root there is nothing.
        ("pytest ../../x.py", &["x.py"]),
        ("pytest 'with space.py'", &[]),
        ("make test", &[]),
        ("", &[]),
    ];
    for (script, expected) in table {
        assert_eq!(VerificationScript::parse(script).paths(), *expected, "{script}");
    }
}

#[test]
fn line_ends_of_windows_end_a_command() {
    let script = VerificationScript::parse("pytest tests/a.py\r\necho ok\r\n");
    assert!(!script.never_fails());
    assert_eq!(script.mask(), None);
}
