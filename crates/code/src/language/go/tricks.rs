//! Go's tricks.

use tree_sitter::Node;

use crate::syntax::tricks::{Rule, TrickScan, TrickTable};

pub(super) const TABLE: TrickTable = TrickTable {
    calls: &[("call_expression", "", "function", "")],
    exits: &["os.Exit", "syscall.Exit", "unix.Exit"],
    program: &["package main"],
    called: &[
        ("testing.Testing", Rule::SniffsTest),
        ("testing.Init", Rule::UsesRunner),
        ("testing.MainStart", Rule::UsesRunner),
        ("runtime.Caller", Rule::SniffsPlace),
        ("runtime.Callers", Rule::SniffsPlace),
    ],
    aliases: &[("import_spec", "name", "path"), ("short_var_declaration", "left", "right")],
    strings: &["interpreted_string_literal", "raw_string_literal"],
    texts: &[
        ("--- PASS", Rule::ForgesReport),
        ("=== RUN", Rule::ForgesReport),
        ("test.v", Rule::SniffsTest),
        ("test.run", Rule::SniffsTest),
        ("test.testlogfile", Rule::SniffsTest),
    ],
    more,
    ..TrickTable::NONE
};

/// A name of the test runner that the linker puts behind a function of the code.
fn more(look: &mut TrickScan<'_>, node: Node<'_>) {
    if node.kind() == "comment" {
        let text = look.source.text(node);
        let linked = text.strip_prefix("//go:linkname").unwrap_or_default();
        if ["testing.", "os.Exit", "runtime.main", "internal/testlog"]
            .iter()
            .any(|name| linked.contains(name))
        {
            look.add(Rule::Patches, node);
        }
    }
}
