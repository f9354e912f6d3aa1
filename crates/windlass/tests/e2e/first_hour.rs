//! Small things that a new user meets: nothing is overwritten unasked, and every command says what it did.

use windlass_testkit::TestRepo;

use crate::world::{empty, one_task};

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

/// After a landing by a merge, the target has the plan's commits behind the merge.
#[test]
fn what_was_landed_by_a_merge_is_audited_on_its_new_branch() {
    let repo = one_task();
    repo.run(&[]).ends(0);
    repo.write("other.txt", "moved on\n");
    repo.commit("main moves on");
    repo.windlass(&["land"]).ends(0).says("by a verified merge");
    let said = repo.windlass(&["audit", "--branch", "main"]).ends(0).stdout;
    assert!(!said.contains("no commit"), "{said}");
    assert!(said.contains('a'), "{said}");
    repo.windlass(&["report", "-o", "r.pdf"]).ends(2).says("`.md`, `.html`, `.json` or `.xml`");
    assert!(!repo.path("r.pdf").exists());
}
