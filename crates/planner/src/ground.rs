//! What derivation, steps and briefs ask about code that a plan only intends: answered by the code crate, where the
//! manifests and the grammars are.

use windlass_code::survey::Survey;
use windlass_core::plan::CodeBlock;

/// The exact command for one test file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCall {
    /// The script, for `bash`, from the root of the tree.
    pub script: String,
    /// What led to it.
    pub why: String,
}

/// One case a test is wanted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case<'a> {
    /// The criterion's id, where it has one.
    pub id: &'a str,
    /// What has to hold, in words.
    pub text: &'a str,
}

/// A test to be sketched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestWanted<'a> {
    /// The test file, which need not exist.
    pub file: &'a str,
    /// The file under test, which need not exist.
    pub subject: &'a str,
    /// The interface it is to have. Without one there is nothing to call, and no snippet.
    pub contract: &'a [CodeBlock],
    /// What has to hold.
    pub cases: &'a [Case<'a>],
}

/// Code to be sketched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeWanted<'a> {
    /// The file, which need not exist.
    pub file: &'a str,
    /// The interface it is to have.
    pub contract: &'a [CodeBlock],
}

/// A piece of code in the project's own conventions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The code of the whole file, or what is to be added to it.
    pub code: String,
    /// Whether it can be used as it stands.
    pub state: SnippetState,
}

/// How far a snippet goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnippetState {
    /// Every case is asserted with values that the criteria state.
    Complete,
    /// The frame is there, what has to hold is left to whoever fills it in; as it stands it fails.
    Sketch,
}

/// The repository that a plan is made for.
pub trait Ground {
    /// What was found in it.
    fn survey(&self) -> &Survey;
    /// The command that runs exactly this test file, which need not exist yet.
    fn test_command(&self, test_file: &str) -> Option<TestCall>;
    /// The commands that fix and format exactly these files, in order.
    fn format_commands(&self, files: &[String]) -> Vec<String>;
    /// The type checks and linters for exactly these files, in order.
    fn gate_commands(&self, files: &[String]) -> Vec<String>;
    /// A failing test in the project's own conventions; nothing when unsure.
    fn test_snippet(&self, wanted: &TestWanted<'_>) -> Option<Snippet>;
    /// The frame of the code in the project's own conventions; nothing when unsure.
    fn code_snippet(&self, wanted: &CodeWanted<'_>) -> Option<String>;
    /// The public declarations, without bodies, of code that a document shows for a file; nothing when unsure.
    fn interface_of(&self, path: &str, code: &str) -> Option<String>;
    /// Whether a build file takes in every test of its directory by itself.
    fn finds_tests(&self, _build_file: &str) -> bool {
        false
    }
}

/// A place about which nothing is known: an empty directory, or documents without a repository.
#[derive(Debug, Clone, Default)]
pub struct NoGround(Survey);

impl Ground for NoGround {
    fn survey(&self) -> &Survey {
        &self.0
    }

    fn test_command(&self, _: &str) -> Option<TestCall> {
        None
    }

    fn format_commands(&self, _: &[String]) -> Vec<String> {
        Vec::new()
    }

    fn gate_commands(&self, _: &[String]) -> Vec<String> {
        Vec::new()
    }

    fn test_snippet(&self, _: &TestWanted<'_>) -> Option<Snippet> {
        None
    }

    fn code_snippet(&self, _: &CodeWanted<'_>) -> Option<String> {
        None
    }

    fn interface_of(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}
