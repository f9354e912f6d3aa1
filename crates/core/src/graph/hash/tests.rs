//! The hash of a task, field by field.

use serde_json::{Value, json};

use super::*;

fn base() -> Value {
    json!({"id": "a", "title": "Do it", "depends_on": ["x", "y"], "pre_analysis": [{"k": 1, "l": {"m": 2, "n": 3}}]})
}

fn hash(fields: &Value) -> String {
    let mut value = base();
    value.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    task_hash(&serde_json::from_value(value.clone()).unwrap_or_else(|e| panic!("{value}: {e}")))
}

#[test]
fn a_hash_is_blake3_in_hexadecimal() {
    let hash = hash(&json!({}));
    assert!(
        hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)),
        "{hash}"
    );
}

#[test]
fn every_field_about_the_work_counts() {
    let changes = [
        json!({"id": "b"}),
        json!({"title": "Do that"}),
        json!({"objective": "x"}),
        json!({"description": "x"}),
        json!({"task_type": "bug_fix"}),
        json!({"methodology": "tdd"}),
        json!({"mode": "tdd"}),
        json!({"depends_on": ["x"]}),
        json!({"criteria": [{"id": "AC-1", "text": "x"}]}),
        json!({"traces_to": {"stories": ["US-1"]}}),
        json!({"test": {"file": "t"}}),
        json!({"test": {"required": false}}),
        json!({"test": {"held_out": [{"path": "t", "blake3": "b"}]}}),
        json!({"test": {"coverage": 80.0}}),
        json!({"files": {"create": ["x"]}}),
        json!({"files": {"modify": ["x"]}}),
        json!({"files": {"read": ["x"]}}),
        json!({"changes": {"x": "y"}}),
        json!({"focus_paths": ["x"]}),
        json!({"contract": [{"code": "x"}]}),
        json!({"interfaces": [{"code": "x"}]}),
        json!({"test_code": [{"code": "x"}]}),
        json!({"test_code": [{"code": "x", "placement": "addition"}]}),
        json!({"verification": {"script": "x"}}),
        json!({"verification": {"script": "x", "timeout_seconds": 5}}),
        json!({"done_when": ["x"]}),
        json!({"steps": [{"action": "commit"}]}),
        json!({"pre_analysis": [{"k": 2}]}),
        json!({"tdd_cycles": [{"test_count": 2}]}),
        json!({"consumers": ["x"]}),
        json!({"risks": ["x"]}),
        json!({"notes": "x"}),
        json!({"sections": [{"heading": "h", "body": "b"}]}),
    ];
    let mut seen = std::collections::BTreeMap::from([(hash(&json!({})), json!({}))]);
    for change in changes {
        if let Some(same) = seen.insert(hash(&change), change.clone()) {
            panic!("{change} and {same} have one hash");
        }
    }
}

#[test]
fn nothing_about_when_by_which_agent_and_how_long_counts() {
    let changes = [
        json!({"layer": 1}),
        json!({"level": 1}),
        json!({"phase": "x"}),
        json!({"track": "x"}),
        json!({"parent": "x"}),
        json!({"sub_plan": "x"}),
        json!({"priority": "high"}),
        json!({"resources": ["db"]}),
        json!({"tier": "large"}),
        json!({"agent": "x"}),
        json!({"method": "cli"}),
        json!({"session": {"id": "x"}}),
        json!({"max_iterations": 3}),
        json!({"complexity": "complex"}),
        json!({"estimate_minutes": 5}),
        json!({"estimated_scope": "x"}),
        json!({"lines": {"x": 5}}),
        json!({"claimed_state": "done"}),
        json!({"extra": {"x": 1}}),
    ];
    for change in changes {
        assert_eq!(hash(&change), hash(&json!({})), "{change}");
    }
}

#[test]
fn the_form_of_a_field_does_not_count() {
    let same = [
        // The order of waits, and a wait that is named twice.
        json!({"depends_on": ["y", "x"]}),
        json!({"depends_on": ["x", "y", "x"]}),
        // Space in a title.
        json!({"title": "  Do\tit\r\n"}),
        // The order of keys in loose JSON.
        json!({"pre_analysis": [{"l": {"n": 3, "m": 2}, "k": 1}]}),
    ];
    for change in same {
        assert_eq!(hash(&change), hash(&json!({})), "{change}");
    }
    let pairs = [
        (json!({"notes": "a\r\nb"}), json!({"notes": "a\nb"}), true),
        (
            json!({"verification": {"script": "a\r\nb\r\n"}}),
            json!({"verification": {"script": "a\nb\n"}}),
            true,
        ),
        // A carriage return alone, and the two characters `\r`, are content.
        (json!({"notes": "a\rb"}), json!({"notes": "ab"}), false),
        (json!({"notes": "a\\r\\nb"}), json!({"notes": "a\\nb"}), false),
        (json!({"notes": "\\\r\n"}), json!({"notes": "\\\n"}), true),
        // The order of files is the author's.
        (json!({"files": {"create": ["a", "b"]}}), json!({"files": {"create": ["b", "a"]}}), false),
    ];
    for (a, b, same) in pairs {
        assert_eq!(hash(&a) == hash(&b), same, "{a} {b}");
    }
}
