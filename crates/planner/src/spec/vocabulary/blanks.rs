//! Templates that were not filled in.

/// Whether most of a text is still to be filled in: `The system must [what it does]`, `目标：[待定]`. Tags, links and code in
/// brackets are none.
pub(in crate::spec) fn is_unfilled(text: &str) -> bool {
    /// A text is unfilled if at least one letter in so many stands in blanks.
    const SHARE: usize = 3;
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    let mut code = false;
    let mut blank = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['[', '`']) {
        let behind = &rest[at + 1..];
        if rest[at..].starts_with('`') {
            code = !code;
            rest = behind;
            continue;
        }
        let Some((inner, after)) = behind.split_once(']') else { break };
        if !code && !after.starts_with(['(', '[', ':']) && is_blank_to_fill(inner) {
            blank += letters(inner);
        }
        rest = after;
    }
    blank > 0 && blank * SHARE >= letters(text) && !text.contains("NEEDS CLARIFICATION")
}

/// Whether the text between brackets describes what belongs there: several words, or several letters of a script without spaces.
fn is_blank_to_fill(inner: &str) -> bool {
    let is_wide = inner.chars().filter(|c| *c >= '\u{3000}' && c.is_alphabetic()).count() > 1;
    let is_named = inner.contains(['/', '`', '=', '|', '<', '>', '#', '_', '\\', '{', '@']);
    (is_wide || inner.split_whitespace().count() > 1) && !is_named && !inner.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::is_unfilled;

    #[test]
    fn blanks_are_told_from_tags_links_and_code() {
        let table = [
            ("Given [initial state], when [action], then [expected outcome]", true),
            ("The system MUST [specific capability, e.g. \"keep parcels\"]", true),
            ("目标用户：[待定]", true),
            ("The shelf [see the second section] keeps every book that was given to it by a reader", false),
            ("[P1] [US2] Keep the parcels", false),
            ("[the shelf](shelf.md)", false),
            ("`shelf add [the title] [the year]`", false),
            ("Answer with `[one two]`", false),
            ("Keep data [NEEDS CLARIFICATION: how long?]", false),
            ("[Source: docs/design.md]", false),
        ];
        for (text, expected) in table {
            assert_eq!(is_unfilled(text), expected, "{text}");
        }
    }
}
