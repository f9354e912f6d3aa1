//! Plan → `tasks.md`: the lines it came from with their check boxes set, or a new list.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::line::{self, TaskLine};
use super::{COMMENT, DIALECT, FILE, PLAN_COMMENT};
use crate::markdown::{BodyBlock, TextSlice, blocks};
use crate::memory::{self, Origin};
use crate::remainder::{self, Remainders};
use crate::states::meaning;
use crate::{StateOf, TextFile};
use windlass_core::plan::{Plan, Task};
use windlass_core::state::TaskState;

/// Writes a task list.
pub(super) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let order = order(plan);
    let writer = ListWriter { plan, states, ids: ids(plan, &order), order: &order };
    remainder::complete(DIALECT, plan, &order, &|rests| {
        let text = match memory::origin(plan, DIALECT) {
            Origin::Own => writer.updated(rests),
            Origin::Foreign => writer.fresh(rests),
        };
        let path = memory::noted_or(&plan.extra, DIALECT, "path", FILE);
        vec![TextFile { path, bytes: text.into_bytes() }]
    })
}

/// Tasks by phase, in the order of the plan.
fn order(plan: &Plan) -> Vec<usize> {
    let mut phases: Vec<Option<&str>> = Vec::new();
    for task in &plan.tasks {
        if !phases.contains(&task.phase.as_deref()) {
            phases.push(task.phase.as_deref());
        }
    }
    let of = |phase: Option<&str>| -> Vec<usize> {
        (0..plan.tasks.len()).filter(|i| plan.tasks[*i].phase.as_deref() == phase).collect()
    };
    match memory::origin(plan, DIALECT) {
        Origin::Own => (0..plan.tasks.len()).collect(),
        Origin::Foreign => phases.into_iter().flat_map(of).collect(),
    }
}

/// The ids of the file: the plan's own if they all have the form, else numbers in order.
fn ids(plan: &Plan, order: &[usize]) -> Vec<String> {
    let own = memory::origin(plan, DIALECT) == Origin::Own;
    let mut ids: Vec<String> = plan.tasks.iter().map(|t| t.id.clone()).collect();
    if !own && !ids.iter().all(|id| line::is_id(id)) {
        for (n, i) in order.iter().enumerate() {
            ids[*i] = format!("T{:03}", n + 1);
        }
    }
    ids
}

struct ListWriter<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    ids: Vec<String>,
    order: &'p [usize],
}

impl ListWriter<'_> {
    /// The original text with today's marks; lines of tasks that are gone go, new ones are added to their phase.
    fn updated(&self, rests: &Remainders) -> String {
        let text = memory::noted_text(&self.plan.extra, DIALECT, "text");
        let mut tasks: HashMap<&str, Vec<usize>> = HashMap::new();
        for i in (0..self.plan.tasks.len()).rev() {
            tasks.entry(self.plan.tasks[i].id.as_str()).or_default().push(i);
        }
        let mut lines: Vec<String> = Vec::new();
        let mut ends: HashMap<Option<String>, usize> = HashMap::new();
        let mut phase = None;
        for block in blocks(&TextSlice { at: 0, text }) {
            match block {
                BodyBlock::Code(code) => lines.push(code.raw.to_owned()),
                BodyBlock::Text(said) => match TaskLine::parse(said.text) {
                    None => {
                        if let Some(heading) = said.text.strip_prefix("## ") {
                            phase = Some(heading.trim().to_owned());
                        }
                        lines.push(said.text.to_owned());
                    }
                    Some(task) => {
                        if let Some(i) = tasks.get_mut(task.id).and_then(Vec::pop) {
                            lines.push(self.line(i, Some((said.text, &task))));
                            lines.extend(comment(rests.task(i)));
                            ends.insert(phase.clone(), lines.len());
                        }
                    }
                },
            }
        }
        let mut new: Vec<usize> = tasks.into_values().flatten().collect();
        new.sort_unstable();
        for i in new.into_iter().rev() {
            let at = ends.get(&self.plan.tasks[i].phase).copied().unwrap_or(lines.len());
            let line = self.line(i, None);
            lines.splice(at..at, std::iter::once(line).chain(comment(rests.task(i))));
        }
        finish(&lines, text, rests)
    }

    fn line(&self, index: usize, original: Option<(&str, &TaskLine<'_>)>) -> String {
        let task = &self.plan.tasks[index];
        let parallel = memory::noted(&task.extra, DIALECT, "parallel").is_some();
        let Some((line, said)) = original else {
            let mark = self.mark(task, ' ');
            return line::render(
                mark,
                &self.ids[index],
                parallel,
                &task.traces_to.stories,
                &one_line(&task.title),
            );
        };
        let mark = self.mark(task, said.mark);
        let same = said.text == task.title
            && said.stories.iter().copied().eq(task.traces_to.stories.iter().map(String::as_str))
            && said.parallel == parallel;
        if !same {
            return line::render(mark, said.id, parallel, &task.traces_to.stories, &one_line(&task.title));
        }
        let behind = &line[said.mark_at + said.mark.len_utf8()..];
        format!("{}{mark}{behind}", &line[..said.mark_at])
    }

    /// The character in the check box.
    fn mark(&self, task: &Task, was: char) -> char {
        let done = |state| state == TaskState::Completed;
        let known = (self.states)(&task.id);
        let claimed = || task.claimed_state.as_deref().and_then(meaning);
        match (known, was) {
            (Some(state), ' ') => {
                if done(state) {
                    'x'
                } else {
                    ' '
                }
            }
            (Some(state), was) => {
                if done(state) {
                    was
                } else {
                    ' '
                }
            }
            (None, ' ') => {
                if claimed().is_some_and(done) {
                    'x'
                } else {
                    ' '
                }
            }
            (None, was) => was,
        }
    }

    fn fresh(&self, rests: &Remainders) -> String {
        let title = self.plan.title.as_ref().unwrap_or(&self.plan.name);
        let mut lines = vec![format!("# Tasks: {}", one_line(title))];
        let mut phase: Option<Option<&str>> = None;
        for &i in self.order {
            let task = &self.plan.tasks[i];
            if phase != Some(task.phase.as_deref()) {
                phase = Some(task.phase.as_deref());
                let name = task.phase.as_ref().map_or_else(|| "Tasks".to_owned(), |p| one_line(p));
                lines.extend([String::new(), format!("## {name}"), String::new()]);
            }
            lines.push(self.fresh_line(i));
            lines.extend(comment(rests.task(i)));
        }
        finish(&lines, "\n", rests)
    }

    fn fresh_line(&self, index: usize) -> String {
        let task = &self.plan.tasks[index];
        let in_phase = |d: &String| self.plan.tasks.iter().any(|t| t.id == *d && t.phase == task.phase);
        let parallel = !task.depends_on.iter().any(in_phase);
        let mut text = one_line(&task.title);
        if let Some(path) = task.files.create.iter().chain(&task.files.modify).next()
            && !text.contains(path.as_str())
        {
            let _ = write!(text, " in {path}");
        }
        line::render(self.mark(task, ' '), &self.ids[index], parallel, &task.traces_to.stories, &text)
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn comment(rest: Option<&Value>) -> Option<String> {
    rest.map(|rest| format!("  {COMMENT}{} -->", inside_comment(rest)))
}

/// JSON that does not contain the end of a comment.
fn inside_comment(rest: &Value) -> String {
    rest.to_string().replace("--", "-\\u002d")
}

fn finish(lines: &[String], original: &str, rests: &Remainders) -> String {
    let end = if original.contains("\r\n") { "\r\n" } else { "\n" };
    let mut text = lines.join(end);
    if original.ends_with('\n') {
        text.push_str(end);
    }
    if let Some(rest) = rests.plan() {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let _ = writeln!(text, "{PLAN_COMMENT}{} -->", inside_comment(rest));
    }
    text
}
