//! `windlass show TASK --brief`: the brief that an agent would get, with its number of tokens. Needs no run.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use windlass_code::detect::is_test_path;
use windlass_core::plan::{Task, infer_mode};
use windlass_engine::briefing::{Bounds, BriefReader, BriefSource, brief_of};
use windlass_engine::survey::SurveyStore;
use windlass_planner::brief::{Brief, Purpose, TokenBudget, fit};
use windlass_planner::runnable::may_change;
use windlass_planner::tokens;

use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
use super::state::{PlanState, task_in};
use super::{CliError, Exit, unknown_task};
use crate::cli::show::ShowArgs;
use crate::input::locate;
use crate::world::World;

/// The roles that have a brief, as `--brief=ROLE` and the page name them.
const ROLES: [(&str, &str, Purpose); 4] = [
    ("test-writer", "Writes the failing test", Purpose::WriteTest),
    ("implementer", "Writes the code", Purpose::Implement),
    ("bug-hunter", "Repairs what the verifier refused", Purpose::Fix),
    ("refactor", "Improves the code while its tests stay green", Purpose::Refactor),
];

/// The purpose of a role's brief.
pub(crate) fn purpose_of(role: &str) -> Option<Purpose> {
    ROLES.iter().find(|(name, ..)| *name == role).map(|(.., purpose)| *purpose)
}

/// Reads a role; help and completions list all of them.
pub(super) fn role_parser() -> impl TypedValueParser<Value = Purpose> {
    PossibleValuesParser::new(ROLES.map(|(name, help, _)| PossibleValue::new(name).help(help)))
        .try_map(|role| purpose_of(&role).ok_or("not a role"))
}

/// A brief, as `windlass.brief/1`. Its keys are public.
#[derive(Debug, Serialize)]
pub(crate) struct BriefDoc {
    schema: &'static str,
    task: String,
    tokens: usize,
    limit: usize,
    left_out: Vec<String>,
    text: String,
}

/// Prints the brief of a task.
pub(super) fn show_brief(world: &World, args: &ShowArgs, purpose: Purpose) -> Result<Exit, CliError> {
    let selection = PlanSelection { plan: plan_path(world, args), from: None };
    let failures = if purpose == Purpose::Fix { failures(world, args) } else { Vec::new() };
    let named = args.task.as_deref().unwrap_or_default();
    let doc = brief_doc(world, &selection, named, purpose, failures)?;
    if args.json {
        world.print(&(serde_json::to_string_pretty(&doc)? + "\n"))?;
    } else {
        world.print(&doc.text)?;
        world.tell(&format!("{} tokens of {}\n", doc.tokens, doc.limit));
    }
    Ok(Exit::Fine)
}

/// The brief that an agent would get, with its number of tokens.
pub(crate) fn brief_doc(
    world: &World,
    selection: &PlanSelection,
    named: &str,
    purpose: Purpose,
    failures: Vec<String>,
) -> Result<BriefDoc, CliError> {
    let checked = CheckedPlan::load(world, selection, &ProfileArgs::default())?;
    let plan = checked.runnable.as_ref().map_or(&checked.read.loaded.plan, |r| &r.plan);
    let task =
        plan.task(named).ok_or_else(|| unknown_task(named, plan.tasks.iter().map(|t| t.id.as_str())))?;
    let parts: Vec<&str> =
        plan.tasks.iter().filter(|t| t.parent.as_deref() == Some(&task.id)).map(|t| t.id.as_str()).collect();
    if let Some(first) = parts.first() {
        let told = format!("`{}` has no brief: it is a parent of {}", task.id, parts.join(", "));
        return Err(CliError::usage(told).hint(format!("`windlass show {first} --brief`")));
    }
    let located = locate(&world.cwd);
    let root = located.as_ref().and_then(|l| l.top.clone()).unwrap_or_else(|| world.cwd.clone());
    let cache = located.and_then(|l| world.paths(&l.common_dir).ok());
    let store = cache.map_or_else(SurveyStore::forgetful, |paths| SurveyStore::at(paths.cache()));
    let tree = store.disk(&root);
    let bounds = bounds(&checked, task, purpose);
    let source = BriefSource { plan, tree: &tree, survey: Some(&store.of_disk(&tree)) };
    let brief = Brief { failures, ..brief_of(source, task, purpose, BriefReader::default(), bounds) };
    let config = &checked.configuration.config;
    let limit = config.brief.room().limit(config.routing.routing().tier(task));
    let fitted = fit(&brief, &TokenBudget { limit, count: &tokens::estimate }).map_err(|error| {
        let told = CliError::usage(error.to_string());
        match error.hint() {
            Some(hint) => told.hint(hint),
            None => told,
        }
    })?;
    Ok(BriefDoc {
        schema: "windlass.brief/1",
        task: task.id.clone(),
        tokens: tokens::estimate(&fitted.text),
        limit,
        left_out: fitted.left_out,
        text: fitted.text,
    })
}

/// The files and the mode of the task: those it runs with, or, in a plan with errors, those that are written.
fn bounds(checked: &CheckedPlan, task: &Task, purpose: Purpose) -> Bounds {
    let runnable = checked.runnable.as_ref().and_then(|r| Some((r, r.graph.find(&task.id)?)));
    if let Some((r, ix)) = runnable {
        return Bounds::planned(task, r.graph.node(ix).mode, may_change(r.graph.node(ix)), purpose);
    }
    let owned = task.owned().map(str::to_owned).collect();
    Bounds::planned(task, infer_mode(task, &is_test_path), owned, purpose)
}

/// A plan is named by its path, or by its name below `plans/`.
fn plan_path(world: &World, args: &ShowArgs) -> Option<PathBuf> {
    let text = args.state.plan.as_deref()?;
    let named = Path::new("plans").join(text);
    let is_name = !world.cwd.join(text).exists() && world.cwd.join(&named).exists();
    Some(if is_name { named } else { PathBuf::from(text) })
}

/// The failures of earlier attempts, if there was a run.
fn failures(world: &World, args: &ShowArgs) -> Vec<String> {
    let told = || -> Option<Vec<String>> {
        let chronicle = PlanState::find(world, &args.state).ok()?.chronicle().ok()??;
        let view = chronicle.view().ok()?;
        let history = chronicle.history(&task_in(&view, args.task.as_deref()?).ok()?.id).ok()?;
        Some(history.failures())
    };
    told().unwrap_or_default()
}
