//! Whether a JSON value fits a JSON Schema, for configuration that stands beside its schema.
//!
//! Drafts 4 to 2020-12, every assertion. `format` is a remark, as in the newest draft. A schema that refers to another document,
//! or that refers dynamically, is not judged: the answer is then an error, never a fit. Tests compare the answers with a
//! full implementation, which is too large to be part of the program for this one question.

mod assertions;
mod references;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// How many schemas may be open at once: a schema that refers to itself without end is not judged.
const DEEPEST: usize = 200;

/// What the first difference between a value and its schema is; `None` if the value fits. `Err` says why the schema
/// cannot be judged.
pub fn misfit(schema: &Value, value: &Value) -> Result<Option<String>, String> {
    let judge = Judge { root: schema, refs_stand_alone: references::refs_stand_alone(schema) };
    match judge.check(schema, value, &SchemaPlace::default()) {
        Ok(_) => Ok(None),
        Err(Stop::Misfit(what)) => Ok(Some(what)),
        Err(Stop::Unjudged(why)) => Err(why),
    }
}

/// Why the judgement ends.
enum Stop {
    Misfit(String),
    Unjudged(String),
}

/// Where the judgement is: the place in the value, and how many schemas are open.
#[derive(Clone, Default)]
struct SchemaPlace {
    pointer: String,
    depth: usize,
}

impl SchemaPlace {
    fn below(&self, part: &str) -> Self {
        let part = part.replace('~', "~0").replace('/', "~1");
        Self { pointer: format!("{}/{part}", self.pointer), depth: self.depth }
    }

    fn misfit<T>(&self, what: &str) -> Result<T, Stop> {
        let place =
            if self.pointer.is_empty() { "the whole".to_owned() } else { format!("`{}`", self.pointer) };
        Err(Stop::Misfit(format!("{place} {what}")))
    }
}

/// The members and items that a schema has judged, for `unevaluatedProperties` and `unevaluatedItems`.
#[derive(Default)]
struct JudgedParts {
    members: BTreeSet<String>,
    items: BTreeSet<usize>,
}

impl JudgedParts {
    fn add(&mut self, other: Self) {
        self.members.extend(other.members);
        self.items.extend(other.items);
    }
}

struct Judge<'a> {
    root: &'a Value,
    /// Before draft 2019-09 nothing that stands beside a `$ref` counts.
    refs_stand_alone: bool,
}

impl Judge<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &SchemaPlace) -> Result<JudgedParts, Stop> {
        let at = SchemaPlace { depth: at.depth + 1, ..at.clone() };
        if at.depth > DEEPEST {
            return unjudged("it refers to itself without end, or is nested too deeply");
        }
        let rules = match schema {
            Value::Bool(true) => return Ok(JudgedParts::default()),
            Value::Bool(false) => return at.misfit("is not allowed"),
            Value::Object(rules) => rules,
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return unjudged("a schema is an object, `true` or `false`");
            }
        };
        let mut judged = JudgedParts::default();
        if let Some(target) = self.referred(rules)? {
            judged.add(self.check(target, value, &at)?);
            if self.refs_stand_alone {
                return Ok(judged);
            }
        }
        assertions::check(rules, value, &at)?;
        judged.add(self.combined(rules, value, &at)?);
        match value {
            Value::Object(members) => self.members(rules, members, value, &at, &mut judged)?,
            Value::Array(items) => self.items(rules, items, &at, &mut judged)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        Ok(judged)
    }

    /// Whether the value fits; what could not be judged ends everything.
    fn fits(&self, schema: &Value, value: &Value, at: &SchemaPlace) -> Result<Option<JudgedParts>, Stop> {
        match self.check(schema, value, at) {
            Ok(judged) => Ok(Some(judged)),
            Err(Stop::Misfit(_)) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// `allOf`, `anyOf`, `oneOf`, `not`, `if`.
    fn combined(
        &self,
        rules: &Map<String, Value>,
        value: &Value,
        at: &SchemaPlace,
    ) -> Result<JudgedParts, Stop> {
        let mut judged = JudgedParts::default();
        for schema in list(rules, "allOf")? {
            judged.add(self.check(schema, value, at)?);
        }
        for (key, only_one) in [("anyOf", false), ("oneOf", true)] {
            let mut fitting = 0;
            for schema in list(rules, key)? {
                if let Some(of_this) = self.fits(schema, value, at)? {
                    fitting += 1;
                    judged.add(of_this);
                }
            }
            if rules.contains_key(key) && (fitting == 0 || only_one && fitting > 1) {
                return at.misfit(&format!("fits {fitting} of the schemas of `{key}`"));
            }
        }
        if let Some(schema) = rules.get("not")
            && self.fits(schema, value, at)?.is_some()
        {
            return at.misfit("fits the schema of `not`");
        }
        if let Some(condition) = rules.get("if") {
            let met = self.fits(condition, value, at)?;
            let branch = if met.is_some() { "then" } else { "else" };
            judged.add(met.unwrap_or_default());
            if let Some(schema) = rules.get(branch) {
                judged.add(self.check(schema, value, at)?);
            }
        }
        Ok(judged)
    }

    /// Everything about the members of an object.
    fn members(
        &self,
        rules: &Map<String, Value>,
        members: &Map<String, Value>,
        whole: &Value,
        at: &SchemaPlace,
        judged: &mut JudgedParts,
    ) -> Result<(), Stop> {
        let named = object(rules, "properties")?;
        let by_pattern = object(rules, "patternProperties")?
            .into_iter()
            .flatten()
            .map(|(pattern, schema)| Ok((assertions::pattern(pattern)?, schema)))
            .collect::<Result<Vec<_>, Stop>>()?;
        for (name, member) in members {
            let inside = at.below(name);
            let mut known = false;
            if let Some(schema) = named.and_then(|named| named.get(name)) {
                known = true;
                self.check(schema, member, &inside)?;
            }
            for (_, schema) in by_pattern.iter().filter(|(pattern, _)| pattern.is_match(name)) {
                known = true;
                self.check(schema, member, &inside)?;
            }
            if !known && let Some(schema) = rules.get("additionalProperties") {
                known = true;
                self.check(schema, member, &inside)?;
            }
            if known {
                judged.members.insert(name.clone());
            }
            if let Some(schema) = rules.get("propertyNames") {
                self.check(schema, &Value::String(name.clone()), &inside)?;
            }
        }
        // `dependencies` of older drafts holds both: lists of names, which `assertions` looks at, and schemas.
        for key in ["dependentSchemas", "dependencies"] {
            for (name, schema) in object(rules, key)?.into_iter().flatten() {
                if members.contains_key(name) && !schema.is_array() {
                    judged.add(self.check(schema, whole, at)?);
                }
            }
        }
        if let Some(schema) = rules.get("unevaluatedProperties") {
            for (name, member) in members {
                if judged.members.insert(name.clone()) {
                    self.check(schema, member, &at.below(name))?;
                }
            }
        }
        Ok(())
    }

    /// Everything about the items of a list.
    fn items(
        &self,
        rules: &Map<String, Value>,
        items: &[Value],
        at: &SchemaPlace,
        judged: &mut JudgedParts,
    ) -> Result<(), Stop> {
        // Drafts before 2020-12 write a list of schemas as `items`, and the rest as `additionalItems`.
        let is_tuple = rules.get("items").is_some_and(Value::is_array);
        let (first, rest) = if is_tuple { ("items", "additionalItems") } else { ("prefixItems", "items") };
        let first = list(rules, first)?;
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(index).or_else(|| rules.get(rest)) {
                self.check(schema, item, &at.below(&index.to_string()))?;
                judged.items.insert(index);
            }
        }
        if let Some(schema) = rules.get("contains") {
            let mut found = 0;
            for (index, item) in items.iter().enumerate() {
                if self.fits(schema, item, at)?.is_some() {
                    found += 1;
                    judged.items.insert(index);
                }
            }
            let least = assertions::count(rules, "minContains")?.unwrap_or(1);
            if found < least || assertions::count(rules, "maxContains")?.is_some_and(|most| found > most) {
                return at.misfit(&format!("has {found} items that fit `contains`"));
            }
        }
        if let Some(schema) = rules.get("unevaluatedItems") {
            for (index, item) in items.iter().enumerate() {
                if judged.items.insert(index) {
                    self.check(schema, item, &at.below(&index.to_string()))?;
                }
            }
        }
        Ok(())
    }
}

fn unjudged<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unjudged(why.into()))
}

/// The schemas of a keyword that holds a list; none if it is absent.
fn list<'a>(rules: &'a Map<String, Value>, key: &str) -> Result<&'a [Value], Stop> {
    match rules.get(key) {
        None => Ok(&[]),
        Some(Value::Array(all)) => Ok(all),
        // `items` holds either.
        Some(_) if key == "items" => Ok(&[]),
        Some(_) => unjudged(format!("`{key}` is not a list")),
    }
}

fn object<'a>(rules: &'a Map<String, Value>, key: &str) -> Result<Option<&'a Map<String, Value>>, Stop> {
    match rules.get(key) {
        None => Ok(None),
        Some(Value::Object(all)) => Ok(Some(all)),
        Some(_) => unjudged(format!("`{key}` is not an object")),
    }
}

#[cfg(test)]
mod tests;
