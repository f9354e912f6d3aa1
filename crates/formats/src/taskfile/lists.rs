//! Lists and tables of a task file: acceptance criteria and plain check lists.

use crate::markdown::{BodyBlock, SourceLine, list_item, without_backticks, without_checkbox};
use windlass_core::plan::Criterion;

/// An item and the line it starts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedItem<'a, T> {
    pub(crate) line: SourceLine<'a>,
    pub(crate) value: T,
}

/// The items of a list, and the lines that belong to none.
pub(crate) fn items<'a>(blocks: &[BodyBlock<'a>]) -> (Vec<ListedItem<'a, String>>, Vec<&'a str>) {
    let mut found: Vec<ListedItem<'a, String>> = Vec::new();
    let mut stray = Vec::new();
    let mut open = false;
    for block in blocks {
        let line = match block {
            BodyBlock::Text(line) => line,
            BodyBlock::Code(code) => {
                stray.extend(code.raw.lines());
                continue;
            }
        };
        if line.text.trim().is_empty() {
            open = false;
            stray.push(line.text);
        } else if let Some((0..=3, text)) = list_item(line.text) {
            open = true;
            found.push(ListedItem { line: *line, value: without_checkbox(text).to_owned() });
        } else if let (true, Some(last)) = (open, found.last_mut()) {
            last.value.push(' ');
            last.value.push_str(line.text.trim());
        } else {
            stray.push(line.text);
        }
    }
    (found, stray)
}

/// The criteria of a section, and the lines that belong to none.
pub(crate) fn criteria<'a>(blocks: &[BodyBlock<'a>]) -> (Vec<ListedItem<'a, Criterion>>, Vec<&'a str>) {
    let rows: Vec<SourceLine<'a>> = blocks.iter().filter_map(table_line).collect();
    let rest: Vec<BodyBlock<'a>> = blocks.iter().filter(|b| table_line(b).is_none()).cloned().collect();
    let mut found = table(&rows);
    let (listed, stray) = items(&rest);
    let mut last_is_open = false;
    for item in listed {
        let assertion = item.value.strip_prefix("assertion:").map(str::trim);
        if let (Some(assertion), true, Some(last)) = (assertion, last_is_open, found.last_mut()) {
            last.value.assertion = Some(without_backticks(assertion).to_owned());
            continue;
        }
        let tests = item.value.strip_prefix("tests:").map(names);
        if let (Some(tests), true, Some(last)) = (tests, last_is_open, found.last_mut()) {
            last.value.tests = tests;
            continue;
        }
        found.push(ListedItem { line: item.line, value: criterion(&item.value) });
        last_is_open = true;
    }
    (found, stray)
}

/// Names of tests, each in backticks, or else with commas between them.
fn names(text: &str) -> Vec<String> {
    let quoted: Vec<String> = text.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    if !quoted.is_empty() {
        return quoted;
    }
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn table_line<'a>(block: &BodyBlock<'a>) -> Option<SourceLine<'a>> {
    match block {
        BodyBlock::Text(line) if line.text.trim_start().starts_with('|') => Some(*line),
        BodyBlock::Text(_) | BodyBlock::Code(_) => None,
    }
}

/// `AC-001: text`, with or without an id.
pub(crate) fn criterion(text: &str) -> Criterion {
    let id_and_rest = text.split_once(':').and_then(|(head, rest)| {
        let id = head.trim().trim_matches(['*', '`']);
        let rest = rest.trim_start_matches('*').trim();
        is_id(id).then_some((id, rest))
    });
    match id_and_rest {
        Some((id, rest)) => Criterion { id: id.to_owned(), text: rest.to_owned(), ..Criterion::default() },
        None => Criterion { text: text.trim().to_owned(), ..Criterion::default() },
    }
}

fn is_id(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    word.len() <= 64 && word.chars().all(fits) && word.contains(|c: char| c.is_ascii_digit())
}

/// Which column a table's heading names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CriteriaColumn {
    Id,
    Text,
    Assertion,
    Tests,
    Other,
}

fn table<'a>(rows: &[SourceLine<'a>]) -> Vec<ListedItem<'a, Criterion>> {
    let mut columns = vec![CriteriaColumn::Id, CriteriaColumn::Text, CriteriaColumn::Assertion];
    let mut found = Vec::new();
    for (i, line) in rows.iter().enumerate() {
        let cells = cells(line.text);
        if cells.iter().all(|c| !c.is_empty() && c.chars().all(|c| matches!(c, '-' | ':' | ' '))) {
            continue;
        }
        let ruled = rows
            .get(i + 1)
            .is_some_and(|next| next.text.trim_start().starts_with("|-") || next.text.contains("| -"));
        if i == 0 && ruled {
            columns = cells.iter().map(|c| column(c)).collect();
            continue;
        }
        let mut value = Criterion::default();
        for (column, cell) in columns.iter().zip(&cells) {
            match column {
                CriteriaColumn::Id => cell.trim_matches(['*', '`']).clone_into(&mut value.id),
                CriteriaColumn::Text => value.text.clone_from(cell),
                CriteriaColumn::Assertion if cell.is_empty() => {}
                CriteriaColumn::Assertion => value.assertion = Some(without_backticks(cell).to_owned()),
                CriteriaColumn::Tests => value.tests = names(cell),
                CriteriaColumn::Other => {}
            }
        }
        found.push(ListedItem { line: *line, value });
    }
    found
}

fn column(heading: &str) -> CriteriaColumn {
    let heading = heading.to_lowercase();
    if heading == "id" || heading == "#" || heading == "ac" {
        CriteriaColumn::Id
    } else if heading == "tests" {
        CriteriaColumn::Tests
    } else if heading.contains("assertion") || heading.contains("test") {
        CriteriaColumn::Assertion
    } else if heading.contains("criteri") || heading.contains("text") || heading.contains("description") {
        CriteriaColumn::Text
    } else {
        CriteriaColumn::Other
    }
}

/// The cells of a table row; `\|` is a bar.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek(), cells.last_mut()) {
            ('\\', Some('|'), Some(cell)) => {
                cell.push('|');
                chars.next();
            }
            ('|', None, _) => {}
            ('|', Some(_), _) => cells.push(String::new()),
            (c, _, Some(cell)) => cell.push(c),
            (_, _, None) => {}
        }
    }
    cells.into_iter().map(|c| c.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::{TextSlice, blocks};

    fn read(text: &str) -> Vec<(String, String, Option<String>)> {
        let (found, _) = criteria(&blocks(&TextSlice { at: 0, text }));
        found.into_iter().map(|i| (i.value.id, i.value.text, i.value.assertion)).collect()
    }

    fn plain(id: &str, text: &str) -> (String, String, Option<String>) {
        (id.to_owned(), text.to_owned(), None)
    }

    #[test]
    fn criteria_come_as_lists() {
        let text =
            "- AC-001: a\n- [ ] **AC-2:** b\n  more\n* no id: here\n- plain\n  - assertion: `x == 1`\n";
        let last = (String::new(), "plain".to_owned(), Some("x == 1".to_owned()));
        assert_eq!(
            read(text),
            [plain("AC-001", "a"), plain("AC-2", "b more"), plain("", "no id: here"), last]
        );
    }

    #[test]
    fn a_criterion_names_the_tests_that_stand_for_it() {
        let tests = |text: &str| -> Vec<Vec<String>> {
            let (found, _) = criteria(&blocks(&TextSlice { at: 0, text }));
            found.into_iter().map(|i| i.value.tests).collect()
        };
        let two = vec!["a > b, c".to_owned(), "test_d".to_owned()];
        assert_eq!(
            tests("- AC-1: x\n  - tests: `a > b, c`, `test_d`\n- AC-2: y\n"),
            [two.clone(), Vec::new()]
        );
        assert_eq!(
            tests("| id | criterion | tests |\n|---|---|---|\n| AC-1 | x | `a > b, c`, `test_d` |\n"),
            [two]
        );
    }

    #[test]
    fn criteria_come_as_tables() {
        let text = "| Criterion | ID | Test assertion |\n|---|---|---|\n| a \\| b | AC-1 | `expect(1)` |\n| c | `AC-2` | |\n";
        let first = ("AC-1".to_owned(), "a | b".to_owned(), Some("expect(1)".to_owned()));
        assert_eq!(read(text), [first, plain("AC-2", "c")]);
    }
}
