//! The code around a task, from a survey of the tree its turn starts from.

use windlass_code::detect::is_test_path;
use windlass_code::repo::Tree as _;
use windlass_core::brief::{Context as Around, Purpose, Surroundings};
use windlass_core::plan::Task;

use crate::config::AgentSpec;
use crate::context::Context;
use crate::error::EngineError;
use crate::survey::SurveyStore;
use crate::tree_view::GitTree;

/// What the brief says about the code around a task; nothing for agents that read no brief.
pub(super) fn around(
    ctx: &Context,
    agent: &str,
    task: &Task,
    purpose: Purpose,
    view: &GitTree,
) -> Result<Around, EngineError> {
    if matches!(ctx.config.agents.get(agent), Some(AgentSpec::Mechanical | AgentSpec::Replay { .. })) {
        return Ok(Around::default());
    }
    let survey = SurveyStore::at(&ctx.cache).of_git(&ctx.repo, view)?;
    let read = |path: &str| view.read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let surroundings = Surroundings { plan: &ctx.plan, survey: &survey, is_test: &is_test_path, read: &read };
    Ok(Around::of(task, purpose, &surroundings))
}
