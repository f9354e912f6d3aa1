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
    (places(now, lines).len() == 1).then_some(())?;
    match places(earlier, lines).as_slice() {
        [only] => Some(moved(edit, start, *only)),
        _ => None,
    }
}

/// Where whole lines stand in a text.
fn places(text: &[u8], lines: &[u8]) -> Vec<usize> {
    let whole = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let after = text.get(at + lines.len());
        before.is_none_or(|b| *b == b'\n') && after.is_none_or(|b| *b == b'\n' || *b == b'\r')
    };
    let windows = text.windows(lines.len()).enumerate();
    windows.filter(|(at, window)| *window == lines && whole(*at)).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests;
