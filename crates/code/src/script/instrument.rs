//! Arranges for a structured report of every runner that a script calls.
//!
//! Adds arguments to a call, or copies its output into a file; exit codes, order and everything else of the script stay
//! as they are. What each runner needs stands in its row.

use std::ops::Range;

use windlass_core::report::Runner;

use super::indirect::{Indirect, look_through};
use super::shell::{ShellScript, ShellWord, SimpleCommand};
use crate::language::Language;
use crate::repo::Tree;
use crate::report::{Need, ReportFormat, ReportPlace, ReportSource};
use crate::runner::{
    Behind, RUNNERS, ReportFacts, RunnerCall, base_name, builds_first, runner_call, without_threshold,
};

/// A script that leaves reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instrumented {
    /// The script to run instead, with `bash`.
    pub script: String,
    /// Variables to set for it.
    pub env: Vec<(String, String)>,
    /// The reports to read afterwards.
    pub expects: Vec<ReportSource>,
}

impl Instrumented {
    /// The runner that is certain to leave a report, if there is one.
    pub fn runner(&self) -> Option<Runner> {
        self.expects.iter().find(|source| source.need == Need::Required).map(|source| source.runner)
    }
}

/// Instruments `script`; reports land in `report_dir`, an absolute path that must exist when the script runs.
pub fn instrument(script: &str, report_dir: &str) -> Instrumented {
    ScriptEdits::new(None, report_dir).instrument(script)
}

/// As [`instrument`], but able to look through `package.json` scripts, `Makefile` targets and shell scripts of `tree`,
/// at whose root the script starts.
pub fn instrument_in(tree: &dyn Tree, script: &str, report_dir: &str) -> Instrumented {
    ScriptEdits::new(Some(tree), report_dir).instrument(script)
}

/// Whether the tests of a script start as they are, with nothing built before. A script that leaves no certain report is asked
/// whether it names its test files itself, in a language whose runners build nothing.
pub fn starts_at_once(tree: &dyn Tree, script: &str, test_files: &[&str]) -> bool {
    if let Some(runner) = instrument_in(tree, script, "/").runner() {
        return !builds_first(runner);
    }
    let builds = |language: Language| language.row().runners.iter().any(|runner| builds_first(*runner));
    let is_started = |file: &&str| script.contains(*file) && !Language::of_path(file).is_some_and(builds);
    !test_files.is_empty() && test_files.iter().all(is_started)
}

/// The changes of a script, its variables and its reports, as the rows of its runners ask for them.
pub(crate) struct ScriptEdits<'a> {
    tree: Option<&'a dyn Tree>,
    dir: &'a str,
    /// Ranges and the text that replaces them; an empty range inserts.
    edits: Vec<(Range<usize>, String)>,
    /// Text that ends a wrapped call, behind everything else that is inserted at the same place.
    closings: Vec<(Range<usize>, String)>,
    env: Vec<(String, String)>,
    expects: Vec<ReportSource>,
}

impl<'a> ScriptEdits<'a> {
    pub(super) fn new(tree: Option<&'a dyn Tree>, dir: &'a str) -> Self {
        Self { tree, dir, edits: Vec::new(), closings: Vec::new(), env: Vec::new(), expects: Vec::new() }
    }

    fn instrument(mut self, script: &str) -> Instrumented {
        let commands = ShellScript::parse(script).commands;
        for command in &commands {
            let before = self.expects.len();
            if let Some(call) = runner_call(command) {
                (call.report.instrument)(&mut self, &call);
                if let Some((at, option)) = without_threshold(&command.words, call.at) {
                    self.insert(at, option.to_owned());
                }
            } else if let Some(tree) = self.tree {
                for found in look_through(tree, command) {
                    self.indirect(command, found);
                }
            }
            if command.conditional {
                self.expects[before..].iter_mut().for_each(|source| source.need = Need::IfPresent);
            }
        }
        if self.expects.is_empty() {
            self.inside_words(&commands);
        }
        if self.expects.is_empty() {
            self.expects.push(ReportSource {
                runner: Runner::Tap,
                format: ReportFormat::Tap,
                place: ReportPlace::Output,
                need: Need::IfPresent,
            });
        }
        self.applied_to(script)
    }

    /// The script with the changes.
    pub(super) fn applied_to(mut self, script: &str) -> Instrumented {
        self.edits.append(&mut self.closings);
        Instrumented { script: apply(script, self.edits), env: self.env, expects: self.expects }
    }

    /// A script inside a word, as in `bash -c '…'`, is not parsed: a runner that takes its options from the environment
    /// leaves a report if it runs there.
    fn inside_words(&mut self, commands: &[SimpleCommand]) {
        let words = || commands.iter().flat_map(|command| &command.words);
        for row in RUNNERS {
            let inner = |word: &ShellWord| word.text.contains(row.name) && word.text.contains(' ');
            if let Some(report) = &row.report
                && let Behind::Variable { name, options, .. } = &report.behind
                && words().any(inner)
            {
                let file = self.expect(report, Need::IfPresent);
                self.env.push(((*name).to_owned(), options(&file)));
                return;
            }
        }
    }

    fn indirect(&mut self, command: &SimpleCommand, found: Indirect) {
        let Indirect { row, report, through } = found;
        if let Some((separators, args)) = through {
            let call = RunnerCall { row, report, command, at: 0, args, through: Some(separators) };
            (report.instrument)(self, &call);
            return;
        }
        match &report.behind {
            Behind::Variable { name, options, .. } => {
                let file = self.expect(report, Need::IfPresent);
                self.insert(command.words[0].range.start, format!("{name}={} ", quote(&options(&file))));
                if command.words.iter().any(|word| base_name(word) == "tox") {
                    self.set_env("TOX_OVERRIDE", &format!("testenv.pass_env+={name}"));
                }
            }
            Behind::Output { env, .. } => {
                let file = self.expect(report, Need::IfPresent);
                if !self.tee(command, &file) {
                    self.expects.pop();
                }
                env.iter().for_each(|(key, value)| self.set_env(key, value));
            }
            Behind::Arguments | Behind::Unreachable => {}
        }
    }

    /// The repository, where it is known.
    pub(crate) fn tree(&self) -> Option<&dyn Tree> {
        self.tree
    }

    /// Announces one more report file and returns its path.
    pub(crate) fn expect(&mut self, report: &ReportFacts, need: Need) -> String {
        let number = self.expects.len() + 1;
        let path = format!("{}/report-{number}.{}", self.dir.trim_end_matches('/'), report.format.ending());
        let place = ReportPlace::File(path.clone());
        self.expects.push(ReportSource { runner: report.runner, format: report.format, place, need });
        path
    }

    /// The file of the report that was announced last.
    pub(crate) fn last_file(&self) -> Option<&str> {
        match &self.expects.last()?.place {
            ReportPlace::File(file) => Some(file),
            ReportPlace::Output => None,
        }
    }

    /// Copies the output of a call into a report file; false when the script sends it elsewhere.
    pub(crate) fn copy_output(&mut self, call: &RunnerCall<'_>) -> bool {
        let file = self.expect(call.report, Need::Required);
        let copied = self.tee(call.command, &file);
        if !copied {
            self.expects.pop();
        }
        copied
    }

    /// `( set -o pipefail; call 2>&1 | tee file )` keeps the call's exit code, because `tee` does not fail.
    fn tee(&mut self, command: &SimpleCommand, file: &str) -> bool {
        if let Some(moved) = command.redirects.iter().find(|redirect| redirect.moves_stdout()) {
            let discarded = moved.target.fixed && moved.target.text == "/dev/null";
            if discarded {
                self.replace(moved.target.range.clone(), quote(file));
            }
            return discarded;
        }
        let both = if command.redirects.is_empty() && !command.is_piped() { " 2>&1" } else { "" };
        self.insert(command.words[0].range.start, "( set -o pipefail; ".to_owned());
        // Behind a filter that stops reading early, `tee` has to go on writing.
        let option = if command.is_piped() { " -p" } else { "" };
        let closing = format!("{both} | tee{option} {} )", quote(file));
        self.closings.push((command.end..command.end, closing));
        true
    }

    /// Adds arguments at the end of a call, before a `--` of its own.
    pub(crate) fn append(&mut self, call: &RunnerCall<'_>, text: &str) {
        let separators = call.through.as_deref();
        let dashes = call.args.iter().find(|word| word.text == "--").filter(|_| separators.is_none());
        if let Some(dashes) = dashes {
            self.insert(dashes.range.start, format!("{text} "));
        } else {
            let end = call.command.words.last().map_or(call.command.end, |word| word.range.end);
            self.insert(end, format!(" {}{text}", separators.unwrap_or_default()));
        }
    }

    /// Inserts text right behind the words that name the runner.
    pub(crate) fn insert_behind_runner(&mut self, call: &RunnerCall<'_>, text: &str) {
        self.insert(call.command.words[call.at].range.end, text.to_owned());
    }

    /// Removes options of a call, those that stand alone and those with a value.
    pub(crate) fn leave_out(&mut self, call: &RunnerCall<'_>, alone: &[&str], with_value: &[&str]) {
        let mut is_value = false;
        for word in call.args.iter().take_while(|word| word.text != "--") {
            let (name, joined) =
                word.text.split_once('=').map_or((word.text.as_str(), false), |(n, _)| (n, true));
            let takes_value = with_value.contains(&name);
            if std::mem::take(&mut is_value) || takes_value || alone.contains(&name) {
                self.replace(word.range.clone(), String::new());
            }
            is_value = takes_value && !joined;
        }
    }

    /// Inserts text at a place of the script.
    pub(crate) fn insert(&mut self, at: usize, text: String) {
        self.edits.push((at..at, text));
    }

    /// Replaces a part of the script.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: String) {
        self.edits.push((range, text));
    }

    /// Sets a variable for the script, unless it is set already.
    pub(crate) fn set_env(&mut self, key: &str, value: &str) {
        if !self.env.iter().any(|(known, _)| known == key) {
            self.env.push((key.to_owned(), value.to_owned()));
        }
    }
}

/// A word that bash reads as exactly `text`.
pub fn quote(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

fn apply(script: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    // Stable: of two insertions at one place the first made stands first.
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(script.len() + 200);
    let mut at = 0;
    for (range, text) in edits {
        out.push_str(script.get(at..range.start).unwrap_or_default());
        out.push_str(&text);
        at = range.end.max(at);
    }
    out.push_str(script.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests;
