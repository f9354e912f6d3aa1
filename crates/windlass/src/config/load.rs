//! From text to configuration, or to everything that is wrong with it.

use std::collections::BTreeSet;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use windlass_core::diagnostic::{Diagnostic, FileIx};
use windlass_planner::lint;

use super::keys::Config;
use super::reader::{SYNTAX, TableReader};
use super::section::ConfigSection as _;
use super::shape;
use super::value::Value as _;

/// One mistake in the syntax makes many: the first few say enough.
const SYNTAX_SHOWN: usize = 3;

impl Config {
    /// Reads the text of a `windlass.toml`. Findings point into file 0: the caller's sources hold the text there.
    pub(crate) fn load(text: &str) -> Result<Config, Vec<Diagnostic>> {
        let known = shape::paths(&Config::keys(), "");
        let mut reader = TableReader::new(FileIx(0), &known);
        let (table, errors) = DeTable::parse_recoverable(text);
        let broken = report_syntax(&mut reader, text, &errors);
        let span = table.span();
        let root = Spanned::new(span, DeValue::Table(table.into_inner()));
        let config = Config::read(&root, &mut reader);
        if let Some(config) = &config {
            check(config, &root, &mut reader);
        }
        match config {
            Some(config) if reader.found.is_empty() => Ok(config),
            _ => {
                // After a mistake in the syntax nothing means what it seems to mean.
                let sound = |f: &Diagnostic| {
                    f.code == SYNTAX || broken.is_none_or(|at| f.span.is_some_and(|s| s.end <= at))
                };
                reader.found.retain(sound);
                reader.found.sort_by_key(|f| f.span);
                Err(reader.found)
            }
        }
    }
}

/// Reports the mistakes in the syntax, one per line, and returns where the first of them is.
fn report_syntax(reader: &mut TableReader<'_>, text: &str, errors: &[toml::de::Error]) -> Option<u32> {
    let mut lines = BTreeSet::new();
    let spans = errors.iter().map(|error| (error.span().unwrap_or(0..0), error.message()));
    for (span, message) in spans {
        let line = text.get(..span.start).map_or(0, |before| before.matches('\n').count());
        if lines.insert(line) && lines.len() <= SYNTAX_SHOWN {
            reader.report(SYNTAX, one_line(message), span, None);
        }
    }
    reader.found.iter().filter_map(|f| f.span).map(|span| span.start).min()
}

/// What a single key cannot know.
fn check(config: &Config, root: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) {
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
    if let Some(table) = at(&["lint"]).and_then(|value| value.get_ref().as_table()) {
        let rules: Vec<&str> = lint::rules().flat_map(|rule| [rule.code, rule.name]).collect();
        let unknown = |key: &Spanned<_>| lint::explain(AsRef::<str>::as_ref(key.get_ref())).is_none();
        for (key, _) in table.iter().filter(|(key, _)| unknown(key)) {
            reader.unknown_rule(key.get_ref(), key.span(), &rules);
        }
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
