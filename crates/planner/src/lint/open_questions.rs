//! Questions that a person has to answer before an agent may begin.

use super::context::LintRun;
use super::rule::{Levels, rules};
use super::words::{field_of, prose};
use windlass_core::diagnostic::Severity::Error;
use windlass_core::plan::Task;

rules! {
    Words;
    OPEN_QUESTION = "WL0523" "open-question", Levels::all(Error), "a task holds a question that is not answered";
}

/// The mark that Spec Kit puts where a person must decide.
const MARK: &str = "NEEDS CLARIFICATION";

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, task: &Task) {
    for text in prose(task).filter(|text| asks(text)) {
        let (field, says) = (field_of(task, text), format!("`{}` needs an answer: {}", task.id, text.trim()));
        let help = "answer it in the document or in the task, and take the mark out";
        check.task(&OPEN_QUESTION, task, &field, says, help);
    }
}

fn asks(text: &str) -> bool {
    let mut behind_brackets = text.match_indices('[').filter_map(|(at, _)| text.get(at + 1..));
    behind_brackets.any(|rest| rest.get(..MARK.len()).is_some_and(|head| head.eq_ignore_ascii_case(MARK)))
}
