//! Sentences in languages whose verbs are not looked up. Small words, or the script, tell that a text is one; its length decides
//! whether it says something.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Small words of other languages that English texts do not have.
static SMALL: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../words/foreign.txt").lines().collect());
/// Their words for `must`, `always` and `never`.
static MUSTS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../words/foreign_musts.txt").lines().collect());
/// Small words that tell an English sentence.
const ENGLISH: [&str; 12] =
    ["the", "is", "of", "to", "and", "are", "must", "should", "with", "for", "can", "will"];

/// Whether a text is a statement in another language: several words, of which small ones of that language tell which it is, or
/// most letters are of another script.
pub(in crate::spec) fn is_foreign_statement(text: &str) -> bool {
    const FEWEST: usize = 4;
    if text.trim_end().ends_with([':', '：', '?', '？']) {
        return false;
    }
    let lower = text.to_lowercase();
    let words = words(&lower);
    if words.len() < FEWEST - 1 {
        return false;
    }
    if has_other_script(text) {
        return true;
    }
    let foreign: HashSet<&&str> = words.iter().filter(|w| SMALL.contains(**w)).collect();
    let english = words.iter().filter(|w| ENGLISH.contains(w)).count();
    words.len() >= FEWEST && foreign.len() > 1 && foreign.len() >= 3 * english
}

/// Whether such a statement says what must always or never happen.
pub(in crate::spec) fn binds_in_foreign_words(text: &str) -> bool {
    let lower = text.to_lowercase();
    is_foreign_statement(text) && words(&lower).iter().any(|w| MUSTS.contains(w))
}

fn words(lower: &str) -> Vec<&str> {
    lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect()
}

/// Whether most letters are neither Latin nor of a script without spaces.
fn has_other_script(text: &str) -> bool {
    let letters = || text.chars().filter(|c| c.is_alphabetic());
    let is_other = |c: &char| matches!(c, '\u{370}'..='\u{1dff}' | '\u{ac00}'..='\u{d7af}');
    letters().filter(is_other).count() * 2 > letters().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_told_without_a_list_of_verbs() {
        let statements = [
            "O sistema deve guardar os dados",
            "Una lista de los pedidos se muestra al abrir",
            "Le client peut annuler dans les dix minutes",
            "Der Beleg wird mit der Rechnung verschickt",
            "Письмо приходит через минуту",
            "사용자는 주문을 취소할 수 있다",
        ];
        let others = [
            "The parcel is handed over",
            "La Paz and El Paso",
            "Preis der Ware:",
            "Store the des and una keys of the map",
            "Документ",
        ];
        for text in statements {
            assert!(is_foreign_statement(text), "{text}");
        }
        for text in others {
            assert!(!is_foreign_statement(text), "{text}");
        }
    }

    #[test]
    fn what_must_happen_binds() {
        assert!(binds_in_foreign_words("O sistema deve guardar os dados"));
        assert!(!binds_in_foreign_words("Una lista de los pedidos se muestra al abrir"));
        assert!(!binds_in_foreign_words("The list must be deve sorted"));
    }
}
