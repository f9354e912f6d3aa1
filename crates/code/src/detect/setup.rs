//! Set-up commands that lock files ask for: one row per package manager.

use serde_json::Value;

use super::manifest::{dir_of, exists, in_dir, json, text};
use crate::repo::Tree;

/// One set-up command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupPlan {
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The command, for `bash`.
    pub command: String,
    /// The files that decide its result, relative to the root of the tree.
    pub inputs: Vec<String>,
    /// What it leaves behind, relative to the root of the tree.
    pub outputs: Vec<String>,
    /// Directories with programs that belong in front of `PATH` afterwards, relative to the root of the tree.
    pub bins: Vec<String>,
}

/// Package managers of which a directory needs one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ecosystem {
    Node,
    Python,
    Rust,
    Go,
    Ruby,
    Php,
    Dotnet,
}

/// What is known about a package manager.
struct ManagerRow {
    name: &'static str,
    ecosystem: Ecosystem,
    /// Files that ask for it.
    locks: &'static [&'static str],
    /// The command in a directory with some of the lock files.
    command: fn(&DirTree<'_>, &[&str]) -> String,
    /// Whether there is something to set up in a directory with a lock file.
    applies: fn(&DirTree<'_>) -> bool,
    /// Files besides the lock files that decide the result.
    inputs: &'static [&'static str],
    outputs: &'static [&'static str],
    bins: &'static [&'static str],
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
    ecosystem: Ecosystem::Node,
    locks: &[],
    command: |_, _| String::new(),
    applies: |_| true,
    inputs: &[],
    outputs: &[],
    bins: &[],
};

const NODE: ManagerRow = ManagerRow {
    applies: |here| here.package().is_some(),
    inputs: &["package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs"],
    outputs: &["node_modules"],
    bins: &["node_modules/.bin"],
    ..MANAGER
};

const PYTHON: ManagerRow =
    ManagerRow { ecosystem: Ecosystem::Python, outputs: &[".venv"], bins: &[".venv/bin"], ..MANAGER };

/// Every package manager; of an ecosystem's the first with a lock file is used.
const MANAGERS: &[ManagerRow] = &[
    ManagerRow {
        name: "npm",
        locks: &["package-lock.json", "npm-shrinkwrap.json"],
        command: |_, _| "npm ci".to_owned(),
        ..NODE
    },
    ManagerRow {
        name: "pnpm",
        locks: &["pnpm-lock.yaml"],
        command: |_, _| "pnpm install --frozen-lockfile".to_owned(),
        ..NODE
    },
    ManagerRow {
        name: "yarn",
        locks: &["yarn.lock"],
        // From version 2 on the option has another name.
        command: |here, _| {
            let option = if here.has(".yarnrc.yml") { "--immutable" } else { "--frozen-lockfile" };
            format!("yarn install {option}")
        },
        ..NODE
    },
    ManagerRow {
        name: "bun",
        locks: &["bun.lock", "bun.lockb"],
        command: |_, _| "bun install --frozen-lockfile".to_owned(),
        ..NODE
    },
    ManagerRow {
        name: "uv",
        locks: &["uv.lock"],
        command: |_, _| "uv sync --frozen".to_owned(),
        inputs: &["pyproject.toml", "uv.toml", ".python-version"],
        ..PYTHON
    },
    ManagerRow {
        name: "poetry",
        locks: &["poetry.lock"],
        command: |_, _| "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction".to_owned(),
        inputs: &["pyproject.toml"],
        ..PYTHON
    },
    ManagerRow {
        name: "pipenv",
        locks: &["Pipfile.lock"],
        command: |_, _| "PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev".to_owned(),
        inputs: &["Pipfile"],
        ..PYTHON
    },
    ManagerRow {
        name: "pip",
        locks: &[
            "requirements.txt",
            "requirements-dev.txt",
            "requirements_dev.txt",
            "dev-requirements.txt",
            "requirements-test.txt",
            "test-requirements.txt",
        ],
        command: |_, lists| {
            let options: String = lists.iter().map(|name| format!(" -r {name}")).collect();
            format!("python3 -m venv .venv && .venv/bin/python -m pip install{options}")
        },
        ..PYTHON
    },
    ManagerRow {
        name: "cargo",
        ecosystem: Ecosystem::Rust,
        locks: &["Cargo.lock"],
        command: |_, _| "cargo fetch --locked".to_owned(),
        // A lock file of path dependencies alone needs nothing.
        applies: |here| {
            text(here.tree, &in_dir(here.dir, "Cargo.lock")).is_some_and(|lock| lock.contains("source = \""))
        },
        inputs: &["Cargo.toml", "rust-toolchain", "rust-toolchain.toml"],
        ..MANAGER
    },
    ManagerRow {
        name: "go",
        ecosystem: Ecosystem::Go,
        locks: &["go.sum"],
        command: |_, _| "go mod download".to_owned(),
        inputs: &["go.mod"],
        ..MANAGER
    },
    ManagerRow {
        name: "bundler",
        ecosystem: Ecosystem::Ruby,
        locks: &["Gemfile.lock"],
        command: |_, _| "BUNDLE_PATH=vendor/bundle BUNDLE_FROZEN=true bundle install".to_owned(),
        inputs: &["Gemfile", ".ruby-version"],
        outputs: &["vendor/bundle", ".bundle"],
        ..MANAGER
    },
    ManagerRow {
        name: "composer",
        ecosystem: Ecosystem::Php,
        locks: &["composer.lock"],
        command: |_, _| "composer install --no-interaction".to_owned(),
        inputs: &["composer.json"],
        outputs: &["vendor"],
        bins: &["vendor/bin"],
        ..MANAGER
    },
    ManagerRow {
        name: "dotnet",
        ecosystem: Ecosystem::Dotnet,
        locks: &["packages.lock.json"],
        command: |_, _| "dotnet restore --locked-mode".to_owned(),
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

/// The set-up commands of the repository, one per directory and ecosystem.
pub fn setup(tree: &dyn Tree) -> Vec<SetupPlan> {
    let asks = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        MANAGERS.iter().any(|row| row.locks.contains(&name))
    };
    let mut dirs: Vec<&str> = tree.paths().iter().filter(asks).map(|path| dir_of(path)).collect();
    dirs.sort_unstable();
    dirs.dedup();
    let own = dirs.into_iter().filter(|dir| !is_foreign(dir));
    own.flat_map(|dir| plans_in(&DirTree { tree, dir })).collect()
}

fn is_foreign(dir: &str) -> bool {
    dir.split('/').any(|part| FOREIGN.contains(&part))
}

fn plans_in(here: &DirTree<'_>) -> Vec<SetupPlan> {
    let present: Vec<&ManagerRow> = MANAGERS
        .iter()
        .filter(|row| row.locks.iter().any(|lock| here.has(lock)) && (row.applies)(here))
        .collect();
    let package = here.package();
    let named = package.as_ref().and_then(|package| package.get("packageManager")?.as_str());
    let named = named.and_then(|text| text.split('@').next());
    let chosen = |row: &&&ManagerRow| {
        let rivals = || present.iter().filter(|other| other.ecosystem == row.ecosystem);
        let wanted = rivals().find(|other| Some(other.name) == named).or_else(|| rivals().next());
        wanted.is_some_and(|wanted| wanted.name == row.name)
    };
    present.iter().filter(chosen).map(|row| plan(here, row, package.as_ref())).collect()
}

fn plan(here: &DirTree<'_>, row: &ManagerRow, package: Option<&Value>) -> SetupPlan {
    let present: Vec<&str> = row.locks.iter().copied().filter(|lock| here.has(lock)).collect();
    let inputs = present.iter().chain(row.inputs).filter(|name| here.has(name));
    let all = |names: &[&str]| names.iter().map(|name| in_dir(here.dir, name)).collect::<Vec<_>>();
    let mut plan = SetupPlan {
        dir: here.dir.to_owned(),
        command: (row.command)(here, &present),
        inputs: inputs.map(|name| in_dir(here.dir, name)).collect(),
        outputs: all(row.outputs),
        bins: all(row.bins),
    };
    if let (Ecosystem::Node, Some(package)) = (row.ecosystem, package) {
        add_members(here, package, &mut plan);
    }
    plan
}

/// Members of a workspace have their own manifests and their own `node_modules`.
fn add_members(here: &DirTree<'_>, package: &Value, plan: &mut SetupPlan) {
    if package.get("workspaces").is_none() && !here.has("pnpm-workspace.yaml") {
        return;
    }
    let locks = || MANAGERS.iter().filter(|row| row.ecosystem == Ecosystem::Node).flat_map(|row| row.locks);
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
