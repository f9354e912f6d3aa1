//! The first brief of each task, without running anything.

use windlass_code::survey::Survey;
use windlass_core::criteria::criteria_of;
use windlass_core::graph::TaskIx;
use windlass_core::ids::TaskId;
use windlass_core::plan::Mode;
use windlass_core::policy::{Cast, Rung};
use windlass_planner::brief::{BriefError, Purpose, TokenBudget, fit, render};
use windlass_planner::runnable::may_change;

use crate::attempt::plan_brings_tests;
use crate::briefing::{Bounds, BriefSource, brief_of};
use crate::config::{AgentSpec, GateSwitch};
use crate::error::EngineError;
use crate::git::Head;
use crate::git_tree::GitTree;
use crate::run::RunRequest;
use crate::survey::SurveyStore;

/// The first turn of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The task.
    pub task: TaskId,
    /// The agents of the task.
    pub cast: Cast,
    /// The agent of the first turn; `None` if the task needs no agent.
    pub first: Option<String>,
    /// What the first turn is told.
    pub brief: String,
    /// The most turns it can take: the first, every rung, a turn for tests, and another one each if criteria have no test
    /// and if wrong versions of the code pass.
    pub turns: u32,
    /// How many it takes if the first attempt succeeds.
    pub likely_turns: u32,
    /// The most times it can be reviewed.
    pub reviews: u32,
}

/// The first turns of the wanted tasks, in order.
pub fn preview(request: &RunRequest) -> Result<Vec<Preview>, EngineError> {
    let name = format!("refs/heads/{}", request.branch);
    let start = match (request.repo.resolve(&name)?, request.repo.head()?) {
        (Some(tip), _) => tip,
        (None, Head::Branch { oid, .. } | Head::Detached { oid }) => oid,
        (None, Head::Unborn { .. }) => return Err(EngineError::NoCommits),
    };
    let tree = GitTree::open(&request.repo, &request.repo.tree_of(&start)?)?;
    let wanted = |id: &TaskId| request.only.is_empty() || request.only.contains(id);
    let order = request.runnable.graph.order().iter().copied();
    let order = order.filter(|ix| wanted(&request.runnable.graph.node(*ix).id));
    let survey = SurveyStore::at(request.paths.cache()).of_git(&request.repo, &tree);
    order.map(|ix| first_turn(request, ix, &tree, &survey)).collect()
}

fn first_turn(
    request: &RunRequest,
    ix: TaskIx,
    tree: &GitTree,
    survey: &Survey,
) -> Result<Preview, EngineError> {
    let (node, task) = (request.runnable.graph.node(ix), request.runnable.task(ix));
    let (settings, routing) = (&request.config.settings, &request.config.routing);
    let asked = routing.wanted(task).filter(|a| request.config.agents.contains_key(*a));
    let cast = settings.cast(routing.tier(task), asked, Rung::First);
    let writes_tests = matches!(node.mode, Mode::Tdd | Mode::TestsOnly)
        && !plan_brings_tests(task)
        && !task.test_files().is_empty();
    let purpose = match (node.mode, writes_tests) {
        (Mode::Refactor, _) => Purpose::Refactor,
        (_, true) => Purpose::WriteTest,
        (_, false) => Purpose::Implement,
    };
    let text = first_brief(request, ix, (tree, survey), (&cast, purpose))?;
    let ladder = &settings.ladder;
    let attempts = ladder.worst_case_turns();
    let speaks = node.mode != Mode::Gate;
    let second = writes_tests && node.mode == Mode::Tdd;
    // With one criterion every test stands for it.
    let again = second && criteria_of(&request.runnable.plan, task).len() > 1;
    // Versions of the code that an agent's tests do not notice go back to it once; tests that notice none are written anew.
    let mutants = second && request.config.verify.mutants != GateSwitch::Off;
    let rounds = if mutants { 2 } else { 1 };
    let for_tests = rounds * (u32::from(second) + u32::from(again) + u32::from(mutants));
    let refactors = task.steps.iter().any(|s| s.action == windlass_core::plan::Action::Refactor);
    let polish = if refactors && node.mode == Mode::Tdd { attempts } else { 0 };
    let reviewed = speaks && settings.player(windlass_core::event::Role::Reviewer).is_some();
    let writer = cast.test_writer.clone().filter(|_| writes_tests);
    Ok(Preview {
        task: node.id.clone(),
        first: speaks.then(|| writer.unwrap_or_else(|| cast.agent.clone())),
        cast,
        brief: text,
        turns: if speaks { attempts + for_tests + polish } else { 0 },
        likely_turns: if speaks { 1 + u32::from(second) + polish.min(1) } else { 0 },
        reviews: if reviewed { attempts * (1 + settings.unread_reviews) } else { 0 },
    })
}

/// What the first turn is told.
fn first_brief(
    request: &RunRequest,
    ix: TaskIx,
    (tree, survey): (&GitTree, &Survey),
    (cast, purpose): (&Cast, Purpose),
) -> Result<String, EngineError> {
    let (mode, task) = (request.runnable.graph.node(ix).mode, request.runnable.task(ix));
    let reader = request.config.agents.get(&cast.agent).map(AgentSpec::reader).unwrap_or_default();
    let bounds = Bounds::planned(task, mode, may_change(request.runnable.graph.node(ix)), purpose);
    let source = BriefSource { plan: &request.runnable.plan, tree, survey: Some(survey) };
    let brief = brief_of(source, task, purpose, reader, bounds);
    let limit = request.config.room.limit(cast.tier);
    let broken = |e: BriefError| EngineError::WorkerDied(e.to_string());
    match fit(&brief, &TokenBudget { limit, count: &request.config.count.0 }) {
        Ok(fitted) => Ok(fitted.text),
        // What does not fit is shown in full: the run is going to say what to split.
        Err(BriefError::TooLarge { .. }) => render(&brief).map_err(broken),
        Err(e @ BriefError::Template(_)) => Err(broken(e)),
    }
}
