//! The pages of `windlass explain`: one Markdown file per family, one `##` section per rule.

use super::rule::{LintRule, RuleFamily};

fn text(family: RuleFamily) -> &'static str {
    match family {
        RuleFamily::Reading => include_str!("../../../../docs/guide/lints/reading.md"),
        RuleFamily::Shape => include_str!("../../../../docs/guide/lints/shape.md"),
        RuleFamily::Files => include_str!("../../../../docs/guide/lints/files.md"),
        RuleFamily::Proof => include_str!("../../../../docs/guide/lints/proof.md"),
        RuleFamily::Size => include_str!("../../../../docs/guide/lints/size.md"),
        RuleFamily::Words => include_str!("../../../../docs/guide/lints/words.md"),
        RuleFamily::Trace => include_str!("../../../../docs/guide/lints/trace.md"),
        RuleFamily::Routing => include_str!("../../../../docs/guide/lints/routing.md"),
    }
}

/// The section of a rule, without its heading.
pub(super) fn of(rule: &LintRule) -> &'static str {
    let text = text(rule.family);
    let heading = format!("\n## {} {}\n", rule.code, rule.name);
    let Some((_, rest)) = text.split_once(&heading) else { return "" };
    rest.split("\n## WL").next().unwrap_or(rest).trim()
}
