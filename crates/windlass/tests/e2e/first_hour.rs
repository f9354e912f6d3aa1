//! Small things that a new user meets: nothing is overwritten unasked, and every command says what it did.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{HONEST, empty, with_plan};

#[test]
fn the_demo_needs_an_empty_folder() {
    let here = TestRepo::without_git(env!("CARGO_BIN_EXE_windlass"));
    here.write("README.md", "mine\n");
    here.windlass(&["demo", "--dir", "."]).ends(2).says("is not empty");
    assert_eq!(here.read("README.md"), "mine\n");
    assert!(!here.path(".git").exists());
}

#[test]
fn a_plan_that_is_made_again_takes_nothing_over_from_the_old_one() {
    let repo = empty()
        .file("spec.md", "# Shop\n\n## Acceptance criteria\n\n- AC-1: `add(1, 2)` returns 3\n")
        .file("src/add.py", "def other():\n    return 1\n")
        .committed();
    repo.windlass(&["plan", "spec.md"]).ends(0);
    repo.write("plans/shop/tasks/OLD-9.md", "---\nid: OLD-9\ntitle: Old\n---\n");
    repo.windlass(&["plan", "spec.md", "--force"]).ends(0);
    assert!(!repo.path("plans/shop/tasks/OLD-9.md").exists());
    assert!(repo.path("plans/shop/tasks/OLD-9.md.old").exists());
}

/// A first part lands by fast-forward, the rest by a merge: the target has some commits of the plan behind the merge.
#[test]
fn what_was_landed_in_parts_is_audited_on_its_new_branch() {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])]).agent(HONEST);
    repo.run(&["--until", "a"]).ends(0);
    // A folder that is called as the plan is is not the plan.
    repo.write("demo/notes.txt", "mine\n");
    let landed = repo.windlass(&["land", "--plan", "demo"]).ends(0).says("by fast-forward");
    landed.says("partial: 1 of 2 tasks completed");
    repo.run(&[]).ends(0);
    repo.write("other.txt", "moved on\n");
    repo.commit("main moves on");
    std::fs::create_dir(repo.path("sub")).unwrap();
    let below = |args: &[&str]| repo.windlass(&[&["-C", "sub"], args].concat());
    below(&["land", "--plan", "../plans/demo"]).ends(0).says("by a verified merge");
    let audited = below(&["audit", "../plans/demo", "--branch", "main"]).ends(0);
    assert!(audited.stdout.contains("2 records on main: all hold"), "{audited}");
    repo.git(&["branch", "before", "main~3"]);
    repo.windlass(&["audit", "--branch", "before"]).ends(1).says("nothing was checked");
    repo.windlass(&["report", "-o", "r.pdf"]).ends(2).says("`.md`, `.html`, `.json` or `.xml`");
    assert!(!repo.path("r.pdf").exists());
}
