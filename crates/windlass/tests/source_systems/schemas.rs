//! Every field of the documents' schemas, at every depth: missing, of another type, given twice, out of range. Each is
//! a finding that names the field; what the documents leave free is listed here.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use crate::bad_input::{Sample, a_repo, samples};
use crate::frame::fixture;

/// What the document of a sample leaves free, and what it limits. `[]` stands for any item of a list.
struct Freedom {
    /// Fields that may be missing: they have a default, or the document does not ask for them.
    optional: &'static [&'static str],
    /// Fields that may have any type: the document does not speak of them.
    untyped: &'static [&'static str],
    /// Words and numbers that have a limited set of values.
    limited: &'static [&'static str],
}

const HOMERUN: Freedom = Freedom {
    optional: &[
        "methodology",
        "acceptance_criteria[].test_assertion",
        "traces_to.user_stories",
        "traces_to.acceptance_criteria",
        "traces_to.adr_decisions",
        "technical_notes",
        "model",
    ],
    untyped: &[],
    limited: &["id", "task_type", "methodology", "status", "model", "test_file"],
};

/// The document has a schema of steps; the other keys are those of ZERG's own files.
const ZERG: Freedom = Freedom {
    optional: &[
        "description",
        "phase",
        "dependencies",
        "files",
        "files.create",
        "files.modify",
        "files.read",
        "verification",
        "verification.command",
        "verification.timeout_seconds",
        "steps",
        "steps[].file",
        "steps[].verify",
    ],
    untyped: &[],
    limited: &["level", "verification.timeout_seconds", "steps[].step", "steps[].action", "steps[].verify"],
};

/// In a file the key of a task is its id.
const SUPERPLANNER: Freedom = Freedom {
    optional: &["id", "test_command", "test_file", "requires_testing", "is_parent"],
    untyped: &[],
    limited: &["id", "state", "test_file"],
};

/// The document lists the fields of a task; steps of `pre_analysis` have no schema, `files` is no field of it, and a step of
/// `implementation` may be called by a word.
const CCW: Freedom = Freedom {
    optional: &[
        "depends_on",
        "status",
        "files",
        "files[].action",
        "implementation[].step",
        "implementation[].title",
        "implementation[].test_fix_cycle.max_iterations",
        "meta.execution_config.method",
        "meta.execution_config.cli_tool",
        "meta.execution_config.enable_resume",
        "pre_analysis[].step",
        "pre_analysis[].action",
    ],
    untyped: &["implementation[].step"],
    limited: &[
        "id",
        "status",
        "cli_execution.id",
        "cli_execution.strategy",
        "meta.max_iterations",
        "meta.execution_config.method",
        "implementation[].step",
        "implementation[].tdd_phase",
        "implementation[].description",
        "implementation[].test_fix_cycle.max_iterations",
        "tdd_cycles[].test_count",
        "tdd_cycles[].implementation_scope",
        "tdd_cycles[].expected_coverage",
        "files[].action",
    ],
};

/// A value below the task of a sample.
struct FieldPlace {
    /// Its JSON pointer in the document.
    pointer: String,
    /// Its name with `[]` for items.
    pattern: String,
    /// The nearest key.
    key: String,
    value: Value,
}

fn places(pointer: &str, pattern: &str, key: &str, value: &Value, out: &mut Vec<FieldPlace>) {
    if !key.is_empty() {
        out.push(FieldPlace {
            pointer: pointer.to_owned(),
            pattern: pattern.to_owned(),
            key: key.to_owned(),
            value: value.clone(),
        });
    }
    for (name, below) in value.as_object().into_iter().flatten() {
        let pattern = if pattern.is_empty() { name.clone() } else { format!("{pattern}.{name}") };
        places(&format!("{pointer}/{name}"), &pattern, name, below, out);
    }
    for (at, below) in value.as_array().into_iter().flatten().enumerate() {
        places(&format!("{pointer}/{at}"), &format!("{pattern}[]"), key, below, out);
    }
}

/// A finding, as far as it names a field.
#[derive(Debug, PartialEq)]
struct NamedFinding {
    code: String,
    said: String,
    field: String,
}

fn findings(sample: &Sample, repo: &TestRepo, text: &str) -> Vec<NamedFinding> {
    repo.write(sample.path, text);
    let out = repo.windlass(&["check", "--format", "json", "--all", sample.plan]);
    let report: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {text}\n{out}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = report["diagnostics"].as_array().cloned().unwrap_or_default();
    all.iter()
        .map(|d| NamedFinding {
            code: text(&d["code"]),
            said: format!("{} {}", text(&d["message"]), text(&d["help"])),
            field: text(&d["field"]),
        })
        .collect()
}

impl NamedFinding {
    /// Whether it names the key, or is at it: `test_cases` is named by `has no test cases`.
    fn names(&self, key: &str) -> bool {
        let lower = self.said.to_lowercase();
        let part = |word: &str| word.len() > 3 && lower.contains(word.trim_end_matches('s'));
        self.field.contains(key) || lower.contains(&key.to_lowercase()) || key.split('_').any(part)
    }
}

/// A value of another type.
fn mistyped(value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(_) => Some(json!([])),
        Value::Number(_) | Value::Bool(_) => Some(json!("zzz")),
        Value::Array(_) | Value::Object(_) => Some(json!(7)),
    }
}

/// The document with the value at a place replaced, or removed.
fn changed(sample: &Sample, place: &FieldPlace, with: Option<Value>) -> String {
    let mut document = sample.document.clone();
    if let Some(value) = with {
        *document.pointer_mut(&place.pointer).unwrap() = value;
    } else {
        let (around, key) = place.pointer.rsplit_once('/').unwrap();
        document.pointer_mut(around).unwrap().as_object_mut().unwrap().shift_remove(key);
    }
    serde_json::to_string_pretty(&document).unwrap()
}

/// The document with a member given twice.
fn twice(sample: &Sample, place: &FieldPlace) -> String {
    let marked = changed(sample, place, Some(json!("@twice@")));
    marked.replace("\"@twice@\"", &format!("{}, {}: {}", place.value, json!(place.key), place.value))
}

/// Tries every mistake at every field of a sample.
fn every_field(sample: &Sample, freedom: &Freedom) {
    let repo = a_repo();
    let clean = findings(sample, &repo, &serde_json::to_string_pretty(&sample.document).unwrap());
    let mut all = Vec::new();
    places(sample.task, "", "", sample.document.pointer(sample.task).unwrap(), &mut all);
    let mut silent: Vec<String> = Vec::new();
    for place in &all {
        let listed = |list: &[&str]| list.contains(&place.pattern.as_str());
        let is_item = place.pattern.ends_with("[]");
        let mut mistakes: Vec<(&str, String)> = Vec::new();
        if is_item {
            mistakes.push(("null", changed(sample, place, Some(Value::Null))));
        } else if !listed(freedom.optional) {
            mistakes.push(("missing", changed(sample, place, None)));
        }
        if let Some(odd) = mistyped(&place.value).filter(|_| !listed(freedom.untyped)) {
            mistakes.push(("of another type", changed(sample, place, Some(odd))));
        }
        if listed(freedom.limited) {
            let beyond = if place.value.is_number() { json!(-1) } else { json!("zzz") };
            mistakes.push(("out of range", changed(sample, place, Some(beyond))));
        }
        if !is_item && !place.value.is_object() && !place.value.is_array() {
            mistakes.push(("twice", twice(sample, place)));
        }
        for (mistake, text) in mistakes {
            let found = findings(sample, &repo, &text);
            let named = |f: &NamedFinding| {
                let fits = mistake != "twice" || f.code == "WL0005";
                !clean.contains(f) && fits && f.names(&place.key)
            };
            if !found.iter().any(named) {
                silent.push(format!("{} {mistake}: {found:?}", place.pointer));
            }
        }
    }
    assert!(all.len() > 5 && silent.is_empty(), "{}:\n{}", sample.path, silent.join("\n"));
}

#[test]
fn every_field_of_homerun_is_checked() {
    every_field(&samples().swap_remove(0), &HOMERUN);
}

#[test]
fn every_field_of_zerg_is_checked() {
    every_field(&samples().swap_remove(1), &ZERG);
}

#[test]
fn every_field_of_super_planner_is_checked() {
    every_field(&samples().swap_remove(2), &SUPERPLANNER);
}

#[test]
fn every_field_of_ccw_is_checked() {
    every_field(&samples().swap_remove(3), &CCW);
}

/// What the documents leave free is a field of their samples: the lists above name nothing else.
#[test]
fn the_free_fields_are_fields() {
    for (sample, freedom) in samples().iter().zip([HOMERUN, ZERG, SUPERPLANNER, CCW]) {
        let mut all = Vec::new();
        places(sample.task, "", "", sample.document.pointer(sample.task).unwrap(), &mut all);
        for named in [freedom.optional, freedom.untyped, freedom.limited].concat() {
            assert!(all.iter().any(|place| place.pattern == named), "{}: {named}", sample.path);
        }
    }
}

/// Homerun's input: every field that is missing or of another type ends planning, and is named.
#[test]
fn every_field_of_the_input_is_checked() {
    let input = json!({ "worktree_path": ".", "session_id": "s-1", "branch": "create/s-1",
        "spec_paths": { "prd": "p.md", "adr": "p.md", "technical_design": "p.md", "wireframes": "p.md" },
        "config": { "auto_mode": false } });
    let required = ["worktree_path", "spec_paths", "prd", "adr", "technical_design"];
    let repo = a_repo();
    let tried = |document: &Value| {
        repo.write("input.json", &document.to_string());
        repo.windlass(&["plan", "--input", "input.json"]).ends(2).screen()
    };
    let mut all = Vec::new();
    places("", "", "", &input, &mut all);
    for place in all {
        let mut wrong = input.clone();
        *wrong.pointer_mut(&place.pointer).unwrap() = mistyped(&place.value).unwrap();
        let said = tried(&wrong);
        assert!(said.contains(&place.key), "{}: {said}", place.pointer);
        if required.contains(&place.key.as_str()) {
            let (around, key) = place.pointer.rsplit_once('/').unwrap();
            let mut without = input.clone();
            without.pointer_mut(around).unwrap().as_object_mut().unwrap().shift_remove(key);
            let said = tried(&without);
            assert!(said.contains(&place.key), "{}: {said}", place.pointer);
        }
    }
    assert_eq!(repo.try_git(&["status", "--porcelain", "docs", "state.json"]).unwrap_or_default(), "");
}

/// The front matter of a contract task: each field missing, of another type, twice or out of range.
#[test]
fn every_field_of_a_contract_task_is_checked() {
    let task = fixture("004/TASK-042.md");
    let repo = a_repo();
    let check = |text: &str| {
        repo.write("tasks/TASK-042.md", text);
        repo.windlass(&["check", "--all", "tasks"]).screen()
    };
    let clean = check(&task);
    for (key, line, mistakes) in [
        ("layer", "layer: 2\n", &["", "layer: two\n", "layer: -1\n", "layer: []\n"][..]),
        ("track", "track: backend\n", &["", "track: middle\n", "track: []\n"]),
        ("depends_on", "depends_on: [TASK-031]\n", &["", "depends_on: {}\n"]),
        (
            "estimated_complexity",
            "estimated_complexity: simple\n",
            &["", "estimated_complexity: huge\n", "estimated_complexity: []\n"],
        ),
        ("id", "id: TASK-042\n", &["id: [a]\n"]),
        ("title", "title: Add findByState method to ContentRepository\n", &["title: {}\n"]),
    ] {
        let twice = format!("{line}{line}");
        assert!(task.contains(line), "{line}");
        for mistake in mistakes.iter().copied().chain([twice.as_str()]) {
            let said = check(&task.replacen(line, mistake, 1));
            let named = format!("`{key}`");
            assert!(said.contains(&named) && said != clean, "{key}: {mistake}: {said}");
        }
    }
}
