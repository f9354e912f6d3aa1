//! `windlass audit`: every evidence record, read again from the commits alone; and, if wanted, run again.

use clap::Args;
use serde::Serialize;
use tempfile::TempDir;
use windlass_core::ids::{Oid, PlanName};
use windlass_engine::audit::{Again, Audit, Audited, RerunRequest, audit, rerun};
use windlass_engine::git::Repo;

use super::{CliError, Exit};
use crate::input::{Configuration, plan_name};
use crate::render::{Paint, counted};
use crate::running::{audit_config, runtime, stop_on_signals};
use crate::world::World;

/// Check every evidence record again, from the commits alone
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The plan's name.
    #[arg(value_name = "PLAN")]
    pub(crate) plan: Option<String>,

    /// The branch, where it is not the plan's own.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) branch: Option<String>,

    /// Fetch the branch and its evidence from here, into a place of their own: the name of a remote, an address or a
    /// path. Needs no repository around it.
    #[arg(long, value_name = "REMOTE")]
    pub(crate) fetch: Option<String>,

    /// Run the tests of every record again on its tree, and compare the results. Runs what the records say was run.
    #[arg(long)]
    pub(crate) rerun: bool,

    /// Print `windlass.audit/1` as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct AuditDoc<'a> {
    schema: &'static str,
    plan: &'a str,
    branch: &'a str,
    records: Vec<Row<'a>>,
    others: Vec<&'a str>,
}

#[derive(Serialize)]
struct Row<'a> {
    task: &'a str,
    commit: &'a str,
    holds: bool,
    problems: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    rerun_tests: Option<usize>,
}

/// A repository to audit, and what must live as long as it does.
struct Place {
    repo: Repo,
    apart: TempDir,
}

/// Audits a plan's branch. Needs the repository and the evidence ref, and neither journal nor plan.
pub(crate) fn cmd_audit(world: &World, args: &AuditArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let prefix = configuration.config.branch_prefix.clone();
    let place = place(world, args, &prefix)?;
    let name = match &args.plan {
        Some(text) => plan_name(text),
        None => only_plan(&place.repo)?,
    };
    let branch = args.branch.clone().unwrap_or_else(|| format!("{prefix}{name}"));
    let mut found = audit(&place.repo, &name, &branch)?;
    let again = if args.rerun {
        run_again(world, &configuration, &place, &name, &mut found)?
    } else {
        vec![None; found.records.len()]
    };
    let broken = found.records.iter().filter(|r| !r.problems.is_empty()).count();
    world.print(&if args.json {
        json(&name, &branch, &found, &again)?
    } else {
        human(world, &branch, &found, &again)
    })?;
    Ok(if broken == 0 { Exit::Fine } else { Exit::Findings })
}

/// The repository here, or what was fetched from elsewhere. Its own git directory lies apart: an audit leaves nothing
/// behind.
fn place(world: &World, args: &AuditArgs, prefix: &str) -> Result<Place, CliError> {
    let apart = TempDir::with_prefix("windlass-audit-")
        .map_err(|e| CliError::environment("cannot make a directory").because_of(Some(&e)))?;
    let repo = match &args.fetch {
        None => Repo::discover(world.git_env(), &world.cwd)?,
        Some(remote) => {
            let branches = args.branch.clone().unwrap_or_else(|| format!("{prefix}*"));
            let url = address(world, remote)?;
            Repo::fetch_apart(world.git_env(), &url, &branches, &apart.path().join("fetched"))?
        }
    };
    let repo = repo.with_own_dir(&apart.path().join("state"))?;
    Ok(Place { repo, apart })
}

/// The address that is meant: of a remote by its name, a path from where the user stands, or what was said.
fn address(world: &World, remote: &str) -> Result<String, CliError> {
    if let Ok(here) = Repo::discover(world.git_env(), &world.cwd)
        && let Some(url) = here.remote_url(remote)?
    {
        return Ok(url);
    }
    let path = world.cwd.join(remote);
    Ok(if path.is_dir() { path.display().to_string() } else { remote.to_owned() })
}

/// Runs every record that holds so far once more; what differs becomes a problem of the record.
fn run_again(
    world: &World,
    configuration: &Configuration,
    place: &Place,
    name: &PlanName,
    found: &mut Audit,
) -> Result<Vec<Option<usize>>, CliError> {
    let config = audit_config(world, &configuration.config)?;
    let (repo, plan, dir) = (place.repo.clone(), name.clone(), place.apart.path().join("rerun"));
    let request = RerunRequest { repo, plan, config, dir };
    let runtime = runtime(1)?;
    let all = runtime.block_on(async {
        let stop = stop_on_signals(|_| {});
        rerun(&request, &found.records, &stop).await
    })?;
    let take = |(record, again): (&mut Audited, Again)| match again {
        Again::Same { tests } => Some(tests),
        Again::Nothing => None,
        Again::Differs(problems) => {
            record.problems.extend(problems);
            None
        }
    };
    Ok(found.records.iter_mut().zip(all).map(take).collect())
}

/// The one plan that has evidence here.
fn only_plan(repo: &Repo) -> Result<PlanName, CliError> {
    let refs = repo.refs("refs/windlass/")?;
    let names: Vec<PlanName> = refs
        .iter()
        .filter_map(|(name, _)| name.strip_prefix("refs/windlass/")?.strip_suffix("/evidence"))
        .filter_map(|name| PlanName::new(name).ok())
        .collect();
    match names.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(CliError::usage("there is no evidence in this repository")
            .hint("`windlass audit --fetch REMOTE` audits what another repository has")),
        several => {
            let list: Vec<String> = several.iter().map(|n| format!("`{n}`")).collect();
            Err(CliError::usage("more than one plan has evidence here")
                .hint(format!("name one of {}", list.join(", "))))
        }
    }
}

fn human(world: &World, branch: &str, found: &Audit, again: &[Option<usize>]) -> String {
    let mut text = String::new();
    for (record, tests) in found.records.iter().zip(again) {
        text.push_str(&line(world, record, *tests));
    }
    if !found.others.is_empty() {
        let names: Vec<&str> = found.others.iter().take(5).map(Oid::short).collect();
        let more = if found.others.len() > names.len() { ", …" } else { "" };
        let what = counted(found.others.len(), "commit");
        text.push_str(&format!("{what} among them not made by this plan: {}{more}\n", names.join(", ")));
    }
    let broken = found.records.iter().filter(|r| !r.problems.is_empty()).count();
    let counted = counted(found.records.len(), "record");
    text.push_str(&match (found.records.len(), broken) {
        (0, _) => format!("no commit on {branch} was made by this plan\n"),
        (_, 0) => format!("{counted} on {branch}: all hold\n"),
        (_, n) => format!("{counted} on {branch}: {n} do not hold\n"),
    });
    text
}

fn line(world: &World, record: &Audited, tests: Option<usize>) -> String {
    let (mark, paint) = if record.problems.is_empty() { ("✔", Paint::Good) } else { ("✘", Paint::Error) };
    let mark = world.out.paint(paint, mark);
    let revision = record.evidence.as_ref().map_or(1, |e| e.revision);
    let revision = if revision > 1 { format!(" (revision {revision})") } else { String::new() };
    let weaker =
        record.evidence.as_ref().is_some_and(|e| e.green.gates.iter().any(|g| g.strength == "exit-code"));
    let weaker = if weaker { " · weaker: an exit code alone" } else { "" };
    let again = tests.map(|n| format!(" · run again: {} passed", counted(n, "test"))).unwrap_or_default();
    let mut text = format!("{mark} {}  {}{revision}{again}{weaker}\n", record.commit.short(), record.task);
    for problem in &record.problems {
        text.push_str(&format!("    {problem}\n"));
    }
    text
}

fn json(plan: &PlanName, branch: &str, found: &Audit, again: &[Option<usize>]) -> Result<String, CliError> {
    let row = |(r, tests): (&'_ Audited, &Option<usize>)| (r.problems.is_empty(), *tests);
    let records = found
        .records
        .iter()
        .zip(again)
        .map(|(r, tests)| {
            let (holds, rerun_tests) = row((r, tests));
            Row { task: &r.task, commit: r.commit.as_str(), holds, problems: &r.problems, rerun_tests }
        })
        .collect();
    let others = found.others.iter().map(Oid::as_str).collect();
    let doc = AuditDoc { schema: "windlass.audit/1", plan: plan.as_str(), branch, records, others };
    Ok(serde_json::to_string(&doc)? + "\n")
}
