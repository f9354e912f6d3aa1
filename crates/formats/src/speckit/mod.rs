//! Spec Kit's `tasks.md`: one line per task, phases as headings, the files in the sentence.
//!
//! Order is not written there but follows from the place: phases come one after the other, and inside one a task
//! without `[P]` waits for the one before it that has none either.

mod line;
mod order;
mod paths;
mod read;
#[cfg(test)]
mod tests;
mod write;

use crate::markdown::{Block, Part, blocks};
use crate::{Dialect, PlanFormat, Sniff, TextFile, picking};

const DIALECT: Dialect = Dialect::Speckit;

/// The name of the file.
const FILE: &str = "tasks.md";

/// How what has no place in a line is kept below it.
const COMMENT: &str = "<!-- windlass ";

/// How what has no place in the file is kept at its end.
const PLAN_COMMENT: &str = "<!-- windlass-plan ";

/// The format.
pub(crate) const FORMAT: PlanFormat = PlanFormat {
    usual_file: FILE,
    sniff: |input| picking::surest(input, confidence),
    read: read::read,
    write: write::write,
    add_run: None,
};

/// How much a file looks like a task list of Spec Kit.
fn confidence(file: &TextFile) -> Sniff {
    let name = picking::file_name(&file.path);
    if !picking::is_markdown(name) {
        return Sniff::No;
    }
    let Ok(text) = std::str::from_utf8(&file.bytes) else { return Sniff::No };
    let is_task = |block: &Block<'_>| match block {
        Block::Text(line) => line::TaskLine::parse(line.text).is_some(),
        Block::Code(_) => false,
    };
    match (blocks(&Part { at: 0, text }).iter().any(is_task), name == FILE) {
        (true, true) => Sniff::Sure,
        (true, false) => Sniff::Maybe,
        (false, _) => Sniff::No,
    }
}
