//! `windlass audit`: checks every evidence record again from the commits alone, and can run the checks again.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tempfile::TempDir;
use windlass_core::ids::{Oid, PlanName};
use windlass_engine::audit::{
    Audit, Audited, AuditedSync, RerunRequest, RerunResult, SeenAgain, ask_journal, audit, rerun,
};
use windlass_engine::git::Repo;
use windlass_engine::{GateRecord, ProofStrength};

use super::state::plan_at;
use super::{CliError, Exit};
use crate::attest::{self, SignerCheck};
use crate::input::{Configuration, plan_name};
use crate::render::{Paint, counted, is_test};
use crate::running::{audit_config, runtime, stop_on_signals};
use crate::world::World;

/// Check every evidence record again, from the commits alone
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AuditArgs {
    /// The plan, by its name or its path.
    #[arg(value_name = "PLAN")]
    pub(crate) plan: Option<String>,

    /// The branch, where it is not the plan's own.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) branch: Option<String>,

    /// Fetch the branch and its evidence from here, into a place of their own: the name of a remote, an address or a
    /// path. Needs no repository around it.
    #[arg(long, value_name = "REMOTE")]
    pub(crate) fetch: Option<String>,

    /// Check everything again that the records speak of: tests, held-out tests, those of tasks with common files, the suite,
    /// type checker, linter, contract, coverage, rules and canaries. Runs what the records say was run.
    #[arg(long)]
    pub(crate) rerun: bool,

    /// Check the in-toto statements in this folder, signed or not: each must say what the evidence says. Without it and without
    /// `--branch`, those that `windlass pr` attached are checked, if there are any.
    #[arg(long, value_name = "DIR")]
    pub(crate) attestations: Option<PathBuf>,

    /// The allowed signers: a file, as ssh and git use it, or of public keys as `cosign` writes them. Each
    /// statement must then be signed by one of them.
    #[arg(long, value_name = "FILE")]
    pub(crate) signers: Option<PathBuf>,

    /// Print `windlass.audit/1` as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass audit                      every commit of the only plan here
  windlass audit shop --branch main   after it landed
  windlass audit --rerun              run the checks again, too
  windlass audit --fetch origin       from another repository, without a clone";

#[derive(Serialize)]
struct AuditDoc<'a> {
    schema: &'static str,
    plan: &'a str,
    branch: &'a str,
    records: Vec<AuditRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    syncs: Vec<SyncRow<'a>>,
    others: Vec<&'a str>,
    problems: &'a [String],
}

#[derive(Serialize)]
struct SyncRow<'a> {
    branch: &'a str,
    commit: &'a str,
    holds: bool,
    problems: &'a [String],
}

#[derive(Serialize)]
struct AuditRow<'a> {
    task: &'a str,
    commit: &'a str,
    holds: bool,
    problems: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    rerun_tests: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rerun_checks: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rerun_left_out: Vec<&'a str>,
}

/// A repository to audit, and what must live as long as it does.
struct RecordPlace {
    repo: Repo,
    apart: TempDir,
}

/// Audits a plan's branch. Needs the repository and the evidence ref, but neither the journal nor the plan.
pub(crate) fn cmd_audit(world: &World, args: &AuditArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let prefix = configuration.config.branch_prefix.clone();
    let place = place(world, args, &prefix)?;
    let name = match &args.plan {
        Some(text) => named(world, &place.repo, text)?,
        None => only_plan(&place.repo)?,
    };
    let branch = args.branch.clone().unwrap_or_else(|| format!("{prefix}{name}"));
    let mut found = audit(&place.repo, &name, &branch)?;
    if let (None, Ok(paths)) = (&args.fetch, world.paths(place.repo.common_dir())) {
        ask_journal(&mut found, &paths.plan(&name).journal())?;
    }
    let statements = match &args.attestations {
        Some(dir) => statements_in(world, dir)?,
        // Those of a whole plan say more than a part of its commits can confirm.
        None if args.branch.is_some() => Vec::new(),
        None => attest::attached(&place.repo, name.as_str())?,
    };
    let signed_by = check_statements(world, args, &statements, &place.repo, &mut found)?;
    let again = if args.rerun {
        run_again(world, &configuration, &place, &name, &mut found)?
    } else {
        vec![None; found.records.len()]
    };
    world.print(&if args.json {
        json(&name, &branch, &found, &again)?
    } else {
        human(world, &name, &branch, &found, &again)
    })?;
    for who in signed_by.iter().filter(|_| !args.json) {
        world.print(&format!("{who}\n"))?;
    }
    // An audit that found nothing to check has not found that everything holds.
    let checked = found.records.len() + found.syncs.len() > 0;
    Ok(if checked && found.holds() { Exit::Fine } else { Exit::Findings })
}

/// The statements in a folder.
fn statements_in(world: &World, dir: &Path) -> Result<Vec<(String, String)>, CliError> {
    let dir = world.cwd.join(dir);
    let entries = fs::read_dir(&dir).map_err(|e| CliError::file("cannot read", &dir, &e))?;
    let mut files: Vec<(String, String)> = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|ending| ending == "json") {
            let text = fs::read_to_string(&path).map_err(|e| CliError::file("cannot read", &path, &e))?;
            files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text));
        }
    }
    if files.is_empty() {
        return Err(CliError::usage(format!("`{}` has no statements", world.shown(&dir)))
            .hint("`windlass attest -o DIR` writes them"));
    }
    files.sort();
    Ok(files)
}

/// Checks statements against the evidence; what is wrong with them becomes a problem of the whole. Returns who signed.
fn check_statements(
    world: &World,
    args: &AuditArgs,
    files: &[(String, String)],
    repo: &Repo,
    found: &mut Audit,
) -> Result<Vec<String>, CliError> {
    if files.is_empty() {
        if args.signers.is_some() {
            found.problems.push("there is no statement that could be signed".to_owned());
        }
        return Ok(Vec::new());
    }
    let known = attest::statements(world, repo, found)?;
    let signers = args.signers.as_ref().map(|file| world.cwd.join(file));
    let check = |envelope: &serde_json::Value| SignerCheck::of(world, envelope, signers.as_deref());
    let (problems, by) = attest::differences(&known, files, &check)?;
    found.problems.extend(problems);
    Ok(by)
}

/// The repository here, or a fetched copy. Windlass's own git directory is a temporary one: an audit leaves nothing
/// behind.
fn place(world: &World, args: &AuditArgs, prefix: &str) -> Result<RecordPlace, CliError> {
    let apart = World::temporary_dir("audit")?;
    let repo = match &args.fetch {
        None => Repo::discover(world.git_env(), &world.cwd)?,
        Some(remote) => {
            let branches = args.branch.clone().unwrap_or_else(|| format!("{prefix}*"));
            let url = address(world, remote)?;
            Repo::fetch_apart(world.git_env(), &url, &branches, &apart.path().join("fetched"))?
        }
    };
    let repo = repo.with_own_dir(&apart.path().join("state"))?;
    Ok(RecordPlace { repo, apart })
}

/// The address to fetch from: that of a named remote, a path relative to the current directory, or the text itself.
fn address(world: &World, remote: &str) -> Result<String, CliError> {
    if let Ok(here) = Repo::discover(world.git_env(), &world.cwd)
        && let Some(url) = here.remote_url(remote)?
    {
        return Ok(url);
    }
    let path = world.cwd.join(remote);
    Ok(if path.is_dir() { path.display().to_string() } else { remote.to_owned() })
}

/// Runs the checks of every valid record again; a difference becomes a problem of the record.
fn run_again(
    world: &World,
    configuration: &Configuration,
    place: &RecordPlace,
    name: &PlanName,
    found: &mut Audit,
) -> Result<Vec<Option<SeenAgain>>, CliError> {
    let config = audit_config(world, configuration.trusted(world)?)?;
    let (repo, plan, dir) = (place.repo.clone(), name.clone(), place.apart.path().join("rerun"));
    let request = RerunRequest { repo, plan, config, dir };
    let runtime = runtime(1)?;
    let all = runtime.block_on(async {
        let stop = stop_on_signals(|_| {});
        rerun(&request, &found.records, &stop).await
    })?;
    let take = |(record, again): (&mut Audited, RerunResult)| match again {
        RerunResult::Seen(seen) => {
            record.problems.extend(seen.problems.iter().cloned());
            Some(seen)
        }
        RerunResult::NotTried => None,
    };
    Ok(found.records.iter_mut().zip(all).map(take).collect())
}

/// The plan of this name, or at this path. A name with evidence counts first: a folder may be called the same.
fn named(world: &World, repo: &Repo, text: &str) -> Result<PlanName, CliError> {
    let name = plan_name(text);
    let known = repo.resolve(&format!("refs/windlass/{name}/evidence"))?.is_some();
    if known || !world.cwd.join(text).exists() {
        return Ok(name);
    }
    Ok(plan_at(world, Path::new(text)).unwrap_or(name))
}

/// The one plan that has evidence here.
pub(super) fn only_plan(repo: &Repo) -> Result<PlanName, CliError> {
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

fn human(world: &World, name: &PlanName, branch: &str, found: &Audit, again: &[Option<SeenAgain>]) -> String {
    let mut text = String::new();
    for (record, seen) in found.records.iter().zip(again) {
        text.push_str(&line(world, record, seen.as_ref()));
    }
    for sync in &found.syncs {
        text.push_str(&sync_line(world, sync));
    }
    for problem in &found.problems {
        text.push_str(&format!("{} {problem}\n", world.out.paint(Paint::Error, "✘")));
    }
    if !found.others.is_empty() {
        let names: Vec<&str> = found.others.iter().take(5).map(Oid::short).collect();
        let more = if found.others.len() > names.len() { ", …" } else { "" };
        let what = counted(found.others.len(), "commit");
        text.push_str(&format!("{what} among them not made by this plan: {}{more}\n", names.join(", ")));
    }
    let broken = found.records.iter().map(|r| &r.problems).chain(found.syncs.iter().map(|s| &s.problems));
    let broken = broken.filter(|problems| !problems.is_empty()).count();
    let all = found.records.len() + found.syncs.len();
    let counted = counted(all, "record");
    text.push_str(&match (all, broken) {
        (0, _) => format!(
            "nothing was checked: no commit on `{branch}` was made by plan `{name}`\n\
             next: name the branch it landed on with `--branch`, or carry the plan out with `windlass run`\n"
        ),
        (_, 0) if found.holds() => format!("{counted} on {branch}: all hold\n"),
        (_, 0) => format!("{counted} on {branch}: each holds, the evidence as a whole does not\n"),
        (_, n) => format!("{counted} on {branch}: {n} do not hold\n"),
    });
    text
}

fn line(world: &World, record: &Audited, again: Option<&SeenAgain>) -> String {
    let (mark, paint) = if record.problems.is_empty() { ("✔", Paint::Good) } else { ("✘", Paint::Error) };
    let mark = world.out.paint(paint, mark);
    let revision = record.evidence.as_ref().map_or(1, |e| e.revision);
    let revision = if revision > 1 { format!(" (revision {revision})") } else { String::new() };
    // A linter only has an exit code; test runners could report names.
    let nameless = |g: &GateRecord| g.strength == ProofStrength::ExitCode && is_test(g.gate);
    let weaker = record.evidence.as_ref().is_some_and(|e| e.green.gates.iter().any(nameless));
    let weaker = if weaker { " · weaker: an exit code alone" } else { "" };
    let passed = again.filter(|_| record.problems.is_empty());
    let passed = passed.map(|seen| format!(" · run again: {} passed", counted(seen.tests, "test")));
    let passed = passed.unwrap_or_default();
    let mut text = format!("{mark} {}  {}{revision}{passed}{weaker}\n", record.commit.short(), record.task);
    if let Some(seen) = again {
        let names = checks(seen).join(", ");
        text.push_str(&world.out.paint(Paint::Faint, &format!("    checked again: {names}")));
        text.push('\n');
        for what in &seen.left_out {
            text.push_str(&format!("    not checked again: {what}\n"));
        }
    }
    for problem in &record.problems {
        text.push_str(&format!("    {problem}\n"));
    }
    text
}

/// A merge with the user's branch.
fn sync_line(world: &World, sync: &AuditedSync) -> String {
    let (mark, paint) = if sync.problems.is_empty() { ("✔", Paint::Good) } else { ("✘", Paint::Error) };
    let mark = world.out.paint(paint, mark);
    let commands = sync.evidence.as_ref().map_or(0, |e| e.commands().len());
    let mut text = format!(
        "{mark} {}  `{}` brought in · {} passed\n",
        sync.commit.short(),
        sync.branch,
        counted(commands, "command")
    );
    for problem in &sync.problems {
        text.push_str(&format!("    {problem}\n"));
    }
    text
}

/// What was checked again, each once.
fn checks(seen: &SeenAgain) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for gate in &seen.gates {
        if !names.contains(&gate.as_str()) {
            names.push(gate.as_str());
        }
    }
    if seen.wrong_versions > 0 {
        names.push("wrong versions of the code");
    }
    names
}

fn row<'a>(record: &'a Audited, seen: Option<&'a SeenAgain>) -> AuditRow<'a> {
    AuditRow {
        task: &record.task,
        commit: record.commit.as_str(),
        holds: record.problems.is_empty(),
        problems: &record.problems,
        rerun_tests: seen.map(|s| s.tests),
        rerun_checks: seen.map(checks).unwrap_or_default(),
        rerun_left_out: seen.iter().flat_map(|s| &s.left_out).map(String::as_str).collect(),
    }
}

fn json(
    plan: &PlanName,
    branch: &str,
    found: &Audit,
    again: &[Option<SeenAgain>],
) -> Result<String, CliError> {
    let records = found.records.iter().zip(again).map(|(r, seen)| row(r, seen.as_ref())).collect();
    let others = found.others.iter().map(Oid::as_str).collect();
    let (plan, problems) = (plan.as_str(), found.problems.as_slice());
    let syncs = found.syncs.iter().map(|s| SyncRow {
        branch: &s.branch,
        commit: s.commit.as_str(),
        holds: s.problems.is_empty(),
        problems: &s.problems,
    });
    let syncs = syncs.collect();
    let doc = AuditDoc { schema: "windlass.audit/1", plan, branch, records, syncs, others, problems };
    Ok(serde_json::to_string(&doc)? + "\n")
}
