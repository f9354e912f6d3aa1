//! The text of a pull request: the report on a plan, from criterion to test to commit, in a part of its own.

use std::fmt::Write as _;

use windlass_core::view::report::RunReport;

use super::report_markdown::{coverage_rows, spent, standings, task_row, unfinished};
use super::status::tally;

/// What begins and ends our part; a person's words around it stay.
const BEGIN: &str = "<!-- windlass: begin -->";
const END: &str = "<!-- windlass: end -->";
/// Forges cut or refuse texts that are longer than this, with some room for a person's words.
const LONGEST: usize = 60_000;

/// What the text of a pull request is made from.
#[derive(Debug)]
pub(crate) struct PullRequestText<'r> {
    /// The report on the plan.
    pub(crate) report: &'r RunReport,
    /// The tasks whose commits it brings; all of them where it is not one of a stack.
    pub(crate) tasks: Option<&'r [String]>,
    /// Lines about the whole: issues, the stack it is part of.
    pub(crate) about: &'r [String],
    /// The command that checks the evidence from anywhere.
    pub(crate) check: &'r str,
}

impl PullRequestText<'_> {
    /// The whole text, with what people wrote around our part before.
    pub(crate) fn within(&self, before: &str) -> String {
        let own = format!("{BEGIN}\n{}\n{END}", self.own().trim_end());
        match before.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?.1))) {
            Some((head, tail)) => format!("{head}{own}{tail}"),
            None if before.trim().is_empty() => own,
            None => format!("{}\n\n{own}", before.trim_end()),
        }
    }

    fn own(&self) -> String {
        let report = self.report;
        let mut text = String::new();
        for line in self.about {
            let _ = writeln!(text, "{line}\n");
        }
        let _ = writeln!(text, "{}. {}\n", tally(&report.counts), standings(report));
        let belongs = |tasks: &[String]| self.tasks.is_none_or(|own| tasks.iter().any(|t| own.contains(t)));
        let rows: Vec<&_> = report.coverage.iter().filter(|row| belongs(&row.tasks)).collect();
        let tasks = report.tasks.iter().filter(|task| belongs(std::slice::from_ref(&task.id)));
        let criteria = "| criterion | text | standing | task | tests | commit |\n|---|---|---|---|---|---|\n";
        let mut lines = coverage_rows(&rows);
        if !lines.is_empty() {
            lines.insert(0, criteria.to_owned());
            lines.push("\n".to_owned());
        }
        lines.push("| task | title | state | commit |\n|---|---|---|---|\n".to_owned());
        lines.extend(tasks.map(task_row));
        let mut left = 0;
        for row in lines {
            let row = quiet(&row);
            if text.len() + row.len() > LONGEST { left += 1 } else { text.push_str(&row) }
        }
        if left > 0 {
            let _ = writeln!(text, "\n… and {left} more: `windlass report` has all of them.");
        }
        let waits = quiet(&unfinished(report));
        if text.len() + waits.len() <= LONGEST {
            text.push_str(&waits);
        }
        let _ = writeln!(
            text,
            "\nMade by Windlass: {} attempts, {}. Every commit was verified before it was merged; `{}` checks that again from \
             the commits and the evidence alone.",
            report.attempts.len(),
            spent(&report.usage),
            self.check
        );
        text
    }
}

/// A text without mentions and closing keywords: it is made of what documents and agents say.
fn quiet(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        let next = chars.peek().copied();
        let begins = match c {
            '@' => next.is_some_and(char::is_alphanumeric),
            '#' | '!' => next.is_some_and(|n| n.is_ascii_digit()),
            _ => false,
        };
        if begins {
            out.push('\u{200b}');
        }
    }
    out.replace("GH-", "GH\u{200b}-").replace("://", ":\u{200b}//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_told_and_nothing_is_closed() {
        let said = quiet("fixes #5, closes GH-7 and https://github.com/a/b/issues/1, thanks @ann; a@b #x");
        assert_eq!(
            said,
            "fixes #\u{200b}5, closes GH\u{200b}-7 and https:\u{200b}//github.com/a/b/issues/1, thanks @\u{200b}ann; a@\u{200b}b #x"
        );
    }
}
