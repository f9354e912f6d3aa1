//! The user's own settings of command line agents: the model and the provider are taken over, what cannot be is named.
//!
//! Every turn has a private home, so hooks, permissions and servers of the user's have no part in a run. What model is
//! asked, and where, is the user's choice all the same.

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::Value;
use windlass_engine::agent::cli::{CarriedForm, CliKind, SettingsFacts, SettingsForm};
use windlass_engine::config::{CarriedSetting, EnvVar};

use crate::world::World;

/// What of a user's settings is taken over.
#[derive(Debug, Default, PartialEq)]
pub(super) struct UserSettings {
    pub(super) model: Option<String>,
    pub(super) carried: Vec<CarriedSetting>,
    /// Variables that the settings set or name.
    pub(super) env: Vec<EnvVar>,
    /// What a person should know of it.
    pub(super) note: Option<String>,
}

impl UserSettings {
    /// Looks at the settings of a program. A file that cannot be read is named, and nothing of it is taken.
    pub(super) fn of(world: &World, kind: CliKind) -> Self {
        let file = &kind.facts().settings;
        let from_variable = file.model_variable.and_then(|name| world.env_of([name]).pop());
        let model = from_variable.map(|(_, value)| value.to_string_lossy().into_owned());
        let Some((path, text)) = find(world, file) else { return Self { model, ..Self::default() } };
        let shown = world.shown(&path);
        let mut taken = match parse(file.form, &text) {
            Ok(settings) => Self::read(kind, &settings, &shown),
            Err(why) => Self {
                note: Some(format!("`{shown}` cannot be read, so nothing of it is taken over: {why}")),
                ..Self::default()
            },
        };
        // A provider may keep its key in a variable of any name.
        let named = provider_keys(&taken.carried);
        taken.env.extend(world.env_of(named.iter().map(String::as_str)));
        taken.model = model.or(taken.model);
        taken
    }

    fn read(kind: CliKind, settings: &Value, shown: &str) -> Self {
        let file = &kind.facts().settings;
        let model = file.model.iter().find_map(|path| below(settings, path)?.as_str().map(str::to_owned));
        let carry = |path: &&str| Some(((*path).to_owned(), below(settings, path)?.clone()));
        let whole = file.carried.iter().filter_map(carry);
        let carried: Vec<CarriedSetting> = match file.carries {
            CarriedForm::SingleValues => whole.flat_map(|(path, value)| leaves(&path, &value)).collect(),
            CarriedForm::Whole => whole.collect(),
        };
        let env = variables(kind, settings);
        let mut said: Vec<String> = model.iter().map(|model| format!("model `{model}`")).collect();
        said.extend(file.carried.iter().filter(|p| below(settings, p).is_some()).map(|p| format!("`{p}`")));
        said.extend(env.iter().map(|(name, _)| format!("`{}`", name.to_string_lossy())));
        let left: Vec<String> = file
            .left
            .iter()
            .filter(|path| below(settings, path).is_some())
            .map(|path| format!("`{path}`"))
            .collect();
        let note = match (said.is_empty(), left.is_empty()) {
            (true, true) => None,
            (false, true) => Some(format!("{} from `{shown}`", said.join(", "))),
            (true, false) => Some(format!("not taken over from `{shown}`: {}", left.join(", "))),
            (false, false) => {
                Some(format!("{} from `{shown}`; not taken over: {}", said.join(", "), left.join(", ")))
            }
        };
        Self { model, carried, env, note }
    }
}

fn find(world: &World, file: &SettingsFacts) -> Option<(PathBuf, String)> {
    let moved = file.moved_by.and_then(|(name, below)| {
        let (_, dir) = world.env_of([name]).pop().filter(|(_, dir)| !dir.is_empty())?;
        Some(PathBuf::from(dir).join(below))
    });
    let path = moved.or_else(|| Some(world.home.as_ref()?.join(file.path)))?;
    // opencode takes the same file with comments under another name.
    let with_comments = path.with_extension("jsonc");
    [path, with_comments]
        .into_iter()
        .find_map(|path| Some((path.clone(), std::fs::read_to_string(path).ok()?)))
}

fn parse(form: SettingsForm, text: &str) -> Result<Value, String> {
    match form {
        SettingsForm::Toml => toml::from_str(text).map_err(|e: toml::de::Error| e.message().to_owned()),
        SettingsForm::Json => serde_json::from_str(&without_comments(text)).map_err(|e| e.to_string()),
    }
}

/// JSON without `//` and `/* */` comments, which these programs allow.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if first == '"' {
            let end = end_of_string(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// Where a JSON string at the start of a text ends.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The value below a dotted path.
fn below<'a>(settings: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(settings, |value, key| value.get(key)).filter(|value| !value.is_null())
}

/// The single values of a table, by their paths.
fn leaves(path: &str, value: &Value) -> Vec<CarriedSetting> {
    match value {
        Value::Object(table) => {
            table.iter().flat_map(|(key, value)| leaves(&format!("{path}.{key}"), value)).collect()
        }
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            vec![(path.to_owned(), value.clone())]
        }
    }
}

/// The variables of the settings that are about the provider.
fn variables(kind: CliKind, settings: &Value) -> Vec<EnvVar> {
    let table = settings.get("env").and_then(Value::as_object);
    let known = |name: &str| {
        kind.variables().any(|v| v == name) || kind.facts().settings.model_variable == Some(name)
    };
    let set = table.into_iter().flatten().filter(|(name, _)| known(name));
    set.filter_map(|(name, value)| Some((OsString::from(name), OsString::from(value.as_str()?)))).collect()
}

/// The variables in which providers of the settings expect a key.
fn provider_keys(carried: &[CarriedSetting]) -> Vec<String> {
    let named = |(path, value): &CarriedSetting| {
        let is_name = path.ends_with(".env_key") || path.ends_with(".envKey");
        is_name.then(|| value.as_str().map(str::to_owned)).flatten()
    };
    let mut found: Vec<String> = carried.iter().filter_map(named).collect();
    for (path, value) in carried.iter().filter(|(_, value)| value.is_object() || value.is_array()) {
        found.extend(leaves(path, value).iter().filter_map(named));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(kind: CliKind, text: &str) -> UserSettings {
        let settings = parse(kind.facts().settings.form, text).unwrap();
        UserSettings::read(kind, &settings, "FILE")
    }

    #[test]
    fn the_model_is_taken_over_from_every_program() {
        let table = [
            (CliKind::Claude, r#"{"model": "haiku", "hooks": {}}"#),
            (CliKind::Codex, "model = \"haiku\"\n[tui]\ntheme = \"x\"\n"),
            (CliKind::Gemini, r#"{"model": {"name": "haiku"}}"#),
            (CliKind::Gemini, r#"{"model": "haiku"}"#),
            (CliKind::Qwen, r#"{"model": {"name": "haiku"}}"#),
            (CliKind::Opencode, "{ // mine\n \"model\": \"haiku\" /* cheap */ }"),
        ];
        for (kind, text) in table {
            let taken = read(kind, text);
            assert_eq!(taken.model.as_deref(), Some("haiku"), "{kind:?} {text}");
            assert_eq!(taken.note.as_deref(), Some("model `haiku` from `FILE`"), "{kind:?}");
        }
    }

    #[test]
    fn a_provider_is_carried_with_the_name_of_its_key_and_what_is_not_is_named() {
        let codex = read(
            CliKind::Codex,
            "profile = \"p\"\nmodel_provider = \"x\"\n[model_providers.x]\nbase_url = \"http://h/v1\"\nenv_key = \"X_KEY\"\n",
        );
        let wanted = [
            ("model_provider".to_owned(), json!("x")),
            ("model_providers.x.base_url".to_owned(), json!("http://h/v1")),
            ("model_providers.x.env_key".to_owned(), json!("X_KEY")),
        ];
        assert_eq!(codex.carried, wanted);
        assert_eq!(provider_keys(&codex.carried), ["X_KEY"]);
        let note = codex.note.unwrap();
        assert!(note.ends_with("not taken over: `profile`"), "{note}");
        let qwen =
            read(CliKind::Qwen, r#"{"security": {"auth": {"selectedType": "openai", "baseUrl": "u"}}}"#);
        assert_eq!(qwen.carried[0].0, "security.auth");
        let claude = read(
            CliKind::Claude,
            r#"{"env": {"ANTHROPIC_BASE_URL": "u", "FOO": "x"}, "apiKeyHelper": "get-key"}"#,
        );
        assert_eq!(claude.env, [("ANTHROPIC_BASE_URL".into(), "u".into())]);
        assert!(claude.note.unwrap().contains("not taken over: `apiKeyHelper`"));
    }

    #[test]
    fn settings_about_other_things_are_nobodys_business() {
        assert_eq!(read(CliKind::Claude, r#"{"theme": "dark"}"#), UserSettings::default());
        assert!(parse(SettingsForm::Json, "{").is_err());
        let kept = without_comments(r#"{"a": "http://x // \" y"} // no"#);
        assert_eq!(kept.trim_end(), r#"{"a": "http://x // \" y"}"#);
    }
}
