//! Tests: set-up commands.

use super::*;

#[test]
fn a_word_reaches_the_shell_as_it_is() {
    for (word, wanted) in [
        ("plain-1.2_x/y:z@v=3,4%+", "plain-1.2_x/y:z@v=3,4%+"),
        ("", "''"),
        ("two words", "'two words'"),
        ("$(rm -rf x)", "'$(rm -rf x)'"),
        ("it's", r"'it'\''s'"),
        ("a;b", "'a;b'"),
        ("*.py", "'*.py'"),
        ("é", "'é'"),
    ] {
        assert_eq!(quote(word), wanted);
    }
}

#[test]
fn the_shell_reads_back_what_was_quoted() {
    for word in ["a b", "$HOME", "`id`", "'\"\\", "-n", "line\nbreak", "*"] {
        let script = format!("printf %s {}", quote(word));
        let out = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8(out.stdout).unwrap(), word);
    }
}

#[test]
fn a_command_line_and_its_directory_are_quoted() {
    let argv = ["ruff", "check", "my file.py"].map(str::to_owned);
    assert_eq!(command_line(&argv), "ruff check 'my file.py'");
    assert_eq!(in_dir("", "make"), "make");
    assert_eq!(in_dir("a b", "make"), "cd 'a b'\nmake");
}

/// bash can read every script that is run for a manifest or a lock file.
#[test]
fn every_detected_script_is_one() {
    use windlass_code::repo::MemoryTree;
    let project = "[project]\nname = \"it's\"\ndependencies = [\"a>=1\"]\n[project.scripts]\nx = \"a:b\"\n\
                   [dependency-groups]\ntests = [\"b; python_version<'4'\"]\n";
    let package = r#"{"devDependencies": {"a": "1"}, "packageManager": "pnpm@9.1.0+sha"}"#;
    let locks = [
        "uv.lock",
        "poetry.lock",
        "pdm.lock",
        "Pipfile.lock",
        "requirements.txt",
        "package-lock.json",
        "pnpm-lock.yaml",
        "yarn.lock",
        "bun.lock",
    ];
    let needs = r#"{"require": {"a/b": "1"}}"#;
    let manifests =
        ["Gemfile", "composer.json", "pom.xml", "build.gradle", "go.mod"].map(|name| (name, needs));
    for (manifest, text) in manifests.into_iter().chain([("Cargo.lock", "source = \"registry\"\n")]) {
        let plans = detect::setup(&MemoryTree::new([(manifest, text)]));
        assert_eq!(plans.len(), 1, "{manifest}");
        let read = std::process::Command::new("bash").args(["-n", "-c", &plans[0].script]).output().unwrap();
        assert!(read.status.success(), "{}\n{}", plans[0].script, String::from_utf8_lossy(&read.stderr));
    }
    for lock in locks {
        let tree = MemoryTree::new([("pyproject.toml", project), ("package.json", package), (lock, "")]);
        let plans = detect::setup(&tree);
        assert_eq!(plans.len(), 2, "{lock}");
        for plan in plans {
            let script = with_version("1.2", &plan);
            let read = std::process::Command::new("bash").args(["-n", "-c", &script]).output().unwrap();
            assert!(read.status.success(), "{script}\n{}", String::from_utf8_lossy(&read.stderr));
        }
    }
}

#[test]
fn versions_of_tags() {
    let table = [
        ("v1.2.3", Some("1.2.3")),
        ("1.2", Some("1.2")),
        ("release-2.0.0rc1", Some("2.0.0rc1")),
        ("pkg2-v1.4", Some("1.4")),
        ("name/3.1.0", Some("3.1.0")),
        ("v7", Some("7")),
        ("latest", None),
    ];
    for (tag, version) in table {
        assert_eq!(version_in(tag).as_deref(), version, "{tag}");
    }
}

#[test]
fn programs_of_a_stated_set_up() {
    let paths = |outputs: &[String]| bins_of(outputs).into_iter().map(|bin| bin.path).collect::<Vec<_>>();
    assert!(paths(&[]).contains(&".venv/bin".to_owned()));
    assert!(paths(&[]).contains(&"node_modules/.bin".to_owned()));
    assert_eq!(paths(&["env".to_owned()]), ["env/bin", "env/.bin"]);
}

/// The reason in the first line, what to do, and the output that the reason is taken from; it is not told twice.
#[test]
fn a_set_up_that_fails_on_the_base() {
    let failure = Failure::TestsFailed {
        gate: Gate::Setup,
        failed: Vec::new(),
        summary: "the set-up command `pip install -e .` failed".to_owned(),
        excerpt: "Collecting x\nERROR: No matching distribution found for x".to_owned(),
    };
    let Failure::Environment { message } = setup_failed_on_base(&failure) else {
        panic!("not of the environment")
    };
    assert_eq!(
        message,
        "the set-up command `pip install -e .` failed on the untouched base: No matching distribution found for x; another \
         set-up can be stated in `[setup] command`\n\nCollecting x\nERROR: No matching distribution found for x"
    );
}

/// A variable of a set-up names the directory of its manifest.
#[test]
fn variables_of_later_commands() {
    use windlass_code::repo::MemoryTree;
    let plans = detect::setup(&MemoryTree::new([("server/pom.xml", "")]));
    let found = variables(&plans[0], Path::new("/w"));
    assert_eq!(found[0].1, "-Dmaven.repo.local=/w/server/.m2/repository");
}

/// A requirement that cannot be installed ends the set-up with its place; a tool that no file imports does not.
#[test]
fn a_requirement_that_cannot_be_had_is_named_with_its_line() {
    use std::os::unix::fs::PermissionsExt as _;
    use windlass_code::repo::MemoryTree;
    // Stands for Python: its pip has everything but `nosuch` and `black`.
    const PYTHON: &str = r#"#!/bin/bash
if [ "$2" = venv ]; then mkdir -p .venv/bin; cp "$0" .venv/bin/python; exit 0; fi
asked="$* $(for word in "$@"; do [ -f "$word" ] && cat "$word"; done)"
case $asked in
  *nosuch*|*black*) echo "ERROR: No matching distribution" >&2; exit 1 ;;
esac
"#;
    let run_of = |name: &str, list: &str| {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join(name), list).unwrap();
        let python = temp.path().join("python3");
        std::fs::write(&python, PYTHON).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        let plan = detect::setup(&MemoryTree::new([(name, list)])).remove(0);
        let path = format!("{}:/usr/bin:/bin", temp.path().display());
        let mut bash = std::process::Command::new("bash");
        bash.args(["-e", "-c", &plan.script]).env("PATH", path).env("TMPDIR", temp.path());
        let out = bash.current_dir(temp.path()).output().unwrap();
        assert!(!temp.path().join(".windlass-line.txt").exists());
        (out.status.success(), String::from_utf8(out.stderr).unwrap())
    };
    let run = |list: &str| run_of("requirements-dev.txt", list);
    let (works, said) = run("-c limits.txt\npytest\n# for later\nnosuch==1; python_version > '3'\n");
    assert!(!works, "{said}");
    let last = said.lines().last().unwrap();
    assert_eq!(
        last,
        "error: `nosuch==1; python_version > '3'` (requirements-dev.txt:4) cannot be installed: \
         No matching distribution; correct it there"
    );
    let (works, said) = run("pytest\nblack\n");
    assert!(works && said.contains("warning: not installed: black"), "{said}");
    // A group for one of several databases, whose package nothing imports.
    let groups =
        "[dependency-groups]\ntests = [\"pytest\", \"pytest-nosuch\"]\ntests_mysql = [\"nosuch>1\"]\n";
    let (works, said) = run_of("pyproject.toml", &groups.replace(", \"pytest-nosuch\"", ""));
    assert!(works && said.contains("warning: not installed: nosuch>1"), "{said}");
    let (works, said) = run_of("pyproject.toml", groups);
    assert!(
        !works && said.contains("error: `pytest-nosuch` (pyproject.toml:2) cannot be installed"),
        "{said}"
    );
}

/// A fetched package manager that fails is no end: pip installs what the lock file says. The user's own one is believed.
#[test]
fn pip_installs_the_versions_of_a_lock_file_where_a_fetched_tool_fails() {
    use std::os::unix::fs::PermissionsExt as _;
    use windlass_code::repo::MemoryTree;
    // Stands for Python: its pip has everything, and the program that it installs as `pdm` or `pipenv` fails.
    const PYTHON: &str = r#"#!/bin/bash
case "$*" in
"-c import importlib"*) exit 0 ;;
-c*) exec "$REAL" "$@" ;;
"-m venv"*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
*"install -q "p*) tool="${0%/*}/${@: -1}"; printf '#!/bin/sh\nexit 1\n' >"$tool"; chmod +x "$tool" ;;
*"pip install"*) all="$*"; echo "${all#*version-check }" >>"$TMPDIR/asked" ;;
esac
"#;
    let manifest = "[project]\nname = \"a\"\nversion = \"1\"\ndependencies = [\"b\"]\n";
    let pdm = "[[package]]\nname = \"b\"\nversion = \"1.0\"\n[[package]]\nname = \"c\"\nversion = \"2\"\npath = \"./c\"\n";
    let pipenv =
        r#"{"default": {"b": {"version": "==1.0"}}, "develop": {"c": {"path": "./../c", "editable": true}}}"#;
    let run = |tool: &str, (name, lock): (&str, &str), own: bool| {
        let temp = tempfile::tempdir().unwrap();
        let program = |name: &str, text: &str| {
            std::fs::write(temp.path().join(name), text).unwrap();
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(temp.path().join(name), mode).unwrap();
        };
        program("python3", PYTHON);
        if own {
            program(tool, "#!/bin/sh\necho the lock file is out of date >&2\nexit 1\n");
        }
        std::fs::write(temp.path().join(name), lock).unwrap();
        let plan = detect::setup(&MemoryTree::new([("pyproject.toml", manifest), (name, lock)])).remove(0);
        let mut bash = std::process::Command::new("bash");
        bash.args(["-e", "-c", &plan.script]).env("TMPDIR", temp.path());
        let path = std::env::var("PATH").unwrap();
        let real = std::env::split_paths(&path).map(|dir| dir.join("python3")).find(|p| p.exists()).unwrap();
        bash.env("PATH", format!("{}:/usr/bin:/bin", temp.path().display())).env("REAL", real);
        let out = bash.current_dir(temp.path()).output().unwrap();
        let read = |name: &str| std::fs::read_to_string(temp.path().join(name)).unwrap_or_default();
        let asked = read("asked").replace(&temp.path().display().to_string(), "");
        (out.status.success(), String::from_utf8(out.stderr).unwrap(), asked, read("locked.txt"))
    };
    let table = [
        ("pdm", ("pdm.lock", pdm), "-c /locked.txt -e . pytest\n"),
        ("pipenv", ("Pipfile.lock", pipenv), "-c /locked.txt -r /locked.txt -e . pytest pytest\n"),
    ];
    for (tool, lock, wanted) in table {
        let (works, said, asked, locked) = run(tool, lock, false);
        assert!(works && said.contains(&format!("pip installs the versions of `{}`", lock.0)), "{said}");
        assert_eq!((asked.as_str(), locked.as_str()), (wanted, "b==1.0\n"));
        let (works, said, asked, _) = run(tool, lock, true);
        assert!(!works && said.contains("the lock file is out of date"), "{said}");
        assert_eq!(asked, "");
    }
}

/// A registry that cannot be reached is no reason to leave packages out, and what the tests need is never left out.
#[test]
fn npm_leaves_out_only_what_the_registry_lacks_and_no_test_needs() {
    use std::os::unix::fs::PermissionsExt as _;
    use windlass_code::repo::MemoryTree;

    const NPM: &str = r#"#!/bin/bash
case "$*" in
*"view npm version"*) [ "$REACHED" = yes ] ;;
*--dry-run*old@99) echo "npm error code ETARGET" >&2; echo "npm error notarget No matching version" >&2; exit 1 ;;
*--dry-run*) [ -d "$TMPDIR/trial" ] ;;
*) if grep -q 99 package.json; then echo "npm error code $CODE" >&2; exit 1; fi ;;
esac
"#;
    let run = |script: &str, test: &str, code: &str, reached: &str| {
        let temp = tempfile::tempdir().unwrap();
        let package = format!(
            "{{\"scripts\": {{\"test\": \"{script}\"}}, \"devDependencies\": {{\"old\": \"99\", \"b\": \"1\"}}}}"
        );
        for dir in ["test", "tmp"] {
            std::fs::create_dir(temp.path().join(dir)).unwrap();
        }
        std::fs::write(temp.path().join("package.json"), &package).unwrap();
        std::fs::write(temp.path().join("test/a.js"), test).unwrap();
        let npm = temp.path().join("npm");
        std::fs::write(&npm, NPM).unwrap();
        std::fs::set_permissions(&npm, std::fs::Permissions::from_mode(0o755)).unwrap();
        let plan = detect::setup(&MemoryTree::new([("package.json", package.as_str())])).remove(0);
        let path = format!("{}:{}", temp.path().display(), std::env::var("PATH").unwrap());
        let mut bash = std::process::Command::new("bash");
        bash.args(["-e", "-c", &plan.script]).env("PATH", path).env("TMPDIR", temp.path().join("tmp"));
        let out = bash.env("CODE", code).env("REACHED", reached).current_dir(temp.path()).output().unwrap();
        assert_eq!(std::fs::read_to_string(temp.path().join("package.json")).unwrap(), package);
        let said = String::from_utf8(out.stderr).unwrap();
        (out.status.success(), said.lines().last().unwrap_or_default().to_owned())
    };
    let (works, said) = run("node --test", "", "ECONNREFUSED", "no");
    assert!(!works && said.starts_with("error: the package registry cannot be reached"), "{said}");
    for (script, test) in [("npx old@99 test", ""), ("node --test", "import x from 'old/all';")] {
        let (works, said) = run(script, test, "ETARGET", "yes");
        assert!(!works, "{said}");
        assert_eq!(
            said,
            "error: `old@99` of devDependencies cannot be installed: notarget No matching version"
        );
    }
    let (works, said) = run("node --test", "import x from './older';", "ETARGET", "yes");
    assert!(works && said == "warning: not installed: old@99", "{said}");
}

#[test]
fn what_a_stated_set_up_makes_has_its_place_on_the_path() {
    let places = |outputs: &[&str]| -> Vec<(String, PathPlace)> {
        let outputs: Vec<String> = outputs.iter().map(|o| (*o).to_owned()).collect();
        bins_of(&outputs).into_iter().map(|bin| (bin.path, bin.place)).collect()
    };
    let wanted = [
        ("env/bin", PathPlace::Front),
        ("env/.bin", PathPlace::Behind),
        ("web/node_modules/bin", PathPlace::Behind),
        ("web/node_modules/.bin", PathPlace::Behind),
    ];
    let wanted: Vec<_> = wanted.into_iter().map(|(path, place)| (path.to_owned(), place)).collect();
    assert_eq!(places(&["env", "web/node_modules"]), wanted);
}
