//! Requirement lists as tox files name them: with references to other sections, and with the name of the environment in a path.

use crate::detect::ini_lines;
use crate::detect::setup::DirTree;
use crate::detect::{dir_of, relative};

/// The lines of a list in a tox file, with those of lists that it refers to: `{[core]deps}`.
pub(super) fn tox_lines(text: &str, section: &str, key: &str) -> Vec<String> {
    let referred = |line: &str| {
        let (section, key) = line.strip_prefix("{[")?.strip_suffix('}')?.split_once(']')?;
        Some(ini_lines(text, section, key))
    };
    ini_lines(text, section, key).into_iter().flat_map(|line| referred(&line).unwrap_or(vec![line])).collect()
}

/// The list that stands for `tests/requirements/{envname}.txt`: the one that those of all environments were made from, since their
/// versions are for one Python each; else that of the newest. `None` if there is no such list.
pub(super) fn list_of_environment(here: &DirTree<'_>, path: String) -> Option<String> {
    let Some((before, rest)) = path.split_once('{') else { return Some(path) };
    let (_, after) = rest.rsplit_once('}')?;
    let own = || here.tree.paths().iter().map(|path| relative(here.dir, path));
    let dir = dir_of(before);
    let mut sources = own().filter(|path| path.ends_with(".in") && dir_of(path) == dir);
    if let (Some(source), None) = (sources.next(), sources.next()) {
        return Some(source.to_owned());
    }
    let fits = |path: &&str| {
        path.strip_prefix(before).is_some_and(|rest| rest.ends_with(after) && !rest.contains('/'))
    };
    own().filter(fits).max_by_key(|path| (path.len(), *path)).map(str::to_owned)
}
