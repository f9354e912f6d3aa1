//! What components build on, where it is stated beside their table: in sentences, in lists with arrows, in tables, in lines
//! of a drawing, by their order in a list.

use crate::file_kind::{self, FileKind};
use crate::spec::document::{BlockContent, DocumentTable};
use crate::spec::model::{Component, DocumentKind, StatedUse, UseStrength};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, dependency_phrase, paths, sentences};
use windlass_core::path_text::file_name;

/// Arrows of a list under a heading about dependencies: what stands before one needs what stands behind it.
const ARROWS: [&str; 4] = ["-->", "->", "→", "⟶"];

/// Arrows of a drawn order: what stands before one comes first.
const DRAWN: [&str; 6] = ["──▶", "─▶", "-->", "->", "→", "▶"];

/// Headings over what is made one after the other.
const ORDERS: [&str; 6] =
    ["build order", "implementation order", "execution order", "order of", "task order", "delivery order"];

/// Verbs that state a need under a heading about dependencies; elsewhere they may be about anything.
const NEEDS: [&str; 12] = [
    " needs ",
    " need ",
    " uses ",
    " use ",
    " imports ",
    " calls ",
    " consumes ",
    " extends ",
    " relies on ",
    " builds on ",
    " built on top of ",
    " is built on ",
];

/// Adds the order of files that a list under a heading such as `Build Order` gives: what an item names is made after what the
/// item before it names.
pub(in crate::spec) fn collect_file_order(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    let mut before: Option<(usize, Vec<String>)> = None;
    for block in tree.wanted_blocks() {
        let heading = tree.heading(block.section).to_lowercase();
        let is_top = tree.item(block.index).is_some_and(|item| item.depth == 0);
        if !is_top || !ORDERS.iter().any(|words| heading.contains(words)) {
            continue;
        }
        let text = block.running_text().map(|text| text.text.as_str()).unwrap_or_default();
        // What only ties a folder together comes with any of its files.
        let ties = |path: &str| {
            let name = file_name(path);
            matches!(name.split('.').next(), Some("__init__" | "index" | "mod" | "lib"))
        };
        let is_made =
            |path: &String| file_kind::is_source(path) && FileKind::of(path) != FileKind::Test && !ties(path);
        let made: Vec<String> = paths::named_in(text).into_iter().filter(is_made).collect();
        if made.is_empty() {
            continue;
        }
        let span = reading.span(&block.at);
        if let Some((_, earlier)) = before.take().filter(|(section, _)| *section == block.section) {
            for (user, used) in made.iter().flat_map(|user| earlier.iter().map(move |used| (user, used))) {
                let (user, used) = (user.clone(), used.clone());
                reading.spec.uses.push(StatedUse { user, used, strength: UseStrength::Ordered, span });
            }
        }
        reading.claim(block);
        before = Some((block.section, made));
    }
}

/// Adds what the components that are known by now build on.
pub(in crate::spec) fn collect_needs(reading: &mut DocumentReading<'_>) {
    if matches!(
        reading.kind,
        DocumentKind::Requirements | DocumentKind::Conventions | DocumentKind::Background
    ) {
        return;
    }
    let tree = reading.tree;
    // The component of the list item before, and the section it is in.
    let mut last: Option<(usize, usize)> = None;
    for block in tree.wanted_blocks() {
        let heading = tree.heading(block.section).to_lowercase();
        let is_order = ORDERS.iter().any(|words| heading.contains(words));
        let components = &reading.spec.components;
        let mut pairs = match &block.content {
            BlockContent::Table(table) => in_table(table, components),
            // Mermaid has a reader of its own.
            BlockContent::Code(code) if code.info.is_empty() && (is_order || heading.contains("graph")) => {
                code.text.lines().flat_map(|line| in_drawing(line, components)).collect()
            }
            BlockContent::Code(_) => Vec::new(),
            BlockContent::Item(_) | BlockContent::Paragraph(_) => {
                let text =
                    block.running_text().map(super::super::document::RunningText::plain).unwrap_or_default();
                in_text(&text, heading.contains("dependenc"), components)
            }
        };
        if is_order && matches!(block.content, BlockContent::Item(_)) {
            let text = block.running_text().map(super::super::document::RunningText::plain);
            if let [only] = named(&text.unwrap_or_default(), components)[..] {
                let before = last.filter(|(section, _)| *section == block.section);
                pairs.extend(before.map(|(_, first)| (only, first)).filter(|(a, b)| a != b));
                last = Some((block.section, only));
            }
        }
        if pairs.is_empty() {
            continue;
        }
        reading.claim(block);
        for (component, need) in pairs {
            let name = reading.spec.components[need].name.clone();
            let needs = &mut reading.spec.components[component].needs;
            if !needs.contains(&name) {
                needs.push(name);
            }
        }
    }
}

/// Components by index: the first needs the second.
type ComponentPairs = Vec<(usize, usize)>;

/// `Logout depends on Auth middleware`, `Logout → Auth middleware`, `Logout: Auth middleware`.
fn in_text(text: &str, about_dependencies: bool, components: &[Component]) -> ComponentPairs {
    let parts = || sentences(text).into_iter().flat_map(|sentence| sentence.split(';'));
    let said: ComponentPairs =
        parts().flat_map(|sentence| in_sentence(sentence, about_dependencies, components)).collect();
    if !said.is_empty() || !about_dependencies {
        return said;
    }
    if let Some(arrow) = ARROWS.iter().find(|arrow| text.contains(**arrow)) {
        let parts: Vec<Vec<usize>> = text.split(arrow).map(|part| named(part, components)).collect();
        return parts.windows(2).flat_map(|two| pairs(&two[0], &two[1])).collect();
    }
    let listed = text.split_once(": ").map(|(one, rest)| (named(one, components), named(rest, components)));
    listed.filter(|(one, _)| one.len() == 1).map(|(one, rest)| pairs(&one, &rest)).unwrap_or_default()
}

/// The needs that one sentence states; `, which uses …` is about the component before it.
fn in_sentence(sentence: &str, about_dependencies: bool, components: &[Component]) -> ComponentPairs {
    let mut found = Vec::new();
    let mut subject: Vec<usize> = Vec::new();
    for clause in sentence.split(", which") {
        let lower = clause.to_ascii_lowercase();
        let verb = |verb: &&str| lower.find(*verb).map(|at| (at, at + verb.len()));
        let loose = || NEEDS.iter().filter(|_| about_dependencies).filter_map(verb).min();
        let Some((start, end)) = dependency_phrase(clause).or_else(loose) else {
            subject = named(clause, components);
            continue;
        };
        let before = named(&clause[..start], components);
        let needing = if before.is_empty() { std::mem::take(&mut subject) } else { before };
        let needed = named(&clause[end..], components);
        found.extend(pairs(&needing, &needed));
        subject = needed;
    }
    found
}

/// One line of a drawn order: `Catalogue ──▶ Basket ──▶ Checkout`.
fn in_drawing(line: &str, components: &[Component]) -> ComponentPairs {
    let Some(arrow) = DRAWN.iter().find(|arrow| line.contains(**arrow)) else { return Vec::new() };
    let parts: Vec<Vec<usize>> = line.split(arrow).map(|part| named(part, components)).collect();
    parts.windows(2).flat_map(|two| pairs(&two[1], &two[0])).collect()
}

/// `| Component | Depends on |`, apart from the table that introduces the components.
fn in_table(table: &DocumentTable, components: &[Component]) -> ComponentPairs {
    let columns = TableColumns::from_table(table);
    let of_row = |row: &Vec<_>| {
        let needs = columns
            .cell(row, ColumnMeaning::Depends)
            .map(super::super::document::RunningText::plain)
            .unwrap_or_default();
        let first: String = row.first().map(crate::spec::document::RunningText::plain).unwrap_or_default();
        pairs(&named(&first, components), &named(&needs, components))
    };
    table.rows.iter().flat_map(of_row).collect()
}

fn pairs(needing: &[usize], needed: &[usize]) -> ComponentPairs {
    let each = needing.iter().flat_map(|a| needed.iter().map(move |b| (*a, *b)));
    each.filter(|(a, b)| a != b).collect()
}

/// The components that a text names, by name or by file; `Auth service` does not name `Auth`.
fn named(text: &str, components: &[Component]) -> Vec<usize> {
    let mut rest = text.to_lowercase();
    let mut order: Vec<(usize, String)> = Vec::new();
    for (at, component) in components.iter().enumerate().filter(|(_, c)| !c.files.is_empty()) {
        order.extend(component.files.iter().map(|file| (at, file.to_lowercase())));
        order.push((at, component.name.to_lowercase()));
    }
    order.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
    let mut found = Vec::new();
    for (at, name) in order.iter().filter(|(_, name)| name.len() > 2) {
        let edge = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
        let hit = rest.match_indices(name.as_str()).map(|(start, _)| start).find(|start| {
            edge(rest[..*start].chars().next_back()) && edge(rest[start + name.len()..].chars().next())
        });
        if let Some(start) = hit {
            rest.replace_range(start..start + name.len(), " ");
            if !found.contains(at) {
                found.push(*at);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::spec::{SpecFile, read};

    const TABLE: &str = "# Technical Design\n\n## Components\n\n| Component | Responsibility | Files |\n|---|---|---|\n\
        | Auth middleware | checks tokens | `src/middleware/auth.ts` |\n| Auth | signs in | `src/auth.ts` |\n\
        | Logout | ends a session | `src/routes/logout.ts` |\n\n";

    #[test]
    fn needs_are_read_in_every_form() {
        let forms = [
            "## Notes\n\n- Logout depends on Auth middleware\n",
            "## Notes\n\nLogout requires Auth middleware. Auth is apart.\n",
            "## Dependencies\n\n- Logout → Auth middleware\n",
            "## Dependencies\n\n- `src/routes/logout.ts` depends on `src/middleware/auth.ts`\n",
            "## Dependencies\n\n| Component | Depends on |\n|---|---|\n| Logout | Auth middleware |\n",
            "## Dependencies\n\nAuth is apart. Logout needs Auth middleware.\n",
            "## Dependencies\n\n`src/routes/logout.ts` imports `src/middleware/auth.ts`.\n",
            "## Dependencies\n\n- Logout: Auth middleware\n",
            "## Dependency Graph\n\n```\nAuth middleware ──▶ Logout\n```\n",
            "## Build Order\n\n1. Auth middleware\n2. Logout\n",
        ];
        for form in forms {
            let spec =
                read(&[SpecFile { path: "TECHNICAL_DESIGN.md".into(), text: format!("{TABLE}{form}") }], &[]);
            let needs: Vec<(&str, &[String])> =
                spec.components.iter().map(|c| (c.name.as_str(), c.needs.as_slice())).collect();
            let all = spec.components.iter().filter(|c| !c.needs.is_empty()).count();
            let own = needs.iter().find(|(name, _)| *name == "Logout").unwrap();
            assert_eq!((own.1, all), (&["Auth middleware".to_owned()][..], 1), "{form}: {needs:?}");
        }
    }

    #[test]
    fn clauses_and_sentences_have_their_own_subjects() {
        let form = "## Dependencies\n\nLogout is built on top of Auth middleware, which uses Auth.\n";
        let spec =
            read(&[SpecFile { path: "TECHNICAL_DESIGN.md".into(), text: format!("{TABLE}{form}") }], &[]);
        let needs: Vec<Vec<String>> = spec.components.iter().map(|c| c.needs.clone()).collect();
        assert_eq!(needs, [vec!["Auth".to_owned()], Vec::new(), vec!["Auth middleware".to_owned()]]);
    }
}
