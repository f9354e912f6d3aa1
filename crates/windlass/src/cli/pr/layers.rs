//! The pull requests of a stack: where one phase ends on the branch and the next begins.
//!
//! The branch is one line of commits. A phase ends with the first commit of its last task; what later revisions add to an
//! earlier phase comes on top. So a layer's branch only ever moves forward.

use std::collections::BTreeMap;

use windlass_core::ids::Oid;
use windlass_core::plan::Plan;
use windlass_engine::git::Repo;
use windlass_engine::integrate::{TRAILER_PLAN, TRAILER_TASK};

use crate::cli::CliError;

/// One pull request of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StackLayer {
    /// Counted from 1.
    pub(super) number: usize,
    /// Its phase.
    pub(super) phase: Option<String>,
    pub(super) branch: String,
    /// Its newest commit.
    pub(super) commit: Oid,
    /// The tasks it brings; all of them without a stack.
    pub(super) tasks: Option<Vec<String>>,
}

impl StackLayer {
    /// The only one.
    pub(super) fn whole(branch: &str, commit: &Oid) -> Self {
        Self { number: 1, phase: None, branch: branch.to_owned(), commit: commit.clone(), tasks: None }
    }

    /// The title of its pull request.
    pub(super) fn title(&self, plan: &str, of: usize) -> String {
        match &self.phase {
            Some(phase) if of > 1 => format!("{plan} {}/{of}: {phase}", self.number),
            _ => plan.to_owned(),
        }
    }
}

/// The layers of a branch, the lowest first.
pub(super) fn layers(
    repo: &Repo,
    name: &str,
    branch: &str,
    tip: &Oid,
    plan: Option<&Plan>,
) -> Result<Vec<StackLayer>, CliError> {
    let mut commits = repo.first_parents(tip, None)?;
    commits.reverse();
    let trailer = |commit: &windlass_engine::git::CommitInfo, key: &str| {
        commit.trailers.iter().find(|(name, _)| name == key).map(|(_, value)| value.trim().to_owned())
    };
    let own = commits.iter().filter(|commit| trailer(commit, TRAILER_PLAN).as_deref() == Some(name));
    let made: Vec<(Oid, String)> =
        own.filter_map(|commit| Some((commit.oid.clone(), trailer(commit, TRAILER_TASK)?))).collect();
    let phases = plan.map(phases).unwrap_or_default();
    let found = cut(branch, tip, &made, &phases);
    if found.len() < 2 {
        return Ok(vec![StackLayer::whole(branch, tip)]);
    }
    Ok(found)
}

/// The phase of every task, by the title of its topmost parent, in the order of the plan.
fn phases(plan: &Plan) -> Vec<(String, String)> {
    let top = |id: &str| {
        let mut at = plan.task(id)?;
        let mut steps = 0;
        while let Some(parent) = at.parent.as_deref().and_then(|parent| plan.task(parent)) {
            at = parent;
            steps += 1;
            if steps > 64 {
                return None;
            }
        }
        (at.id != id).then(|| if at.headline().is_empty() { at.id.clone() } else { at.headline().to_owned() })
    };
    plan.tasks.iter().filter_map(|task| Some((task.id.clone(), top(&task.id)?))).collect()
}

/// Cuts a line of commits, each with its task, after the first commit of the last task of each phase.
fn cut(branch: &str, tip: &Oid, made: &[(Oid, String)], phases: &[(String, String)]) -> Vec<StackLayer> {
    let mut order: Vec<&str> = Vec::new();
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for (task, phase) in phases {
        if !order.contains(&phase.as_str()) {
            order.push(phase);
        }
        if let Some(at) = made.iter().position(|(_, made)| made == task) {
            let end = ends.entry(phase).or_default();
            *end = (*end).max(at);
        }
    }
    let mut layers: Vec<StackLayer> = Vec::new();
    let mut reached: Option<usize> = None;
    for phase in order {
        // A phase that ended before an earlier one did is part of that layer.
        let Some(end) = ends.get(phase).copied().filter(|end| reached.is_none_or(|before| *end > before))
        else {
            continue;
        };
        let begin = reached.map_or(0, |before| before + 1);
        let mut tasks: Vec<String> = made[begin..=end].iter().map(|(_, task)| task.clone()).collect();
        tasks.dedup();
        let number = layers.len() + 1;
        let slug: String =
            phase.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let slug = slug.split('-').filter(|part| !part.is_empty()).take(5).collect::<Vec<_>>().join("-");
        layers.push(StackLayer {
            number,
            phase: Some(phase.to_owned()),
            branch: format!("{branch}--{number}-{slug}"),
            commit: made[end].0.clone(),
            tasks: Some(tasks),
        });
        reached = Some(end);
    }
    // The topmost is the plan's own branch, with everything that came later.
    if let Some(last) = layers.last_mut() {
        branch.clone_into(&mut last.branch);
        last.commit = tip.clone();
        let later = reached.map_or(0, |end| end + 1);
        let tasks = last.tasks.get_or_insert_default();
        tasks.extend(made[later..].iter().map(|(_, task)| task.clone()));
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oid(n: usize) -> Oid {
        Oid::new(&format!("{n:040x}")).unwrap()
    }

    fn cut_of(made: &[&str]) -> Vec<String> {
        let made: Vec<(Oid, String)> =
            made.iter().enumerate().map(|(n, t)| (oid(n), (*t).to_owned())).collect();
        let phases = [("a", "One"), ("b", "One"), ("c", "Two: the rest"), ("d", "Three")];
        let phases: Vec<(String, String)> = phases.map(|(t, p)| (t.to_owned(), p.to_owned())).to_vec();
        let tip = oid(made.len() - 1);
        let told = |l: &StackLayer| {
            format!(
                "{} {} {}",
                l.branch,
                l.tasks.clone().unwrap_or_default().join(","),
                l.commit.as_str().trim_start_matches('0')
            )
        };
        cut("w/p", &tip, &made, &phases).iter().map(told).collect()
    }

    #[test]
    fn phases_are_layers_and_branches_only_move_forward() {
        assert_eq!(cut_of(&["a", "b", "c", "d"]), ["w/p--1-one a,b 1", "w/p--2-two-the-rest c 2", "w/p d 3"]);
        // A later revision of the first phase comes on top.
        assert_eq!(
            cut_of(&["a", "b", "c", "d", "a"]),
            ["w/p--1-one a,b 1", "w/p--2-two-the-rest c 2", "w/p d,a 4"]
        );
        // Where phases are interleaved, the earlier layer takes what lies before its end.
        assert_eq!(cut_of(&["a", "c", "b", "d"]), ["w/p--1-one a,c,b 2", "w/p d 3"]);
        assert_eq!(cut_of(&["a"]), ["w/p a "]);
    }
}
