//! The stated order of whole and broken plans.

use super::*;
use crate::plan::Task;

#[test]
fn order_goes_through_parents_and_survives_cycles() {
    let task = |id: &str, deps: &[&str], parent: Option<&str>| Task {
        id: id.into(),
        depends_on: deps.iter().map(|d| (*d).into()).collect(),
        parent: parent.map(Into::into),
        ..Task::default()
    };
    let tasks = vec![
        task("a", &[], None),
        task("p", &["a"], None),
        task("c", &[], Some("p")),
        task("d", &["p", "nobody", "d"], None),
        task("x", &["y"], None),
        task("y", &["x"], None),
    ];
    let plan = Plan { tasks, ..Plan::default() };
    let by_id = plan.tasks.iter().map(|t| t.id.as_str()).zip(0..).collect();
    let stated = Stated::of(&plan, &by_id);
    let asked = [(0, 2), (2, 3), (0, 3), (2, 1), (2, 0), (3, 0), (0, 0), (0, 4)];
    assert_eq!(stated.before(&asked), [true, true, true, true, false, false, false, false]);
}
