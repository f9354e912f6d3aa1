//! Headings in other languages: the name that the same part has in English documents.

/// The usual headings of specifications, each with those of other languages.
const HEADINGS: &str = include_str!("../../words/foreign_headings.txt");

/// The English name of what a heading begins with, or of the whole words of a short one: `Requisitos funcionales del sistema`.
pub(super) fn in_english(title: &str) -> Option<&'static str> {
    const LONGEST: usize = 5;
    let title = title.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if title.is_ascii() && title.split_whitespace().count() > LONGEST {
        return None;
    }
    let entries = HEADINGS.lines().filter_map(|line| line.split_once(": "));
    let named = entries.filter_map(|(english, others)| {
        let longest = others.split("; ").filter(|other| names(&title, other)).map(str::len).max()?;
        Some((longest, english))
    });
    named.max_by_key(|(length, _)| *length).map(|(_, english)| english)
}

/// Whether a label in another language says that a reason follows.
pub(in crate::spec) fn labels_reason(label: &str) -> bool {
    in_english(label) == Some("rationale")
}

/// Whether a title is a name, alone or with a word that goes with it: `Limitaciones técnicas`, `Ziele und Grenzen`, `Objetivos del
/// proyecto`. `Objetivos de ahorro` is a name of something else.
fn names(title: &str, name: &str) -> bool {
    const AND: [&str; 9] = ["y", "e", "et", "und", "en", "i", "ve", "и", "&"];
    const WHOLES: &str = "proyecto projeto projet progetto projekt projekts projekte sistema système system systems systeem \
        producto produto produit produkt produkts prodotto aplicación aplicação application anwendung applicazione software \
        documento document dokuments app mvp проекта системы продукта приложения";
    let Some(rest) = title.strip_prefix(name).filter(|rest| !rest.starts_with(char::is_alphanumeric)) else {
        return false;
    };
    let words: Vec<&str> =
        rest.split(|c: char| !c.is_alphanumeric() && c != '&').filter(|w| !w.is_empty()).collect();
    match words.as_slice() {
        [] | [_] => true,
        [first, ..] if AND.contains(first) => words.len() <= 4,
        [.., last] => words.len() <= 4 && WHOLES.split_whitespace().any(|whole| whole == *last),
    }
}

#[cfg(test)]
mod tests {
    use super::in_english;

    #[test]
    fn what_a_part_is_called_elsewhere() {
        let table = [
            ("Requisitos funcionales del sistema", Some("functional requirements")),
            ("Limitaciones y Consideraciones", Some("known limitations")),
            ("Einschränkungen", Some("known limitations")),
            ("Резюме", Some("executive summary")),
            ("Objetivos del proyecto", Some("goals")),
            ("Objetivos de ahorro", None),
            ("Critérios de avaliação", Some("evaluation criteria")),
            ("Stack tecnológica", Some("tech stack")),
            ("Zielgruppe", Some("target users")),
            ("Gestión de usuarios", None),
            ("Search", None),
            ("Funktionenrechner", None),
        ];
        for (title, expected) in table {
            assert_eq!(in_english(title), expected, "{title}");
        }
    }
}
