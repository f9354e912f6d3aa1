//! What components build on, where it is stated beside their table: in sentences, in lists with arrows, in tables.

use crate::spec::document::{BlockContent, DocumentTable};
use crate::spec::model::{Component, DocumentKind};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, dependency_phrase};

/// Arrows of a list under a heading about dependencies: what stands before one needs what stands behind it.
const ARROWS: [&str; 4] = ["-->", "->", "→", "⟶"];

/// Adds what the components that are known by now build on.
pub(in crate::spec) fn collect_needs(reading: &mut DocumentReading<'_>) {
    if matches!(
        reading.kind,
        DocumentKind::Requirements | DocumentKind::Conventions | DocumentKind::Background
    ) {
        return;
    }
    let tree = reading.tree;
    for block in tree.wanted_blocks() {
        let pairs = match &block.content {
            BlockContent::Table(table) => in_table(table, &reading.spec.components),
            BlockContent::Code(_) => Vec::new(),
            BlockContent::Item(_) | BlockContent::Paragraph(_) => {
                let text =
                    block.running_text().map(super::super::document::RunningText::plain).unwrap_or_default();
                let heading = tree.heading(block.section).to_lowercase();
                in_text(&text, heading.contains("dependenc"), &reading.spec.components)
            }
        };
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

/// `Logout depends on Auth middleware`, `Logout → Auth middleware`.
fn in_text(text: &str, about_dependencies: bool, components: &[Component]) -> ComponentPairs {
    if let Some((start, end)) = dependency_phrase(text) {
        let stop = text[end..]
            .find(['.', ';'])
            .filter(|at| is_end(&text[end..], *at))
            .map_or(text.len(), |at| end + at);
        return pairs(&named(&text[..start], components), &named(&text[end..stop], components));
    }
    if !about_dependencies {
        return Vec::new();
    }
    let Some(arrow) = ARROWS.iter().find(|arrow| text.contains(**arrow)) else { return Vec::new() };
    let parts: Vec<Vec<usize>> = text.split(arrow).map(|part| named(part, components)).collect();
    parts.windows(2).flat_map(|two| pairs(&two[0], &two[1])).collect()
}

/// Whether a full stop ends a sentence: the one in `user.ts` does not.
fn is_end(text: &str, at: usize) -> bool {
    text[at + 1..].chars().next().is_none_or(char::is_whitespace)
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
}
