//! Places in the functions of a Python file where a value that nothing uses may stand.

use tree_sitter::Node;

use crate::syntax::source::{ParsedText, named_children};

/// Where functions begin to do something, and in which column: values that nothing uses make other byte code there.
pub(super) fn first_steps(source: &ParsedText<'_>) -> Vec<(usize, usize)> {
    let (mut out, mut open) = (Vec::new(), vec![source.root()]);
    while let Some(node) = open.pop() {
        open.extend(named_children(node));
        let body = node.child_by_field_name("body").filter(|_| node.kind() == "function_definition");
        let is_words = |step: &&Node<'_>| {
            let text = source.text(**step);
            step.kind().contains("comment")
                || ["\"", "'", "global", "nonlocal"].iter().any(|word| text.starts_with(word))
        };
        let steps = body.map(named_children).unwrap_or_default();
        let step = steps.iter().find(|step| !is_words(step));
        if let Some(step) = step.filter(|step| node.start_position().row < step.start_position().row) {
            out.push((step.start_byte(), step.start_position().column));
        }
    }
    out
}
