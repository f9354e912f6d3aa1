//! Spec Kit lists: order from places, files from sentences, marks both ways.

use super::read::read;
use super::write::write;
use crate::tests::fixtures::{SPECKIT, SPECKIT_SPEC, input, plain, summary, text_of};
use windlass_core::plan::Task;
use windlass_core::state::TaskState;

#[test]
fn a_list_is_read() {
    let loaded = read(&input(&[("tasks.md", SPECKIT), ("spec.md", SPECKIT_SPEC)]));
    insta::assert_snapshot!(summary(&loaded), @r#"
    library ["Phase 1: Setup", "Phase 2: User Story 1 - Lend (Priority: P1)"]
    T001 `Create pyproject.toml` | creates pyproject.toml | is X
    T002 `Create the package in library/__init__.py` | creates library/__init__.py | keeps speckit
    T003 `Create the loan model in library/loan.py` | after T001 T002 | creates library/loan.py
    T004 `Add a view to library/views.py` | after T001 T002 | modifies library/views.py | keeps speckit
    T005 `Rename `library/old.py` to `library/new.py` (depends on T004)` | after T003 T004 | creates library/new.py | deletes library/old.py
    Note WL0007 library/tasks.md:5:1: files and the order of tasks are inferred from the sentences and their positions
    "#);
    assert_eq!(loaded.plan.extra["speckit"]["stories"]["US1"], "Lend a book (Priority: P1)");
}

#[test]
fn boxes_are_set_in_the_lines_they_stand_in() {
    let plan = read(&input(&[("tasks.md", SPECKIT)])).plan;
    let states = |id: &str| Some(if id == "T004" { TaskState::Completed } else { TaskState::Testing });
    let expected = SPECKIT.replace("[X] T001", "[ ] T001").replace("[ ] T004", "[x] T004");
    assert_eq!(text_of(&write(&plan, &states), "tasks.md"), expected);
    let crlf = SPECKIT.replace('\n', "\r\n");
    let plan = read(&input(&[("tasks.md", &crlf)])).plan;
    assert_eq!(text_of(&write(&plan, &|_| None), "tasks.md").replace("\r\n", "\n"), SPECKIT);
}

#[test]
fn an_edited_plan_changes_only_its_lines() {
    let mut plan = read(&input(&[("tasks.md", SPECKIT)])).plan;
    plan.tasks.remove(1);
    plan.tasks[1].title = "Create the loan model in library/model.py".to_owned();
    let phase = plan.tasks[1].phase.clone();
    plan.tasks.push(Task {
        id: "T006".into(),
        title: "Add a report to library/report.py".into(),
        phase,
        ..Task::default()
    });
    insta::assert_snapshot!(text_of(&write(&plan, &|_| None), "tasks.md"), @r#"
    # Tasks: Lending library

    ## Phase 1: Setup

    - [X] T001 Create pyproject.toml

    ```text
    - [ ] T099 an example, not a task
    ```

    ## Phase 2: User Story 1 - Lend (Priority: P1)

    - [ ] T003 [US1] Create the loan model in library/model.py
      <!-- windlass {"depends_on":["T001","T002"],"files":{"create":["library/loan.py"]},"over":{"files/create":"dcf63448"}} -->
      - due dates are days
    - [ ] T004 [P] [US1] Add a view to library/views.py
      <!-- windlass {"depends_on":["T001","T002"]} -->
    - [ ] T005 [US1] Rename `library/old.py` to `library/new.py` (depends on T004)
    - [ ] T006 Add a report to library/report.py
      <!-- windlass {"depends_on":[],"files":{"modify":[]},"over":{"files/modify":"c038d0d3"}} -->

    ## Notes

    Done.
    "#);
}

#[test]
fn a_plan_from_elsewhere_becomes_a_list() {
    insta::assert_snapshot!(text_of(&write(&plain(), &|_| None), "tasks.md"), @r#"
    # Tasks: Lending library

    ## Tasks

    - [ ] T001 [P] [US1] Create the loan model in library/loan.py
      <!-- windlass {"phase":null,"id":"model","title":"Create the loan model","criteria":[{"id":"AC-1","text":"a loan has a due date"}],"test":{"file":"tests/test_loan.py"},"verification":{"script":"pytest -q","timeout_seconds":30},"over":{"title":"ec562e7b"}} -->
    - [ ] T002 Lend books
      <!-- windlass {"phase":null,"id":"lend","depends_on":["model"]} -->
    - [ ] T003 [P] Reserve a book
      <!-- windlass {"phase":null,"id":"reserve","parent":"lend"} -->
    - [ ] T004 Hand the book over
      <!-- windlass {"phase":null,"id":"hand-over","depends_on":["reserve"],"parent":"lend"} -->
    - [ ] T005 Report loans
      <!-- windlass {"phase":null,"id":"report","depends_on":["lend","model"]} -->
    <!-- windlass-plan {"phases":[],"name":"library"} -->
    "#);
}
