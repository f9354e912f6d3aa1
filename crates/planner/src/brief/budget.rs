//! Fits a brief into its token budget: the least important parts are left out first and listed.

use super::{Brief, BriefError, Purpose, render_parts};
use windlass_core::worded;

/// A token budget.
pub struct TokenBudget<'a> {
    /// The most tokens of the brief itself.
    pub limit: usize,
    /// Counts tokens; called only if the bytes exceed the limit, because a text never has more tokens than bytes.
    pub count: &'a dyn Fn(&str) -> usize,
}

/// The token limits of a turn by tier: for the brief, the files it makes the agent read, and the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenLimits {
    /// Limit of small tasks.
    pub small: usize,
    /// Limit of medium tasks.
    pub medium: usize,
    /// Limit of large tasks.
    pub large: usize,
    /// The part of the limit that is reserved for the answer.
    pub answer: usize,
}

impl Default for TokenLimits {
    fn default() -> Self {
        Self { small: 8_000, medium: 32_000, large: 100_000, answer: 2_000 }
    }
}

impl TokenLimits {
    /// The most tokens of a brief for this tier.
    pub fn limit(&self, tier: windlass_core::plan::Tier) -> usize {
        let all = match tier {
            windlass_core::plan::Tier::Small => self.small,
            windlass_core::plan::Tier::Medium => self.medium,
            windlass_core::plan::Tier::Large => self.large,
        };
        all.saturating_sub(self.answer)
    }
}

/// A brief that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// The brief.
    pub text: String,
    /// The parts left out, one line each.
    pub left_out: Vec<String>,
}

/// The optional parts in the order in which they are left out.
const ORDER: [OptionalPart; 13] = [
    OptionalPart::Reusable,
    OptionalPart::Pattern,
    OptionalPart::EarlierFailures,
    OptionalPart::EarlierTasks,
    OptionalPart::Risks,
    OptionalPart::Analyses,
    OptionalPart::Sketch,
    OptionalPart::Conventions,
    OptionalPart::HouseRules,
    OptionalPart::Notes,
    OptionalPart::Offered,
    OptionalPart::Tests,
    OptionalPart::Description,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OptionalPart {
    Reusable,
    Pattern,
    EarlierFailures,
    EarlierTasks,
    Risks,
    Analyses,
    Sketch,
    Conventions,
    HouseRules,
    Notes,
    Offered,
    Tests,
    Description,
}

/// Renders a brief that fits, or reports the parts that do not.
pub fn fit(brief: &Brief<'_>, budget: &TokenBudget<'_>) -> Result<Fitted, BriefError> {
    let mut brief = brief.clone();
    let mut left_out: Vec<String> = Vec::new();
    let text = render_parts(&brief, &left_out)?;
    if fits(&text, budget) {
        return Ok(Fitted { text, left_out });
    }
    let mut task = brief.task.clone();
    for part in ORDER {
        let Some(line) = leave_out(&mut brief, &mut task, part) else { continue };
        left_out.push(line);
        let shorter = Brief { task: &task, ..brief.clone() };
        let text = render_parts(&shorter, &left_out)?;
        if fits(&text, budget) {
            return Ok(Fitted { text, left_out });
        }
    }
    // The end of a long failure says more than its beginning.
    let whole_parts = left_out.len();
    while let Some(line) = shorten_failure(&mut brief) {
        left_out.truncate(whole_parts);
        left_out.push(line);
        let shorter = Brief { task: &task, ..brief.clone() };
        let text = render_parts(&shorter, &left_out)?;
        if fits(&text, budget) {
            return Ok(Fitted { text, left_out });
        }
    }
    let rest = Brief { task: &task, ..brief };
    let text = render_parts(&rest, &left_out)?;
    Err(BriefError::TooLarge {
        task: task.id.clone(),
        tokens: (budget.count)(&text),
        limit: budget.limit,
        parts: parts(&rest, budget.count),
    })
}

fn fits(text: &str, budget: &TokenBudget<'_>) -> bool {
    text.len() <= budget.limit || (budget.count)(text) <= budget.limit
}

/// Removes a part and returns its line for the list; `None` if the part is absent.
fn leave_out(
    brief: &mut Brief<'_>,
    task: &mut windlass_core::plan::Task,
    part: OptionalPart,
) -> Option<String> {
    let context = &mut brief.context;
    let listed = |what: &str, count: usize| (count > 0).then(|| format!("{what} ({count})"));
    match part {
        OptionalPart::Reusable => {
            let gone = std::mem::take(&mut context.reusable);
            let paths: Vec<String> = gone.iter().map(|module| format!("`{}`", module.path)).collect();
            (!paths.is_empty()).then(|| format!("existing code to reuse: see {}", paths.join(", ")))
        }
        OptionalPart::Pattern => context.pattern.take().map(|p| format!("a similar file: read `{}`", p.path)),
        OptionalPart::EarlierFailures => {
            let keep = brief.failures.split_off(brief.failures.len().saturating_sub(1));
            let gone = std::mem::replace(&mut brief.failures, keep);
            listed("failures of earlier attempts", gone.len())
        }
        OptionalPart::EarlierTasks => {
            listed("results of earlier tasks", std::mem::take(&mut brief.before).len())
        }
        OptionalPart::Risks => listed("risks", std::mem::take(&mut task.risks).len()),
        OptionalPart::Analyses => {
            listed("looked-up information", std::mem::take(&mut context.analyses).len())
        }
        OptionalPart::Sketch => context.sketch.take().map(|s| format!("a sketch of `{}`", s.path)),
        OptionalPart::Conventions => listed("conventions", std::mem::take(&mut context.conventions).len()),
        OptionalPart::HouseRules => {
            let gone = std::mem::take(&mut brief.house_rules);
            let paths: Vec<String> = gone.iter().map(|rules| format!("`{}`", rules.path)).collect();
            (!paths.is_empty()).then(|| format!("rules of this repository: read {}", paths.join(", ")))
        }
        OptionalPart::Notes => {
            let gone = std::mem::take(&mut task.notes);
            (!gone.is_empty()).then(|| "notes".to_owned())
        }
        OptionalPart::Offered => {
            let gone = std::mem::take(&mut context.offered);
            let paths: Vec<String> = gone.iter().map(|file| format!("`{}`", file.path)).collect();
            (!paths.is_empty()).then(|| format!("interfaces: read {}", paths.join(", ")))
        }
        // Frozen tests can be read in the directory; a test writer needs the tests in the brief.
        OptionalPart::Tests if brief.purpose == Purpose::WriteTest => None,
        OptionalPart::Tests => {
            let gone = std::mem::take(&mut task.test_code);
            let paths: Vec<String> =
                gone.iter().filter_map(|b| b.path.as_ref()).map(|p| format!("`{p}`")).collect();
            (!gone.is_empty()).then(|| format!("the tests: read {}", paths.join(", ")))
        }
        OptionalPart::Description => {
            // Without objective and criteria, the description is the task.
            let needed = task.objective.is_empty() && task.criteria.is_empty();
            (!needed && !std::mem::take(&mut task.description).is_empty())
                .then(|| "the description".to_owned())
        }
    }
}

/// Drops the first half of the last failure; `None` if it is short.
fn shorten_failure(brief: &mut Brief<'_>) -> Option<String> {
    let last = brief.failures.last_mut()?;
    let lines: Vec<&str> = last.lines().collect();
    if lines.len() < 16 {
        return None;
    }
    let keep = lines.len() / 2;
    *last = lines[lines.len() - keep..].join("\n");
    Some(format!("the beginning of the last failure (its last {keep} lines are above)"))
}

/// The sizes of the required parts, the largest first.
fn parts(brief: &Brief<'_>, count: &dyn Fn(&str) -> usize) -> Vec<(RequiredPart, usize)> {
    let task = brief.task;
    let blocks = |blocks: &[windlass_core::plan::CodeBlock]| {
        blocks.iter().map(|b| b.code.as_str()).collect::<Vec<_>>().join("\n")
    };
    let criteria: Vec<&str> = task.criteria.iter().map(|c| c.text.as_str()).collect();
    let interfaces: Vec<&str> = task.interfaces.iter().map(|i| i.code.as_str()).collect();
    let mut files: Vec<String> = brief.may_change.clone();
    files.extend(task.files.read.iter().chain(&task.focus_paths).cloned());
    let all = [
        (RequiredPart::Objective, task.objective.clone()),
        (RequiredPart::Description, task.description.clone()),
        (RequiredPart::Criteria, criteria.join("\n")),
        (RequiredPart::Contract, blocks(&task.contract)),
        (RequiredPart::Tests, blocks(&task.test_code)),
        (RequiredPart::Interfaces, interfaces.join("\n")),
        (RequiredPart::DoneWhen, task.done_when.join("\n")),
        (RequiredPart::Files, files.join("\n")),
        (RequiredPart::Verification, brief.command.clone().unwrap_or_default()),
        (RequiredPart::Failure, brief.failures.concat()),
    ];
    let mut sizes: Vec<(RequiredPart, usize)> = all.iter().map(|(name, text)| (*name, count(text))).collect();
    sizes.retain(|(_, size)| *size > 0);
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes
}

worded! {
    /// A part of a brief that cannot be left out.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RequiredPart {
        /// What the task accomplishes.
        Objective = "objective",
        /// What the task does.
        Description = "description",
        /// The acceptance criteria.
        Criteria = "criteria",
        /// The contract.
        Contract = "contract",
        /// The code of the tests.
        Tests = "tests",
        /// The interfaces the task uses.
        Interfaces = "interfaces",
        /// The check list.
        DoneWhen = "done-when list",
        /// The files it may change or is to read.
        Files = "files",
        /// The command that checks it.
        Verification = "verification",
        /// The failures of earlier attempts.
        Failure = "failure",
    }
}

impl RequiredPart {
    /// How to make a task smaller whose largest part this is.
    fn advice(self) -> &'static str {
        match self {
            RequiredPart::Criteria | RequiredPart::DoneWhen => "split the task by criterion",
            RequiredPart::Contract | RequiredPart::Interfaces => {
                "split the task by the parts of its contract"
            }
            RequiredPart::Files => "split the task by file",
            RequiredPart::Tests => "move some of its tests into a task of their own",
            RequiredPart::Objective
            | RequiredPart::Description
            | RequiredPart::Verification
            | RequiredPart::Failure => SHORTEN,
        }
    }
}

const SHORTEN: &str = "shorten it, or split the task";

/// How to make a task smaller, by its largest part.
pub(super) fn advice(parts: &[(RequiredPart, usize)]) -> &'static str {
    parts.first().map_or(SHORTEN, |(part, _)| part.advice())
}

#[cfg(test)]
mod tests;
