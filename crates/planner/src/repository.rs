//! A repository as planning sees it: its survey, and the commands and snippets for files that need not exist yet.

use windlass_code::detect::{
    OwnFormatter, TestCommand, eslint_without_config, formatters_with, lint, test_command, text, type_check,
};
use windlass_code::repo::{MemoryTree, Tree};
use windlass_code::script::quote;
use windlass_code::survey::{Language, Survey};
use windlass_core::path_text::file_name;

use crate::snippet::{self, CodeWanted, TestSnippet, TestWanted};

/// The tree of [`Repository::empty`].
static NO_FILES: MemoryTree = MemoryTree::empty();

/// A tree with its survey.
pub struct Repository<'a> {
    tree: &'a dyn Tree,
    survey: Survey,
    /// The user's own formatters; `None` where nothing is formatted.
    formatters: Option<Vec<OwnFormatter>>,
}

impl<'a> Repository<'a> {
    /// A tree that was surveyed.
    pub fn new(tree: &'a dyn Tree, survey: Survey) -> Self {
        Self { tree, survey, formatters: Some(Vec::new()) }
    }

    /// A repository without files: an empty directory, or documents alone.
    pub fn empty() -> Self {
        Self::new(&NO_FILES, Survey::default())
    }

    /// The same survey, with commands detected in another tree.
    pub fn over(self, tree: &dyn Tree) -> Repository<'_> {
        Repository { tree, survey: self.survey, formatters: self.formatters }
    }

    /// The same with the user's own formatters; `None` where nothing is formatted.
    pub fn formatted_by(self, formatters: Option<Vec<OwnFormatter>>) -> Self {
        Self { formatters, ..self }
    }

    /// Whether a `package.json` asks for eslint, and eslint would refuse to run.
    pub(crate) fn lacks_eslint_config(&self, file: &str) -> bool {
        eslint_without_config(self.tree, file)
    }

    /// The survey of the tree.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<String> {
        self.tree.read(path).and_then(|bytes| String::from_utf8(bytes).ok())
    }

    /// The command that runs exactly this test file.
    pub fn test_command(&self, test_file: &str) -> Option<TestCommand> {
        test_command(self.tree, test_file)
    }

    /// The commands that fix and format exactly these files, in order.
    pub fn format_commands(&self, files: &[String]) -> Vec<String> {
        let Some(own) = &self.formatters else { return Vec::new() };
        let plans = formatters_with(self.tree, files, own);
        let commands = plans.iter().flat_map(|plan| {
            let words = plan.fix.iter().chain([&plan.format]);
            words.map(|argv| shell(&plan.dir, argv)).collect::<Vec<_>>()
        });
        commands.collect()
    }

    /// The type checks and linters for exactly these files, in order.
    pub fn gate_commands(&self, files: &[String]) -> Vec<String> {
        let mut plans = type_check(self.tree, files);
        plans.extend(lint(self.tree, files));
        plans.iter().map(|plan| shell(&plan.dir, &plan.argv)).collect()
    }

    /// A failing test in the project's own conventions; `None` when unsure.
    pub fn test_snippet(&self, wanted: &TestWanted<'_>) -> Option<TestSnippet> {
        snippet::test_snippet(self.tree, &self.survey, wanted)
    }

    /// The declarations of the code in the project's own conventions; `None` when unsure.
    pub fn code_snippet(&self, wanted: &CodeWanted<'_>) -> Option<String> {
        snippet::code_snippet(self.tree, &self.survey, wanted)
    }

    /// The interface of a new file that is like those beside it; `None` when unsure.
    pub(crate) fn implied_contract(&self, wanted: &CodeWanted<'_>) -> Option<String> {
        snippet::implied_contract(self.tree, &self.survey, wanted)
    }

    /// Whether a build file picks up every test of its directory without being changed.
    pub(crate) fn finds_tests(&self, build_file: &str) -> bool {
        let adds = ["add_test(", "gtest_discover_tests(", "catch_discover_tests("];
        let globs = |text: String| text.contains("GLOB") && adds.iter().any(|call| text.contains(call));
        Language::of_manifest(file_name(build_file)) == Some(Language::Cpp)
            && text(self.tree, build_file).is_some_and(globs)
    }
}

/// A command to be run from the root of the repository.
fn shell(dir: &str, argv: &[String]) -> String {
    let words: Vec<String> = argv.iter().map(|word| quote(word)).collect();
    let command = words.join(" ");
    if dir.is_empty() { command } else { format!("(cd {} && {command})", quote(dir)) }
}

#[cfg(test)]
mod tests;
