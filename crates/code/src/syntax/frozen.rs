//! The bytes of inline tests that may not change once red was seen, while the rest of the file may.
//!
//! For a file that is all tests the caller compares the whole file; this is for tests beside code.

use std::collections::BTreeMap;
use std::ops::Range;

use super::language_of;
use super::source::ParsedText;
use super::test_item::TestItem;

/// The byte ranges of a file that belong to its tests, in order and without overlap.
pub fn test_region(path: &str, bytes: &[u8]) -> Vec<Range<usize>> {
    let Some(found) = find(path, bytes) else { return Vec::new() };
    let mut ranges: Vec<Range<usize>> = found.wrappers.into_iter().map(|(_, range)| range).collect();
    ranges.extend(found.items.into_iter().map(|item| item.range));
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// What the name of a test-only module is followed by where everything in it but its tests is meant.
const REST: &str = " (rest)";

/// Whether a key of [`frozen_items`] stands for what is around the tests of a test-only module.
pub fn is_around_tests(key: &str) -> bool {
    key.ends_with(REST)
}

/// Content hash (blake3) of every test item by its name, and under `<name> (rest)` of what else stands in a test-only
/// module: its imports, helpers and attributes.
///
/// A test that is added changes no other entry. A name that occurs twice is hashed over both, so that a second test of
/// the same name is a change.
pub fn frozen_items(path: &str, bytes: &[u8]) -> BTreeMap<String, String> {
    let mut hashes: BTreeMap<String, blake3::Hasher> = BTreeMap::new();
    let Some(found) = find(path, bytes) else { return BTreeMap::new() };
    for item in &found.items {
        hash_into(&mut hashes, item.name.clone(), slice(bytes, &item.range));
    }
    for (name, range) in &found.wrappers {
        let mut at = range.start;
        let key = format!("{name}{REST}");
        for item in
            found.items.iter().filter(|item| item.range.start >= range.start && item.range.end <= range.end)
        {
            hash_into(&mut hashes, key.clone(), slice(bytes, &(at..item.range.start)));
            at = at.max(item.range.end);
        }
        hash_into(&mut hashes, key, slice(bytes, &(at..range.end)));
    }
    hashes.into_iter().map(|(name, hasher)| (name, hasher.finalize().to_hex().to_string())).collect()
}

/// Adds a piece to a hash. Surrounding blanks are ignored, so that a test that is added between two others changes no
/// other hash.
fn hash_into(hashes: &mut BTreeMap<String, blake3::Hasher>, key: String, piece: &[u8]) {
    let hasher = hashes.entry(key).or_default();
    let piece = piece.trim_ascii();
    if !piece.is_empty() {
        hasher.update(piece);
        hasher.update(b"\n");
    }
}

fn slice<'a>(bytes: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    bytes.get(range.clone()).unwrap_or_default()
}

struct TestParts {
    items: Vec<TestItem>,
    /// Test-only modules and blocks that hold items and other things.
    wrappers: Vec<(String, Range<usize>)>,
}

fn find(path: &str, bytes: &[u8]) -> Option<TestParts> {
    let language = language_of(path)?;
    let source = ParsedText::parse(language, bytes)?;
    let row = language.row();
    Some(TestParts { items: (row.tests)(&source), wrappers: (row.test_wrappers)(&source) })
}

#[cfg(test)]
mod tests;
