//! What becomes of a plan: checked, printed, written, committed, run.

use std::path::{Path, PathBuf};

use windlass_code::survey::Language;
use windlass_core::diagnostic::{Diagnostic, Severity, Sources};
use windlass_core::ids::Oid;
use windlass_core::plan::Plan;
use windlass_engine::git::{Head, RefMove, Repo};
use windlass_engine::integration_branch::{advance_branch, create_branch};
use windlass_formats::{Dialect, SignalledTasks, TextFile};
use windlass_planner::derive::Derived;
use windlass_planner::lint::{self, Profile};
use windlass_planner::living::Revision;
use windlass_planner::runnable::make_runnable;
use windlass_planner::spec::Spec;

use super::living::{self, Living};
use super::request::Request;
use super::summary::{WrittenPlan, summary};
use super::{PlanArgs, Written, change_messages, messages, review_page, session};
use crate::cli::checked::{PlanSelection, ProfileArgs, findings_of, lint_context, seal_options};
use crate::cli::export::{red_flag_lines, signalled};
use crate::cli::run::{RunArgs, cmd_run};
use crate::cli::writing::{Overwrite, write_files};
use crate::cli::{CliError, Exit};
use crate::input::Configuration;
use crate::render;
use crate::world::World;

/// Everything about a plan that is to be delivered.
pub(super) struct Delivery<'a> {
    pub(super) world: &'a World,
    pub(super) args: &'a PlanArgs,
    pub(super) request: &'a Request,
    pub(super) configuration: &'a Configuration,
    pub(super) spec: &'a Spec,
    /// The language that the user chose for new files.
    pub(super) language: Option<Language>,
}

/// The rules that tasks without files break: nothing verifies them, and they own nothing.
const WITHOUT_FILES: [&str; 2] = ["WL0301", "WL0315"];

/// A plan that was there before, and what became of it.
type Revised = (Living, Revision);

impl Delivery<'_> {
    /// Delivers a plan.
    pub(super) fn deliver(&self, derived: &Derived, revised: Option<&Revised>) -> Result<Exit, CliError> {
        let Self { world, args, request, configuration, spec, .. } = *self;
        let plan = &derived.plan;
        if let Some(form) = args.review {
            return review_page::show(self, derived, revised.map(|(_, revision)| revision), form);
        }
        let most = if args.notes { usize::MAX } else { messages::SHOWN };
        world.tell(&messages::notes(world, spec, derived, most));
        let errors = errors(plan, request, configuration);
        // One question stands for what every task lacks until it is answered.
        let follows = |d: &Diagnostic| derived.asks_for_language() && WITHOUT_FILES.contains(&d.code);
        let told: Vec<Diagnostic> = errors.iter().filter(|d| !follows(d)).cloned().collect();
        if !told.is_empty() {
            world.tell(&without_places(world, told, 20));
        }
        world.tell(&untestable(world, plan, request, configuration));
        let usual = match (&request.homerun, &request.session_dir) {
            (Some(_), _) => Dialect::Homerun,
            (None, Some(_)) => Dialect::Ccw,
            (None, None) => Dialect::Native,
        };
        let format = args.format.unwrap_or(Written::Dialect(usual));
        let ending = if errors.is_empty() { Exit::Fine } else { Exit::Findings };
        let (root, paths) = match revised {
            Some((living, revision)) => {
                (living.root().to_owned(), self.write_revision(plan, living, revision)?)
            }
            None => match self.write_new(derived, format)? {
                Some(written) => written,
                None => return Ok(ending),
            },
        };
        if args.commit {
            commit(world, request, plan, &paths)?;
        }
        if request.homerun.is_some() {
            answer(world, plan, errors.len(), signalled(args.task_files))?;
        } else {
            let written = if revised.is_some() { WrittenPlan::Again } else { WrittenPlan::New };
            world.print(&summary(self, derived, &root, written))?;
        }
        if args.run && errors.is_empty() {
            return run(world, args, root);
        }
        Ok(ending)
    }

    /// Writes what a change of documents comes to, and says what it is.
    fn write_revision(
        &self,
        plan: &Plan,
        living: &Living,
        revision: &Revision,
    ) -> Result<Vec<PathBuf>, CliError> {
        let world = self.world;
        let what = if living.language() == self.language { "documents" } else { "language" };
        world.print(&change_messages::changes(&world.out, revision, what))?;
        if living.is_running() {
            world.tell("note: a run of this plan is active and goes on with the plan it started with\n");
            world.tell("  help: the next `windlass run` takes the changes\n");
        }
        let unedited = if *plan == revision.plan { &revision.unedited } else { plan };
        let mut retired = living.retired().to_vec();
        retired.extend(revision.retired.iter().cloned());
        let record = living::record(world, self.args, self.request, unedited, self.language, retired);
        living.write(world, plan, record)
    }

    /// Writes a plan that is new; `None` where it was printed.
    fn write_new(
        &self,
        derived: &Derived,
        format: Written,
    ) -> Result<Option<(PathBuf, Vec<PathBuf>)>, CliError> {
        let Self { world, args, request, configuration, .. } = *self;
        let plan = &derived.plan;
        let mut files = written(args, plan, format)?;
        let into_session = args.output.is_none() && format == Written::Dialect(Dialect::Homerun);
        if let Some(session) = request.homerun.as_ref().filter(|_| into_session) {
            windlass_formats::keep_state(&mut files, session.state.clone());
        }
        if format == Written::Dialect(Dialect::Ccw) {
            red_flags(world, &mut files, configuration);
        }
        if args.stdout {
            print(world, &files)?;
            return Ok(None);
        }
        let root = place(world, args, request, plan, format);
        if format == Written::Dialect(Dialect::Ccw) {
            session::settle(&root, request, &mut files)?;
        }
        if format == Written::Dialect(Dialect::Native) {
            files.push(living::record(world, args, request, plan, self.language, Vec::new()));
        }
        let overwrite = if args.force { Overwrite::Yes } else { Overwrite::No };
        let paths = if request.homerun.is_some() && into_session {
            into_worktree(world, &root, &files, overwrite)?
        } else {
            write_files(world, &root, &files, overwrite)?
        };
        Ok(Some((root, paths)))
    }
}

/// Writes into homerun's worktree. The state file was merged; a list of tasks that says something else is replaced only on
/// request, and kept beside the new one.
fn into_worktree(
    world: &World,
    root: &Path,
    files: &[TextFile],
    overwrite: Overwrite,
) -> Result<Vec<PathBuf>, CliError> {
    for file in files.iter().filter(|file| file.path != "state.json") {
        let path = root.join(&file.path);
        let Ok(there) = std::fs::read(&path) else { continue };
        if there == file.bytes {
            continue;
        }
        if overwrite == Overwrite::No {
            return Err(CliError::usage(format!("`{}` exists and says something else", world.shown(&path)))
                .hint("its edits and states would be lost: `--force` replaces it and keeps the old one beside it")
                .hint("or write somewhere else with `-o`"));
        }
        let kept = PathBuf::from(format!("{}.bak", path.display()));
        std::fs::write(&kept, there).map_err(|e| CliError::file("cannot write", &kept, &e))?;
        world.tell(&format!("note: the old tasks are kept in `{}`\n", world.shown(&kept)));
    }
    write_files(world, root, files, Overwrite::Yes)
}

/// Findings about a plan that is being written: what they are about is in no file yet, or in one that is about to change.
fn without_places(world: &World, mut found: Vec<Diagnostic>, most: usize) -> String {
    for finding in &mut found {
        finding.span = None;
        finding.related.clear();
    }
    render::human(&found, &Sources::default(), &world.err, most)
}

/// Criteria that no test can show, once each: the documents should say more before the work begins.
fn untestable(world: &World, plan: &Plan, request: &Request, configuration: &Configuration) -> String {
    const CODES: [&str; 4] = ["WL0601", "WL0602", "WL0603", "WL0604"];
    if request.profile != Profile::Homerun {
        return String::new();
    }
    let context = lint_context(request.profile, Dialect::Native, &configuration.config);
    let mut found: Vec<Diagnostic> =
        lint::check(plan, &context).into_iter().filter(|d| CODES.contains(&d.code)).collect();
    let mut seen = std::collections::HashSet::new();
    found.retain(|finding| seen.insert(finding.message.clone()));
    without_places(world, found, 20)
}

/// What `windlass check` would call an error.
pub(super) fn errors(plan: &Plan, request: &Request, configuration: &Configuration) -> Vec<Diagnostic> {
    let context = lint_context(request.profile, Dialect::Native, &configuration.config);
    let options = seal_options(&configuration.config);
    let found = make_runnable(plan, &options).findings.into_iter().chain(lint::check(plan, &context));
    found.filter(|d| d.severity == Severity::Error).collect()
}

fn written(args: &PlanArgs, plan: &Plan, format: Written) -> Result<Vec<TextFile>, CliError> {
    let homerun = format == Written::Dialect(Dialect::Homerun);
    if args.task_files {
        return if homerun {
            Ok(windlass_formats::write_task_files(plan, &|_| None))
        } else {
            Err(CliError::usage("`--task-files` is homerun's: it needs `--format homerun`"))
        };
    }
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

/// The log of a session's red flags, which stop nothing; the limit of tasks is also said here.
fn red_flags(world: &World, files: &mut Vec<TextFile>, configuration: &Configuration) {
    let found = findings_of(files, Dialect::Ccw, &configuration.config);
    let limit: Vec<Diagnostic> = found.iter().filter(|f| f.code == TOO_MANY).cloned().collect();
    if !limit.is_empty() {
        world.tell(&without_places(world, limit, 1));
    }
    files.push(windlass_formats::tdd_warnings_log(files, &red_flag_lines(&found)));
}

/// The rule for more tasks than a session may have.
const TOO_MANY: &str = "WL0113";

/// Where the plan is written: as asked, in homerun's worktree, in its session's folder, else `plans/<name>` at the top.
fn place(world: &World, args: &PlanArgs, request: &Request, plan: &Plan, format: Written) -> PathBuf {
    match (&args.output, format) {
        (Some(path), _) => world.cwd.join(path),
        (None, Written::Dialect(Dialect::Homerun)) if request.homerun.is_some() => request.root.clone(),
        (None, Written::Dialect(Dialect::Ccw)) if request.session_dir.is_some() => {
            request.session_dir.clone().unwrap_or_default()
        }
        (None, _) => request.root.join("plans").join(&plan.name),
    }
}

/// homerun's answer: only for a plan that passes.
fn answer(world: &World, plan: &Plan, errors: usize, tasks: SignalledTasks) -> Result<(), CliError> {
    match windlass_formats::planning_complete(plan, errors, tasks) {
        Some(signal) => world.print(&(serde_json::to_string_pretty(&signal)? + "\n")),
        None => Ok(()),
    }
}

/// The plan as a commit: in the worktree that has homerun's branch checked out; else on the plan's own branch, without
/// touching the checkout.
fn commit(world: &World, request: &Request, plan: &Plan, paths: &[PathBuf]) -> Result<(), CliError> {
    let message = message(request, plan);
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
    let repo = Repo::discover(world.git_env(), &request.root)?;
    let checked_out = match repo.head()? {
        Head::Branch { name, .. } | Head::Unborn { name } => Some(name),
        Head::Detached { .. } => None,
    };
    if request.homerun.is_some() && (request.branch.is_none() || request.branch == checked_out) {
        let mut add = vec!["add", "-f", "--"];
        add.extend(inside.iter().map(String::as_str));
        world.git_in(&request.root, &add)?;
        let mut commit = vec!["commit", "-q", "-m", &message, "--only", "--"];
        commit.extend(inside.iter().map(String::as_str));
        world.git_in(&request.root, &commit)?;
        return Ok(());
    }
    let branch = plan.branch.clone().unwrap_or_else(|| format!("windlass/{}", plan.name));
    let tip = repo.resolve(&format!("refs/heads/{branch}"))?;
    refuse_branch(request, &repo, &branch, tip.is_some())?;
    let start = match &tip {
        Some(tip) => tip.to_string(),
        None => world.git_in(&request.root, &["rev-parse", "HEAD"])?.trim().to_owned(),
    };
    let made = commit_on(world, request, &start, &inside, &message)?;
    let moved = match tip {
        Some(tip) => advance_branch(&repo, &branch, tip, &made)?,
        None => create_branch(&repo, &branch, &made)?,
    };
    match moved {
        RefMove::Moved => Ok(()),
        RefMove::Mismatch { .. } => {
            Err(CliError::blocked(format!("the branch `{branch}` moved meanwhile")).hint("plan again"))
        }
    }
}

/// A branch the plan cannot go to: one that has a plan's work already, or that is checked out elsewhere.
fn refuse_branch(request: &Request, repo: &Repo, branch: &str, exists: bool) -> Result<(), CliError> {
    if !exists {
        return Ok(());
    }
    if request.homerun.is_none() {
        return Err(CliError::blocked(format!("the branch `{branch}` exists already"))
            .hint("the plan is its first commit; remove the branch, or plan without `--commit`"));
    }
    match repo.checkouts_of(&format!("refs/heads/{branch}"))?.first() {
        None => Ok(()),
        Some(elsewhere) => Err(CliError::blocked(format!(
            "the branch `{branch}` is checked out in `{}`, which is not the worktree of the input",
            elsewhere.display()
        ))
        .hint("name that worktree as `worktree_path`, or check out another branch there")),
    }
}

/// A commit on `start` with these files of the worktree, made without its index.
fn commit_on(
    world: &World,
    request: &Request,
    start: &str,
    inside: &[String],
    message: &str,
) -> Result<Oid, CliError> {
    let scratch = World::temporary_dir("plan")?;
    let index = scratch.path().join("index");
    let with = [("GIT_INDEX_FILE", index.as_path())];
    world.git_with(&request.root, &["read-tree", start], &with)?;
    let mut add = vec!["add", "-f", "--"];
    add.extend(inside.iter().map(String::as_str));
    world.git_with(&request.root, &add, &with)?;
    let tree = world.git_with(&request.root, &["write-tree"], &with)?;
    let made = world.git_in(&request.root, &["commit-tree", tree.trim(), "-p", start, "-m", message])?;
    Oid::new(made.trim()).map_err(|e| CliError::blocked(e.to_string()))
}

/// The counts and the list of tasks, in homerun's words where it asked.
fn message(request: &Request, plan: &Plan) -> String {
    let (own, parts): (Vec<_>, Vec<_>) = plan.tasks.iter().partition(|t| t.parent.is_none());
    let (what, ready) = match request.homerun {
        Some(_) => ("implementation", "Ready for implementation phase.\n\n"),
        None => (plan.name.as_str(), ""),
    };
    let mut text = format!(
        "plan: create {} tasks for {what}\n\nTasks: {} ({} subtasks)\n\n{ready}Task list:\n",
        own.len(),
        own.len(),
        parts.len()
    );
    for task in &plan.tasks {
        text.push_str(&format!("- {}: {}\n", task.id, task.title));
    }
    text
}

fn run(world: &World, args: &PlanArgs, root: PathBuf) -> Result<Exit, CliError> {
    let plan = PlanSelection { plan: Some(root), from: None };
    let profile = ProfileArgs { profile: args.profile };
    cmd_run(world, &RunArgs { profile, yes: args.yes, ..RunArgs::plain(plan) })
}
