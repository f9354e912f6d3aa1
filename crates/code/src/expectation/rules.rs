//! What a language says about its assertions, by the names of its grammar.

use std::borrow::Cow;
use std::ops::Range;

use tree_sitter::Node;

use super::literal::LiteralKinds;
use super::made::MadeTest;
use super::stated::ExampleForms;
use crate::syntax::source::ParsedText;

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueMatch {
    /// They must be equal.
    Exact,
    /// They may differ by a small amount, which is below one unit.
    Near,
    /// A method of the value decides, which may leave a part of it out: `got.Equal(want)`.
    Own,
    /// A function decides whose name says that both are the same, and which may take many values for the same: `price.is("3.50")`.
    Said,
}

/// How an expected text is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextMatch {
    /// It is a part of the text.
    Part,
    /// It is a pattern that a part of the text matches.
    Pattern,
}

/// What an assertion says.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AssertionForm<'t> {
    /// Two values are equal.
    Equal(Node<'t>, Node<'t>, ValueMatch),
    /// The value is one of those in a list that is written out.
    OneOf(Node<'t>),
    /// The value is this one, which stands alone: a snapshot, a length.
    Is(Node<'t>),
    /// An exception is thrown that says this.
    Says(Node<'t>, TextMatch),
    /// An exception of this class is thrown. The text is another class that it is not.
    Throws(Node<'t>, &'static str),
    /// The value is a part of what the code gave: of a text, a list, a set of keys.
    Part(Node<'t>),
    /// A number lies between these two.
    Between(Node<'t>, Node<'t>),
    /// Something is said to be this value; with these texts before and behind, it is one that nothing is.
    Never(Node<'t>, (&'static str, &'static str)),
    /// A condition holds that says nothing about equal values.
    Holds(Node<'t>),
    /// Something else.
    Other,
}

/// An assertion in a test.
#[derive(Debug, Clone)]
pub(crate) struct SeenAssertion<'t> {
    /// What it says, in the order in which its parts stand.
    pub(crate) forms: Vec<AssertionForm<'t>>,
    /// What makes it fail when this text takes the place of the node, where something does.
    pub(crate) denied: Option<(Node<'t>, &'static str)>,
}

/// A binding of names to a value: the node, its names and its value.
pub(crate) type Binding = (&'static str, &'static str, &'static str);

/// What a name is of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowPart {
    /// The row itself.
    Whole,
    /// The value at a position.
    At(usize),
    /// The value at a position of the value at another one.
    Within(usize, usize),
    /// The value of the entry with that name.
    Named,
}

/// A list of rows, and what a name is of each.
pub(crate) type RowsAround<'t> = Option<(Node<'t>, RowPart)>;

/// What brings a name into a test file with these bytes from these changed files.
pub(crate) type NameReach = fn(&[u8], &str, &[(String, Vec<u8>)]) -> Option<String>;

/// What stands before and behind an assertion (the second node) of a function, and behind it where only a failed assertion lets
/// the test go on: another error ends it.
pub(crate) type FrameOf = fn(&ParsedText<'_>, Node<'_>, Node<'_>) -> Option<(String, String, String)>;

/// What the assertions of a language look like. The empty one finds none.
pub(crate) struct ExpectationRules {
    /// A text of the same size that is parsed in place of the source: what a macro hides is a plain call in it.
    pub(crate) prepare: fn(&[u8]) -> Cow<'_, [u8]>,
    /// Functions: nodes with a body. The first one that ends with a test is the test.
    pub(crate) functions: &'static [&'static str],
    /// The function that is run when the file is a program of its own.
    pub(crate) main: Option<&'static str>,
    /// The assertion that a node is.
    pub(crate) assertion: for<'t> fn(&ParsedText<'_>, Node<'t>) -> Option<SeenAssertion<'t>>,
    /// Expectations that stand outside of the body: attributes and decorators.
    pub(crate) outside: for<'t> fn(&ParsedText<'_>, Node<'t>) -> Vec<AssertionForm<'t>>,
    /// Statements after which the rest may not run.
    pub(crate) leaving: &'static [&'static str],
    /// Statements that bind a name to a value.
    pub(crate) bindings: &'static [Binding],
    /// Loops that bind names to the rows of a list.
    pub(crate) loops: &'static [Binding],
    /// The values that a parameter of a test has in its own table of cases, one per row.
    pub(crate) cases: for<'t> fn(&ParsedText<'_>, Node<'t>, &str) -> Vec<Node<'t>>,
    /// The list whose rows a function around tests has as its parameters, and the position of the named one:
    /// `[…].forEach(([a, b]) => …)`.
    pub(crate) around: for<'t> fn(&ParsedText<'_>, Node<'t>, &str) -> RowsAround<'t>,
    /// What stands before and behind an expression to give another value of the same type when the test runs. A value of
    /// a type that it does not know is an error there. Empty where the language has no such expression.
    pub(crate) other_value: (&'static str, &'static str),
    /// What stands before, between and behind two members of a type to give the first one, or a failure if both are the same.
    pub(crate) other_member: (&'static str, &'static str, &'static str),
    /// Whether two members of a type whose names are not all capitals are never the same, as the variants of an enumeration.
    pub(crate) has_variants: bool,
    /// Whether only names are changed so: the type of another expression may not be known where it stands.
    pub(crate) other_of_names: bool,
    /// What stands before, between and behind two expressions to give the first one, in words that a reader of the text does not
    /// take for it alone; with nothing between, around one expression. Empty where the language has no such expression.
    pub(crate) either: (&'static str, &'static str, &'static str),
    /// What ends an assignment that gives a parameter of a test another value at its beginning; empty where there is none.
    pub(crate) rebinds: &'static str,
    /// Identifiers.
    pub(crate) names: &'static [&'static str],
    /// Literals.
    pub(crate) literals: LiteralKinds,
    /// What stands before and behind a condition to say its opposite.
    pub(crate) negation: (&'static str, &'static str),
    /// What fails in place of a call: a statement, and an expression. The statement is empty where the expression is one.
    pub(crate) fails: (&'static str, &'static str),
    /// How assertions begin that a setting turns off: whether one is reached says nothing about the code.
    pub(crate) switched: &'static [&'static str],
    /// A statement that fails, in front of the first one of a test or of a program.
    pub(crate) entry: fn(&ParsedText<'_>, Node<'_>) -> Option<String>,
    /// What stands before and behind an assertion of a function so that it goes on if the assertion fails, and is left if it holds.
    pub(crate) unless_it_fails: FrameOf,
    /// The same for a statement that expects an exception: whatever leaves it, it fails.
    pub(crate) unless_it_throws: FrameOf,
    /// Whether an assertion takes what it is about: then it cannot stand there twice.
    pub(crate) takes_values: bool,
    /// What stands before and behind an expression to keep its value, with the name of it in between. Empty where there is no
    /// such expression.
    pub(crate) keeps: (&'static str, &'static str, &'static str),
    /// Whether a file names what it takes from another one. Else files have their names in common: those of a package, and those that
    /// are included.
    pub(crate) imports_by_name: bool,
    /// The text that a comment says a test prints.
    pub(crate) shown: fn(&ParsedText<'_>, Node<'_>) -> Option<Range<usize>>,
    /// Classes that may have their tests from others: the node, and the field with the names of those.
    pub(crate) classes: Option<(&'static str, &'static str)>,
    /// The title of a test inside a test, if the node is one.
    pub(crate) inner_test: fn(&ParsedText<'_>, Node<'_>) -> Option<String>,
    /// Whether blanks between statements mean nothing.
    pub(crate) free_blanks: bool,
    /// Statements that hold an example; `<call>`, `<name>`, `<arguments>` and `<value>` stand for its parts.
    pub(crate) example: Option<ExampleForms>,
    /// The names of the cases of a test file, if it looks at none of them itself.
    pub(crate) titles: fn(&ParsedText<'_>) -> Vec<Range<usize>>,
    /// What brings a name into a test file from the changed code, if the file lacks it.
    pub(crate) reach: NameReach,
    /// The test of a name that a macro of the file makes.
    pub(crate) made: for<'t> fn(&ParsedText<'_>, Node<'t>, &str) -> Option<MadeTest<'t>>,
}

impl ExpectationRules {
    /// A language of which nothing is known.
    pub(crate) const NONE: Self = Self {
        prepare: |bytes| Cow::Borrowed(bytes),
        functions: &[],
        main: None,
        assertion: |_, _| None,
        outside: |_, _| Vec::new(),
        leaving: &["return_statement"],
        bindings: &[],
        loops: &[],
        cases: |_, _, _| Vec::new(),
        around: |_, _, _| None,
        other_value: ("", ""),
        other_member: ("", "", ""),
        has_variants: false,
        other_of_names: false,
        either: ("", "", ""),
        rebinds: "",
        names: &["identifier"],
        literals: LiteralKinds::NONE,
        negation: ("!(", ")"),
        fails: ("", ""),
        switched: &[],
        entry: |_, _| None,
        unless_it_fails: |_, _, _| None,
        unless_it_throws: |_, _, _| None,
        takes_values: false,
        keeps: ("", "", ""),
        imports_by_name: true,
        shown: |_, _| None,
        classes: None,
        inner_test: |_, _| None,
        free_blanks: true,
        example: None,
        titles: |_| Vec::new(),
        reach: |_, _, _| None,
        made: |_, _, _| None,
    };
}
