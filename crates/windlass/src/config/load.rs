//! From text to configuration, or to everything that is wrong with it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use windlass_core::diagnostic::{Diagnostic, FileIx};

use super::keys::Config;
use super::reader::{Reader, SYNTAX};
use super::shape;
use super::value::Value as _;

impl Config {
    /// Reads the text of a `windlass.toml`. Findings point into file 0: the caller's sources hold the text there.
    pub(crate) fn load(text: &str) -> Result<Config, Vec<Diagnostic>> {
        let known = shape::paths(&Config::keys(), "");
        let mut reader = Reader::new(FileIx(0), &known);
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let span = error.span().unwrap_or(0..0);
            reader.report(SYNTAX, one_line(error.message()), span, None);
        }
        let span = table.span();
        let root = Spanned::new(span, DeValue::Table(table.into_inner()));
        let config = Config::read(&root, &mut reader);
        if let Some(config) = &config {
            check(config, &root, &mut reader);
        }
        match config {
            Some(config) if reader.found.is_empty() => Ok(config),
            _ => Err(reader.found),
        }
    }
}

/// What a single key cannot know.
fn check(config: &Config, root: &Spanned<DeValue<'_>>, reader: &mut Reader<'_>) {
    let at = |path: &[&str]| {
        let mut value = root;
        for key in path {
            value = value.get_ref().as_table()?.get(*key)?;
        }
        Some(value)
    };
    if config.limits.jobs == 0
        && let Some(value) = at(&["limits", "jobs"])
    {
        reader.inside("limits.jobs", |r| r.bad_value(value, "must be at least 1", None));
    }
    for service in &config.verify.services {
        if (service.name.is_empty() || service.command.is_empty())
            && let Some(value) = at(&["verify", "services"])
        {
            let problem = "needs a `name` and a `command` for each service";
            reader.inside("verify.services", |r| r.bad_value(value, problem, None));
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
