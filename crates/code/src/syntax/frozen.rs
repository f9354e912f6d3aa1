//! The bytes of inline tests that may not change once red was seen.

use std::collections::BTreeMap;
use std::ops::Range;

/// The byte ranges of a file that belong to its tests.
pub fn test_region(path: &str, bytes: &[u8]) -> Vec<Range<usize>> {
    let _ = (path, bytes);
    Vec::new()
}

/// Content hash of every test item and of what else belongs to the tests, by item name.
pub fn frozen_items(path: &str, bytes: &[u8]) -> BTreeMap<String, String> {
    let _ = (path, bytes);
    BTreeMap::new()
}
