//! Java's tricks.

use crate::syntax::tricks::{Rule, TrickTable};

pub(super) const TABLE: TrickTable = TrickTable {
    calls: &[("method_invocation", "object", "name", ".")],
    exits: &[
        "System.exit",
        "java.lang.System.exit",
        "Runtime.getRuntime().exit",
        "Runtime.getRuntime().halt",
        "exit",
    ],
    program: &["static void main(", "void main("],
    called: &[
        ("Runtime.getRuntime().addShutdownHook", Rule::AtExit),
        ("System.setSecurityManager", Rule::Patches),
        ("Thread.currentThread().getStackTrace", Rule::SniffsPlace),
    ],
    imports: &["import_declaration"],
    imported: &[
        ("org.junit.platform", Rule::UsesRunner),
        ("org.junit.runner", Rule::UsesRunner),
        ("org.apache.maven.surefire", Rule::UsesRunner),
    ],
    strings: &["string_fragment"],
    texts: &[
        ("surefire.test.class.path", Rule::SniffsTest),
        ("surefire.real.class.path", Rule::SniffsTest),
        ("Tests run: ", Rule::ForgesReport),
    ],
    functions: &["method_declaration"],
    equalities: &["equals"],
    catches: &["catch_clause"],
    failures: &["AssertionError", "AssertionFailedError", "ComparisonFailure"],
    ..TrickTable::NONE
};
