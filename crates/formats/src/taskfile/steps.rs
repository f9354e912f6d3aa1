//! The Steps section: numbered actions with an optional file, command, expectation and code.

use crate::markdown::{BodyBlock, SourceLine, without_backticks};
use windlass_core::plan::{Action, Expect, Step};

/// The info string of code that is a hint for the agent, not code to write for it.
pub(crate) const SKETCH: &str = "sketch";

/// The content of a Steps section.
#[derive(Debug, Default)]
pub(crate) struct ReadSteps<'a> {
    /// The steps, each with the line it starts on.
    pub(crate) steps: Vec<(SourceLine<'a>, Step)>,
    /// Lines that look like a step with an unknown action.
    pub(crate) unknown: Vec<SourceLine<'a>>,
    /// Lines that belong to no step.
    pub(crate) stray: Vec<&'a str>,
}

/// Reads the section.
pub(crate) fn read_steps<'a>(blocks: &[BodyBlock<'a>]) -> ReadSteps<'a> {
    let mut read = ReadSteps::default();
    for block in blocks {
        match block {
            BodyBlock::Code(code) => match read.steps.last_mut() {
                Some((_, step)) if code.info == SKETCH && step.sketch.is_none() => {
                    step.sketch = Some(code.text.clone());
                }
                Some((_, step)) if step.code.is_none() => step.code = Some(code.text.clone()),
                Some(_) | None => read.stray.extend(code.raw.lines()),
            },
            BodyBlock::Text(line) => read_line(*line, &mut read),
        }
    }
    read
}

fn read_line<'a>(line: SourceLine<'a>, read: &mut ReadSteps<'a>) {
    if let Some(rest) = numbered(line.text) {
        match step(rest) {
            Some(step) => read.steps.push((line, step)),
            None => read.unknown.push(line),
        }
        return;
    }
    let text = line.text.trim().trim_start_matches(['-', '*']).trim();
    let Some((_, step)) = read.steps.last_mut() else {
        read.stray.push(line.text);
        return;
    };
    if let Some(command) = text.strip_prefix("run:") {
        step.run = Some(without_backticks(command.trim()).to_owned());
    } else if let Some(expected) = expectation(text) {
        step.verify = expected;
    } else {
        read.stray.push(line.text);
    }
}

/// The text after a step's number: `1. …`, `### 1. …`, `### Step 1: …`.
fn numbered(line: &str) -> Option<&str> {
    let text = line.trim_start();
    if line.len() - text.len() > 2 {
        return None;
    }
    let heading = text.trim_start_matches('#');
    let text = heading.trim_start();
    let text = text.strip_prefix("Step ").or_else(|| text.strip_prefix("step ")).unwrap_or(text);
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == text.len() {
        return None;
    }
    rest.strip_prefix(['.', ')', ':']).map(str::trim)
}

/// `write_test `path` — title`.
fn step(text: &str) -> Option<Step> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let action = action(text[..end].trim())?;
    let mut step = Step::of(action);
    let mut rest = text[end..].trim();
    if let Some(quoted) = rest.strip_prefix('`')
        && let Some((file, after)) = quoted.split_once('`')
    {
        step.file = Some(file.to_owned());
        rest = after.trim();
    }
    let title = rest.trim_start_matches(['—', '–', '-', ':']).trim();
    step.title = (!title.is_empty()).then(|| title.to_owned());
    Some(step)
}

fn action(word: &str) -> Option<Action> {
    Action::ALL.into_iter().find(|a| a.as_str().eq_ignore_ascii_case(word))
}

fn expectation(text: &str) -> Option<Expect> {
    let word = text.strip_prefix("expect:").or_else(|| text.strip_prefix("verify:"))?;
    let word = without_backticks(word.trim());
    Expect::ALL.into_iter().find(|e| e.as_str() == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::{TextSlice, blocks};

    #[test]
    fn steps_are_read_in_both_shapes() {
        let text = "\
1. write_test `tests/t.py` — the red test
   ```python
   assert 0
   ```
   ```sketch
   assert f() == 1
   ```
2. verify_fail
   run: `pytest`
   expect: exit_code_nonzero
### Step 3: implement
4. dance
";
        let read = read_steps(&blocks(&TextSlice { at: 0, text }));
        let steps: Vec<Step> = read.steps.into_iter().map(|(_, s)| s).collect();
        let mut first = Step::of(Action::WriteTest);
        first.file = Some("tests/t.py".into());
        first.title = Some("the red test".into());
        first.code = Some("assert 0".into());
        first.sketch = Some("assert f() == 1".into());
        let mut second = Step::of(Action::VerifyFail);
        second.run = Some("pytest".into());
        assert_eq!(steps, [first, second, Step::of(Action::Implement)]);
        assert_eq!(read.unknown.iter().map(|l| l.text).collect::<Vec<_>>(), ["4. dance"]);
    }
}
