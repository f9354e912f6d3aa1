//! A brief inside its budget: what matters least is left out first, and said.

use super::{Brief, BriefError, Purpose, render_parts};

/// How much room there is.
pub struct Budget<'a> {
    /// The most tokens of the brief itself.
    pub limit: usize,
    /// Counts tokens; asked only where the bytes could exceed the limit, as there are never more tokens than bytes.
    pub count: &'a dyn Fn(&str) -> usize,
}

/// How many tokens a turn may take, by the size of its model: the brief, what it leads to being read, and the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Of small tasks.
    pub small: usize,
    /// Of medium tasks.
    pub medium: usize,
    /// Of large tasks.
    pub large: usize,
    /// Of that, what is kept free for the answer.
    pub answer: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { small: 8_000, medium: 32_000, large: 100_000, answer: 2_000 }
    }
}

impl Room {
    /// The most tokens of a brief for this size of model.
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
    /// What was left out, a line each.
    pub left_out: Vec<String>,
}

/// What may be left out, the first first.
const ORDER: [Part; 12] = [
    Part::Handy,
    Part::Pattern,
    Part::EarlierFailures,
    Part::Before,
    Part::Risks,
    Part::Analyses,
    Part::Sketch,
    Part::Conventions,
    Part::Notes,
    Part::Offered,
    Part::Tests,
    Part::Description,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Handy,
    Pattern,
    EarlierFailures,
    Before,
    Risks,
    Analyses,
    Sketch,
    Conventions,
    Notes,
    Offered,
    Tests,
    Description,
}

/// Writes a brief that fits, or says what does not.
pub fn fit(brief: &Brief<'_>, budget: &Budget<'_>) -> Result<Fitted, BriefError> {
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
    while let Some(line) = shorten_failure(&mut brief) {
        left_out.retain(|known| !known.starts_with(FAILURE));
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

fn fits(text: &str, budget: &Budget<'_>) -> bool {
    text.len() <= budget.limit || (budget.count)(text) <= budget.limit
}

/// Takes a part out; the line that says so, or `None` when it is not there.
fn leave_out(brief: &mut Brief<'_>, task: &mut windlass_core::plan::Task, part: Part) -> Option<String> {
    let context = &mut brief.context;
    let listed = |what: &str, count: usize| (count > 0).then(|| format!("{what} ({count})"));
    match part {
        Part::Handy => {
            let gone = std::mem::take(&mut context.handy);
            let paths: Vec<String> = gone.iter().map(|module| format!("`{}`", module.path)).collect();
            (!paths.is_empty()).then(|| format!("what is already here: see {}", paths.join(", ")))
        }
        Part::Pattern => {
            context.pattern.take().map(|p| format!("a file done the same way: read `{}`", p.path))
        }
        Part::EarlierFailures => {
            let keep = brief.failures.split_off(brief.failures.len().saturating_sub(1));
            let gone = std::mem::replace(&mut brief.failures, keep);
            listed("what went wrong in earlier tries", gone.len())
        }
        Part::Before => listed("what was done before this task", std::mem::take(&mut brief.before).len()),
        Part::Risks => listed("risks", std::mem::take(&mut task.risks).len()),
        Part::Analyses => listed("what was looked up", std::mem::take(&mut context.analyses).len()),
        Part::Sketch => context.sketch.take().map(|s| format!("a sketch of `{}`", s.path)),
        Part::Conventions => listed("conventions", std::mem::take(&mut context.conventions).len()),
        Part::Notes => {
            let gone = std::mem::take(&mut task.notes);
            (!gone.is_empty()).then(|| "notes".to_owned())
        }
        Part::Offered => {
            let gone = std::mem::take(&mut context.offered);
            let paths: Vec<String> = gone.iter().map(|file| format!("`{}`", file.path)).collect();
            (!paths.is_empty()).then(|| format!("interfaces: read {}", paths.join(", ")))
        }
        // Frozen tests lie in the directory; tests that are still to be written are what the turn is about.
        Part::Tests if brief.purpose == Purpose::WriteTest => None,
        Part::Tests => {
            let gone = std::mem::take(&mut task.test_code);
            let paths: Vec<String> =
                gone.iter().filter_map(|b| b.path.as_ref()).map(|p| format!("`{p}`")).collect();
            (!gone.is_empty()).then(|| format!("the tests: read {}", paths.join(", ")))
        }
        Part::Description => {
            // Without anything else that says what to do, the description is the task.
            let needed = task.objective.is_empty() && task.criteria.is_empty();
            (!needed && !std::mem::take(&mut task.description).is_empty())
                .then(|| "the description".to_owned())
        }
    }
}

const FAILURE: &str = "the beginning of what went wrong";

/// Halves the last failure from its beginning; `None` when it is short.
fn shorten_failure(brief: &mut Brief<'_>) -> Option<String> {
    let last = brief.failures.last_mut()?;
    let lines: Vec<&str> = last.lines().collect();
    if lines.len() < 16 {
        return None;
    }
    let keep = lines.len() / 2;
    *last = lines[lines.len() - keep..].join("\n");
    Some(format!("{FAILURE} (the last {keep} lines are above)"))
}

/// The sizes of what cannot be left out, the largest first.
fn parts(brief: &Brief<'_>, count: &dyn Fn(&str) -> usize) -> Vec<(&'static str, usize)> {
    let task = brief.task;
    let blocks = |blocks: &[windlass_core::plan::CodeBlock]| {
        blocks.iter().map(|b| b.code.as_str()).collect::<Vec<_>>().join("\n")
    };
    let criteria: Vec<&str> = task.criteria.iter().map(|c| c.text.as_str()).collect();
    let interfaces: Vec<&str> = task.interfaces.iter().map(|i| i.code.as_str()).collect();
    let mut files: Vec<String> = brief.may_change.clone();
    files.extend(task.files.read.iter().chain(&task.focus_paths).cloned());
    let all = [
        ("objective", task.objective.clone()),
        ("description", task.description.clone()),
        ("criteria", criteria.join("\n")),
        ("contract", blocks(&task.contract)),
        ("tests", blocks(&task.test_code)),
        ("interfaces", interfaces.join("\n")),
        ("done-when list", task.done_when.join("\n")),
        ("files", files.join("\n")),
        ("verification", brief.command.clone().unwrap_or_default()),
        ("failure", brief.failures.concat()),
    ];
    let mut sizes: Vec<(&str, usize)> = all.iter().map(|(name, text)| (*name, count(text))).collect();
    sizes.retain(|(_, size)| *size > 0);
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes
}

/// What to split, by what is largest.
pub(super) fn advice(parts: &[(&'static str, usize)]) -> &'static str {
    match parts.first().map(|(name, _)| *name) {
        Some("criteria" | "done-when list") => "split the task by criterion",
        Some("contract" | "interfaces") => "split the task by the parts of its contract",
        Some("files") => "split the task by file",
        Some("tests") => "move some of its tests into a task of their own",
        _ => "say it shorter, or split the task",
    }
}
