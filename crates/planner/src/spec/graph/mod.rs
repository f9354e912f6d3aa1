//! Orders drawn or written in the documents: mermaid, arrows in text, lists of levels, sentences.

mod drawing;
mod levels;
mod mermaid;

use super::ids;
use super::markdown::{Block, Code, Words};
use super::model::{StatedEdge, StatedTask};
use super::reading::Reading;
use windlass_core::diagnostic::Span;

/// Reads every order between the tasks that are known by now.
pub(super) fn read(reading: &mut Reading<'_>) {
    let mut names = Names::of(reading);
    if names.known.is_empty() {
        return;
    }
    for (at, placed) in reading.blocks() {
        let edges = match &placed.block {
            Block::Code(code) => drawn(code, &mut names),
            Block::Paragraph(words) => sentences(words, &names),
            Block::Item(item) => sentences(&item.words, &names),
            Block::Table(_) => Vec::new(),
        };
        if let Some(words) = Reading::words(placed) {
            free_line(&words.plain(), &mut names);
        }
        if edges.is_empty() {
            continue;
        }
        reading.using(at);
        let span = reading.span(&placed.at);
        note_tasks(reading, &names, span);
        for (before, after) in edges {
            reading.spec.edges.push(StatedEdge { before, after, span });
        }
    }
    reading.spec.free.append(&mut names.free);
}

/// `T-005 has no dependencies`.
fn free_line(line: &str, names: &mut Names) {
    let lower = line.to_ascii_lowercase();
    if lower.contains("no dependenc") || lower.contains("standalone") {
        let ids: Vec<String> =
            ids::task_ids(line).into_iter().filter_map(|w| ids::resolve(w, &names.known).cloned()).collect();
        for id in &ids {
            names.set_free(id);
        }
    }
}

/// An order: first before second.
type Edge = (String, String);

/// The tasks' ids, and titles found on the way.
pub(super) struct Names {
    known: Vec<String>,
    shapes: Vec<(String, usize)>,
    titles: Vec<(String, String)>,
    /// Tasks that are said to wait for nothing.
    free: Vec<String>,
}

impl Names {
    fn of(reading: &Reading<'_>) -> Names {
        let mut known: Vec<String> = reading.spec.tasks.iter().map(|t| t.id.clone()).collect();
        for id in reading.spec.files.iter().flat_map(|f| &f.tasks) {
            if !known.contains(id) {
                known.push(id.clone());
            }
        }
        let mut shapes: Vec<(String, usize)> = known.iter().map(|k| ids::shape(k)).collect();
        shapes.dedup();
        Names { known, shapes, titles: Vec::new(), free: Vec::new() }
    }

    /// The id a word stands for: a known one, its short form, or one of the same shape.
    fn id(&mut self, word: &str) -> Option<String> {
        if let Some(known) = ids::resolve(word, &self.known) {
            return Some(known.clone());
        }
        let alike = ids::is_task_id(word) && word.contains('-') && self.shapes.contains(&ids::shape(word));
        alike.then(|| {
            self.known.push(word.to_owned());
            word.to_owned()
        })
    }

    /// Every id in a piece of text.
    fn ids(&mut self, text: &str) -> Vec<String> {
        let words: Vec<&str> = ids::task_ids(text);
        let mut found: Vec<String> = Vec::new();
        for id in words.into_iter().filter_map(|w| self.id(w)) {
            if !found.contains(&id) {
                found.push(id);
            }
        }
        found
    }

    fn set_free(&mut self, id: &str) {
        if !self.free.iter().any(|f| f == id) {
            self.free.push(id.to_owned());
        }
    }

    fn title(&mut self, id: &str, title: &str) {
        let title = title.trim().trim_matches(['"', '(', ')', ':', ' ', '-', '—']);
        let known = self.titles.iter().any(|(k, _)| k == id);
        if !title.is_empty() && !known && title.chars().any(char::is_alphabetic) {
            self.titles.push((id.to_owned(), title.to_owned()));
        }
    }
}

/// Gives tasks the titles a drawing has for them; a task that only a drawing knows is noted.
fn note_tasks(reading: &mut Reading<'_>, names: &Names, span: Span) {
    for (id, title) in &names.titles {
        match reading.spec.tasks.iter_mut().find(|t| t.id == *id) {
            Some(task) if task.title.is_empty() => task.title.clone_from(title),
            Some(_) => {}
            None => reading.spec.tasks.push(StatedTask {
                id: id.clone(),
                title: title.clone(),
                text: String::new(),
                level: None,
                phase: None,
                span,
            }),
        }
    }
}

fn drawn(code: &Code, names: &mut Names) -> Vec<Edge> {
    let first = code.text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    let is_mermaid = code.info.trim().starts_with("mermaid")
        || first.starts_with("graph ")
        || first.starts_with("flowchart ");
    if is_mermaid {
        return mermaid::edges(&code.text, names);
    }
    if !code.info.trim().is_empty() && !matches!(code.info.trim(), "text" | "txt" | "ascii" | "plain") {
        return Vec::new();
    }
    code.text.lines().for_each(|line| free_line(line, names));
    let mut edges = drawing::edges(&code.text, names);
    edges.extend(levels::edges(&code.text, names, &edges));
    edges.sort();
    edges.dedup();
    edges
}

/// `TASK-002 depends on TASK-001 and TASK-000`, `TASK-003 (needs TASK-001 + TASK-002 …)`.
fn sentences(words: &Words, names: &Names) -> Vec<Edge> {
    let text = words.plain();
    let lower = text.to_ascii_lowercase();
    let phrases = ["depends on", "depend on", "blocked by", "requires", "must run after", "needs"];
    let Some((at, phrase)) = phrases.iter().find_map(|p| lower.find(p).map(|at| (at, p))) else {
        return Vec::new();
    };
    let known = |part: &str| -> Vec<String> {
        let resolved = ids::task_ids(part).into_iter().filter_map(|w| ids::resolve(w, &names.known).cloned());
        resolved.collect()
    };
    let end = text[at..].find(['.', ';']).map_or(text.len(), |i| at + i);
    let (before, after) = (known(&text[at + phrase.len()..end]), known(&text[..at]));
    let pairs = before.iter().flat_map(|b| after.iter().map(move |a| (b.clone(), a.clone())));
    pairs.filter(|(b, a)| b != a).collect()
}
