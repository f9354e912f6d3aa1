//! C's and C++'s tricks.

use tree_sitter::Node;

use crate::syntax::tricks::{Rule, TrickScan, TrickTable};

pub(super) const TABLE: TrickTable = TrickTable {
    calls: &[("call_expression", "", "function", "")],
    exits: &["exit", "_exit", "_Exit", "quick_exit", "std::exit", "std::_Exit", "std::quick_exit"],
    program: &["int main(", "int\nmain(", "usage("],
    called: &[
        ("atexit", Rule::AtExit),
        ("std::atexit", Rule::AtExit),
        ("on_exit", Rule::AtExit),
        ("testing::UnitTest::GetInstance", Rule::UsesRunner),
    ],
    aliases: &[("preproc_def", "name", "value")],
    strings: &["string_content"],
    texts: &[("[  PASSED  ]", Rule::ForgesReport), ("[       OK ]", Rule::ForgesReport)],
    functions: &["function_definition"],
    system: &[
        "__assert_fail",
        "__assert",
        "__assert_rtn",
        "__assert_perror_fail",
        "__libc_start_main",
        "_start",
        "__cxa_throw",
        "__wrap_exit",
        "__wrap_abort",
        "testing::Test::HasFailure",
        "testing::UnitTest::Run",
    ],
    more,
    ..TrickTable::NONE
};

/// `__attribute__((constructor))` and entries of `.init_array`.
fn more(look: &mut TrickScan<'_>, node: Node<'_>) {
    let early = match node.kind() {
        "attribute_specifier" => {
            let text = look.source.text(node);
            text.contains("(constructor") || text.contains(".init_array") || text.contains(".preinit_array")
        }
        "attribute_declaration" => look.source.text(node).contains("gnu::constructor"),
        _ => false,
    };
    if early {
        look.add(Rule::Constructor, node);
    }
}
