//! The lines of documents that a task came from, found by content: a line that moves stays the same line.

use std::collections::{HashMap, HashSet};

use crate::spec::SpecFile;
use windlass_core::plan::Task;

/// A line of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentenceLine {
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

/// The words of a text, without marks and punctuation: a sentence is the same one in a list, in a row and in bold.
fn spoken(text: &str) -> String {
    let plain = plain_text(text);
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// The name that a line of a drawn tree begins with.
fn drawn_name(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let rest = text.trim_start_matches(['│', '├', '└', '─', ' ', '\u{a0}']);
    let name = rest.split_whitespace().next().filter(|_| text.starts_with(['│', '├', '└']))?;
    name.contains('.').then_some(name)
}

/// The lines that each of the tasks came from, in the order of the documents.
pub fn source_lines(tasks: &[Task], documents: &[SpecFile]) -> Vec<Vec<SentenceLine>> {
    let lines = lines_of(documents);
    let words: Vec<TaskWords> = tasks.iter().map(TaskWords::of).collect();
    let mut owners: Vec<Vec<usize>> = lines
        .iter()
        .map(|line| (0..words.len()).filter(|at| words[*at].has(line.text, &line.plain)).collect())
        .collect();
    // A line that several tasks could come from belongs to those that the other lines of its section belong to.
    let mut settled: HashMap<usize, HashSet<usize>> = HashMap::new();
    for (line, owners) in lines.iter().zip(&owners) {
        if let [only] = owners.as_slice() {
            settled.entry(line.section).or_default().insert(*only);
        }
    }
    for (line, owners) in lines.iter().zip(&mut owners).filter(|(_, owners)| owners.len() > 1) {
        let Some(here) = settled.get(&line.section) else { continue };
        if owners.iter().any(|at| here.contains(at)) {
            owners.retain(|at| here.contains(at));
        }
    }
    let mut found = vec![Vec::new(); tasks.len()];
    for (line, owners) in lines.iter().zip(owners) {
        for at in owners {
            let text = line.text.trim().to_owned();
            found[at].push(SentenceLine { document: line.document, line: line.number, text });
        }
    }
    found
}

/// A line of a document, and the section it stands in.
struct PlacedLine<'a> {
    document: usize,
    number: usize,
    section: usize,
    text: &'a str,
    plain: String,
}

fn lines_of(documents: &[SpecFile]) -> Vec<PlacedLine<'_>> {
    let mut lines = Vec::new();
    let mut section = 0;
    for (document, file) in documents.iter().enumerate() {
        section += 1;
        for (number, text) in (1..).zip(file.text.lines()) {
            section += usize::from(text.starts_with('#'));
            let plain = spoken(text);
            if !plain.is_empty() {
                lines.push(PlacedLine { document, number, section, text, plain });
            }
        }
    }
    lines
}

/// What a task says, for looking lines up in it.
struct TaskWords {
    whole: HashSet<String>,
    criteria: Vec<String>,
    all: String,
    paths: Vec<String>,
    /// What its title names: `post /notes` of `Add POST /notes`.
    subject: String,
}

impl TaskWords {
    fn of(task: &Task) -> Self {
        let prose = [&task.objective, &task.description, &task.notes];
        let lists = task.risks.iter().chain(&task.done_when).chain(task.changes.values());
        let code = task.contract.iter().map(|block| &block.code);
        let sections = task.sections.iter().map(|section| &section.body);
        let texts = prose.into_iter().chain(lists).chain(code).chain(sections);
        let mut whole: HashSet<String> = texts.flat_map(|text| text.lines()).map(spoken).collect();
        let criteria: Vec<String> = task.criteria.iter().map(|c| spoken(&c.text)).collect();
        whole.extend(criteria.iter().cloned());
        whole.remove("");
        let all = whole.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        let title = spoken(&task.title);
        let subject = title.split_once(' ').map(|(_, rest)| rest.to_owned());
        let subject = subject.filter(|subject| subject.contains(' ')).unwrap_or_default();
        Self { whole, criteria, all, paths: task.owned().map(str::to_owned).collect(), subject }
    }

    fn has(&self, text: &str, plain: &str) -> bool {
        let words = plain.split(' ').count();
        let drawn = drawn_name(text);
        let is_drawn = |path: &String| {
            drawn.is_some_and(|name| {
                path.strip_suffix(name).is_some_and(|head| head.is_empty() || head.ends_with('/'))
            })
        };
        let names = |path: &String| text.contains(path.as_str()) || is_drawn(path);
        let states = |criterion: &String| !criterion.is_empty() && plain.contains(criterion.as_str());
        self.whole.contains(plain)
            || self.criteria.iter().any(states)
            || self.paths.iter().any(names)
            || (!self.subject.is_empty() && plain.contains(&self.subject))
            || (words >= WORDS && self.all.contains(plain))
    }
}
