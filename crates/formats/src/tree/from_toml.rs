//! TOML text into entries with places. The parser recovers, so what can be read around an error is kept.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Quoting, TreeMember, TreeNode, TreeValue, span_of};
use crate::reading::code;
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};

/// Reads `text`, which begins at byte `base` of `file`.
pub(crate) fn parse_toml(
    text: &str,
    file: FileIx,
    base: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<TreeMember<'static>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let range = error.span().unwrap_or(0..0);
        let span = span_of(file, base + range.start, base + range.end);
        let message = format!("the TOML cannot be read: {}", error.message());
        diagnostics.push(Diagnostic::new(code::SYNTAX, Severity::Error, message).at(Some(span)));
    }
    entries(file, base, table.get_ref())
}

fn entries(file: FileIx, base: usize, table: &DeTable<'_>) -> Vec<TreeMember<'static>> {
    let mut entries: Vec<TreeMember<'static>> = table
        .iter()
        .map(|(key, value)| {
            let at = key.span();
            TreeMember {
                key: Cow::Owned(key.get_ref().to_string()),
                key_span: span_of(file, base + at.start, base + at.end),
                node: node(file, base, value),
            }
        })
        .collect();
    entries.sort_by_key(|e| e.key_span.start);
    entries
}

fn node(file: FileIx, base: usize, value: &Spanned<DeValue<'_>>) -> TreeNode<'static> {
    let at = value.span();
    let span = span_of(file, base + at.start, base + at.end);
    let plain = |text: &str| TreeValue::Scalar(Cow::Owned(text.to_owned()), Quoting::Plain);
    let quoted = |text: &str| TreeValue::Scalar(Cow::Owned(text.to_owned()), Quoting::Quoted);
    let tree = match value.get_ref() {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(n) => match i64::from_str_radix(n.as_str(), n.radix()) {
            Ok(n) => plain(&n.to_string()),
            Err(_) => quoted(n.as_str()),
        },
        DeValue::Float(n) => plain(&canonical_float(n.as_str())),
        DeValue::Boolean(true) => plain("true"),
        DeValue::Boolean(false) => plain("false"),
        DeValue::Datetime(at) => quoted(&at.to_string()),
        DeValue::Array(items) => TreeValue::List(items.iter().map(|i| node(file, base, i)).collect()),
        DeValue::Table(table) => TreeValue::Map(entries(file, base, table)),
    };
    TreeNode { span, tree }
}

/// TOML's floats are typed, so they become numbers however they are written.
fn canonical_float(text: &str) -> String {
    let parsed = text.parse::<f64>().ok().and_then(serde_json::Number::from_f64);
    parsed.map_or_else(|| text.to_owned(), |n| n.to_string())
}
