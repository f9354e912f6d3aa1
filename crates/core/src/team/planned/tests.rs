//! Plans found in answers, laid over a draft, and compared with it.

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
    assert_eq!((cart.agent.clone(), cart.criteria[0].text.as_str()), (None, "a cart holds at most 50 lines"));
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
        if let Ok(PlanAnswer::Plan(value)) = find_plan(&text) {
            prop_assert!(value.get("tasks").is_some(), "{text}: {value}");
        }
        if let Ok(PlanAnswer::Plan(value)) = find_plan(&format!("{{\"tasks\": [{inner}]}}")) {
            prop_assert!(value.get("tasks").is_some(), "{inner}: {value}");
            if let Ok(plan) = overlay(&draft(), &value) {
                prop_assert_eq!(plan.name, draft().name, "{}", inner);
            }
        }
    }
}

#[test]
fn only_an_answer_with_tasks_or_a_kept_draft_is_one() {
    let plan = |value: Value| Some(PlanAnswer::Plan(value));
    let table = [
        (json!({"tasks": []}), plan(json!({"tasks": []}))),
        (json!({"plan": {"tasks": []}, "remark": 1}), plan(json!({"tasks": []}))),
        (json!({"plan": [{"id": "a"}]}), plan(json!({"tasks": [{"id": "a"}]}))),
        (json!([{"id": "a"}, {"id": "b"}]), plan(json!({"tasks": [{"id": "a"}, {"id": "b"}]}))),
        (json!({"keep_draft": true}), Some(PlanAnswer::Keep)),
        // Tasks say more than a wish to keep the draft.
        (json!({"keep_draft": true, "tasks": []}), plan(json!({"keep_draft": true, "tasks": []}))),
        (json!({"keep_draft": "true"}), None),
        (json!({"keep_draft": false}), None),
        (json!({"tasks": {}}), None),
        (json!({"plan": "see above"}), None),
        (json!([]), None),
        (json!([{"id": "a"}, {"title": "b"}]), None),
        (json!([{"id": 1}]), None),
        (json!(null), None),
    ];
    for (value, expected) in table {
        assert_eq!(plan_of(value.clone()), expected, "{value}");
    }
}

#[test]
fn an_answer_without_a_plan_says_why() {
    let table = [
        ("", "no JSON object with `tasks` was found in the answer"),
        ("I could not do it.", "no JSON object with `tasks` was found in the answer"),
        ("{\"status\": \"done\"}", "no JSON object with `tasks` was found in the answer"),
        ("{broken", "no JSON object with `tasks` was found in the answer"),
    ];
    for (text, expected) in table {
        assert_eq!(find_plan(text).unwrap_err(), expected, "{text}");
    }
    let cut = find_plan("Here:\r\n{\"tasks\": [\r\n{\"id\": \"a\",}]}").unwrap_err();
    assert!(
        cut.starts_with("the plan is not valid JSON: ") && cut.ends_with("(line 3 of the answer)"),
        "{cut}"
    );
}

#[test]
fn a_field_is_the_planner_s_or_the_draft_s() {
    let mut draft = draft();
    let own = &mut draft.tasks[0];
    own.agent = Some("claude".into());
    own.claimed_state = Some("done".into());
    own.extra.insert("tracker".into(), 7.into());
    own.test.required = Some(true);
    let answer = json!({"objective": "Sell", "phases": ["one"], "tasks": [{
        "id": "T-1", "title": "The cart", "agent": "evil", "method": "cli", "claimed_state": "completed", "extra": {"x": 1},
        "test": {"file": "tests/test_cart.py", "required": false, "held_out": [{"path": "a", "blake3": "b"}]},
        "steps": [{"action": "commit", "run": "rm -rf ."}], "depends_on": ["T-2"], "estimate_minutes": 5,
    }]});
    let plan = overlay(&draft, &answer).unwrap();
    let task = &plan.tasks[0];
    // Taken from the answer.
    assert_eq!((plan.objective.as_str(), plan.phases.as_slice()), ("Sell", ["one".to_owned()].as_slice()));
    assert_eq!(
        (task.title.as_str(), task.depends_on.as_slice()),
        ("The cart", ["T-2".to_owned()].as_slice())
    );
    assert_eq!(task.estimate_minutes, Some(5.0));
    // Kept from the draft, or dropped.
    assert_eq!((task.agent.as_deref(), task.method), (Some("claude"), None));
    assert_eq!((task.claimed_state.as_deref(), task.steps.len(), task.test.held_out.len()), (None, 0, 0));
    assert_eq!((task.test.required, task.extra.get("tracker")), (Some(true), Some(&json!(7))));
    assert_eq!(task.files.create, ["src/cart.py"], "what the answer leaves out");
}

#[test]
fn a_new_task_has_the_agent_of_the_draft_and_a_changed_test_its_own_check() {
    let mut draft = draft();
    draft.tasks[0].agent = Some("claude".into());
    let check = json!({"script": "pytest -q"});
    let answer = json!({"tasks": [
        {"id": "T-9", "agent": "evil", "verification": check},
        {"id": "T-1", "test": {"file": "tests/test_other.py"}, "verification": check},
    ]});
    let plan = overlay(&draft, &answer).unwrap();
    let scripts: Vec<&str> =
        plan.tasks.iter().map(|t| t.verification.as_ref().unwrap().script.as_str()).collect();
    assert_eq!(scripts, ["pytest -q", "pytest -q"]);
    assert_eq!(plan.tasks[0].agent.as_deref(), Some("claude"));
}

#[test]
fn errors_name_the_task_by_its_place_and_id() {
    let table = [
        (json!([7]), "task 1: it is not an object"),
        (json!([{"id": "T-2"}, {"title": "x"}]), "task 2: it has no `id`"),
        (json!([{"id": " "}]), "task 1: it has no `id`"),
        (json!([{"id": 7}]), "task 1: it has no `id`"),
        (
            json!([{"id": "a", "Title": "x", "deps": []}]),
            "task 1: `a` has keys that the schema does not know: `Title`, `deps`",
        ),
    ];
    for (tasks, expected) in table {
        assert_eq!(overlay(&draft(), &json!({ "tasks": tasks })).unwrap_err(), [expected]);
    }
    let wrong = overlay(&draft(), &json!({"tasks": [{"id": "a", "tier": "huge"}]})).unwrap_err();
    assert!(wrong[0].starts_with("task 1: `a` cannot be read: unknown variant `huge`"), "{wrong:?}");
    for answer in [json!({}), json!({"tasks": "none"}), json!(null)] {
        assert_eq!(overlay(&draft(), &answer).unwrap_err(), ["`tasks` is empty"], "{answer}");
    }
}

#[test]
fn losses_say_how_to_fix_them() {
    let table = [
        (
            json!([{"id": "T-1", "criteria": [], "traces_to": null}, {"id": "T-2"}]),
            vec![
                "criterion `AC-1` has no task any more; `T-1` served it: name it in the `criteria` of a task",
                "nothing traces to `US-1` any more; name it in the `traces_to` of a task",
            ],
        ),
        (
            json!([{"id": "T-1", "files": {"create": ["src/basket.py"]}}]),
            vec!["no task owns `src/cart.py` any more, which the documents name"],
        ),
        // A file that no document names may go.
        (json!([{"id": "T-1"}]), vec![]),
        // Another task may serve the criterion.
        (
            json!([
                {"id": "T-1", "criteria": [], "traces_to": {"stories": ["US-1"]}},
                {"id": "T-5", "traces_to": {"criteria": ["AC-1"]}, "files": {"create": ["src/x.py"]}},
            ]),
            vec![],
        ),
        (
            json!([{"id": "T-1"}, {"id": "T-2", "title": "Mail", "files": {"create": ["src/mail.py"]}}]),
            vec!["the id `T-2` stood for \"Total\" and now names other work; give new work a new id"],
        ),
    ];
    for (tasks, expected) in table {
        assert_eq!(lost(&json!({ "tasks": tasks })), expected, "{tasks}");
    }
}
