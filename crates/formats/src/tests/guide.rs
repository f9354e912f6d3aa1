//! The guide is true: its example is read without a finding, its tables name every key, and the schemas fit.

use serde_json::{Map, Value};

use crate::markdown::{BodyBlock, SectionedText, TextSlice, blocks};
use crate::native::PLAN_KEYS;
use crate::taskfile::{Form, TASK_KEYS, write_task};
use crate::tests::full_task;
use crate::tree::parse_yaml;
use crate::{Dialect, Input, TextFile, plan_json, read, schemas};
use windlass_core::plan::Plan;

const GUIDE: &str = include_str!("../../../../docs/guide/plan-formats.md");

/// The files the guide shows: a fence after a comment `<!-- file: path -->`.
fn example() -> Input {
    let mut files = Vec::new();
    let mut name = None;
    for block in blocks(&TextSlice { at: 0, text: GUIDE }) {
        match block {
            BodyBlock::Text(line) => {
                let path = line.text.strip_prefix("<!-- file: ").and_then(|t| t.strip_suffix(" -->"));
                name = path.map(str::to_owned).or(name.filter(|_| line.text.is_empty()));
            }
            BodyBlock::Code(code) => {
                files.extend(name.take().map(|path| TextFile { path, bytes: code.text.into_bytes() }));
            }
        }
    }
    Input { root: "plans/greeting".into(), files }
}

#[test]
fn the_example_is_read_without_a_finding() {
    let loaded = read(Dialect::Native, &example());
    assert_eq!(loaded.diagnostics, []);
    let plan = &loaded.plan;
    assert_eq!((plan.name.as_str(), plan.tasks.len(), plan.criteria.len()), ("greeting", 2, 2));
    assert_eq!(plan.tasks[0].test_code[0].path.as_deref(), Some("tests/test_greet.py"));
    assert_eq!(plan.tasks[1].depends_on, ["T-001"]);
    assert_eq!(plan.tasks[1].steps.len(), 6);
    assert!(plan.tasks.iter().all(|t| t.sections.is_empty() && t.extra.is_empty()));
}

#[test]
fn the_tables_name_every_key() {
    let plan_keys = PLAN_KEYS.iter().map(|k| k.name).chain(["defaults"]);
    for name in plan_keys.chain(TASK_KEYS.iter().map(|k| k.name)) {
        assert!(GUIDE.contains(&format!("\n| `{name}` |")), "{name} is not in the guide");
    }
    for alias in TASK_KEYS.iter().flat_map(|k| k.aliases) {
        assert!(GUIDE.contains(&format!("`{alias}`")), "{alias} is not in the guide");
    }
}

fn assert_fits(schema: &str, value: &Value) {
    let schemas = schemas();
    let text = &schemas.iter().find(|(name, _)| *name == schema).unwrap().1;
    let validator = jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new(), "{schema}");
}

#[test]
fn what_is_written_fits_the_schemas() {
    let plan = Plan { name: "full".into(), tasks: vec![full_task()], ..Plan::default() };
    assert_fits("plan.json", &plan_json(&plan));
    assert_fits("plan.json", &plan_json(&read(Dialect::Native, &example()).plan));
    let text = write_task(&full_task(), Form::Native);
    let front = SectionedText::parse(&text).front.unwrap();
    let node = parse_yaml(front.text, windlass_core::diagnostic::FileIx(0), 0, &mut Vec::new()).unwrap();
    assert_fits("task.schema.json", &node.to_value());
}

#[test]
fn the_schemas_refuse_what_the_reader_refuses() {
    let schemas = schemas();
    let text = &schemas.iter().find(|(name, _)| *name == "task.schema.json").unwrap().1;
    let validator = jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap();
    let key = |name: &str, value: Value| Value::Object(Map::from_iter([(name.to_owned(), value)]));
    for (name, value) in [("layer", "two".into()), ("mode", "fast".into()), ("files", 3.into())] {
        assert!(!validator.is_valid(&key(name, value)), "{name}");
    }
}
