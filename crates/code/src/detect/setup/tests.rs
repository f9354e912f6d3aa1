//! Tests of `setup`.

use super::*;
use crate::repo::MemoryTree;

/// Paths, in order.
type PathList<'a> = &'a [&'a str];

#[test]
fn lock_files_ask_for_their_tool() {
    let tree = MemoryTree::new([
        ("package.json", r#"{"workspaces":["web"]}"#),
        ("package-lock.json", "{}"),
        ("web/package.json", "{}"),
        ("tests/fixtures/x/package.json", "{}"),
        ("tests/fixtures/x/package-lock.json", "{}"),
        ("api/uv.lock", ""),
        ("api/pyproject.toml", ""),
        ("old/requirements.txt", ""),
        ("old/requirements-dev.txt", ""),
        ("rs/Cargo.lock", "[[package]]\nname = \"a\"\nsource = \"registry+x\"\n"),
        ("rs/Cargo.toml", ""),
        ("alone/Cargo.lock", "[[package]]\nname = \"a\"\n"),
        ("go/go.sum", ""),
        ("go/go.mod", ""),
        ("rb/Gemfile.lock", ""),
        ("y/package.json", r#"{"packageManager":"yarn@4.1.0"}"#),
        ("y/yarn.lock", ""),
        ("y/package-lock.json", ""),
        ("y/.yarnrc.yml", ""),
        ("cs/packages.lock.json", "{}"),
    ]);
    let all: String = setup(&tree)
        .iter()
        .map(|plan| {
            format!(
                "{:?} {} <- {} -> {}\n",
                plan.dir,
                plan.command,
                plan.inputs.join(" "),
                plan.outputs.join(" ")
            )
        })
        .collect::<Vec<_>>()
        .concat();
    insta::assert_snapshot!(all, @r#"
        "" npm ci <- package-lock.json package.json web/package.json -> node_modules web/node_modules
        "api" uv sync --frozen <- api/uv.lock api/pyproject.toml -> api/.venv
        "cs" dotnet restore --locked-mode <- cs/packages.lock.json -> cs/obj
        "go" go mod download <- go/go.sum go/go.mod -> 
        "old" pip install pytest -r requirements.txt -r requirements-dev.txt <- old/requirements.txt old/requirements-dev.txt -> old/.venv
        "rb" bundle install <- rb/Gemfile.lock -> rb/vendor/bundle rb/.bundle
        "rs" cargo fetch --locked <- rs/Cargo.lock rs/Cargo.toml -> 
        "y" yarn install --immutable <- y/yarn.lock y/package.json y/.yarnrc.yml -> y/node_modules
        "#);
}

/// One command per package manager, from its lock file alone.
#[test]
fn every_manager_has_its_command() {
    let table = [
        ("package-lock.json", "npm ci"),
        ("npm-shrinkwrap.json", "npm ci"),
        ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
        ("yarn.lock", "yarn install --frozen-lockfile"),
        ("bun.lock", "bun install --frozen-lockfile"),
        ("bun.lockb", "bun install --frozen-lockfile"),
        ("uv.lock", "uv sync --frozen"),
        ("poetry.lock", "poetry install --no-interaction"),
        ("pdm.lock", "pdm install --frozen-lockfile"),
        ("Pipfile.lock", "pipenv sync --dev"),
        ("requirements.txt", "pip install pytest -r requirements.txt"),
        ("go.sum", "go mod download"),
        ("Gemfile.lock", "bundle install"),
        ("Gemfile", "bundle install"),
        ("pom.xml", "mvn dependency:go-offline"),
        ("build.gradle", "gradle dependencies"),
        ("settings.gradle.kts", "gradle dependencies"),
        ("composer.lock", "composer install --no-interaction"),
        ("packages.lock.json", "dotnet restore --locked-mode"),
    ];
    for (lock, command) in table {
        let tree = MemoryTree::new([(lock, ""), ("package.json", "{}")]);
        let commands: Vec<String> = setup(&tree).into_iter().map(|plan| plan.command).collect();
        assert_eq!(commands, [command], "{lock}");
    }
}

#[test]
fn a_lock_file_without_its_manifest_or_in_a_foreign_directory_asks_for_nothing() {
    for path in
        ["package-lock.json", "node_modules/a/package-lock.json", "vendor/x/go.sum", "testdata/uv.lock"]
    {
        assert_eq!(setup(&MemoryTree::new([(path, "")])), [], "{path}");
    }
}

/// The command of each plan in a tree of these files.
fn commands(files: &[&str]) -> Vec<String> {
    let tree = MemoryTree::new(files.iter().map(|path| (*path, "{}")));
    setup(&tree).into_iter().map(|plan| plan.command).collect()
}

/// One manager per language: the first of its table, or the one that `packageManager` names if its lock file is there.
#[test]
fn rivals() {
    let npm = "npm ci";
    let yarn = "yarn install --frozen-lockfile";
    assert_eq!(commands(&["package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml"]), [npm]);
    assert_eq!(
        commands(&["package.json", "pnpm-lock.yaml", "yarn.lock"]),
        ["pnpm install --frozen-lockfile"]
    );
    assert_eq!(commands(&["uv.lock", "poetry.lock", "requirements.txt"]), ["uv sync --frozen"]);
    assert_eq!(
        commands(&["package.json", "yarn.lock", "uv.lock", "go.sum"]),
        ["uv sync --frozen", yarn, "go mod download"],
        "in the order of the languages"
    );
    let named = [("yarn@1.22.0", yarn), ("npm@10", npm), ("bun@1", npm), ("yarn", yarn), ("", npm)];
    for (manager, expected) in named {
        let package = format!(r#"{{"packageManager":"{manager}"}}"#);
        let tree = MemoryTree::new([
            ("package.json", package.as_str()),
            ("yarn.lock", ""),
            ("package-lock.json", ""),
        ]);
        let found: Vec<String> = setup(&tree).into_iter().map(|plan| plan.command).collect();
        assert_eq!(found, [expected], "{manager}");
    }
}

/// What decides the result of a command, what it leaves behind and where its programs are.
#[test]
fn inputs_outputs_and_programs() {
    let table: [(PathList<'_>, PathList<'_>, PathList<'_>, PathList<'_>); 11] = [
        (
            &["a/package.json", "a/yarn.lock", "a/.yarnrc.yml", "a/x"],
            &["a/yarn.lock", "a/package.json", "a/.yarnrc.yml"],
            &["a/node_modules"],
            &["a/node_modules/.bin"],
        ),
        (
            &["uv.lock", "pyproject.toml", ".python-version"],
            &["uv.lock", "pyproject.toml", ".python-version"],
            &[".venv"],
            &[".venv/bin"],
        ),
        (&["poetry.lock", "pyproject.toml"], &["poetry.lock", "pyproject.toml"], &[".venv"], &[".venv/bin"]),
        (&["Pipfile.lock", "Pipfile"], &["Pipfile.lock", "Pipfile"], &[".venv"], &[".venv/bin"]),
        (&["go.sum", "go.mod"], &["go.sum", "go.mod"], &[], &[]),
        (
            &["Gemfile.lock", "Gemfile", ".ruby-version"],
            &["Gemfile.lock", "Gemfile", ".ruby-version"],
            &["vendor/bundle", ".bundle"],
            &[],
        ),
        (
            &["composer.lock", "composer.json"],
            &["composer.lock", "composer.json"],
            &["vendor"],
            &["vendor/bin"],
        ),
        (&["packages.lock.json"], &["packages.lock.json"], &["obj"], &[]),
        (
            &["Gemfile", "a.gemspec", "lib/a.rb"],
            &["Gemfile", "a.gemspec"],
            &["vendor/bundle", ".bundle", "Gemfile.lock", "gems.locked"],
            &[],
        ),
        (&["pom.xml", "mvnw", "a/pom.xml"], &["pom.xml", "mvnw", "a/pom.xml"], &[".m2"], &[]),
        (
            &["settings.gradle", "a/build.gradle.kts", "gradle/libs.versions.toml", "pom.xml"],
            &["settings.gradle", "a/build.gradle.kts", "gradle/libs.versions.toml"],
            &[".gradle-home"],
            &[],
        ),
    ];
    for (files, inputs, outputs, bins) in table {
        let plans = setup(&MemoryTree::new(files.iter().map(|path| (*path, "{}"))));
        assert_eq!(plans.len(), 1, "{files:?}");
        assert_eq!(plans[0].inputs, inputs);
        assert_eq!(plans[0].outputs, outputs);
        let paths: Vec<&str> = plans[0].bins.iter().map(|bin| bin.path.as_str()).collect();
        assert_eq!(paths, bins);
    }
}

/// Members of a workspace belong to the plan of its root, unless they have a lock file of their own.
#[test]
fn workspaces() {
    let tree = MemoryTree::new([
        ("package.json", "{}"),
        ("pnpm-lock.yaml", ""),
        ("pnpm-workspace.yaml", ""),
        ("web/package.json", "{}"),
        ("own/package.json", "{}"),
        ("own/pnpm-lock.yaml", ""),
        ("web/node_modules/x/package.json", "{}"),
        ("test/fixtures/x/package.json", "{}"),
    ]);
    let plans = setup(&tree);
    assert_eq!(plans.iter().map(|plan| plan.dir.as_str()).collect::<Vec<_>>(), ["", "own"]);
    assert_eq!(plans[0].outputs, ["node_modules", "web/node_modules"]);
    assert!(plans[0].inputs.contains(&"web/package.json".to_owned()));
    let alone = MemoryTree::new([("package.json", "{}"), ("yarn.lock", ""), ("web/package.json", "{}")]);
    assert_eq!(setup(&alone)[0].outputs, ["node_modules"]);
}

#[test]
fn directories_of_others() {
    for dir in FOREIGN {
        assert!(commands(&[&format!("{dir}/uv.lock"), &format!("a/{dir}/b/go.sum")]).is_empty(), "{dir}");
    }
    assert_eq!(commands(&["vendored/uv.lock"]), ["uv sync --frozen"]);
    assert!(commands(&[]).is_empty());
}

/// A manifest without a lock file is enough; one further up counts for what lies below it.
#[test]
fn manifests_without_lock_files() {
    let project = "[project]\nname = 'a'\n[project.optional-dependencies]\ntests = ['t']\n";
    let node = r#"{"devDependencies": {"mocha": "1"}}"#;
    let tree = MemoryTree::new([
        ("pyproject.toml", project),
        ("docs/requirements.txt", "sphinx"),
        ("examples/a/pyproject.toml", project),
        ("sub/pyproject.toml", project),
        ("web/package.json", node),
        ("web/inner/package.json", node),
        ("examples/b/package.json", node),
        ("empty/package.json", r#"{"name": "x"}"#),
        ("tests/data/package.json", node),
    ]);
    let found: Vec<(String, String)> =
        setup(&tree).into_iter().map(|plan| (plan.dir, plan.command)).collect();
    let wanted = [
        ("", "pip install -e '.[tests]' pytest"),
        ("web", "npm install --no-package-lock --no-audit --no-fund"),
    ];
    assert_eq!(found, wanted.map(|(dir, command)| (dir.to_owned(), command.to_owned())));
}

#[test]
fn cargo_without_a_lock_file_chooses_versions_once() {
    type Files = &'static [(&'static str, &'static str)];
    let table: [(Files, &[&str]); 5] = [
        (&[("Cargo.toml", "[package]\n\n[dev-dependencies]\nserde = \"1\"\n")], &[""]),
        (&[("Cargo.toml", "[package]\n\n[target.'cfg(unix)'.dependencies.libc]\n")], &[""]),
        (&[("Cargo.toml", "[package]\n")], &[]),
        // A workspace is one, wherever its members are; a crate among the examples is not the project.
        (
            &[
                ("Cargo.toml", "[workspace]\n"),
                ("a/Cargo.toml", "[dependencies]\nx = \"1\"\n"),
                ("examples/b/Cargo.toml", "[dependencies]\nx = \"1\"\n"),
            ],
            &[""],
        ),
        (
            &[("rs/Cargo.toml", "[dependencies]\nx = \"1\"\n"), ("rs/fuzz/Cargo.toml", "[dependencies]\n")],
            &["rs"],
        ),
    ];
    for (files, dirs) in table {
        let plans = setup(&MemoryTree::new(files.iter().copied()));
        let found: Vec<&str> =
            plans.iter().filter(|plan| !plan.apart).map(|plan| plan.dir.as_str()).collect();
        assert_eq!(found, dirs, "{files:?}");
        for plan in plans {
            assert_eq!(plan.command, "cargo fetch");
            assert_eq!(plan.outputs, [in_dir(&plan.dir, "Cargo.lock")], "the versions are kept");
        }
    }
}

#[test]
fn a_set_up_concerns_the_files_that_it_is_for() {
    let tree = MemoryTree::new([
        ("requirements.txt", "x\n"),
        ("Gemfile.lock", ""),
        ("tests/suite/go.mod", "module x\n"),
        ("web/package-lock.json", "{}"),
        ("web/package.json", "{}"),
    ]);
    let concerned = |files: &[&str]| -> Vec<String> {
        let plans = setup(&tree).into_iter().filter(|plan| plan.concerns(files.iter().copied()));
        plans.map(|plan| plan.command.split_whitespace().last().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(concerned(&["calc.py", "tests/test_calc.py"]), ["requirements.txt"]);
    assert_eq!(concerned(&["web/a.ts"]), ["ci"]);
    assert_eq!(concerned(&["tests/suite/a_test.go"]), ["download"]);
    // Nothing is known about a shell script: it may call anything around it.
    assert_eq!(concerned(&["tests/run.sh"]), ["requirements.txt", "install"]);
}

/// A program that is missing is named with its package, unless a wrapper in the repository brings it.
#[test]
fn tools_and_their_packages() {
    let tool = |files: &[&str]| setup(&MemoryTree::new(files.iter().map(|path| (*path, "{}"))))[0].tool;
    assert_eq!(tool(&["Gemfile"]), Some(("bundle", "ruby-bundler")));
    assert_eq!(tool(&["pom.xml"]), Some(("mvn", "maven")));
    assert_eq!(tool(&["pom.xml", "mvnw"]), None);
    assert_eq!(tool(&["build.gradle", "gradlew"]), None);
    let plan = setup(&MemoryTree::new([("pom.xml", "")])).remove(0);
    assert!(plan.script.contains("`mvn` is not installed; install the package `maven`"), "{}", plan.script);
    assert_eq!(plan.variables[0], ("MAVEN_OPTS", "-Dmaven.repo.local={dir}/.m2/repository"));
}

/// The projects of a workspace are installed from the tree: an index has other versions of them.
#[test]
fn members_of_a_python_workspace_are_installed_with_it() {
    let root = "[project]\nname = 'shop'\ndependencies = ['shop-lib']\n[tool.uv.workspace]\nmembers = ['packages/*']\n\
                [tool.uv.sources]\nshop-lib = { workspace = true }\ntax = { path = './tax/' }\n";
    let member = "[project]\nname = 'x'\n";
    let tree = MemoryTree::new([
        ("pyproject.toml", root),
        ("packages/lib/pyproject.toml", member),
        ("packages/lib/inner/pyproject.toml", member),
        ("tax/pyproject.toml", member),
        ("other/pyproject.toml", member),
    ]);
    let [plan] = &setup(&tree)[..] else { panic!("one") };
    assert_eq!(plan.command, "pip install -e . -e ./packages/lib -e ./tax pytest");
    assert!(plan.inputs.contains(&"packages/lib/pyproject.toml".to_owned()), "{:?}", plan.inputs);
}

/// `setup.py` names its extras by variables, and an environment of tox asks for one of them.
#[test]
fn extras_that_a_script_computes_are_asked_for() {
    let script = "from setuptools import setup\nWEB = ['bottle']\nEXTRAS = {'web': WEB, 'tests': ['pytest'] + WEB}\n\
                  setup(name='shop', extras_require=EXTRAS)\n";
    let command = |files: &[(&str, &str)]| setup(&MemoryTree::new(files.iter().copied())).remove(0).command;
    assert_eq!(command(&[("setup.py", script)]), "pip install -e '.[tests]' pytest");
    let tox = "[testenv]\nextras = qa\ndeps =\n    webtest\n";
    let opaque = "from setuptools import setup\nsetup(**metadata())\n";
    assert_eq!(command(&[("setup.py", opaque), ("tox.ini", tox)]), "pip install -e '.[qa]' webtest pytest");
}

#[test]
fn a_new_yarn_leaves_programs_where_others_find_them() {
    let script = |files: &[(&str, &str)]| setup(&MemoryTree::new(files.iter().copied())).remove(0).script;
    let named = r#"{"packageManager":"yarn@4.1.0"}"#;
    for files in [
        &[("package.json", "{}"), ("yarn.lock", ""), (".yarnrc.yml", "")][..],
        &[("package.json", named), ("yarn.lock", "")],
    ] {
        let script = script(files);
        assert!(script.contains("export YARN_NODE_LINKER=node-modules\n"), "{script}");
        assert!(script.contains(" --mode=skip-build") && !script.contains("--ignore-scripts"), "{script}");
    }
    assert!(!script(&[("package.json", "{}"), ("yarn.lock", "")]).contains("LINKER"));
}

/// Tests of pytest ask for it where no manifest does; tests that Python runs by itself ask for nothing.
#[test]
fn tests_without_a_manifest_ask_for_their_runner() {
    let bare = "def test_a():\n    assert True\n";
    let unit = "import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n";
    let cases: [(&[(&str, &str)], PathList<'_>); 7] = [
        (&[("calc.py", ""), ("tests/test_calc.py", bare)], &["pip install pytest"]),
        (
            &[("test_calc.py", "import pytest\n\nclass TestA:\n    def test_a(self): ...\n")],
            &["pip install pytest"],
        ),
        (&[("tests/test_calc.py", unit)], &[]),
        (&[("calc.py", bare)], &[]),
        (&[("vendor/x/tests/test_x.py", bare)], &[]),
        (
            &[("requirements.txt", "six"), ("tests/test_a.py", bare)],
            &["pip install pytest -r requirements.txt"],
        ),
        (
            &[("api/uv.lock", ""), ("api/pyproject.toml", ""), ("tests/test_a.py", bare)],
            &["uv sync --frozen"],
        ),
    ];
    for (files, wanted) in cases {
        let commands: Vec<String> =
            setup(&MemoryTree::new(files.iter().copied())).into_iter().map(|plan| plan.command).collect();
        assert_eq!(commands, wanted, "{files:?}");
    }
}

#[test]
fn a_lock_file_that_cannot_be_read_is_tried_before_the_tests() {
    let commands = |lock: &str| -> Vec<String> {
        let files = [("Cargo.toml", "[package]\nname = \"x\"\n"), ("Cargo.lock", lock)];
        setup(&MemoryTree::new(files)).into_iter().map(|plan| plan.command).collect()
    };
    assert_eq!(commands("version = 3\n[[package]]\nname = \"x\"\n"), [""; 0], "nothing has to be fetched");
    assert_eq!(commands("<<<<<<< HEAD\nversion = 3\n"), ["cargo fetch --locked"]);
}

/// The kind of a stated set-up comes from the commands that it calls, not from how it begins.
#[test]
fn a_stated_command_is_of_the_kind_of_what_it_calls() {
    for (command, kind) in [
        ("cargo fetch --locked", SetupKind::Cargo),
        ("cargo fetch && npm ci", SetupKind::Cargo),
        ("npm ci && cargo fetch", SetupKind::Cargo),
        ("GOFLAGS=-mod=mod go mod download && make gen", SetupKind::Go),
        ("cargo fetch-all", SetupKind::Other),
        ("echo cargo fetch", SetupKind::Other),
        ("go generate ./...", SetupKind::Other),
        ("npm ci", SetupKind::Other),
    ] {
        assert_eq!(SetupKind::of_command(command), kind, "{command}");
    }
}

/// The version of pnpm that is fetched: that of the form of the lock file, and one that reads the settings beside it.
#[test]
fn the_version_of_pnpm_that_is_fetched() {
    let table = [
        ("lockfileVersion: '6.0'\n", None, "pnpm@8"),
        ("lockfileVersion: '9.0'\n", None, "pnpm@9"),
        ("lockfileVersion: '9.0'\n", Some("packages:\n  - packages/*\n"), "pnpm@9"),
        ("lockfileVersion: '9.0'\n", Some("onlyBuiltDependencies:\n  - a\n"), "pnpm@10"),
    ];
    for (lock, workspace, version) in table {
        let mut files = vec![("package.json", "{\"name\": \"a\"}"), ("pnpm-lock.yaml", lock)];
        files.extend(workspace.map(|text| ("pnpm-workspace.yaml", text)));
        let plan = setup(&MemoryTree::new(files)).remove(0);
        assert!(plan.script.contains(&format!("{version} ")), "{version}: {}", plan.script);
    }
}

/// Members of a workspace of pnpm name each other as npm does not read it.
#[test]
fn a_workspace_of_pnpm_without_a_lock_file() {
    let files = [
        ("package.json", r#"{"devDependencies": {"vitest": "3"}}"#),
        ("pnpm-workspace.yaml", "packages: [packages/*]\n"),
    ];
    let command = |more: &[(&str, &str)]| {
        let plans = setup(&MemoryTree::new(files.iter().chain(more).copied()));
        plans.into_iter().map(|plan| plan.command).collect::<Vec<_>>()
    };
    let member = ("packages/a/package.json", r#"{"dependencies": {"b": "workspace:*"}}"#);
    assert_eq!(command(&[member]), ["pnpm install --no-lockfile"]);
    assert_eq!(command(&[member, ("pnpm-lock.yaml", "")]), ["pnpm install --frozen-lockfile"]);
}

/// A crate outside of the workspace above it has crates of its own to fetch, for work below it.
#[test]
fn crates_outside_of_the_workspace() {
    let needs = "[package]\nname = \"x\"\n[dependencies]\nitoa = \"1\"\n";
    let tree = MemoryTree::new([
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"tools\"]\n"),
        ("crates/a/Cargo.toml", needs),
        ("tools/gen/Cargo.toml", needs),
        ("examples/own/Cargo.toml", &format!("{needs}[workspace]\n")),
    ]);
    let found: Vec<(String, bool)> =
        setup(&tree).into_iter().map(|plan| (plan.shown(), plan.apart)).collect();
    assert_eq!(found, [("cargo fetch".to_owned(), false), ("cd tools/gen && cargo fetch".to_owned(), true)]);
}
