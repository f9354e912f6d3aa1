//! The parts of the system: components with their files, data models, endpoints.

use super::columns::{Column, Columns, is_blank};
use super::ids;
use super::markdown::{Block, Code, Placed, Table, Words};
use super::model::{Component, Endpoint, Model};
use super::paths;
use super::reading::Reading;
use super::topic::Topic;

/// Reads components, models and endpoints.
pub(super) fn read(reading: &mut Reading<'_>) {
    for (at, placed) in reading.blocks() {
        if reading.is_excluded(placed) {
            continue;
        }
        match &placed.block {
            Block::Table(table) => {
                components(reading, at, placed, table);
                endpoint_rows(reading, at, table);
                model_rows(reading, at, placed, table);
            }
            Block::Item(item) => {
                component_item(reading, at, placed, &item.words);
                endpoint_line(reading, at, placed, &item.words);
            }
            Block::Paragraph(words) => endpoint_line(reading, at, placed, words),
            Block::Code(code) => model_code(reading, at, placed, code),
        }
    }
    for at in 0..reading.doc.sections.len() {
        section(reading, at);
    }
}

fn components(reading: &mut Reading<'_>, at: usize, placed: &Placed, table: &Table) {
    let columns = Columns::of(table);
    let Some(name_column) = columns.find(Column::Component) else { return };
    let decided = columns.has(Column::Task) || columns.has(Column::Risk) || columns.has(Column::Choice);
    if decided || name_column > 1 || reading.topic(placed) == Some(Topic::Risks) {
        return;
    }
    reading.using(at);
    for row in &table.rows {
        let Some(cell) = row.get(name_column).filter(|w| !is_blank(&w.text)) else { continue };
        let mut files: Vec<String> = Vec::new();
        for cell in [Some(cell), columns.cell(row, Column::File)].into_iter().flatten() {
            files.extend(paths::in_text(&cell.text).into_iter().map(|f| f.path));
        }
        files.dedup();
        let said = columns.first(row, &[Column::Responsibility, Column::Title]).map(|w| w.text.clone());
        let said = said.unwrap_or_else(|| {
            let others = row.iter().enumerate().filter(|(i, _)| *i != name_column);
            others.map(|(_, w)| w.text.as_str()).collect::<Vec<_>>().join(" → ")
        });
        let span = reading.span(&cell.at);
        let name = cell.plain();
        let needs = columns.cell(row, Column::Depends).map(names).unwrap_or_default();
        let serves = row.iter().flat_map(|w| ids::requirements(&w.text)).collect();
        reading.spec.components.push(Component { name, responsibility: said, files, needs, serves, span });
    }
}

/// The names in a cell: `Subtotal, Tax`.
fn names(cell: &Words) -> Vec<String> {
    let plain = cell.plain();
    let all = plain.split([',', ';', '+', '&']).map(str::trim).filter(|name| !is_blank(name));
    all.map(str::to_owned).collect()
}

/// `- **Name** (`path`): what it does` under a heading about components.
fn component_item(reading: &mut Reading<'_>, at: usize, placed: &Placed, words: &Words) {
    if reading.topic(placed) != Some(Topic::Components) {
        return;
    }
    let found = paths::in_text(&words.text);
    let name = words.bold.clone().or_else(|| found.first().map(|f| f.path.clone()));
    let (Some(name), Some(_)) = (name, found.first().filter(|f| f.quoted || f.path.contains('/'))) else {
        return;
    };
    let said = words.text.split_once([':', '—', '–']).map_or("", |(_, t)| t).trim().to_owned();
    let span = reading.span(&words.at);
    reading.using(at);
    let files = found.into_iter().map(|f| f.path).collect();
    let name = name.trim_matches(['`', ':', ' ']).to_owned();
    let serves = ids::requirements(&words.text);
    reading.spec.components.push(Component {
        name,
        responsibility: said,
        files,
        needs: Vec::new(),
        serves,
        span,
    });
}

/// A heading that names a file: `### 3.1 launcher.py — spawn sites`, `### New module: `src/x.ts``.
fn section(reading: &mut Reading<'_>, at: usize) {
    let section = &reading.doc.sections[at];
    let title = section.title.text.clone();
    let found = paths::in_text(&title);
    let id = ids::titled(&title).is_some() || super::tasks::heading_task(&title).is_some();
    if section.level < 2 || found.is_empty() || id {
        return;
    }
    if reading.doc.chain(at).any(|(_, s)| Topic::of(&s.title.text) == Some(Topic::Excluded)) {
        return;
    }
    let span = reading.span(&section.title.at);
    let name = component_name(&title, &found[0].path);
    let responsibility = reading.prose(at, 400);
    let files = found.into_iter().map(|f| f.path).collect();
    if !reading.spec.components.iter().any(|c| c.name == name) {
        let (needs, serves) = (Vec::new(), Vec::new());
        reading.spec.components.push(Component { name, responsibility, files, needs, serves, span });
    }
}

fn component_name(title: &str, path: &str) -> String {
    let plain = title.replace('`', "");
    let plain = plain.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    let rest = plain.replace(path, "");
    let rest = rest.trim_matches([':', '(', ')', '—', '–', '-', ' ']);
    let says_nothing =
        ["additions", "changes", "updates", "modifications", "module", "script", "file", "existing"];
    if rest.len() < 4 || says_nothing.contains(&rest.to_lowercase().as_str()) {
        path.to_owned()
    } else {
        rest.to_owned()
    }
}

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// `POST /api/login` at the beginning of a line or in backticks.
fn endpoint_line(reading: &mut Reading<'_>, at: usize, placed: &Placed, words: &Words) {
    let Some((method, route)) = endpoint(&words.plain()) else { return };
    let excluded = matches!(reading.topic(placed), Some(Topic::Risks | Topic::Tests | Topic::Criteria));
    if excluded {
        return;
    }
    let span = reading.span(&words.at);
    reading.using(at);
    push_endpoint(reading, method, route, words.text.clone(), span);
}

fn push_endpoint(
    reading: &mut Reading<'_>,
    method: String,
    route: String,
    text: String,
    span: windlass_core::diagnostic::Span,
) {
    let known = reading.spec.endpoints.iter().any(|e| e.method == method && e.route == route);
    if !known {
        reading.spec.endpoints.push(Endpoint { method, route, text, span });
    }
}

fn endpoint(text: &str) -> Option<(String, String)> {
    let mut words = text.split_whitespace().take(4);
    let method = words.find(|w| METHODS.contains(&w.trim_matches(['*', ':', '[', ']'])))?;
    let route = words.next().filter(|r| r.starts_with('/') && r.len() > 1)?;
    let route = route.trim_end_matches([',', '.', ':', ';', ')', '*']);
    Some((method.trim_matches(['*', ':', '[', ']']).to_owned(), route.to_owned()))
}

fn endpoint_rows(reading: &mut Reading<'_>, at: usize, table: &Table) {
    let columns = Columns::of(table);
    for row in &table.rows {
        let joined = row.iter().map(Words::plain).collect::<Vec<_>>().join(" ");
        let route = columns.cell(row, Column::Route).map(Words::plain);
        let by_columns = columns.cell(row, Column::Method).and_then(|m| {
            let method = m.plain().trim().to_uppercase();
            let route =
                route.clone().or_else(|| row.iter().map(Words::plain).find(|t| t.starts_with('/')))?;
            METHODS.contains(&method.as_str()).then_some((method, route))
        });
        let Some((method, route)) = by_columns.or_else(|| endpoint(&joined)) else { continue };
        let Some(first) = row.first() else { continue };
        let span = reading.span(&first.at);
        let said = columns.first(row, &[Column::Title, Column::Responsibility]).map(|w| w.text.clone());
        reading.using(at);
        push_endpoint(reading, method, route, said.unwrap_or_default(), span);
    }
}

/// A table of fields under a heading about data.
fn model_rows(reading: &mut Reading<'_>, at: usize, placed: &Placed, table: &Table) {
    let columns = Columns::of(table);
    if columns.find(Column::Field) != Some(0) || reading.topic(placed) != Some(Topic::Models) {
        return;
    }
    let title = reading.heading(placed.section);
    let name = placed.label.clone().unwrap_or(title);
    let fields: Vec<String> = table.rows.iter().filter_map(|r| r.first()).map(Words::plain).collect();
    let span = reading.span(&placed.at);
    reading.using(at);
    push_model(reading, model_name(&name), fields, None, span);
}

fn model_name(title: &str) -> String {
    let plain = title.replace(['`', '*', ':'], "");
    let plain = plain.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    let words: Vec<&str> = plain.split_whitespace().collect();
    let rest = words
        .iter()
        .filter(|w| !matches!(w.to_lowercase().as_str(), "table" | "model" | "schema" | "entity" | "data"));
    let name = rest.copied().collect::<Vec<_>>().join(" ");
    if name.is_empty() { plain.to_owned() } else { name }
}

fn push_model(
    reading: &mut Reading<'_>,
    name: String,
    fields: Vec<String>,
    code: Option<String>,
    span: windlass_core::diagnostic::Span,
) {
    if !name.is_empty() && !reading.spec.models.iter().any(|m| m.name == name) {
        reading.spec.models.push(Model { name, fields, code, span });
    }
}

/// Declarations in code under a heading about data.
fn model_code(reading: &mut Reading<'_>, at: usize, placed: &Placed, code: &Code) {
    if reading.topic(placed) != Some(Topic::Models) {
        return;
    }
    let span = reading.span(&code.at);
    for line in code.text.lines() {
        let Some(name) = declared(line) else { continue };
        reading.using(at);
        push_model(reading, name, Vec::new(), Some(code.text.clone()), span);
    }
}

/// The name a line declares: a table, class, struct, interface, type or message.
fn declared(line: &str) -> Option<String> {
    let words: Vec<&str> =
        line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
    let upper = line.trim().to_ascii_uppercase();
    let table = upper.starts_with("CREATE TABLE");
    let at = words.iter().position(|w| {
        let lower = w.to_ascii_lowercase();
        matches!(lower.as_str(), "class" | "struct" | "interface" | "message" | "enum" | "model")
            || (table && lower == "table")
            || (lower == "type" && line.contains('='))
    })?;
    let keyword_first = words[..at].iter().all(|w| {
        matches!(
            *w,
            "export"
                | "pub"
                | "public"
                | "abstract"
                | "CREATE"
                | "create"
                | "data"
                | "final"
                | "default"
                | "crate"
        )
    });
    let mut rest = words[at + 1..]
        .iter()
        .skip_while(|w| matches!(w.to_ascii_uppercase().as_str(), "IF" | "NOT" | "EXISTS"));
    rest.next().filter(|_| keyword_first && !line.starts_with([' ', '\t'])).map(|n| (*n).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_and_declarations_are_told() {
        assert_eq!(endpoint("POST /api/login — signs in"), Some(("POST".into(), "/api/login".into())));
        assert_eq!(endpoint("GET it done"), None);
        let table = [
            ("export interface User {", Some("User")),
            ("CREATE TABLE IF NOT EXISTS users (", Some("users")),
            ("pub struct Cart {", Some("Cart")),
            ("type Id = string;", Some("Id")),
            ("    class Inner:", None),
            ("return class", None),
        ];
        for (line, expected) in table {
            assert_eq!(declared(line).as_deref(), expected, "{line}");
        }
    }
}
