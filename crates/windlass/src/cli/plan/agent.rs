//! An agent makes the draft better, under the same checks. What it cannot do well, the draft does: there is always a plan.

use clap::Args;
use windlass_core::event::Usage;
use windlass_core::plan::Plan;
use windlass_core::policy::MECHANICAL_AGENT;
use windlass_core::team::{Changed, PlanAnswer};
use windlass_engine::config::{AgentSpec, RunConfig};
use windlass_engine::planning::{PlannerEnd, PlannerRequest, PlannerTurn, PlannerWorkspace};
use windlass_engine::process::CancellationSignal;
use windlass_engine::sandbox::Unsandboxed;
use windlass_planner::brief::Manner;
use windlass_planner::derive::{DeriveOptions, Derived, NoteKind};
use windlass_planner::repository::Repository;
use windlass_planner::spec::Spec;

use super::agent_answer::{Checks, answer_of};
use super::agent_brief::Papers;
use super::idea::{Proposal, phases_brief, proposed_phases};
use super::messages::Stages;
use super::proposed::mark_proposed;
use super::request::Request;
use crate::cli::CliError;
use crate::input::Configuration;
use crate::render::{Paint, counted, short_number};
use crate::running::{planner_config, repository_at, runtime, stop_on_signals};
use crate::world::World;

/// How many findings are shown of each try.
const SHOWN: usize = 4;

/// The agent that improves the draft.
#[derive(Debug, Default, Args)]
pub(super) struct AgentArgs {
    /// Let an agent make the plan better, under the same checks: `claude`, `codex`, `gemini`, `qwen`, `opencode`,
    /// `cmd:COMMAND`, a name from `[agents]`, or a tier (`large`). Without it, `[team] planner`; `mechanical` is none.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// Print what the agent would be told, and plan nothing.
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Let the agent run although this machine cannot fence it in.
    #[arg(long)]
    allow_unsandboxed: bool,
}

impl AgentArgs {
    /// Whether an agent is named on the command line.
    pub(super) fn is_asked(&self) -> bool {
        self.agent.is_some()
    }
}

/// An agent that was found, and how often it may try.
pub(super) struct Planner {
    pub(super) name: String,
    config: RunConfig,
    tries: u32,
}

/// What came of it.
pub(super) enum Improved {
    /// There is a plan, the agent's or the draft.
    Yes,
    /// It was cancelled.
    Interrupted,
}

impl Planner {
    /// The planner that was asked for, if any. Errors about it are reported before anything is read.
    pub(super) fn wanted(
        world: &World,
        args: &AgentArgs,
        configuration: &Configuration,
    ) -> Result<Option<Self>, CliError> {
        let config = &configuration.config;
        let tiers = &config.agents.tiers;
        let wish = args.agent.as_ref().or(config.team.planner.as_ref());
        let of_tier = |tier: &str, set: &Option<String>| {
            set.clone().ok_or_else(|| {
                CliError::usage(format!("the tier `{tier}` has no agent"))
                    .hint(format!("set `{tier}` under `[agents]` in windlass.toml"))
            })
        };
        let name = match wish.map(String::as_str) {
            None | Some(MECHANICAL_AGENT) if args.dry_run => {
                return Err(CliError::usage(
                    "`--dry-run` shows what an agent would get, and no agent is named",
                )
                .hint("name one with `--agent`"));
            }
            None | Some(MECHANICAL_AGENT) => return Ok(None),
            Some("small") => of_tier("small", &tiers.small)?,
            Some("medium") => of_tier("medium", &tiers.medium)?,
            Some("large") => of_tier("large", &tiers.large)?,
            Some(name) => name.to_owned(),
        };
        let unsandboxed = if args.allow_unsandboxed { Unsandboxed::Allowed } else { Unsandboxed::Refused };
        let (run, notes) = planner_config(world, configuration.trusted(world)?, &name, unsandboxed)?;
        for note in notes {
            world.tell(&format!("note: {note}\n"));
        }
        Ok(Some(Self { name, config: run, tries: config.team.planner_tries.max(1) }))
    }

    fn manner(&self) -> Manner {
        self.config.agents.get(&self.name).map_or(Manner::Hands, AgentSpec::manner)
    }
}

/// Everything a draft is judged by.
pub(super) struct Improving<'a> {
    pub(super) world: &'a World,
    pub(super) request: &'a Request,
    pub(super) configuration: &'a Configuration,
    pub(super) spec: &'a Spec,
    pub(super) repository: &'a Repository<'a>,
    pub(super) options: &'a DeriveOptions,
}

/// How the conversation ended.
enum Ended {
    Better(Box<Plan>),
    Kept,
    Draft { why: String },
    Interrupted,
}

/// What was spent on it.
#[derive(Default)]
struct Spent {
    turns: usize,
    usage: Usage,
    session: Option<String>,
    transcript: Option<String>,
}

impl Improving<'_> {
    /// What the agent would be told.
    pub(super) fn preview(&self, planner: &Planner, derived: &Derived) -> Result<String, CliError> {
        let text = Papers::of(self, derived).brief(planner.manner(), &[])?;
        let tokens = windlass_planner::tokens::estimate(&text);
        Ok(format!("{text}\n--- {} tokens for {}\n", tokens, planner.name))
    }

    /// Has the draft made better, or leaves it.
    pub(super) fn improve(
        &self,
        planner: &Planner,
        derived: &mut Derived,
        stages: &mut Stages<'_>,
    ) -> Result<Improved, CliError> {
        let mut workspace = self.workspace(planner, derived)?;
        let mut spent = Spent::default();
        let runtime = runtime(1)?;
        let err = self.world.clone();
        let ended = runtime.block_on(async {
            let stop = stop_on_signals(move |_| err.tell("\nstopping the agent\n"));
            self.talk(planner, derived, &mut workspace, &mut spent, &stop).await
        });
        runtime.shutdown_background();
        match ended? {
            Ended::Interrupted => return Ok(Improved::Interrupted),
            Ended::Kept => stages.end(&spent.told(&format!("{} leaves the draft as it is", planner.name))),
            Ended::Better(mut plan) => {
                let changed = Changed::between(&derived.plan, &plan);
                let proposed = mark_proposed(&mut plan, &derived.plan, &self.request.documents);
                let more =
                    if proposed == 0 { String::new() } else { format!("; {proposed} of them proposed") };
                stages.end(&spent.told(&format!("{} {}{more}", planner.name, words(changed))));
                take(derived, *plan);
            }
            Ended::Draft { why } => self.say_draft(planner, &spent, &why),
        }
        Ok(Improved::Yes)
    }

    /// Asks for the phases of an idea, until the answer has some or the tries are used up.
    pub(super) fn proposed(
        &self,
        planner: &Planner,
        empty: &Derived,
        idea: &str,
    ) -> Result<Proposal, CliError> {
        let mut workspace = self.workspace(planner, empty)?;
        let mut spent = Spent::default();
        let runtime = runtime(1)?;
        let err = self.world.clone();
        let ended = runtime.block_on(async {
            let stop = stop_on_signals(move |_| err.tell("\nstopping the agent\n"));
            let mut findings: Vec<String> = Vec::new();
            for nth in 1..=planner.tries {
                self.begin(planner, nth);
                let brief = phases_brief(&self.options.name, idea, &findings);
                let turn = workspace.turn(brief, &stop).await?;
                spent.add(&turn, self.world);
                findings = match &turn.end {
                    PlannerEnd::Interrupted => return Ok(Proposal::Interrupted),
                    PlannerEnd::Hopeless(failure) => {
                        return Err(no_phases(&planner.name, &failure.summary()));
                    }
                    PlannerEnd::Failed(failure) => vec![failure.summary()],
                    PlannerEnd::Said { .. } => match proposed_phases(&turn.end) {
                        Ok(phases) => {
                            return Ok(Proposal::Phases(
                                phases,
                                spent.told("").trim().trim_matches(['(', ')']).to_owned(),
                            ));
                        }
                        Err(findings) => findings,
                    },
                };
                self.say_findings(nth, &findings);
            }
            Err(no_phases(&planner.name, &format!("no answer that can be read in {}", tries(planner.tries))))
        });
        runtime.shutdown_background();
        ended
    }

    fn workspace(&self, planner: &Planner, derived: &Derived) -> Result<PlannerWorkspace, CliError> {
        let files = Papers::of(self, derived).files();
        let (repo, paths) = repository_at(self.world, &self.request.root)?;
        let request = PlannerRequest {
            repo,
            paths,
            config: planner.config.clone(),
            agent: planner.name.clone(),
            name: self.options.name.clone(),
            files,
        };
        Ok(PlannerWorkspace::open(request)?)
    }

    /// Asks until the plan passes, or the tries are used up.
    async fn talk(
        &self,
        planner: &Planner,
        derived: &Derived,
        workspace: &mut PlannerWorkspace,
        spent: &mut Spent,
        stop: &CancellationSignal,
    ) -> Result<Ended, CliError> {
        let papers = Papers::of(self, derived);
        let checks = Checks::of(self, &derived.plan);
        let mut findings: Vec<String> = Vec::new();
        for nth in 1..=planner.tries {
            self.begin(planner, nth);
            let again = workspace.goes_on() && !findings.is_empty();
            let manner = planner.manner();
            let brief =
                if again { Papers::again(manner, &findings) } else { papers.brief(manner, &findings)? };
            let turn = workspace.turn(brief, stop).await?;
            spent.add(&turn, self.world);
            findings = match turn.end {
                PlannerEnd::Interrupted => return Ok(Ended::Interrupted),
                PlannerEnd::Hopeless(failure) => return Ok(Ended::Draft { why: failure.summary() }),
                PlannerEnd::Failed(failure) => vec![failure.summary()],
                PlannerEnd::Said { answer, file, words } => {
                    match answer_of(answer, file, &words).and_then(|answer| match answer {
                        PlanAnswer::Keep => Ok(None),
                        PlanAnswer::Plan(value) => checks.judge(&value).map(Some),
                    }) {
                        Ok(None) => return Ok(Ended::Kept),
                        Ok(Some(plan)) => return Ok(Ended::Better(Box::new(plan))),
                        Err(findings) => findings,
                    }
                }
            };
            self.say_findings(nth, &findings);
        }
        let why = format!("no plan that passes in {}", tries(planner.tries));
        Ok(Ended::Draft { why })
    }

    fn begin(&self, planner: &Planner, nth: u32) {
        if self.world.err.terminal {
            let mark = self.world.err.paint(Paint::Busy, "…");
            let text =
                format!("{mark} {} looks at the draft (try {nth} of {})\r", planner.name, planner.tries);
            self.world.tell(&text);
        }
    }

    fn say_findings(&self, nth: u32, findings: &[String]) {
        let mut text = format!("  try {nth}: {}\n", counted(findings.len(), "finding"));
        for finding in findings.iter().take(SHOWN) {
            text.push_str(&format!("    {finding}\n"));
        }
        if findings.len() > SHOWN {
            text.push_str(&format!("    … and {} more\n", findings.len() - SHOWN));
        }
        self.world.tell(&text);
    }

    fn say_draft(&self, planner: &Planner, spent: &Spent, why: &str) {
        let warning = self.world.err.paint(Paint::Warning, "warning");
        let said = spent
            .told(&format!("`{}` did not improve the plan; the derived plan is kept: {why}", planner.name));
        let mut text = format!("{warning}: {said}\n");
        if let Some(path) = &spent.transcript {
            let help = self.world.err.paint(Paint::Help, "help");
            text.push_str(&format!("  {help}: what it said is in {path}\n"));
        }
        self.world.tell(&text);
    }
}

impl Spent {
    fn add(&mut self, turn: &PlannerTurn, world: &World) {
        self.turns += 1;
        self.usage.add(&turn.usage);
        self.session = turn.session.clone().or(self.session.take());
        self.transcript = turn.transcript.as_deref().map(|path| world.shown(path)).or(self.transcript.take());
    }

    /// A sentence with what it cost.
    fn told(&self, what: &str) -> String {
        let mut facts = vec![counted(self.turns, "turn")];
        if self.usage.tokens() > 0 {
            facts.push(format!("{} tokens", short_number(self.usage.tokens())));
        }
        facts.extend(self.usage.cost_usd.map(|usd| format!("${usd:.2}")));
        facts.extend(self.session.as_ref().map(|id| format!("session {id}")));
        format!("{what} ({})", facts.join(", "))
    }
}

/// The plan with what is still true of the draft's notes.
fn take(derived: &mut Derived, plan: Plan) {
    let served: Vec<&str> = plan.tasks.iter().flat_map(|t| &t.criteria).map(|c| c.id.as_str()).collect();
    let closed = |text: &str| {
        text.split(|c: char| c.is_whitespace() || c == '`')
            .any(|word| !word.is_empty() && served.contains(&word))
    };
    derived.notes.retain(|note| note.kind != NoteKind::CoverageGap || !closed(&note.text));
    derived.plan = plan;
}

fn words(changed: Changed) -> String {
    let Changed { added, removed, changed } = changed;
    let parts = [(changed, "changed"), (added, "added"), (removed, "removed")];
    let said: Vec<String> = parts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{what} {}", counted(*n, "task")))
        .collect();
    if said.is_empty() { "changed nothing".to_owned() } else { said.join(", ") }
}

fn no_phases(planner: &str, why: &str) -> CliError {
    CliError::findings(format!("`{planner}` proposed no phases: {why}"))
        .hint("describe what is wanted in a document with acceptance criteria, or name another agent")
}

fn tries(n: u32) -> String {
    if n == 1 { "1 try".to_owned() } else { format!("{n} tries") }
}
