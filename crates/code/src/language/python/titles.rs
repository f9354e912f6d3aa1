//! Names of cases in the tables of pytest.

use std::ops::Range;

use crate::expectation::all_nodes;
use crate::syntax::source::{ParsedText, named_children};

/// The names in `ids=["one is 1"]` and `pytest.param(1, id="one is 1")`. None where a test looks at its names itself.
pub(super) fn titles(source: &ParsedText<'_>) -> Vec<Range<usize>> {
    let text = String::from_utf8_lossy(source.bytes);
    if ["request", "callspec", "nodeid"].iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for node in all_nodes(source.root()).into_iter().filter(|node| node.kind() == "keyword_argument") {
        let Some(value) = node.child_by_field_name("value") else { continue };
        let titles = match (source.field(node, "name").as_deref(), value.kind()) {
            (Some("ids"), "list" | "tuple") => named_children(value),
            (Some("id"), "string") => vec![value],
            _ => continue,
        };
        let contents = titles.into_iter().flat_map(all_nodes).filter(|node| node.kind() == "string_content");
        out.extend(contents.map(|content| content.byte_range()));
    }
    out
}
