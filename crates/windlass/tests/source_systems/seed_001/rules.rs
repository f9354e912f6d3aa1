//! The rules for tasks: what a task must be, must have, and must not be.

use serde_json::{Value, json};

use super::session::{criterion, finds, found, lacks, one_task};
use crate::frame::{empty, fixture};

/// Removes a field.
fn without(task: &mut Value, field: &str) {
    task.as_object_mut().unwrap().remove(field);
}

pub(super) fn the_five_reasons_in_the_documents_words() {
    let reasons = [
        "Documentation only",
        "documentation only",
        "Configuration files",
        "Type definitions only",
        "Dependency updates",
        "Delete dead code",
    ];
    for reason in reasons {
        lacks("WL0304", |t| {
            t["test_file"] = Value::Null;
            t["no_test_reason"] = reason.into();
        });
    }
    finds("WL0304", "error", |t| {
        t["test_file"] = Value::Null;
        t["no_test_reason"] = "no time".into();
    });
    finds("WL0305", "error", |t| t["test_file"] = Value::Null);
}

pub(super) fn four_sources_and_their_test_are_enough() {
    let files = |n: u32| -> Vec<String> { (0..n).map(|i| format!("src/part{i}.ts")).collect() };
    finds("WL0402", "error", |t| t["files"] = json!({ "create": files(5) }));
    let mut with_test = files(4);
    with_test.push("tests/schema/user.test.ts".to_owned());
    lacks("WL0402", |t| t["files"] = json!({ "create": with_test }));
}

pub(super) fn two_layers_are_an_error() {
    finds("WL0403", "error", |t| {
        t["files"] = json!({ "create": ["src/models/user.ts", "src/routes/user.ts"] });
    });
    lacks("WL0403", |t| t["files"] = json!({ "create": ["src/models/user.ts"] }));
}

pub(super) fn a_decomposable_type_is_a_warning() {
    finds("WL0404", "warning", |t| t["task_type"] = "create_service".into());
    lacks("WL0404", |t| t["task_type"] = "add_method".into());
}

pub(super) fn external_dependencies_are_seen() {
    for title in ["Call the Stripe API and set up the database", "Call an external API over HTTP"] {
        finds("WL0408", "note", |t| t["title"] = title.into());
    }
    lacks("WL0408", |t| t["title"] = "Sum the lines of a cart".into());
}

pub(super) fn a_part_is_named_after_its_parent() {
    let part = |id: &str| json!([{ "id": id, "title": "Add fields", "acceptance_criteria": [criterion(1)], "test_file": "tests/a.test.ts", "status": "pending", "depends_on": [] }]);
    finds("WL0124", "warning", |t| t["subtasks"] = part("009a"));
    lacks("WL0124", |t| t["subtasks"] = part("001a"));
}

/// Every required field of the schema, missing, mistyped, repeated.
pub(super) fn required_fields_are_asked_for() {
    for field in ["objective", "status", "depends_on", "task_type", "acceptance_criteria"] {
        finds("WL0119", "warning", |t| without(t, field));
    }
    finds("WL0119", "warning", |t| without(&mut t["acceptance_criteria"][0], "id"));
    finds("WL0119", "warning", |t| without(&mut t["acceptance_criteria"][0], "criterion"));
    finds("WL0102", "warning", |t| without(t, "title"));
    finds("WL0153", "error", |t| without(t, "id"));
    lacks("WL0119", |_| {});
    let types = [
        ("title", json!([])),
        ("objective", json!({})),
        ("acceptance_criteria", json!("one")),
        ("depends_on", json!(7)),
        ("traces_to", json!([])),
    ];
    for (field, value) in types {
        finds("WL0003", "error", |t| t[field] = value);
    }
    for (field, word) in [("status", "done-ish"), ("methodology", "vibes"), ("model", "gpt")] {
        finds("WL0012", "warning", |t| t[field] = word.into());
    }
    let repeated =
        one_task(|_| {}).read("docs/tasks.json").replacen("\"title\"", "\"title\":\"x\",\"title\"", 1);
    let repo = empty().file("docs/tasks.json", &repeated).committed();
    assert!(found(&repo, &["docs/tasks.json"]).iter().any(|(code, _)| code == "WL0005"));
}

pub(super) fn direct_is_for_configuration_and_documentation() {
    finds("WL0709", "warning", |t| {
        t["task_type"] = "create_model".into();
        t["methodology"] = "direct".into();
    });
    lacks("WL0709", |t| t["methodology"] = "direct".into());
}

pub(super) fn subtasks_of_the_document_are_read() {
    let part: Value = serde_json::from_str(&fixture("001/subtasks.json")).unwrap();
    let mut tasks: Value = serde_json::from_str(&fixture("001/tasks.json")).unwrap();
    tasks["tasks"][1]["subtasks"] = part["subtasks"].clone();
    let repo = empty().file("docs/tasks.json", &tasks.to_string()).committed();
    let out = repo.windlass(&["next", "docs/tasks.json", "--parts", "002", "--json"]).ends(0);
    let parts: Value = serde_json::from_str(&out.stdout).unwrap();
    let [a, b, c] = &parts["parts"].as_array().unwrap()[..] else { panic!("{out}") };
    assert_eq!(
        (a["id"].as_str(), b["id"].as_str(), c["id"].as_str()),
        (Some("002a"), Some("002b"), Some("002c"))
    );
    assert_eq!(a["objective"], "Define User class with id, email, password_hash fields");
    assert_eq!(b["depends_on"], json!(["002a"]));
    assert_eq!(c["criteria"][0]["id"], "AC-004");
}

pub(super) fn several_stories_are_too_big() {
    finds("WL0414", "warning", |t| t["traces_to"]["user_stories"] = json!(["US-001", "US-002"]));
    lacks("WL0414", |_| {});
}

pub(super) fn a_constant_is_too_small() {
    finds("WL0413", "note", |t| t["title"] = "Add USER_ROLES constant".into());
}

pub(super) fn a_task_is_bounded_by_a_test_or_a_reason() {
    finds("WL0301", "error", |t| t["test_file"] = Value::Null);
    finds("WL0305", "error", |t| without(t, "test_file"));
}

/// The document's routing: the model that a type goes to by default, and one that is too small for it.
pub(super) fn types_have_their_models() {
    let small = [
        "add_field",
        "add_method",
        "add_validation",
        "rename_refactor",
        "add_test",
        "add_config",
        "add_endpoint",
    ];
    let medium = [
        "create_model",
        "create_service",
        "add_endpoint_complex",
        "create_middleware",
        "bug_fix",
        "integration_test",
    ];
    let routed = |kinds: &[&str], model: &str| {
        for kind in kinds {
            lacks("WL0701", |t| (t["task_type"], t["model"]) = ((*kind).into(), model.into()));
            lacks("WL0702", |t| (t["task_type"], t["model"]) = ((*kind).into(), model.into()));
        }
    };
    routed(&small[..2], "haiku");
    routed(&medium[..2], "sonnet");
    routed(&["architectural"], "opus");
    finds("WL0701", "warning", |t| (t["task_type"], t["model"]) = ("architectural".into(), "haiku".into()));
    for kind in small.iter().chain(&medium) {
        lacks("WL0702", |t| t["task_type"] = (*kind).into());
    }
    finds("WL0702", "warning", |t| t["task_type"] = "paint_fence".into());
}

pub(super) fn four_criteria_must_be_split() {
    finds("WL0401", "error", |t| t["acceptance_criteria"] = (1..=4).map(criterion).collect());
    lacks("WL0401", |t| t["acceptance_criteria"] = (1..=3).map(criterion).collect());
}

pub(super) fn an_and_in_the_title_is_a_warning() {
    finds("WL0405", "warning", |t| t["title"] = "Create user AND send email".into());
}

pub(super) fn several_test_files_should_be_split() {
    finds("WL0406", "warning", |t| {
        t["files"] = json!({ "create": ["tests/a.test.ts", "tests/b.test.ts", "src/a.ts"] });
    });
}

pub(super) fn mixed_methods_should_be_split() {
    finds("WL0407", "warning", |t| t["files"] = json!({ "create": ["src/a.ts", "config/a.yaml"] }));
}

pub(super) fn one_task_that_blocks_many_is_a_warning() {
    let mut tasks: Value = serde_json::from_str(&fixture("001/tasks.json")).unwrap();
    let shown = tasks["tasks"][0].clone();
    for n in 3..=9 {
        let mut task = shown.clone();
        task["id"] = format!("{n:03}").into();
        task["depends_on"] = json!(["001"]);
        tasks["tasks"].as_array_mut().unwrap().push(task);
    }
    let repo = empty().file("docs/tasks.json", &tasks.to_string()).committed();
    assert!(found(&repo, &["docs/tasks.json"]).contains(&("WL0409".to_owned(), "warning".to_owned())));
}

fn with_parts(task: &mut Value, count: u32) {
    let part = |n: u32| {
        let id = format!("001{}", char::from(b'a' + u8::try_from(n).unwrap()));
        json!({ "id": id, "title": "Add a field", "acceptance_criteria": [criterion(n)], "test_file": "tests/a.test.ts",
                "status": "pending", "depends_on": [], "model": "haiku" })
    };
    task["subtasks"] = (0..count).map(part).collect();
}

pub(super) fn small_tasks_must_not_be_split() {
    finds("WL0410", "warning", |t| with_parts(t, 2));
    finds("WL0410", "warning", |t| {
        t["task_type"] = "create_model".into();
        t["acceptance_criteria"] = json!([criterion(1)]);
        with_parts(t, 2);
    });
}

pub(super) fn a_part_has_one_criterion_and_a_small_model() {
    finds("WL0411", "note", |t| {
        with_parts(t, 2);
        t["subtasks"][0]["acceptance_criteria"] = json!([criterion(1), criterion(2)]);
    });
    finds("WL0411", "note", |t| {
        with_parts(t, 2);
        t["subtasks"][0]["model"] = "sonnet".into();
    });
}

pub(super) fn the_testable_patterns_are_accepted() {
    for text in [
        "Given a user, when they log in, then session is created",
        "User must see error message",
        "Response time < 500ms",
    ] {
        for code in ["WL0601", "WL0602", "WL0603", "WL0604"] {
            lacks(code, |t| t["acceptance_criteria"] = json!([{ "id": "AC-001", "criterion": text }]));
        }
    }
}

pub(super) fn enums_and_id_pattern_are_checked() {
    finds("WL0012", "warning", |t| t["status"] = "started".into());
    finds("WL0012", "warning", |t| t["methodology"] = "bdd".into());
    finds("WL0012", "warning", |t| t["model"] = "gpt".into());
    for id in ["1", "0001", "01a", "task"] {
        finds("WL0103", "warning", |t| t["id"] = id.into());
    }
    for id in ["008", "009", "010a"] {
        lacks("WL0103", |t| t["id"] = id.into());
    }
}

pub(super) fn the_example_has_no_error() {
    let repo = empty().file("docs/tasks.json", &fixture("001/tasks.json")).committed();
    repo.windlass(&["check", "docs/tasks.json"]).ends(0);
}

fn graph(depends: &[(&str, &[&str])]) -> Vec<(String, String)> {
    let shown: Value = serde_json::from_str(&fixture("001/tasks.json")).unwrap();
    let tasks: Vec<Value> = depends
        .iter()
        .map(|(id, needs)| {
            let mut task = shown["tasks"][0].clone();
            (task["id"], task["depends_on"]) = ((*id).into(), json!(needs));
            task
        })
        .collect();
    let repo = empty().file("docs/tasks.json", &json!({ "tasks": tasks }).to_string()).committed();
    let out = repo.windlass(&["export", "docs/tasks.json", "--to", "homerun", "-o", "out", "--signal"]);
    let found = found(&repo, &["docs/tasks.json"]);
    let stops = found.iter().any(|(_, severity)| severity == "error");
    assert_eq!(!out.stdout.contains("PLANNING_COMPLETE"), stops, "{out}");
    found
}

fn has(found: &[(String, String)], code: &str) -> bool {
    found.iter().any(|(c, _)| c == code)
}

pub(super) fn a_cycle_stops_planning() {
    assert!(has(&graph(&[("001", &["002"]), ("002", &["001"])]), "WL0150"));
}

pub(super) fn broken_dependencies_stop_planning() {
    assert!(has(&graph(&[("001", &["009"])]), "WL0151"));
    assert!(has(&graph(&[("001", &["001"])]), "WL0152"));
    assert!(has(&graph(&[("001", &[]), ("001", &[])]), "WL0154"));
}

pub(super) fn a_dependency_on_a_higher_number_is_a_warning() {
    let found = graph(&[("001", &["002"]), ("002", &[])]);
    assert!(found.contains(&("WL0106".to_owned(), "warning".to_owned())), "{found:?}");
}

pub(super) fn a_path_that_is_no_test_is_a_warning() {
    finds("WL0306", "warning", |t| t["test_file"] = "src/user.ts".into());
    lacks("WL0306", |_| {});
}

pub(super) fn failed_validation_keeps_the_run_from_starting() {
    let repo = one_task(|t| t["test_file"] = Value::Null);
    repo.windlass(&["run", "docs/tasks.json", "--agent", "cmd:true", "--yes"])
        .ends(1)
        .says("the run does not start")
        .says("WL0305");
}

pub(super) fn warnings_are_asked_about() {
    let repo = one_task(|t| t["title"] = "Create user and send email".into());
    repo.windlass(&["run", "docs/tasks.json", "--agent", "cmd:true"])
        .ends(2)
        .says("WL0405")
        .says("no terminal to ask on");
}
