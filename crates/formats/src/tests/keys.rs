//! Checks the tables of keys: each key is read into its field, written from it, and kept as it was written.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::fixtures::input;
use crate::{Dialect, read, write};
use windlass_core::plan::{Loaded, Plan};

/// A plan file with one task, in which `MEMBERS` stands for members of the task.
pub(crate) struct Template {
    pub(crate) dialect: Dialect,
    pub(crate) path: &'static str,
    pub(crate) text: &'static str,
    /// The way to the task in the written file.
    pub(crate) task: &'static str,
}

impl Template {
    /// Reads the file with these members.
    pub(crate) fn read(&self, members: &str) -> Loaded {
        let separator = if members.is_empty() { "" } else { ", " };
        let text = self.text.replace("MEMBERS", &format!("{separator}{members}"));
        read(self.dialect, &input(&[(self.path, &text)]))
    }

    /// The task's object in the file that is written for a plan.
    fn written(&self, plan: &Plan) -> Map<String, Value> {
        for file in write(self.dialect, plan, &|_| None) {
            if let Ok(value) = serde_json::from_slice::<Value>(&file.bytes)
                && let Some(Value::Object(task)) = value.pointer(self.task)
            {
                return task.clone();
            }
        }
        panic!("{}: no task at {}", self.dialect, self.task)
    }

    /// Checks rows of (members, field, the field's value). `field` has dots, as in the JSON form of a plan.
    pub(crate) fn check(&self, rows: &[(&str, &str, Value)]) {
        for (members, field, expected) in rows {
            let loaded = self.read(members);
            let pointer = format!("/{}", field.replace('.', "/"));
            let task = serde_json::to_value(&loaded.plan.tasks[0]).unwrap();
            assert_eq!(task.pointer(&pointer), Some(expected), "{}: {members} is read", self.dialect);
            let original: Map<String, Value> = serde_json::from_str(&format!("{{{members}}}")).unwrap();
            let echo = self.written(&loaded.plan);
            for (key, value) in &original {
                assert_eq!(echo.get(key), Some(value), "{}: {members} is written back", self.dialect);
            }
            let order: Vec<&String> = echo.keys().filter(|key| original.contains_key(*key)).collect();
            assert_eq!(
                order,
                original.keys().collect::<Vec<_>>(),
                "{}: {members} keeps its order",
                self.dialect
            );
        }
    }

    /// Checks that each value comes back from a plan that knows nothing of the file: rows of (members, written members).
    pub(crate) fn check_new(&self, rows: &[(&str, &str)]) {
        for (members, expected) in rows {
            let mut plan = self.read(members).plan;
            plan.extra.clear();
            plan.tasks.iter_mut().for_each(|t| t.extra.clear());
            let written = self.written(&plan);
            let expected: Map<String, Value> = serde_json::from_str(&format!("{{{expected}}}")).unwrap();
            for (key, value) in &expected {
                assert_eq!(written.get(key), Some(value), "{}: {members} is written anew", self.dialect);
            }
        }
    }

    /// The findings for each of these members, for a snapshot. The plan must come back with its task and its members.
    pub(crate) fn findings(&self, rows: &[&str]) -> String {
        let mut text = String::new();
        for members in rows {
            let loaded = self.read(members);
            assert_eq!(loaded.plan.tasks.len(), 1, "{members}");
            let _ = writeln!(text, "{members}");
            for d in &loaded.diagnostics {
                let at = d.span.map(|s| loaded.sources.position(s).column);
                let at = at.map_or_else(String::new, |c| format!(" at {c}"));
                let _ = writeln!(text, "  {:?} {}{at}: {}", d.severity, d.code, d.message);
            }
            if let Ok(original) = serde_json::from_str::<Map<String, Value>>(&format!("{{{members}}}")) {
                let echo = self.written(&loaded.plan);
                for (key, value) in &original {
                    assert_eq!(echo.get(key), Some(value), "{}: {members} is kept", self.dialect);
                }
            }
        }
        text
    }
}
