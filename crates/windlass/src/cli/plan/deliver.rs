//! What becomes of a plan: checked, printed, written, committed, run.

use std::path::{Path, PathBuf};

use windlass_core::diagnostic::{Diagnostic, Severity, Sources};
use windlass_core::ids::Oid;
use windlass_core::plan::Plan;
use windlass_engine::git::{RefMove, Repo};
use windlass_engine::integration_branch::create_branch;
use windlass_formats::{Dialect, TextFile};
use windlass_planner::derive::Derived;
use windlass_planner::lint;
use windlass_planner::runnable::make_runnable;
use windlass_planner::spec::Spec;

use super::request::Request;
use super::{PlanArgs, Written, told};
use crate::cli::checked::{PlanSelection, ProfileArgs, lint_context, seal_options};
use crate::cli::run::{RunArgs, cmd_run};
use crate::cli::writing::{Overwrite, write_files};
use crate::cli::{CliError, Exit};
use crate::input::Configuration;
use crate::render::{self, counted};
use crate::world::World;

/// Delivers a plan.
pub(super) fn deliver(
    world: &World,
    args: &PlanArgs,
    request: &Request,
    configuration: &Configuration,
    spec: &Spec,
    derived: &Derived,
) -> Result<Exit, CliError> {
    let plan = &derived.plan;
    let most = if args.notes { usize::MAX } else { told::SHOWN };
    world.tell(&told::notes(world, spec, derived, most));
    let errors = errors(plan, request, configuration);
    if !errors.is_empty() {
        world.tell(&render::human(&errors, &Sources::default(), &world.err, 20));
    }
    let usual = if request.homerun { Dialect::Homerun } else { Dialect::Native };
    let format = args.format.unwrap_or(Written::Dialect(usual));
    let files = written(plan, format)?;
    let ending = if errors.is_empty() { Exit::Fine } else { Exit::Findings };
    if args.stdout {
        print(world, &files)?;
        return Ok(ending);
    }
    let root = place(world, args, request, plan, format);
    let overwrite = if args.force || request.homerun { Overwrite::Yes } else { Overwrite::No };
    let paths = write_files(world, &root, &files, overwrite)?;
    if args.commit {
        commit(world, request, plan, &paths)?;
    }
    if request.homerun {
        answer(world, plan, errors.len())?;
    } else {
        let words = summary(world, args, plan, spec, derived, &root);
        world.print(&words)?;
    }
    if args.run && errors.is_empty() {
        return run(world, args, root);
    }
    Ok(ending)
}

/// What `windlass check` would call an error.
pub(super) fn errors(plan: &Plan, request: &Request, configuration: &Configuration) -> Vec<Diagnostic> {
    let context = lint_context(request.profile, Dialect::Native, &configuration.config);
    let options = seal_options(&configuration.config);
    let found = make_runnable(plan, &options).findings.into_iter().chain(lint::check(plan, &context));
    found.filter(|d| d.severity == Severity::Error).collect()
}

fn written(plan: &Plan, format: Written) -> Result<Vec<TextFile>, CliError> {
    Ok(match format {
        Written::Json => {
            let text = serde_json::to_string_pretty(&windlass_formats::plan_json(plan))? + "\n";
            vec![TextFile { path: format!("{}.json", plan.name), bytes: text.into_bytes() }]
        }
        Written::Dialect(to) => windlass_formats::write(to, plan, &|_| None),
    })
}

fn print(world: &World, files: &[TextFile]) -> Result<(), CliError> {
    for file in files {
        if files.len() > 1 {
            world.print(&format!("=== {}\n", file.path))?;
        }
        world.print(&String::from_utf8_lossy(&file.bytes))?;
    }
    Ok(())
}

/// Where the plan is written: as asked, in homerun's worktree, else `plans/<name>` at the top.
fn place(world: &World, args: &PlanArgs, request: &Request, plan: &Plan, format: Written) -> PathBuf {
    match (&args.output, format) {
        (Some(path), _) => world.cwd.join(path),
        (None, Written::Dialect(Dialect::Homerun)) if request.homerun => request.root.clone(),
        (None, _) => request.root.join("plans").join(&plan.name),
    }
}

/// homerun's answer: only for a plan that passes.
fn answer(world: &World, plan: &Plan, errors: usize) -> Result<(), CliError> {
    match windlass_formats::planning_complete(plan, errors) {
        Some(signal) => world.print(&(serde_json::to_string_pretty(&signal)? + "\n")),
        None => Ok(()),
    }
}

fn summary(
    world: &World,
    args: &PlanArgs,
    plan: &Plan,
    spec: &Spec,
    derived: &Derived,
    root: &Path,
) -> String {
    let shown = world.shown(root);
    let mut text = format!("wrote {} to {shown}\n", counted(plan.tasks.len(), "task"));
    let gaps =
        derived.notes.iter().filter(|n| n.kind == windlass_planner::derive::NoteKind::CoverageGap).count();
    // A phase has its own criteria; the others are not its business.
    let all = if args.phase.is_some() { plan.criteria.len() } else { spec.criteria.len() };
    if all > 0 {
        let gaps = gaps.min(all);
        text.push_str(&format!("criteria: {} of {all} have a task that serves them", all - gaps));
        text.push_str(if gaps > 0 { "; see COVERAGE_GAP above\n" } else { "\n" });
    }
    if !args.run {
        text.push_str(&format!("\nnext: `windlass check {shown}`, then `windlass run {shown}`\n"));
    }
    text
}

/// The plan as a commit: in the worktree whose branch it is, else as the first commit of the plan's own branch, without
/// touching the checkout.
fn commit(world: &World, request: &Request, plan: &Plan, paths: &[PathBuf]) -> Result<(), CliError> {
    let message = message(plan);
    let inside: Vec<String> = paths
        .iter()
        .filter_map(|p| p.strip_prefix(&request.root).ok())
        .map(|p| p.to_string_lossy().into_owned())
        .collect();
    if inside.len() != paths.len() {
        return Err(
            CliError::usage("only a plan inside the repository can be committed").hint("leave out `-o`")
        );
    }
    if request.homerun {
        let mut add = vec!["add", "--"];
        add.extend(inside.iter().map(String::as_str));
        world.git_in(&request.root, &add)?;
        let mut commit = vec!["commit", "-q", "-m", &message, "--only", "--"];
        commit.extend(inside.iter().map(String::as_str));
        world.git_in(&request.root, &commit)?;
        return Ok(());
    }
    let branch = plan.branch.clone().unwrap_or_else(|| format!("windlass/{}", plan.name));
    let exists = || {
        CliError::blocked(format!("the branch `{branch}` exists already"))
            .hint("the plan is its first commit; remove the branch, or plan without `--commit`")
    };
    let repo = Repo::discover(world.git_env(), &request.root)?;
    if repo.resolve(&format!("refs/heads/{branch}"))?.is_some() {
        return Err(exists());
    }
    let head = world.git_in(&request.root, &["rev-parse", "HEAD"])?;
    let scratch = world.temp_dir("windlass-plan")?;
    let index = scratch.join("index");
    let with = [("GIT_INDEX_FILE", index.as_path())];
    world.git_with(&request.root, &["read-tree", "HEAD"], &with)?;
    let mut add = vec!["add", "-f", "--"];
    add.extend(inside.iter().map(String::as_str));
    world.git_with(&request.root, &add, &with)?;
    let tree = world.git_with(&request.root, &["write-tree"], &with)?;
    let made =
        world.git_in(&request.root, &["commit-tree", tree.trim(), "-p", head.trim(), "-m", &message])?;
    let _ = std::fs::remove_dir_all(&scratch);
    let made = Oid::new(made.trim()).map_err(|e| CliError::blocked(e.to_string()))?;
    match create_branch(&repo, &branch, &made)? {
        RefMove::Moved => Ok(()),
        RefMove::Mismatch { .. } => Err(exists()),
    }
}

/// The counts and the list of tasks.
fn message(plan: &Plan) -> String {
    let (own, parts): (Vec<_>, Vec<_>) = plan.tasks.iter().partition(|t| t.parent.is_none());
    let mut text = format!(
        "plan: create {} tasks for {}\n\nTasks: {} ({} subtasks)\n\nTask list:\n",
        own.len(),
        plan.name,
        own.len(),
        parts.len()
    );
    for task in &plan.tasks {
        text.push_str(&format!("- {}: {}\n", task.id, task.title));
    }
    text
}

fn run(world: &World, args: &PlanArgs, root: PathBuf) -> Result<Exit, CliError> {
    let run = RunArgs {
        plan: PlanSelection { plan: Some(root), from: None },
        profile: ProfileArgs { profile: args.profile },
        agent: None,
        jobs: None,
        max_cost: None,
        max_tokens: None,
        dry_run: false,
        briefs: false,
        until: Vec::new(),
        yes: args.yes,
        record: None,
        sandbox: None,
        share: Vec::new(),
        allow_unsandboxed: false,
        json: false,
    };
    cmd_run(world, &run)
}
