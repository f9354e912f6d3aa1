//! The explain pages: one Markdown file per family, one `##` section per rule.

use super::rule::{Family, Rule};

fn text(family: Family) -> &'static str {
    match family {
        Family::Reading => include_str!("../../../../docs/guide/lints/reading.md"),
        Family::Shape => include_str!("../../../../docs/guide/lints/shape.md"),
        Family::Files => include_str!("../../../../docs/guide/lints/files.md"),
        Family::Proof => include_str!("../../../../docs/guide/lints/proof.md"),
        Family::Size => include_str!("../../../../docs/guide/lints/size.md"),
        Family::Words => include_str!("../../../../docs/guide/lints/words.md"),
        Family::Trace => include_str!("../../../../docs/guide/lints/trace.md"),
        Family::Routing => include_str!("../../../../docs/guide/lints/routing.md"),
    }
}

/// The section of a rule, without its heading.
pub(super) fn of(rule: &Rule) -> &'static str {
    let text = text(rule.family);
    let heading = format!("\n## {} {}\n", rule.code, rule.name);
    let Some((_, rest)) = text.split_once(&heading) else { return "" };
    rest.split("\n## WL").next().unwrap_or(rest).trim()
}
