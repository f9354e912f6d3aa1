//! The assertions of a schema that concern one value and need no other schema.

use std::cmp::Ordering;

use regex::Regex;
use serde_json::{Map, Number, Value};

use super::{SchemaPlace, Stop, list, object, unjudged};

/// Checks type, equality, sizes and bounds.
pub(super) fn check(rules: &Map<String, Value>, value: &Value, at: &SchemaPlace) -> Result<(), Stop> {
    types(rules, value, at)?;
    if rules.contains_key("enum") && !list(rules, "enum")?.iter().any(|allowed| equal(allowed, value)) {
        return at.misfit(&format!("is {}, which is not in `enum`", shown(value)));
    }
    if let Some(only) = rules.get("const")
        && !equal(only, value)
    {
        return at.misfit(&format!("is {} instead of {}", shown(value), shown(only)));
    }
    match value {
        Value::Number(number) => bounds(rules, number, at),
        Value::String(text) => {
            size(rules, at, ("minLength", "maxLength"), text.chars().count(), "characters")?;
            match rules.get("pattern") {
                None => Ok(()),
                Some(Value::String(wanted)) if pattern(wanted)?.is_match(text) => Ok(()),
                Some(Value::String(wanted)) => {
                    at.misfit(&format!("is {}, which does not match `{wanted}`", shown(value)))
                }
                Some(_) => unjudged("`pattern` is not a string"),
            }
        }
        Value::Array(items) => {
            size(rules, at, ("minItems", "maxItems"), items.len(), "items")?;
            let twice = || (1..items.len()).any(|i| items[..i].iter().any(|other| equal(other, &items[i])));
            if rules.get("uniqueItems") == Some(&Value::Bool(true)) && twice() {
                return at.misfit("has an item twice");
            }
            Ok(())
        }
        Value::Object(members) => {
            size(rules, at, ("minProperties", "maxProperties"), members.len(), "members")?;
            required(rules, members, at)
        }
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

/// A regular expression of a schema. What this engine cannot read is not judged.
pub(super) fn pattern(text: &str) -> Result<Regex, Stop> {
    Regex::new(text).or_else(|_| unjudged(format!("the pattern `{text}` cannot be read")))
}

/// A keyword that holds a count.
pub(super) fn count(rules: &Map<String, Value>, key: &str) -> Result<Option<usize>, Stop> {
    let Some(value) = rules.get(key) else { return Ok(None) };
    // `2.0` is a count as well.
    let whole = value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0);
    let count = value.as_u64().or_else(|| whole.and_then(|number| format!("{number:.0}").parse().ok()));
    match count.and_then(|count| usize::try_from(count).ok()) {
        Some(count) => Ok(Some(count)),
        None => unjudged(format!("`{key}` is not a count")),
    }
}

fn types(rules: &Map<String, Value>, value: &Value, at: &SchemaPlace) -> Result<(), Stop> {
    let allowed = match rules.get("type") {
        None => return Ok(()),
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(_) => return unjudged("`type` is neither a text nor a list"),
    };
    let mut fits = false;
    for name in &allowed {
        fits |= match *name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.as_number().is_some_and(is_whole),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => return unjudged(format!("`{other}` is not a type")),
        };
    }
    if fits {
        Ok(())
    } else {
        at.misfit(&format!("is {}, not of type {}", shown(value), allowed.join(" or ")))
    }
}

fn bounds(rules: &Map<String, Value>, number: &Number, at: &SchemaPlace) -> Result<(), Stop> {
    let value = number.as_f64().unwrap_or(f64::NAN);
    // Draft 4 writes `exclusiveMinimum: true` beside `minimum`.
    let excluded = |key: &str| rules.get(key) == Some(&Value::Bool(true));
    let bound = |key: &str| match rules.get(key) {
        None | Some(Value::Bool(_)) => Ok(None),
        Some(Value::Number(bound)) => Ok(bound.as_f64()),
        Some(_) => unjudged(format!("`{key}` is not a number")),
    };
    let too_small = bound("minimum")?
        .is_some_and(|min| value < min || excluded("exclusiveMinimum") && value <= min)
        || bound("exclusiveMinimum")?.is_some_and(|min| value <= min);
    let too_large = bound("maximum")?
        .is_some_and(|max| value > max || excluded("exclusiveMaximum") && value >= max)
        || bound("exclusiveMaximum")?.is_some_and(|max| value >= max);
    if too_small || too_large {
        return at.misfit(&format!("is {number}, which is out of bounds"));
    }
    let of = bound("multipleOf")?.or(bound("divisibleBy")?);
    // 0.3 is a multiple of 0.1, although no float is exactly either.
    let is_multiple = |of: f64| ((value / of) - (value / of).round()).abs() < 1e-9;
    match of.filter(|of| !is_multiple(*of)) {
        Some(of) => at.misfit(&format!("is {number}, which is not a multiple of {of}")),
        None => Ok(()),
    }
}

fn size(
    rules: &Map<String, Value>,
    at: &SchemaPlace,
    (least, most): (&str, &str),
    has: usize,
    what: &str,
) -> Result<(), Stop> {
    if count(rules, least)?.is_some_and(|least| has < least)
        || count(rules, most)?.is_some_and(|most| has > most)
    {
        return at.misfit(&format!("has {has} {what}"));
    }
    Ok(())
}

fn required(rules: &Map<String, Value>, members: &Map<String, Value>, at: &SchemaPlace) -> Result<(), Stop> {
    let missing = |names: &[Value]| {
        names.iter().filter_map(Value::as_str).find(|name| !members.contains_key(*name)).map(String::from)
    };
    // Draft 3 wrote `required: true` inside a member; nothing that is in use does.
    if !rules.get("required").is_some_and(Value::is_boolean)
        && let Some(name) = missing(list(rules, "required")?)
    {
        return at.misfit(&format!("lacks `{name}`"));
    }
    for key in ["dependentRequired", "dependencies"] {
        for (name, needs) in object(rules, key)?.into_iter().flatten() {
            if let Value::Array(needs) = needs
                && members.contains_key(name)
                && let Some(lacking) = missing(needs)
            {
                return at.misfit(&format!("has `{name}` and lacks `{lacking}`"));
            }
        }
    }
    Ok(())
}

fn is_whole(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|value| value.fract() == 0.0)
}

/// Equality of JSON Schema: `1` is `1.0`, and the order of members does not matter.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a.partial_cmp(&b) == Some(Ordering::Equal))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

/// A value as it stands in a message: short.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 {
        return format!("`{text}`");
    }
    format!("`{}…`", text.chars().take(60).collect::<String>())
}
