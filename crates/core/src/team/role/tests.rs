//! Roles and claims: their names, and which roles work on a task.

use super::*;

#[test]
fn every_role_has_one_name_and_three_of_them_work_on_tasks() {
    let table = [
        (Role::Planner, "planner", false),
        (Role::PlanReviewer, "plan-reviewer", false),
        (Role::Integrator, "integrator", false),
        (Role::TestWriter, "test-writer", true),
        (Role::Implementer, "implementer", true),
        (Role::BugHunter, "bug-hunter", true),
        (Role::Reviewer, "reviewer", false),
    ];
    for (role, name, works) in table {
        assert_eq!((role.as_str(), role.does_work()), (name, works));
        assert_eq!(serde_json::to_value(role).unwrap(), name);
        assert_eq!(serde_json::from_value::<Role>(name.into()).unwrap(), role);
    }
    assert!(serde_json::from_value::<Role>("bug_hunter".into()).is_err());
}

#[test]
fn every_claim_has_one_name_and_done_is_the_ordinary_one() {
    let table = [
        (Claim::Done, "done"),
        (Claim::Blocked, "blocked"),
        (Claim::Failed, "failed"),
        (Claim::Limited, "limited"),
        (Claim::Stopped, "stopped"),
    ];
    for (claim, name) in table {
        assert_eq!(claim.as_str(), name);
        assert_eq!(serde_json::to_value(claim).unwrap(), name);
        assert_eq!(claim.is_done(), claim == Claim::default());
    }
}
