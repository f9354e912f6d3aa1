//! What the system offers and stores: endpoints, and data models in tables and code.

use crate::spec::document::{BlockContent, CodeListing, DocumentBlock, DocumentTable, RunningText};
use crate::spec::model::{Endpoint, Model};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, Topic, without_number};

/// Adds the endpoints and data models of a document.
pub(in crate::spec) fn collect_interfaces(reading: &mut DocumentReading<'_>) {
    for block in reading.tree.wanted_blocks() {
        let topic = reading.tree.topic(block);
        match &block.content {
            BlockContent::Table(table) => {
                let columns = TableColumns::from_table(table);
                endpoint_rows(reading, block, table, &columns);
                if topic == Some(Topic::Models) && columns.find(ColumnMeaning::Field) == Some(0) {
                    model_table(reading, block, table);
                }
            }
            BlockContent::Code(code) if topic == Some(Topic::Models) => model_code(reading, block, code),
            BlockContent::Code(_) => {}
            BlockContent::Item(_) | BlockContent::Paragraph(_) => {
                let is_other = matches!(topic, Some(Topic::Risks | Topic::Tests | Topic::Criteria));
                if let Some(text) = block.running_text().filter(|_| !is_other) {
                    endpoint_line(reading, block, text);
                }
            }
        }
    }
}

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// `POST /api/login` among the first words of a line.
fn endpoint_line(reading: &mut DocumentReading<'_>, block: &DocumentBlock, text: &RunningText) {
    let Some((method, route)) = method_and_route(&text.plain()) else { return };
    // What is said about an endpoint is a criterion, too.
    if text.text.split_whitespace().count() <= 3 {
        reading.claim(block);
    }
    let span = reading.span(&text.at);
    push_endpoint(reading, Endpoint { method, route, text: text.text.clone(), span });
}

fn push_endpoint(reading: &mut DocumentReading<'_>, endpoint: Endpoint) {
    let is_same = |e: &Endpoint| e.method == endpoint.method && e.route == endpoint.route;
    if !reading.spec.endpoints.iter().any(is_same) {
        reading.spec.endpoints.push(endpoint);
    }
}

/// The method and the route among the first words of a text.
pub(super) fn method_and_route(text: &str) -> Option<(String, String)> {
    let bare = |word: &str| word.trim_matches(['*', ':', '[', ']']).to_owned();
    let mut words = text.split_whitespace().take(4);
    let method = words.find(|word| METHODS.contains(&bare(word).as_str())).map(bare)?;
    let route = words.next().filter(|r| r.starts_with('/') && r.len() > 1)?;
    Some((method, route.trim_end_matches([',', '.', ':', ';', ')', '*']).to_owned()))
}

/// Rows with a method and a route, in columns of their own or in one cell.
fn endpoint_rows(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    table: &DocumentTable,
    columns: &TableColumns,
) {
    for row in &table.rows {
        let Some(first) = row.first() else { continue };
        let by_columns = || {
            let method = columns.cell(row, ColumnMeaning::Method)?.plain().trim().to_uppercase();
            let any_route = || row.iter().map(RunningText::plain).find(|text| text.starts_with('/'));
            let route = columns.cell(row, ColumnMeaning::Route).map(RunningText::plain).or_else(any_route)?;
            METHODS.contains(&method.as_str()).then_some((method, route))
        };
        let in_cells = || method_and_route(&row.iter().map(RunningText::plain).collect::<Vec<_>>().join(" "));
        let Some((method, route)) = by_columns().or_else(in_cells) else { continue };
        let described = columns.first(row, &[ColumnMeaning::Title, ColumnMeaning::Responsibility]);
        let text = described.map(|cell| cell.text.clone()).unwrap_or_default();
        reading.claim(block);
        let span = reading.span(&first.at);
        push_endpoint(reading, Endpoint { method, route, text, span });
    }
}

/// A table of fields; the label or the heading above it names the model.
fn model_table(reading: &mut DocumentReading<'_>, block: &DocumentBlock, table: &DocumentTable) {
    let name = block.label.as_deref().unwrap_or_else(|| reading.tree.heading(block.section));
    let model = Model {
        name: model_name(name),
        fields: table.rows.iter().filter_map(|row| row.first()).map(RunningText::plain).collect(),
        code: None,
        span: reading.span(&block.at),
    };
    reading.claim(block);
    push_model(reading, model);
}

/// The name in a heading such as `3.2 User table`.
fn model_name(title: &str) -> String {
    let plain = title.replace(['`', '*', ':'], "");
    let plain = without_number(&plain);
    let is_kind =
        |w: &&str| matches!(w.to_lowercase().as_str(), "table" | "model" | "schema" | "entity" | "data");
    let name = plain.split_whitespace().filter(|w| !is_kind(w)).collect::<Vec<_>>().join(" ");
    if name.is_empty() { plain.to_owned() } else { name }
}

fn push_model(reading: &mut DocumentReading<'_>, model: Model) {
    if !model.name.is_empty() && !reading.spec.models.iter().any(|m| m.name == model.name) {
        reading.spec.models.push(model);
    }
}

/// Declarations in code under a heading about data.
fn model_code(reading: &mut DocumentReading<'_>, block: &DocumentBlock, code: &CodeListing) {
    let span = reading.span(&code.at);
    for name in code.text.lines().filter_map(declared_name) {
        reading.claim(block);
        push_model(reading, Model { name, fields: Vec::new(), code: Some(code.text.clone()), span });
    }
}

/// The name that a line declares: a table, class, struct, interface, type or message.
fn declared_name(line: &str) -> Option<String> {
    const MODIFIERS: [&str; 10] =
        ["export", "pub", "public", "abstract", "CREATE", "create", "data", "final", "default", "crate"];
    let words: Vec<&str> =
        line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
    let is_table = line.trim().to_ascii_uppercase().starts_with("CREATE TABLE");
    let is_keyword = |word: &&str| match word.to_ascii_lowercase().as_str() {
        "class" | "struct" | "interface" | "message" | "enum" | "model" => true,
        "table" => is_table,
        "type" => line.contains('='),
        _ => false,
    };
    let at = words.iter().position(is_keyword)?;
    if line.starts_with([' ', '\t']) || !words[..at].iter().all(|w| MODIFIERS.contains(w)) {
        return None;
    }
    let mut rest = words[at + 1..].iter();
    let name = rest.find(|w| !matches!(w.to_ascii_uppercase().as_str(), "IF" | "NOT" | "EXISTS"));
    name.map(|n| (*n).to_owned())
}
