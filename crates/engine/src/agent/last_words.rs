//! What the last message of an agent that changed nothing is: a question, or a remark. A refusal is told by the program.

use windlass_core::failure::{Failure, Stance};

/// How many characters of a message are passed on, counted from its end.
const PASSED_ON: usize = 1500;

/// The failure of a turn that left words and no change; `None` for a message without words.
pub(crate) fn only_words(message: &str) -> Option<Failure> {
    let message = message.trim();
    if message.is_empty() {
        return None;
    }
    let stance = if asks(message) { Stance::Question } else { Stance::Remark };
    Some(Failure::OnlyWords { stance, words: end_of(message) })
}

/// Whether a message ends with a question: a sentence of its last paragraph that is no list, or a point of the list that
/// follows, ends in a question mark. Code is not read.
pub(super) fn asks(message: &str) -> bool {
    let prose = without_code(message);
    let paragraphs: Vec<&str> = prose.split("\n\n").map(str::trim).filter(|p| !p.is_empty()).collect();
    let Some((last, before)) = paragraphs.split_last() else { return false };
    // Options after a question, and a closing line after the options, belong to it.
    let lead = before.iter().rev().find(|p| !is_list(p));
    let follows_list = before.last().is_some_and(|p| is_list(p));
    has_question(last) || ((is_list(last) || follows_list) && lead.is_some_and(|p| has_question(p)))
}

fn is_list(paragraph: &str) -> bool {
    let is_point = |line: &str| {
        let line = line.trim_start();
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = line.len() - numbered.len();
        let lettered = line.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
            && line[1..].starts_with([')', '.'])
            && line[2..].starts_with(' ');
        line.starts_with("- ")
            || line.starts_with("* ")
            || line.starts_with("• ")
            || (digits > 0 && numbered.starts_with([')', '.']))
            || lettered
    };
    paragraph.lines().next().is_some_and(is_point)
}

/// Whether a sentence of a paragraph is a question. Quoted words and addresses are none.
fn has_question(paragraph: &str) -> bool {
    let text: Vec<char> = paragraph.chars().collect();
    text.iter().enumerate().any(|(at, sign)| match sign {
        '？' => true,
        '?' => text.get(at + 1).is_none_or(|next| next.is_whitespace() || matches!(next, '*' | '_' | ')')),
        _ => false,
    })
}

/// The message without fenced blocks and spans of code.
fn without_code(message: &str) -> String {
    let mut fenced = false;
    let mut text = String::new();
    for line in message.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            // Every second piece between backticks is code.
            text.extend(line.split('`').step_by(2));
            text.push('\n');
        }
    }
    text
}

/// The end of a message, as much as is passed on.
pub(super) fn end_of(message: &str) -> String {
    let skip = message.chars().count().saturating_sub(PASSED_ON);
    let end: String = message.chars().skip(skip).collect();
    if skip > 0 { format!("…{end}") } else { end }
}

#[cfg(test)]
mod tests;
