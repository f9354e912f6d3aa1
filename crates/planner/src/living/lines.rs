//! The lines of documents that a task came from, found by content: a line that moves stays the same line.

use std::collections::HashSet;

use crate::spec::SpecFile;
use windlass_core::plan::Task;

/// A line of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    /// The document, by its place in the list.
    pub document: usize,
    /// The line, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
}

/// The fewest words of a line that is looked for inside a longer text.
const WORDS: usize = 3;

/// A text in plain words: no marks of lists, tables and emphasis, one space between words, lower case.
pub fn plain_text(text: &str) -> String {
    let text = text.trim_start().trim_start_matches(['-', '*', '+', '#', '>', '|', ' ']);
    let text = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    let kept: String =
        text.chars().map(|c| if matches!(c, '*' | '`' | '|' | '_') { ' ' } else { c }).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The lines that each of the tasks came from, in the order of the documents.
pub fn source_lines(tasks: &[Task], documents: &[SpecFile]) -> Vec<Vec<SourceLine>> {
    let lines: Vec<(usize, usize, &str, String)> = documents
        .iter()
        .enumerate()
        .flat_map(|(at, d)| (1..).zip(d.text.lines()).map(move |(n, text)| (at, n, text, plain_text(text))))
        .filter(|(.., plain)| !plain.is_empty())
        .collect();
    let found = |task: &Task| {
        let said = TaskWords::of(task);
        let own = lines.iter().filter(|(.., text, plain)| said.has(text, plain));
        own.map(|(document, line, text, _)| SourceLine {
            document: *document,
            line: *line,
            text: text.trim().to_owned(),
        })
        .collect()
    };
    tasks.iter().map(found).collect()
}

/// What a task says, for looking lines up in it.
struct TaskWords {
    whole: HashSet<String>,
    criteria: Vec<String>,
    all: String,
    paths: Vec<String>,
}

impl TaskWords {
    fn of(task: &Task) -> Self {
        let prose = [&task.objective, &task.description, &task.notes];
        let lists = task.risks.iter().chain(&task.done_when).chain(task.changes.values());
        let code = task.contract.iter().map(|block| &block.code);
        let sections = task.sections.iter().map(|section| &section.body);
        let texts = prose.into_iter().chain(lists).chain(code).chain(sections);
        let mut whole: HashSet<String> = texts.flat_map(|text| text.lines()).map(plain_text).collect();
        let criteria: Vec<String> = task.criteria.iter().map(|c| plain_text(&c.text)).collect();
        whole.extend(criteria.iter().cloned());
        whole.remove("");
        let all = whole.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        Self { whole, criteria, all, paths: task.owned().map(str::to_owned).collect() }
    }

    fn has(&self, text: &str, plain: &str) -> bool {
        let words = plain.split(' ').count();
        let names = |path: &String| text.contains(path.as_str());
        let states = |criterion: &String| !criterion.is_empty() && plain.contains(criterion.as_str());
        self.whole.contains(plain)
            || self.criteria.iter().any(states)
            || self.paths.iter().any(names)
            || (words >= WORDS && self.all.contains(plain))
    }
}
