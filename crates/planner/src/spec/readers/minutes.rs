//! Minutes of a meeting: a document with a line of those who were there. What was agreed counts; what a person said,
//! asked or showed is talk.

use crate::spec::document::SectionTree;

/// The people of a meeting, by the names in the line of attendees; empty for every other document.
pub(super) fn attendees(tree: &SectionTree) -> Vec<String> {
    let texts = tree.blocks.iter().filter_map(|block| block.running_text());
    let lines = texts.flat_map(|text| text.lines().iter());
    let labels =
        ["attendees", "present", "participants", "apologies", "teilnehmer", "anwesend", "participantes"];
    let mut found = Vec::new();
    for line in lines {
        let Some((label, names)) = line.split_once(':') else { continue };
        let label = label.trim_matches(['*', ' ', '_']).to_lowercase();
        if !labels.contains(&label.as_str()) {
            continue;
        }
        let names = names.split([',', ';', '&']).map(|name| name.trim_matches(['*', ' ', '_', '.']));
        let first = names.filter_map(|name| name.split_whitespace().next());
        found.extend(first.filter(|name| name.starts_with(char::is_uppercase)).map(str::to_owned));
    }
    found
}

/// What was agreed, without the words that say that it was agreed.
pub(super) fn agreed(text: &str) -> Option<&str> {
    const OPENINGS: [&str; 12] = [
        "we agreed that ",
        "we agreed to ",
        "we agreed: ",
        "agreed that ",
        "agreed: ",
        "agreed to ",
        "decision: ",
        "decided: ",
        "we decided that ",
        "we decided to ",
        "resolved: ",
        "beschlossen: ",
    ];
    let bare = text.trim_start_matches(['*', '_', ' ']);
    let lower = bare.to_lowercase();
    let opening = OPENINGS.iter().find(|opening| lower.starts_with(**opening))?;
    bare.get(opening.len()..).map(|rest| rest.trim_start_matches(['*', '_', ' ']))
}

/// Whether a text tells what a person at a meeting said or did.
pub(super) fn is_talk(text: &str, people: &[String]) -> bool {
    let first = text.trim_start_matches(['*', '_', ' ']).split([' ', ':', ',', '*', '\'', '’']).next();
    first.is_some_and(|first| people.iter().any(|name| name == first)) || text.starts_with("Everybody ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_agreed_and_what_was_said() {
        assert_eq!(agreed("We agreed that `a` prints 1."), Some("`a` prints 1."));
        assert_eq!(agreed("Decision: no new dependencies"), Some("no new dependencies"));
        assert_eq!(agreed("Ana agreed."), None);
        let people = ["Ana".to_owned()];
        assert!(is_talk("Ana: customers ask for it", &people));
        assert!(!is_talk("Analysis is stored", &people));
    }
}
