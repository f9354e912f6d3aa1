//! How a program ended and what it said, with what differs from run to run taken out.

use std::fmt;

/// What a program said and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Texts that differ from run to run, with what stands for them.
    pub(crate) redactions: Vec<(String, String)>,
}

impl Outcome {
    /// Asserts how it ended and gives itself back; says everything if it ended otherwise.
    #[track_caller]
    pub fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "expected exit code {code}\n{self}");
        self
    }

    /// Asserts that it said this somewhere.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        let said = self.stdout.contains(text) || self.stderr.contains(text);
        assert!(said, "expected to read {text:?}\n{self}");
        self
    }

    /// Standard output as one line: for texts that are wrapped at the width of the screen.
    pub fn unwrapped(&self) -> String {
        self.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Everything a person would read on the screen, redacted: standard output, then standard error.
    pub fn screen(&self) -> String {
        let mut text = self.redacted(&self.stdout);
        if !self.stderr.is_empty() {
            if !text.is_empty() {
                text.push_str("── on standard error\n");
            }
            text.push_str(&self.redacted(&self.stderr));
        }
        text
    }

    fn redacted(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (from, to) in &self.redactions {
            text = text.replace(from, to);
        }
        let lines: Vec<String> = text.lines().map(|line| redact_line(line) + "\n").collect();
        lines.concat()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or("none".into(), |c| c.to_string());
        write!(f, "exit code {code}\n── stdout\n{}── stderr\n{}", self.stdout, self.stderr)
    }
}

/// Replaces object names, durations, process numbers and sizes of a disk.
fn redact_line(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let end = rest.find(|c| is_word(c) != rest.starts_with(is_word)).unwrap_or(rest.len());
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        if is_object_name(piece) {
            out.push_str("[oid]");
        } else if is_duration(piece) {
            // `1.5s` comes in three pieces. Columns are aligned to the right: the width of what is left out must not matter.
            if out.ends_with('.') {
                out.truncate(out.trim_end_matches(|c: char| c == '.' || c.is_ascii_digit()).len());
            }
            let kept = out.trim_end_matches(' ').len();
            if out.len() - kept > 1 {
                out.truncate(kept + 1);
            }
            out.push_str("[time]");
        } else if is_number(piece) && out.ends_with("process ") {
            out.push_str("[pid]");
        } else {
            out.push_str(piece);
        }
    }
    out.trim_end().to_owned()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '<' || c == '_'
}

fn is_object_name(word: &str) -> bool {
    matches!(word.len(), 8 | 16 | 40)
        && word.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn is_duration(word: &str) -> bool {
    let number = word.strip_prefix('<').unwrap_or(word);
    number.strip_suffix("ms").or_else(|| number.strip_suffix('s')).is_some_and(is_number)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_taken_out() {
        let table = [
            ("merged as 0c8cd44a: Work", "merged as [oid]: Work"),
            ("  ✓ 001  completed       1s Add up", "  ✓ 001  completed [time] Add up"),
            ("  ✓ 001  completed      <1s Add up", "  ✓ 001  completed [time] Add up"),
            ("took 1.5s in all", "took [time] in all"),
            ("took 15s · 2 jobs", "took [time] · 2 jobs"),
            ("plan `a`, process 4711", "plan `a`, process [pid]"),
            ("3 tests and 12 lines stay", "3 tests and 12 lines stay"),
        ];
        for (line, expected) in table {
            assert_eq!(redact_line(line), expected);
        }
    }
}
