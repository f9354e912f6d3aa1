//! Titles and ids of units.

use super::unit::Unit;
use crate::file_kind::FileKind;
use crate::lint::Profile;
use crate::spec::{Operation, Spec};
use crate::words::is_listed;
use windlass_core::path_text::file_name;

/// The name of a file without folder and extensions.
pub(super) fn stem(path: &str) -> &str {
    let name = file_name(path);
    let name = name.strip_prefix('.').unwrap_or(name);
    name.split('.').next().unwrap_or(name)
}

/// Verbs that titles and user stories begin with.
const VERBS: &str = include_str!("../words/verbs.txt");

/// Whether a title begins with a verb.
pub(super) fn begins_with_verb(title: &str) -> bool {
    let first = title.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    is_listed(VERBS, &first)
}

/// Whether a title is an order by its form, whatever its verb: `Lend a book`.
pub(super) fn is_order(title: &str) -> bool {
    let is_article = |word: &str| matches!(word, "a" | "an" | "the" | "all" | "your");
    let mut words = title.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    words.next().is_some_and(is_article) && words.next().is_some() && !is_article(&first)
}

/// A remark about a file in the imperative: `prints what was paid` becomes `print what was paid`.
fn as_order(note: &str) -> Option<String> {
    if begins_with_verb(note) {
        return Some(note.to_owned());
    }
    let (first, rest) = note.split_once(' ')?;
    let lower = first.to_lowercase();
    let plain = [lower.strip_suffix("es"), lower.strip_suffix('s')];
    // `tests for carts` and `reports about them` are nouns; `waits for them` is a verb.
    let named = ["for", "of", "about", "with", "and", "in", "on"].contains(&rest.split(' ').next()?);
    let is_thing = |word: &str| named && !["wait", "hold", "turn", "parse", "send", "serve"].contains(&word);
    let verb = plain.into_iter().flatten().find(|word| begins_with_verb(word) && !is_thing(word));
    let verb = verb.map(str::to_owned).or_else(|| verb_before_object(&lower, rest))?;
    Some(format!("{verb} {rest}"))
}

/// A word in front of an article is a verb, listed or not: `coordinates the runs`.
fn verb_before_object(word: &str, rest: &str) -> Option<String> {
    let object = ["the", "a", "an", "all", "every", "each", "its"];
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s'))?;
    let is_verb = object.contains(&rest.split(' ').next()?);
    let hissing =
        stem.strip_suffix('e').filter(|s| ["ch", "sh", "x", "ss", "zz"].iter().any(|end| s.ends_with(end)));
    let plain = match stem.strip_suffix("ie") {
        Some(stem) => format!("{stem}y"),
        None => hissing.unwrap_or(stem).to_owned(),
    };
    is_verb.then_some(plain)
}

/// A title from the files of a unit: a verb, and the component or file.
pub(super) fn title(unit: &Unit, spec: &Spec) -> String {
    let main = unit
        .of_kind(FileKind::Code)
        .chain(unit.owned())
        .next()
        .map(|f| (f.path.clone(), f.operation, f.kind));
    let Some((path, operation, kind)) = main else {
        let said = unit.title.trim();
        if unit.is_open {
            return said.to_owned();
        }
        return if said.is_empty() {
            "Check the result as a whole".to_owned()
        } else {
            format!("Check: {said}")
        };
    };
    let verb = match (operation, kind) {
        (Operation::Delete, _) => "Remove",
        (_, FileKind::Test) => "Test",
        (_, FileKind::Documentation) => "Document",
        (Operation::Create, _) => "Create",
        (_, FileKind::Configuration | FileKind::Manifest) => "Configure",
        _ => "Change",
    };
    let given = unit.title.trim();
    let component = spec.components.iter().find(|c| c.files.contains(&path)).map(|c| c.name.as_str());
    let component = component.filter(|n| n.len() <= 48 && !n.contains('/') && !n.contains('.'));
    let note = unit.files.iter().find(|f| f.path == path).map(|f| remark(&f.note)).unwrap_or_default();
    // Of a component that does two things, its name says more.
    let joins_two = format!(" {note} ").contains(" and ");
    let done =
        if component.is_some() && (joins_two || !begins_with_verb(note)) { None } else { as_order(note) };
    if let Some(done) = done.filter(|_| given.is_empty()) {
        return format!("{} in {path}", capital(&done));
    }
    // A label that only repeats the file's name says less than the component.
    let thing = if given.is_empty() || path.ends_with(given) { component.unwrap_or(note) } else { given };
    let thing = if thing.is_empty() { given } else { thing };
    // The test of a source file is not counted.
    let more = unit
        .owned()
        .filter(|f| f.path != path && (kind == FileKind::Test || f.kind != FileKind::Test))
        .count();
    let others = match more {
        0 => String::new(),
        1 => " with 1 more file".to_owned(),
        n => format!(" with {n} more files"),
    };
    if thing.is_empty() || path.ends_with(thing) {
        format!("{verb} {path}{others}")
    } else if kind == FileKind::Test && verb == "Test" && thing.to_lowercase().contains("test") {
        format!("Write {} in {path}{others}", lowered(thing))
    } else {
        format!("{verb} {thing} in {path}{others}")
    }
}

/// The remark about a file, if it is short enough for a title: `NEW: crowd heuristics`.
fn remark(note: &str) -> &str {
    let note = unmarked(note);
    // Text in brackets is too long for a title.
    let note = note.split(" (").next().unwrap_or(note).trim_end_matches(['.', ';', ' ']);
    let plain = !note.contains(['/', '`', '|', '→', ':', '(', ')'])
        && !note.starts_with(|c: char| c.is_ascii_digit());
    let says = |word: &str| !BARE.contains(&word.to_lowercase().as_str());
    let telling = note.split_whitespace().any(says);
    if plain && telling && (2..=9).contains(&note.split_whitespace().count()) { note } else { "" }
}

/// Words about the operation on a file, not about its content: `create new`.
const BARE: [&str; 15] = [
    "create", "new", "add", "file", "files", "modify", "update", "change", "edit", "existing", "delete",
    "remove", "test", "tests", "only",
];

/// A remark without the leading operation: `NEW: crowds`, `modify — badges`.
pub(super) fn unmarked(note: &str) -> &str {
    let note = note.trim();
    let first = note.split([' ', ':', '—', '–']).next().unwrap_or_default();
    let done = ["new", "modify", "modified", "update", "updated", "create", "created", "add", "edit"];
    if !done.contains(&first.to_lowercase().as_str()) {
        return note;
    }
    let rest = note[first.len()..].trim_start();
    let signed = rest.strip_prefix([':', '—', '–', '-']).map(str::trim);
    match signed {
        Some(rest) => rest,
        None if rest.is_empty() => "",
        None if first == "NEW" => rest,
        None => note,
    }
}

/// A name within a sentence: `Unit tests` → `unit tests`; `StepGenerator tests` stays.
fn lowered(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    let plain = word.chars().skip(1).all(char::is_lowercase);
    if plain { text.to_lowercase() } else { text.to_owned() }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

/// Sets the plan id of every unit.
pub(super) fn ids(units: &mut [Unit], profile: Profile, plan: &str) {
    let own = matches!(profile, Profile::Default | Profile::Zerg | Profile::Superplanner);
    let mut taken: std::collections::HashSet<String> = std::collections::HashSet::new();
    let mut per_level: std::collections::HashMap<u32, u32> = std::collections::HashMap::new();
    let letters: String =
        plan.chars().filter(char::is_ascii_alphabetic).take(4).collect::<String>().to_uppercase();
    let letters = if letters.is_empty() { "PLAN".to_owned() } else { letters };
    for (at, unit) in (1..).zip(units.iter_mut()) {
        let number = {
            let n = per_level.entry(unit.level.unwrap_or(1)).or_default();
            *n += 1;
            *n
        };
        let fresh = match profile {
            Profile::Default | Profile::Superplanner => format!("T{at:03}"),
            Profile::Zerg => format!("{letters}-L{}-{number:03}", unit.level.unwrap_or(1)),
            Profile::Homerun => format!("{at:03}"),
            Profile::Ccw => format!("IMPL-{at}"),
            Profile::Contract => format!("TASK-{at:03}"),
        };
        let usable = own && windlass_core::ids::TaskId::new(&unit.stated).is_ok();
        let mut id = if usable { unit.stated.clone() } else { fresh };
        while !taken.insert(id.to_lowercase()) {
            id.push('x');
        }
        unit.id = id;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_file_is_something_to_do() {
        let table = [
            ("turn titles into slugs", Some("turn titles into slugs")),
            ("prints what was paid", Some("print what was paid")),
            ("waits for changes of a folder", Some("wait for changes of a folder")),
            ("watches a folder", Some("watch a folder")),
            ("Coordinates the runs", Some("coordinate the runs")),
            ("unifies every line", Some("unify every line")),
            ("pages of the shop", None),
            ("tests for carts", None),
            ("crowd heuristics", None),
        ];
        for (note, expected) in table {
            assert_eq!(as_order(note).as_deref(), expected, "{note}");
        }
    }
}
