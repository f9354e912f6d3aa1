//! Rows of tables that say what the program does: what each of them states, and which tables hold something else.

use super::behaviour::add;
use super::criteria::CriterionDraft;
use super::interfaces::method_and_route;
use super::wish_lists::orders_headings;
use crate::spec::document::{BlockContent, DocumentBlock, DocumentTable, RunningText};
use crate::spec::model::CriterionForm;
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, is_blank, states_behaviour};

/// The most columns of a table whose rows say something without a verb.
const WIDEST: usize = 5;

/// Whether a block is a table of endpoints: its rows are read as endpoints, and say what they do.
pub(super) fn lists_endpoints(block: &DocumentBlock) -> bool {
    let BlockContent::Table(table) = &block.content else { return false };
    let columns = TableColumns::from_table(table);
    // A table of other people's services names hosts, not routes.
    let is_route = |text: &str| {
        let text = text.trim().trim_matches('`');
        text.starts_with('/') || method_and_route(text).is_some()
    };
    let routes = || table.rows.iter().flatten().any(|cell| is_route(&cell.text));
    columns.has(ColumnMeaning::Method) || (columns.has(ColumnMeaning::Route) && routes())
}

/// Whether the rows of a table are people.
pub(super) fn lists_people(table: &DocumentTable) -> bool {
    let is_address = |cell: &RunningText| cell.text.contains('@') && cell.text.contains('.');
    table.rows.len() > 1 && table.rows.iter().all(|row| row.iter().any(is_address))
}

/// Adds a criterion for each row of a table that says something.
pub(super) fn row_behaviour(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    table: &DocumentTable,
    story: Option<&String>,
) {
    let columns = TableColumns::from_table(table);
    let others = [
        ColumnMeaning::Risk,
        ColumnMeaning::Task,
        ColumnMeaning::Decision,
        ColumnMeaning::Choice,
        ColumnMeaning::Phase,
    ];
    let is_api = columns.has(ColumnMeaning::Method);
    // The rows of a procedure are no statements of their own.
    let first = table.head.first().map(|head| head.text.trim().to_lowercase()).unwrap_or_default();
    // Nor are those of a layout of bytes.
    let is_procedure =
        matches!(first.as_str(), "step" | "offset" | "byte" | "bytes" | "bit" | "bits" | "position");
    if is_procedure
        || lists_people(table)
        || orders_headings(reading.tree, block)
        || (columns.names_files() && !is_api)
        || others.into_iter().any(|c| columns.has(c))
        || table.head.len() < 2
    {
        return;
    }
    // A wide table in which nothing is said holds data: surveys, catalogues.
    let speaks = |cell: &RunningText| states_behaviour(&cell.text) || method_and_route(&cell.text).is_some();
    if table.head.len() > WIDEST && !lists_endpoints(block) && !table.rows.iter().flatten().any(speaks) {
        return;
    }
    let usual = table.head.iter().position(|head| head.text.trim().eq_ignore_ascii_case("default"));
    for row in &table.rows {
        let stated = row.iter().enumerate().filter(|(at, _)| usual != Some(*at)).map(|(_, cell)| cell);
        let cells: Vec<&str> = stated.map(|c| c.text.as_str()).filter(|t| !is_blank(t)).collect();
        let Some(first) = row.first().filter(|_| cells.len() > 1) else { continue };
        let heads: Vec<&str> = table.head.iter().map(|h| h.text.as_str()).collect();
        // `Input | Output`: the heads say what the cells are.
        let text = match (heads.as_slice(), cells.as_slice()) {
            ([_, behind], [thing, value]) if value.split_whitespace().count() < 4 => {
                format!("{thing}: {} {value}", behind.to_lowercase())
            }
            _ => cells.join(": "),
        };
        let default = usual.and_then(|at| row.get(at)).filter(|cell| !is_blank(&cell.text));
        let text = default.map_or(text.clone(), |cell| format!("{text} (default: {})", cell.text));
        reading.claim(block);
        let span = reading.span(&first.at);
        let draft = CriterionDraft { id: None, text, detail: String::new(), form: CriterionForm::Row, span };
        add(reading, block, story, draft);
    }
}

/// Adds the fields of a model that stands inside a thing, a criterion each. Elsewhere a model is a detail of the features that use
/// it.
pub(super) fn states_model(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    table: &DocumentTable,
    story: &String,
) -> bool {
    let span = reading.span(&block.at);
    let model = reading.spec.models.iter().find(|m| m.span == span && m.code.is_none());
    let Some(name) = model.map(|model| model.name.clone()) else { return false };
    for row in &table.rows {
        let cells: Vec<&str> = row.iter().map(|cell| cell.text.trim()).filter(|t| !is_blank(t)).collect();
        let Some(first) = row.first().filter(|_| !cells.is_empty()) else { continue };
        let (text, span) = (format!("{name}: {}", cells.join(": ")), reading.span(&first.at));
        let (detail, form) = (String::new(), CriterionForm::Row);
        add(reading, block, Some(story), CriterionDraft { id: None, text, detail, form, span });
    }
    true
}
