//! Notes about what slots and exports do not contain: submodules, Git LFS files. Never a reason to refuse.

use windlass_core::ids::Oid;

use crate::error::EngineError;
use crate::git::{GITLINK, Repo};

/// Notes for the user about a commit, one line each.
pub(crate) fn findings(repo: &Repo, commit: &Oid) -> Result<Vec<String>, EngineError> {
    let entries = repo.ls_tree(commit)?;
    let mut said = Vec::new();
    let submodules: Vec<&str> =
        entries.iter().filter(|e| e.mode == GITLINK).map(|e| e.path.as_str()).collect();
    if !submodules.is_empty() {
        said.push(format!(
            "submodules are empty directories for agents and tests: {}",
            submodules.join(", ")
        ));
    }
    let is_attributes = |path: &str| path.rsplit('/').next() == Some(".gitattributes");
    let attributes: Vec<Oid> =
        entries.iter().filter(|e| is_attributes(&e.path)).map(|e| e.oid.clone()).collect();
    let texts = repo.read_blobs(&attributes)?;
    let patterns: Vec<String> =
        texts.iter().flat_map(|text| large_files(&String::from_utf8_lossy(text))).collect();
    if !patterns.is_empty() {
        let patterns = patterns.join(", ");
        said.push(format!(
            "files in Git LFS are their pointers for agents and tests, not their content: {patterns}"
        ));
    }
    Ok(said)
}

/// The patterns that a file of attributes gives to Git LFS.
fn large_files(attributes: &str) -> Vec<String> {
    let given =
        |line: &&str| !line.starts_with('#') && line.split_whitespace().any(|word| word == "filter=lfs");
    attributes
        .lines()
        .filter(given)
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_given_to_lfs_is_large() {
        let text = "# *.zip filter=lfs\n*.bin filter=lfs diff=lfs -text\n*.txt text\nmodels/** filter=lfs\n";
        assert_eq!(large_files(text), ["*.bin", "models/**"]);
    }
}
