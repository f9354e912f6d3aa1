//! The steps of one task.

use super::detail::StepDetail;
use crate::repository::Repository;
use crate::snippet::{CaseWanted, CodeWanted, SnippetState, TestWanted};
use windlass_code::script::quote;
use windlass_code::survey::Language;
use windlass_core::plan::{Action, CodeBlock, Mode, Step, Task, template};

/// The steps of a task; none at low detail, where the mode's template is enough.
pub(crate) fn steps_for(
    task: &Task,
    mode: Mode,
    detail: StepDetail,
    repository: &Repository<'_>,
) -> Vec<Step> {
    if detail == StepDetail::Low {
        return Vec::new();
    }
    let maker = Maker::new(task, mode, detail, repository);
    template(mode).into_iter().flat_map(|step| maker.fill(step)).collect()
}

/// The input for the steps of one task.
struct Maker<'a> {
    task: &'a Task,
    mode: Mode,
    detail: StepDetail,
    repository: &'a Repository<'a>,
    tests: Vec<String>,
    /// The written files that are no tests.
    code: Vec<String>,
    check: Option<String>,
}

impl<'a> Maker<'a> {
    fn new(task: &'a Task, mode: Mode, detail: StepDetail, repository: &'a Repository<'a>) -> Self {
        let mut tests: Vec<String> = task.test_files().into_iter().map(str::to_owned).collect();
        let written = task.files.create.iter().chain(&task.files.modify);
        if tests.is_empty() && mode == Mode::TestsOnly {
            tests = written.clone().cloned().collect();
        }
        let inline = task.test.inline;
        let code = written.filter(|path| inline || !tests.contains(path)).cloned().collect();
        let mut maker = Self { task, mode, detail, repository, tests, code, check: None };
        maker.check = maker.command();
        maker
    }

    /// The verification command: the task's own, else those of its test files.
    fn command(&self) -> Option<String> {
        if let Some(stated) = self.task.stated_check() {
            return Some(stated.trim().to_owned());
        }
        let mut scripts: Vec<String> = Vec::new();
        for file in &self.tests {
            let call = self.repository.test_command(file)?;
            if !scripts.contains(&call.script) {
                scripts.push(call.script);
            }
        }
        match scripts.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            // Each command starts at the root of the tree.
            several => Some(several.iter().map(|s| format!("({s})")).collect::<Vec<_>>().join(" && ")),
        }
    }

    fn fill(&self, step: Step) -> Vec<Step> {
        match step.action {
            Action::WriteTest => self.write_tests(&step),
            Action::VerifyFail | Action::VerifyPass => vec![self.verify(step)],
            Action::Implement | Action::Refactor => self.write_code(&step),
            Action::Format => self.format(&step).into_iter().collect(),
            Action::Commit => vec![self.commit(step)],
        }
    }

    fn write_tests(&self, step: &Step) -> Vec<Step> {
        let mut out: Vec<Step> = self
            .tests
            .iter()
            .map(|file| {
                let step = Step { file: Some(file.clone()), ..step.clone() };
                let step = self.with_test_snippet(step, file);
                Step { title: Some(self.test_title(file)), ..step }
            })
            .collect();
        if out.is_empty() {
            out.push(step.clone());
        }
        out
    }

    fn test_title(&self, file: &str) -> String {
        let what = match self.mode {
            Mode::TestsOnly => "tests for code that exists",
            Mode::Tdd | Mode::Refactor | Mode::Gate | Mode::None => "the failing test",
        };
        let ids: Vec<&str> =
            self.task.criteria.iter().map(|c| c.id.as_str()).filter(|id| !id.is_empty()).collect();
        let inline = if self.task.test.inline { format!(" inside {file}") } else { String::new() };
        if ids.is_empty() {
            format!("{what}{inline}")
        } else {
            format!("{what}{inline} for {}", ids.join(", "))
        }
    }

    fn with_test_snippet(&self, step: Step, file: &str) -> Step {
        // The plan's own tests need no sketch, and an inline test belongs to a file that is written later.
        let known = !self.task.test_code.is_empty() || self.task.test.inline;
        if self.detail != StepDetail::High || known || self.mode != Mode::Tdd {
            return step;
        }
        let [subject] = self.subjects()[..] else { return step };
        let cases: Vec<CaseWanted<'_>> =
            self.task.criteria.iter().map(|c| CaseWanted { id: &c.id, text: &c.text }).collect();
        let implied: Vec<CodeBlock> = self.implied(subject).into_iter().collect();
        let contract = if implied.is_empty() { &self.task.contract } else { &implied };
        let wanted = TestWanted { file, subject, contract, cases: &cases };
        match self.repository.test_snippet(&wanted) {
            Some(snippet)
                if snippet.state == SnippetState::Complete && !self.repository.survey().has(file) =>
            {
                Step { code: Some(snippet.code), ..step }
            }
            Some(snippet) => Step { sketch: Some(snippet.code), ..step },
            None => step,
        }
    }

    fn wanted<'w>(&'w self, file: &'w str) -> CodeWanted<'w> {
        CodeWanted { file, contract: &self.task.contract, said: &self.task.title }
    }

    /// The interface of a file that the plan has no contract for, by the files beside it.
    fn implied(&self, file: &str) -> Option<CodeBlock> {
        let code = self.repository.implied_contract(&self.wanted(file))?;
        Some(CodeBlock { path: Some(file.to_owned()), code, ..CodeBlock::default() })
    }

    /// The main files of the task, without index and module files.
    fn subjects(&self) -> Vec<&str> {
        let ties = |path: &str| Language::is_index(path) || Language::declares_modules(path);
        let all = || self.code.iter().map(String::as_str);
        let own: Vec<&str> = all().filter(|path| !ties(path)).collect();
        if own.is_empty() { all().collect() } else { own }
    }

    fn verify(&self, step: Step) -> Step {
        let title = match step.action {
            Action::VerifyFail => "it must fail, because the code is missing",
            Action::VerifyPass
            | Action::WriteTest
            | Action::Implement
            | Action::Refactor
            | Action::Format
            | Action::Commit => "it must pass",
        };
        let file = match self.tests.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        };
        Step { run: self.check.clone(), file, title: Some(title.into()), ..step }
    }

    fn write_code(&self, step: &Step) -> Vec<Step> {
        let mut out: Vec<Step> = self
            .code
            .iter()
            .map(|file| {
                let step = Step { file: Some(file.clone()), ..step.clone() };
                let title = self.task.changes.get(file).cloned();
                let wanted = self.wanted(file);
                let fits = self.detail == StepDetail::High
                    && step.action == Action::Implement
                    && self.subjects() == [file.as_str()];
                let sketch = if fits { self.repository.code_snippet(&wanted) } else { None };
                Step { sketch, title, ..step }
            })
            .collect();
        if out.is_empty() {
            out.push(step.clone());
        }
        out
    }

    /// The format step; `None` if no formatter is configured.
    fn format(&self, step: &Step) -> Option<Step> {
        let files: Vec<String> = self.task.owned().map(str::to_owned).collect();
        let commands = self.repository.format_commands(&files);
        (!commands.is_empty()).then(|| Step { run: Some(commands.join(" && ")), ..step.clone() })
    }

    /// The commit step. The engine commits; the command is for executors that run every step.
    fn commit(&self, step: Step) -> Step {
        let title = format!("{}: {}", self.task.id, self.task.title);
        let files: Vec<String> = self.task.owned().map(quote).collect();
        let message = quote(&title);
        let run = if files.is_empty() {
            format!("git commit --allow-empty -m {message}")
        } else {
            format!("git add -A -- {} && git commit -m {message}", files.join(" "))
        };
        Step { title: Some(title), run: Some(run), ..step }
    }
}

#[cfg(test)]
mod tests;
