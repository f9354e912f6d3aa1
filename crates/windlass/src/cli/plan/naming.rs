//! The name of a plan, from what documents are called or from an idea.

/// Titles that stand over any document.
const GENERIC: [&str; 8] =
    ["overview", "introduction", "summary", "executive summary", "background", "context", "goals", "purpose"];

/// What a document calls its subject: `Till` for `PRD: Till: a cash register`.
pub(super) fn bare_title(title: &str) -> &str {
    let named = without_kind(title);
    let short = named.split_once(": ").map(|(head, _)| head.trim());
    short.filter(|head| !head.is_empty()).unwrap_or(named)
}

/// A title without the words that say what kind of document it is of: `PRD: Shop`, `Shop - Technical Design`.
fn without_kind(title: &str) -> &str {
    const KINDS: [&str; 20] = [
        "adr",
        "architecture decision record",
        "architecture decision records",
        "design",
        "design document",
        "epic",
        "feature",
        "feature specification",
        "implementation plan",
        "prd",
        "product requirements",
        "product requirements document",
        "requirements",
        "spec",
        "specification",
        "tdd",
        "technical design",
        "technical design document",
        "user stories",
        "wireframes",
    ];
    let kind = |part: &str| KINDS.contains(&part.trim().to_lowercase().as_str());
    for mark in [":", " - ", " – ", " — "] {
        if let Some((head, rest)) = title.split_once(mark)
            && kind(head)
        {
            return rest.trim();
        }
        if let Some((rest, tail)) = title.rsplit_once(mark)
            && kind(tail)
        {
            return rest.trim();
        }
    }
    if kind(title) {
        return title;
    }
    // `Shop Product Requirements Document (PRD)`
    let bare = title.rsplit_once(" (").filter(|(_, tail)| kind(tail.trim_end_matches(')')));
    let bare = bare.map_or(title, |(head, _)| head);
    let lower = bare.to_lowercase();
    let tail = KINDS.iter().filter(|kind| kind.contains(' ') || **kind == "prd");
    let tail = tail.filter(|kind| lower.strip_suffix(**kind).is_some_and(|head| head.ends_with(' ')));
    let longest = tail.map(|kind| kind.len()).max().unwrap_or_default();
    if bare.is_ascii() { bare[..bare.len() - longest].trim_end() } else { bare }
}

/// Whether a title says nothing about its document.
pub(super) fn is_generic(title: &str) -> bool {
    GENERIC.contains(&title.to_lowercase().trim_matches(|c: char| !c.is_alphabetic()))
}

/// The most letters of a name: it is part of a branch, of folders and of commands.
const LONGEST: usize = 32;

/// A name of a few words: `vi-editor` for `Build a vi editor that opens large files`.
pub(super) fn short_name(title: &str) -> String {
    const OPENINGS: [&str; 14] = [
        "a",
        "add",
        "an",
        "build",
        "create",
        "develop",
        "implement",
        "make",
        "me",
        "new",
        "please",
        "the",
        "us",
        "write",
    ];
    // Where the first of these stands, what follows explains what stands before it.
    const ENDS: [&str; 9] = ["and", "for", "from", "in", "that", "to", "using", "which", "with"];
    let clean = |word: &str| {
        let kept: String =
            word.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.')).collect();
        kept.trim_matches(['-', '_', '.']).to_lowercase()
    };
    let words: Vec<String> = title.split_whitespace().map(clean).filter(|word| !word.is_empty()).collect();
    let open = |word: &&String| OPENINGS.contains(&word.as_str());
    let start = words.iter().take_while(open).count();
    let start = if start == words.len() { 0 } else { start };
    let mut name = String::new();
    for (at, word) in words[start..].iter().enumerate() {
        let full = name.len() + word.len() >= LONGEST;
        if at > 0 && (full || (words.len() > 4 && at > 1 && ENDS.contains(&word.as_str()))) {
            break;
        }
        if at > 0 {
            name.push('-');
        }
        name.push_str(word);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_not_the_kind_of_its_document() {
        let table = [
            ("PRD: Shop", "Shop"),
            ("Shop — Technical Design", "Shop"),
            ("Architecture Decision Record: Best time", "Best time"),
            ("Feature: Shop", "Shop"),
            ("PRD: Till: a cash register", "Till"),
            ("Shop", "Shop"),
            ("Shop Product Requirements Document (PRD)", "Shop"),
            ("Shop Technical Design", "Shop"),
            ("Technical Design Document", "Technical Design Document"),
            ("Shop (online)", "Shop (online)"),
        ];
        for (title, expected) in table {
            assert_eq!(bare_title(title), expected, "{title}");
        }
    }

    #[test]
    fn names_are_short() {
        let table = [
            ("Build a vi editor", "vi-editor"),
            ("Build a command line todo list with due dates and tags", "command-line-todo-list"),
            ("Shop", "shop"),
            ("Till: receipts", "till-receipts"),
            ("The", "the"),
            (
                "Payment reconciliation service for merchants in several currencies",
                "payment-reconciliation-service",
            ),
            ("Supercalifragilisticexpialidocious words are long", "supercalifragilisticexpialidocious"),
        ];
        for (title, expected) in table {
            assert_eq!(short_name(title), expected, "{title}");
        }
    }
}
