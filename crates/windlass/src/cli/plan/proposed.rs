//! Marks what an agent added to a plan and no document says.

use serde_json::Value;
use windlass_core::plan::{Plan, Task};
use windlass_planner::asked::PROPOSED;
use windlass_planner::living::{plain_text, source_lines};
use windlass_planner::spec::SpecFile;

/// What a task that no document asks for is called among its own proposals.
const WHOLE_TASK: &str = "the task";

/// Marks the additions of every task. Returns how many tasks have some.
pub(super) fn mark_proposed(plan: &mut Plan, draft: &Plan, documents: &[SpecFile]) -> usize {
    let said: Vec<String> = documents.iter().map(|d| plain_text(&d.text)).collect();
    let lines = source_lines(&plan.tasks, documents);
    let known = |text: &str| {
        let plain = plain_text(text);
        said.iter().any(|document| document.contains(&plain))
    };
    let mut marked = 0;
    for (task, lines) in plan.tasks.iter_mut().zip(&lines) {
        let proposals = additions(task, draft, lines.is_empty(), &known);
        if proposals.is_empty() {
            continue;
        }
        marked += 1;
        task.extra.insert(PROPOSED.to_owned(), proposals.into_iter().map(Value::String).collect());
    }
    marked
}

/// What a task has that neither the draft nor a document has.
fn additions(task: &Task, draft: &Plan, unsaid: bool, known: &dyn Fn(&str) -> bool) -> Vec<String> {
    let drafted = |path: &str| draft.tasks.iter().any(|t| t.owned().any(|own| own == path));
    let stated =
        |id: &str| draft.tasks.iter().flat_map(|t| &t.criteria).chain(&draft.criteria).any(|c| c.id == id);
    let mut all = Vec::new();
    if draft.task(&task.id).is_none() && unsaid && task.sub_plan.is_none() {
        all.push(WHOLE_TASK.to_owned());
    }
    for criterion in task.criteria.iter().filter(|c| !stated(&c.id) && !known(&c.text)) {
        all.push(if criterion.id.is_empty() { criterion.text.clone() } else { criterion.id.clone() });
    }
    all.extend(task.owned().filter(|path| !drafted(path) && !known(path)).map(str::to_owned));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_core::plan::Criterion;

    #[test]
    fn only_what_no_document_says_is_proposed() {
        let criterion =
            |id: &str, text: &str| Criterion { id: id.into(), text: text.into(), ..Criterion::default() };
        let mut stated =
            Task { id: "T1".into(), criteria: vec![criterion("AC-1", "It adds")], ..Task::default() };
        let draft = Plan { tasks: vec![stated.clone()], ..Plan::default() };
        stated.files.create = vec!["src/add.py".into(), "src/log.py".into()];
        stated.criteria.push(criterion("AC-2", "It is fast"));
        let own = Task { id: "T2".into(), title: "Telemetry".into(), ..Task::default() };
        let mut plan = Plan { tasks: vec![stated, own], ..Plan::default() };
        let text = "# Sums\n\n- It adds\n\nThe code is in `src/add.py`.\n".to_owned();
        let documents = [SpecFile { path: "spec.md".into(), text }];
        assert_eq!(mark_proposed(&mut plan, &draft, &documents), 2);
        let marks: Vec<String> = plan.tasks.iter().map(|t| t.extra[PROPOSED].to_string()).collect();
        assert_eq!(marks, [r#"["AC-2","src/log.py"]"#, r#"["the task"]"#]);
    }
}
