//! A surveyed tree that answers questions about files that are still to be written.

use crate::ground::{CodeWanted, Ground, Snippet, TestCall, TestWanted};
use windlass_code::survey::Survey;

use crate::snippet;
use windlass_code::detect::{formatters, lint, test_command, text, type_check};
use windlass_code::repo::Tree;
use windlass_code::script::quote;

/// A tree with its survey.
pub struct Repository<'a> {
    tree: &'a dyn Tree,
    survey: Survey,
}

impl<'a> Repository<'a> {
    /// A tree that was surveyed.
    pub fn new(tree: &'a dyn Tree, survey: Survey) -> Self {
        Self { tree, survey }
    }

    /// The same survey, with another tree to be asked how things are run.
    pub fn over(self, tree: &dyn Tree) -> Repository<'_> {
        Repository { tree, survey: self.survey }
    }
}

impl Ground for Repository<'_> {
    fn survey(&self) -> &Survey {
        &self.survey
    }

    fn test_command(&self, test_file: &str) -> Option<TestCall> {
        test_command(self.tree, test_file).map(|found| TestCall { script: found.script, why: found.why })
    }

    fn format_commands(&self, files: &[String]) -> Vec<String> {
        let plans = formatters(self.tree, files);
        let commands = plans.iter().flat_map(|plan| {
            let words = plan.fix.iter().chain([&plan.format]);
            words.map(|argv| shell(&plan.dir, argv)).collect::<Vec<_>>()
        });
        commands.collect()
    }

    fn gate_commands(&self, files: &[String]) -> Vec<String> {
        let mut plans = type_check(self.tree, files);
        plans.extend(lint(self.tree, files));
        plans.iter().map(|plan| shell(&plan.dir, &plan.argv)).collect()
    }

    fn test_snippet(&self, wanted: &TestWanted<'_>) -> Option<Snippet> {
        snippet::test_snippet(self.tree, &self.survey, wanted)
    }

    fn code_snippet(&self, wanted: &CodeWanted<'_>) -> Option<String> {
        snippet::code_snippet(self.tree, &self.survey, wanted)
    }

    fn interface_of(&self, path: &str, code: &str) -> Option<String> {
        snippet::interface_of(path, code)
    }

    fn finds_tests(&self, build_file: &str) -> bool {
        let adds = ["add_test(", "gtest_discover_tests(", "catch_discover_tests("];
        let globs = |text: String| text.contains("GLOB") && adds.iter().any(|call| text.contains(call));
        build_file.ends_with("CMakeLists.txt") && text(self.tree, build_file).is_some_and(globs)
    }
}

/// A command as one would type it at the root of the repository.
fn shell(dir: &str, argv: &[String]) -> String {
    let words: Vec<String> = argv.iter().map(|word| quote(word)).collect();
    let command = words.join(" ");
    if dir.is_empty() { command } else { format!("(cd {} && {command})", quote(dir)) }
}
