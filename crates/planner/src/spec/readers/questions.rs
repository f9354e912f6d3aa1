//! Questions that documents leave open: `[NEEDS CLARIFICATION: …]`, items below `Open questions`, `TBD`.

use crate::spec::model::{DocumentKind, Remark};
use crate::spec::reading::DocumentReading;

/// Adds every open question of a document.
pub(in crate::spec) fn collect_questions(reading: &mut DocumentReading<'_>) {
    if matches!(reading.kind, DocumentKind::Conventions | DocumentKind::Background) {
        return;
    }
    let tree = reading.tree;
    for block in tree.wanted_blocks() {
        let Some(text) = block.running_text() else { continue };
        let heading = block.label.as_deref().unwrap_or_else(|| tree.heading(block.section));
        let lower = heading.to_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphabetic());
        let asks_here = matches!(bare, "questions" | "fragen" | "preguntas" | "问题")
            || ["open question", "open issue", "unresolved", "offene fragen"]
                .iter()
                .any(|w| lower.contains(w));
        let question = marked(&text.text).or_else(|| asks_here.then(|| text.plain()));
        if let Some(question) = question.filter(|q| !q.is_empty() && (!text.is_label() || !asks_here)) {
            let remark = Remark { text: question, heading: heading.to_owned(), span: reading.span(&text.at) };
            reading.claim(block);
            reading.spec.questions.push(remark);
        }
    }
}

/// The question in a text that marks one.
fn marked(text: &str) -> Option<String> {
    let upper = text.to_uppercase();
    if upper.len() == text.len()
        && let Some(at) = upper.find("NEEDS CLARIFICATION")
        && let Some(rest) = text.get(at + "NEEDS CLARIFICATION".len()..)
    {
        let rest = rest.trim_start_matches([':', ' ', '-']);
        let question = rest.split(']').next().unwrap_or(rest).trim();
        return Some(if question.is_empty() { text.replace(['[', ']'], "") } else { question.to_owned() });
    }
    // `Open: should deleted entries count?`
    let asked = ["Open:", "Open question:", "Question:", "Q:", "Offen:"].iter().find_map(|mark| {
        let bare = text.trim_start_matches(['*', '_', ' ']);
        bare.strip_prefix(mark)
            .map(|rest| rest.trim_start_matches(['*', '_', ' ']))
            .filter(|q| q.contains('?'))
    });
    if let Some(question) = asked {
        return Some(question.to_owned());
    }
    let open = text.split(|c: char| !c.is_alphabetic()).any(|word| matches!(word, "TBD" | "FIXME"));
    open.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn marks_of_questions() {
        let table = [
            ("Login by [NEEDS CLARIFICATION: mail or name?]", Some("mail or name?")),
            ("Keep data [NEEDS CLARIFICATION]", Some("Keep data NEEDS CLARIFICATION")),
            ("The limit is TBD", Some("The limit is TBD")),
            ("**Open:** should deleted ones count?", Some("should deleted ones count?")),
            ("Open: should the last piece stay? Ask Mira.", Some("should the last piece stay? Ask Mira.")),
            ("Open: the door", None),
            ("The limit is 10", None),
        ];
        for (text, expected) in table {
            assert_eq!(marked(text).as_deref(), expected, "{text}");
        }
    }
}
