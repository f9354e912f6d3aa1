//! `windlass audit`: every evidence record, read again from the commits alone.

use clap::Args;
use serde::Serialize;
use windlass_core::ids::PlanName;
use windlass_engine::audit::{Audited, audit};
use windlass_engine::git::Repo;

use super::{CliError, Exit};
use crate::input::{Configuration, plan_name};
use crate::render::{Paint, counted};
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
}

#[derive(Serialize)]
struct Row<'a> {
    task: &'a str,
    commit: &'a str,
    holds: bool,
    problems: &'a [String],
}

/// Audits a plan's branch. Needs the repository and the evidence ref, and neither journal nor plan.
pub(crate) fn cmd_audit(world: &World, args: &AuditArgs) -> Result<Exit, CliError> {
    let repo = Repo::discover(world.git_env(), &world.cwd)?;
    let paths = world.paths(repo.common_dir())?;
    let repo = repo.with_own_dir(paths.state())?;
    let name = match &args.plan {
        Some(text) => plan_name(text),
        None => only_plan(&repo)?,
    };
    let prefix = Configuration::find(world)?.config.branch_prefix;
    let branch = args.branch.clone().unwrap_or_else(|| format!("{prefix}{name}"));
    let records = audit(&repo, &name, &branch)?;
    let broken = records.iter().filter(|r| !r.problems.is_empty()).count();
    world.print(&if args.json {
        json(&name, &branch, &records)?
    } else {
        human(world, &branch, &records)
    })?;
    Ok(if broken == 0 { Exit::Fine } else { Exit::Findings })
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
            .hint("fetch it with `git fetch REMOTE 'refs/windlass/*:refs/windlass/*'`")),
        several => {
            let list: Vec<String> = several.iter().map(|n| format!("`{n}`")).collect();
            Err(CliError::usage("more than one plan has evidence here")
                .hint(format!("name one of {}", list.join(", "))))
        }
    }
}

fn human(world: &World, branch: &str, records: &[Audited]) -> String {
    let mut text = String::new();
    for record in records {
        let (mark, paint) =
            if record.problems.is_empty() { ("✔", Paint::Good) } else { ("✘", Paint::Error) };
        let mark = world.out.paint(paint, mark);
        text.push_str(&format!("{mark} {}  {}\n", record.commit.short(), record.task));
        for problem in &record.problems {
            text.push_str(&format!("    {problem}\n"));
        }
    }
    let broken = records.iter().filter(|r| !r.problems.is_empty()).count();
    let counted = counted(records.len(), "record");
    text.push_str(&match (records.len(), broken) {
        (0, _) => format!("no commit on {branch} was made by this plan\n"),
        (_, 0) => format!("{counted} on {branch}: all hold\n"),
        (_, n) => format!("{counted} on {branch}: {n} do not hold\n"),
    });
    text
}

fn json(plan: &PlanName, branch: &str, records: &[Audited]) -> Result<String, CliError> {
    let records = records
        .iter()
        .map(|r| Row {
            task: &r.task,
            commit: r.commit.as_str(),
            holds: r.problems.is_empty(),
            problems: &r.problems,
        })
        .collect();
    let doc = AuditDoc { schema: "windlass.audit/1", plan: plan.as_str(), branch, records };
    Ok(serde_json::to_string(&doc)? + "\n")
}
