//! Files and the tasks that change them: ownership tables, task tables, lists of files, lines such as `Files: …`.

use super::file_tree;
use crate::file_kind::is_source;
use crate::spec::document::{BlockContent, DocumentBlock, DocumentTable, RunningText, SectionTree};
use crate::spec::model::{Authority, FileRow, Operation};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{
    ColumnMeaning, TableColumns, Topic, first_number, ids, operation_in_description, operation_in_heading,
    operation_of_verb, paths,
};
use windlass_code::survey::Language;

/// A row whose path is a bare name, and the folder of the path before it in the same cell.
pub(in crate::spec) type Sibling = (usize, String);

/// Adds every statement about what is done to a file.
pub(in crate::spec) fn collect_files(
    reading: &mut DocumentReading<'_>,
    siblings: &mut Vec<Sibling>,
    known: &[String],
) {
    for block in reading.tree.wanted_blocks() {
        match &block.content {
            BlockContent::Table(table) => table_rows(reading, block, table, siblings),
            BlockContent::Code(code) => file_tree::collect_tree(reading, block, code, known),
            BlockContent::Item(item) if file_tree::collect_item_tree(reading, block, item) => {}
            BlockContent::Item(item) if reading.tree.topic(block) == Some(Topic::Ownership) => {
                owned_item(reading, block, &item.text, Authority::Ownership);
            }
            BlockContent::Item(item) if lists_files(reading.tree, block) => {
                owned_item(reading, block, &item.text, Authority::Component);
            }
            BlockContent::Item(item) => file_line(reading, block, &item.text),
            BlockContent::Paragraph(text) => {
                dependency_line(reading, block, text);
                file_line(reading, block, text);
            }
        }
    }
}

/// Whether the list of an item is one of files: at least three of its items begin with one in backticks, all but one at most.
fn lists_files(tree: &SectionTree, block: &DocumentBlock) -> bool {
    // What a program reads or leaves behind is no file of the project, unless it is code.
    let around = format!("{} {}", tree.heading(block.section), block.label.as_deref().unwrap_or_default());
    let around = around.to_lowercase();
    let is_data =
        ["output", "input", "example", "generate", "emit", "write", "read", "log", "upload", "export"];
    let is_made = !is_data.iter().any(|word| around.contains(word));
    let begins = |text: &RunningText| {
        let quoted = text.text.strip_prefix('`').and_then(|rest| rest.split('`').next());
        let path = quoted.and_then(paths::clean);
        path.is_some_and(|path| is_made || is_source(&path) || Language::is_manifest(&path))
    };
    if !block.running_text().is_some_and(begins) {
        return false;
    }
    let beside = tree.own_blocks(block.section).iter().filter(|other| other.label == block.label);
    let texts: Vec<&RunningText> = beside
        .filter(|b| tree.item(b.index).is_some_and(|i| i.depth == 0))
        .filter_map(|b| b.running_text())
        .collect();
    let files = texts.iter().filter(|text| begins(text)).count();
    let asks = matches!(tree.topic(block), None | Some(Topic::Requirements));
    asks && files > 2 && files + 1 >= texts.len()
}

/// How much the rows of a table weigh, if it names files.
fn table_authority(topic: Option<Topic>, columns: &TableColumns) -> Option<Authority> {
    let by_task = columns.has(ColumnMeaning::Task);
    let by_operation = [ColumnMeaning::Creates, ColumnMeaning::Modifies, ColumnMeaning::Deletes];
    let owns = by_task || topic == Some(Topic::Ownership) || columns.has(ColumnMeaning::Operation);
    if !columns.names_files() || columns.has(ColumnMeaning::Risk) {
        None
    } else if columns.has(ColumnMeaning::Component) && !by_task {
        Some(Authority::Component)
    } else if by_operation.into_iter().any(|c| columns.has(c))
        || (columns.find(ColumnMeaning::File) == Some(0) && owns)
    {
        Some(Authority::Ownership)
    } else if by_task {
        Some(Authority::Task)
    } else {
        Some(Authority::Mention)
    }
}

fn table_rows(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    table: &DocumentTable,
    siblings: &mut Vec<Sibling>,
) {
    let columns = TableColumns::from_table(table);
    let Some(authority) = table_authority(reading.tree.topic(block), &columns) else { return };
    reading.claim(block);
    for row in &table.rows {
        let verb = columns.cell(row, ColumnMeaning::Operation);
        let (note, operation) = row_operation(&columns, row, authority);
        let tasks = columns.cell(row, ColumnMeaning::Task).map(|cell| task_ids(&cell.text));
        let statement = RowStatement {
            tasks: tasks.unwrap_or_default(),
            note,
            lines: columns.cell(row, ColumnMeaning::Lines).and_then(|cell| first_number(&cell.text)),
            authority,
        };
        let cells = [
            (ColumnMeaning::Creates, Operation::Create),
            (ColumnMeaning::Modifies, Operation::Modify),
            (ColumnMeaning::Deletes, Operation::Delete),
            (ColumnMeaning::File, operation),
        ];
        let mut any = false;
        for (column, operation) in cells {
            if let Some(cell) = columns.cell(row, column) {
                any |= push_cell(reading, cell, operation, &statement, siblings);
            }
        }
        // `(responsive fixes) | T7 | modify index.html`: the file is named beside the verb.
        if let Some(cell) = verb.filter(|_| !any && authority == Authority::Ownership) {
            push_cell(reading, cell, operation, &statement, siblings);
        }
    }
}

/// What a row says about its file in words, and the operation that follows from it.
fn row_operation(columns: &TableColumns, row: &[RunningText], authority: Authority) -> (String, Operation) {
    let verb = columns.cell(row, ColumnMeaning::Operation).map(RunningText::plain);
    let by_head = columns.first(row, &[ColumnMeaning::Responsibility, ColumnMeaning::Title]);
    let described = by_head.or_else(|| columns.cell(row, ColumnMeaning::Other)).map(RunningText::plain);
    // A single verb says less than a description beside it.
    let terse = verb.as_ref().is_none_or(|v| v.split_whitespace().count() < 2);
    let note = if terse { described.or(verb.clone()) } else { verb.clone() }.unwrap_or_default();
    let operation = match verb {
        Some(verb) if terse => operation_of_verb(&verb),
        Some(verb) => operation_in_description(&verb),
        // What a component does (`add up the prices`) is not what is done to its file.
        None if authority == Authority::Component => Operation::Unsaid,
        None => operation_in_description(&note),
    };
    (note, operation)
}

/// What a row of a table says about all its files.
struct RowStatement {
    tasks: Vec<String>,
    note: String,
    lines: Option<u32>,
    authority: Authority,
}

/// Adds the files of a cell. Returns whether it names any.
fn push_cell(
    reading: &mut DocumentReading<'_>,
    cell: &RunningText,
    operation: Operation,
    row: &RowStatement,
    siblings: &mut Vec<Sibling>,
) -> bool {
    let span = reading.span(&cell.at);
    let outside = paths::outside(&cell.text);
    for path in &outside {
        reading.list_unplaced(format!("`{path}` is outside the repository"), span);
    }
    let mut found = paths::named_in(&cell.text);
    if row.authority == Authority::Ownership {
        found.extend(paths::patterns(&cell.text));
    }
    let mut folder: Option<&str> = None;
    for path in &found {
        match (path.rsplit_once('/'), folder) {
            (Some((dir, _)), _) => folder = Some(dir),
            (None, Some(dir)) => siblings.push((reading.spec.files.len(), dir.to_owned())),
            (None, None) => {}
        }
        if outside.iter().any(|o| o.ends_with(path.as_str())) {
            continue;
        }
        reading.spec.files.push(FileRow {
            path: path.clone(),
            operation: operation_in_brackets(&cell.text, path).unwrap_or(operation),
            tasks: row.tasks.clone(),
            note: row.note.clone(),
            lines: row.lines,
            authority: row.authority,
            span,
        });
    }
    !found.is_empty()
}

/// The operation in brackets behind a path: `README.md (modify)`.
fn operation_in_brackets(text: &str, path: &str) -> Option<Operation> {
    let rest = &text[text.find(path)? + path.len()..];
    let inner = rest.trim_start_matches(['`', ' ']).strip_prefix('(')?;
    let operation = operation_of_verb(inner.split(')').next()?);
    (operation != Operation::Unsaid).then_some(operation)
}

fn task_ids(text: &str) -> Vec<String> {
    ids::task_ids(&ids::without_ranges(text)).into_iter().map(str::to_owned).collect()
}

/// An item that begins with a file, under a heading or label about files.
fn owned_item(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    text: &RunningText,
    authority: Authority,
) {
    let Some(path) = paths::named_in(&text.text).into_iter().next() else { return };
    let Some(lead) = text.text.find(&path).filter(|lead| *lead <= 12) else { return };
    let heading = block.label.as_deref().unwrap_or_else(|| reading.tree.heading(block.section));
    let operation = match operation_of_verb(&text.text[..lead]) {
        Operation::Unsaid => {
            operation_in_brackets(&text.text, &path).unwrap_or_else(|| operation_in_heading(heading))
        }
        stated => stated,
    };
    let row = FileRow {
        path,
        operation,
        tasks: enclosing_task(reading, block),
        note: text.plain(),
        lines: None,
        authority,
        span: reading.span(&text.at),
    };
    reading.claim(block);
    reading.spec.files.push(row);
}

/// `**File**: …`, `Files: …`, `Create: …` in a paragraph or item.
fn file_line(reading: &mut DocumentReading<'_>, block: &DocumentBlock, text: &RunningText) {
    if task_line(reading, block, text) {
        return;
    }
    let Some((label, rest)) = text.text.split_once([':', '：']) else { return };
    let operation = match label.trim().to_lowercase().as_str() {
        "file" | "files" | "location" | "path" | "files changed" | "test file" | "output" | "文件"
        | "路径" => Operation::Unsaid,
        "create" | "creates" | "new file" | "new files" | "files to create" => Operation::Create,
        "modify" | "modifies" | "files to modify" | "update" => Operation::Modify,
        "delete" | "deletes" | "files to delete" => Operation::Delete,
        _ => return,
    };
    let found = paths::named_in(rest);
    if found.is_empty() {
        return;
    }
    reading.claim(block);
    let tasks = enclosing_task(reading, block);
    let authority = if tasks.is_empty() { Authority::Component } else { Authority::Task };
    let span = reading.span(&text.at);
    let note = reading.tree.heading(block.section);
    reading.spec.files.extend(found.into_iter().map(|path| FileRow {
        operation: operation_in_brackets(rest, &path).unwrap_or(operation),
        path,
        tasks: tasks.clone(),
        note: note.to_owned(),
        lines: None,
        authority,
        span,
    }));
}

/// ``Create `src/cart.ts`, with …`` under the heading of a task: a verb with the file right behind it. Returns whether
/// the text is such a line.
fn task_line(reading: &mut DocumentReading<'_>, block: &DocumentBlock, text: &RunningText) -> bool {
    let named = |line: &String| {
        let verb = operation_of_verb(line);
        let quote =
            line.find('`').filter(|at| *at <= 16 && !matches!(verb, Operation::Unsaid | Operation::Read))?;
        let mention = paths::mentions(&line[quote..]).into_iter().next()?;
        Some((verb, mention))
    };
    let tasks = enclosing_task(reading, block);
    let found = text.lines().iter().find_map(named).filter(|_| !tasks.is_empty());
    let Some((operation, mention)) = found.filter(|(_, m)| m.quoted && m.path.contains('/')) else {
        return false;
    };
    let span = reading.span(&text.at);
    reading.claim(block);
    reading.spec.files.push(FileRow {
        path: mention.path,
        operation,
        tasks,
        note: String::new(),
        lines: None,
        authority: Authority::Task,
        span,
    });
    true
}

/// `Add to Cargo.toml:` under a heading about dependencies; the code below it becomes the note.
fn dependency_line(reading: &mut DocumentReading<'_>, block: &DocumentBlock, text: &RunningText) {
    let tree = reading.tree;
    let is_about = tree.heading(block.section).to_lowercase().contains("dependenc");
    if !is_about || operation_of_verb(&text.text) == Operation::Unsaid {
        return;
    }
    let manifest = paths::named_in(&text.text).into_iter().find(|path| Language::is_manifest(path));
    let Some(path) = manifest else { return };
    let mut note = text.text.trim().to_owned();
    if let Some(BlockContent::Code(code)) = tree.blocks.get(block.index + 1).map(|b| &b.content)
        && code.text.len() < 600
    {
        let lines: Vec<&str> = code.text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        note = format!("{note} {}", lines.join("; "));
        reading.claim(&tree.blocks[block.index + 1]);
    }
    reading.claim(block);
    let row = FileRow {
        path,
        operation: Operation::Modify,
        tasks: Vec::new(),
        note,
        lines: None,
        authority: Authority::Tree,
        span: reading.span(&text.at),
    };
    reading.spec.files.push(row);
}

/// The task whose heading a block is under.
fn enclosing_task(reading: &DocumentReading<'_>, block: &DocumentBlock) -> Vec<String> {
    reading.tree.enclosing_task(block.section).map(|task| task.id.clone()).into_iter().collect()
}
