//! Tasks and phases the documents name themselves: in tables, in headings, in lists of levels.

use std::collections::HashMap;

use super::columns::{Column, Columns, is_blank};
use super::files::is_empty_row;
use super::ids;
use super::markdown::{Block, Placed, Table, Words};
use super::model::{Phase, StatedEdge, StatedTask};
use super::reading::Reading;
use super::topic::Topic;
use windlass_core::diagnostic::Span;

/// Reads every statement of a task and every phase.
pub(super) fn read(reading: &mut Reading<'_>) {
    headings(reading);
    for (at, placed) in reading.blocks() {
        match &placed.block {
            Block::Table(table) => tables(reading, at, placed, table),
            Block::Item(item) => {
                let told = reading.topic(placed) == Some(Topic::Phases);
                if let Some(phase) = phase_line(&item.words.plain(), told) {
                    let span = reading.span(&item.words.at);
                    reading.using(at);
                    push_phase(reading, phase, span);
                }
            }
            Block::Paragraph(_) | Block::Code(_) => {}
        }
    }
    bodies(reading);
}

/// What stands under the heading, the label or the line of a phase is said of it.
fn bodies(reading: &mut Reading<'_>) {
    // The phase of each item, for those below it.
    let mut items: HashMap<usize, usize> = HashMap::new();
    for (at, placed) in reading.blocks() {
        if reading.is_excluded(placed) {
            continue;
        }
        let label = placed.label.as_deref().and_then(phase_name);
        if let Some(name) = &label
            && let Some(words) = Reading::words(placed)
        {
            let span = reading.span(&words.at);
            push_phase(reading, (name.clone(), None, String::new()), span);
        }
        let (own, parent) = match &placed.block {
            Block::Item(item) => (item.words.plain().split(':').next().and_then(phase_name), item.parent),
            Block::Paragraph(_) | Block::Table(_) | Block::Code(_) => (None, None),
        };
        let above = || surroundings(reading, placed.section, None).1;
        let known = |name: &String| reading.spec.phases.iter().position(|p| same_phase(&p.name, name));
        let inherited = parent.and_then(|item| items.get(&item).copied());
        let phase = own.as_ref().and_then(known).or(inherited);
        let Some(phase) = phase.or_else(|| label.or_else(above).as_ref().and_then(known)) else { continue };
        items.insert(at, phase);
        let text = match &placed.block {
            Block::Item(item) => item.words.text.clone(),
            Block::Paragraph(words) => words.text.clone(),
            Block::Table(table) => {
                table.rows.iter().flatten().map(|cell| format!("{} ", cell.text)).collect()
            }
            Block::Code(_) => continue,
        };
        let body = &mut reading.spec.phases[phase].body;
        body.push_str(&text);
        body.push('\n');
    }
}

/// Whether two names are of one phase: `Phase 1` and `Phase 1: Basket`.
fn same_phase(one: &str, other: &str) -> bool {
    let key = |name: &str| -> Option<(String, String)> {
        let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
        Some((words.next()?.to_lowercase(), words.next()?.to_owned()))
    };
    one == other || (key(one).is_some() && key(one) == key(other))
}

/// The task a heading names: `TASK-001: Title`, `Task 3 - Title`.
pub(super) fn heading_task(title: &str) -> Option<(String, String)> {
    let plain = title.replace('`', "");
    let numbered = plain.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    let word = numbered.split([' ', ':', '：', ']']).next().unwrap_or_default().trim_start_matches('[');
    if let Some(rest) = numbered.strip_prefix("Task ").or_else(|| numbered.strip_prefix("TASK ")) {
        let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let digits = digits.trim_end_matches('.');
        let title = rest[digits.len()..].trim_start_matches([':', '.', '-', '—', '–', ' ']);
        return (!digits.is_empty()).then(|| (format!("TASK-{digits}"), title.to_owned()));
    }
    let dashed =
        word.contains('-') && ids::is_task_id(word) && word.starts_with(|c: char| c.is_ascii_uppercase());
    if !dashed || ids::requirement(word).is_some() || is_other_id(word) {
        return None;
    }
    let at = numbered.find(word)? + word.len();
    let title = numbered[at..].trim_start_matches([':', '：', ']', '-', '—', '–', ' ', '.']);
    Some((word.to_owned(), title.to_owned()))
}

/// Ids that are no task's: stories, decisions, standards.
fn is_other_id(word: &str) -> bool {
    let prefix = word.split('-').next().unwrap_or_default();
    matches!(
        prefix,
        "US" | "ADR" | "RFC" | "UTF" | "ISO" | "SHA" | "GPT" | "UC" | "NG" | "EPIC" | "D" | "CVE"
    )
}

fn headings(reading: &mut Reading<'_>) {
    for (at, section) in reading.doc.sections.iter().enumerate() {
        let title = &section.title;
        let span = reading.span(&title.at);
        if let Some((id, words)) = heading_task(&title.text) {
            let text = reading.prose(at, 600);
            let (level, phase) = surroundings(reading, at, None);
            push_task(reading, StatedTask { id, title: words, text, level, phase, span });
        } else if let Some(phase) = phase_heading(reading, at, &title.text) {
            push_phase(reading, phase, span);
        }
    }
}

/// `Phase 2: Core`, `Level 1 — Foundation (5 tasks, parallel)`, below the document's title.
fn phase_heading(
    reading: &Reading<'_>,
    section: usize,
    title: &str,
) -> Option<(String, Option<u32>, String)> {
    let level = reading.doc.sections.get(section)?.level;
    let plain = title.replace('`', "");
    (level > 1).then(|| phase_name(&plain)).flatten().map(|name| (name, task_count(&plain), String::new()))
}

/// The phase a title or label names, as `Level 2` or `Phase 3: Polish`.
pub(super) fn phase_name(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '#' | '*'));
    let first = text.split_whitespace().next()?;
    if !matches!(first.to_lowercase().as_str(), "phase" | "level" | "milestone" | "stage" | "sprint") {
        return None;
    }
    let rest = text[first.len()..].trim_start();
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let name = text.split(['(', '[']).next().unwrap_or(text).trim().trim_end_matches([':', '*', ' ']);
    Some(name.to_owned())
}

/// `Level 1: 4 tasks, fully parallel` in a list; `Phase 1: the basket` where the list is `told` to be one of phases.
fn phase_line(text: &str, told: bool) -> Option<(String, Option<u32>, String)> {
    let (head, rest) = text.split_once(':')?;
    let name = phase_name(head)?;
    let count = task_count(rest);
    (told || count.is_some()).then(|| (name, count, rest.trim().to_owned()))
}

/// The number in `5 tasks`.
fn task_count(text: &str) -> Option<u32> {
    let words: Vec<&str> = text.split([' ', '(', ',', ':']).filter(|w| !w.is_empty()).collect();
    words.windows(2).find(|w| w[1].starts_with("task")).and_then(|w| w[0].parse().ok())
}

fn push_phase(reading: &mut Reading<'_>, phase: (String, Option<u32>, String), span: Span) {
    let (name, tasks, text) = phase;
    match reading.spec.phases.iter_mut().find(|p| same_phase(&p.name, &name)) {
        Some(known) => known.tasks = known.tasks.or(tasks),
        None => reading.spec.phases.push(Phase { name, tasks, text, body: String::new(), span }),
    }
}

fn push_task(reading: &mut Reading<'_>, task: StatedTask) {
    let Some(known) = reading.spec.tasks.iter_mut().find(|t| t.id == task.id) else {
        reading.spec.tasks.push(task);
        return;
    };
    if known.title.is_empty() {
        known.title = task.title;
    }
    if known.text.len() < task.text.len() {
        known.text = task.text;
    }
    known.level = known.level.or(task.level);
    known.phase = known.phase.take().or(task.phase);
}

/// The level and phase of the headings and the label around a block.
fn surroundings(reading: &Reading<'_>, section: usize, label: Option<&str>) -> (Option<u32>, Option<String>) {
    let titles = reading.doc.chain(section).map(|(_, s)| s.title.text.as_str());
    let name = label.into_iter().chain(titles).find_map(phase_name);
    let level = name.as_deref().and_then(|n| {
        let digits: String =
            n.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    });
    (level, name)
}

fn tables(reading: &mut Reading<'_>, at: usize, placed: &Placed, table: &Table) {
    let columns = Columns::of(table);
    let phases = columns.find(Column::Phase).or_else(|| columns.find(Column::Level)) == Some(0);
    let counts = columns.has(Column::Task) || !columns.has(Column::File);
    if phases && counts && !reading.is_excluded(placed) {
        phase_rows(reading, at, table, &columns);
    }
    let Some(task_column) = columns.find(Column::Task) else { return };
    if phases || columns.has(Column::Risk) {
        return;
    }
    let label = placed.label.clone().filter(|l| Topic::of(l).is_none() || phase_name(l).is_some());
    for row in table.rows.iter().filter(|r| !is_empty_row(r)) {
        let Some(cell) = row.get(task_column) else { continue };
        let ids: Vec<String> = ids::task_ids(&cell.text).into_iter().map(str::to_owned).collect();
        if ids.is_empty() {
            continue;
        }
        reading.using(at);
        let span = reading.span(&cell.at);
        let own = columns.first(row, &[Column::Title, Column::Responsibility]).map(Words::plain);
        let note = columns.cell(row, Column::File).map(Words::plain);
        // `— (wiki push) | TASK-004`: what is done stands where a file would.
        let note = note.filter(|n| n.contains('(') && super::paths::in_text(n).is_empty());
        let title = own.or(note).unwrap_or_default().trim_matches(['(', ')', '—', ' ']).to_owned();
        let (level, phase) = surroundings(reading, placed.section, label.as_deref());
        let stated = columns.cell(row, Column::Level).and_then(|w| digits(&w.text));
        for id in &ids {
            let level = stated.or(level);
            let (title, phase) = (title.clone(), phase.clone());
            push_task(reading, StatedTask { id: id.clone(), title, text: String::new(), level, phase, span });
        }
        depends(reading, &columns, row, &ids);
    }
}

fn depends(reading: &mut Reading<'_>, columns: &Columns, row: &[Words], ids: &[String]) {
    let Some(cell) = columns.cell(row, Column::Depends).filter(|c| !is_blank(&c.text)) else { return };
    let span = reading.span(&cell.at);
    for before in ids::task_ids(&cell.text) {
        for after in ids {
            let edge = StatedEdge { before: before.to_owned(), after: after.clone(), span };
            reading.spec.edges.push(edge);
        }
    }
}

fn digits(text: &str) -> Option<u32> {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The rows of a table of phases; a row of totals is none.
fn phase_rows(reading: &mut Reading<'_>, at: usize, table: &Table, columns: &Columns) {
    for row in &table.rows {
        let Some(first) = row.first().filter(|w| !is_blank(&w.text)) else { continue };
        let name = first.plain();
        if name.to_lowercase().starts_with("total") {
            continue;
        }
        reading.using(at);
        let tasks = columns.cell(row, Column::Task).and_then(|w| digits(&w.text));
        let text = row.iter().skip(1).map(Words::plain).collect::<Vec<_>>().join(" · ");
        let span = reading.span(&first.at);
        push_phase(reading, (name, tasks, text), span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_told_from_headings() {
        let table = [
            ("BF-L1-003: WorkerProtocol tests", Some(("BF-L1-003", "WorkerProtocol tests"))),
            ("5.1 TASK-001 — Schema", Some(("TASK-001", "Schema"))),
            ("Task 3: Add login", Some(("TASK-3", "Add login"))),
            ("FR-1: Flag", None),
            ("ADR-0001: Queue", None),
            ("US-1: Sign in", None),
            ("Tasks", None),
            ("3.3 FormatterDetector API", None),
        ];
        for (title, expected) in table {
            let found = heading_task(title);
            assert_eq!(found.as_ref().map(|(a, b)| (a.as_str(), b.as_str())), expected, "{title}");
        }
    }

    #[test]
    fn phases_are_told() {
        assert_eq!(phase_name("Level 2 — Core (5 tasks, parallel)").as_deref(), Some("Level 2 — Core"));
        assert_eq!(phase_name("Phase Summary"), None);
        assert_eq!(phase_line("Level 1: 4 tasks, fully parallel", false).unwrap().1, Some(4));
        assert_eq!(phase_line("Level 1: all of them", false), None);
        let told = ("Phase 1".to_owned(), None, "all of them".to_owned());
        assert_eq!(phase_line("Phase 1: all of them", true), Some(told));
        assert!(same_phase("Phase 1: Basket", "phase 1") && !same_phase("Phase 1", "Phase 11"));
    }
}
