//! The steps of a run in order: those that a task lists, those that every run adds, and whether the engine, an agent or the
//! verifier carries each out.

use super::{Action, Expect, Mode, Step, Task, template};

/// The steps that a run of the task carries out: its own in their order, and what its mode demands besides, where it
/// belongs among them. The test is always seen to fail, the result always verified, formatted and committed.
pub fn carried_out(task: &Task, mode: Mode) -> Vec<Step> {
    if task.steps.is_empty() {
        return template(mode);
    }
    let mut steps = task.steps.clone();
    // Only test-first tasks tell writing code from improving it.
    let either = mode != Mode::Tdd;
    for step in template(mode) {
        let is_there =
            |s: &Step| s.action == step.action || either && is_code(s.action) && is_code(step.action);
        if steps.iter().any(is_there) {
            continue;
        }
        let place = steps.iter().position(|s| rank(s.action) > rank(step.action)).unwrap_or(steps.len());
        steps.insert(place, step);
    }
    if mode == Mode::Refactor
        && let Some(work) = steps.iter().position(|s| is_code(s.action))
        && !steps[..work].iter().any(|s| s.action == Action::VerifyPass)
    {
        steps.insert(work, Step::of(Action::VerifyPass));
    }
    steps
}

fn is_code(action: Action) -> bool {
    matches!(action, Action::Implement | Action::Refactor)
}

/// Where an action usually stands.
fn rank(action: Action) -> u32 {
    match action {
        Action::WriteTest => 0,
        Action::VerifyFail => 1,
        Action::Implement => 2,
        Action::Refactor => 3,
        Action::VerifyPass => 4,
        Action::Format => 5,
        Action::Commit => 6,
    }
}

/// The places that divide the steps of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepPlaces {
    /// The step that sees the test fail; none if the mode demands no red and the task lists no such step.
    pub red: Option<usize>,
    /// The first step in which an agent writes what the task is about: code, or tests for code that exists.
    pub work: usize,
    /// The first verification that no work follows. It and everything after it belong to the verifier.
    pub verdict: usize,
}

impl StepPlaces {
    /// The places among the steps of a run in this mode.
    pub fn of(steps: &[Step], mode: Mode) -> Self {
        let find = |wanted: &dyn Fn(Action) -> bool| steps.iter().position(|s| wanted(s.action));
        let work = match mode {
            Mode::TestsOnly => find(&|a| a == Action::WriteTest),
            Mode::Tdd | Mode::Refactor | Mode::Gate | Mode::None => find(&is_code),
        };
        let last_work = steps.iter().rposition(|s| is_code(s.action) || s.action == Action::WriteTest);
        let passes = |from: usize| {
            let rest = steps.iter().enumerate().skip(from);
            rest.filter(|(_, s)| s.action == Action::VerifyPass).map(|(at, _)| at)
        };
        let verdict = passes(last_work.map_or(0, |at| at + 1)).next().or_else(|| passes(0).next_back());
        let verdict = verdict.unwrap_or(steps.len());
        let red = find(&|a| a == Action::VerifyFail).filter(|at| *at < verdict);
        Self { red, work: work.unwrap_or(verdict), verdict }
    }
}

/// Why the listed steps cannot be carried out in their order, with the place of the step that is wrong.
pub fn impossible_order(task: &Task, mode: Mode) -> Option<(usize, String)> {
    let steps = &task.steps;
    let first = |wanted: Action| steps.iter().position(|s| s.action == wanted);
    let code = steps.iter().position(|s| is_code(s.action));
    if let Some(at) = first(Action::Commit).filter(|at| at + 1 < steps.len()) {
        let next = steps[at + 1].action.as_str();
        return Some((at + 1, format!("`{next}` comes after `commit`, which ends the task")));
    }
    if mode != Mode::Tdd {
        return None;
    }
    let before = |earlier: Option<usize>, later: Option<usize>| match (earlier, later) {
        (Some(earlier), Some(later)) if earlier < later => Some(earlier),
        _ => None,
    };
    let (test, red) = (first(Action::WriteTest), first(Action::VerifyFail));
    if let Some(at) = before(red, test) {
        return Some((at, "`verify_fail` comes before the test is written".into()));
    }
    let work = code.map_or("implement", |at| steps[at].action.as_str());
    if let Some(at) = before(code, red) {
        return Some((
            at,
            format!("`{work}` comes before `verify_fail`: with the code there, the test does not fail"),
        ));
    }
    if let Some(at) = before(code, test) {
        return Some((at, format!("`{work}` comes before `write_test`: the test is never seen to fail")));
    }
    if let Some(at) = before(first(Action::VerifyPass), code.or(red)) {
        return Some((at, format!("`verify_pass` comes before `{work}`: nothing is there that could pass")));
    }
    None
}

impl Step {
    /// Its command, if it has one.
    pub fn command(&self) -> Option<&str> {
        self.run.as_deref().map(str::trim).filter(|run| !run.is_empty())
    }

    /// Whether its command is the one that is seen failing.
    pub fn shows_red(&self) -> bool {
        self.action == Action::VerifyFail && self.verify == Expect::ExitCodeNonzero
    }

    /// The command that it proves its task with.
    pub(crate) fn proving_command(&self) -> Option<&str> {
        let proves = self.action == Action::VerifyPass && self.verify == Expect::ExitCode;
        self.command().filter(|_| proves)
    }
}

#[cfg(test)]
mod tests;
