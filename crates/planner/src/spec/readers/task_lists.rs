//! Tasks that are numbered boxes of a list, as Kiro and OpenSpec write them: `- [ ] 2.1 Create the parser`.
//!
//! A box with numbered boxes below it only groups them. Boxes that write tests belong to the work before them, because
//! every task writes its tests; so do boxes of one line that name no file of their own, because they cannot be built alone.
//! Boxes that only check the whole are no work. What is ticked off is done; what a person does by hand is left out.

use super::tasks::push_task;
use crate::spec::document::{DocumentBlock, ItemBlock, SectionTree, Tick};
use crate::spec::model::{Authority, FileRow, Operation, Remark, StatedEdge, StatedTask, TICKED_OFF};
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

/// Adds the tasks of a list of numbered boxes. `is_begun`: whether there is code that ticked boxes can be about.
pub(super) fn collect_lists(reading: &mut DocumentReading<'_>, is_begun: bool) {
    let tree = reading.tree;
    let boxes: Vec<NumberedBox<'_>> =
        tree.wanted_blocks().filter_map(|block| numbered_box(reading, block)).collect();
    if boxes.len() < 2 {
        return;
    }
    claim_notes(reading);
    let groups = |one: &NumberedBox<'_>| {
        let inner = format!("{}.", one.number);
        boxes.iter().any(|other| other.number.starts_with(&inner))
    };
    let mut last: Option<LastTask> = None;
    for one in &boxes {
        let remarks = remarks_below(tree, one.block, &boxes);
        reading.claim(one.block);
        for block in &remarks {
            reading.claim(block);
        }
        if one.done && !is_begun {
            let span = reading.span(&one.block.at);
            reading.spec.doubted_tick.get_or_insert(span);
        }
        if one.done && is_begun {
            let (text, heading) = (one.title.clone(), TICKED_OFF.to_owned());
            let span = reading.span(&one.block.at);
            reading.spec.exclusions.push(Remark { text, heading, span });
            continue;
        }
        if checks_the_whole(&one.title) || groups(one) {
            continue;
        }
        let (said, files) = said(one, &remarks);
        let group = one.group();
        match &mut last {
            Some(before) if writes_tests(&one.title) || before.takes(one, &group, &said, &files) => {
                before.files.extend(files.iter().map(|(path, _)| path.clone()));
                before.boxes += usize::from(before.group == group && !writes_tests(&one.title));
                add_to(reading, before, one, &said, files);
            }
            _ if is_errand(&one.title) && files.iter().all(|(path, _)| path.ends_with("tasks.md")) => {
                let (text, heading) = (one.title.clone(), "done by a person or by the run itself".to_owned());
                let span = reading.span(&one.block.at);
                reading.spec.exclusions.push(Remark { text, heading, span });
            }
            _ => {
                let own = files.iter().map(|(path, _)| path.clone()).collect();
                let before =
                    last.as_ref().filter(|before| before.group == group).map(|before| before.id.clone());
                let id = state(reading, one, &said, files, before);
                last = Some(LastTask { id, group, files: own, boxes: 1 });
            }
        }
    }
}

/// Claims the remarks below `Notes`: in a list of boxes they say how the list is read.
fn claim_notes(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    let is_note = |block: &&DocumentBlock| {
        let heading = tree.heading(block.section).trim().trim_end_matches(':').to_lowercase();
        matches!(heading.as_str(), "notes" | "note" | "legend" | "format")
    };
    for block in tree.blocks.iter().filter(is_note) {
        reading.claim(block);
    }
}

impl NumberedBox<'_> {
    /// The section and the numbers before the last one: `2` of `2.1`. Boxes with a number of their own are no group.
    fn group(&self) -> (usize, String) {
        let number = self.number.rsplit_once('.').map_or(self.number.as_str(), |(group, _)| group);
        (self.block.section, number.to_owned())
    }
}

/// The task that was stated last.
struct LastTask {
    id: String,
    group: (usize, String),
    files: Vec<String>,
    /// The boxes of its group that it was made of.
    boxes: usize,
}

impl LastTask {
    /// Whether a box is part of this task: it is of the same group, says no more than a line, and names no file that the
    /// task does not own. Documents go together.
    fn takes(
        &self,
        one: &NumberedBox<'_>,
        group: &(usize, String),
        said: &str,
        files: &[(String, String)],
    ) -> bool {
        let is_document = |path: &str| path.ends_with(".md");
        let documents = !files.is_empty()
            && files.iter().all(|(path, _)| is_document(path))
            && self.files.iter().all(|path| is_document(path));
        let own = files.iter().all(|(path, _)| self.files.contains(path));
        self.group == *group && one.number.contains('.') && said.is_empty() && (own || documents)
    }
}

/// Whether a box is something that a person does, or the run itself: `Run the linter`, `Manual testing: …`.
fn is_errand(title: &str) -> bool {
    const OPENINGS: [&str; 24] = [
        "run ",
        "manual",
        "build package",
        "build the package",
        "verify ",
        "test on ",
        "test with ",
        "test installation",
        "deploy",
        "release ",
        "publish ",
        "commit ",
        "merge ",
        "push ",
        "review ",
        "get approval",
        "update change status",
        "update task",
        "mark ",
        "archive ",
        "smoke test",
        "ensure ",
        "check that ",
        "monitor ",
    ];
    let lower = title.to_lowercase();
    OPENINGS.iter().any(|opening| lower.starts_with(opening))
}

/// The numbered box that a block is.
fn numbered_box<'t>(reading: &DocumentReading<'t>, block: &'t DocumentBlock) -> Option<NumberedBox<'t>> {
    let item = reading.tree.item(block.index)?;
    let done = Tick::of(&reading.spec.sources.file(reading.file).text, item)? == Tick::Done;
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
fn state(
    reading: &mut DocumentReading<'_>,
    one: &NumberedBox<'_>,
    said: &str,
    files: Vec<(String, String)>,
    before: Option<String>,
) -> String {
    let id = format!("TASK-{}", one.number);
    let span = reading.span(&one.block.at);
    // `## 2. Login` above the boxes is a stage of the work.
    let heading = reading.tree.heading(one.block.section).trim();
    let stage = heading.split(['.', ' ']).next().and_then(|number| number.parse().ok());
    let (title, text) = (one.title.clone(), said.to_owned());
    let task = StatedTask { id: id.clone(), title, text, level: stage, phase: None, listed: true, span };
    push_task(reading, task);
    own(reading, &id, one, files);
    if let Some(before) = before.filter(|_| one.number.contains('.')) {
        reading.spec.edges.push(StatedEdge { before, after: id.clone(), span });
    }
    id
}

/// Adds what a box says to a task. A task of several boxes is called like the heading above them.
fn add_to(
    reading: &mut DocumentReading<'_>,
    last: &LastTask,
    one: &NumberedBox<'_>,
    said: &str,
    files: Vec<(String, String)>,
) {
    let heading = without_number(reading.tree.heading(one.block.section).trim()).trim().to_owned();
    if let Some(task) = reading.spec.tasks.iter_mut().find(|task| task.id == last.id) {
        if last.boxes == 2 && !heading.is_empty() {
            let all = format!("{}\n{}", task.title, task.text);
            all.trim().clone_into(&mut task.text);
            task.title = heading;
        }
        let all = format!("{}\n{}\n{said}", task.text, one.title);
        all.trim().clone_into(&mut task.text);
    }
    own(reading, &last.id, one, files);
}

fn own(reading: &mut DocumentReading<'_>, id: &str, one: &NumberedBox<'_>, files: Vec<(String, String)>) {
    let span = reading.span(&one.block.at);
    for (path, line) in files {
        reading.spec.files.push(FileRow {
            operation: operation_on(&line, &path),
            path,
            tasks: vec![id.to_owned()],
            note: String::new(),
            lines: None,
            authority: Authority::Task,
            span,
        });
    }
}

/// What a line does to a file that it names. `Remove the hard-coded paths of `a.py`` changes it; only what stands right behind
/// the verb is removed.
fn operation_on(line: &str, path: &str) -> Operation {
    let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    let before = line.find(path).and_then(|at| line.get(..at)).unwrap_or_default();
    let between = before.split_whitespace().skip(1).filter(|word| {
        !matches!(
            word.trim_matches('`'),
            "" | "the" | "old" | "file" | "legacy" | "unused" | "obsolete" | "module"
        )
    });
    match operation_of_verb(line) {
        Operation::Delete if between.count() > 0 => Operation::Modify,
        other => other,
    }
}

/// The text below a box, with the criteria it serves under their ids, and the files it names with the line of each.
fn said(one: &NumberedBox<'_>, remarks: &[&DocumentBlock]) -> (String, Vec<(String, String)>) {
    let mut lines: Vec<String> = Vec::new();
    let own = one.block.running_text().map(|text| text.text.as_str()).unwrap_or_default();
    let mut files: Vec<(String, String)> = Vec::new();
    let below = remarks.iter().filter_map(|block| block.running_text()).map(|text| text.text.as_str());
    for text in std::iter::once(own).chain(below) {
        let may_own = |m: &paths::PathMention| m.quoted || m.path.contains('/') || m.path.ends_with(".md");
        let named = paths::mentions(text).into_iter().filter(|m| may_own(m) && !paths::is_binary(&m.path));
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
    fn errands_are_left_out() {
        for title in [
            "Run linter (`ruff check .`) and fix any issues",
            "Manual testing: the chart is shown",
            "Deploy to staging",
        ] {
            assert!(is_errand(title), "{title}");
        }
        for title in ["Render the chart", "Build the index", "Test doubles for the clock"] {
            assert!(!is_errand(title), "{title}");
        }
    }

    #[test]
    fn only_what_follows_the_verb_is_removed() {
        let table = [
            ("5.1 Delete `mailer/old.py`", Operation::Delete),
            ("Remove the unused `mailer/old.py`", Operation::Delete),
            ("3.3 Remove hard-coded addresses from `mailer/old.py`", Operation::Modify),
            ("Create `mailer/old.py`", Operation::Create),
        ];
        for (line, expected) in table {
            assert_eq!(operation_on(line, "mailer/old.py"), expected, "{line}");
        }
    }

    #[test]
    fn served_criteria() {
        assert_eq!(served("_Requirements: 1.1, 2.3_"), Some(vec!["R1.1".to_owned(), "R2.3".to_owned()]));
        assert_eq!(served("**Validates: Requirements 2.1**"), Some(vec!["R2.1".to_owned()]));
        assert_eq!(served("Report rows"), None);
    }
}
