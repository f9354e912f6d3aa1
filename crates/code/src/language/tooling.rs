//! The tools around a language: its files at the top of a project, its package managers, formatters, type checkers and linters.
//!
//! A table starts from [`Tooling::NONE`]. A tool that serves several languages stands with the one that it came from.

use crate::detect::{CheckerRow, FormatterRow, ManagerRow, ManifestRow};
use crate::repo::Tree;

/// What belongs to a language beside its sources.
pub(crate) struct Tooling {
    /// Programs that a machine has where it is worked with.
    pub(crate) programs: &'static [&'static str],
    /// Variables that say where its tool-chain lies, each with the usual place below the home.
    pub(crate) homes: &'static [(&'static str, &'static str)],
    /// The same for what its package managers fetched.
    pub(crate) caches: &'static [(&'static str, &'static str)],
    /// Variables that name its registries of packages, and the log-ins for them.
    pub(crate) registries: &'static [&'static str],
    /// Files that configure a build or a test run; a `*` in a name stands for anything.
    pub(crate) build_files: &'static [&'static str],
    /// Manifests and other files at the top of a project, and what of them matters.
    pub(crate) manifests: &'static [ManifestRow],
    /// Lock files by the name of their manifest.
    pub(crate) lock_files: &'static [(&'static str, &'static [&'static str])],
    /// The package managers. Of several with a lock file in one directory, the first is used.
    pub(crate) managers: &'static [ManagerRow],
    /// The set-up at the root of a repository in which none of those finds anything.
    pub(crate) without_manifest: Option<&'static ManagerRow>,
    /// Endings besides those of its sources of files that need its set-up.
    pub(crate) further_endings: &'static [&'static str],
    /// How the names of modules end that the build of a project writes beside its own.
    pub(crate) built_modules: &'static [&'static str],
    /// The formatters, in the order in which they run over a file.
    pub(crate) formatters: &'static [FormatterRow],
    /// The files that configure them; a `*` in a name stands for anything.
    pub(crate) format_files: &'static [&'static str],
    /// The type checkers.
    pub(crate) type_checkers: &'static [CheckerRow],
    /// The linters.
    pub(crate) linters: &'static [CheckerRow],
    /// The name of a project, in its manifest at this path.
    pub(crate) project_name: fn(&dyn Tree, &str) -> Option<String>,
    /// The packages that a manifest of this name and text lists.
    pub(crate) packages: fn(&str, &str) -> Vec<String>,
    /// Whether an import of a runner would find this file first.
    pub(crate) shadows_runner: fn(&str) -> bool,
    /// What a manifest of this name that a plan is going to make will say, as far as it decides how tests run.
    pub(crate) likely_manifest: fn(&str, &LikelyProject<'_>) -> Option<String>,
}

impl Tooling {
    /// A language of whose tools nothing is known.
    pub(crate) const NONE: Tooling = Tooling {
        programs: &[],
        homes: &[],
        caches: &[],
        registries: &[],
        build_files: &[],
        manifests: &[],
        lock_files: &[],
        managers: &[],
        without_manifest: None,
        further_endings: &[],
        built_modules: &[],
        formatters: &[],
        format_files: &[],
        type_checkers: &[],
        linters: &[],
        project_name: |_, _| None,
        packages: |_, _| Vec::new(),
        shadows_runner: |_| false,
        likely_manifest: |_, _| None,
    };
}

/// A project that a plan is going to make.
pub(crate) struct LikelyProject<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// The documents of the plan, lower case.
    pub(crate) said: &'a str,
    /// The files that the plan makes.
    pub(crate) made: &'a [&'a str],
}

impl LikelyProject<'_> {
    /// Whether the documents have this word.
    pub(crate) fn speaks_of(&self, word: &str) -> bool {
        self.said.split(|c: char| !c.is_alphanumeric()).any(|said| said == word)
    }
}

/// Whether a file name fits a known one, in which a `*` stands for anything.
pub(crate) fn name_fits(known: &str, name: &str) -> bool {
    known.split_once('*').map_or(known == name, |(front, end)| {
        name.strip_prefix(front).is_some_and(|rest| rest.ends_with(end))
    })
}
