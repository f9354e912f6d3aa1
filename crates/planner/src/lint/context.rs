//! The input of a check, its index of the plan, and its reports.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Deref;

use super::files::{ForeignFile, Makers};
use super::rule::{LintRule, Profile};
use super::verification_script::VerificationScript;
use crate::brief::TokenLimits;
use windlass_code::detect::is_test_path;
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::plan::{Mode, Plan, Task, infer_mode};
use windlass_formats::Dialect;

/// The input of a check apart from the plan.
pub struct LintContext<'a> {
    /// The profile whose levels apply.
    pub profile: Profile,
    /// The format the plan was read from; some rules are milder for imported plans.
    pub dialect: Dialect,
    /// Levels set by the user, by code or name; `None` turns a rule off.
    pub overrides: BTreeMap<String, Option<Severity>>,
    /// Counts tokens; called only if the bytes could exceed a limit.
    pub tokens: &'a (dyn Fn(&str) -> usize + Sync),
    /// The token limits of turns, by tier.
    pub token_limits: TokenLimits,
    /// Whether a file is in the repository; `None` where there is none, or where the plan has begun to change it.
    pub exists: Option<&'a (dyn Fn(&str) -> bool + Sync)>,
}

/// An index of a plan, built before its tasks are checked one by one.
pub(super) struct PlanIndex<'a> {
    pub(super) plan: &'a Plan,
    pub(super) context: &'a LintContext<'a>,
    pub(super) by_id: HashMap<&'a str, u32>,
    /// The direct parts of each task.
    pub(super) parts: Vec<Vec<u32>>,
    /// The number of tasks that depend on each task.
    pub(super) dependants: Vec<u32>,
    /// The level and layer of each task: a compact copy, because they are read for every dependency.
    pub(super) ranks: Vec<Rank>,
    /// The tasks that create each file.
    pub(super) makers: Makers<'a>,
    needs: Vec<Vec<u32>>,
    modes: Vec<Mode>,
    owned: Vec<Vec<OwnedPath<'a>>>,
    /// The ids of the plan's criteria.
    pub(super) criteria: HashSet<&'a str>,
}

/// A check in progress: the index, the scripts of the current task, and the findings so far.
pub(super) struct LintRun<'a> {
    facts: &'a PlanIndex<'a>,
    /// The verification scripts of the current task.
    pub(super) scripts: Vec<TaskScript<'a>>,
    pub(super) noted: TaskObservations<'a>,
    pub(super) found: Vec<Diagnostic>,
}

/// Observations about single tasks that are reported at the end.
#[derive(Default)]
pub(super) struct TaskObservations<'a> {
    /// Tasks with an inferred mode other than `tdd`, by mode.
    pub(super) inferred: BTreeMap<&'static str, Vec<u32>>,
    /// Files of other tasks that scripts name.
    pub(super) named: Vec<ForeignFile<'a>>,
}

impl TaskObservations<'_> {
    /// Adds the observations about later tasks.
    pub(super) fn extend(&mut self, later: Self) {
        for (mode, tasks) in later.inferred {
            self.inferred.entry(mode).or_default().extend(tasks);
        }
        self.named.extend(later.named);
    }
}

impl<'a> Deref for LintRun<'a> {
    type Target = PlanIndex<'a>;

    fn deref(&self) -> &PlanIndex<'a> {
        self.facts
    }
}

/// The level and layer of a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank {
    pub(super) level: Option<i64>,
    pub(super) layer: Option<i64>,
}

/// A dependency on a task that is not in the plan.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// A verification script of a task.
pub(super) struct TaskScript<'a> {
    /// Its field.
    pub(super) field: &'static str,
    pub(super) text: &'a str,
    pub(super) script: VerificationScript,
}

/// A path that a task owns, and whether it is a test.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnedPath<'a> {
    pub(super) path: &'a str,
    pub(super) is_test: bool,
}

impl<'a> PlanIndex<'a> {
    pub(super) fn new(plan: &'a Plan, context: &'a LintContext<'a>) -> PlanIndex<'a> {
        let count = plan.tasks.len();
        let mut by_id = HashMap::with_capacity(count);
        for (at, task) in (0_u32..).zip(&plan.tasks) {
            by_id.entry(task.id.as_str()).or_insert(at);
        }
        let mut facts = PlanIndex {
            plan,
            context,
            by_id,
            parts: vec![Vec::new(); count],
            dependants: vec![0; count],
            ranks: Vec::with_capacity(count),
            makers: Makers::default(),
            needs: Vec::with_capacity(count),
            modes: Vec::with_capacity(count),
            owned: Vec::with_capacity(count),
            criteria: plan.criteria.iter().map(|c| c.id.as_str()).collect(),
        };
        for (at, task) in (0_u32..).zip(&plan.tasks) {
            facts.add(at, task);
        }
        facts
    }

    fn add(&mut self, at: u32, task: &'a Task) {
        let by_id = &self.by_id;
        if let Some(parent) = task.parent.as_deref().and_then(|p| by_id.get(p)) {
            self.parts[*parent as usize].push(at);
        }
        let index = |id: &String| by_id.get(id.as_str()).copied().unwrap_or(UNKNOWN);
        let needs: Vec<u32> = task.depends_on.iter().map(index).collect();
        for on in needs.iter().filter(|on| **on != UNKNOWN) {
            self.dependants[*on as usize] += 1;
        }
        self.needs.push(needs);
        let owned = task.owned().map(|path| OwnedPath { path, is_test: is_test_path(path) });
        let owned: Vec<OwnedPath<'_>> = owned.collect();
        self.modes.push(infer_mode(task, &|path| {
            owned.iter().find(|o| o.path == path).map_or_else(|| is_test_path(path), |o| o.is_test)
        }));
        self.owned.push(owned);
        self.ranks.push(Rank { level: task.level, layer: task.layer });
        self.makers.note(at, task);
    }

    /// The level of a rule in this check; `None` is off.
    pub(super) fn level(&self, rule: &LintRule) -> Option<Severity> {
        let own = |key: &str| self.context.overrides.get(key).copied().filter(|_| !rule.is_required());
        own(rule.code).or_else(|| own(rule.name)).unwrap_or_else(|| rule.levels.get(self.context.profile))
    }

    /// Whether any of these rules is on.
    pub(super) fn any_on(&self, rules: &[&LintRule]) -> bool {
        rules.iter().any(|rule| self.level(rule).is_some())
    }

    /// Every task with its index.
    pub(super) fn tasks(&self) -> impl Iterator<Item = (u32, &'a Task)> + use<'a> {
        (0_u32..).zip(&self.plan.tasks)
    }

    /// The paths that a task owns.
    pub(super) fn owned(&self, at: u32) -> &[OwnedPath<'a>] {
        &self.owned[at as usize]
    }

    /// The index of each dependency of a task, or [`UNKNOWN`].
    pub(super) fn needs(&self, at: u32) -> &[u32] {
        &self.needs[at as usize]
    }

    /// The mode of a task.
    pub(super) fn mode(&self, at: u32) -> Mode {
        self.modes[at as usize]
    }

    /// Whether a task has parts.
    pub(super) fn is_parent(&self, at: u32) -> bool {
        !self.parts[at as usize].is_empty()
    }

    /// Whether the plan came from another tool's file.
    pub(super) fn is_imported(&self) -> bool {
        match self.context.dialect {
            Dialect::Native | Dialect::Contract => false,
            Dialect::Zerg
            | Dialect::Homerun
            | Dialect::Ccw
            | Dialect::Superplanner
            | Dialect::Taskmaster
            | Dialect::Speckit => true,
        }
    }
}

impl<'a> LintRun<'a> {
    pub(super) fn new(facts: &'a PlanIndex<'a>) -> LintRun<'a> {
        LintRun { facts, scripts: Vec::new(), noted: TaskObservations::default(), found: Vec::new() }
    }

    /// Starts with a task: parses its scripts once for all rules.
    pub(super) fn begin(&mut self, task: &'a Task) {
        let script = task.verification.iter().map(|v| ("verification.script", v.script.as_str()));
        let command = task.test.command.iter().map(|c| ("test.command", c.as_str()));
        let given = script.chain(command).filter(|(_, text)| !text.trim().is_empty());
        self.scripts.clear();
        self.scripts.extend(given.map(|(field, text)| TaskScript {
            field,
            text,
            script: VerificationScript::parse(text),
        }));
    }

    /// Reports a finding about a field of a task.
    pub(super) fn task(
        &mut self,
        rule: &'static LintRule,
        task: &Task,
        field: &str,
        message: String,
        help: &str,
    ) {
        if let Some(severity) = self.level(rule) {
            let found =
                Diagnostic::new(rule.code, severity, message).with_task(&task.id).at(task.span(field));
            self.found.push(if help.is_empty() { found } else { found.with_help(help) });
        }
    }

    /// Reports a finding about the plan as a whole.
    pub(super) fn whole(&mut self, rule: &'static LintRule, field: &str, message: String, help: &str) {
        if let Some(severity) = self.level(rule) {
            let found = Diagnostic::new(rule.code, severity, message).at(self.plan.span(field));
            self.found.push(if help.is_empty() { found } else { found.with_help(help) });
        }
    }
}
