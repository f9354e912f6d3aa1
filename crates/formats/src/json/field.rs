//! The field that a place in a JSON text belongs to: `tasks[0].steps[1].run`.

use super::scan::{skip_blank, skip_string};

/// A list or an object around a place.
enum FieldParent {
    /// The index of the item.
    List(usize),
    /// The key of the member; `None` before the first.
    Object(Option<String>),
}

/// The field whose key or value begins at `at`; `None` where there is none, as at the top.
pub fn field_at(text: &str, at: usize) -> Option<String> {
    let bytes = text.as_bytes();
    let mut around: Vec<FieldParent> = Vec::new();
    let mut here = 0;
    let mut wants_key = false;
    loop {
        here = skip_blank(bytes, here);
        let byte = *bytes.get(here)?;
        if byte == b'"' {
            let end = skip_string(bytes, here + 1);
            if let (true, Some(FieldParent::Object(key))) = (wants_key, around.last_mut()) {
                *key = Some(text.get(here + 1..end.saturating_sub(1))?.to_owned());
                wants_key = false;
            }
            if here >= at {
                return shown(&around);
            }
            here = end;
            continue;
        }
        if here >= at && !matches!(byte, b',' | b':' | b'}' | b']') {
            return shown(&around);
        }
        match byte {
            b'{' => around.push(FieldParent::Object(None)),
            b'[' => around.push(FieldParent::List(0)),
            b'}' | b']' => drop(around.pop()?),
            b',' => {
                if let Some(FieldParent::List(index)) = around.last_mut() {
                    *index += 1;
                }
            }
            _ => {}
        }
        wants_key = matches!(byte, b'{' | b',') && matches!(around.last(), Some(FieldParent::Object(_)));
        here += 1;
    }
}

fn shown(around: &[FieldParent]) -> Option<String> {
    let mut field = String::new();
    for part in around {
        match part {
            FieldParent::List(index) => field.push_str(&format!("[{index}]")),
            FieldParent::Object(Some(key)) if field.is_empty() => field.push_str(key),
            FieldParent::Object(Some(key)) => field.push_str(&format!(".{key}")),
            FieldParent::Object(None) => {}
        }
    }
    (!field.is_empty()).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::field_at;

    #[test]
    fn places_have_fields() {
        let text = r#"{"tasks": [{"id": "a,]}"}, {"steps": [{"run": 7}, 8], "id": "b"}], "x": null}"#;
        for (mark, expected) in [
            ("[{\"id\"", Some("tasks")),
            ("\"a,]}", Some("tasks[0].id")),
            ("{\"steps", Some("tasks[1]")),
            ("\"steps\"", Some("tasks[1].steps")),
            ("7", Some("tasks[1].steps[0].run")),
            ("8", Some("tasks[1].steps[1]")),
            ("\"b\"", Some("tasks[1].id")),
            ("null", Some("x")),
        ] {
            let at = text.find(mark).unwrap();
            assert_eq!(field_at(text, at).as_deref(), expected, "{mark}");
        }
        assert_eq!(field_at(text, 0), None);
        assert_eq!(field_at("not JSON", 3), None);
        assert_eq!(field_at("{\"a", 9), None);
    }
}
