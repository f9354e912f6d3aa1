//! Set-up commands that lock files and manifests ask for: one row per package manager.

mod jvm;
mod node;
mod php;
mod plan;
mod python;
mod python_literals;
mod python_needs;
mod python_workspace;
mod ruby;
mod rust;

use std::collections::HashSet;
use std::sync::LazyLock;

use serde_json::Value;

use super::manifest::{dir_of, exists, in_dir, json, text, toml, upwards};
use crate::repo::Tree;
pub use plan::{PathPlace, ProgramDir, SetupKind, SetupPlan};
use python_needs::MANIFESTS;

/// Package managers of which a directory needs one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ecosystem {
    Node,
    Python,
    Rust,
    Go,
    Ruby,
    Php,
    Jvm,
    Dotnet,
}

/// The endings of the source files of each ecosystem.
const ENDINGS: &[(Ecosystem, &[&str])] = &[
    (Ecosystem::Node, &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte"]),
    (Ecosystem::Python, &["py", "pyi", "pyx"]),
    (Ecosystem::Rust, &["rs"]),
    (Ecosystem::Go, &["go"]),
    (Ecosystem::Ruby, &["rb", "rake"]),
    (Ecosystem::Php, &["php"]),
    (Ecosystem::Jvm, &["java", "kt", "scala", "groovy"]),
    (Ecosystem::Dotnet, &["cs", "fs", "vb"]),
];

/// What is known about a package manager.
struct ManagerRow {
    name: &'static str,
    /// The program that the command calls.
    program: &'static str,
    ecosystem: Ecosystem,
    kind: SetupKind,
    /// Files that ask for it.
    locks: &'static [&'static str],
    /// Whether those files are manifests, of which one further up counts and one among documents or examples does not.
    by_manifest: bool,
    /// The command in a directory with some of the lock files.
    command: fn(&DirTree<'_>, &[&str]) -> String,
    /// What is run for the command.
    script: fn(&DirTree<'_>, &str) -> String,
    /// Whether there is something to set up in a directory with a lock file.
    applies: fn(&DirTree<'_>) -> bool,
    /// Files besides the lock files that decide the result.
    inputs: &'static [&'static str],
    /// How the names of files in any directory below end that decide the result too.
    inputs_below: &'static [&'static str],
    version_variables: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
    tool: Option<(&'static str, &'static str)>,
    outputs: &'static [&'static str],
    bins: &'static [(&'static str, PathPlace)],
}

/// One directory of a tree.
struct DirTree<'a> {
    tree: &'a dyn Tree,
    dir: &'a str,
}

impl DirTree<'_> {
    fn has(&self, name: &str) -> bool {
        exists(self.tree, &in_dir(self.dir, name))
    }

    fn package(&self) -> Option<Value> {
        json(self.tree, &in_dir(self.dir, "package.json"))
    }
}

const MANAGER: ManagerRow = ManagerRow {
    name: "",
    program: "",
    ecosystem: Ecosystem::Node,
    kind: SetupKind::Other,
    locks: &[],
    by_manifest: false,
    command: |_, _| String::new(),
    script: |_, command| command.to_owned(),
    applies: |_| true,
    inputs: &[],
    inputs_below: &[],
    version_variables: &[],
    variables: &[],
    tool: None,
    outputs: &[],
    bins: &[],
};

const NODE: ManagerRow = ManagerRow {
    applies: |here| here.package().is_some(),
    inputs: &["package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs"],
    tool: Some(("npm", "npm")),
    outputs: &["node_modules"],
    bins: &[("node_modules/.bin", PathPlace::Behind)],
    ..MANAGER
};

const PYTHON: ManagerRow = ManagerRow {
    ecosystem: Ecosystem::Python,
    tool: Some(("python3", "python3-venv")),
    outputs: &[".venv"],
    bins: &[(".venv/bin", PathPlace::Front)],
    ..MANAGER
};

/// Tests of pytest in a repository without any manifest of Python.
const BARE_PYTHON: ManagerRow = ManagerRow {
    name: "pip without a manifest",
    program: "python3",
    command: |_, _| "pip install pytest".to_owned(),
    script: python::bare_script,
    ..PYTHON
};

const CARGO: ManagerRow = ManagerRow {
    name: "cargo",
    program: "cargo",
    ecosystem: Ecosystem::Rust,
    kind: SetupKind::Cargo,
    tool: Some(("cargo", "cargo")),
    ..MANAGER
};

const RUBY: ManagerRow = ManagerRow {
    name: "bundler",
    program: "bundle",
    ecosystem: Ecosystem::Ruby,
    command: |_, _| "bundle install".to_owned(),
    script: ruby::bundler_script,
    inputs: &[".ruby-version"],
    inputs_below: &[".gemspec"],
    tool: Some(("bundle", "ruby-bundler")),
    outputs: &["vendor/bundle", ".bundle"],
    ..MANAGER
};

const PHP: ManagerRow = ManagerRow {
    name: "composer",
    program: "composer",
    ecosystem: Ecosystem::Php,
    command: |_, _| "composer install --no-interaction".to_owned(),
    script: php::composer_script,
    version_variables: &["COMPOSER_ROOT_VERSION"],
    tool: Some(("composer", "composer")),
    outputs: &["vendor"],
    bins: &[("vendor/bin", PathPlace::Behind)],
    ..MANAGER
};

const JVM: ManagerRow = ManagerRow { ecosystem: Ecosystem::Jvm, by_manifest: true, ..MANAGER };

/// Every package manager; of an ecosystem's the first with a lock file is used.
const MANAGERS: &[ManagerRow] = &[
    ManagerRow {
        name: "npm",
        program: "npm",
        locks: &["package-lock.json", "npm-shrinkwrap.json"],
        command: |_, _| "npm ci".to_owned(),
        script: node::npm_ci_script,
        ..NODE
    },
    ManagerRow {
        name: "pnpm",
        program: "pnpm",
        locks: &["pnpm-lock.yaml"],
        command: |_, _| "pnpm install --frozen-lockfile".to_owned(),
        script: node::pnpm_script,
        ..NODE
    },
    ManagerRow {
        name: "yarn",
        program: "yarn",
        locks: &["yarn.lock"],
        // From version 2 on the option has another name.
        command: |here, _| {
            let option = if here.has(".yarnrc.yml") { "--immutable" } else { "--frozen-lockfile" };
            format!("yarn install {option}")
        },
        script: node::yarn_script,
        ..NODE
    },
    ManagerRow {
        name: "bun",
        program: "bun",
        locks: &["bun.lock", "bun.lockb"],
        command: |_, _| "bun install --frozen-lockfile".to_owned(),
        script: node::bun_script,
        ..NODE
    },
    // Its members name each other as `workspace:*`, which npm does not know.
    ManagerRow {
        name: "pnpm without a lock file",
        program: "pnpm",
        locks: &["pnpm-workspace.yaml"],
        by_manifest: true,
        command: |_, _| "pnpm install --no-lockfile".to_owned(),
        script: node::pnpm_script,
        ..NODE
    },
    ManagerRow {
        name: "npm without a lock file",
        program: "npm",
        locks: &["package.json"],
        by_manifest: true,
        command: |_, _| "npm install --no-package-lock --no-audit --no-fund".to_owned(),
        script: node::npm_install_script,
        applies: node::has_dependencies,
        ..NODE
    },
    ManagerRow {
        name: "uv",
        program: "uv",
        locks: &["uv.lock"],
        command: |here, _| python::uv_command(here),
        script: python::uv_script,
        inputs: &["pyproject.toml", "uv.toml", ".python-version"],
        ..PYTHON
    },
    ManagerRow {
        name: "poetry",
        program: "poetry",
        locks: &["poetry.lock"],
        command: |_, _| "poetry install --no-interaction".to_owned(),
        script: python::poetry_script,
        inputs: &["pyproject.toml"],
        ..PYTHON
    },
    ManagerRow {
        name: "pdm",
        program: "pdm",
        locks: &["pdm.lock"],
        command: |_, _| "pdm install --frozen-lockfile".to_owned(),
        script: python::pdm_script,
        inputs: &["pyproject.toml"],
        ..PYTHON
    },
    ManagerRow {
        name: "pipenv",
        program: "pipenv",
        locks: &["Pipfile.lock"],
        command: |_, _| "pipenv sync --dev".to_owned(),
        script: python::pipenv_script,
        inputs: &["Pipfile"],
        ..PYTHON
    },
    ManagerRow {
        name: "pip",
        program: "python3",
        locks: &MANIFESTS,
        by_manifest: true,
        command: |here, _| python::pip_command(here),
        script: python::pip_script,
        applies: |here| python_needs::needs(here).is_some(),
        ..PYTHON
    },
    ManagerRow {
        locks: &["Cargo.lock"],
        command: |_, _| "cargo fetch --locked".to_owned(),
        // A lock file of path dependencies alone needs nothing. One that cannot be read is told by the set-up, before the tests.
        applies: |here| {
            let lock = in_dir(here.dir, "Cargo.lock");
            text(here.tree, &lock).is_some_and(|text| text.contains("source = \""))
                || toml(here.tree, &lock).is_none()
        },
        inputs: &["Cargo.toml", "rust-toolchain", "rust-toolchain.toml"],
        ..CARGO
    },
    ManagerRow {
        locks: &["Cargo.toml"],
        by_manifest: true,
        command: |_, _| "cargo fetch".to_owned(),
        applies: rust::needs_crates,
        inputs: &["rust-toolchain", "rust-toolchain.toml"],
        // The versions that were chosen hold for every later command.
        outputs: &["Cargo.lock"],
        ..CARGO
    },
    ManagerRow {
        name: "go",
        program: "go",
        ecosystem: Ecosystem::Go,
        kind: SetupKind::Go,
        locks: &["go.sum", "go.mod"],
        command: |_, _| "go mod download".to_owned(),
        tool: Some(("go", "golang")),
        ..MANAGER
    },
    ManagerRow {
        locks: &["Gemfile.lock", "gems.locked"],
        inputs: &["Gemfile", "gems.rb", ".ruby-version"],
        ..RUBY
    },
    ManagerRow {
        locks: &["Gemfile", "gems.rb"],
        by_manifest: true,
        outputs: &["vendor/bundle", ".bundle", "Gemfile.lock", "gems.locked"],
        ..RUBY
    },
    ManagerRow { locks: &["composer.lock"], inputs: &["composer.json"], ..PHP },
    ManagerRow {
        locks: &["composer.json"],
        by_manifest: true,
        applies: php::has_something_to_install,
        outputs: &["vendor", "composer.lock"],
        ..PHP
    },
    ManagerRow {
        name: "gradle",
        program: "gradle",
        locks: &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
        command: |here, _| format!("{} dependencies", jvm::program(here, "gradle")),
        script: jvm::gradle_script,
        inputs: &["gradle.properties", "gradlew"],
        inputs_below: &[
            ".gradle",
            ".gradle.kts",
            ".versions.toml",
            "gradle-wrapper.properties",
            "gradle.lockfile",
        ],
        variables: jvm::GRADLE_VARIABLES,
        tool: Some(("gradle", "gradle")),
        outputs: &[jvm::GRADLE_HOME],
        ..JVM
    },
    ManagerRow {
        name: "maven",
        program: "mvn",
        locks: &["pom.xml"],
        command: |here, _| format!("{} dependency:go-offline", jvm::program(here, "mvn")),
        script: jvm::maven_script,
        inputs: &["mvnw"],
        inputs_below: &["pom.xml", "maven.config", "extensions.xml", "maven-wrapper.properties"],
        variables: jvm::MAVEN_VARIABLES,
        tool: Some(("mvn", "maven")),
        outputs: &[jvm::MAVEN_HOME],
        ..JVM
    },
    ManagerRow {
        name: "dotnet",
        program: "dotnet",
        ecosystem: Ecosystem::Dotnet,
        locks: &["packages.lock.json"],
        command: |_, _| "dotnet restore --locked-mode".to_owned(),
        tool: Some(("dotnet", "dotnet-sdk")),
        outputs: &["obj"],
        ..MANAGER
    },
];

/// Directories whose lock files do not belong to the repository.
const FOREIGN: [&str; 12] = [
    "node_modules",
    "vendor",
    ".venv",
    "venv",
    "target",
    "fixtures",
    "__fixtures__",
    "testdata",
    "third_party",
    "dist",
    "site-packages",
    ".git",
];

/// Directories whose manifests are not about the project itself.
const ASIDE: [&str; 13] = [
    "docs",
    "doc",
    "documentation",
    "website",
    "examples",
    "example",
    "samples",
    "demo",
    "demos",
    "benchmark",
    "benchmarks",
    "tests",
    "test",
];

/// The set-up commands of the repository, one per directory and ecosystem.
pub fn setup(tree: &dyn Tree) -> Vec<SetupPlan> {
    // Asked of every file of a repository, so a look-up and no search.
    static LOCKS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| MANAGERS.iter().flat_map(|row| row.locks).copied().collect());
    let asks = |path: &&String| LOCKS.contains(path.rsplit('/').next().unwrap_or(path));
    let mut dirs: Vec<&str> = tree.paths().iter().filter(asks).map(|path| dir_of(path)).collect();
    dirs.sort_unstable();
    dirs.dedup();
    let mut plans = Vec::new();
    let mut taken: Vec<(Ecosystem, &str)> = Vec::new();
    for dir in dirs.into_iter().filter(|dir| !is_foreign(dir)) {
        let here = DirTree { tree, dir };
        let package = here.package();
        for row in chosen_in(&here, package.as_ref()) {
            let further_up = || {
                let mut above = upwards(dir).chain([""]);
                above.any(|above| above != dir && taken.contains(&(row.ecosystem, above)))
            };
            let apart = further_up() && row.ecosystem == Ecosystem::Rust && rust::is_own_root(&here);
            if row.by_manifest && (lies_in(dir, &ASIDE) || (further_up() && !apart)) {
                continue;
            }
            taken.push((row.ecosystem, dir));
            plans.push(SetupPlan { apart, ..plan(&here, row, package.as_ref()) });
        }
    }
    let root = DirTree { tree, dir: "" };
    if taken.iter().all(|(ecosystem, _)| *ecosystem != Ecosystem::Python) && python::has_bare_tests(&root) {
        plans.push(plan(&root, &BARE_PYTHON, None));
    }
    plans
}

fn is_foreign(dir: &str) -> bool {
    lies_in(dir, &FOREIGN)
}

fn lies_in(dir: &str, names: &[&str]) -> bool {
    dir.split('/').any(|part| names.contains(&part))
}

/// The package managers that a directory asks for: of an ecosystem's the one that its `package.json` names, else the first.
fn chosen_in(here: &DirTree<'_>, package: Option<&Value>) -> Vec<&'static ManagerRow> {
    let present: Vec<&ManagerRow> = MANAGERS
        .iter()
        .filter(|row| row.locks.iter().any(|lock| here.has(lock)) && (row.applies)(here))
        .collect();
    let named = package.and_then(|package| package.get("packageManager")?.as_str());
    let named = named.and_then(|text| text.split('@').next());
    let chosen = |row: &&&ManagerRow| {
        let rivals = || present.iter().filter(|other| other.ecosystem == row.ecosystem);
        let wanted = rivals().find(|other| Some(other.name) == named).or_else(|| rivals().next());
        wanted.is_some_and(|wanted| std::ptr::eq(*wanted, **row))
    };
    present.iter().filter(chosen).copied().collect()
}

fn plan(here: &DirTree<'_>, row: &ManagerRow, package: Option<&Value>) -> SetupPlan {
    let present: Vec<&str> = row.locks.iter().copied().filter(|lock| here.has(lock)).collect();
    let command = (row.command)(here, &present);
    let mut inputs: Vec<String> = Vec::new();
    let mut version_variables = row.version_variables.to_vec();
    if row.ecosystem == Ecosystem::Python {
        let needs = python_needs::needs(here).unwrap_or_default();
        if row.by_manifest {
            inputs = python_needs::inputs(here, &needs);
        }
        version_variables = needs.project.map(|project| project.version_variables).unwrap_or_default();
    }
    if inputs.is_empty() {
        let names = present.iter().chain(row.inputs).filter(|name| here.has(name));
        inputs = names.map(|name| (*name).to_owned()).collect();
    }
    inputs.extend(inputs_below(here, row).filter(|path| !present.contains(&path.as_str())));
    // A wrapper in the repository brings its program.
    let tool = row.tool.filter(|(name, _)| jvm::wrapper(here, name).is_none());
    let program = Some(row.program).filter(|name| jvm::wrapper(here, name).is_none());
    let all = |names: &[&str]| names.iter().map(|name| in_dir(here.dir, name)).collect::<Vec<_>>();
    let mut plan = SetupPlan {
        kind: row.kind,
        dir: here.dir.to_owned(),
        script: with_tool_check(tool, &(row.script)(here, &command)),
        command,
        version_variables,
        variables: row.variables.to_vec(),
        tool,
        program,
        inputs: inputs.iter().map(|name| in_dir(here.dir, name)).collect(),
        outputs: all(row.outputs),
        bins: row
            .bins
            .iter()
            .map(|(name, place)| ProgramDir { path: in_dir(here.dir, name), place: *place })
            .collect(),
        apart: false,
        endings: ENDINGS.iter().find(|(known, _)| *known == row.ecosystem).map_or(&[], |(_, all)| all),
    };
    if let (Ecosystem::Node, Some(package)) = (row.ecosystem, package) {
        add_members(here, package, &mut plan);
    }
    plan
}

/// The files in directories below that decide the result of a set-up.
fn inputs_below<'a>(here: &'a DirTree<'_>, row: &'a ManagerRow) -> impl Iterator<Item = String> + 'a {
    let prefix = in_dir(here.dir, "");
    let own = move |path: &'a String| Some(path.strip_prefix(&prefix)?.to_owned());
    let wanted =
        |path: &String| row.inputs_below.iter().any(|end| path.ends_with(end)) && !is_foreign(dir_of(path));
    here.tree.paths().iter().filter_map(own).filter(wanted)
}

/// A script that names the package of a program that is not installed.
fn with_tool_check(tool: Option<(&str, &str)>, script: &str) -> String {
    let Some((name, package)) = tool else { return script.to_owned() };
    format!(
        "command -v {name} >/dev/null || {{\n\
         \x20 echo 'error: `{name}` is not installed; install the package `{package}`' >&2; exit 127; }}\n{script}"
    )
}

/// Members of a workspace have their own manifests and their own `node_modules`.
fn add_members(here: &DirTree<'_>, package: &Value, plan: &mut SetupPlan) {
    if package.get("workspaces").is_none() && !here.has("pnpm-workspace.yaml") {
        return;
    }
    let locks = || {
        let rows = MANAGERS.iter().filter(|row| row.ecosystem == Ecosystem::Node && !row.by_manifest);
        rows.flat_map(|row| row.locks)
    };
    let prefix = in_dir(here.dir, "");
    for path in here.tree.paths() {
        let inner = path.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix("/package.json"));
        let Some(member) = inner.filter(|member| !is_foreign(member)) else { continue };
        let dir = format!("{prefix}{member}");
        if !locks().any(|lock| exists(here.tree, &in_dir(&dir, lock))) {
            plan.inputs.push(path.clone());
            plan.outputs.push(format!("{dir}/node_modules"));
        }
    }
}

#[cfg(test)]
mod tests;
