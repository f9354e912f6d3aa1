//! Tasks that are numbered boxes of a list, as Kiro and OpenSpec write them: `- [ ] 2.1 Create the parser`.
//!
//! A box with numbered boxes below it only groups them. Boxes that write tests belong to the work before them, because
//! every task writes its tests; boxes that only check the whole are no work. What is ticked off is done.

use super::tasks::push_task;
use crate::spec::document::{DocumentBlock, ItemBlock, SectionTree};
use crate::spec::model::{Authority, FileRow, Remark, StatedEdge, StatedTask};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{operation_of_verb, paths, without_number};

/// The longest text of a task, in bytes.
const LONGEST: usize = 900;

/// A numbered box.
struct NumberedBox<'t> {
    block: &'t DocumentBlock,
    /// `2.1`.
    number: String,
    title: String,
    done: bool,
}

/// Adds the tasks of a list of numbered boxes.
pub(super) fn collect_lists(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    let boxes: Vec<NumberedBox<'_>> =
        tree.wanted_blocks().filter_map(|block| numbered_box(reading, block)).collect();
    if boxes.len() < 2 {
        return;
    }
    let groups = |one: &NumberedBox<'_>| {
        let inner = format!("{}.", one.number);
        boxes.iter().any(|other| other.number.starts_with(&inner))
    };
    let mut last: Option<String> = None;
    for one in &boxes {
        let remarks = remarks_below(tree, one.block, &boxes);
        reading.claim(one.block);
        for block in &remarks {
            reading.claim(block);
        }
        if one.done {
            let (text, heading) = (one.title.clone(), "ticked off as done".to_owned());
            let span = reading.span(&one.block.at);
            reading.spec.exclusions.push(Remark { text, heading, span });
            continue;
        }
        if checks_the_whole(&one.title) || groups(one) {
            continue;
        }
        if let Some(before) = last.clone().filter(|_| writes_tests(&one.title)) {
            add_to(reading, &before, one, &remarks);
        } else {
            last = Some(state(reading, one, &remarks));
        }
    }
}

/// The numbered box that a block is.
fn numbered_box<'t>(reading: &DocumentReading<'t>, block: &'t DocumentBlock) -> Option<NumberedBox<'t>> {
    let item = reading.tree.item(block.index)?;
    let source = &reading.spec.sources.file(reading.file).text;
    let written = source.get(item.text.at.clone())?.trim_start_matches(['-', '*', '+', ' ']);
    let before = source.get(..item.text.at.start)?.trim_end();
    let has = |mark: &&str| written.starts_with(*mark) || before.ends_with(*mark);
    let done = ["[x]", "[X]"].iter().any(&has);
    if !(done || has(&"[ ]")) {
        return None;
    }
    let text = item.text.plain();
    // `[ ]*` marks what may be left out.
    let text = text.trim_start_matches("[ ]").trim_start_matches(['*', ' ']);
    let number: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let number = number.trim_end_matches('.').to_owned();
    let title = item.text.lines()[0].replace("**", "");
    let title = title.trim_start_matches("[ ]").trim_start_matches(['*', ' ']);
    let title = without_number(title).trim().trim_end_matches('.').to_owned();
    (!number.is_empty() && !title.is_empty()).then_some(NumberedBox { block, number, title, done })
}

/// What stands below a box and is no numbered box itself.
fn remarks_below<'t>(
    tree: &'t SectionTree,
    block: &DocumentBlock,
    boxes: &[NumberedBox<'_>],
) -> Vec<&'t DocumentBlock> {
    let is_box = |index: usize| boxes.iter().any(|other| other.block.index == index);
    let mut found = Vec::new();
    for next in tree.blocks[block.index + 1..].iter().take_while(|next| next.section == block.section) {
        let mut above = tree.item(next.index).and_then(|item: &ItemBlock| item.parent);
        while let Some(at) = above.filter(|at| *at != block.index && !is_box(*at)) {
            above = tree.item(at).and_then(|item| item.parent);
        }
        if above != Some(block.index) || is_box(next.index) {
            break;
        }
        found.push(next);
    }
    found
}

/// Whether a box is about writing tests and nothing else.
fn writes_tests(title: &str) -> bool {
    let lower = title.to_lowercase();
    let verb = ["write ", "add ", "create ", "implement "].iter().any(|verb| lower.starts_with(verb));
    let starts =
        lower.starts_with("unit test") || lower.starts_with("property test") || lower.starts_with("test ");
    let about = lower.split(" for ").next().unwrap_or(&lower);
    starts || (verb && about.split_whitespace().take(5).any(|word| matches!(word, "test" | "tests")))
}

/// Whether a box asks for a look at the whole: `Checkpoint - Ensure all tests pass`.
fn checks_the_whole(title: &str) -> bool {
    let lower = title.to_lowercase();
    [
        "checkpoint",
        "final checkpoint",
        "ensure all tests",
        "run all tests",
        "run the test suite",
        "verify all tests",
    ]
    .iter()
    .any(|opening| lower.starts_with(opening))
}

/// Adds a task. Returns its id.
fn state(reading: &mut DocumentReading<'_>, one: &NumberedBox<'_>, remarks: &[&DocumentBlock]) -> String {
    let id = format!("TASK-{}", one.number);
    let span = reading.span(&one.block.at);
    // `## 2. Login` above the boxes is a stage of the work.
    let heading = reading.tree.heading(one.block.section).trim();
    let stage = heading.split(['.', ' ']).next().and_then(|number| number.parse().ok());
    let (text, files) = said(one, remarks);
    push_task(
        reading,
        StatedTask { id: id.clone(), title: one.title.clone(), text, level: stage, phase: None, span },
    );
    own(reading, &id, one, files);
    let before = one.number.rsplit_once('.').and_then(|(group, last)| {
        let last: u32 = last.parse().ok()?;
        let sibling = format!("TASK-{group}.{}", last.checked_sub(1)?);
        reading.spec.tasks.iter().find(|task| task.id == sibling).map(|task| task.id.clone())
    });
    if let Some(before) = before {
        reading.spec.edges.push(StatedEdge { before, after: id.clone(), span });
    }
    id
}

/// Adds what a box says to a task.
fn add_to(reading: &mut DocumentReading<'_>, id: &str, one: &NumberedBox<'_>, remarks: &[&DocumentBlock]) {
    let (text, files) = said(one, remarks);
    if let Some(task) = reading.spec.tasks.iter_mut().find(|task| task.id == id) {
        let all = format!("{}\n{}\n{text}", task.text, one.title);
        all.trim().clone_into(&mut task.text);
    }
    own(reading, id, one, files);
}

fn own(reading: &mut DocumentReading<'_>, id: &str, one: &NumberedBox<'_>, files: Vec<(String, String)>) {
    let span = reading.span(&one.block.at);
    for (path, line) in files {
        reading.spec.files.push(FileRow {
            path,
            operation: operation_of_verb(&line),
            tasks: vec![id.to_owned()],
            note: String::new(),
            lines: None,
            authority: Authority::Task,
            span,
        });
    }
}

/// The text below a box, with the criteria it serves under their ids, and the files it names with the line of each.
fn said(one: &NumberedBox<'_>, remarks: &[&DocumentBlock]) -> (String, Vec<(String, String)>) {
    let mut lines: Vec<String> = Vec::new();
    let own = one.block.running_text().map(|text| text.text.as_str()).unwrap_or_default();
    let mut files: Vec<(String, String)> = Vec::new();
    let below = remarks.iter().filter_map(|block| block.running_text()).map(|text| text.text.as_str());
    for text in std::iter::once(own).chain(below) {
        let named = paths::mentions(text).into_iter().filter(|m| m.quoted || m.path.contains('/'));
        for mention in named {
            if !files.iter().any(|(path, _)| *path == mention.path) {
                files.push((mention.path, text.to_owned()));
            }
        }
        match served(text) {
            Some(ids) => lines.push(format!("Serves {}", ids.join(", "))),
            None if text != own => lines.push(text.to_owned()),
            None => {}
        }
    }
    let mut text = lines.join("\n");
    text.truncate(text.floor_char_boundary(LONGEST));
    (text, files)
}

/// The ids of the criteria in `_Requirements: 1.1, 2.3_`, as the criteria of numbered requirements have them.
fn served(text: &str) -> Option<Vec<String>> {
    let rest = text.trim_start_matches(['*', '_', ' ']);
    let rest = rest.strip_prefix("Validates: ").unwrap_or(rest);
    let rest = rest.strip_prefix("Requirements").or_else(|| rest.strip_prefix("Requirement"))?;
    let numbers = rest.split(|c: char| !(c.is_ascii_digit() || c == '.')).map(|n| n.trim_matches('.'));
    let ids: Vec<String> = numbers.filter(|n| n.contains('.')).map(|n| format!("R{n}")).collect();
    (!ids.is_empty()).then_some(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_are_no_work_of_their_own() {
        for title in
            ["Write unit tests for the parser", "Write property test for importing twice", "Unit tests"]
        {
            assert!(writes_tests(title), "{title}");
        }
        for title in
            ["Write the parser", "Create `src/test_runner.py`", "Add a command that runs tests for a plan"]
        {
            assert!(!writes_tests(title), "{title}");
        }
        assert!(checks_the_whole("Checkpoint - Ensure all tests pass"));
        assert!(!checks_the_whole("Check the header"));
    }

    #[test]
    fn served_criteria() {
        assert_eq!(served("_Requirements: 1.1, 2.3_"), Some(vec!["R1.1".to_owned(), "R2.3".to_owned()]));
        assert_eq!(served("**Validates: Requirements 2.1**"), Some(vec!["R2.1".to_owned()]));
        assert_eq!(served("Report rows"), None);
    }
}
