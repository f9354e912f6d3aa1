//! `run --dry-run`: the set-ups, the first briefs, and the worst case in turns and money.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::json;
use windlass_core::event::{Role, Usage};
use windlass_core::failure::Failure;
use windlass_core::graph::task_hash;
use windlass_core::policy::Price;
use windlass_engine::config::AgentSpec;
use windlass_engine::preview::{Preview, preview};
use windlass_engine::run::RunRequest;
use windlass_engine::setup_trial::SetupTrial;

use super::CliError;
use crate::config::RunLimits;
use crate::render::{counted, dollars, short_number};

/// What a run would do, and at most cost.
pub(crate) struct DryRun<'a> {
    request: &'a RunRequest,
    tasks: Vec<(Preview, usize)>,
    /// How many tasks are completed and not part of it.
    done: usize,
    turn_tokens: u64,
    likely: Likely,
    worst: Worst,
    setups: Vec<SetupTrial>,
}

/// What is likely: every first attempt succeeds.
#[derive(Debug, Default)]
struct Likely {
    turns: u32,
    tokens: u64,
    cost_usd: f64,
}

/// Of the tokens of a likely turn, how many in a hundred are read from the provider's cache, and how many are written.
/// Agents read their whole conversation again with every answer.
const CACHED: u64 = 80;
const WRITTEN: u64 = 5;

impl Likely {
    fn add(&mut self, request: &RunRequest, agent: &str, turns: u32, brief: u64, tokens: u64) {
        let (model, tokens) = match request.config.agents.get(agent) {
            Some(AgentSpec::Cli(spec)) => (spec.model.as_deref(), tokens),
            Some(AgentSpec::Api(spec)) => {
                (Some(spec.model.as_str()), brief + u64::from(spec.answer_tokens) / 2)
            }
            Some(AgentSpec::Command { .. }) => (None, tokens),
            Some(AgentSpec::Mechanical | AgentSpec::Replay { .. }) | None => return,
        };
        let usage = Usage {
            input_tokens: tokens - tokens * WRITTEN / 100,
            output_tokens: tokens * WRITTEN / 100,
            cache_read_tokens: tokens * CACHED / 100,
            ..Usage::default()
        };
        let cost = model.and_then(|m| request.config.prices.of(m)).map_or(0.0, |price| price.of(&usage));
        self.turns += turns;
        self.tokens += tokens * u64::from(turns);
        self.cost_usd += cost * f64::from(turns);
    }
}

/// The worst case.
#[derive(Debug, Default)]
struct Worst {
    turns: u32,
    /// Of these, turns that use tokens.
    spoken: u32,
    cost_usd: f64,
    /// Agents whose model or price is unknown, and what to set.
    unpriced: BTreeMap<String, String>,
}

impl Worst {
    fn add(&mut self, request: &RunRequest, agent: &str, turns: u32, tokens: u64) {
        self.turns += turns;
        let is_free = request.config.agents.get(agent).is_some_and(|spec| !spec.uses_tokens());
        if turns == 0 || is_free {
            return;
        }
        self.spoken += turns;
        match most_of_a_turn(request, agent, tokens) {
            Some(cost) => self.cost_usd += cost * f64::from(turns),
            None => drop(self.unpriced.insert(agent.to_owned(), what_to_set(request, agent))),
        }
    }
}

/// What to set so that the price of an agent is known.
fn what_to_set(request: &RunRequest, agent: &str) -> String {
    let without_model =
        || format!("set `model` in `[agents.{agent}]`, and `[prices.\"MODEL\"]` if it is not a known one");
    let model = match request.config.agents.get(agent) {
        // Which model a command asks is not known; what it reports in `WINDLASS_RESULT` is all there is.
        Some(AgentSpec::Command { .. }) => return "only the cost that the command reports counts".into(),
        Some(AgentSpec::Cli(spec)) => spec.model.as_deref(),
        Some(AgentSpec::Api(spec)) => Some(spec.model.as_str()),
        Some(AgentSpec::Mechanical | AgentSpec::Replay { .. }) | None => None,
    };
    model.map_or_else(without_model, |model| format!("set `[prices.\"{model}\"]`"))
}

/// The highest cost of one turn: the agent's own limit, or every token at the highest price of its model.
fn most_of_a_turn(request: &RunRequest, agent: &str, tokens: u64) -> Option<f64> {
    let by_price = |p: &Price| p.at_most(tokens);
    match request.config.agents.get(agent)? {
        AgentSpec::Cli(spec) => {
            let priced = spec.model.as_deref().and_then(|m| request.config.prices.of(m)).map(by_price);
            match (spec.max_budget_usd, priced) {
                (Some(own), Some(priced)) => Some(own.min(priced)),
                (own, priced) => own.or(priced),
            }
        }
        AgentSpec::Api(spec) => {
            // One answer to one question: never more than it can see.
            let most = tokens.min(u64::from(spec.context_tokens));
            request.config.prices.of(&spec.model).map(|p| p.at_most(most))
        }
        AgentSpec::Mechanical | AgentSpec::Replay { .. } => Some(0.0),
        AgentSpec::Command { .. } => None,
    }
}

/// How a set-up went.
fn setup_words(trial: &SetupTrial) -> String {
    match &trial.failure {
        None => format!("set-up `{}` works and is kept for the run\n", trial.command),
        Some(failure) if trial.needed => format!(
            "set-up `{}` failed, so the run would block: {}\n{}next: run it yourself, or state another in \
             `[setup] command`\n",
            trial.command,
            setup_problem(failure),
            output_of(failure)
        ),
        Some(failure) => {
            format!("set-up `{}` failed, and no task needs it: {}\n", trial.command, setup_problem(failure))
        }
    }
}

/// The decisive line of a set-up that failed.
pub(super) fn setup_problem(failure: &Failure) -> String {
    failure.evidence().unwrap_or_else(|| failure.summary())
}

/// The end of what a set-up printed, indented.
fn output_of(failure: &Failure) -> String {
    const LINES: usize = 12;
    let details = failure.details();
    let output: Vec<&str> = details.split_once("\n\n").map_or("", |(_, output)| output).lines().collect();
    output[output.len().saturating_sub(LINES)..].iter().map(|line| format!("    {line}\n")).collect()
}

impl<'a> DryRun<'a> {
    /// Computes the forecast.
    pub(crate) fn of(
        request: &'a RunRequest,
        limits: &RunLimits,
        completed: &BTreeSet<String>,
    ) -> Result<Self, CliError> {
        let turn_tokens = limits.turn_tokens;
        let all = preview(request)?;
        let done = all.iter().filter(|p| completed.contains(p.task.as_str())).count();
        let tasks: Vec<(Preview, usize)> = all
            .into_iter()
            .filter(|p| !completed.contains(p.task.as_str()))
            .map(|p| {
                let tokens = if p.first.is_some() { windlass_planner::tokens::estimate(&p.brief) } else { 0 };
                (p, tokens)
            })
            .collect();
        let settings = &request.config.settings;
        let (mut worst, mut likely) = (Worst::default(), Likely::default());
        let reviewer = settings.player(Role::Reviewer).unwrap_or_default();
        for (task, brief) in &tasks {
            let (brief, usual) = (*brief as u64, limits.likely_turn_tokens);
            likely.add(request, &task.cast.agent, task.likely_turns, brief, usual);
            likely.add(request, reviewer, task.reviews.min(1), brief, usual);
            worst.add(request, &task.cast.agent, task.turns, turn_tokens);
            worst.add(request, reviewer, task.reviews, turn_tokens);
        }
        for role in [Role::PlanReviewer, Role::Integrator] {
            if let Some(agent) = settings.player(role) {
                worst.add(request, agent, 1 + settings.unread_reviews, turn_tokens);
            }
        }
        Ok(Self { request, tasks, done, turn_tokens, likely, worst, setups: Vec::new() })
    }

    /// The same with how the set-ups went.
    pub(crate) fn with_setups(self, setups: Vec<SetupTrial>) -> Self {
        Self { setups, ..self }
    }

    /// Whether a set-up failed that a task needs: a run would block before it asks an agent.
    pub(crate) fn is_blocked(&self) -> bool {
        self.setups.iter().any(|trial| trial.needed && trial.failure.is_some())
    }

    /// For people.
    pub(crate) fn screen(&self, briefs: bool) -> String {
        let request = self.request;
        let settings = &request.config.settings;
        let mut text =
            format!("plan {} on branch {}, {} at once\n\n", request.name, request.branch, settings.jobs);
        for (task, tokens) in &self.tasks {
            let runnable = &request.runnable;
            let leaf = runnable.graph.find(task.task.as_str());
            let (mode, title) = leaf.map_or(("", ""), |ix| {
                (runnable.graph.node(ix).mode.as_str(), runnable.task(ix).title.as_str())
            });
            let who = match &task.first {
                Some(first) => format!("{} by {first}", task.cast.tier.as_str()),
                None => "no agent".into(),
            };
            let told = if task.first.is_some() { format!("{tokens} tokens") } else { String::new() };
            let _ = writeln!(text, "  {:<12} {mode:<10} {who:<30} {told:>12}  {title}", task.task);
        }
        if self.done > 0 {
            let _ = writeln!(text, "  … and {} completed already", counted(self.done, "task"));
        }
        text.push_str(&self.worst_case());
        self.setups.iter().for_each(|trial| text.push_str(&setup_words(trial)));
        if briefs {
            for (task, tokens) in self.tasks.iter().filter(|(t, _)| t.first.is_some()) {
                let _ = write!(text, "\n──── {} ({tokens} tokens)\n{}", task.task, task.brief);
            }
        }
        text
    }

    fn worst_case(&self) -> String {
        let (worst, settings) = (&self.worst, &self.request.config.settings);
        let turns = worst.turns;
        let sent: usize = self.tasks.iter().map(|(_, tokens)| tokens).sum();
        let mut text = format!("\nfirst briefs: {sent} tokens in all\n");
        if self.likely.tokens > 0 {
            let Likely { turns, tokens, cost_usd } = self.likely;
            let cost = if cost_usd > 0.0 { format!(" and {}", dollars(cost_usd)) } else { String::new() };
            let _ = writeln!(
                text,
                "likely {} with about {} tokens{cost}, if every first attempt succeeds",
                counted(turns as usize, "agent turn"),
                short_number(tokens)
            );
        }
        let _ = writeln!(
            text,
            "at most {turns} agent turns, if every rung of the ladder is climbed for every task"
        );
        let most = short_number(u64::from(worst.spoken) * self.turn_tokens);
        let each = format!("at {} tokens a turn (`limits.turn_tokens`)", short_number(self.turn_tokens));
        if worst.cost_usd > 0.0 {
            let (cost, remark) = (dollars(worst.cost_usd), &self.request.config.prices.remark);
            let _ =
                writeln!(text, "at most {most} tokens and {cost}, {each} and the highest rate ({remark})");
        } else if worst.spoken > 0 {
            let _ = writeln!(text, "at most {most} tokens, {each}");
        }
        for (agent, what) in &worst.unpriced {
            let _ = writeln!(text, "the price of {agent} is unknown and not included: {what}");
        }
        match settings.max_cost_usd {
            Some(max) => {
                let _ = writeln!(
                    text,
                    "at most {max:.2} US dollars plus the answer under way: agents are stopped there"
                );
            }
            None => text.push_str("no limit on money is set (`--max-cost`)\n"),
        }
        text
    }

    /// For programs.
    pub(crate) fn json(&self) -> Result<String, CliError> {
        let task = |(t, tokens): &(Preview, usize)| {
            json!({
                "id": t.task,
                "hash": self.request.runnable.plan.task(t.task.as_str()).map(task_hash),
                "tier": t.cast.tier,
                "agent": t.first,
                "brief": t.first.is_some().then_some(&t.brief),
                "brief_tokens": tokens,
                "max_turns": t.turns + t.reviews,
            })
        };
        let (worst, settings) = (&self.worst, &self.request.config.settings);
        let doc = json!({
            "schema": "windlass.dry-run/1",
            "plan": self.request.name.as_str(),
            "branch": self.request.branch,
            "jobs": settings.jobs,
            "completed": self.done,
            "tasks": self.tasks.iter().map(task).collect::<Vec<_>>(),
            "likely": {
                "turns": self.likely.turns,
                "tokens": self.likely.tokens,
                "cost_usd": worst.unpriced.is_empty().then_some(self.likely.cost_usd),
            },
            "worst": {
                "turns": worst.turns,
                "tokens": u64::from(worst.spoken) * self.turn_tokens,
                "cost_usd": worst.unpriced.is_empty().then_some(worst.cost_usd),
                "unpriced": worst.unpriced.keys().collect::<Vec<_>>(),
                "prices": self.request.config.prices.remark,
            },
            "setups": self.setups.iter().map(|trial| json!({
                "command": trial.command,
                "needed": trial.needed,
                "failed": trial.failure.as_ref().map(setup_problem),
            })).collect::<Vec<_>>(),
            "max_cost_usd": settings.max_cost_usd,
            "max_tokens": settings.max_tokens,
        });
        Ok(serde_json::to_string_pretty(&doc)? + "\n")
    }
}
