//! Tests: the answers are those of a full implementation, over a table and over schemas drawn at random.

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, option};
use serde_json::json;

use super::*;

/// The verdict of the full implementation on the same question.
fn reference(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(schema).expect("a schema").is_valid(value)
}

fn fits(schema: &Value, value: &Value) -> bool {
    misfit(schema, value).unwrap_or_else(|why| panic!("{schema} is not judged: {why}")).is_none()
}

/// Schemas, each with values of which some fit and some do not.
fn table() -> Vec<(Value, Vec<Value>)> {
    let words = || vec![json!("a"), json!("abc"), json!(""), json!("ä"), json!(1), json!(null)];
    let numbers = || vec![json!(0), json!(1), json!(1.0), json!(2.5), json!(-3), json!(10), json!("1")];
    let lists = || {
        vec![
            json!([]),
            json!([1]),
            json!([1, 1.0]),
            json!(["a", 1]),
            json!([1, 2, 3]),
            json!([[1], [1]]),
            json!({}),
        ]
    };
    let objects = || {
        vec![
            json!({}),
            json!({"a": 1}),
            json!({"a": "x"}),
            json!({"a": 1, "b": 2}),
            json!({"b": 1, "c": "x"}),
            json!({"x-a": 1, "a": 1}),
            json!([]),
        ]
    };
    let tree = json!({
        "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "v": {"type": "integer"}},
            "required": ["v"], "unevaluatedProperties": false}},
        "$ref": "#/$defs/node"});
    vec![
        (json!(true), words()),
        (json!(false), words()),
        (json!({"type": "string", "minLength": 1, "maxLength": 2}), words()),
        (json!({"type": ["string", "null"], "pattern": "^a"}), words()),
        (json!({"enum": ["a", 1, null]}), words()),
        (json!({"const": 1}), numbers()),
        (json!({"type": "integer"}), numbers()),
        (json!({"minimum": 1, "exclusiveMaximum": 10}), numbers()),
        (
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}),
            numbers(),
        ),
        (json!({"multipleOf": 1}), numbers()),
        (json!({"multipleOf": 0.1}), vec![json!(0.3), json!(0.35), json!(7)]),
        (json!({"minItems": 1, "maxItems": 2, "uniqueItems": true}), lists()),
        (json!({"items": {"type": "integer"}}), lists()),
        (json!({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}), lists()),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}], "additionalItems": false}),
            lists(),
        ),
        (json!({"contains": {"const": 1}, "minContains": 2}), lists()),
        (json!({"contains": {"const": 1}, "maxContains": 1, "minContains": 0}), lists()),
        (json!({"prefixItems": [true], "unevaluatedItems": false}), lists()),
        (json!({"contains": {"const": 1}, "unevaluatedItems": {"type": "string"}}), lists()),
        (json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}), objects()),
        (
            json!({"properties": {"a": true}, "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": false}),
            objects(),
        ),
        (json!({"additionalProperties": {"type": "integer"}}), objects()),
        (json!({"propertyNames": {"maxLength": 1}, "minProperties": 1, "maxProperties": 1}), objects()),
        (
            json!({"dependentRequired": {"b": ["c"]}, "dependentSchemas": {"c": {"properties": {"b": {"const": 1}}}}}),
            objects(),
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"b": ["c"], "a": {"required": ["b"]}}}),
            objects(),
        ),
        (json!({"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}), objects()),
        (json!({"anyOf": [{"required": ["a"]}, {"required": ["c"]}]}), objects()),
        (json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}), objects()),
        (json!({"not": {"required": ["a"]}}), objects()),
        (
            json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}),
            objects(),
        ),
        (
            json!({"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "unevaluatedProperties": false}),
            objects(),
        ),
        (
            tree,
            vec![
                json!({"v": 1}),
                json!({"v": 1, "next": {"v": 2}}),
                json!({"v": 1, "next": {}}),
                json!({"v": 1, "w": 1}),
            ],
        ),
        (json!({"$ref": "#item", "$defs": {"x": {"$anchor": "item", "type": "integer"}}}), numbers()),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a/b": {"type": "integer"}},
            "properties": {"a": {"$ref": "#/definitions/a~1b", "minimum": 100}}}),
            objects(),
        ),
        (
            json!({"$defs": {"%": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/%25", "minimum": 100}}}),
            objects(),
        ),
        (
            json!({"$id": "https://e.org/root.json", "$defs": {"i": {"$id": "int.json", "type": "integer"}},
            "properties": {"a": {"$ref": "int.json"}}}),
            objects(),
        ),
    ]
}

#[test]
fn answers_are_those_of_a_full_implementation() {
    for (schema, values) in table() {
        let mut answers = Vec::new();
        for value in &values {
            let (ours, theirs) = (fits(&schema, value), reference(&schema, value));
            assert_eq!(ours, theirs, "{value} by {schema}");
            answers.push(ours);
        }
        let decides = schema.is_boolean() || answers.contains(&true) && answers.contains(&false);
        assert!(decides, "every value gets the same answer by {schema}");
    }
}

#[test]
fn the_difference_names_its_place() {
    let schema = json!({"properties": {"a/b": {"items": {"type": "integer"}}}});
    let said = misfit(&schema, &json!({"a/b": [1, "x"]})).unwrap().unwrap();
    assert_eq!(said, "`/a~1b/1` is `\"x\"`, not of type integer");
    let whole = misfit(&json!({"required": ["port"]}), &json!({})).unwrap().unwrap();
    assert_eq!(whole, "the whole lacks `port`");
}

#[test]
fn what_cannot_be_judged_is_no_fit() {
    for (schema, why) in [
        (json!({"$ref": "other.json"}), "it refers to `other.json`, which is another document"),
        (json!({"$ref": "#/$defs/gone"}), "it refers to `#/$defs/gone`, which it does not have"),
        (json!({"$ref": "#"}), "it refers to itself without end, or is nested too deeply"),
        (json!({"$dynamicRef": "#x"}), "it uses `$dynamicRef`"),
        (json!({"pattern": "(?=a)"}), "the pattern `(?=a)` cannot be read"),
        (json!({"type": "text"}), "`text` is not a type"),
        (json!({"required": "a"}), "`required` is not a list"),
        (json!({"minLength": "1"}), "`minLength` is not a count"),
        (json!({"properties": []}), "`properties` is not an object"),
        (json!([]), "a schema is an object, `true` or `false`"),
    ] {
        let value =
            if why.contains("count") || why.contains("pattern") { json!("a") } else { json!({"a": 1}) };
        assert_eq!(misfit(&schema, &value), Err(why.to_owned()), "{schema}");
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-3i64..4).prop_map(|n| json!(n)),
        Just(json!(1.5)),
        "[ab]{0,3}".prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            collection::btree_map("[ab]", inner, 0..3).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn any_schema() -> impl Strategy<Value = Value> {
    let types = prop_oneof![
        Just("object"),
        Just("array"),
        Just("string"),
        Just("integer"),
        Just("number"),
        Just("null")
    ];
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        types.prop_map(|name| json!({"type": name})),
        (0u8..3).prop_map(|n| json!({"minLength": n, "minItems": n, "maxProperties": n, "minimum": n})),
        any_value().prop_map(|value| json!({"const": value})),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let several = collection::vec(inner.clone(), 1..3);
        prop_oneof![
            (several.clone(), prop_oneof![Just("allOf"), Just("anyOf"), Just("oneOf"), Just("prefixItems")])
                .prop_map(|(all, key)| json!({key: all})),
            (
                inner.clone(),
                prop_oneof![Just("not"), Just("items"), Just("contains"), Just("additionalProperties")]
            )
                .prop_map(|(one, key)| json!({key: one})),
            (inner.clone(), option::of(inner.clone()), inner.clone()).prop_map(|(a, b, rest)| {
                let mut schema =
                    json!({"properties": {"a": a}, "unevaluatedProperties": rest, "unevaluatedItems": rest});
                if let Some(b) = b {
                    schema["if"] = b.clone();
                    schema["then"] = json!({"properties": {"b": b}});
                }
                schema
            }),
        ]
    })
}

proptest! {
    #[test]
    fn random_schemas_are_judged_alike(schema in any_schema(), value in any_value()) {
        assert_eq!(fits(&schema, &value), reference(&schema, &value), "{value} by {schema}");
    }
}
