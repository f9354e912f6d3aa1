//! `windlass pr`: pushes a plan's branch with its evidence and opens or updates the pull request that proposes it.
//!
//! Asked for by name, so it pushes; it never forces. The text of the pull request is the report.

mod layers;
mod statements;
mod watch;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use windlass_core::ids::Oid;
use windlass_core::plan::Plan;
use windlass_core::state::TaskState;
use windlass_core::view::report::RunReport;
use windlass_engine::audit::{Audit, audit};
use windlass_engine::git::Repo;

use super::attest::SigningArgs;
use super::plan::given_documents;
use super::report::fold;
use super::state::{PlanState, StateArgs};
use super::{CliError, Exit};
use crate::forge::{
    CommitStatus, Forge, ForgeAddress, ForgeKind, IssueChoice, NewPull, PullRefusal, RefusalCause,
    RemoteRepo, RepoFacts, StatusState,
};
use crate::input::Configuration;
use crate::render::{Paint, PullRequestText, counted};
use crate::world::World;
use layers::{StackLayer, layers};
use statements::{AttachedStatements, attach};
use watch::{WatchOutcome, look, pause};

/// Push a plan's branch and evidence, and open or update its pull request
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PrArgs {
    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// The branch it is for; without it, the repository's default branch.
    #[arg(long, value_name = "BRANCH")]
    onto: Option<String>,

    /// The remote to push to.
    #[arg(long, value_name = "REMOTE", default_value = "origin")]
    remote: String,

    /// One pull request for the plan, or a stack with one for each phase.
    #[arg(long, value_name = "UNIT", value_enum, default_value_t)]
    per: PullUnit,

    /// Open it as a draft.
    #[arg(long)]
    draft: bool,

    #[command(flatten)]
    signing: SigningArgs,

    /// Stay: what fails in CI and what people with write access comment is carried out by the task that made it, verified,
    /// and pushed. The rest is shown.
    #[arg(long, conflicts_with_all = ["dry_run", "json"])]
    watch: bool,

    /// With `--watch`: look once instead of staying.
    #[arg(long, requires = "watch")]
    once: bool,

    /// With `--watch`: the seconds between two looks.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "watch")]
    every: u64,

    /// With `--watch`: the agent that carries tasks out again, as for `run`.
    #[arg(long, value_name = "AGENT", requires = "watch")]
    agent: Option<String>,

    /// With `--watch`: let agents read and write this path too. May be given more than once.
    #[arg(long, value_name = "PATH", requires = "watch")]
    share: Vec<PathBuf>,

    /// Print what would be pushed and said, and do nothing.
    #[arg(long)]
    dry_run: bool,

    /// Print `windlass.pull-requests/1` as JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass pr --dry-run        what would be pushed, and the text
  windlass pr                  the branch, its evidence and a pull request
  windlass pr --watch          and stay: red CI and comments come back as work
  windlass pr --per phase      a stack: each phase on top of the one before";

/// What gets a pull request of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum PullUnit {
    /// The plan.
    #[default]
    Plan,
    /// Each phase.
    Phase,
}

/// Everything about the plan that is proposed.
struct PlanProposal {
    name: String,
    branch: String,
    repo: Repo,
    report: RunReport,
    plan: Option<Plan>,
    audit: Audit,
    tip: Oid,
    /// The numbers of the issues it was made from.
    issues: Vec<u64>,
}

/// Where it goes.
struct Destination {
    forge: Forge,
    /// The repository that is pushed to.
    from: RepoFacts,
    /// The repository it is proposed to.
    to: RepoFacts,
    base: String,
}

#[derive(Serialize)]
struct PullsDoc<'p> {
    schema: &'static str,
    plan: &'p str,
    pulls: &'p [PullDoc],
}

#[derive(Serialize)]
struct PullDoc {
    number: u64,
    url: String,
    branch: String,
    base: String,
    commit: String,
    opened: bool,
}

/// Publishes a plan, and watches what is said about it where that is asked for.
pub(crate) fn cmd_pr(world: &World, args: &PrArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let mut shown = BTreeSet::new();
    loop {
        let proposal = proposal(world, args, &configuration)?;
        let to = destination(world, args, &configuration)?;
        let Some(done) = publish(world, args, &proposal, &to)? else { return Ok(Exit::Fine) };
        conclude(world, args, &proposal, &done)?;
        if !args.watch {
            return Ok(Exit::Fine);
        }
        // What was carried out again is pushed at once; otherwise the forge is asked again after a while.
        while let WatchOutcome::Nothing = look(world, args, &proposal, &to, &done, &mut shown)? {
            if args.once {
                return Ok(Exit::Fine);
            }
            pause(args.every.max(5));
        }
    }
}

/// Pushes and proposes; `None` if it was only shown.
fn publish(
    world: &World,
    args: &PrArgs,
    proposal: &PlanProposal,
    to: &Destination,
) -> Result<Option<Vec<PullDoc>>, CliError> {
    let (name, branch, tip) = (&proposal.name, &proposal.branch, &proposal.tip);
    let layers = match args.per {
        PullUnit::Plan => vec![StackLayer::whole(branch, tip)],
        PullUnit::Phase => layers(&proposal.repo, name, branch, tip, proposal.plan.as_ref())?,
    };
    if layers.len() > 1 && to.from.name != to.to.name {
        return Err(CliError::usage(
            "a stack needs branches in the repository it is for, and this is a fork",
        )
        .hint("open one pull request for the plan: leave `--per phase` out"));
    }
    if args.dry_run {
        preview(world, args, proposal, to, &layers)?;
        return Ok(None);
    }
    let attached = attach(world, args, proposal)?;
    push(world, args, proposal, &layers)?;
    let mut done = Vec::new();
    for (at, layer) in layers.iter().enumerate() {
        let base = at.checked_sub(1).map_or(to.base.as_str(), |before| layers[before].branch.as_str());
        done.push(propose(args, proposal, to, layer, base, (layers.len(), &attached))?);
    }
    statuses(world, proposal, to, &done)?;
    Ok(Some(done))
}

fn proposal(world: &World, args: &PrArgs, configuration: &Configuration) -> Result<PlanProposal, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let (report, plan) = fold(&state, &state.run_chronicle()?)?;
    let name = state.name.to_string();
    let branch =
        report.branch.clone().unwrap_or_else(|| format!("{}{name}", configuration.config.branch_prefix));
    let repo = Repo::discover(world.git_env(), &world.cwd)?;
    let apart = World::temporary_dir("pr")?;
    let repo = repo.with_own_dir(apart.path())?;
    let nothing = || {
        CliError::usage(format!("`{branch}` has no commit yet: there is nothing to propose"))
            .hint("`windlass run` carries the plan out")
    };
    let merged = report.tasks.iter().any(|task| task.state == TaskState::Completed);
    let tip = repo.resolve(&format!("refs/heads/{branch}"))?.filter(|_| merged).ok_or_else(nothing)?;
    let audit = audit(&repo, &state.name, &branch)?;
    if !audit.holds() {
        return Err(CliError::blocked(format!(
            "the evidence of `{branch}` does not hold, so nothing is pushed"
        ))
        .hint(format!("`windlass audit {name}` says what is wrong")));
    }
    let issues = issues_of(world, &name);
    // The directory is needed for the audit only; what follows reads the user's own.
    let repo = Repo::discover(world.git_env(), repo.common_dir())?;
    Ok(PlanProposal { name, branch, repo, report, plan, audit, tip, issues })
}

/// The issues of this repository that the plan was made from.
fn issues_of(world: &World, name: &str) -> Vec<u64> {
    let given = given_documents(world, name);
    let number = |text: &String| match text.parse::<ForgeAddress>().ok()? {
        ForgeAddress { repo: None, choice: IssueChoice::Number(number), .. } => Some(number),
        _ => None,
    };
    given.iter().filter_map(number).collect()
}

fn destination(world: &World, args: &PrArgs, configuration: &Configuration) -> Result<Destination, CliError> {
    let remote = RemoteRepo::of(world, &args.remote)?.ok_or_else(|| {
        CliError::usage(format!("the remote `{}` does not lead to a forge", args.remote))
            .hint("`git remote -v` lists remotes; choose one with `--remote`")
    })?;
    let kind =
        configuration.config.forge.kind.or_else(|| ForgeKind::of_host(&remote.host)).ok_or_else(|| {
            CliError::usage(format!("`{}` is not known to be GitHub or GitLab", remote.host))
                .hint("say which it is: `[forge] kind = \"github\"` in `windlass.toml`")
        })?;
    let forge = Forge::open(world, configuration, kind, None, None, Some(&remote))?;
    forge.needs_login()?;
    let from = forge.facts()?;
    if !from.may_push {
        return Err(CliError::blocked(format!("you may not push to `{}`", from.name))
            .hint("fork it, add the fork as a remote, and name that with `--remote`"));
    }
    let to = from.parent.as_deref().unwrap_or(&from).clone();
    let base = args.onto.clone().unwrap_or_else(|| to.default_branch.clone());
    let forge = forge.other(&to.name);
    if !forge.has_branch(&base)? {
        return Err(CliError::usage(format!("`{}` has no branch `{base}`: nothing was pushed", to.name))
            .hint("choose the branch it is for with `--onto`"));
    }
    Ok(Destination { forge, from, to, base })
}

/// The names and commits to push.
fn refspecs(proposal: &PlanProposal, layers: &[StackLayer]) -> Result<Vec<String>, CliError> {
    let mut specs: Vec<String> =
        layers.iter().map(|layer| format!("{}:refs/heads/{}", layer.commit, layer.branch)).collect();
    let prefix = format!("refs/windlass/{}/", proposal.name);
    let kept = proposal.repo.refs(&prefix)?.into_iter().map(|(name, _)| name);
    let public = |name: &String| {
        name.strip_prefix(&prefix).is_some_and(|rest| matches!(rest, "evidence" | "attestations"))
    };
    specs.extend(kept.filter(public).map(|name| format!("{name}:{name}")));
    Ok(specs)
}

/// Pushes without force. Git speaks with the remote as the user has set it up.
fn push(
    world: &World,
    args: &PrArgs,
    proposal: &PlanProposal,
    layers: &[StackLayer],
) -> Result<(), CliError> {
    let specs = refspecs(proposal, layers)?;
    let command: Vec<&str> =
        ["push", "--quiet", &args.remote].into_iter().chain(specs.iter().map(String::as_str)).collect();
    world.git(&command).map(|_| ()).map_err(|error| {
        let said = error.message.to_lowercase();
        let hint = if said.contains("non-fast-forward") || said.contains("fetch first") {
            "the remote has commits that are not here; nothing is ever forced: fetch them, and bring them in with \
             `windlass sync`"
        } else if said.contains("protected") || said.contains("hook declined") {
            "the branch is protected there: choose another `branch_prefix`, or have the rule changed"
        } else {
            "`git push` has to work for you first"
        };
        error.hint(hint)
    })
}

fn text<'p>(
    proposal: &'p PlanProposal,
    layer: &'p StackLayer,
    about: &'p [String],
    check: &'p str,
) -> PullRequestText<'p> {
    PullRequestText { report: &proposal.report, tasks: layer.tasks.as_deref(), about, check }
}

/// Lines about the whole: which issues it closes, and its place in a stack.
fn about(proposal: &PlanProposal, layer: &StackLayer, base: &str, of: usize) -> Vec<String> {
    let done = proposal.report.tasks.iter().all(|task| task.state == TaskState::Completed);
    let word = if done { "Closes" } else { "For" };
    let mut lines: Vec<String> = proposal.issues.iter().map(|n| format!("{word} #{n}")).collect();
    if of > 1 {
        lines.push(format!("Part {} of {of}, on top of `{base}`.", layer.number));
    }
    lines
}

fn propose(
    args: &PrArgs,
    proposal: &PlanProposal,
    to: &Destination,
    layer: &StackLayer,
    base: &str,
    (of, attached): (usize, &AttachedStatements),
) -> Result<PullDoc, CliError> {
    let mut about = about(proposal, layer, base, of);
    about.push(format!(
        "{} about the commits are in `{}`.",
        counted(attached.count, "in-toto statement"),
        attached.name
    ));
    let check = format!("windlass audit {} --fetch {}", proposal.name, args.remote);
    let text = text(proposal, layer, &about, &check);
    let doc = |number, url, opened| PullDoc {
        number,
        url,
        branch: layer.branch.clone(),
        base: base.to_owned(),
        commit: layer.commit.to_string(),
        opened,
    };
    let title = layer.title(&proposal.name, of);
    let body = text.within("");
    let (branch, draft) = (layer.branch.as_str(), args.draft);
    let new = NewPull { from: &to.from, to: &to.to, branch, base, title: &title, body: &body, draft };
    let mut found = to.forge.pull_of(&to.from, branch)?;
    if found.is_none() {
        match to.forge.open_pull(&new)? {
            Ok(pull) => return Ok(doc(pull.number, pull.url, true)),
            // Another program was quicker, or the list was older than the truth.
            Err(refusal) if refusal.because == RefusalCause::Exists => {
                found = to.forge.pull_of(&to.from, branch)?;
            }
            Err(refusal) => return Err(refused(&refusal, branch, base)),
        }
    }
    let found = found.ok_or_else(|| {
        let said = "the forge reports an existing pull request and does not list it".to_owned();
        refused(&PullRefusal { because: RefusalCause::Exists, said }, branch, base)
    })?;
    to.forge.update_pull(&found, base, &text.within(&found.body))?;
    Ok(doc(found.number, found.url, false))
}

fn refused(refusal: &PullRefusal, branch: &str, base: &str) -> CliError {
    let said = &refusal.said;
    let error = CliError::blocked(format!("no pull request was opened from `{branch}` for `{base}`: {said}"));
    match refusal.because {
        RefusalCause::NothingNew => error.hint(format!("`{base}` already has every commit of `{branch}`")),
        RefusalCause::NoBase => error.hint("choose the branch it is for with `--onto`"),
        RefusalCause::Exists | RefusalCause::Other => {
            error.hint("the branch and its evidence were pushed; `windlass pr` tries again")
        }
    }
}

/// Says at the commit what was seen: tasks, criteria and the audit of the evidence.
fn statuses(
    world: &World,
    proposal: &PlanProposal,
    to: &Destination,
    done: &[PullDoc],
) -> Result<(), CliError> {
    use windlass_core::criteria::Standing;
    let report = &proposal.report;
    let done_tasks = report.tasks.iter().filter(|task| task.state == TaskState::Completed).count();
    let (all, completed) = (report.tasks.len(), done_tasks);
    let failed = report.tasks.iter().any(|task| task.state == TaskState::Failed);
    let (proved, criteria) = (report.standing(Standing::Proved), report.coverage.len());
    let tasks = if failed {
        StatusState::Failure
    } else if completed == all {
        StatusState::Success
    } else {
        StatusState::Pending
    };
    let criteria_state = if proved == criteria { StatusState::Success } else { StatusState::Pending };
    let records = counted(proposal.audit.records.len(), "record");
    for pull in done {
        let all = [
            ("windlass/tasks", tasks, format!("{completed} of {all} tasks verified and merged")),
            ("windlass/criteria", criteria_state, format!("{proved} of {criteria} criteria proved by tests")),
            (
                "windlass/evidence",
                StatusState::Success,
                format!("{records} checked against the commits: all hold"),
            ),
        ];
        for (context, state, description) in all {
            let status = CommitStatus { context, state, description, url: &pull.url };
            // Statuses of a fork's commits need a right on the repository it is proposed to; the text says the same.
            match to.forge.set_status(&pull.commit, &status) {
                Ok(()) => {}
                Err(error) if !to.to.may_push => {
                    world.tell(&format!("note: no commit status was set: {}\n", error.message));
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

fn conclude(world: &World, args: &PrArgs, proposal: &PlanProposal, done: &[PullDoc]) -> Result<(), CliError> {
    if args.json {
        let doc = PullsDoc { schema: "windlass.pull-requests/1", plan: &proposal.name, pulls: done };
        return world.print(&(serde_json::to_string(&doc)? + "\n"));
    }
    for pull in done {
        let word = world.out.paint(Paint::Good, if pull.opened { "opened" } else { "updated" });
        world.print(&format!(
            "{word} #{}: `{}` for `{}`  {}\n",
            pull.number, pull.branch, pull.base, pull.url
        ))?;
    }
    Ok(())
}

fn preview(
    world: &World,
    args: &PrArgs,
    proposal: &PlanProposal,
    to: &Destination,
    layers: &[StackLayer],
) -> Result<(), CliError> {
    let mut said = format!("would push to `{}`:\n", args.remote);
    for spec in refspecs(proposal, layers)? {
        said.push_str(&format!("  {spec}\n"));
    }
    let statements = crate::attest::statements(world, &proposal.repo, &proposal.audit)?.len();
    let attached = crate::attest::attestations_ref(&proposal.name);
    said.push_str(&format!("  {}: {attached}\n", counted(statements, "in-toto statement")));
    let mut base = to.base.as_str();
    for layer in layers {
        let about = about(proposal, layer, base, layers.len());
        let check = format!("windlass audit {} --fetch {}", proposal.name, args.remote);
        let title = layer.title(&proposal.name, layers.len());
        let body = text(proposal, layer, &about, &check).within("");
        said.push_str(&format!(
            "\nwould propose `{}` for `{base}` in `{}`\n\n{title}\n\n{body}\n",
            layer.branch, to.to.name
        ));
        base = &layer.branch;
    }
    world.print(&said)
}
