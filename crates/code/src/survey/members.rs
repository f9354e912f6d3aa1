//! The members of a repository: directories with a manifest of their own.

use windlass_core::path_text::file_name;

use crate::survey::WorkspaceMember;

use super::assemble::is_foreign;
use crate::detect::dir_of;
use crate::language::{Language, name_fits};
use crate::repo::Tree;

/// Every member, sorted by directory; of several manifests in one directory the one with the lowest rank names it.
pub(super) fn members(tree: &dyn Tree) -> Vec<WorkspaceMember> {
    let mut found: Vec<(&str, u8, Option<usize>, &String)> = tree
        .paths()
        .iter()
        .filter_map(|path| {
            let name = file_name(path);
            let row = Language::of_manifest(name)?.row();
            let place = row.manifests.iter().position(|known| name_fits(known, name));
            Some((dir_of(path), row.manifest_rank, place, path))
        })
        .filter(|(dir, ..)| {
            !dir.split('/').any(|part| is_foreign(part) || matches!(part, "fixtures" | "testdata"))
        })
        .collect();
    found.sort_unstable();
    let mut members: Vec<WorkspaceMember> = Vec::new();
    for (dir, .., manifest) in found {
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
    let family = Language::of_manifest(file_name(manifest))?.row().family;
    (family.row().tooling.project_name)(tree, manifest)
}

#[cfg(test)]
mod tests;
