//! Spec Kit's `tasks.md`: one line per task, phases as headings, the files in the sentence.
//!
//! The order is not written but follows from the position: phases come one after the other, and inside a phase a task
//! without `[P]` depends on the one before it without `[P]`.

mod line;
mod order;
mod paths;
mod read;
#[cfg(test)]
mod tests;
mod write;

use crate::markdown::{BodyBlock, TextSlice, blocks};
use crate::{Dialect, PlanFormat, Sniff, TextFile, picking};

const DIALECT: Dialect = Dialect::Speckit;

/// The name of the file.
const FILE: &str = "tasks.md";

/// The comment below a line that holds what the line cannot.
const COMMENT: &str = "<!-- windlass ";

/// The comment at the end of the file that holds what the list cannot.
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
    let is_task = |block: &BodyBlock<'_>| match block {
        BodyBlock::Text(line) => line::TaskLine::parse(line.text).is_some(),
        BodyBlock::Code(_) => false,
    };
    match (blocks(&TextSlice { at: 0, text }).iter().any(is_task), name == FILE) {
        (true, true) => Sniff::Sure,
        (true, false) => Sniff::Maybe,
        (false, _) => Sniff::No,
    }
}
