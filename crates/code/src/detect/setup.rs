//! Set-up commands that lock files ask for.

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

/// Files that ask for a set-up.
const LOCKS: [&str; 20] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
    "uv.lock",
    "poetry.lock",
    "Pipfile.lock",
    "requirements.txt",
    "requirements-dev.txt",
    "requirements_dev.txt",
    "dev-requirements.txt",
    "requirements-test.txt",
    "test-requirements.txt",
    "Cargo.lock",
    "go.sum",
    "Gemfile.lock",
    "composer.lock",
    "packages.lock.json",
];

/// Directories whose lock files are somebody else's.
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

/// The set-up commands of the repository, one per directory and tool.
pub fn setup(tree: &dyn Tree) -> Vec<SetupPlan> {
    let asks = |path: &&String| LOCKS.contains(&path.rsplit('/').next().unwrap_or(path));
    let mut dirs: Vec<&str> = tree.paths().iter().filter(asks).map(|path| dir_of(path)).collect();
    dirs.sort_unstable();
    dirs.dedup();
    let own = dirs.into_iter().filter(|dir| !dir.split('/').any(|part| FOREIGN.contains(&part)));
    let mut plans = Vec::new();
    for dir in own {
        plans.extend(node(tree, dir));
        plans.extend(python(tree, dir));
        plans.extend(cargo(tree, dir));
        plans.extend(go(tree, dir));
        plans.extend(ruby(tree, dir));
        plans.extend(php(tree, dir));
        plans.extend(dotnet(tree, dir));
    }
    plans
}

fn plan(
    tree: &dyn Tree,
    dir: &str,
    command: &str,
    inputs: &[&str],
    outputs: &[&str],
    bins: &[&str],
) -> SetupPlan {
    let here = |names: &[&str]| names.iter().map(|name| in_dir(dir, name)).collect::<Vec<_>>();
    SetupPlan {
        dir: dir.to_owned(),
        command: command.to_owned(),
        inputs: here(inputs).into_iter().filter(|path| exists(tree, path)).collect(),
        outputs: here(outputs),
        bins: here(bins),
    }
}

/// What `packageManager` names, or else the first lock file, npm's own first.
fn node(tree: &dyn Tree, dir: &str) -> Option<SetupPlan> {
    let tools = [
        ("npm", "package-lock.json", "npm ci"),
        ("npm", "npm-shrinkwrap.json", "npm ci"),
        ("pnpm", "pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
        ("yarn", "yarn.lock", "yarn install --frozen-lockfile"),
        ("bun", "bun.lock", "bun install --frozen-lockfile"),
        ("bun", "bun.lockb", "bun install --frozen-lockfile"),
    ];
    let package = json(tree, &in_dir(dir, "package.json"))?;
    let wanted =
        package.get("packageManager").and_then(Value::as_str).and_then(|text| text.split('@').next());
    let present: Vec<_> = tools.iter().filter(|(_, lock, _)| exists(tree, &in_dir(dir, lock))).collect();
    let chosen = present.iter().find(|(tool, ..)| Some(*tool) == wanted).or(present.first())?;
    let (_, lock, command) = chosen;
    let command = match *command {
        // Yarn from version 2 on has another word for it.
        "yarn install --frozen-lockfile" if exists(tree, &in_dir(dir, ".yarnrc.yml")) => {
            "yarn install --immutable"
        }
        other => other,
    };
    let inputs =
        [*lock, "package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs"];
    let mut plan = plan(tree, dir, command, &inputs, &["node_modules"], &["node_modules/.bin"]);
    let is_workspace =
        package.get("workspaces").is_some() || exists(tree, &in_dir(dir, "pnpm-workspace.yaml"));
    // Members of a workspace have their own manifests and their own `node_modules`.
    let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
    for path in tree.paths() {
        let inner = path.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix("/package.json"));
        if let Some(member) = inner
            && !member.split('/').any(|part| FOREIGN.contains(&part))
            && is_workspace
            && !tools.iter().any(|(_, lock, _)| exists(tree, &format!("{prefix}{member}/{lock}")))
        {
            plan.inputs.push(path.clone());
            plan.outputs.push(format!("{prefix}{member}/node_modules"));
        }
    }
    Some(plan)
}

fn python(tree: &dyn Tree, dir: &str) -> Option<SetupPlan> {
    let has = |name: &str| exists(tree, &in_dir(dir, name));
    let venv = (&[".venv"][..], &[".venv/bin"][..]);
    if has("uv.lock") {
        return Some(plan(
            tree,
            dir,
            "uv sync --frozen",
            &["uv.lock", "pyproject.toml", "uv.toml", ".python-version"],
            venv.0,
            venv.1,
        ));
    }
    if has("poetry.lock") {
        let command = "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction";
        return Some(plan(tree, dir, command, &["poetry.lock", "pyproject.toml"], venv.0, venv.1));
    }
    if has("Pipfile.lock") {
        let command = "PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev";
        return Some(plan(tree, dir, command, &["Pipfile.lock", "Pipfile"], venv.0, venv.1));
    }
    let lists: Vec<&str> = [
        "requirements.txt",
        "requirements-dev.txt",
        "requirements_dev.txt",
        "dev-requirements.txt",
        "requirements-test.txt",
        "test-requirements.txt",
    ]
    .into_iter()
    .filter(|name| has(name))
    .collect();
    if lists.is_empty() {
        return None;
    }
    let options: Vec<String> = lists.iter().map(|name| format!("-r {name}")).collect();
    let command = format!("python3 -m venv .venv && .venv/bin/python -m pip install {}", options.join(" "));
    Some(plan(tree, dir, &command, &lists, venv.0, venv.1))
}

/// Only where something has to be fetched: a lock file of path dependencies alone needs nothing.
fn cargo(tree: &dyn Tree, dir: &str) -> Option<SetupPlan> {
    let lock = text(tree, &in_dir(dir, "Cargo.lock"))?;
    let inputs = ["Cargo.lock", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml"];
    lock.contains("source = \"").then(|| plan(tree, dir, "cargo fetch --locked", &inputs, &[], &[]))
}

fn go(tree: &dyn Tree, dir: &str) -> Option<SetupPlan> {
    exists(tree, &in_dir(dir, "go.sum"))
        .then(|| plan(tree, dir, "go mod download", &["go.sum", "go.mod"], &[], &[]))
}

fn ruby(tree: &dyn Tree, dir: &str) -> Option<SetupPlan> {
    let inputs = ["Gemfile.lock", "Gemfile", ".ruby-version"];
    exists(tree, &in_dir(dir, "Gemfile.lock")).then(|| {
        let command = "BUNDLE_PATH=vendor/bundle BUNDLE_FROZEN=true bundle install";
        plan(tree, dir, command, &inputs, &["vendor/bundle", ".bundle"], &[])
    })
}

fn php(tree: &dyn Tree, dir: &str) -> Option<SetupPlan> {
    exists(tree, &in_dir(dir, "composer.lock")).then(|| {
        let inputs = ["composer.lock", "composer.json"];
        plan(tree, dir, "composer install --no-interaction", &inputs, &["vendor"], &["vendor/bin"])
    })
}

fn dotnet(tree: &dyn Tree, dir: &str) -> Option<SetupPlan> {
    exists(tree, &in_dir(dir, "packages.lock.json"))
        .then(|| plan(tree, dir, "dotnet restore --locked-mode", &["packages.lock.json"], &["obj"], &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

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
        "old" python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt -r requirements-dev.txt <- old/requirements.txt old/requirements-dev.txt -> old/.venv
        "rb" BUNDLE_PATH=vendor/bundle BUNDLE_FROZEN=true bundle install <- rb/Gemfile.lock -> rb/vendor/bundle rb/.bundle
        "rs" cargo fetch --locked <- rs/Cargo.lock rs/Cargo.toml -> 
        "y" yarn install --immutable <- y/yarn.lock y/package.json y/.yarnrc.yml -> y/node_modules
        "#);
    }
}
