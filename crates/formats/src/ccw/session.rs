//! `cli_execution`: the session of a task's agent and how it begins. A plan without sessions gets them from its order.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::json::{Fit, JsonKind, JsonNode, ValueReader};
use windlass_core::plan::{Plan, Session, Strategy, Task};

const STRATEGIES: [(&str, Strategy); 4] = [
    ("new", Strategy::New),
    ("resume", Strategy::Resume),
    ("fork", Strategy::Fork),
    ("merge_fork", Strategy::MergeFork),
];

/// Reads the object; the sessions it continues are in `resume_from` or in `merge_from`.
pub(super) fn read(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    if !node.is_object() {
        return f.misfit(node, "an object with an id and a strategy");
    }
    let mut session = t.session.take().unwrap_or_default();
    for m in node.members() {
        match m.key.as_ref() {
            "id" => {
                f.maybe(&m.value, &mut session.id);
            }
            "strategy" => {
                f.choice(&m.value, &STRATEGIES, &mut session.strategy);
            }
            "resume_from" | "merge_from" => from(f, &m.value, &mut session.from),
            _ => {}
        }
    }
    let fit = if node.is_written_as(&value(&session)) { Fit::Exact } else { Fit::Odd };
    t.session = Some(session);
    fit
}

fn from(f: &mut ValueReader<'_>, node: &JsonNode<'_>, slot: &mut Vec<String>) {
    let mut ids = Vec::new();
    match &node.kind {
        JsonKind::Text(id) => ids.push(id.to_string()),
        JsonKind::Null => {}
        _ => {
            f.texts(node, &mut ids);
        }
    }
    for id in ids {
        if !slot.contains(&id) {
            slot.push(id);
        }
    }
}

/// The session of a task; nothing if it has none of the object's keys.
pub(super) fn task_value(t: &Task) -> Value {
    t.session.as_ref().map_or_else(|| json!({}), value)
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
    match &session.from[..] {
        [] => {}
        [only] => value["resume_from"] = only.clone().into(),
        // Some tools read the list under one key, some under the other.
        several => (value["resume_from"], value["merge_from"]) = (json!(several), json!(several)),
    }
    value
}

/// Sessions for tasks that have none: ids from the session and the task, strategies from the dependencies.
pub(super) struct ImpliedSessions<'p> {
    plan: &'p Plan,
    session: &'p str,
    ids: &'p [String],
    at: HashMap<&'p str, usize>,
    followers: HashMap<&'p str, usize>,
}

impl<'p> ImpliedSessions<'p> {
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

    /// The session of a task: what it states, and the rest from its dependencies.
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
