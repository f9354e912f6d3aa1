//! What the program knows about a language: facts and functions, one row per language.
//!
//! A row starts from [`BASE`] and states what differs. The rooms of this crate ask the row and never the language.

use std::ops::Range;

use windlass_core::report::Runner;

use super::{Language, Tooling};
use crate::detect::Folder;
use crate::expectation::ExpectationRules;
use crate::mutant::MutationRules;
use crate::red::{Errors, FaultGround, OwnedFiles, TestFault};
use crate::survey::{
    ImportForm, ImportRequest, ImportTerms, ImportedFile, Naming, Survey, TestFile, TestStyle, UntestedFile,
    resolve_dots,
};
use crate::syntax::reformatted::FormRules;
use crate::syntax::signature::SignatureRules;
use crate::syntax::source::ParsedText;
use crate::syntax::style::TestFileText;
use crate::syntax::tricks::{ReachScan, TrickScan};
use crate::syntax::{
    CanaryRequest, ContractFile, ContractFileRequest, Export, Import, TestItem, same_test, signature,
};

/// A name and the bytes it stands for.
pub(crate) type NamedRange = (String, Range<usize>);
/// A text with canaries in it, and their names.
pub(crate) type CanaryText = (String, Vec<String>);
/// Reads errors out of an output, given the task's files and the test files.
pub(crate) type ErrorReader = fn(&str, OwnedFiles<'_>, &[(String, Vec<u8>)]) -> Errors;
/// Reads what is wrong with the tests themselves out of an output.
pub(crate) type FaultReader = fn(&str, &FaultGround<'_>) -> Vec<TestFault>;

/// Everything that differs from language to language.
pub struct LanguageRow {
    /// The word after the three backticks of a fence; also the name that people give with `--language`.
    pub fence: &'static str,
    /// The endings of its files, the usual one first.
    pub extensions: &'static [&'static str],
    /// Further names, lower case.
    pub names: &'static [&'static str],
    /// The language that stands for all languages which share their symbols.
    pub family: Language,
    /// What begins a comment that ends with its line.
    pub comment: &'static str,
    /// How files are named in a project that shows no habit of its own.
    pub file_names: Naming,
    /// The folder of the code in a project that has none yet; `{name}` is the name of the project.
    pub source_folder: &'static str,
    /// The files of a project that does not exist yet.
    pub new_project: NewProjectFiles,
    /// Files that show that a project is written in this language; a leading `*` stands for any name.
    pub manifests: &'static [&'static str],
    /// Which of several manifests in one directory names it: the one with the lowest rank.
    pub(crate) manifest_rank: u8,
    /// Whether a manifest names the file that the program starts with.
    pub manifest_names_entry: bool,
    /// A file beside the manifest that shows another language of the family.
    pub becomes: Option<(&'static str, Language)>,
    /// The folder in which alone its tools look for code.
    pub code_below: Option<&'static str>,
    /// The file that only makes its folder a package.
    pub package_mark: Option<&'static str>,
    /// Files that hand on what the other files of their folder define.
    pub index_files: &'static [&'static str],
    /// The endings of files with one component of a page.
    pub component_endings: &'static [&'static str],
    /// Files that declare the modules beside them.
    pub declaring_files: &'static [&'static str],
    /// The file whose fixtures are those of every test below its folder.
    pub fixture_file: Option<&'static str>,
    /// How the names of files end whose fixtures all tests use.
    pub(crate) helper_endings: &'static [&'static str],
    /// How the names of generated files end.
    pub(crate) generated: &'static [&'static str],
    /// Whether a file holds types alone, by its name.
    pub holds_types: fn(&str) -> bool,
    /// Whether test files of one name in several folders are one module to a runner.
    pub test_names_clash: bool,
    /// The words by which a command names a test file, where that is not its path.
    pub test_option: fn(&str) -> Option<String>,
    /// Words in prose that name the language or something that is always used with it.
    pub prose_names: &'static [&'static str],
    /// The runners that run tests of this language only.
    pub runners: &'static [Runner],
    /// Endings of headers, each with that of the sources which use one. Where a language has headers, other files use nothing else.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// Whether a file with this name, without its ending, is a test; the folder is asked for only where the name leaves it open.
    pub(crate) is_test: fn(&str, &dyn Fn() -> Folder) -> bool,
    /// Whether runners take a file in a folder of this name for a test, however the file is named.
    pub test_by_place: fn(&str) -> bool,
    /// Whether a runner collects a file of this name from a folder of tests.
    pub is_collected: fn(&str) -> bool,
    /// The tools around it; those of a family stand in the row of its [`family`](Self::family).
    pub(crate) tooling: Tooling,

    /// Whether strings may stand in single quotes, so that projects differ in it.
    pub single_quotes: bool,
    /// Whether statements may end without a semicolon, so that projects differ in it.
    pub optional_semicolons: bool,
    /// Values that are a word.
    pub literal_words: &'static [&'static str],
    /// What the calls begin with that make a value: `Some(`.
    pub literal_calls: &'static [&'static str],
    /// Whether `[1, 2]` is a value on its own.
    pub list_literals: bool,
    /// Whether `{…}` is a value on its own.
    pub map_literals: bool,
    /// The word in a signature by which a method belongs to its class and not to an object.
    pub static_word: Option<&'static str>,
    /// What stands between a class and its static method in a call.
    pub static_separator: &'static str,
    /// Whether functions are kept in modules that are called by name.
    pub modules_hold_functions: bool,
    /// Whether a file begins with the package it belongs to.
    pub package_clause: bool,
    /// How a type and its methods are written down as an interface.
    pub type_layout: TypeLayout,
    /// Which methods need a body in an interface that is to be parsed.
    pub bodies: RequiredBodies,
    /// The line that begins the public part of a class, where one is needed.
    pub public_label: Option<&'static str>,
    /// What closes a class.
    pub class_end: &'static str,
    /// What begins the attributes above a type.
    pub attribute_mark: Option<char>,
    /// Whether methods of an implemented interface are left out of an interface.
    pub only_own_methods: bool,
    /// A signature as a declaration without a body.
    pub declaration: fn(&str) -> String,
    /// The declarations of a contract with bodies that fail; `None` where that is not known.
    pub stub: fn(&str) -> Option<String>,

    /// The grammar.
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// The public symbols of a file.
    pub(crate) exports: fn(&ParsedText<'_>) -> Vec<Export>,
    /// The imports of a file.
    pub(crate) imports: fn(&ParsedText<'_>) -> Vec<Import>,
    /// The tests of a file.
    pub(crate) tests: fn(&ParsedText<'_>) -> Vec<TestItem>,
    /// Test-only modules and blocks that hold tests and other things.
    pub(crate) test_wrappers: fn(&ParsedText<'_>) -> Vec<NamedRange>,
    /// The package or namespace a file declares.
    pub(crate) package: fn(&ParsedText<'_>) -> Option<String>,
    /// The types that the types of a file extend or implement.
    pub(crate) bases: fn(&ParsedText<'_>, &[Export]) -> Vec<String>,
    /// How the tests of a file are written.
    pub(crate) style: fn(&TestFileText<'_>) -> Option<TestStyle>,
    /// What tests can ask for by name.
    pub(crate) fixtures: fn(&str) -> Vec<String>,
    /// Whether macros can make anything of a text, so that an error of the grammar says nothing.
    pub(crate) preprocessed: bool,
    /// A text without the bodies of its functions; `None` where the whole text has to be parsed.
    pub(crate) skeleton: fn(&[u8]) -> Option<Vec<u8>>,
    /// How signatures are read.
    pub(crate) signature: SignatureRules,
    /// A contract as a text that can be parsed.
    pub(crate) contract: fn(&str) -> String,
    /// Import lines that a test file lacks: names of modules that it replaces and uses.
    pub(crate) missing_imports: fn(&ParsedText<'_>) -> Vec<String>,
    /// Makes the file by which a compiler compares code with its contract.
    pub(crate) contract_file: Option<fn(Language, &ContractFileRequest<'_>) -> Option<ContractFile>>,
    /// Whether a text may provide more symbols than the grammar finds in it.
    pub(crate) hides_exports: fn(&str, &[Import]) -> bool,
    /// The path that a relative import means, seen from a directory, without the ending of the file.
    pub(crate) relative_module: fn(&str, &str) -> Option<String>,
    /// Whether what a file imports can be imported from it.
    pub(crate) passes_imports_on: bool,
    /// The name of a test with its file, as the runner's report has it.
    pub(crate) name_in: fn(&str, &str) -> String,
    /// Whether a name of a report is the test of this path and name.
    pub(crate) same_test: fn(&str, &str, &str) -> bool,
    /// A text with canaries in it, and their names.
    pub(crate) canaries: fn(&CanaryRequest<'_>) -> Option<CanaryText>,
    /// Looks for what no honest change needs.
    pub(crate) tricks: fn(&mut TrickScan<'_>),
    /// Whether code could bring its own idea of equality, or look at the test that calls it. What is not known to be plain is not
    /// plain.
    pub(crate) reaches_out: fn(&ReachScan<'_>) -> bool,
    /// What code asks to know whether debug assertions are on, and the variables that turn them off for its tests.
    pub(crate) debug_switch: Option<(&'static str, &'static str)>,
    /// Reads the errors that the tools of the language print; `None` where exit codes have to do.
    pub(crate) errors: Option<ErrorReader>,
    /// Reads the errors that lie in a test file itself and not in the code that it tests.
    pub(crate) test_faults: FaultReader,
    /// What mutants of its code are made of.
    pub(crate) mutation: MutationRules,
    /// What its assertions look like.
    pub(crate) expectation: ExpectationRules,
    /// What formatters may change of a text without changing what it says.
    pub(crate) form: FormRules,

    /// The files that an import means.
    pub(crate) resolve: fn(&Survey, &str, &Import) -> Vec<String>,
    /// Words that begin an import, and what is taken behind each.
    pub(crate) import_words: &'static [(&'static [u8], ImportForm)],
    /// Whether the imported names can be the names of files.
    pub(crate) names_are_files: bool,
    /// The words that an import of a file has in it.
    pub(crate) import_terms: fn(&ImportedFile<'_>) -> ImportTerms,
    /// The line by which a file imports names.
    pub(crate) import_line: fn(&ImportRequest<'_>) -> Option<String>,
    /// Whether tests import code by absolute names, from the modules they import.
    pub(crate) absolute_imports: Option<fn(&[&str]) -> bool>,
    /// What stands before and after the name of the tested file in the name of its test file.
    pub(crate) test_affixes: &'static [(&'static str, &'static str)],
    /// The test file of a source file in a project that shows no habit of its own.
    pub(crate) usual_test: fn(&UntestedFile<'_>) -> Option<TestFile>,
    /// Whether tests can stand inside source files.
    pub(crate) inline_tests: bool,
    /// Whether a file can use what is written in the other languages of its family.
    pub(crate) uses_family: bool,
}

/// The files of a project that does not exist yet. `{name}` is its name, as an identifier.
pub struct NewProjectFiles {
    /// The folder of its code.
    pub folder: &'static str,
    /// The manifest and the settings without which nothing can be built or tested.
    pub setup: &'static [&'static str],
    /// The file that makes its folder a package, or declares its modules.
    pub package: Option<&'static str>,
    /// Where a program begins that is called from a command line.
    pub entry: Option<&'static str>,
    /// How tests find the code and are run.
    pub about: &'static str,
}

impl NewProjectFiles {
    /// A language of which no layout is known.
    pub(crate) const NONE: NewProjectFiles =
        NewProjectFiles { folder: "src", setup: &[], package: None, entry: None, about: "" };
}

/// How a type and its methods are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeLayout {
    /// Methods indented below the head, as in Python.
    Indented,
    /// Methods between the head and `end`, as in Ruby.
    Ended,
    /// Methods in a block of their own, as in Rust.
    SeparateBlock,
    /// Methods at the top level, as in Go.
    TopLevel,
    /// Methods in braces behind the head.
    Braces,
}

/// Which methods need a body in an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequiredBodies {
    /// None.
    None,
    /// Constructors.
    Constructors,
    /// All methods.
    All,
}

/// Test file names of languages whose files are named in words.
pub(crate) const WORD_AFFIXES: &[(&str, &str)] = &[("test_", ""), ("", "_test"), ("", "_tests")];
/// Test file names of languages whose files are named after classes.
pub(crate) const CLASS_AFFIXES: &[(&str, &str)] = &[("", "Tests"), ("", "Test"), ("", "IT"), ("", "Spec")];

/// A language of which only the grammar is known: every other row states what differs from this.
pub(crate) const BASE: LanguageRow = LanguageRow {
    fence: "",
    extensions: &[],
    names: &[],
    family: Language::Python,
    comment: "//",
    file_names: Naming::Snake,
    source_folder: "src",
    new_project: NewProjectFiles::NONE,
    manifests: &[],
    manifest_rank: u8::MAX,
    manifest_names_entry: false,
    becomes: None,
    code_below: None,
    package_mark: None,
    index_files: &[],
    component_endings: &[],
    declaring_files: &[],
    fixture_file: None,
    helper_endings: &[],
    generated: &[],
    holds_types: |_| false,
    test_names_clash: false,
    test_option: |_| None,
    prose_names: &[],
    runners: &[],
    headers: &[],
    is_test: |_, folder| folder() == Folder::Tests,
    test_by_place: |_| false,
    is_collected: |_| true,
    tooling: Tooling::NONE,
    single_quotes: false,
    optional_semicolons: false,
    literal_words: &["true", "false", "null"],
    literal_calls: &[],
    list_literals: false,
    map_literals: false,
    static_word: None,
    static_separator: ".",
    modules_hold_functions: false,
    package_clause: false,
    type_layout: TypeLayout::Braces,
    bodies: RequiredBodies::None,
    public_label: None,
    class_end: "}",
    attribute_mark: None,
    only_own_methods: false,
    declaration: |signature| format!("{signature};"),
    stub: |_| None,
    grammar: || tree_sitter_python::LANGUAGE.into(),
    exports: |_| Vec::new(),
    imports: |_| Vec::new(),
    tests: |_| Vec::new(),
    test_wrappers: |_| Vec::new(),
    package: |_| None,
    bases: |_, _| Vec::new(),
    style: |_| None,
    fixtures: |_| Vec::new(),
    preprocessed: false,
    skeleton: |_| None,
    signature: signature::NAME_FIRST,
    contract: str::to_owned,
    missing_imports: |_| Vec::new(),
    contract_file: None,
    hides_exports: |_, _| false,
    relative_module: resolve_dots,
    passes_imports_on: false,
    name_in: |path, name| format!("{path}::{name}"),
    same_test: |report, _, name| same_test::same_unqualified(report, name),
    canaries: |_| None,
    tricks: |_| {},
    reaches_out: |_| true,
    debug_switch: None,
    errors: None,
    test_faults: |_, _| Vec::new(),
    mutation: MutationRules::NONE,
    expectation: ExpectationRules::NONE,
    form: FormRules::NONE,
    resolve: |_, _, _| Vec::new(),
    import_words: &[],
    names_are_files: false,
    import_terms: |file| file.by_stem(),
    import_line: |_| None,
    absolute_imports: None,
    test_affixes: WORD_AFFIXES,
    usual_test: |_| None,
    inline_tests: false,
    uses_family: true,
};
