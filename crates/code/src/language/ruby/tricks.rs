//! Ruby's tricks.

use tree_sitter::Node;

use crate::syntax::source::named_children;
use crate::syntax::tricks::{Rule, TrickScan, TrickTable};

/// Names of test runners and of their parts.
const RUNNERS: [&str; 5] = ["RSpec", "Minitest", "MiniTest", "Test::Unit", "ActiveSupport::TestCase"];

pub(super) const TABLE: TrickTable = TrickTable {
    calls: &[("call", "receiver", "method", ".")],
    exits: &["exit", "exit!", "Process.exit", "Process.exit!", "Kernel.exit", "Kernel.exit!"],
    bare_exit: true,
    program: &["#!/usr/bin/env ruby", "OptionParser"],
    called: &[
        ("at_exit", Rule::AtExit),
        ("Kernel.at_exit", Rule::AtExit),
        ("RSpec.configure", Rule::UsesRunner),
        ("caller_locations", Rule::SniffsPlace),
        ("TracePoint.new", Rule::SniffsPlace),
        ("ObjectSpace.each_object", Rule::SniffsPlace),
        ("set_trace_func", Rule::Patches),
    ],
    aliases: &[("assignment", "left", "right")],
    strings: &["string_content"],
    texts: &[("examples, 0 failures", Rule::ForgesReport), ("assertions, 0 failures", Rule::ForgesReport)],
    functions: &["method"],
    equalities: &["==", "===", "eql?", "equal?"],
    more,
    ..TrickTable::NONE
};

/// `defined?(RSpec)`, and a class or module of the runner that is opened again.
fn more(look: &mut TrickScan<'_>, node: Node<'_>) {
    match node.kind() {
        "unary" if look.source.text(node).starts_with("defined?") => {
            let text = look.source.text(node);
            if RUNNERS.iter().any(|runner| text.contains(runner)) {
                look.add(Rule::SniffsTest, node);
            }
        }
        "class" | "module" => {
            let name = look.source.field(node, "name").unwrap_or_default();
            let is_runner = |runner: &str| {
                name == runner || name.strip_prefix(runner).is_some_and(|rest| rest.starts_with("::"))
            };
            if RUNNERS.iter().any(|runner| is_runner(runner)) {
                look.add(Rule::Patches, node);
            }
        }
        // A body of one word is no call: `exit`.
        "identifier" if matches!(look.source.text(node).as_str(), "exit!") => {
            let alone = node.parent().is_none_or(|parent| named_children(parent).len() == 1);
            if alone {
                look.add(Rule::Exit, node);
            }
        }
        _ => {}
    }
}
