//! The generic reader, writer and echo, on a small table of their own.

use serde_json::{Map, Value, json};

use super::{
    Allowed, Codec, CriteriaForm, FILES, GivenValue, KeyNeed, Original, TaskKey, find, in_order, is_blank,
    read_members, write_members,
};
use crate::json::{ValueReader, parse};
use windlass_core::diagnostic::{Diagnostic, FileIx};
use windlass_core::plan::Task;

static TABLE: &[TaskKey] = &[
    TaskKey::text("id", "id", |t| &mut t.id).required(),
    TaskKey::text("title", "title", |t| &mut t.title).or(&["name", "label"]),
    TaskKey::new("level", "level", Codec::Integer(|t| &mut t.level)),
    TaskKey::texts("after", "depends_on", |t| &mut t.depends_on).required(),
    TaskKey::texts("blocked_by", "depends_on", |t| &mut t.depends_on).kept().fallback(),
    TaskKey::maybe("priority", "priority", |t| &mut t.priority).allows(Allowed::Words(&["high", "low"])),
    TaskKey::new("files", "files", FILES),
    TaskKey::texts("owned", "files.modify", |t| &mut t.files.modify).needed(KeyNeed::InsteadOf("files")),
    TaskKey::criteria("criteria", CriteriaForm::Strings, |t| &mut t.criteria),
    TaskKey::maybe("agent", "agent", |t| &mut t.agent).needed(KeyNeed::WhenNew),
    TaskKey::new("count", "", Codec::Fixed),
    TaskKey::children("parts"),
];

fn read(text: &str) -> (Task, Vec<Diagnostic>) {
    let (mut task, mut findings) = (Task::default(), Vec::new());
    let node = parse(text, FileIx(0), &mut findings).unwrap();
    read_members(TABLE, &mut ValueReader::new(FileIx(0), &mut findings), &node, &mut task);
    (task, findings)
}

/// What is written for the task read from `text`, after `change`.
fn written(text: &str, change: impl Fn(&mut Task)) -> String {
    let (mut task, _) = read(text);
    let keys = serde_json::from_str::<Map<String, Value>>(text).unwrap();
    let keys = keys.keys().cloned().collect::<Vec<_>>().join(" ");
    let kept = task.extra.clone();
    change(&mut task);
    let object = write_members(TABLE, &mut task, &Original::new(&kept, &keys), &mut |_| None);
    Value::Object(object).to_string()
}

#[test]
fn an_unchanged_object_comes_back_as_it_was() {
    for text in [
        "{}",
        r#"{"title":"a","id":"1"}"#,
        r#"{"label":"a","id":"1","name":"b"}"#,
        r#"{"after":"x","level":"2","id":3}"#,
        r#"{"after":null,"level":null,"priority":null}"#,
        r#"{"blocked_by":["a"],"id":"1"}"#,
        r#"{"after":["b"],"blocked_by":["a"]}"#,
        r#"{"files":{"read":["r"],"create":[],"extra":1}}"#,
        r#"{"owned":["a"],"other":{"x":[1,2.5]}}"#,
        r#"{"files":{"create":["c"]},"owned":["a"]}"#,
        r#"{"criteria":["a",{"text":"b"},7]}"#,
        r#"{"priority":"urgent","agent":"x","count":3}"#,
    ] {
        assert_eq!(written(text, |_| ()), text);
    }
}

#[test]
fn a_change_is_written_where_the_field_was_read() {
    type Change = fn(&mut Task);
    let table: [(&str, Change, &str); 8] = [
        (r#"{"name":"a"}"#, |t| t.title = "b".into(), r#"{"name":"b"}"#),
        (r#"{"x":1,"id":7}"#, |t| t.id = "8".into(), r#"{"x":1,"id":"8"}"#),
        (r#"{"id":"1"}"#, |t| t.level = Some(2), r#"{"id":"1","level":2}"#),
        (r#"{"level":1}"#, |t| t.level = None, r#"{"level":null}"#),
        (
            r#"{"blocked_by":["a"]}"#,
            |t| t.depends_on.push("b".into()),
            r#"{"blocked_by":["a"],"after":["a","b"]}"#,
        ),
        (r#"{"owned":["a"]}"#, |t| t.files.modify.push("b".into()), r#"{"owned":["a","b"]}"#),
        (
            r#"{"files":{"modify":["a"],"why":"x"}}"#,
            |t| t.files.modify[0] = "b".into(),
            r#"{"files":{"modify":["b"],"why":"x","create":[],"read":[]}}"#,
        ),
        (r#"{"agent":"x"}"#, |t| t.agent = Some("y".into()), r#"{"agent":"x"}"#),
    ];
    for (text, change, expected) in table {
        assert_eq!(written(text, change), expected, "{text}");
    }
}

#[test]
fn a_new_object_has_what_is_required_and_what_says_something() {
    let new = |mut task: Task| {
        let given = &mut |key| (key == "count").then(|| GivenValue { value: 3.into(), same: false });
        Value::Object(write_members(TABLE, &mut task, &Original::NEW, given))
    };
    assert_eq!(new(Task::default()), json!({ "id": "", "after": [], "count": 3 }));
    let mut task =
        Task { level: Some(0), agent: Some("x".into()), priority: Some("high".into()), ..Task::default() };
    task.files.modify.push("a".into());
    let files = json!({ "create": [], "modify": ["a"], "read": [] });
    assert_eq!(
        new(task.clone()),
        json!({ "id": "", "level": 0, "after": [], "priority": "high", "files": files, "agent": "x", "count": 3 })
    );
    task.priority = Some("urgent".into());
    assert_eq!(new(task)["priority"], Value::Null);
}

#[test]
fn the_first_of_several_names_is_read() {
    let (task, findings) = read(r#"{"label": "a", "title": "b", "name": "c"}"#);
    assert_eq!(task.title, "a");
    assert_eq!(task.extra, *json!({ "title": "b", "name": "c" }).as_object().unwrap());
    assert_eq!(findings, []);
}

#[test]
fn spans_name_fields_and_items() {
    let text =
        r#"{"id": "1", "after": ["a", "b"], "files": {"create": ["c"]}, "criteria": ["d"], "unknown": 1}"#;
    let (task, _) = read(text);
    let at = |field: &str| task.places.get(field).map(|s| &text[s.start as usize..s.end as usize]);
    assert_eq!(at("id"), Some(r#""1""#));
    assert_eq!(at("depends_on[1]"), Some(r#""b""#));
    assert_eq!(at("files"), Some(r#"{"create": ["c"]}"#));
    assert_eq!(at("files.create[0]"), Some(r#""c""#));
    assert_eq!(at("criteria[0]"), Some(r#""d""#));
    assert_eq!(at("unknown"), None);
    assert_eq!(at("title"), None);
}

#[test]
fn a_value_says_nothing_if_all_of_it_is_empty() {
    for blank in [json!(null), json!(""), json!([]), json!({}), json!({ "a": [], "b": { "c": "" } })] {
        assert!(is_blank(&blank), "{blank}");
    }
    for said in [json!(false), json!(0), json!(" "), json!([""]), json!({ "a": 0 })] {
        assert!(!is_blank(&said), "{said}");
    }
}

#[test]
fn members_are_put_into_an_order() {
    let map = json!({ "a": 1, "b": 2, "c": 3 }).as_object().unwrap().clone();
    assert_eq!(Value::Object(in_order(map, "c x a")).to_string(), r#"{"c":3,"a":1,"b":2}"#);
}

#[test]
fn names_and_aliases_of_every_table_are_unique() {
    fn check<T>(name: &str, table: &'static [super::Key<T>]) {
        for key in table {
            for other in key.names() {
                let found = find(table, other).map(|k| k.name);
                assert_eq!(found, Some(key.name), "{name}: `{other}` is in two rows");
            }
        }
    }
    check("table", TABLE);
    check("zerg", crate::zerg::TASK);
    check("superplanner", crate::superplanner::TASK);
    check("taskmaster", crate::taskmaster::TASK);
    check("homerun", crate::homerun::TASK);
    check("ccw", crate::ccw::TASK);
}

/// An object is kept beside its fields exactly where writing the fields would give another text.
#[test]
fn an_object_is_kept_if_it_would_be_written_in_another_way() {
    for (files, is_kept) in [
        (r#"{"create":["a"],"modify":[],"read":[]}"#, false),
        (r#"{"create":["a"],"modify":[],"read":[],"delete":["b"]}"#, false),
        (r#"{"create":[],"modify":[],"read":[]}"#, false),
        // Another order, an empty optional list, a missing list, a further key, another type.
        (r#"{"modify":[],"create":["a"],"read":[]}"#, true),
        (r#"{"create":["a"],"modify":[],"read":[],"delete":[]}"#, true),
        (r#"{"create":["a"],"modify":[]}"#, true),
        (r#"{"create":["a"],"modify":[],"read":[],"why":"x"}"#, true),
        (r#"{"create":"a","modify":[],"read":[]}"#, true),
        (r#"{"create":[7],"modify":[],"read":[]}"#, true),
        (r#"["a"]"#, true),
    ] {
        let (task, _) = read(&format!(r#"{{"files":{files}}}"#));
        assert_eq!(task.extra.contains_key("files"), is_kept, "{files}");
    }
    // A field that another key has filled is not in the object, so the object alone does not say everything.
    let (task, _) = read(r#"{"owned":["b"],"files":{"create":["a"],"modify":[],"read":[]}}"#);
    assert!(task.extra.contains_key("files"), "{task:?}");
}
