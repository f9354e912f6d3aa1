//! YAML that is no plan (configuration, API descriptions) as plain values: every document, with its aliases and merge keys.
//!
//! Tags are passed over. What an alias repeats is counted, so that a small text cannot become a large value.

use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use super::{Quoting, resolve};

/// How many values a text may hold, repeated ones included, and how deeply they may lie in each other.
const MOST: usize = 1_000_000;
const DEEPEST: usize = 200;

/// The documents of a text. `Err` says in which line it is no YAML, and why.
pub fn yaml_documents(text: &str) -> Result<Vec<Value>, String> {
    let mut reading = YamlReading::default();
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| format!("line {}: {}", error.marker().line(), error.info()))?;
        reading.hear(event).map_err(|why| format!("line {}: {why}", span.start.line()))?;
    }
    Ok(reading.documents)
}

/// A collection that is not closed yet, and the number of its anchor.
enum OpenYaml {
    List(usize, Vec<Value>),
    Map(usize, Map<String, Value>, Option<String>),
}

#[derive(Default)]
struct YamlReading {
    documents: Vec<Value>,
    open: Vec<OpenYaml>,
    /// What aliases stand for. The parser gives a node without an anchor the number 0.
    anchors: HashMap<usize, Value>,
    values: usize,
}

impl YamlReading {
    fn hear(&mut self, event: Event<'_>) -> Result<(), &'static str> {
        match event {
            Event::DocumentStart(..) => self.documents.push(Value::Null),
            Event::Scalar(text, style, anchor, _) => {
                let style = if style == ScalarStyle::Plain { Quoting::Plain } else { Quoting::Quoted };
                self.finish(anchor, resolve(&text, style))?;
            }
            Event::SequenceStart(_, anchor, _) => self.open.push(OpenYaml::List(anchor, Vec::new())),
            Event::MappingStart(_, anchor, _) => self.open.push(OpenYaml::Map(anchor, Map::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(OpenYaml::List(anchor, items)) => self.finish(anchor, Value::Array(items))?,
                Some(OpenYaml::Map(anchor, members, _)) => self.finish(anchor, Value::Object(members))?,
                None => {}
            },
            Event::Alias(anchor) => {
                let value =
                    self.anchors.get(&anchor).ok_or("an alias inside the value that it stands for")?;
                self.values += size(value);
                if self.values > MOST {
                    return Err("aliases make it too large");
                }
                let value = value.clone();
                self.place(value);
            }
            // The parser's enum is non-exhaustive, and the other events carry no data.
            _ => {}
        }
        if self.open.len() > DEEPEST { Err("it is nested too deeply") } else { Ok(()) }
    }

    fn finish(&mut self, anchor: usize, value: Value) -> Result<(), &'static str> {
        self.values += 1;
        if self.values > MOST {
            return Err("it is too large");
        }
        if anchor != 0 {
            self.anchors.insert(anchor, value.clone());
        }
        self.place(value);
        Ok(())
    }

    /// Puts a finished value where it belongs: as a key, a member, an item or the document.
    fn place(&mut self, value: Value) {
        match self.open.last_mut() {
            None => {
                if let Some(document) = self.documents.last_mut() {
                    *document = value;
                }
            }
            Some(OpenYaml::List(_, items)) => items.push(value),
            Some(OpenYaml::Map(_, _, key @ None)) => {
                *key = Some(match value {
                    Value::String(text) => text,
                    other => other.to_string(),
                });
            }
            Some(OpenYaml::Map(_, members, key)) => match key.take() {
                Some(key) if key == "<<" => merge(members, value),
                Some(key) => {
                    members.insert(key, value);
                }
                None => {}
            },
        }
    }
}

/// `<<: *base`: the members of another map, or of several, where there are none of the name.
fn merge(members: &mut Map<String, Value>, value: Value) {
    match value {
        Value::Object(others) => {
            for (name, value) in others {
                members.entry(name).or_insert(value);
            }
        }
        Value::Array(all) => all.into_iter().for_each(|one| merge(members, one)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn documents_with_aliases_tags_and_merges() {
        let table = [
            ("", json!([])),
            ("---\n...\n", json!([null])),
            ("a: 1\nb: [x, \"1\", 1.5, ~, true]\n", json!([{"a": 1, "b": ["x", "1", 1.5, null, true]}])),
            ("a: &x {n: 1}\nb: *x\n---\n- !Ref Name\n", json!([{"a": {"n": 1}, "b": {"n": 1}}, ["Name"]])),
            (
                "base: &b {n: 1, m: 2}\none:\n  <<: *b\n  m: 3\n",
                json!([{"base": {"n": 1, "m": 2}, "one": {"n": 1, "m": 3}}]),
            ),
            (
                "a: &a {n: 1}\nb: &b {n: 2, k: 3}\nc: {<<: [*a, *b]}\n",
                json!([{"a": {"n": 1}, "b": {"n": 2, "k": 3}, "c": {"n": 1, "k": 3}}]),
            ),
            ("200: ok\n? [a]\n: pair\n", json!([{"200": "ok", "[\"a\"]": "pair"}])),
            ("text: |\n  two\n  lines\n", json!([{"text": "two\nlines\n"}])),
        ];
        for (text, wanted) in table {
            assert_eq!(yaml_documents(text).map(Value::Array), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn what_is_no_yaml_names_its_line() {
        for (text, line) in [("a: 1\nb: [1\nc: 2\n", "line 3"), ("a: *gone\n", "line 1")] {
            let why = yaml_documents(text).unwrap_err();
            assert!(why.starts_with(line), "{text}: {why}");
        }
    }

    #[test]
    fn a_small_text_stays_a_small_value() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..10 {
            let inner = format!("*a{}, ", level - 1).repeat(10);
            bomb.push_str(&format!("a{level}: &a{level} [{inner}]\n"));
        }
        assert!(yaml_documents(&bomb).unwrap_err().ends_with("aliases make it too large"));
        let deep = "[".repeat(5_000) + &"]".repeat(5_000);
        assert!(yaml_documents(&deep).is_err());
    }
}
