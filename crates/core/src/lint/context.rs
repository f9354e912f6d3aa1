//! What a check is given, what it knows about the plan, and how it reports.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::rule::{Profile, Rule};
use super::shell::Script;
use crate::brief::Room;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Dialect;
use crate::graph::Stated;
use crate::plan::{Mode, Plan, Task, infer_mode};

/// Everything a check needs besides the plan.
pub struct LintContext<'a> {
    /// The rules to hold it to.
    pub profile: Profile,
    /// The format it was read from: an imported plan is treated more gently than one of our own.
    pub dialect: Dialect,
    /// Levels set by the user, by code or name; `None` is off.
    pub overrides: BTreeMap<String, Option<Severity>>,
    /// Whether a path is a test, by its look.
    pub is_test: &'a dyn Fn(&str) -> bool,
    /// Counts tokens; asked only where the bytes could exceed a limit.
    pub tokens: &'a dyn Fn(&str) -> usize,
    /// How many tokens a turn may take, by the size of its model.
    pub room: Room,
}

/// A check under way.
pub(super) struct Check<'a> {
    pub(super) plan: &'a Plan,
    pub(super) context: &'a LintContext<'a>,
    pub(super) by_id: HashMap<&'a str, u32>,
    pub(super) stated: Stated,
    /// For each task, its direct parts.
    pub(super) parts: Vec<Vec<u32>>,
    /// For each task, how many name it in `depends_on`.
    pub(super) dependants: Vec<u32>,
    modes: Vec<Mode>,
    owned: Vec<Vec<Owned<'a>>>,
    /// For each task, the scripts it is checked by.
    pub(super) scripts: Vec<Vec<Checked<'a>>>,
    /// Tasks whose mode is not stated and not the usual one, by mode.
    pub(super) inferred: BTreeMap<&'static str, Vec<u32>>,
    /// The task of each session seen so far.
    pub(super) sessions: HashMap<String, u32>,
    /// The ids of the plan's criteria.
    pub(super) criteria: HashSet<&'a str>,
    pub(super) found: Vec<Diagnostic>,
}

/// A script a task is checked by.
pub(super) struct Checked<'a> {
    /// The field it stands in.
    pub(super) field: &'static str,
    pub(super) text: &'a str,
    pub(super) script: Script,
    /// The paths it names.
    pub(super) paths: Vec<String>,
}

/// A path a task may change, and whether it looks like a test.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owned<'a> {
    pub(super) path: &'a str,
    pub(super) is_test: bool,
}

fn scripts(task: &Task) -> Vec<Checked<'_>> {
    let script = task.verification.iter().map(|v| ("verification", v.script.as_str()));
    let command = task.test.command.iter().map(|c| ("test.command", c.as_str()));
    let given = script.chain(command).filter(|(_, text)| !text.trim().is_empty());
    let read = |(field, text)| {
        let script = Script::parse(text);
        let paths = script.paths();
        Checked { field, text, script, paths }
    };
    given.map(read).collect()
}

impl<'a> Check<'a> {
    pub(super) fn new(plan: &'a Plan, context: &'a LintContext<'a>) -> Check<'a> {
        let mut by_id = HashMap::with_capacity(plan.tasks.len());
        for (at, task) in (0_u32..).zip(&plan.tasks) {
            by_id.entry(task.id.as_str()).or_insert(at);
        }
        let mut parts = vec![Vec::new(); plan.tasks.len()];
        let mut dependants = vec![0; plan.tasks.len()];
        for (at, task) in (0_u32..).zip(&plan.tasks) {
            if let Some(parent) = task.parent.as_deref().and_then(|p| by_id.get(p)) {
                parts[*parent as usize].push(at);
            }
            for on in task.depends_on.iter().filter_map(|d| by_id.get(d.as_str())) {
                dependants[*on as usize] += 1;
            }
        }
        let mut check = Check {
            plan,
            context,
            by_id,
            stated: Stated::of(plan),
            parts,
            dependants,
            modes: Vec::with_capacity(plan.tasks.len()),
            owned: Vec::with_capacity(plan.tasks.len()),
            scripts: Vec::with_capacity(plan.tasks.len()),
            inferred: BTreeMap::new(),
            sessions: HashMap::new(),
            criteria: plan.criteria.iter().map(|c| c.id.as_str()).collect(),
            found: Vec::new(),
        };
        for task in &plan.tasks {
            let owned = task.owned().map(|path| Owned { path, is_test: (context.is_test)(path) });
            check.owned.push(owned.collect());
            check.modes.push(infer_mode(task, context.is_test));
            check.scripts.push(scripts(task));
        }
        check
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
        &self.owned[at as usize]
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
