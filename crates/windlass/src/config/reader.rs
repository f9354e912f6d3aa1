//! Walks a parsed file and collects everything that is wrong with it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Span};

use super::shape::KeyShape;

/// The file is not TOML.
pub(super) const SYNTAX: &str = "WL0901";
/// An unknown key.
pub(super) const UNKNOWN: &str = "WL0902";
/// A value of the wrong kind.
pub(super) const KIND: &str = "WL0903";
/// A value of the right kind that cannot be.
pub(super) const VALUE: &str = "WL0904";

/// What the codes of this room mean.
pub(crate) fn explain(code: &str) -> Option<&'static str> {
    let pages = [
        (
            SYNTAX,
            "windlass.toml is not TOML at this place. Mistakes after the first may only follow from it.",
        ),
        (
            UNKNOWN,
            "windlass.toml has a key that Windlass does not read. A key with a typing mistake would silently \
                   do nothing, so it is refused. `windlass explain windlass.toml` lists every key.",
        ),
        (
            KIND,
            "A key of windlass.toml holds a value of another kind than it takes: a string where a number belongs.",
        ),
        (
            VALUE,
            "A key of windlass.toml holds a value of the right kind that cannot be: no time, no known word.",
        ),
    ];
    pages.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(code)).map(|(_, page)| page)
}

/// Names closer than this are taken for a slip of the finger.
const CLOSE: f64 = 0.8;

/// The walk: where it stands and what it found.
#[derive(Debug)]
pub(crate) struct TableReader<'a> {
    file: FileIx,
    path: Vec<String>,
    known: &'a [String],
    pub(super) found: Vec<Diagnostic>,
}

impl<'a> TableReader<'a> {
    pub(super) fn new(file: FileIx, known: &'a [String]) -> Self {
        Self { file, path: Vec::new(), known, found: Vec::new() }
    }

    /// Reads what lies under `key`, so that messages can name it in full.
    pub(super) fn inside<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(key.to_owned());
        let value = read(self);
        self.path.pop();
        value
    }

    /// The table that must stand here.
    pub(super) fn table<'v, 'i>(
        &mut self,
        value: &'v Spanned<DeValue<'i>>,
        shape: &KeyShape,
    ) -> Option<&'v DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_kind(value, shape);
        }
        table
    }

    /// A value of the wrong kind.
    pub(super) fn wrong_kind(&mut self, value: &Spanned<DeValue<'_>>, shape: &KeyShape) {
        let found = kind_of(value.get_ref());
        let message = format!("`{}` is {found}, expected {}", self.name(), shape.expected());
        self.report(KIND, message, value.span(), None);
    }

    /// A value of the right kind that cannot be.
    pub(super) fn bad_value(&mut self, value: &Spanned<DeValue<'_>>, problem: &str, help: Option<String>) {
        self.report(VALUE, format!("`{}` {problem}", self.name()), value.span(), help);
    }

    /// Reports an unknown key; `here` are the keys of this table.
    pub(super) fn unknown(&mut self, key: &str, span: Range<usize>, here: &[&str]) {
        let table = self.name();
        let message = if table.is_empty() {
            format!("unknown key `{key}`")
        } else {
            format!("unknown key `{key}` in `[{table}]`")
        };
        let help = suggestion(key, here).map(|close| format!("did you mean `{close}`?"));
        let elsewhere = || {
            let tail = format!(".{key}");
            self.known.iter().find(|path| path.ends_with(&tail) || *path == key).map(|path| {
                match path.rsplit_once('.') {
                    Some((table, key)) => format!("`{key}` belongs under `[{table}]`"),
                    None => format!("`{key}` belongs at the top of the file, before the first table"),
                }
            })
        };
        let help = help.or_else(elsewhere).unwrap_or_else(|| format!("known here: {}", here.join(", ")));
        self.report(UNKNOWN, message, span, Some(help));
    }

    /// A rule that the catalogue does not have.
    pub(super) fn unknown_rule(&mut self, key: &str, span: Range<usize>, rules: &[&str]) {
        let help = match suggestion(key, rules) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "rules have codes such as `WL0301` and names such as `no-proof`".into(),
        };
        self.report(UNKNOWN, format!("there is no rule `{key}`"), span, Some(help));
    }

    pub(super) fn report(
        &mut self,
        code: &'static str,
        message: String,
        span: Range<usize>,
        help: Option<String>,
    ) {
        let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let span = Span { file: self.file, start: offset(span.start), end: offset(span.end) };
        let mut finding = Diagnostic::new(code, Severity::Error, message).at(Some(span));
        finding.help = help;
        self.found.push(finding);
    }

    fn name(&self) -> String {
        self.path.join(".")
    }
}

/// The closest of the known names, if one is close.
pub(super) fn suggestion<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    let scored = known.iter().map(|name| (strsim::jaro_winkler(key, name), *name));
    scored.filter(|(score, _)| *score >= CLOSE).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
