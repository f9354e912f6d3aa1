//! Tests of `setup`.

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
        ("poetry.lock", "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction"),
        ("Pipfile.lock", "PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev"),
        ("requirements.txt", "python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt"),
        ("go.sum", "go mod download"),
        ("Gemfile.lock", "BUNDLE_PATH=vendor/bundle BUNDLE_FROZEN=true bundle install"),
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
