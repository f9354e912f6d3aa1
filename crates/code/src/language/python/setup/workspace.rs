//! The projects of a workspace of uv. They depend on each other by name, and an index has other versions of those names.

use toml::{Table, Value};

use crate::detect::in_dir;
use crate::detect::setup::DirTree;

/// The members of a workspace, and the sources that are directories, relative to the directory of the manifest.
pub(super) fn workspace_members(pyproject: &Table, here: &DirTree<'_>) -> Vec<String> {
    let uv = pyproject.get("tool").and_then(|tool| tool.get("uv"));
    let members = uv.and_then(|uv| uv.get("workspace")?.get("members")?.as_array());
    let members = members.into_iter().flatten().filter_map(Value::as_str);
    let sources = uv.and_then(|uv| uv.get("sources")?.as_table());
    let sources = sources.into_iter().flatten().filter_map(|(_, source)| source.get("path")?.as_str());
    let plain = |pattern: &str| pattern.trim_start_matches("./").trim_end_matches('/').to_owned();
    let wanted: Vec<String> = members.chain(sources).map(plain).collect();
    let is_meant = |dir: &&str| {
        wanted.iter().any(|pattern| match pattern.strip_suffix("/*") {
            Some(above) => dir.rsplit_once('/').is_some_and(|(parent, _)| parent == above),
            None => dir == pattern,
        })
    };
    let prefix = in_dir(here.dir, "");
    let manifests = here.tree.paths().iter().filter_map(|path| path.strip_suffix("/pyproject.toml"));
    manifests.filter_map(|path| path.strip_prefix(&prefix)).filter(is_meant).map(str::to_owned).collect()
}
