//! Recomputes the commands, assertions, steps and sessions of a derived plan after its tasks were edited.

use super::{DeriveOptions, assertion, ccw, task, verification};
use crate::lint::Profile;
use crate::repository::Repository;
use windlass_core::plan::{Plan, Task};

/// Refreshes an edited plan. A task with another test file than in the draft gets the command that runs that file, if
/// one is known.
pub fn refresh(plan: &mut Plan, draft: &Plan, repository: &Repository<'_>, options: &DeriveOptions) {
    let same_test =
        |task: &Task| draft.task(&task.id).is_some_and(|own| own.test_files() == task.test_files());
    for task in plan.tasks.iter_mut().filter(|t| !same_test(t)) {
        let files: Vec<String> = task.test_files().into_iter().map(str::to_owned).collect();
        if let Some(found) = verification::verification(&files, repository) {
            task.verification = Some(found);
        }
    }
    assertion::assertions(plan, repository);
    task::steps(plan, repository, options, &mut Vec::new());
    if options.profile == Profile::Ccw {
        ccw::quantify(plan, repository, options);
    }
}
