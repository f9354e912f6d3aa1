//! The ladder: what follows a failed attempt.
//!
//! Pure: a history in, the next rung out. Knows nothing of agents.

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Stance};
use crate::team::{Issue, IssueSeverity};

/// How many attempts each rung allows. The defaults are the seeds'.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ladder {
    /// Bug-hunter turns on the failed tree.
    pub bug_hunter: u32,
    /// The same agent again, from the red commit.
    pub same_agent: u32,
    /// A fresh agent, from the red commit.
    pub fresh_agent: u32,
    /// One tier up.
    pub tier_up: u32,
    /// The same failure so often in a row ends the rung; the same rejection ends the ladder.
    pub identical: u32,
    /// So many kinds of rung without any change in what fails end the ladder; 0 turns the rule off.
    pub rounds_without_progress: u32,
    /// Two tasks that were each rejected so often because of the other go to a person; 0 turns the rule off.
    pub each_other: u32,
}

impl Default for Ladder {
    fn default() -> Self {
        Self {
            bug_hunter: 3,
            same_agent: 2,
            fresh_agent: 1,
            tier_up: 1,
            identical: 3,
            rounds_without_progress: 3,
            each_other: 2,
        }
    }
}

impl Ladder {
    /// The most turns one task can cost: the first, every rung, and a test-writer turn before each fresh start.
    pub fn worst_case_turns(&self) -> u32 {
        1 + self.bug_hunter + self.same_agent + self.fresh_agent + self.tier_up
    }
}

/// The rung of an attempt on the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// The first attempt.
    First,
    /// A bug-hunter on the failed tree; counts from 1.
    BugHunter(u32),
    /// The same agent again; counts from 1.
    SameAgent(u32),
    /// A fresh agent; counts from 1.
    FreshAgent(u32),
    /// One tier up; counts from 1.
    TierUp(u32),
}

impl Rung {
    /// Its name for people.
    pub fn label(self) -> String {
        match self {
            Rung::First => "first try".into(),
            Rung::BugHunter(n) => format!("bug-hunter {n}"),
            Rung::SameAgent(n) => format!("same agent again {n}"),
            Rung::FreshAgent(n) => format!("fresh agent {n}"),
            Rung::TierUp(n) => format!("one tier up {n}"),
        }
    }

    /// Whether it goes on with the tree that failed, rather than from the red commit.
    pub fn continues(self) -> bool {
        match self {
            Rung::BugHunter(_) => true,
            Rung::First | Rung::SameAgent(_) | Rung::FreshAgent(_) | Rung::TierUp(_) => false,
        }
    }

    fn order(self) -> u32 {
        match self {
            Rung::First => 0,
            Rung::BugHunter(_) => 1,
            Rung::SameAgent(_) => 2,
            Rung::FreshAgent(_) => 3,
            Rung::TierUp(_) => 4,
        }
    }

    fn count(self) -> u32 {
        match self {
            Rung::First => 1,
            Rung::BugHunter(n) | Rung::SameAgent(n) | Rung::FreshAgent(n) | Rung::TierUp(n) => n,
        }
    }
}

/// What follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Attempt the task again on this rung.
    Try(Rung),
    /// The ladder is used up.
    Fail(String),
    /// A person is needed.
    Ask(String),
}

/// Decides what follows the failures so far, oldest first. The history is never empty.
pub fn next_rung(ladder: &Ladder, history: &[(Rung, Failure)]) -> Next {
    let Some((rung, last)) = history.last() else { return Next::Try(Rung::First) };
    let again = || asked_again(history).or_else(|| refused_again(history)).or_else(|| hopeless(history));
    if let Some(question) = needs_a_person(last).or_else(again) {
        return Next::Ask(with_verdict_before(question, history));
    }
    let same = history.iter().rev().take_while(|(_, f)| f.same_as(last)).count();
    let repeated = ladder.identical > 0 && same >= ladder.identical as usize;
    if repeated && let Failure::Rejected { .. } = last {
        return Next::Ask(format!("the same rejection came {same} times: {}", last.summary()));
    }
    if stalled(ladder, history) {
        return Next::Fail(format!(
            "{} kinds of attempt did not help: {}",
            ladder.rounds_without_progress,
            last.summary()
        ));
    }
    // The first attempt does not count as one of the bug-hunter's, who has all of them before the ladder goes on.
    let hunts = history.iter().rev().take_while(|(r, f)| r.continues() && f.same_as(last)).count();
    let used_up = if rung.continues() { repeated && hunts >= ladder.identical as usize } else { repeated };
    match climb(ladder, *rung, last, used_up) {
        Some(rung) => Next::Try(rung),
        None if last.no_code_ran() || is_about_tests(last) => Next::Ask(last.summary()),
        None => Next::Fail(format!("every attempt failed: {}", last.summary())),
    }
}

/// Whether the tests are the trouble: they pass before the work, or they are wrong in themselves.
fn is_about_tests(failure: &Failure) -> bool {
    matches!(failure, Failure::NotRed { passing: true, .. } | Failure::WrongTest { .. })
}

/// The question for a person after a second failure that a further attempt does not help: no code of the task ran, or
/// the test-writer was asked again and the tests are no better.
fn hopeless(history: &[(Rung, Failure)]) -> Option<String> {
    let (_, last) = history.last()?;
    let unrun = history.iter().rev().take_while(|(_, f)| f.no_code_ran()).count();
    let tests = history.iter().filter(|(_, f)| is_about_tests(f)).count();
    let alike = history.iter().rev().take_while(|(_, f)| f.same_as(last)).count();
    let wrong = matches!(last, Failure::WrongRed { .. } | Failure::NotRed { without_tests: true, .. });
    let wrong_again = wrong && alike > 1;
    let again = unrun > 1 || (is_about_tests(last) && tests > 1) || wrong_again;
    again.then(|| last.summary())
}

/// The question for a person where work is refused as dishonest for the same reason a second time, or where the agent that was told of
/// it left the work as it is: only a person can say whether the refusal is right here.
fn refused_again(history: &[(Rung, Failure)]) -> Option<String> {
    let [earlier @ .., (rung, last)] = history else { return None };
    if last.honesty_setting().is_some() {
        let known = earlier.iter().any(|(_, f)| f.same_as(last));
        return known.then(|| format!("refused twice for the same reason: {}", last.summary()));
    }
    let left_alone = rung.continues() && matches!(last, Failure::NoChange | Failure::OnlyWords { .. });
    let (_, refusal) = earlier.last().filter(|_| left_alone)?;
    let setting = refusal.honesty_setting()?;
    Some(format!("{}; {}; {setting}", refusal.summary(), last.summary()))
}

/// The question for a person, if no further attempt can help.
fn needs_a_person(last: &Failure) -> Option<String> {
    match last {
        Failure::SpecContradiction { reason } => Some(reason.clone()),
        Failure::Rejected { issues } if is_grave(issues) => Some(last.summary()),
        Failure::NotRed { by_plan: true, .. }
        | Failure::WrongRed { by_plan: true, .. }
        | Failure::WrongTest { by_agent: false, .. }
        | Failure::NeedsFiles { .. }
        | Failure::Environment { .. }
        | Failure::NoTestCommand { .. }
        | Failure::BriefTooLarge { .. } => Some(last.summary()),
        Failure::NotRed { .. }
        | Failure::WrongRed { .. }
        | Failure::Spawn { .. }
        | Failure::AgentError { .. }
        | Failure::RateLimited { .. }
        | Failure::ProviderRefused { .. }
        | Failure::NoChange
        | Failure::OnlyWords { .. }
        | Failure::OutOfScope { .. }
        | Failure::MovedOut { .. }
        | Failure::NeverTaken { .. }
        | Failure::CodeBeforeTests { .. }
        | Failure::TestsFailed { .. }
        | Failure::CannotRun { .. }
        | Failure::NoBite { .. }
        | Failure::WrongTest { .. }
        | Failure::FrozenChanged { .. }
        | Failure::Timeout { .. }
        | Failure::Conflict { .. }
        | Failure::Rejected { .. } => None,
    }
}

/// The question with the verdict that an agent which was to repair the work gave up on.
fn with_verdict_before(question: String, history: &[(Rung, Failure)]) -> String {
    let [.., (_, before), (rung, Failure::SpecContradiction { .. })] = history else { return question };
    if rung.continues() { format!("{question} ({})", before.summary()) } else { question }
}

/// How often in a row agents may answer with words instead of work, whatever they say, before a person is asked.
const ONLY_WORDS: usize = 3;

/// The words of an agent that asks or declines for the second time in a row, or of agents that answered so often that another
/// one would do the same: a person reads them.
fn asked_again(history: &[(Rung, Failure)]) -> Option<String> {
    let speaks = |failure: &Failure| {
        matches!(failure, Failure::OnlyWords { stance: Stance::Question | Stance::Refusal, .. })
    };
    let answers = |failure: &Failure| matches!(failure, Failure::OnlyWords { .. });
    let (_, last) = history.last()?;
    let in_a_row = |is: &dyn Fn(&Failure) -> bool| history.iter().rev().take_while(|(_, f)| is(f)).count();
    (in_a_row(&speaks) >= 2 || in_a_row(&answers) >= ONLY_WORDS).then(|| last.summary())
}

/// Whether a person must look at it before anything new begins.
pub(crate) fn is_grave(issues: &[Issue]) -> bool {
    issues.iter().any(|i| i.severity == IssueSeverity::High)
}

/// Whether two tasks reject each other: each was rejected so often because of the other.
pub(crate) fn reject_each_other(
    ladder: &Ladder,
    (a, of_a): (&str, &[(Rung, Failure)]),
    (b, of_b): (&str, &[(Rung, Failure)]),
) -> bool {
    let against = |history: &[(Rung, Failure)], other: &str| {
        let blames = |f: &Failure| {
            let Failure::Rejected { issues } = f else { return false };
            issues.iter().any(|i| i.against.as_deref() == Some(other))
        };
        history.iter().filter(|(_, f)| blames(f)).count()
    };
    let limit = ladder.each_other as usize;
    limit > 0 && against(of_a, b) >= limit && against(of_b, a) >= limit
}

/// The next rung that is still allowed after `rung`.
fn climb(ladder: &Ladder, rung: Rung, last: &Failure, used_up: bool) -> Option<Rung> {
    type Make = fn(u32) -> Rung;
    let rungs: [(u32, u32, Make); 4] = [
        (1, ladder.bug_hunter, Rung::BugHunter),
        (2, ladder.same_agent, Rung::SameAgent),
        (3, ladder.fresh_agent, Rung::FreshAgent),
        (4, ladder.tier_up, Rung::TierUp),
    ];
    for (order, limit, make) in rungs {
        if order < rung.order() || (order == 1 && !last.is_verdict()) {
            continue;
        }
        let tried = if order == rung.order() { rung.count() } else { 0 };
        if tried > 0 && used_up {
            continue;
        }
        if tried < limit {
            return Some(make(tried + 1));
        }
    }
    None
}

/// Whether the last kinds of rung all ended in the very same failure. The first attempt belongs to the bug-hunter's round.
fn stalled(ladder: &Ladder, history: &[(Rung, Failure)]) -> bool {
    if ladder.rounds_without_progress == 0 {
        return false;
    }
    let Some((_, last)) = history.last() else { return false };
    let mut kinds: Vec<u32> =
        history.iter().rev().take_while(|(_, f)| f.same_as(last)).map(|(r, _)| r.order().max(1)).collect();
    kinds.dedup();
    kinds.len() > ladder.rounds_without_progress as usize
}

#[cfg(test)]
mod tests;
