//! Which files of an input a dialect reads.

use std::cmp::Reverse;

use crate::json::{Peek, peek};
use crate::reading::code;
use crate::{Input, Sniff, TextFile};
use windlass_core::diagnostic::{Diagnostic, Severity};
pub(crate) use windlass_core::path_text::{file_name, file_stem as stem};

/// The file of the input that a dialect reads: the one it is surest of, then the one with the usual name, then the one
/// with the shortest path. The others are reported as left out.
pub(crate) fn pick<'i>(
    input: &'i Input,
    usual: &str,
    out: &mut Vec<Diagnostic>,
    confidence: impl Fn(&TextFile) -> Sniff,
) -> Option<&'i TextFile> {
    let ranked = input.files.iter().map(|file| (confidence(file), file));
    let mut files: Vec<(Sniff, &TextFile)> = ranked.filter(|(sniff, _)| *sniff > Sniff::No).collect();
    files.sort_by_key(|(sniff, f)| {
        (Reverse(*sniff), file_name(&f.path) != usual, f.path.matches('/').count(), &f.path)
    });
    let files: Vec<&TextFile> = files.into_iter().map(|(_, file)| file).collect();
    let (first, others) = files.split_first()?;
    for other in others {
        let message = format!("`{}` is another plan; `{}` is read", other.path, first.path);
        out.push(Diagnostic::new(code::LEFT_OUT, Severity::Note, message));
    }
    Some(first)
}

/// The highest confidence among the files of an input.
pub(crate) fn surest(input: &Input, confidence: impl Fn(&TextFile) -> Sniff) -> Sniff {
    input.files.iter().map(confidence).max().unwrap_or(Sniff::No)
}

/// The confidence that a JSON file gives by the keys at its beginning; other files give none.
pub(crate) fn sniff_json(file: &TextFile, by: impl FnOnce(&Peek<'_>) -> Sniff) -> Sniff {
    if is_json(&file.path) { by(&peek(&file.bytes)) } else { Sniff::No }
}

/// Whether a path names a JSON file.
pub(crate) fn is_json(path: &str) -> bool {
    has_ending(path, "json")
}

/// Whether a path names a Markdown file.
pub(crate) fn is_markdown(path: &str) -> bool {
    has_ending(path, "md")
}

fn has_ending(path: &str, ending: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
}

/// Reports that the input has no plan of this dialect.
pub(crate) fn no_tasks(out: &mut Vec<Diagnostic>, message: impl Into<String>) {
    out.push(Diagnostic::new(code::NO_TASKS, Severity::Error, message));
}
