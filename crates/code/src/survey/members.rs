//! The members of a repository: directories with a manifest of their own.

use windlass_core::path_text::file_name;

use crate::survey::WorkspaceMember;

use super::assemble::is_foreign;
use crate::detect::{dir_of, json, text, toml};
use crate::repo::Tree;

const MANIFESTS: [&str; 13] = [
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "Gemfile",
    "CMakeLists.txt",
    "requirements.txt",
];

/// Every member, sorted by directory; of several manifests in one directory the first of the list names it.
pub(super) fn members(tree: &dyn Tree) -> Vec<WorkspaceMember> {
    let mut found: Vec<(&str, usize, &String)> = tree
        .paths()
        .iter()
        .filter_map(|path| {
            let name = file_name(path);
            let project = [".csproj", ".gemspec"].iter().any(|ending| name.ends_with(ending));
            let rank =
                MANIFESTS.iter().position(|known| *known == name).or(project.then_some(MANIFESTS.len()))?;
            Some((dir_of(path), rank, path))
        })
        .filter(|(dir, ..)| {
            !dir.split('/').any(|part| is_foreign(part) || matches!(part, "fixtures" | "testdata"))
        })
        .collect();
    found.sort_unstable();
    let mut members: Vec<WorkspaceMember> = Vec::new();
    for (dir, _, manifest) in found {
        let name = name_in(tree, manifest);
        match members.last_mut() {
            // A second manifest only adds the name that the first did not give.
            Some(last) if last.dir == dir => {
                if last.name.is_none() {
                    last.name = name;
                }
            }
            _ => members.push(WorkspaceMember { dir: dir.to_owned(), manifest: manifest.clone(), name }),
        }
    }
    members
}

fn name_in(tree: &dyn Tree, manifest: &str) -> Option<String> {
    match manifest.rsplit('/').next()? {
        "Cargo.toml" => {
            let table = toml(tree, manifest)?;
            Some(table.get("package")?.get("name")?.as_str()?.to_owned())
        }
        "package.json" | "composer.json" => Some(json(tree, manifest)?.get("name")?.as_str()?.to_owned()),
        "pyproject.toml" => {
            let table = toml(tree, manifest)?;
            let poetry = || table.get("tool")?.get("poetry")?.get("name")?.as_str();
            table.get("project").and_then(|p| p.get("name")?.as_str()).or_else(poetry).map(str::to_owned)
        }
        "go.mod" => {
            let text = text(tree, manifest)?;
            text.lines().find_map(|line| line.strip_prefix("module ")).map(|name| name.trim().to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
