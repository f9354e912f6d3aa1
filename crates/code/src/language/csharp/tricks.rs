//! C#'s tricks.

use crate::syntax::tricks::{Rule, TrickTable};

pub(super) const TABLE: TrickTable = TrickTable {
    calls: &[("invocation_expression", "", "function", "")],
    exits: &["Environment.Exit", "System.Environment.Exit"],
    program: &["static void Main(", "static int Main(", "static async Task Main(", "static Task<int> Main("],
    called: &[
        ("AppDomain.CurrentDomain.ProcessExit", Rule::AtExit),
        ("Assert.Skip", Rule::Skip),
        ("Assert.Ignore", Rule::Skip),
        ("Assert.Pass", Rule::Skip),
        ("Assert.Inconclusive", Rule::Skip),
    ],
    imports: &["using_directive"],
    imported: &[("Xunit.Sdk", Rule::UsesRunner), ("NUnit.Framework.Internal", Rule::UsesRunner)],
    aliases: &[("using_directive", "name", "type")],
    strings: &["string_literal_content"],
    texts: &[
        ("xunit.runner", Rule::SniffsTest),
        ("testhost", Rule::SniffsTest),
        ("Microsoft.VisualStudio.TestPlatform", Rule::SniffsTest),
    ],
    functions: &["method_declaration", "operator_declaration"],
    equalities: &["Equals"],
    catches: &["catch_clause"],
    failures: &["XunitException", "AssertionException", "AssertFailedException", "EqualException"],
    ..TrickTable::NONE
};
