//! What formatters and linters say about a candidate, with a linter that fixes what it complains about.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{STRICT, empty};

/// A linter in the place of the real one: it wants spaces around `=`, and puts them there when asked to. It wants no
/// `bad` either, and can do nothing about it.
const RUFF: &str = r#"#!/bin/sh
case " $* " in
*" --fix "* | " format "*)
    for file; do case $file in *.py) sed -i 's/ *= */ = /' "$file" ;; esac done ;;
*)
    for file; do case $file in *.py) grep -nE '[^ =]=[^=]|bad' "$file" && exit 1 ;; esac done ;;
esac
exit 0
"#;

/// A linter that complains about every `bad`, as `path:line:text`.
const COMPLAINS: &str = r#"#!/bin/sh
case " $* " in *" --fix "* | " format "* | *" json "*) exit 0 ;; esac
found=0
for file; do case $file in *.py) grep -Hn bad "$file" && found=1 ;; esac done
exit $found
"#;

/// A formatter that wants spaces around `=`.
const FORMATS: &str = r#"#!/bin/sh
[ "$1" = format ] || exit 0
for file; do case $file in *.py) sed -i 's/ *= */ = /' "$file" ;; esac done
"#;

/// A repository with this program in the place of `ruff`.
fn with_ruff(ruff: &str) -> TestRepo {
    let repo = empty();
    let bin = repo.top().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(bin.join("ruff"), ruff).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bin.join("ruff"), mode).unwrap();
    let path = std::env::var("PATH").unwrap();
    repo.env("PATH", &format!("{}:{path}", bin.display()))
        .file("pyproject.toml", "[tool.ruff]\n")
        .file("tests/__init__.py", "")
        .file("windlass.toml", STRICT)
}

fn repo(agent: &str) -> TestRepo {
    let task = PlanTask::new("a", "Say a")
        .front("test_file: tests/test_a.py")
        .section(
            "Test Specification",
            "python",
            "# tests/test_a.py\nimport unittest\n\nimport a\n\n\nclass A(unittest.TestCase):\n    def test_says(self):\n        self.assertEqual(a.A, 1)",
        )
        .section("Output Files", "", "WRITE: a.py\nWRITE: tests/test_a.py")
        .verified_by("python3 -m unittest -v tests/test_a.py");
    with_ruff(RUFF).plan("demo", &[task]).agent(agent).committed()
}

/// Work that only the linter refuses is formatted and judged again; what no formatter fixes stays refused.
#[test]
fn what_a_formatter_mends_is_no_reason_to_refuse() {
    let mended = repo("[a]\nwrite a.py <<END\nA=1\nEND\n");
    mended.run(&[]).ends(0);
    assert_eq!(mended.git(&["show", "windlass/demo:a.py"]), "A = 1");
    let refused = repo("[a]\nwrite a.py <<END\nA=1  # bad\nEND\n");
    refused.run(&[]).ends(1).says("`ruff` exited with code 1");
}

/// A linter that prints a warning about `TODO` and is content, and that leaves a mark in what it is asked to fix.
const MARKS: &str = r#"#!/bin/sh
case " $* " in
*" --fix "*) for file; do case $file in *.py) echo '# fixed' >>"$file" ;; esac done ;;
*) for file; do case $file in *.py) grep -n TODO "$file" ;; esac done ;;
esac
exit 0
"#;

/// A linter that reported nothing is not asked to fix anything; one that only warned is.
#[test]
fn what_a_linter_has_nothing_to_say_about_it_need_not_fix() {
    let text = |code: &str| {
        let agent = format!("[b]\nwrite b.py <<END\n{code}\nEND\n");
        // With black the fixes of ruff are a command of their own.
        let repo = with_ruff(MARKS).file("pyproject.toml", "[tool.ruff]\n[tool.black]\n");
        let repo = repo.file("b.py", "def f():\n    return 1\n").plan("demo", &[says_two()]);
        let repo = repo.agent(&agent).committed();
        repo.run(&[]).ends(0);
        repo.git(&["show", "windlass/demo:b.py"])
    };
    assert_eq!(text("def g():\n    return 2"), "def g():\n    return 2");
    assert_eq!(text("def g():\n    return 2  # TODO"), "def g():\n    return 2  # TODO\n# fixed");
}

/// A linter with a report: it warns about `TODO`, and can do nothing about it.
const REPORTS: &str = r#"#!/bin/sh
case " $* " in
*" --fix "*) for file; do case $file in *.py) echo '# fixed' >>"$file" ;; esac done ;;
*" json "*)
    case $(cat b.py) in
    *TODO*) echo '[{"filename":"b.py","fix":null}]' ;;
    *) echo '[]' ;;
    esac ;;
*) echo 'All checks passed!' ;;
esac
exit 0
"#;

/// A linter whose report names nothing that it could fix is not asked to, whatever it prints for people.
#[test]
fn what_a_linter_cannot_fix_it_is_not_asked_to() {
    let text = |code: &str| {
        let agent = format!("[b]\nwrite b.py <<END\n{code}\nEND\n");
        let repo = with_ruff(REPORTS).file("b.py", "def f():\n    return 1\n").plan("demo", &[says_two()]);
        let repo = repo.agent(&agent).committed();
        repo.run(&[]).ends(0);
        repo.git(&["show", "windlass/demo:b.py"])
    };
    assert_eq!(text("def g():\n    return 2"), "def g():\n    return 2");
    assert_eq!(text("def g():\n    return 2  # TODO"), "def g():\n    return 2  # TODO");
}

/// A task that adds a function to an existing file.
fn says_two() -> PlanTask {
    PlanTask::new("b", "Say two")
        .front("test_file: tests/test_b.py")
        .section(
            "Test Specification",
            "python",
            "# tests/test_b.py\nimport unittest\n\nimport b\n\n\nclass B(unittest.TestCase):\n    def test_says(self):\n        self.assertEqual(b.g(), 2)",
        )
        .section("Output Files", "", "MODIFY: b.py\nWRITE: tests/test_b.py")
        .verified_by("python3 -m unittest -v tests/test_b.py")
}

/// Where the project does not keep a file in the form of the formatter, a changed line is all that changes in it.
#[test]
fn a_file_in_another_form_keeps_it() {
    let run = |old: &str, config: &str| {
        let agent = format!("[b]\nwrite b.py <<END\n{old}\n\ndef g(x=2):\n    return x\nEND\n");
        let repo = with_ruff(FORMATS).file("b.py", old).file("windlass.toml", config);
        let repo = repo.plan("demo", &[says_two()]).agent(&agent).committed();
        let said = repo.run(&[]).ends(0).stdout;
        (repo.git(&["show", "windlass/demo:b.py"]), said)
    };
    let told = "format: the formatter would change `b.py` on the base as well; left as it is";
    let other = "def f(y=1):\n    return y\n";
    let (text, said) = run(other, "");
    assert!(text.contains("f(y=1)") && text.contains("g(x=2)") && said.contains(told), "{text}\n{said}");
    let (text, said) = run("def f(y = 1):\n    return y\n", "");
    assert!(text.contains("g(x = 2)") && !said.contains(told), "{text}\n{said}");
    // Who names it wants it everywhere.
    let (text, said) = run(other, "[format.commands]\n\"*.py\" = \"ruff format\"\n");
    assert!(text.contains("f(y = 1)") && text.contains("g(x = 2)") && !said.contains(told), "{text}\n{said}");
}

/// The same holds for a test file that the test-writer changes.
#[test]
fn a_test_file_in_another_form_keeps_it() {
    let old = "import unittest\n\nimport b\n\n\nclass B(unittest.TestCase):\n    def test_f(self):\n        self.assertEqual(b.f(y=1), 1)\n";
    let new = format!("{old}\n    def test_g(self):\n        self.assertEqual(b.g(x=2), 2)\n");
    let task = PlanTask::new("b", "Say two")
        .front("test_file: tests/test_b.py")
        .section("Output Files", "", "MODIFY: b.py\nMODIFY: tests/test_b.py")
        .verified_by("python3 -m unittest -v tests/test_b.py");
    let code = "def f(y):\n    return y\n";
    let agent = format!(
        "[b write_test]\nwrite tests/test_b.py <<END\n{new}END\n[b]\nwrite b.py <<END\n{code}\n\ndef g(x):\n    return x\nEND\n"
    );
    let repo = with_ruff(FORMATS).file("b.py", code).file("tests/test_b.py", old).file("windlass.toml", "");
    let repo = repo.plan("demo", &[task]).agent(&agent).committed();
    repo.run(&[]).ends(0);
    let text = repo.git(&["show", "windlass/demo:tests/test_b.py"]);
    assert!(text.contains("f(y=1)") && text.contains("g(x=2)"), "{text}");
}

/// Findings of the base are a note wherever they move; one that the change brings is refused, though it looks the same.
#[test]
fn a_linter_counts_only_what_is_new() {
    let old = "def f():\n    return 1  # bad\n";
    let run = |agent: &str| {
        let repo =
            with_ruff(COMPLAINS).file("b.py", old).plan("demo", &[says_two()]).agent(agent).committed();
        repo.run(&[])
    };
    let honest = format!("[b]\nwrite b.py <<END\ndef g():\n    return 2\n\n\n{old}END\n");
    run(&honest).ends(0).says("`ruff` reports 1 on the base as well; nothing is new");
    let cheat = format!("[b]\nwrite b.py <<END\ndef g():\n    return 2  # bad\n\n\n{old}END\n");
    run(&cheat).ends(1).says("`ruff` reports what the base has not: b.py:2: return 2  # bad");
}

/// A linter that cannot be started on the base either says nothing about the work. One that fails on the change alone does, and so
/// does one that complains in words that cannot be read.
#[test]
fn a_linter_that_is_broken_on_the_base_is_no_reason_to_refuse() {
    let crash = "SyntaxError: Cannot use import statement outside a module";
    let broken = format!("#!/bin/sh\necho \"$PWD/config.js\"\necho '{crash}'\nexit 2\n");
    let on_the_change = "#!/bin/sh\ngrep -q 2 b.py || exit 0\necho 'Error: out of cheese'\nexit 2\n";
    let complains = "#!/bin/sh\necho \"$# unused: $(cat b.py)\"\nexit 1\n";
    let run = |ruff: &str| {
        let repo = with_ruff(ruff).file("b.py", "def f():\n    pass\n").plan("demo", &[says_two()]);
        repo.agent("[b]\nwrite b.py <<END\ndef g():\n    return 2\nEND\n").committed().run(&[])
    };
    run(&broken).ends(0).says(&format!("lint: `ruff` cannot be run on the base either: {crash}; skipped"));
    run(on_the_change).ends(1).says("lint: `ruff` exited with code 2");
    run(complains).ends(1).says("lint: `ruff` exited with code 1");
}
