//! Scripts of set-ups, run with stand-ins for the programs that they start.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use windlass_code::detect::setup;
use windlass_code::repo::MemoryTree;
use windlass_code::runner::{StandInAnswer, with_stand_ins};
use windlass_core::report::Runner;

/// An interpreter whose pip knows one major version of pytest at a time, and whose pytest runs in some of them.
const PYTHON: &str = r#"#!/bin/bash
state=$PWD/.venv/version
case "$*" in
"-m venv .venv") mkdir -p .venv/bin; cp "$0" .venv/bin/python; echo "$FIRST" >"$state" ;;
*"pip install"*"pytest<"*) echo "$*" >>"$LOG"; last=${!#}; echo $((${last#pytest<} - 1)) >"$state" ;;
*"pip install"*"pytest=="*) echo "$*" >>"$LOG"; last=${!#}; echo "${last#pytest==}" >"$state" ;;
*"pip download"*) ;;
*"pip install"*) echo "$* $(cat .windlass-line.txt 2>/dev/null)" >>"$ALL"
  [[ "$*" != *"pytest -r"* && "$*" != *"-r test-requirements.txt" ]] || exit 1 ;;
"-m pytest"*) cd "$OLDPWD"; now=$(cat .venv/version)
  [[ " $RUNS " == *" $now "* ]] || { echo "pluggy.PluginValidationError: Plugin 'x'"; exit 1; } ;;
"-c "*version*) cat "$state" ;;
*) echo "unexpected: $*" >&2; exit 9 ;;
esac
"#;

/// What a set-up did.
struct SetupDone {
    /// The version of pytest in the end.
    version: String,
    /// How often it asked for another one.
    asked: usize,
    /// The arguments of every other call of pip.
    installed: Vec<String>,
}

/// Runs the set-up of a project; lists of requirements cannot be had as a whole.
fn done(files: &[(&str, &str)], first: &str, runs: &str) -> SetupDone {
    let dir = tempfile::tempdir().unwrap();
    let (work, tools) = (dir.path().join("work"), dir.path().join("tools"));
    let tmp = dir.path().join("tmp");
    for made in [&work, &tools, &tmp] {
        fs::create_dir(made).unwrap();
    }
    program(&tools.join("python3"), PYTHON);
    let plans = setup(&MemoryTree::new(files.iter().copied()));
    let (log, all) = (dir.path().join("log"), dir.path().join("all"));
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let done = Command::new("bash")
        .args(["-e", "-c", &plans[0].script])
        .current_dir(&work)
        .envs([("PATH", path.as_str()), ("FIRST", first), ("RUNS", runs)])
        .envs([("LOG", &log), ("ALL", &all), ("TMPDIR", &tmp)])
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let lines = |path: &Path| -> Vec<String> {
        fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
    };
    let words = |line: &String| line.split_once("version-check ").map(|(_, words)| words.trim().to_owned());
    let version = fs::read_to_string(work.join(".venv/version")).unwrap().trim().to_owned();
    SetupDone { version, asked: lines(&log).len(), installed: lines(&all).iter().filter_map(words).collect() }
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
    let files = [
        ("pyproject.toml", "[project]\nname = 'a'\nversion = '1'\ndependencies = ['six']\n"),
        ("tests/test_a.py", "def test_a(): pass\n"),
    ];
    for (first, runs, (version, asked)) in table {
        let done = done(&files, first, runs);
        assert_eq!((done.version.as_str(), done.asked), (version, asked), "{first}, runs: {runs}");
    }
}

/// `uv pip compile` writes the project into the list in a way that pip does not read, and another line may bring a copy of it.
#[test]
fn the_project_itself_is_installed_last_and_never_from_a_list() {
    let files = [
        ("pyproject.toml", "[project]\nname = 'a'\nversion = '1'\ndependencies = ['six']\n"),
        ("test-requirements.txt", "pytest\na @ file:.#egg=a\nuses-a==2\n"),
        ("tests/test_a.py", "def test_a(): pass\n"),
    ];
    let done = done(&files, "9", "9");
    let last = done.installed.last().map(String::as_str);
    assert_eq!(last, Some("--no-deps -e ."), "{:#?}", done.installed);
    let lists = |text: &str| done.installed.iter().any(|words| words.contains(text));
    assert!(lists("uses-a==2") && !lists("file:."), "{:#?}", done.installed);
}

/// A package that a task brings is in no tree yet when its environment is made.
#[test]
fn a_source_directory_that_is_still_to_come_is_on_the_path() {
    let pyproject = "[project]\nname = \"slugs\"\nversion = \"1\"\ndependencies = [\"a\"]\n";
    let plans = setup(&MemoryTree::new([("pyproject.toml", pyproject), ("src/slugs/__init__.py", "")]));
    let dir = tempfile::tempdir().unwrap();
    for there in [false, true] {
        let work = dir.path().join(if there { "there" } else { "coming" });
        fs::create_dir_all(work.join("site")).unwrap();
        if there {
            fs::create_dir(work.join("src")).unwrap();
        }
        let python = "#!/bin/bash\ncase \"$*\" in\n\"-m venv .venv\") mkdir -p .venv/bin; cp \"$0\" .venv/bin/python ;;\n*purelib*) echo \"$PWD/site\" ;;\nesac\n";
        program(&work.join("python3"), python);
        let path = format!("{}:{}", work.display(), std::env::var("PATH").unwrap());
        let done = Command::new("bash")
            .args(["-e", "-c", &plans[0].script])
            .current_dir(&work)
            .envs([("PATH", path.as_str()), ("TMPDIR", work.to_str().unwrap())])
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let laid = fs::read_to_string(work.join("site/windlass-coming.pth")).ok();
        let wanted = (!there).then(|| format!("{}\n", work.join("src").display()));
        assert_eq!(laid, wanted, "there: {there}");
    }
}

/// Tests that go on for ever with a stand-in, because it says yes to everything or is asked for too much.
const ENDLESS: &str = "import time
import unittest
from shop import cart


class CartTest(unittest.TestCase):
    def test_waits(self):
        while cart.items:
            cart.items.pop()

    def test_sleeps(self):
        time.sleep(600)

    def test_backwards(self):
        self.assertEqual(len(list(reversed(cart.items))), 1)

    @unittest.skipIf(cart is None, 'none')
    def test_plain(self):
        pass
";

/// The runner is asked which tests there are: one that goes on must not keep the others from being listed.
#[test]
fn tests_that_would_never_end_with_a_stand_in_are_ended() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("test_cart.py"), ENDLESS).unwrap();
    let owned = ["shop/cart.py".to_owned()];
    let script =
        with_stand_ins("python3 -m unittest -v test_cart.py", Runner::Unittest, &owned, StandInAnswer::Yes);
    let began = std::time::Instant::now();
    let done = Command::new("bash")
        .args(["-c", &script.unwrap()])
        .current_dir(dir.path())
        .env("TMPDIR", dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    for line in [
        "test_waits (test_cart.CartTest.test_waits) ... ERROR",
        "test_sleeps (test_cart.CartTest.test_sleeps) ... ERROR",
        "test_backwards (test_cart.CartTest.test_backwards) ... ok",
        "test_plain (test_cart.CartTest.test_plain) ... ok",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert!(began.elapsed().as_secs() < 300, "it ended by itself");
}
