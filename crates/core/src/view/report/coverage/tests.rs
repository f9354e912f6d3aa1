//! Tests of `coverage`.

use super::*;
use crate::criteria::CriterionProof;
use crate::event::{Event, SealedTask, TaskEvent};
use crate::ids::AttemptNo;
use crate::plan::{Task, Traces};
use crate::policy::Rung;
use crate::view::tests::testing::{fold, id, oid, plan_sealed, sealed, started};

fn criterion(id: &str, text: &str) -> Criterion {
    Criterion { id: id.into(), text: text.into(), ..Criterion::default() }
}

fn proof(id: &str, standing: Standing, tests: &[&str]) -> CriterionProof {
    let tests = tests.iter().map(|t| (*t).to_owned()).collect();
    CriterionProof { standing, tests, by: Some(LinkSource::Answer), ..CriterionProof::open(id.into()) }
}

fn merged(task: &str, criteria: Vec<CriterionProof>) -> Event {
    let (commit, tree, evidence) = (oid('d'), oid('e'), oid('f'));
    TaskEvent::Merged { attempt: AttemptNo(1), commit, tree, evidence, criteria, weak: Vec::new() }
        .of(id(task))
}

fn task(id: &str, own: &[&str], traced: &[&str]) -> Task {
    let traces = Traces { criteria: traced.iter().map(|c| (*c).to_owned()).collect(), ..Traces::default() };
    let criteria = own.iter().map(|c| criterion(c, &format!("says {c}"))).collect();
    Task { id: id.into(), title: id.into(), criteria, traces_to: traces, ..Task::default() }
}

#[test]
fn criteria_are_listed_and_only_their_own_tests_prove_them() {
    let plan = Plan {
        criteria: vec![criterion("AC-5", "nothing serves this")],
        tasks: vec![
            task("A", &["AC-1", "AC-2", "AC-3"], &[]),
            task("B", &[], &["AC-3", "AC-4"]),
            task("no-criteria", &[], &[]),
        ],
        ..Plan::default()
    };
    let known = vec![proof("AC-1", Standing::Proved, &["test_one"]), proof("AC-3", Standing::Proved, &["t"])];
    let serves = |name: &str, ids: &[&str]| SealedTask {
        criteria: ids.iter().map(|c| (*c).to_owned()).collect(),
        ..sealed(name, &[], &[])
    };
    let tasks =
        [serves("A", &["AC-1", "AC-2", "AC-3"]), serves("B", &["AC-3", "AC-4"]), serves("no-criteria", &[])];
    let view = fold(&[plan_sealed(&tasks), started("A", 1, Rung::First), merged("A", known)]);
    let rows = coverage(&plan, &view);
    let shown: Vec<String> = rows
        .iter()
        .map(|r| {
            format!(
                "{} {} by [{}] in {}",
                r.criterion,
                r.standing.as_str(),
                r.tests.join(" "),
                r.tasks.join("+")
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "AC-1 proved by [test_one] in A",
            "AC-2 merged by [] in A",
            "AC-3 open by [t] in A+B",
            "AC-4 open by [] in B",
            "AC-5 open by [] in "
        ],
        "B still works on AC-3; a task without criteria has no row"
    );
}
