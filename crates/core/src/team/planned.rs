//! A planner's answer: a plan found in what was said, laid over the draft, and held against it.
//!
//! A planner may improve a draft in every way but one: nothing the draft promises may get lost. What a task is checked by,
//! what the criteria say and which agent carries tasks out is not the planner's to change. Knows no rules of a profile.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::plan::{Mode, Plan, Task, infer_mode};

/// What a planner may answer with.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanAnswer {
    /// A plan, as it was said.
    Plan(Value),
    /// The draft is to stay as it is.
    Keep,
}

/// The plan in a text: the last object with `tasks`, perhaps inside `plan`, or a bare list of tasks. What stands around it
/// means nothing.
pub fn find_plan(text: &str) -> Result<PlanAnswer, String> {
    let mut found = None;
    let mut broken = None;
    let mut at = 0;
    while let Some(offset) = text[at..].find(['{', '[']) {
        let start = at + offset;
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset().max(1);
                found = plan_of(value).or(found);
            }
            Some(Err(error)) => {
                at = start + 1;
                let line = text[..start].matches('\n').count() + error.line();
                broken = broken.or_else(|| text[start..].contains("\"tasks\"").then_some((error, line)));
            }
            None => at = start + 1,
        }
    }
    found.ok_or_else(|| match broken {
        Some((error, line)) => format!("the plan is not valid JSON: {error} (line {line} of the answer)"),
        None => "no JSON object with `tasks` was found in the answer".to_owned(),
    })
}

/// What a value is, if it is an answer at all.
pub fn plan_of(value: Value) -> Option<PlanAnswer> {
    let is_task = |v: &Value| v.get("id").is_some_and(Value::is_string);
    match value {
        Value::Array(tasks) if !tasks.is_empty() && tasks.iter().all(is_task) => {
            let plan = Map::from_iter([("tasks".to_owned(), Value::Array(tasks))]);
            Some(PlanAnswer::Plan(Value::Object(plan)))
        }
        Value::Object(mut object) => {
            if object.get("tasks").is_some_and(Value::is_array) {
                return Some(PlanAnswer::Plan(Value::Object(object)));
            }
            if object.get("keep_draft") == Some(&Value::Bool(true)) {
                return Some(PlanAnswer::Keep);
            }
            object.remove("plan").and_then(plan_of)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}

/// What an answer says, laid over the draft: a task the draft has keeps every field the answer leaves out, `null` clears
/// one, and what is not the planner's stays the draft's. Everything that cannot be read is said at once.
pub fn overlay(draft: &Plan, answer: &Value) -> Result<Plan, Vec<String>> {
    let drafts: BTreeMap<&str, &Task> = draft.tasks.iter().map(|t| (t.id.as_str(), t)).collect();
    let known = keys();
    let mut wrong = Vec::new();
    let mut plan = Plan { tasks: Vec::new(), ..draft.clone() };
    if let Some(objective) = answer.get("objective").and_then(Value::as_str) {
        objective.clone_into(&mut plan.objective);
    }
    if let Some(phases) = answer.get("phases").and_then(|p| serde_json::from_value(p.clone()).ok()) {
        plan.phases = phases;
    }
    let tasks = answer.get("tasks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (at, value) in (1..).zip(tasks) {
        match task(value, &drafts, &known) {
            Ok(task) => plan.tasks.push(task),
            Err(why) => wrong.push(format!("task {at}: {why}")),
        }
    }
    if plan.tasks.is_empty() && wrong.is_empty() {
        wrong.push("`tasks` is empty".to_owned());
    }
    keep_what_is_not_theirs(&mut plan, draft);
    if wrong.is_empty() { Ok(plan) } else { Err(wrong) }
}

/// The fields a task has.
fn keys() -> BTreeSet<String> {
    let schema = Value::from(schemars::schema_for!(Task));
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(Map::keys).cloned().collect()
}

fn task(value: &Value, drafts: &BTreeMap<&str, &Task>, known: &BTreeSet<String>) -> Result<Task, String> {
    let Some(said) = value.as_object() else { return Err("it is not an object".to_owned()) };
    let Some(id) = said.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty()) else {
        return Err("it has no `id`".to_owned());
    };
    let strange: Vec<String> =
        said.keys().filter(|k| !known.contains(*k)).map(|k| format!("`{k}`")).collect();
    if !strange.is_empty() {
        return Err(format!("`{id}` has keys that the schema does not know: {}", strange.join(", ")));
    }
    let base = drafts.get(id).and_then(|task| serde_json::to_value(task).ok());
    let mut fields = match base {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    for (key, value) in said {
        if value.is_null() {
            fields.remove(key);
        } else {
            fields.insert(key.clone(), without_nulls(value.clone()));
        }
    }
    serde_json::from_value(Value::Object(fields)).map_err(|e| format!("`{id}` cannot be read: {e}"))
}

/// Models write `null` for what is not there.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, v)| !v.is_null());
            Value::Object(kept.map(|(k, v)| (k, without_nulls(v))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

/// Restores what a planner has no say in.
fn keep_what_is_not_theirs(plan: &mut Plan, draft: &Plan) {
    let texts: BTreeMap<&str, &str> = draft
        .tasks
        .iter()
        .flat_map(|t| &t.criteria)
        .chain(&draft.criteria)
        .filter(|c| !c.id.is_empty())
        .map(|c| (c.id.as_str(), c.text.as_str()))
        .collect();
    for task in &mut plan.tasks {
        let own = draft.task(&task.id);
        let like = own.or(draft.tasks.first());
        task.claimed_state = None;
        task.extra = own.map(|t| t.extra.clone()).unwrap_or_default();
        task.agent = like.and_then(|t| t.agent.clone());
        task.method = like.and_then(|t| t.method);
        task.test.held_out = own.map(|t| t.test.held_out.clone()).unwrap_or_default();
        task.test.required = own.and_then(|t| t.test.required);
        task.steps.clear();
        match own {
            Some(own) if own.test.file == task.test.file && own.test.command == task.test.command => {
                task.verification.clone_from(&own.verification);
            }
            // The command follows from the file; what the answer says counts where no runner is known.
            Some(_) | None => {}
        }
        for criterion in &mut task.criteria {
            if let Some(text) = texts.get(criterion.id.as_str()) {
                criterion.text = (*text).to_owned();
            }
        }
    }
}

/// What a plan loses against its draft, each in a line that says how to fix it. `stated` are the files the documents
/// name.
pub fn losses(
    draft: &Plan,
    plan: &Plan,
    stated: &BTreeSet<String>,
    is_test: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut lost = Vec::new();
    let (was, is) = (Served::of(draft, is_test), Served::of(plan, is_test));
    for (id, by) in &was.criteria {
        if !is.criteria.contains_key(id) {
            lost.push(format!(
                "criterion `{id}` has no task any more; `{by}` served it: name it in the `criteria` of a task"
            ));
        } else if was.proved.contains(id) && !is.proved.contains(id) {
            lost.push(format!(
                "criterion `{id}` is served only by tasks without a test; give one of them a test file"
            ));
        }
    }
    for id in was.traces.difference(&is.traces) {
        lost.push(format!("nothing traces to `{id}` any more; name it in the `traces_to` of a task"));
    }
    for path in was.files.iter().filter(|path| stated.contains(**path) && !is.files.contains(*path)) {
        lost.push(format!("no task owns `{path}` any more, which the documents name"));
    }
    for task in &plan.tasks {
        if let Some(own) = draft.task(&task.id).filter(|own| !is_same(own, task)) {
            lost.push(format!(
                "the id `{}` stood for \"{}\" and now names other work; give new work a new id",
                task.id, own.title
            ));
        }
    }
    lost
}

/// Whether two tasks of one id are about the same: they share a file, a criterion, or the title.
fn is_same(own: &Task, task: &Task) -> bool {
    let files: BTreeSet<&str> = own.owned().collect();
    let shares_file = task.owned().any(|path| files.contains(path));
    let shares_criterion = task.criteria.iter().any(|c| own.criteria.iter().any(|o| o.id == c.id));
    shares_file || shares_criterion || own.title == task.title
}

/// What a plan serves, and by which task first.
#[derive(Default)]
struct Served<'a> {
    criteria: BTreeMap<&'a str, &'a str>,
    proved: BTreeSet<&'a str>,
    traces: BTreeSet<&'a str>,
    files: BTreeSet<&'a str>,
}

impl<'a> Served<'a> {
    fn of(plan: &'a Plan, is_test: &dyn Fn(&str) -> bool) -> Self {
        let mut served = Self::default();
        for task in &plan.tasks {
            let own = task.criteria.iter().map(|c| c.id.as_str());
            let tested = matches!(infer_mode(task, is_test), Mode::Tdd | Mode::TestsOnly);
            for id in own.chain(task.traces_to.criteria.iter().map(String::as_str)) {
                if id.is_empty() {
                    continue;
                }
                served.criteria.entry(id).or_insert(task.id.as_str());
                if tested {
                    served.proved.insert(id);
                }
            }
            let traces = &task.traces_to;
            served.traces.extend(traces.stories.iter().chain(&traces.decisions).map(String::as_str));
            served.files.extend(task.owned());
        }
        served
    }
}

/// How a plan differs from its draft, in counts for a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changed {
    /// Tasks the draft did not have.
    pub added: usize,
    /// Tasks that are gone.
    pub removed: usize,
    /// Tasks that say something else.
    pub changed: usize,
}

impl Changed {
    /// Compares two plans task by task.
    pub fn between(draft: &Plan, plan: &Plan) -> Self {
        let differs = |t: &&Task| draft.task(&t.id).is_some_and(|own| own != *t);
        Self {
            added: plan.tasks.iter().filter(|t| draft.task(&t.id).is_none()).count(),
            removed: draft.tasks.iter().filter(|t| plan.task(&t.id).is_none()).count(),
            changed: plan.tasks.iter().filter(differs).count(),
        }
    }

    /// Whether they are the same.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn draft() -> Plan {
        let plan = json!({
            "name": "shop",
            "criteria": [{"id": "AC-1", "text": "a cart holds at most 50 lines"}],
            "tasks": [
                {"id": "T-1", "title": "Cart", "criteria": [{"id": "AC-1", "text": "a cart holds at most 50 lines"}],
                 "traces_to": {"stories": ["US-1"], "criteria": ["AC-1"]},
                 "files": {"create": ["src/cart.py"]}, "test": {"file": "tests/test_cart.py"},
                 "verification": {"script": "pytest tests/test_cart.py"}},
                {"id": "T-2", "title": "Total", "files": {"create": ["src/total.py"]}, "depends_on": ["T-1"]},
            ],
        });
        serde_json::from_value(plan).unwrap()
    }

    fn is_test(path: &str) -> bool {
        path.starts_with("tests/")
    }

    fn lost(answer: &Value) -> Vec<String> {
        let draft = draft();
        let stated = BTreeSet::from(["src/cart.py".to_owned()]);
        losses(&draft, &overlay(&draft, answer).unwrap(), &stated, &is_test)
    }

    #[test]
    fn a_plan_is_found_in_any_wrapping() {
        let plan = r#"{"tasks": [{"id": "T-1"}]}"#;
        let texts = [
            plan.to_owned(),
            format!("Here it is:\n```json\n{plan}\n```\nGood luck!"),
            format!("{{\"plan\": {plan}}}"),
            "First {\"tasks\": []}, then [{\"id\": \"T-1\"}]".to_owned(),
            format!("{{ broken\n{plan}"),
        ];
        for text in texts {
            let Ok(PlanAnswer::Plan(found)) = find_plan(&text) else { panic!("{text}") };
            assert_eq!(found["tasks"][0]["id"], "T-1", "{text}");
        }
        assert_eq!(find_plan(r#"Fine. {"keep_draft": true}"#), Ok(PlanAnswer::Keep));
        assert!(find_plan("I have improved the plan.").unwrap_err().contains("no JSON object"));
        let cut = find_plan("Look:\n{\"tasks\": [{\"id\": \"T-1\",\n}").unwrap_err();
        assert!(cut.contains("not valid JSON") && cut.contains("line 3 of the answer"), "{cut}");
    }

    #[test]
    fn what_an_answer_leaves_out_is_the_draft_s() {
        let answer = json!({"name": "mine", "criteria": [], "tasks": [
            {"id": "T-1", "objective": "Hold lines", "verification": {"script": "true"}, "agent": "me",
             "criteria": [{"id": "AC-1", "text": "a cart holds lines"}], "notes": null},
            {"id": "T-2", "depends_on": null, "test": {"file": "tests/test_total.py", "command": null}},
        ]});
        let plan = overlay(&draft(), &answer).unwrap();
        assert_eq!((plan.name.as_str(), plan.criteria.len()), ("shop", 1));
        let cart = &plan.tasks[0];
        assert_eq!((cart.title.as_str(), cart.objective.as_str()), ("Cart", "Hold lines"));
        assert_eq!(cart.verification.as_ref().unwrap().script, "pytest tests/test_cart.py");
        assert_eq!(
            (cart.agent.clone(), cart.criteria[0].text.as_str()),
            (None, "a cart holds at most 50 lines")
        );
        assert!(plan.tasks[1].depends_on.is_empty());
        assert_eq!(plan.tasks[1].test.file.as_deref(), Some("tests/test_total.py"));
    }

    #[test]
    fn what_cannot_be_read_is_said_all_at_once() {
        let answer = json!({"tasks": [{"id": "T-1", "dependencies": ["T-2"]}, {"title": "x"}, 3, {"id": "T-2", "files": 7}]});
        let wrong = overlay(&draft(), &answer).unwrap_err();
        assert_eq!(wrong.len(), 4, "{wrong:?}");
        assert!(wrong[0].contains("`dependencies`"), "{wrong:?}");
        assert_eq!(overlay(&draft(), &json!({"tasks": []})).unwrap_err(), ["`tasks` is empty"]);
    }

    #[test]
    fn nothing_the_draft_promises_may_get_lost() {
        let kept = json!({"tasks": [{"id": "T-1"}, {"id": "T-2"}]});
        assert_eq!(lost(&kept), [""; 0]);
        let split = json!({"tasks": [
            {"id": "T-1a", "criteria": [{"id": "AC-1"}], "traces_to": {"stories": ["US-1"]},
             "files": {"create": ["src/cart.py"]}, "test": {"file": "tests/test_cart.py"}},
        ]});
        assert_eq!(lost(&split), [""; 0]);
        let table = [
            (json!([{"id": "T-2"}]), vec!["criterion `AC-1`", "`US-1`", "`src/cart.py`"]),
            (
                json!([{"id": "T-1", "criteria": [], "traces_to": {"stories": ["US-1"]}}, {"id": "T-2"}]),
                vec!["criterion `AC-1`"],
            ),
            (
                json!([{"id": "T-1", "mode": "none", "test": {"none": "documentation_only"}}, {"id": "T-2"}]),
                vec!["only by tasks without a test"],
            ),
            (
                json!([{"id": "T-1"}, {"id": "T-2", "title": "Mail", "files": {"create": ["src/mail.py"]}}]),
                vec!["the id `T-2`"],
            ),
        ];
        for (tasks, expected) in table {
            let lost = lost(&json!({ "tasks": tasks }));
            assert_eq!(lost.len(), expected.len(), "{lost:?}");
            for part in expected {
                assert!(lost.iter().any(|l| l.contains(part)), "{part}: {lost:?}");
            }
        }
    }

    #[test]
    fn differences_are_counted() {
        let draft = draft();
        let answer = json!({"tasks": [{"id": "T-1", "title": "The cart"}, {"id": "T-3"}]});
        let plan = overlay(&draft, &answer).unwrap();
        assert_eq!(Changed::between(&draft, &plan), Changed { added: 1, removed: 1, changed: 1 });
        assert!(Changed::between(&draft, &draft).is_nothing());
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in ".{0,200}", inner in "[\\[\\]{}\":,a-z0-9 ]{0,120}") {
            let _ = find_plan(&text);
            if let Ok(PlanAnswer::Plan(value)) = find_plan(&format!("{{\"tasks\": [{inner}]}}")) {
                let _ = overlay(&draft(), &value);
            }
        }
    }
}
