//! Settings that reach beyond the sandbox: commands on the host, secrets, more of the disk or the network.
//!
//! A repository is cloned; the user has not chosen what its `windlass.toml` says. These keys count only after
//! `windlass trust`. Which keys they are is declared with them (`@host` in the tables).

use toml::{Table, Value};

use super::keys::Config;
use super::section::ConfigSection as _;
use super::shape::{KeyDoc, KeyShape};

/// The starts of an agent's name that is itself a command.
const COMMANDS: [&str; 2] = ["cmd:", "acp:"];

/// One such setting, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostSetting {
    /// The full name of its key.
    pub(crate) key: String,
    /// Its value, in TOML.
    pub(crate) value: String,
}

/// The settings of a file that reach beyond the sandbox, in the order of their names. The file must have been read without
/// a mistake.
pub(crate) fn host_settings(file: &Table) -> Vec<HostSetting> {
    let mut found = Vec::new();
    walk_table(&Config::keys(), None, file, "", &mut found);
    found.sort_by(|a, b| a.key.cmp(&b.key));
    found
}

fn walk_table(
    keys: &[KeyDoc],
    others: Option<&KeyShape>,
    table: &Table,
    above: &str,
    found: &mut Vec<HostSetting>,
) {
    for (name, value) in table {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        let key = keys.iter().find(|key| key.key == name);
        let names_command =
            value.as_str().is_some_and(|text| COMMANDS.iter().any(|start| text.starts_with(start)));
        if names_command || key.is_some_and(|key| key.beyond_sandbox) {
            found.push(HostSetting { key: path, value: value.to_string() });
        } else if let Some(shape) = key.map(|key| &key.shape).or(others) {
            walk(shape, value, &path, found);
        }
    }
}

fn walk(shape: &KeyShape, value: &Value, path: &str, found: &mut Vec<HostSetting>) {
    match (shape, value) {
        (KeyShape::Table(keys), Value::Table(table)) => walk_table(keys, None, table, path, found),
        (KeyShape::Open(keys, inner), Value::Table(table)) => {
            walk_table(keys, Some(inner.as_ref()), table, path, found);
        }
        (KeyShape::Each(_, inner), Value::Table(table)) => {
            walk_table(&[], Some(inner.as_ref()), table, path, found);
        }
        (KeyShape::List(inner), Value::Array(items)) => {
            for item in items {
                walk(inner, item, path, found);
            }
        }
        (
            KeyShape::Plain(_)
            | KeyShape::Table(_)
            | KeyShape::Open(..)
            | KeyShape::Each(..)
            | KeyShape::List(_),
            _,
        ) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        Config::load(text).expect("a valid file");
        host_settings(&text.parse().unwrap()).into_iter().map(|setting| setting.key).collect()
    }

    #[test]
    fn settings_beyond_the_sandbox_are_found_wherever_they_stand() {
        for (text, expected) in [
            ("", vec![]),
            ("auto_mode = true\n[limits]\njobs = 4\n", vec![]),
            ("[agents]\nsmall = \"claude\"\n", vec![]),
            ("[agents]\nsmall = \"cmd:./x\"\n", vec!["agents.small"]),
            ("[team]\nreviewer = \"cmd:./x\"\n", vec!["team.reviewer"]),
            ("[team]\nreviewer = \"acp:./x\"\n", vec!["team.reviewer"]),
            ("[routing]\ncli = \"cmd:./x\"\n", vec!["routing.cli"]),
            ("[agents.mine]\nkind = \"claude\"\nmodel = \"m\"\n", vec![]),
            ("[agents.mine]\ncommand = \"./x\"\n", vec!["agents.mine.command"]),
            (
                "[agents.claude]\nprogram = \"./x\"\nargs = [\"-y\"]\n",
                vec!["agents.claude.args", "agents.claude.program"],
            ),
            (
                "[agents.a]\nendpoint = \"http://x\"\nmodel = \"m\"\nkey_env = \"K\"\n",
                vec!["agents.a.endpoint", "agents.a.key_env"],
            ),
            ("[sandbox]\nwrite = [\"~/.ssh\"]\nprocesses = 10\n", vec!["sandbox.write"]),
            ("[sandbox]\nmode = \"off\"\n", vec!["sandbox.mode"]),
            (
                "[telemetry]\nendpoint = \"http://x\"\nheaders_env = \"K\"\n",
                vec!["telemetry.endpoint", "telemetry.headers_env"],
            ),
            ("[slot]\ncopy = [\".env\"]\n", vec!["slot.copy"]),
            ("[verify]\nenv = [\"TOKEN\"]\n", vec!["verify.env"]),
        ] {
            assert_eq!(keys(text), expected, "{text}");
        }
    }
}
