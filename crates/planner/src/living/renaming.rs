//! Gives the tasks, criteria and assumed files of a derivation the names that the plan has for them.

use std::collections::BTreeMap;
use windlass_core::path_text::name_stem;

use serde_json::Value;
use windlass_core::plan::{Plan, Task};

/// New names by the old ones, for one plan.
#[derive(Debug, Default)]
pub(super) struct Renaming {
    pub(super) tasks: BTreeMap<String, String>,
    pub(super) criteria: BTreeMap<String, String>,
    /// Stories that the documents give no id.
    pub(super) stories: BTreeMap<String, String>,
    /// Files that derivation had to invent a name for.
    pub(super) paths: BTreeMap<String, String>,
}

impl Renaming {
    /// The plan with the new names, in every field that names something.
    pub(super) fn apply(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        for criterion in &mut plan.criteria {
            rename(&self.criteria, &mut criterion.id);
        }
        for task in &mut plan.tasks {
            *task = self.task(task);
        }
        plan
    }

    fn task(&self, task: &Task) -> Task {
        let mut task = task.clone();
        rename(&self.tasks, &mut task.id);
        for id in task.depends_on.iter_mut().chain(&mut task.parent).chain(&mut task.consumers) {
            rename(&self.tasks, id);
        }
        for criterion in &mut task.criteria {
            rename(&self.criteria, &mut criterion.id);
        }
        for id in &mut task.traces_to.criteria {
            rename(&self.criteria, id);
        }
        for id in &mut task.traces_to.stories {
            rename(&self.stories, id);
        }
        for source in task.interfaces.iter_mut().filter_map(|interface| interface.source.as_mut()) {
            rename(&self.tasks, source);
        }
        self.worded(task)
    }

    /// Names inside longer texts: titles of steps, commands, sketches.
    fn worded(&self, task: Task) -> Task {
        let words = self.words();
        if words.is_empty() && self.paths.is_empty() {
            return task;
        }
        let Ok(Value::Object(mut fields)) = serde_json::to_value(&task) else { return task };
        for name in [
            "steps",
            "verification",
            "test",
            "test_code",
            "tdd_cycles",
            "files",
            "changes",
            "lines",
            "contract",
        ] {
            if let Some(value) = fields.get_mut(name) {
                *value = self.in_value(std::mem::take(value), &words);
            }
        }
        serde_json::from_value(Value::Object(fields)).unwrap_or(task)
    }

    /// Ids that cannot be mistaken for a word, and the names of modules that assumed files have.
    fn words(&self) -> BTreeMap<&str, &str> {
        let plain = |id: &str| {
            id.len() > 2
                && id.contains(|c: char| c.is_ascii_digit())
                && id.contains(|c: char| c.is_ascii_alphabetic())
        };
        let ids = self.tasks.iter().chain(&self.criteria).filter(|(old, _)| plain(old));
        let ids = ids.map(|(old, new)| (old.as_str(), new.as_str()));
        let stems = self.paths.iter().map(|(old, new)| (name_stem(old), name_stem(new)));
        ids.chain(stems).filter(|(old, new)| old != new).collect()
    }

    fn in_value(&self, value: Value, words: &BTreeMap<&str, &str>) -> Value {
        match value {
            Value::String(text) => Value::String(in_text(&text, words)),
            Value::Array(items) => items.into_iter().map(|item| self.in_value(item, words)).collect(),
            Value::Object(map) => {
                let renamed = map.into_iter().map(|(key, value)| {
                    let key = self.paths.get(&key).cloned().unwrap_or(key);
                    (key, self.in_value(value, words))
                });
                Value::Object(renamed.collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }
}

/// The text with each word renamed.
fn in_text(text: &str, words: &BTreeMap<&str, &str>) -> String {
    let mut out = String::with_capacity(text.len());
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if is_word(first) {
            rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(end);
        out.push_str(words.get(word).copied().unwrap_or(word));
        rest = after;
    }
    out
}

fn rename(names: &BTreeMap<String, String>, id: &mut String) {
    if let Some(new) = names.get(id.as_str()) {
        id.clone_from(new);
    }
}
