//! What was asked beside what will be done: lines of the documents with the tasks that serve them.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use crate::plan::{Plan, Task};
use crate::state::TaskState;
use crate::view::View;

/// Of a longer document only the beginning is shown.
const LINES: usize = 5_000;
/// A criterion shorter than this may stand anywhere by accident; only its id counts.
const TELLING: usize = 12;

/// What was asked beside what will be done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewDoc {
    /// `windlass.review/1`.
    pub schema: &'static str,
    /// The plan's name.
    pub plan: String,
    /// The documents it was made from.
    pub documents: Vec<SpecDoc>,
    /// The tasks, parents left out.
    pub tasks: Vec<ReviewTask>,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpecDoc {
    /// Its path.
    pub path: String,
    /// Whether it could be read.
    pub found: bool,
    /// Its lines.
    pub lines: Vec<ReviewLine>,
}

/// A line of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewLine {
    /// The line as it is written.
    pub text: String,
    /// The tasks that serve it, as places in the list of tasks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<usize>,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewTask {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is to achieve.
    pub objective: String,
    /// Its criteria: id and text.
    pub criteria: Vec<(String, String)>,
    /// The stories, criteria and decisions it traces to.
    pub traces: Vec<String>,
    /// The files it owns.
    pub files: Vec<String>,
    /// Its state, if it was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<TaskState>,
    /// Whether a line of a document was found for it.
    pub placed: bool,
}

/// Finds the lines that each task serves: those that name what it traces to, and those that state one of its criteria.
pub fn review(plan: &Plan, view: &View, documents: &[(String, Option<String>)]) -> ReviewDoc {
    let parents: BTreeSet<&str> = plan.tasks.iter().filter_map(|t| t.parent.as_deref()).collect();
    let tasks: Vec<&Task> = plan.tasks.iter().filter(|t| !parents.contains(t.id.as_str())).collect();
    let keys = ReviewKeys::of(&tasks);
    let mut placed = vec![false; tasks.len()];
    let documents = documents
        .iter()
        .map(|(path, text)| SpecDoc {
            path: path.clone(),
            found: text.is_some(),
            lines: lines(text.as_deref().unwrap_or_default(), &keys, &mut placed),
        })
        .collect();
    let shown = tasks.iter().zip(placed).map(|(task, placed)| ReviewTask {
        id: task.id.clone(),
        title: task.headline().to_owned(),
        objective: task.objective.clone(),
        criteria: task.criteria.iter().map(|c| (c.id.clone(), c.text.clone())).collect(),
        traces: traces(task).cloned().collect(),
        files: task.owned().map(str::to_owned).collect(),
        state: view.task(&task.id).map(|t| t.state),
        placed,
    });
    ReviewDoc { schema: "windlass.review/1", plan: plan.name.clone(), documents, tasks: shown.collect() }
}

fn traces(task: &Task) -> impl Iterator<Item = &String> {
    let traces = &task.traces_to;
    traces.stories.iter().chain(&traces.criteria).chain(&traces.decisions)
}

/// What of a line tells that it is about a task.
struct ReviewKeys {
    words: HashMap<String, Vec<usize>>,
    texts: Vec<(String, usize)>,
}

impl ReviewKeys {
    fn of(tasks: &[&Task]) -> Self {
        let mut keys = Self { words: HashMap::new(), texts: Vec::new() };
        for (at, task) in tasks.iter().enumerate() {
            let ids = task.criteria.iter().map(|c| &c.id).filter(|id| !id.starts_with('#'));
            for word in traces(task).chain(ids) {
                let places = keys.words.entry(word.to_lowercase()).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
            let texts = task.criteria.iter().map(|c| plain(&c.text)).filter(|text| text.len() >= TELLING);
            keys.texts.extend(texts.map(|text| (text, at)));
        }
        keys
    }

    fn of_line(&self, line: &str) -> Vec<usize> {
        let low = line.to_lowercase();
        let words = low.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-'));
        let words = words.map(|word| word.trim_matches(['.', '-', '_']));
        let named = words.filter_map(|word| self.words.get(word)).flatten().copied();
        let plain = plain(line);
        let stated = self.texts.iter().filter(|(text, _)| plain.contains(text.as_str())).map(|(_, at)| *at);
        let found: BTreeSet<usize> = named.chain(stated).collect();
        found.into_iter().collect()
    }
}

fn lines(text: &str, keys: &ReviewKeys, placed: &mut [bool]) -> Vec<ReviewLine> {
    let line = |text: &str| {
        let tasks = keys.of_line(text);
        for at in &tasks {
            placed[*at] = true;
        }
        ReviewLine { text: text.to_owned(), tasks }
    };
    text.lines().take(LINES).map(line).collect()
}

/// Words without marks of Markdown and without their case.
fn plain(text: &str) -> String {
    let kept = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect::<String>();
    kept.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
