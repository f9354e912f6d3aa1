//! Files and who changes them: ownership tables, task tables, lists of files, drawn trees.

use super::columns::{Column, Columns, is_blank};
use super::ids;
use super::markdown::{Block, Code, Placed, Table, Words};
use super::model::{Authority, FileRow, Operation, Remark};
use super::paths;
use super::reading::Reading;
use super::topic::Topic;

/// A row whose path is a bare name, and the folder of the path before it in the same cell.
pub(super) type Sibling = (usize, String);

/// Reads every mention of a file that says who changes it.
pub(super) fn read(reading: &mut Reading<'_>, siblings: &mut Vec<Sibling>) {
    for (at, placed) in reading.blocks() {
        match &placed.block {
            Block::Table(table) => table_rows(reading, at, placed, table, siblings),
            Block::Code(code) => tree(reading, at, placed, code),
            Block::Item(item) => list_item(reading, at, placed, &item.words),
            Block::Paragraph(words) => {
                dependencies(reading, at, placed, words);
                file_line(reading, at, placed, words);
            }
        }
    }
}

/// How much a table's rows weigh, if it names files at all.
fn authority(reading: &Reading<'_>, placed: &Placed, columns: &Columns) -> Option<Authority> {
    if !columns.names_files() {
        return None;
    }
    let owned = reading.topic(placed) == Some(Topic::Ownership);
    let by_task = columns.has(Column::Task);
    let split = columns.has(Column::Creates) || columns.has(Column::Modifies) || columns.has(Column::Deletes);
    let file_first = columns.find(Column::File) == Some(0);
    Some(if columns.has(Column::Component) && !by_task {
        Authority::Component
    } else if split || (file_first && (by_task || owned || columns.has(Column::Operation))) {
        Authority::Ownership
    } else if by_task {
        Authority::Task
    } else {
        Authority::Mention
    })
}

fn table_rows(
    reading: &mut Reading<'_>,
    at: usize,
    placed: &Placed,
    table: &Table,
    siblings: &mut Vec<Sibling>,
) {
    let columns = Columns::of(table);
    let Some(authority) = authority(reading, placed, &columns) else { return };
    if reading.is_excluded(placed) || columns.has(Column::Risk) {
        return;
    }
    reading.using(at);
    for row in &table.rows {
        let verb = columns.cell(row, Column::Operation).map(Words::plain);
        let told = described(&columns, row);
        // A single verb says less than a description beside it.
        let terse = verb.as_ref().is_none_or(|v| v.split_whitespace().count() < 2);
        let said = if terse { told.or(verb.clone()) } else { verb.clone() };
        let said = said.unwrap_or_default();
        let done = match verb.as_deref() {
            Some(verb) if terse => operation(verb),
            Some(verb) => described_operation(verb),
            // What a component does (`add up the prices`) is not what is done to its file.
            None if authority == Authority::Component => Operation::Unsaid,
            None => described_operation(&said),
        };
        let tasks = columns.cell(row, Column::Task).map(|w| tasks_in(&w.text)).unwrap_or_default();
        let lines = columns.cell(row, Column::Lines).and_then(|w| number(&w.text));
        let sure = [
            (Column::Creates, Operation::Create),
            (Column::Modifies, Operation::Modify),
            (Column::Deletes, Operation::Delete),
            (Column::File, done),
        ];
        let mut any = false;
        for (column, operation) in sure {
            let Some(cell) = columns.cell(row, column) else { continue };
            let row = Row { tasks: &tasks, operation, note: &said, lines, authority };
            any |= push_cell(reading, cell, &row, siblings);
        }
        // `(responsive fixes) | T7 | modify index.html`: the file stands beside the verb.
        let beside =
            columns.cell(row, Column::Operation).filter(|_| !any && authority == Authority::Ownership);
        if let Some(cell) = beside {
            let row = Row { tasks: &tasks, operation: done, note: &said, lines, authority };
            push_cell(reading, cell, &row, siblings);
        }
    }
}

/// What a row says of its file in words, as `thin 73→25` or `add the toggle`.
fn described(columns: &Columns, row: &[Words]) -> Option<String> {
    let by_head = columns.first(row, &[Column::Responsibility, Column::Title]).map(Words::plain);
    by_head.or_else(|| columns.cell(row, Column::Other).map(Words::plain))
}

/// What a description says is done to a file: `new component` makes one, `remove the photo fields` changes one.
fn described_operation(text: &str) -> Operation {
    let lower = text.trim().to_lowercase();
    let words = lower.split_whitespace().count();
    // `delete (merged into b)` and `delete: nobody calls it` end the sentence behind the verb.
    let verb: String = lower.chars().take_while(|c| c.is_alphabetic()).collect();
    let rest = lower[verb.len()..].trim_start();
    let ends = rest.starts_with(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | '\'' | '"'))
        || ["file", "the file", "this file", "entire file", "whole file"].iter().any(|w| rest.starts_with(w));
    match operation(text) {
        Operation::Create if words <= 2 || lower.starts_with("new") || lower.starts_with("create") => {
            Operation::Create
        }
        Operation::Delete if words <= 1 || ends || verb != "delete" && verb != "remove" => Operation::Delete,
        Operation::Create | Operation::Delete | Operation::Modify => Operation::Modify,
        Operation::Read if words <= 2 => Operation::Read,
        Operation::Read | Operation::Unsaid => Operation::Unsaid,
    }
}

struct Row<'a> {
    tasks: &'a [String],
    operation: Operation,
    note: &'a str,
    lines: Option<u32>,
    authority: Authority,
}

fn push_cell(reading: &mut Reading<'_>, cell: &Words, row: &Row<'_>, siblings: &mut Vec<Sibling>) -> bool {
    let span = reading.span(&cell.at);
    let mut folder: Option<String> = None;
    for path in paths::outside(&cell.text) {
        let text = format!("`{path}` lies outside the repository");
        let heading = String::new();
        reading.spec.unplaced.push(Remark { text, heading, span });
    }
    let mut found = paths::in_text(&cell.text);
    if row.authority == Authority::Ownership {
        found.extend(paths::patterns(&cell.text));
    }
    for path in &found {
        let path = path.path.clone();
        match (path.rsplit_once('/'), &folder) {
            (Some((dir, _)), _) => folder = Some(dir.to_owned()),
            (None, Some(dir)) => siblings.push((reading.spec.files.len(), dir.clone())),
            (None, None) => {}
        }
        if paths::outside(&cell.text).iter().any(|o| o.ends_with(&path)) {
            continue;
        }
        let own = parenthesised(&cell.text, &path).map_or(row.operation, operation_or(row.operation));
        reading.spec.files.push(FileRow {
            path,
            operation: own,
            tasks: row.tasks.to_vec(),
            note: row.note.to_owned(),
            lines: row.lines,
            authority: row.authority,
            span,
        });
    }
    !found.is_empty()
}

fn operation_or(fallback: Operation) -> impl Fn(&str) -> Operation {
    move |text| match operation(text) {
        Operation::Unsaid => fallback,
        other => other,
    }
}

/// What stands in brackets behind a path: `README.md (modify)`.
fn parenthesised<'t>(cell: &'t str, path: &str) -> Option<&'t str> {
    let rest = &cell[cell.find(path)? + path.len()..];
    let inner = rest.trim_start_matches(['`', ' ']).strip_prefix('(')?;
    inner.split(')').next()
}

/// The tasks a cell names. A bare number is one only if the cell is nothing else.
fn tasks_in(text: &str) -> Vec<String> {
    ids::task_ids(text).into_iter().map(str::to_owned).collect()
}

fn number(text: &str) -> Option<u32> {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// What a verb says is done to a file.
pub(super) fn operation(text: &str) -> Operation {
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty());
    let first = words.next().unwrap_or_default();
    let has = |w: &str| text.split(|c: char| !c.is_alphabetic()).any(|x| x == w);
    let both = (has("create") || has("new")) && has("modify");
    match first {
        _ if first.starts_with(|c: char| c >= '\u{3000}') => wide_operation(first),
        _ if both && first != "modify" => Operation::Unsaid,
        "modify" if text.starts_with("modify+") => Operation::Unsaid,
        "create" | "new" | "add" | "generate" | "creates" | "added" | "write" | "c" | "a" => {
            Operation::Create
        }
        "delete" | "remove" | "rm" | "deletes" | "d" | "removed" => Operation::Delete,
        "read" | "reference" | "verify" | "existing" | "preserved" | "unchanged" | "keep" => Operation::Read,
        "git" if has("rm") => Operation::Delete,
        "merge" | "move" | "rename" if has("delete") => Operation::Delete,
        "modify" | "update" | "edit" | "change" | "extend" | "thin" | "regenerate" | "append"
        | "refactor" | "fix" | "wire" | "merge" | "modified" | "updates" | "modifies" | "m" | "receive"
        | "rewrite" | "simplify" | "slim" => Operation::Modify,
        "" if text.contains('→') => Operation::Modify,
        _ => Operation::Unsaid,
    }
}

/// What a verb says where words are not put apart.
fn wide_operation(text: &str) -> Operation {
    let begins = |verbs: &[&str]| verbs.iter().any(|verb| text.starts_with(verb));
    if begins(&["创建", "新建", "新增", "添加", "增加", "编写", "作成", "追加"]) {
        Operation::Create
    } else if begins(&["删除", "移除", "削除"]) {
        Operation::Delete
    } else if begins(&["修改", "更新", "重构", "扩展", "修复", "変更"]) {
        Operation::Modify
    } else {
        Operation::Unsaid
    }
}

/// A list item that is about one file, under a heading or label that speaks of files.
fn list_item(reading: &mut Reading<'_>, at: usize, placed: &Placed, words: &Words) {
    if reading.topic(placed) != Some(Topic::Ownership) || reading.is_excluded(placed) {
        file_line(reading, at, placed, words);
        return;
    }
    let found = paths::in_text(&words.text);
    let leads = found.first().filter(|f| words.text.find(&f.path).is_some_and(|i| i <= 12));
    let Some(first) = leads else { return };
    let head = placed.label.clone().unwrap_or_else(|| reading.heading(placed.section));
    let verb = match operation(&words.text[..words.text.find(&first.path).unwrap_or(0)]) {
        Operation::Unsaid => parenthesised(&words.text, &first.path).map_or(Operation::Unsaid, operation),
        said => said,
    };
    let verb = if verb == Operation::Unsaid { heading_verb(&head) } else { verb };
    let span = reading.span(&words.at);
    let tasks = enclosing_task(reading, placed);
    reading.using(at);
    reading.spec.files.push(FileRow {
        path: first.path.clone(),
        operation: verb,
        tasks,
        note: words.plain(),
        lines: None,
        authority: Authority::Ownership,
        span,
    });
}

/// What a heading says is done to the files below it.
fn heading_verb(heading: &str) -> Operation {
    let heading = heading.to_lowercase();
    let has = |w: &str| heading.contains(w);
    if has("new") || has("create") || has("add") {
        Operation::Create
    } else if has("modif") || has("update") || has("change") {
        Operation::Modify
    } else if has("delete") || has("remove") {
        Operation::Delete
    } else {
        Operation::Unsaid
    }
}

/// `**File**: …`, `Files: …`, `Create: …` in a paragraph or item.
fn file_line(reading: &mut Reading<'_>, at: usize, placed: &Placed, words: &Words) {
    if task_line(reading, at, placed, words) {
        return;
    }
    let Some((label, rest)) = words.text.split_once([':', '：']) else { return };
    let label = label.trim().to_lowercase();
    let verb = match label.as_str() {
        "file" | "files" | "location" | "path" | "files changed" | "test file" | "output" | "文件"
        | "路径" => Operation::Unsaid,
        "create" | "creates" | "new file" | "new files" | "files to create" => Operation::Create,
        "modify" | "modifies" | "files to modify" | "update" => Operation::Modify,
        "delete" | "deletes" | "files to delete" => Operation::Delete,
        _ => return,
    };
    if reading.is_excluded(placed) {
        return;
    }
    let found = paths::in_text(rest);
    if found.is_empty() {
        return;
    }
    let tasks = enclosing_task(reading, placed);
    let authority = if tasks.is_empty() { Authority::Component } else { Authority::Task };
    let span = reading.span(&words.at);
    reading.using(at);
    let note = reading.heading(placed.section);
    reading.spec.files.extend(found.into_iter().map(|f| FileRow {
        operation: parenthesised(rest, &f.path).map_or(verb, operation_or(verb)),
        path: f.path,
        tasks: tasks.clone(),
        note: note.clone(),
        lines: None,
        authority,
        span,
    }));
}

/// `Create `src/cart.ts`, with …` under the heading of a task: a verb, and the file right behind it.
fn task_line(reading: &mut Reading<'_>, at: usize, placed: &Placed, words: &Words) -> bool {
    let own = std::slice::from_ref(&words.text);
    let lines = if words.lines.is_empty() { own } else { &words.lines };
    let named = |line: &String| {
        let verb = operation(line);
        let quote =
            line.find('`').filter(|at| *at <= 16 && !matches!(verb, Operation::Unsaid | Operation::Read))?;
        paths::in_text(&line[quote..]).into_iter().next().map(|found| (verb, found))
    };
    let Some((verb, found)) = lines.iter().find_map(named).filter(|_| !reading.is_excluded(placed)) else {
        return false;
    };
    let tasks = enclosing_task(reading, placed);
    let found = Some(found);
    let Some(found) = found.filter(|f| f.quoted && f.path.contains('/') && !tasks.is_empty()) else {
        return false;
    };
    let span = reading.span(&words.at);
    reading.using(at);
    reading.spec.files.push(FileRow {
        path: found.path,
        operation: verb,
        tasks,
        note: String::new(),
        lines: None,
        authority: Authority::Task,
        span,
    });
    true
}

/// `Add to Cargo.toml:` under a heading that speaks of dependencies: with what the code below it says.
fn dependencies(reading: &mut Reading<'_>, at: usize, placed: &Placed, words: &Words) {
    let speaks = reading.heading(placed.section).to_lowercase().contains("dependenc");
    if !speaks || reading.is_excluded(placed) || operation(&words.text) == Operation::Unsaid {
        return;
    }
    let found = paths::in_text(&words.text);
    let named = found.into_iter().find(|f| paths::is_manifest(&f.path));
    let Some(manifest) = named else { return };
    let mut note = words.text.trim().to_owned();
    if let Some(Block::Code(code)) = reading.doc.blocks.get(at + 1).map(|b| &b.block)
        && code.text.len() < 600
    {
        let lines: Vec<&str> = code.text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        note = format!("{note} {}", lines.join("; "));
        reading.using(at + 1);
    }
    reading.using(at);
    let span = reading.span(&words.at);
    reading.spec.files.push(FileRow {
        path: manifest.path,
        operation: Operation::Modify,
        tasks: Vec::new(),
        note,
        lines: None,
        authority: Authority::Tree,
        span,
    });
}

/// The task whose heading a block stands under.
fn enclosing_task(reading: &Reading<'_>, placed: &Placed) -> Vec<String> {
    let ids = reading.doc.chain(placed.section).find_map(|(_, s)| super::tasks::heading_task(&s.title.text));
    ids.map(|(id, _)| vec![id]).unwrap_or_default()
}

/// A tree of files drawn in a block of code.
fn tree(reading: &mut Reading<'_>, at: usize, placed: &Placed, code: &Code) {
    let drawn = code.text.contains("├──") || code.text.contains("└──") || code.text.contains("|--");
    let owned = reading.topic(placed) == Some(Topic::Ownership);
    let listed = owned && code.text.lines().filter(|l| l.trim_end().ends_with('/')).count() >= 1;
    if !(drawn || listed) || reading.is_excluded(placed) {
        return;
    }
    let mut rows = tree_rows(&code.text);
    without_root(&mut rows);
    // The folder of the documents themselves is drawn too by some; nobody changes it.
    rows.retain(|(path, _)| !path.starts_with("specs/"));
    if rows.is_empty() {
        return;
    }
    reading.using(at);
    let span = reading.span(&code.at);
    let heading = heading_verb(&reading.heading(placed.section));
    reading.spec.files.extend(rows.into_iter().map(|(path, remark)| FileRow {
        path,
        operation: match tree_verb(&remark) {
            Operation::Unsaid => heading,
            said => said,
        },
        tasks: Vec::new(),
        note: remark,
        lines: None,
        authority: Authority::Tree,
        span,
    }));
}

fn tree_verb(remark: &str) -> Operation {
    let lower = remark.to_lowercase();
    let word = |w: &str| lower.split(|c: char| !c.is_alphabetic()).any(|x| x == w);
    let stays =
        ["no change", "unchanged", "already", "review", "reference"].iter().any(|w| lower.starts_with(w));
    if stays {
        Operation::Read
    } else if word("new") || word("create") || word("add") {
        Operation::Create
    } else if word("preserved") || word("existing") || word("unchanged") {
        Operation::Read
    } else if word("modify") || word("modified") || word("update") || word("updated") || word("changed") {
        Operation::Modify
    } else if word("delete") || word("deleted") || word("remove") || word("removed") {
        Operation::Delete
    } else {
        Operation::Unsaid
    }
}

/// The files of a drawn tree with the remark beside each.
fn tree_rows(text: &str) -> Vec<(String, String)> {
    let mut folders: Vec<(usize, String)> = Vec::new();
    let mut rows = Vec::new();
    for line in text.lines() {
        let is_rule =
            |c: char| matches!(c, '│' | '├' | '└' | '─' | '|' | '`' | ' ' | '\u{a0}' | '\t') || c == '-';
        let column = line.chars().take_while(|c| is_rule(*c)).count();
        let body: String = line.chars().skip(column).collect();
        let body = body.trim_start();
        let name = body.split_whitespace().next().unwrap_or_default();
        if name.is_empty() || name.starts_with('#') || name == "..." {
            continue;
        }
        let remark = body[name.len()..].trim().trim_start_matches(['#', '←', '(', '-', '—', ' ']).to_owned();
        folders.retain(|(c, _)| *c < column);
        let base: String = folders.last().map(|(_, f)| f.clone()).unwrap_or_default();
        if let Some(folder) = name.strip_suffix('/') {
            let folder = if folder == "." { "" } else { folder };
            let sep = if folder.is_empty() { "" } else { "/" };
            folders.push((column, format!("{base}{folder}{sep}")));
        } else if let Some(path) = paths::clean(&format!("{base}{name}")) {
            rows.push((path, remark));
        }
    }
    rows
}

/// Takes the repository's own folder off the paths of a tree, where it is drawn: it holds the manifest.
fn without_root(rows: &mut [(String, String)]) {
    // Parts of a repository that have a manifest of their own.
    const PARTS: [&str; 10] =
        ["app", "apps", "packages", "server", "client", "frontend", "backend", "api", "web", "src"];
    let Some((root, _)) = rows.first().and_then(|(path, _)| path.split_once('/')) else { return };
    let root = root.to_owned();
    let inner = |path: &str| path.strip_prefix(&root).and_then(|p| p.strip_prefix('/')).map(str::to_owned);
    let all = rows.iter().all(|(path, _)| inner(path).is_some());
    let at_top = |p: String| !p.contains('/') && (paths::is_manifest(&p) || p == ".gitignore");
    let manifest = rows.iter().any(|(path, _)| inner(path).is_some_and(at_top));
    if all && manifest && !PARTS.contains(&root.as_str()) {
        for (path, _) in rows {
            *path = inner(path).unwrap_or_default();
        }
    }
}

/// Whether a row is worth nothing: no task and no path.
pub(super) fn is_empty_row(row: &[Words]) -> bool {
    row.iter().all(|w| is_blank(&w.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_say_what_is_done() {
        let table = [
            ("create", Operation::Create),
            ("modify (remove dup class)", Operation::Modify),
            ("merge→delete", Operation::Delete),
            ("139→30", Operation::Modify),
            ("git rm", Operation::Delete),
            ("modify+create", Operation::Unsaid),
            ("read (verify)", Operation::Read),
            ("gh CLI", Operation::Unsaid),
        ];
        for (text, expected) in table {
            assert_eq!(operation(text), expected, "{text}");
        }
    }

    /// What is removed from a file is not the file.
    #[test]
    fn sentences_say_what_is_done() {
        let table = [
            ("Remove photo fields, add showWebcam", Operation::Modify),
            ("remove photos", Operation::Modify),
            ("Add visibility logic, use the new hook", Operation::Modify),
            ("Create new", Operation::Create),
            ("create (shared by both)", Operation::Create),
            ("delete", Operation::Delete),
            ("Delete (merged into b.py)", Operation::Delete),
            ("remove — nobody calls it", Operation::Delete),
            ("delete the file", Operation::Delete),
            ("merge→delete", Operation::Delete),
            ("git rm -r", Operation::Delete),
            ("Delete `old_name`", Operation::Modify),
        ];
        for (text, expected) in table {
            assert_eq!(described_operation(text), expected, "{text}");
        }
    }

    #[test]
    fn trees_are_read() {
        let text = "zerg/\n├── a.py     # new\n├── sub/\n│   ├── b.py\n│   └── deep/\n│       └── c.py (existing)\n└── d.py\n";
        let paths: Vec<String> = tree_rows(text).into_iter().map(|(p, _)| p).collect();
        assert_eq!(paths, ["zerg/a.py", "zerg/sub/b.py", "zerg/sub/deep/c.py", "zerg/d.py"]);
        let mut rows = tree_rows("shop/\n├── src/\n│   └── a.ts\n└── package.json\n");
        without_root(&mut rows);
        assert_eq!(rows.into_iter().map(|(p, _)| p).collect::<Vec<_>>(), ["src/a.ts", "package.json"]);
    }
}
