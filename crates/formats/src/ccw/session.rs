//! `cli_execution`: which session a task's agent has and how it begins. Where a plan says nothing, the graph does.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::super::json::{Fields, Fit, Kind, Node};
use windlass_core::plan::{Plan, Session, Strategy, Task};

/// Reads the object; the sessions it begins from may stand in `resume_from` or in `merge_from`.
pub(super) fn read(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("session");
    if !node.is_object() {
        return f.misfit(node, "an object with an id and a strategy");
    }
    let mut session = t.session.take().unwrap_or_default();
    for m in node.members() {
        match m.key.as_ref() {
            "id" => {
                f.maybe("session.id", &m.value, &mut session.id);
            }
            "strategy" => session.strategy = strategy(f, &m.value),
            "resume_from" | "merge_from" => from(f, &m.value, &mut session.from),
            _ => {}
        }
    }
    f.field("session");
    let fit = if value(&session) == node.to_value() { Fit::Exact } else { Fit::Odd };
    t.session = Some(session);
    fit
}

fn strategy(f: &mut Fields<'_>, node: &Node<'_>) -> Option<Strategy> {
    match node.text() {
        Some("new") => Some(Strategy::New),
        Some("resume") => Some(Strategy::Resume),
        Some("fork") => Some(Strategy::Fork),
        Some("merge_fork") => Some(Strategy::MergeFork),
        Some(other) => {
            f.unknown_word(node, other, "new, resume, fork, merge_fork");
            None
        }
        None => {
            f.misfit(node, "a string");
            None
        }
    }
}

fn from(f: &mut Fields<'_>, node: &Node<'_>, slot: &mut Vec<String>) {
    let mut ids = Vec::new();
    match &node.kind {
        Kind::Text(id) => ids.push(id.to_string()),
        Kind::Null => {}
        _ => {
            f.texts("session.from", node, &mut ids);
        }
    }
    for id in ids {
        if !slot.contains(&id) {
            slot.push(id);
        }
    }
}

/// The object as it is usually written.
pub(super) fn value(session: &Session) -> Value {
    let mut value = json!({});
    if let Some(id) = &session.id {
        value["id"] = id.clone().into();
    }
    if let Some(strategy) = session.strategy {
        value["strategy"] = json!(strategy);
    }
    if let Some(first) = session.from.first() {
        value["resume_from"] = first.clone().into();
    }
    if session.from.len() > 1 {
        value["merge_from"] = json!(session.from);
    }
    value
}

/// Sessions for tasks that have none: ids from the session and the task, strategies from who waits for whom.
pub(super) struct Implied<'p> {
    plan: &'p Plan,
    session: &'p str,
    ids: &'p [String],
    at: HashMap<&'p str, usize>,
    followers: HashMap<&'p str, usize>,
}

impl<'p> Implied<'p> {
    pub(super) fn new(plan: &'p Plan, session: &'p str, ids: &'p [String]) -> Self {
        let at = plan.tasks.iter().enumerate().map(|(i, t)| (t.id.as_str(), i)).collect();
        let mut followers: HashMap<&str, usize> = HashMap::new();
        for dependency in plan.tasks.iter().flat_map(|t| &t.depends_on) {
            *followers.entry(dependency).or_default() += 1;
        }
        Self { plan, session, ids, at, followers }
    }

    fn id(&self, index: usize) -> String {
        let own = self.plan.tasks[index].session.as_ref().and_then(|s| s.id.clone());
        own.unwrap_or_else(|| format!("{}-{}", self.session, self.ids[index]))
    }

    /// The session of a task: what it says, and for the rest what follows.
    pub(super) fn session(&self, index: usize) -> Session {
        let task = &self.plan.tasks[index];
        let said = task.session.clone().unwrap_or_default();
        let parents: Vec<usize> =
            task.depends_on.iter().filter_map(|d| self.at.get(d.as_str())).copied().collect();
        let strategy = match &parents[..] {
            [] => Strategy::New,
            [only] if self.followers.get(self.plan.tasks[*only].id.as_str()) == Some(&1) => Strategy::Resume,
            [_] => Strategy::Fork,
            _ => Strategy::MergeFork,
        };
        let from = parents.into_iter().map(|p| self.id(p)).collect();
        let keep = said.strategy.is_some() || !said.from.is_empty();
        Session {
            id: Some(self.id(index)),
            strategy: if keep { said.strategy } else { Some(strategy) },
            from: if keep { said.from } else { from },
            enable_resume: said.enable_resume,
        }
    }
}
