//! Wishes and their JSON, good and hostile.

use super::*;

#[test]
fn wishes_have_a_fixed_form() {
    let task = || TaskId::new("x").unwrap();
    let table = [
        (Wish::Pause {}, r#"{"wish":"pause"}"#),
        (Wish::Resume {}, r#"{"wish":"resume"}"#),
        (Wish::Cancel { task: None }, r#"{"wish":"cancel"}"#),
        (Wish::Cancel { task: Some(task()) }, r#"{"wish":"cancel","task":"x"}"#),
        (Wish::Retry { task: task() }, r#"{"wish":"retry","task":"x"}"#),
        (Wish::Skip { task: task() }, r#"{"wish":"skip","task":"x"}"#),
        (Wish::RetryFailed {}, r#"{"wish":"retry_failed"}"#),
        (
            Wish::Answer { task: task(), text: "80".into(), afresh: false },
            r#"{"wish":"answer","task":"x","text":"80"}"#,
        ),
        (
            Wish::Answer { task: task(), text: "80".into(), afresh: true },
            r#"{"wish":"answer","task":"x","text":"80","afresh":true}"#,
        ),
        (Wish::Approve { task: task(), files: Vec::new() }, r#"{"wish":"approve","task":"x"}"#),
        (
            Wish::Approve { task: task(), files: vec!["a b".into()] },
            r#"{"wish":"approve","task":"x","files":["a b"]}"#,
        ),
    ];
    for (wish, text) in table {
        assert_eq!(wish.to_json().unwrap(), text);
        assert_eq!(Wish::from_json(text).unwrap(), wish);
    }
    for bad in ["", "{}", r#"{"wish":"fly"}"#, r#"{"wish":"retry"}"#, r#"{"wish":"retry","task":"../x"}"#] {
        assert!(Wish::from_json(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_wish_about_a_task_never_becomes_one_about_the_run() {
    // A misspelt key in a `cancel` would otherwise stop everything.
    let refused = [
        r#"{"wish":"cancel","tasks":["x"]}"#,
        r#"{"wish":"cancel","Task":"x"}"#,
        r#"{"wish":"cancel","task":["x"]}"#,
        r#"{"wish":"cancel","task":""}"#,
        r#"{"wish":"cancel","task":"*"}"#,
        r#"{"wish":"cancel","task":"x","force":true}"#,
        r#"{"wish":"pause","task":"x"}"#,
        r#"{"wish":"resume","task":"x"}"#,
    ];
    for text in refused {
        assert!(Wish::from_json(text).is_err(), "{text}");
    }
    assert_eq!(Wish::from_json(r#"{"wish":"cancel","task":null}"#).unwrap(), Wish::Cancel { task: None });
}

#[test]
fn hostile_texts_are_refused() {
    let refused = [
        "null",
        "[]",
        "\"pause\"",
        r#"{"wish":"PAUSE"}"#,
        r#"{"wish":"pause"} {"wish":"cancel"}"#,
        r#"{"wish":"pause","wish":"cancel"}"#,
        r#"{"wish":"skip","task":"x","task":"y"}"#,
        r#"{"wish":"approve","task":"x\u0000"}"#,
        r#"{"wish":"retry","task":null}"#,
        r#"{"wish":"retry","task":"x""#,
        "{\"wish\":\"retry\",\"task\":\"a\nb\"}",
    ];
    for text in refused {
        assert!(Wish::from_json(text).is_err(), "{text}");
    }
    let deep = format!("{}{}", r#"{"wish":"#.repeat(100_000), "}".repeat(100_000));
    assert!(Wish::from_json(&deep).is_err());
}

#[test]
fn space_and_line_ends_around_a_wish_do_not_matter() {
    for text in ["{\"wish\":\"pause\"}\n", "\r\n { \"wish\" : \"pause\" }\r\n", "\t{\"wish\":\"pause\"}"] {
        assert_eq!(Wish::from_json(text).unwrap(), Wish::Pause {}, "{text:?}");
    }
}
