//! What changed in the text of a task since it was merged, and which of its tests may change with it.

use windlass_code::syntax::same_test;
use windlass_core::criteria::criteria_of;
use windlass_core::ids::{Oid, TaskId};
use windlass_core::plan::Plan;
use windlass_planner::brief::{ChangedSentence, ChangedTask};

use crate::context::Context;
use crate::integrate::{Evidence, TRAILER_EVIDENCE};

/// The criteria of a task that say something else than when it was merged as this commit, with the tests that stood for
/// them. `None` where no criterion changed, or where the record does not tell.
pub(crate) fn changed_since(ctx: &Context, task: &TaskId, commit: &Oid) -> Option<ChangedTask> {
    let merged = ctx.repo.commit(commit).ok()?;
    let named = merged.trailers.iter().find(|(name, _)| name.eq_ignore_ascii_case(TRAILER_EVIDENCE));
    let blob = named.and_then(|(_, value)| Oid::new(value.trim()).ok())?;
    let evidence: Evidence = serde_json::from_slice(&ctx.repo.read_blob(&blob).ok()?).ok()?;
    let plan: Plan = serde_json::from_slice(&ctx.repo.read_blob(evidence.plan_text.as_ref()?).ok()?).ok()?;
    let before = criteria_of(&plan, plan.task(task.as_str())?);
    let now = criteria_of(&ctx.plan, ctx.task(task));
    let mut sentences = Vec::new();
    for criterion in &now {
        let old = before.iter().find(|c| c.id == criterion.id).map(|c| c.text.as_str()).unwrap_or_default();
        if old != criterion.text {
            sentences.push(sentence(&criterion.id, old, &criterion.text));
        }
    }
    for old in before.iter().filter(|old| now.iter().all(|c| c.id != old.id)) {
        sentences.push(sentence(&old.id, &old.text, ""));
    }
    if sentences.is_empty() {
        return None;
    }
    let is_changed = |id: &str| sentences.iter().any(|s| s.criterion == id);
    let tests = |changed: bool| -> Vec<&String> {
        let proofs = evidence.criteria.iter().filter(|proof| is_changed(&proof.criterion) == changed);
        proofs.flat_map(|proof| &proof.tests).collect()
    };
    let kept = tests(false);
    let free = |test: &&String| !kept.iter().any(|own| *own == *test || same_test(own, test));
    let mut superseded: Vec<String> = tests(true).into_iter().filter(free).cloned().collect();
    superseded.sort();
    superseded.dedup();
    Some(ChangedTask { sentences, superseded })
}

fn sentence(criterion: &str, was: &str, now: &str) -> ChangedSentence {
    ChangedSentence { criterion: criterion.to_owned(), was: was.to_owned(), now: now.to_owned() }
}
