//! What a caller asks for when it wants a snippet, and what it gets back.

use windlass_core::plan::CodeBlock;

/// One case that a test is wanted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseWanted<'a> {
    /// The criterion's id, where it has one.
    pub id: &'a str,
    /// The criterion in words.
    pub text: &'a str,
}

/// A test to be sketched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestWanted<'a> {
    /// The test file, which need not exist.
    pub file: &'a str,
    /// The file under test, which need not exist.
    pub subject: &'a str,
    /// The interface of the file under test. Without one there is nothing to call, and no snippet.
    pub contract: &'a [CodeBlock],
    /// The cases to cover.
    pub cases: &'a [CaseWanted<'a>],
}

/// Code to be sketched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeWanted<'a> {
    /// The file, which need not exist.
    pub file: &'a str,
    /// The interface it is to have.
    pub contract: &'a [CodeBlock],
    /// What the plan says about it.
    pub said: &'a str,
}

/// A test in the project's own conventions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSnippet {
    /// The code of the whole file, or what is to be added to it.
    pub code: String,
    /// Whether it can be used as it is.
    pub state: SnippetState,
}

/// How complete a snippet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnippetState {
    /// Every case is asserted with values that the criteria state.
    Complete,
    /// The assertions are left to be filled in; until then the test fails.
    Sketch,
}
