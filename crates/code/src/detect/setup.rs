//! Set-up commands that lock files and manifests ask for: one row per package manager, in the table of its language.

mod plan;

use std::collections::HashSet;
use std::sync::LazyLock;
use windlass_core::path_text::file_name;

use super::manifest::{dir_of, in_dir, upwards};
use crate::language::Language;
use crate::repo::Tree;
pub use plan::{PathPlace, ProgramDir, SetupKind, SetupPlan};

/// What is known about a package manager. Of those of a language a directory needs one.
pub(crate) struct ManagerRow {
    pub(crate) name: &'static str,
    /// The program that the command calls.
    pub(crate) program: &'static str,
    /// The programs whose versions its result depends on, each with the argument that has it tell its version.
    pub(crate) versions: &'static [(&'static str, &'static str)],
    pub(crate) kind: SetupKind,
    /// Files that ask for it.
    pub(crate) locks: &'static [&'static str],
    /// Whether those files are manifests, of which one further up counts and one among documents or examples does not.
    pub(crate) by_manifest: bool,
    /// The name of the manager that a directory states where it has lock files of several.
    pub(crate) named: fn(&DirTree<'_>) -> Option<String>,
    /// Whether a directory has nothing to do with a manifest further up.
    pub(crate) stands_apart: fn(&DirTree<'_>) -> bool,
    /// The command in a directory with some of the lock files.
    pub(crate) command: fn(&DirTree<'_>, &[&str]) -> String,
    /// What is run for the command.
    pub(crate) script: fn(&DirTree<'_>, &str) -> String,
    /// Whether there is something to set up in a directory with a lock file.
    pub(crate) applies: fn(&DirTree<'_>) -> bool,
    /// Whether the directory brings its program, so that the machine need not have it.
    pub(crate) brings_program: fn(&DirTree<'_>) -> bool,
    /// Files besides the lock files that decide the result.
    pub(crate) inputs: &'static [&'static str],
    /// How the names of files in any directory below end that decide the result too.
    pub(crate) inputs_below: &'static [&'static str],
    pub(crate) variables: &'static [(&'static str, &'static str)],
    pub(crate) tool: Option<(&'static str, &'static str)>,
    pub(crate) outputs: &'static [&'static str],
    pub(crate) bins: &'static [(&'static str, PathPlace)],
    /// Variables that hold the version of the project for tools that would ask git for it.
    pub(crate) version_variables: fn(&DirTree<'_>) -> Vec<&'static str>,
    /// Where the files that decide the result are found by reading others: those files.
    pub(crate) read_inputs: Option<fn(&DirTree<'_>) -> Vec<String>>,
    /// Adds what belongs to the other packages of a workspace.
    pub(crate) add_members: fn(&DirTree<'_>, &mut SetupPlan),
}

/// One directory of a tree.
pub(crate) struct DirTree<'a> {
    pub(crate) tree: &'a dyn Tree,
    pub(crate) dir: &'a str,
}

impl DirTree<'_> {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.tree.has(&in_dir(self.dir, name))
    }
}

/// A package manager of which nothing is known.
pub(crate) const MANAGER: ManagerRow = ManagerRow {
    name: "",
    program: "",
    versions: &[],
    kind: SetupKind::Other,
    locks: &[],
    by_manifest: false,
    named: |_| None,
    stands_apart: |_| false,
    command: |_, _| String::new(),
    script: |_, command| command.to_owned(),
    applies: |_| true,
    brings_program: |_| false,
    inputs: &[],
    inputs_below: &[],
    variables: &[],
    tool: None,
    outputs: &[],
    bins: &[],
    version_variables: |_| Vec::new(),
    read_inputs: None,
    add_members: |_, _| {},
};

/// Every package manager.
pub(crate) fn managers() -> impl Iterator<Item = &'static ManagerRow> {
    Language::families().flat_map(|language| language.row().tooling.managers)
}

/// Directories whose lock files do not belong to the repository.
#[rustfmt::skip]
const FOREIGN: [&str; 12] = [
    "node_modules", "vendor", ".venv", "venv", "target", "fixtures", "__fixtures__", "testdata", "third_party",
    "dist", "site-packages", ".git",
];

/// Directories whose manifests are not about the project itself.
#[rustfmt::skip]
const ASIDE: [&str; 13] = [
    "docs", "doc", "documentation", "website", "examples", "example", "samples", "demo", "demos", "benchmark",
    "benchmarks", "tests", "test",
];

/// The set-up commands of the repository, one per directory and language.
pub fn setup(tree: &dyn Tree) -> Vec<SetupPlan> {
    // Asked of every file of a repository, so a look-up and no search.
    static LOCKS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| managers().flat_map(|row| row.locks).copied().collect());
    let asks = |path: &&String| LOCKS.contains(file_name(path));
    let mut dirs: Vec<&str> = tree.paths().iter().filter(asks).map(|path| dir_of(path)).collect();
    dirs.sort_unstable();
    dirs.dedup();
    let mut plans = Vec::new();
    let mut taken: Vec<(Language, &str)> = Vec::new();
    for dir in dirs.into_iter().filter(|dir| !is_foreign(dir)) {
        let here = DirTree { tree, dir };
        let chosen =
            Language::families().filter_map(|language| Some((language, chosen_in(&here, language)?)));
        for (language, row) in chosen {
            let further_up = || {
                let mut above = upwards(dir).chain([""]);
                above.any(|above| above != dir && taken.contains(&(language, above)))
            };
            let apart = further_up() && (row.stands_apart)(&here);
            if row.by_manifest && (lies_in(dir, &ASIDE) || (further_up() && !apart)) {
                continue;
            }
            taken.push((language, dir));
            plans.push(SetupPlan { apart, ..plan(&here, language, row) });
        }
    }
    let root = DirTree { tree, dir: "" };
    // The languages that nothing was found for first: the other question reads files.
    for language in Language::families().filter(|language| taken.iter().all(|(known, _)| known != language)) {
        let bare = language.row().tooling.without_manifest.filter(|row| (row.applies)(&root));
        plans.extend(bare.map(|row| plan(&root, language, row)));
    }
    plans
}

/// The programs whose versions the result of a set-up depends on, by the words of its script; each with the argument that has it tell
/// its version.
pub fn versioned_programs(words: &[&str]) -> Vec<(&'static str, &'static str)> {
    let bare = Language::families().filter_map(|language| language.row().tooling.without_manifest);
    let called =
        managers().chain(bare).filter(|row| words.contains(&row.program) || words.contains(&row.name));
    let mut out = Vec::new();
    for program in called.flat_map(|row| row.versions) {
        if !out.contains(program) {
            out.push(*program);
        }
    }
    out
}

/// Whether the manifests and lock files of a directory do not belong to the repository.
pub(crate) fn is_foreign(dir: &str) -> bool {
    lies_in(dir, &FOREIGN)
}

fn lies_in(dir: &str, names: &[&str]) -> bool {
    dir.split('/').any(|part| names.contains(&part))
}

/// The package manager of a language that a directory asks for: the one that its manifest names, else the first.
fn chosen_in(here: &DirTree<'_>, language: Language) -> Option<&'static ManagerRow> {
    let asked = |row: &&ManagerRow| row.locks.iter().any(|lock| here.has(lock)) && (row.applies)(here);
    let present: Vec<&ManagerRow> = language.row().tooling.managers.iter().filter(asked).collect();
    let named = |row: &&&ManagerRow| (row.named)(here).is_some_and(|name| name == row.name);
    present.iter().find(named).or_else(|| present.first()).copied()
}

fn plan(here: &DirTree<'_>, language: Language, row: &ManagerRow) -> SetupPlan {
    let present: Vec<&str> = row.locks.iter().copied().filter(|lock| here.has(lock)).collect();
    let command = (row.command)(here, &present);
    let mut inputs = row.read_inputs.map(|read| read(here)).unwrap_or_default();
    if inputs.is_empty() {
        let names = present.iter().chain(row.inputs).filter(|name| here.has(name));
        inputs = names.map(|name| (*name).to_owned()).collect();
    }
    inputs.extend(inputs_below(here, row).filter(|path| !present.contains(&path.as_str())));
    let brings_program = (row.brings_program)(here);
    let tool = row.tool.filter(|_| !brings_program);
    let all = |names: &[&str]| names.iter().map(|name| in_dir(here.dir, name)).collect::<Vec<_>>();
    let mut plan = SetupPlan {
        kind: row.kind,
        dir: here.dir.to_owned(),
        script: with_tool_check(tool, &(row.script)(here, &command)),
        command,
        version_variables: (row.version_variables)(here),
        variables: row.variables.to_vec(),
        tool,
        program: Some(row.program).filter(|_| !brings_program),
        inputs: inputs.iter().map(|name| in_dir(here.dir, name)).collect(),
        outputs: all(row.outputs),
        bins: row
            .bins
            .iter()
            .map(|(name, place)| ProgramDir { path: in_dir(here.dir, name), place: *place })
            .collect(),
        apart: false,
        endings: endings(language).collect(),
    };
    (row.add_members)(here, &mut plan);
    plan
}

/// The endings of the files that need the set-up of a language; none where no package manager is known.
fn endings(family: Language) -> impl Iterator<Item = &'static str> {
    let tooling = &family.row().tooling;
    let own = move |language: &&Language| language.same_family(family) && !tooling.managers.is_empty();
    let sources = Language::ALL.iter().filter(own).flat_map(|language| language.row().extensions);
    sources.chain(tooling.further_endings).copied()
}

/// The files in directories below that decide the result of a set-up.
fn inputs_below<'a>(here: &'a DirTree<'_>, row: &'a ManagerRow) -> impl Iterator<Item = String> + 'a {
    let prefix = in_dir(here.dir, "");
    let own = move |path: &'a String| Some(path.strip_prefix(&prefix)?.to_owned());
    let wanted =
        |path: &String| row.inputs_below.iter().any(|end| path.ends_with(end)) && !is_foreign(dir_of(path));
    here.tree.paths().iter().filter_map(own).filter(wanted)
}

/// Whether a file could be a module that a set-up wrote beside those of the project: its version, a compiled extension.
pub fn is_built_module(path: &str) -> bool {
    let mut endings = Language::families().flat_map(|language| language.row().tooling.built_modules);
    endings.any(|ending| path.ends_with(ending))
}

/// A script that names the package of a program that is not installed.
fn with_tool_check(tool: Option<(&str, &str)>, script: &str) -> String {
    let Some((name, package)) = tool else { return script.to_owned() };
    format!(
        "command -v {name} >/dev/null || {{\n\
         \x20 echo 'error: `{name}` is not installed; install the package `{package}`' >&2; exit 127; }}\n{script}"
    )
}

#[cfg(test)]
mod tests;
