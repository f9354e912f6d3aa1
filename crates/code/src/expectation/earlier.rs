//! The same change in an earlier version of a test file: where a test, or the lines of a change, stand unaltered.

use std::ops::Range;

use super::edit::SourceEdit;
use crate::syntax::{same_test, tests};

/// A change of one test of a file, for another version of the file. `None` if the test is not there with the same text, and the
/// changed lines cannot be told from others.
pub fn in_earlier_version(
    path: &str,
    test: &str,
    change: &[SourceEdit],
    now: &[u8],
    earlier: &[u8],
) -> Option<Vec<SourceEdit>> {
    if now == earlier {
        return Some(change.to_vec());
    }
    let (here, there) = (item(path, test, now), item(path, test, earlier));
    let inside = |range: &Range<usize>| {
        change.iter().all(|edit| range.start <= edit.range.start && edit.range.end <= range.end)
    };
    match (here, there) {
        (Some(here), Some(there)) if now.get(here.clone())? == earlier.get(there.clone())? => {
            if inside(&here) {
                return Some(change.iter().map(|edit| moved(edit, here.start, there.start)).collect());
            }
            change.iter().map(|edit| by_lines(edit, now, earlier)).collect()
        }
        // A file that is one test.
        (None, None) => change.iter().map(|edit| by_lines(edit, now, earlier)).collect(),
        (Some(_) | None, Some(_) | None) => None,
    }
}

/// The bytes of the only test of that name.
fn item(path: &str, test: &str, bytes: &[u8]) -> Option<Range<usize>> {
    let mut own = tests(path, bytes).into_iter().filter(|item| same_test(test, &item.name_in(path)));
    let first = own.next()?;
    own.next().is_none().then_some(first.range)
}

fn moved(edit: &SourceEdit, from: usize, to: usize) -> SourceEdit {
    let range = edit.range.start - from + to..edit.range.end - from + to;
    SourceEdit { range, text: edit.text.clone() }
}

/// The edit where its lines stand in the other version, if they stand once in both.
fn by_lines(edit: &SourceEdit, now: &[u8], earlier: &[u8]) -> Option<SourceEdit> {
    let start = now.get(..edit.range.start)?.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let rest = now.get(edit.range.end..)?;
    let end = edit.range.end + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    let lines = now.get(start..end).filter(|lines| !lines.trim_ascii().is_empty())?;
    only_place(now, lines)?;
    Some(moved(edit, start, only_place(earlier, lines)?))
}

/// Where whole lines stand in a text, if they stand there once. They are looked for where a line begins: a search at every byte is
/// quadratic in a text of long, similar lines.
fn only_place(text: &[u8], lines: &[u8]) -> Option<usize> {
    let ends_there = |rest: &[u8]| rest.first().is_none_or(|b| matches!(b, b'\n' | b'\r'));
    let begins = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1);
    let is_it = |at: &usize| text[*at..].strip_prefix(lines).is_some_and(ends_there);
    let mut found = std::iter::once(0).chain(begins).filter(is_it);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests;
