//! Manifests that turn tests off. A manifest that was there at red is compared key by key elsewhere; this is for new ones.

use super::{Rule, Trick};
use crate::detect::ManifestRow;

pub(super) fn look(path: &str, bytes: &[u8], out: &mut Vec<Trick>) {
    let Some(row) = ManifestRow::of(path) else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let found = (row.read)(text).map(|manifest| (row.tests_off)(&manifest)).unwrap_or_default();
    out.extend(found.into_iter().map(|code| {
        let line = 1 + text.lines().position(|l| l.contains(code)).unwrap_or(0);
        Trick { rule: Rule::TestsOff, path: path.to_owned(), line, code: code.to_owned() }
    }));
}
