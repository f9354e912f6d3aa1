//! The exact command that runs one test file, which need not exist yet.
//!
//! Chosen by the file's language, then by what the nearest manifests say; nothing is guessed where nothing speaks.

use windlass_core::report::Runner;

use super::build_tool;
use super::manifest::{
    CargoPackage, any_depends_on, cargo_package, cargo_root, depends_on, dir_of, exists, in_dir, json,
    nearest, relative, text, upwards,
};
use super::path::is_test_path;
use crate::repo::Tree;
use crate::script::{quote, recipe};

/// A command for one test file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCommand {
    /// The script, for `bash`, from the root of the tree.
    pub script: String,
    /// The runner it starts, where that is known.
    pub runner: Option<Runner>,
    /// What led to it.
    pub why: String,
}

/// The command that runs exactly `test_file`. A remark in brackets after the path (`src/x.rs (inline tests)`) is
/// passed over.
pub fn test_command(tree: &dyn Tree, test_file: &str) -> Option<TestCommand> {
    let file = test_file.split(" (").next().unwrap_or(test_file).trim().trim_start_matches("./");
    let name = file.rsplit('/').next()?;
    let (_, ending) = name.rsplit_once('.')?;
    match ending {
        "py" => Some(python(tree, file)),
        "rs" => rust(tree, file),
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => script(tree, file),
        "go" => go(tree, file),
        "sh" | "bash" => Some(shell(tree, file)),
        "bats" => Some(command(format!("bats --tap {}", quote(file)), Some(Runner::Tap), "a bats file")),
        "rb" => Some(build_tool::ruby(tree, file)),
        "php" => Some(build_tool::php(tree, file)),
        "java" | "kt" => build_tool::jvm(tree, file),
        "cs" => build_tool::dotnet(tree, file),
        "c" | "cc" | "cpp" | "cxx" => build_tool::native(tree, file),
        _ => None,
    }
}

pub(super) fn command(script: String, runner: Option<Runner>, why: &str) -> TestCommand {
    TestCommand { script, runner, why: why.to_owned() }
}

/// Puts a `cd` in front where the command has to run further in.
pub(super) fn from_dir(dir: &str, script: &str) -> String {
    if dir.is_empty() { script.to_owned() } else { format!("cd {} && {script}", quote(dir)) }
}

fn python(tree: &dyn Tree, file: &str) -> TestCommand {
    let configs = [
        "pyproject.toml",
        "pytest.ini",
        "tox.ini",
        "setup.cfg",
        "setup.py",
        "uv.lock",
        "poetry.lock",
        "Pipfile",
    ];
    let config = nearest(tree, file, &configs);
    let dir = config.as_deref().map_or("", dir_of);
    let inner = quote(relative(dir, file));
    let near = |name: &str| nearest(tree, file, &[name]).is_some();
    let python = if near("uv.lock") {
        "uv run --frozen python"
    } else if near("poetry.lock") {
        "poetry run python"
    } else if near("Pipfile.lock") {
        "pipenv run python"
    } else {
        "python3"
    };
    if only_unittest(tree, file) {
        let script = from_dir(dir, &format!("{python} -m unittest -v {inner}"));
        return command(
            script,
            Some(Runner::Unittest),
            "its tests use unittest, and nothing mentions pytest",
        );
    }
    let why = config.as_deref().unwrap_or("a Python test");
    command(from_dir(dir, &format!("{python} -m pytest {inner}")), Some(Runner::Pytest), why)
}

/// pytest runs unittest's cases too, so only its certain absence speaks for unittest.
fn only_unittest(tree: &dyn Tree, file: &str) -> bool {
    // A test that is still to be written follows the ones beside it.
    let beside = || {
        let is_test =
            |path: &&String| dir_of(path) == dir_of(file) && path.ends_with(".py") && is_test_path(path);
        tree.paths()
            .iter()
            .filter(is_test)
            .find_map(|path| text(tree, path).filter(|t| t.contains("TestCase")))
    };
    let Some(own) = text(tree, file).or_else(beside) else { return false };
    let manifests =
        ["pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "pytest.ini", "Pipfile", "requirements.txt"];
    let mentioned = upwards(file)
        .flat_map(|dir| manifests.iter().map(move |name| in_dir(dir, name)))
        .chain(
            tree.paths()
                .iter()
                .filter(|path| path.contains("requirements") || path.ends_with("conftest.py"))
                .cloned(),
        )
        .any(|path| {
            path.ends_with("conftest.py") || text(tree, &path).is_some_and(|text| text.contains("pytest"))
        });
    own.contains("unittest") && !own.contains("pytest") && own.contains("TestCase") && !mentioned
}

fn rust(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let package = cargo_package(tree, file)?;
    let root = cargo_root(tree, file)?;
    let select = if package.dir == root && !is_workspace(tree, &root) {
        String::new()
    } else {
        format!(" -p {}", quote(&package.name))
    };
    let target = rust_target(tree, &package, relative(&package.dir, file));
    let nextest = exists(tree, &in_dir(&root, ".config/nextest.toml"));
    let (program, runner) =
        if nextest { ("cargo nextest run", Runner::Nextest) } else { ("cargo test", Runner::CargoTest) };
    let why = in_dir(&package.dir, "Cargo.toml");
    Some(command(from_dir(&root, &format!("{program}{select}{target}")), Some(runner), &why))
}

fn is_workspace(tree: &dyn Tree, dir: &str) -> bool {
    super::manifest::toml(tree, &in_dir(dir, "Cargo.toml"))
        .is_some_and(|table| table.contains_key("workspace"))
}

/// The options that select the target, and the module inside it, for a file of the package.
fn rust_target(tree: &dyn Tree, package: &CargoPackage, inner: &str) -> String {
    if let Some(name) = named_test(package, inner) {
        return format!(" --test {}", quote(&name));
    }
    let stem = inner.trim_end_matches(".rs");
    if let Some(rest) = stem.strip_prefix("tests/") {
        let name = rest.strip_suffix("/main").unwrap_or(rest);
        return match name.split_once('/') {
            None => format!(" --test {}", quote(name)),
            // A module of `tests/name/main.rs`, or else shared code of all of them.
            Some((target, _)) if exists(tree, &in_dir(&package.dir, &format!("tests/{target}/main.rs"))) => {
                format!(" --test {}", quote(target))
            }
            Some(_) => " --tests".to_owned(),
        };
    }
    if let Some(name) = stem.strip_prefix("src/bin/") {
        return format!(" --bin {}", quote(name.split('/').next().unwrap_or(name)));
    }
    let Some(module) = stem.strip_prefix("src/") else { return String::new() };
    let has = |name: &str| exists(tree, &in_dir(&package.dir, name));
    if module == "main" || (has("src/main.rs") && !has("src/lib.rs") && module != "lib") {
        let filter = if module == "main" { String::new() } else { format!(" {}", module_filter(module)) };
        return format!(" --bin {}{filter}", quote(&package.name));
    }
    if module == "lib" { " --lib".to_owned() } else { format!(" --lib {}", module_filter(module)) }
}

fn named_test(package: &CargoPackage, inner: &str) -> Option<String> {
    let tests = package.manifest.get("test")?.as_array()?;
    tests.iter().find_map(|test| {
        let path = test.get("path")?.as_str()?;
        (path == inner).then(|| test.get("name")?.as_str().map(str::to_owned))?
    })
}

/// `a::b::` out of `a/b` and `a/b/mod`.
fn module_filter(module: &str) -> String {
    format!("{}::", module.strip_suffix("/mod").unwrap_or(module).replace('/', "::"))
}

fn script(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let package = nearest(tree, file, &["package.json"]);
    let dir = package.as_deref().map_or("", dir_of).to_owned();
    let inner = quote(relative(&dir, file));
    let why = package.clone().unwrap_or_else(|| "a JavaScript test".to_owned());
    let run = |script: String, runner| Some(command(from_dir(&dir, &script), runner, &why));
    match script_runner(tree, file, package.as_deref())? {
        ScriptRunner::Vitest => run(format!("npx --no-install vitest run {inner}"), Some(Runner::Vitest)),
        ScriptRunner::Jest => run(format!("npx --no-install jest {inner}"), Some(Runner::Jest)),
        ScriptRunner::Mocha => run(format!("npx --no-install mocha {inner}"), Some(Runner::Tap)),
        ScriptRunner::Playwright => run(format!("npx --no-install playwright test {inner}"), None),
        ScriptRunner::Bun => run(format!("bun test {inner}"), None),
        ScriptRunner::Node => {
            let typed = matches!(file.rsplit('.').next(), Some("ts" | "mts" | "cts" | "tsx" | "jsx"));
            let loader = match (typed, any_depends_on(tree, file, &["tsx"])) {
                (false, _) => "",
                (true, true) => "--import tsx ",
                (true, false) => "--experimental-strip-types ",
            };
            run(format!("node {loader}--test {inner}"), Some(Runner::NodeTest))
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScriptRunner {
    Vitest,
    Jest,
    Mocha,
    Node,
    Playwright,
    Bun,
}

/// What the file imports decides, then what its neighbours import, then what the manifests list.
fn script_runner(tree: &dyn Tree, file: &str, package: Option<&str>) -> Option<ScriptRunner> {
    if let Some(runner) = text(tree, file).as_deref().and_then(imported_runner) {
        return Some(runner);
    }
    let listed = [
        ("vitest", ScriptRunner::Vitest),
        ("jest", ScriptRunner::Jest),
        ("ts-jest", ScriptRunner::Jest),
        ("mocha", ScriptRunner::Mocha),
    ];
    let found: Vec<ScriptRunner> = upwards(file)
        .filter_map(|dir| json(tree, &in_dir(dir, "package.json")))
        .flat_map(|json| {
            listed
                .iter()
                .filter(move |(name, _)| depends_on(&json, name))
                .map(|(_, runner)| *runner)
                .collect::<Vec<_>>()
        })
        .collect();
    if let Some(runner) = found.first() {
        return Some(*runner);
    }
    if nearest(
        tree,
        file,
        &["vitest.config.ts", "vitest.config.js", "vitest.config.mts", "vitest.config.mjs"],
    )
    .is_some()
    {
        return Some(ScriptRunner::Vitest);
    }
    if nearest(tree, file, &["jest.config.js", "jest.config.ts", "jest.config.cjs", "jest.config.mjs"])
        .is_some()
    {
        return Some(ScriptRunner::Jest);
    }
    // Without any other, the runner that node itself brings.
    package.map(|_| ScriptRunner::Node).or_else(|| exists(tree, file).then_some(ScriptRunner::Node))
}

fn imported_runner(text: &str) -> Option<ScriptRunner> {
    let table = [
        (["'vitest'", "\"vitest\""], ScriptRunner::Vitest),
        (["node:test'", "node:test\""], ScriptRunner::Node),
        (["@jest/globals'", "@jest/globals\""], ScriptRunner::Jest),
        (["@playwright/test'", "@playwright/test\""], ScriptRunner::Playwright),
        (["bun:test'", "bun:test\""], ScriptRunner::Bun),
    ];
    table.iter().find(|(marks, _)| marks.iter().any(|mark| text.contains(mark))).map(|(_, runner)| *runner)
}

fn go(tree: &dyn Tree, file: &str) -> Option<TestCommand> {
    let module = nearest(tree, file, &["go.mod"])?;
    let dir = dir_of(&module);
    let package = match dir_of(relative(dir, file)) {
        "" => ".".to_owned(),
        inner => quote(&format!("./{inner}")),
    };
    Some(command(from_dir(dir, &format!("go test {package}")), Some(Runner::GoTest), &module))
}

fn shell(tree: &dyn Tree, file: &str) -> TestCommand {
    let first = text(tree, file).and_then(|text| text.lines().next().map(str::to_owned)).unwrap_or_default();
    let plain = first.starts_with("#!") && !first.contains("bash");
    let shell = if plain { "sh" } else { "bash" };
    command(format!("{shell} {}", quote(file)), None, "a shell script")
}

/// The command for a super-planner task without one: pytest convention, make target, file-based, in this order; `None`
/// when there is no such file or target.
pub fn superplanner_command(tree: &dyn Tree, task_id: &str) -> Option<TestCommand> {
    let plain = task_id.replace('-', "_");
    let spellings: Vec<&str> = if plain == task_id { vec![task_id] } else { vec![task_id, &plain] };
    let file =
        |pattern: &str| spellings.iter().map(|id| pattern.replace("{}", id)).find(|path| exists(tree, path));
    if let Some(path) = file("tests/test_{}.py") {
        return Some(TestCommand { why: format!("{path} exists"), ..python(tree, &path) });
    }
    let makefile = ["GNUmakefile", "makefile", "Makefile"].iter().find_map(|name| text(tree, name));
    if let Some(makefile) = makefile {
        let target = spellings
            .iter()
            .map(|id| format!("test-{id}"))
            .find(|target| !recipe(&makefile, target).is_empty());
        if let Some(target) = target {
            let why = format!("`{target}` is a target of the Makefile");
            return Some(command(format!("make {}", quote(&target)), None, &why));
        }
    }
    let path = ["{}_test.py", "test_{}.py", "tests/{}_test.py"].iter().find_map(|pattern| file(pattern))?;
    Some(TestCommand { why: format!("{path} exists"), ..python(tree, &path) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    fn tree() -> MemoryTree {
        MemoryTree::new([
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
            (
                "crates/a/Cargo.toml",
                "[package]\nname = \"a-crate\"\n[[test]]\nname = \"odd\"\npath = \"tests/deep/odd.rs\"\n",
            ),
            ("crates/a/src/lib.rs", ""),
            ("crates/a/tests/it/main.rs", ""),
            ("crates/b/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("crates/b/src/main.rs", ""),
            ("solo/Cargo.toml", "[package]\nname = \"solo\"\n[workspace]\n"),
            ("pyproject.toml", "[tool.pytest.ini_options]\n"),
            ("api/pyproject.toml", ""),
            ("api/uv.lock", ""),
            ("web/package.json", r#"{"devDependencies":{"vitest":"1"}}"#),
            ("j/package.json", r#"{"devDependencies":{"jest":"29"}}"#),
            ("m/package.json", r#"{"devDependencies":{"mocha":"10"}}"#),
            ("n/package.json", r#"{"devDependencies":{"tsx":"4"}}"#),
            ("j/native.test.js", "import test from 'node:test';"),
            ("go/go.mod", ""),
            ("tests/a.sh", "#!/bin/sh\n"),
            ("Makefile", "test-buf: x\n\tpytest x\n"),
            ("tests/test_foo_bar.py", ""),
            ("late_test.py", ""),
        ])
    }

    #[test]
    fn one_file_one_command() {
        let tree = tree();
        let files = [
            "tests/test_x.py",
            "api/tests/test y.py",
            "crates/a/tests/it.rs",
            "crates/a/tests/it/sub.rs",
            "crates/a/tests/deep/odd.rs",
            "crates/a/tests/common/mod.rs",
            "crates/a/src/lib.rs (inline tests)",
            "crates/a/src/parse/lexer.rs",
            "crates/b/src/args.rs",
            "crates/b/src/main.rs",
            "crates/b/src/bin/x.rs",
            "web/src/a.test.ts",
            "j/a.test.js",
            "j/native.test.js",
            "m/test/a.js",
            "n/a.test.ts",
            "n/a.test.js",
            "go/calc/calc_test.go",
            "go/main_test.go",
            "tests/a.sh",
            "tests/b.sh",
            "tests/c.bats",
            "README.md",
            "Makefile",
        ];
        let all: String = files
            .iter()
            .map(|file| match test_command(&tree, file) {
                Some(found) => format!("{file}: {} ({:?}, {})\n", found.script, found.runner, found.why),
                None => format!("{file}: none\n"),
            })
            .collect();
        insta::assert_snapshot!(all, @r"
        tests/test_x.py: python3 -m pytest tests/test_x.py (Some(Pytest), pyproject.toml)
        api/tests/test y.py: cd api && uv run --frozen python -m pytest 'tests/test y.py' (Some(Pytest), api/pyproject.toml)
        crates/a/tests/it.rs: cargo test -p a-crate --test it (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/tests/it/sub.rs: cargo test -p a-crate --test it (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/tests/deep/odd.rs: cargo test -p a-crate --test odd (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/tests/common/mod.rs: cargo test -p a-crate --tests (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/src/lib.rs (inline tests): cargo test -p a-crate --lib (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/src/parse/lexer.rs: cargo test -p a-crate --lib parse::lexer:: (Some(CargoTest), crates/a/Cargo.toml)
        crates/b/src/args.rs: cargo test -p b --bin b args:: (Some(CargoTest), crates/b/Cargo.toml)
        crates/b/src/main.rs: cargo test -p b --bin b (Some(CargoTest), crates/b/Cargo.toml)
        crates/b/src/bin/x.rs: cargo test -p b --bin x (Some(CargoTest), crates/b/Cargo.toml)
        web/src/a.test.ts: cd web && npx --no-install vitest run src/a.test.ts (Some(Vitest), web/package.json)
        j/a.test.js: cd j && npx --no-install jest a.test.js (Some(Jest), j/package.json)
        j/native.test.js: cd j && node --test native.test.js (Some(NodeTest), j/package.json)
        m/test/a.js: cd m && npx --no-install mocha test/a.js (Some(Tap), m/package.json)
        n/a.test.ts: cd n && node --import tsx --test a.test.ts (Some(NodeTest), n/package.json)
        n/a.test.js: cd n && node --test a.test.js (Some(NodeTest), n/package.json)
        go/calc/calc_test.go: cd go && go test ./calc (Some(GoTest), go/go.mod)
        go/main_test.go: cd go && go test . (Some(GoTest), go/go.mod)
        tests/a.sh: sh tests/a.sh (None, a shell script)
        tests/b.sh: bash tests/b.sh (None, a shell script)
        tests/c.bats: bats --tap tests/c.bats (Some(Tap), a bats file)
        README.md: none
        Makefile: none
        ");
    }

    #[test]
    fn unittest_only_where_pytest_is_nowhere() {
        let case = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n";
        let bare = MemoryTree::new([("tests/test_a.py", case)]);
        assert_eq!(
            test_command(&bare, "tests/test_a.py").unwrap().script,
            "python3 -m unittest -v tests/test_a.py"
        );
        assert_eq!(
            test_command(&bare, "tests/test_new.py").unwrap().script,
            "python3 -m unittest -v tests/test_new.py"
        );
        let with = MemoryTree::new([("tests/test_a.py", case), ("requirements-dev.txt", "pytest==8\n")]);
        assert_eq!(
            test_command(&with, "tests/test_a.py").unwrap().script,
            "python3 -m pytest tests/test_a.py"
        );
    }

    #[test]
    fn super_planner_conventions_in_order() {
        let tree = tree();
        let script = |id: &str| superplanner_command(&tree, id).map(|found| found.script);
        assert_eq!(script("foo-bar").as_deref(), Some("python3 -m pytest tests/test_foo_bar.py"));
        assert_eq!(script("buf").as_deref(), Some("make test-buf"));
        assert_eq!(script("late").as_deref(), Some("python3 -m pytest late_test.py"));
        assert_eq!(script("gone"), None);
    }
}
