//! The reference page, and the commented file that `init` writes: both from the declared keys.

use std::fmt::Write as _;

use super::keys::Config;
use super::section::ConfigSection as _;
use super::shape::{KeyDoc, KeyShape};

/// `docs/guide/configuration.md`.
pub(crate) fn reference() -> String {
    let mut page = String::from(INTRODUCTION);
    describe(&mut page, "", &Config::keys());
    page
}

/// A `windlass.toml` in which every key stands with its default, commented out.
pub(crate) fn commented() -> String {
    let mut file = String::from(
        "# Windlass configuration. Every key stands here with its default, commented out.\n\
         # docs/guide/configuration.md says the same at more length.\n",
    );
    write_keys(&mut file, "", &Config::keys());
    file
}

const INTRODUCTION: &str = "\
# Configuration

Windlass reads `windlass.toml` at the top of the repository. Every key has a default, so the file may be absent. A key
that Windlass does not know is refused, with its place and a suggestion. Times are written `\"30m\"`, `\"120s\"`,
`\"1h 30m\"`, or as a whole number of seconds.

`windlass/config.toml` in the user's configuration directory (`$XDG_CONFIG_HOME`, or `~/.config`) takes the same keys for
every repository: accounts, agents and addresses for notices do not belong in a committed file. The repository's own file counts more,
key by key. `windlass config --show` says where each value comes from.

Keys marked * reach beyond the sandbox: they run commands on this machine, hand over secrets, or open more of the disk or the
network. So does an agent called `cmd:COMMAND` or `acp:COMMAND`. In a repository's file they count after `windlass trust`, which shows them
and asks; a change of one of them asks again. In the user's own file they always count.

This page is made from the program itself; a test keeps the two together.
";

/// Every key that has a default, by its full name.
pub(crate) fn defaults() -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect_defaults(&Config::keys(), "", &mut found);
    found
}

fn collect_defaults(keys: &[KeyDoc], above: &str, found: &mut Vec<(String, String)>) {
    for key in keys {
        let path = if above.is_empty() { key.key.to_owned() } else { format!("{above}.{}", key.key) };
        found.extend(key.default.iter().map(|default| (path.clone(), default.clone())));
        match &key.shape {
            KeyShape::Table(inner) | KeyShape::Open(inner, _) => collect_defaults(inner, &path, found),
            KeyShape::Plain(_) | KeyShape::Each(..) | KeyShape::List(_) => {}
        }
    }
}

fn describe(page: &mut String, above: &str, keys: &[KeyDoc]) {
    let (plain, tables): (Vec<_>, Vec<_>) = keys.iter().partition(|k| is_plain(&k.shape));
    if !plain.is_empty() {
        let _ = write!(page, "\n| key | takes | default | |\n|---|---|---|---|\n");
        for key in plain {
            let default = key.default.as_ref().map_or_else(|| "not set".into(), |d| format!("`{d}`"));
            let (takes, doc) = (key.shape.expected(), one_line(key.doc));
            let mark = if key.beyond_sandbox { " *" } else { "" };
            let _ = writeln!(page, "| `{}`{mark} | {takes} | {default} | {doc} |", key.key);
        }
    }
    for key in tables {
        let path = if above.is_empty() { key.key.to_owned() } else { format!("{above}.{}", key.key) };
        describe_table(page, &path, &key.shape, key.doc);
    }
}

fn describe_table(page: &mut String, path: &str, shape: &KeyShape, doc: &str) {
    let mut heading = |name: &str, doc: &str| {
        let _ = write!(page, "\n## `{name}`\n\n{}\n", one_line(doc));
    };
    match shape {
        KeyShape::Plain(_) => {}
        KeyShape::Table(keys) => {
            heading(&format!("[{path}]"), doc);
            describe(page, path, keys);
        }
        KeyShape::Open(keys, inner) => {
            heading(&format!("[{path}]"), doc);
            describe(page, path, keys);
            let named = "A table of one's own name: an agent that a tier, a task or `--agent` can name.";
            describe_table(page, &format!("{path}.NAME"), inner, named);
        }
        KeyShape::Each(name, inner) => {
            heading(&format!("[{path}]"), doc);
            let _ =
                write!(page, "\nKeys are names of one's own (`{name}`); each takes {}.\n", inner.expected());
            describe(page, &format!("{path}.{name}"), inner.keys());
        }
        KeyShape::List(inner) => {
            heading(&format!("[[{path}]]"), doc);
            describe(page, path, inner.keys());
        }
    }
}

fn write_keys(file: &mut String, above: &str, keys: &[KeyDoc]) {
    let (plain, tables): (Vec<_>, Vec<_>) = keys.iter().partition(|k| is_plain(&k.shape));
    for key in plain {
        let default = key.default.clone().filter(|d| d != "\"\"").unwrap_or_else(|| "…".into());
        let _ = write!(file, "\n{}# {} = {default}\n", comment(key.doc), key.key);
    }
    for key in tables {
        let path = if above.is_empty() { key.key.to_owned() } else { format!("{above}.{}", key.key) };
        let brackets = match key.shape {
            KeyShape::List(_) => ("[[", "]]"),
            KeyShape::Plain(_) | KeyShape::Table(_) | KeyShape::Open(..) | KeyShape::Each(..) => ("[", "]"),
        };
        let _ = write!(file, "\n{}# {}{path}{}\n", comment(key.doc), brackets.0, brackets.1);
        match &key.shape {
            KeyShape::Plain(_) | KeyShape::Each(..) => {}
            KeyShape::Table(keys) | KeyShape::Open(keys, _) => write_keys(file, &path, keys),
            KeyShape::List(inner) => write_keys(file, &path, inner.keys()),
        }
    }
}

/// Whether a key is a value rather than a table of its own.
fn is_plain(shape: &KeyShape) -> bool {
    match shape {
        KeyShape::Plain(_) => true,
        KeyShape::List(inner) => is_plain(inner),
        KeyShape::Table(_) | KeyShape::Open(..) | KeyShape::Each(..) => false,
    }
}

/// The words of a doc comment on one line.
fn one_line(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a doc comment as lines of a comment, none longer than a hundred columns.
fn comment(doc: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in doc.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 100 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("# {word}")),
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page as it is committed; `WINDLASS_BLESS=1 cargo test -p windlass` writes it anew.
    #[test]
    fn the_page_says_what_the_program_does() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/configuration.md");
        if std::env::var_os("WINDLASS_BLESS").is_some() {
            std::fs::write(path, reference()).unwrap();
        }
        let page = std::fs::read_to_string(path).unwrap();
        assert!(page == reference(), "docs/guide/configuration.md is not what the keys say; bless it");
    }

    #[test]
    fn every_key_is_on_the_page_and_in_the_file() {
        let (page, file) = (reference(), commented());
        for path in crate::config::shape::paths(&Config::keys(), "") {
            let key = path.rsplit('.').next().unwrap();
            assert!(page.contains(&format!("`{key}`")) || page.contains(&format!("[{path}]")), "{path}");
            let named = path.contains("NAME");
            assert!(
                named || file.contains(&format!("# {key} =")) || file.contains(&format!("[{path}]")),
                "{path}"
            );
        }
    }
}
