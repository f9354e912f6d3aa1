//! Dependencies on tasks that are not in the plan, where the task quotes their interfaces: they were merged earlier, or
//! belong to another plan, and what they made is in the repository.

use std::borrow::Cow;
use std::collections::HashSet;

use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::plan::{Plan, Task};

/// The code of these findings: a value was assumed.
const ASSUMED: &str = "WL0007";

/// Leaves such dependencies out, and says so.
pub(super) fn leave_out(plan: &mut Cow<'_, Plan>) -> Vec<Diagnostic> {
    let ids: HashSet<&str> = plan.tasks.iter().map(|t| t.id.as_str()).collect();
    let quoted = |task: &Task, id: &String| task.interfaces.iter().any(|i| i.source.as_ref() == Some(id));
    let earlier = |task: &Task| -> Vec<String> {
        let gone = task.depends_on.iter().filter(|id| !ids.contains(id.as_str()) && quoted(task, id));
        gone.cloned().collect()
    };
    let found: Vec<(usize, Vec<String>)> = plan.tasks.iter().map(earlier).enumerate().collect();
    let mut findings = Vec::new();
    for (at, gone) in found.into_iter().filter(|(_, gone)| !gone.is_empty()) {
        let task = &mut plan.to_mut().tasks[at];
        task.depends_on.retain(|id| !gone.contains(id));
        let named: Vec<String> = gone.iter().map(|id| format!("`{id}`")).collect();
        let message = format!(
            "{} is not in the plan; its interface is quoted, so it is taken as merged",
            named.join(", ")
        );
        let finding = Diagnostic::new(ASSUMED, Severity::Note, message).with_task(task.id.clone());
        findings.push(finding.at(task.span("depends_on")));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_core::plan::Interface;

    #[test]
    fn only_quoted_tasks_are_taken_as_merged() {
        let interface = Interface { source: Some("TASK-031".into()), ..Interface::default() };
        let task = Task {
            id: "TASK-042".into(),
            depends_on: vec!["TASK-031".into(), "TASK-040".into()],
            interfaces: vec![interface],
            ..Task::default()
        };
        let mut plan = Cow::Owned(Plan { tasks: vec![task], ..Plan::default() });
        let findings = leave_out(&mut plan);
        assert_eq!(plan.tasks[0].depends_on, ["TASK-040"]);
        assert_eq!(findings.len(), 1);
    }
}
