//! Agents that tasks name: a command line agent by its name, `auto` as the first that is installed. An unknown name is
//! reported with the task and its place.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use windlass_core::diagnostic::Sources;
use windlass_core::plan::{Plan, Task};
use windlass_engine::agent::cli::CliKind;
use windlass_engine::config::RunConfig;

use super::agents::of_name;
use super::mapping::with_prices;
use super::prepared::Overrides;
use crate::world::World;

/// In this order a tool is looked for where a task leaves it open.
const OPEN: [CliKind; CliKind::ALL.len()] =
    [CliKind::Codex, CliKind::Gemini, CliKind::Qwen, CliKind::Claude, CliKind::Opencode];
/// How many tasks are named in one line.
const NAMED: usize = 3;

/// What tasks ask for.
#[derive(Debug, Default)]
pub(crate) struct AgentWishes {
    asked: BTreeMap<String, String>,
    notes: Vec<String>,
}

impl AgentWishes {
    /// Adds the agents that tasks ask for. The command line overrides tasks.
    pub(super) fn settle(
        world: &World,
        plan: &mut Plan,
        sources: &Sources,
        config: &mut RunConfig,
        over: &Overrides,
    ) -> Self {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, task) in plan.tasks.iter_mut().enumerate() {
            if over.agent.is_some() {
                (task.agent, task.method) = (None, None);
            } else if let (Some(_), Some(name)) = (config.routing.wanted(task), &task.agent) {
                by_name.entry(name.clone()).or_default().push(at);
            }
        }
        let mut wishes = Self::default();
        for (name, tasks) in by_name {
            let who = who(plan, &tasks, sources);
            let meant = wishes.meant(world, &name, &who, config);
            if let Some(meant) = &meant {
                wishes.asked.insert(meant.clone(), who);
            }
            for at in tasks {
                plan.tasks[at].agent.clone_from(&meant);
            }
        }
        wishes
    }

    /// The agent behind a name; none if the tier's agent takes the task.
    fn meant(&mut self, world: &World, name: &str, who: &str, config: &mut RunConfig) -> Option<String> {
        if config.agents.contains_key(name) {
            return Some(name.to_owned());
        }
        if name == "auto" {
            return self.open(world, who, config);
        }
        let plain = name.to_lowercase();
        let spec = CliKind::parse(&plain).and_then(|_| of_name(world, &plain));
        let Some(mut spec) = spec else {
            let said = format!(
                "{who}, which is not a known agent (`[agents]` in windlass.toml): the agent of the tier is used"
            );
            self.notes.push(said);
            return None;
        };
        with_prices(&mut spec, &config.prices);
        config.agents.entry(plain.clone()).or_insert(spec);
        Some(plain)
    }

    /// The first installed agent, for tasks that leave it open.
    fn open(&mut self, world: &World, who: &str, config: &mut RunConfig) -> Option<String> {
        if let Some(cli) = &config.routing.cli {
            return Some(cli.clone());
        }
        let is_here = |kind: &&CliKind| world.program(OsStr::new(kind.facts().program)).is_some();
        let Some(kind) = OPEN.iter().find(is_here) else {
            self.notes
                .push(format!("{who}, and no command-line tool is installed: the agent of the tier is used"));
            return None;
        };
        let name = kind.as_str().to_owned();
        self.notes.push(format!("{who}: `{name}` is used"));
        if !config.agents.contains_key(&name) {
            let mut spec = of_name(world, &name)?;
            with_prices(&mut spec, &config.prices);
            config.agents.insert(name.clone(), spec);
        }
        Some(name)
    }

    /// The agents.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.asked.keys()
    }

    /// What should be said.
    pub(super) fn notes(&self) -> impl Iterator<Item = &String> {
        self.notes.iter()
    }

    /// The tasks that ask for an agent, and where.
    pub(super) fn asked_by(&self, name: &str) -> Option<&str> {
        self.asked.get(name).map(String::as_str)
    }
}

/// The tasks that ask for an agent, the first with its place.
fn who(plan: &Plan, tasks: &[usize], sources: &Sources) -> String {
    let of = |at: &usize| -> &Task { &plan.tasks[*at] };
    let named: Vec<String> = tasks.iter().take(NAMED).map(|at| format!("`{}`", of(at).id)).collect();
    let more = if tasks.len() > NAMED { format!(" and {} more", tasks.len() - NAMED) } else { String::new() };
    let asked = tasks.first().map(of);
    let place = asked
        .and_then(|t| t.span("agent"))
        .map(|span| format!(" ({}:{})", sources.file(span.file).path, sources.position(span).line));
    let name = asked.and_then(|t| t.agent.as_deref()).unwrap_or_default();
    let asks = if tasks.len() == 1 { "asks" } else { "ask" };
    format!("{}{more} {asks} for `{name}`{}", named.join(", "), place.unwrap_or_default())
}
