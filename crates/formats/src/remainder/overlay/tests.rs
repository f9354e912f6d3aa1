//! Tests of `remainder/overlay`.

use serde_json::{Value, json};

use super::{difference, lay_over};

fn rest(whole: &Value, back: &Value) -> Value {
    let (Value::Object(whole), Value::Object(back)) = (whole.clone(), back) else { panic!("objects") };
    Value::Object(difference(whole, back))
}

/// What a person does to the smaller document, and what both together say then.
#[test]
fn what_a_person_changed_stays_and_the_rest_comes_back() {
    let whole = json!({ "title": "T", "size": 3, "test": { "file": "a", "command": "long" },
        "steps": [{ "do": "red", "run": "x", "title": "Red" }, { "do": "green", "run": "y" }] });
    let back = json!({ "title": "T", "test": { "command": "short" }, "odd": true,
        "steps": [{ "do": "red", "title": "R" }, { "do": "green" }] });
    let rest = rest(&whole, &back);
    let over = |now: &Value| lay_over(now, rest.clone()).unwrap();
    let mut kept = whole.clone();
    kept["odd"] = Value::Null;
    assert_eq!(over(&back), kept);
    type Change = (fn(&mut Value), fn(&mut Value));
    let table: [Change; 6] = [
        (|now| now["title"] = json!("U"), |kept| kept["title"] = json!("U")),
        (|now| now["test"]["command"] = json!("own"), |kept| kept["test"]["command"] = json!("own")),
        (|now| now["steps"][0]["title"] = json!("Own"), |kept| kept["steps"][0]["title"] = json!("Own")),
        (|now| now["steps"][1]["do"] = json!("blue"), |kept| kept["steps"][1]["do"] = json!("blue")),
        (|now| now["steps"] = json!([{ "do": "all" }]), |kept| kept["steps"] = json!([{ "do": "all" }])),
        (|now| now["odd"] = json!(7), |kept| kept["odd"] = json!(7)),
    ];
    for (at, (change, expected)) in table.into_iter().enumerate() {
        let (mut now, mut both) = (back.clone(), kept.clone());
        change(&mut now);
        expected(&mut both);
        assert_eq!(over(&now), both, "{at}");
    }
}

/// Files of earlier versions have whole lists and no marks.
#[test]
fn a_difference_without_marks_is_laid_over_as_it_is() {
    let over = lay_over(&json!({ "a": 1, "list": [{ "x": 1 }] }), json!({ "a": 2, "list": [{ "y": 2 }] }));
    assert_eq!(over.unwrap(), json!({ "a": 2, "list": [{ "y": 2 }] }));
}
