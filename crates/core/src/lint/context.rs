//! What a check is given, what it knows about the plan, and how it reports.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::rule::{Profile, Rule};
use super::shell::Script;
use crate::brief::Room;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Dialect;
use crate::graph::Stated;
use crate::plan::{Mode, Plan, Task, infer_mode};
use crate::quick_map::{QuickMap, quick_map};

/// Everything a check needs besides the plan.
pub struct LintContext<'a> {
    /// The rules to hold it to.
    pub profile: Profile,
    /// The format it was read from: an imported plan is treated more gently than one of our own.
    pub dialect: Dialect,
    /// Levels set by the user, by code or name; `None` is off.
    pub overrides: BTreeMap<String, Option<Severity>>,
    /// Whether a path is a test, by its look.
    pub is_test: &'a (dyn Fn(&str) -> bool + Sync),
    /// Counts tokens; asked only where the bytes could exceed a limit.
    pub tokens: &'a (dyn Fn(&str) -> usize + Sync),
    /// How many tokens a turn may take, by the size of its model.
    pub room: Room,
}

/// A check under way.
pub(super) struct Check<'a> {
    pub(super) plan: &'a Plan,
    pub(super) context: &'a LintContext<'a>,
    pub(super) by_id: QuickMap<&'a str, u32>,
    pub(super) stated: Stated,
    /// For each task, its direct parts.
    pub(super) parts: Vec<Vec<u32>>,
    /// For each task, how many name it in `depends_on`.
    pub(super) dependants: Vec<u32>,
    needs: Lists<u32>,
    modes: Vec<Mode>,
    owned: Lists<Owned<'a>>,
    /// The scripts the task at hand is checked by.
    pub(super) scripts: Vec<Checked<'a>>,
    /// Tasks whose mode is not stated and not the usual one, by mode.
    pub(super) inferred: BTreeMap<&'static str, Vec<u32>>,
    /// The task of each session seen so far.
    pub(super) sessions: HashMap<String, u32>,
    /// The ids of the plan's criteria.
    pub(super) criteria: HashSet<&'a str>,
    pub(super) found: Vec<Diagnostic>,
}

/// A list per task, all in one piece of memory.
struct Lists<T> {
    all: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Lists<T> {
    fn with_capacity(lists: usize) -> Self {
        Self { all: Vec::with_capacity(2 * lists), ends: Vec::with_capacity(lists) }
    }

    fn push(&mut self, list: impl Iterator<Item = T>) {
        self.all.extend(list);
        self.ends.push(self.all.len());
    }

    fn get(&self, at: u32) -> &[T] {
        let at = at as usize;
        let from = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.all[from..self.ends[at]]
    }
}

/// A dependency on a task that is not in the plan.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// A script a task is checked by.
pub(super) struct Checked<'a> {
    /// The field it stands in.
    pub(super) field: &'static str,
    pub(super) text: &'a str,
    pub(super) script: Script<'a>,
}

/// A path a task may change, and whether it looks like a test.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owned<'a> {
    pub(super) path: &'a str,
    pub(super) is_test: bool,
}

impl<'a> Check<'a> {
    pub(super) fn new(plan: &'a Plan, context: &'a LintContext<'a>) -> Check<'a> {
        let count = plan.tasks.len();
        let mut by_id = quick_map(count);
        for (at, task) in (0_u32..).zip(&plan.tasks) {
            by_id.entry(task.id.as_str()).or_insert(at);
        }
        let mut parts = vec![Vec::new(); count];
        let mut dependants = vec![0; count];
        let mut needs = Lists::with_capacity(count);
        for (at, task) in (0_u32..).zip(&plan.tasks) {
            if let Some(parent) = task.parent.as_deref().and_then(|p| by_id.get(p)) {
                parts[*parent as usize].push(at);
            }
            needs.push(task.depends_on.iter().map(|d| by_id.get(d.as_str()).copied().unwrap_or(UNKNOWN)));
            for on in needs.get(at).iter().filter(|on| **on != UNKNOWN) {
                dependants[*on as usize] += 1;
            }
        }
        let mut owned = Lists::with_capacity(count);
        let mut modes = Vec::with_capacity(count);
        for task in &plan.tasks {
            owned.push(task.owned().map(|path| Owned { path, is_test: (context.is_test)(path) }));
            modes.push(infer_mode(task, context.is_test));
        }
        Check {
            plan,
            context,
            stated: Stated::of(plan, &by_id),
            by_id,
            parts,
            dependants,
            needs,
            modes,
            owned,
            scripts: Vec::new(),
            inferred: BTreeMap::new(),
            sessions: HashMap::new(),
            criteria: plan.criteria.iter().map(|c| c.id.as_str()).collect(),
            found: Vec::new(),
        }
    }

    /// Takes a task in hand: what several rules look at is read once.
    pub(super) fn begin(&mut self, task: &'a Task) {
        let script = task.verification.iter().map(|v| ("verification", v.script.as_str()));
        let command = task.test.command.iter().map(|c| ("test.command", c.as_str()));
        let given = script.chain(command).filter(|(_, text)| !text.trim().is_empty());
        self.scripts.clear();
        self.scripts.extend(given.map(|(field, text)| Checked { field, text, script: Script::parse(text) }));
    }

    /// How hard a rule is taken here; `None` is off.
    pub(super) fn level(&self, rule: &Rule) -> Option<Severity> {
        let own = |key: &str| self.context.overrides.get(key).copied();
        own(rule.code).or_else(|| own(rule.name)).unwrap_or_else(|| rule.levels.get(self.context.profile))
    }

    /// Whether any of these rules is on: asked before looking for what nearly every plan lacks.
    pub(super) fn any_on(&self, rules: &[&Rule]) -> bool {
        rules.iter().any(|rule| self.level(rule).is_some())
    }

    /// Every task with its place.
    pub(super) fn tasks(&self) -> impl Iterator<Item = (u32, &'a Task)> + use<'a> {
        (0_u32..).zip(&self.plan.tasks)
    }

    /// Every path a task may change.
    pub(super) fn owned(&self, at: u32) -> &[Owned<'a>] {
        self.owned.get(at)
    }

    /// For each entry of `depends_on` the place of that task, or [`UNKNOWN`].
    pub(super) fn needs(&self, at: u32) -> &[u32] {
        self.needs.get(at)
    }

    /// The mode a task runs in.
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

    /// Reports something about a field of a task.
    pub(super) fn task(
        &mut self,
        rule: &'static Rule,
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

    /// Reports something about the plan as a whole.
    pub(super) fn whole(&mut self, rule: &'static Rule, field: &str, message: String, help: &str) {
        if let Some(severity) = self.level(rule) {
            let found = Diagnostic::new(rule.code, severity, message).at(self.plan.span(field));
            self.found.push(if help.is_empty() { found } else { found.with_help(help) });
        }
    }
}
