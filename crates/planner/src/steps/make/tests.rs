//! The steps of a task by mode and detail.

use super::*;
use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;
use windlass_core::plan::{CodeBlock, Criterion};

/// A repository of Python with pytest and ruff.
fn python() -> MemoryTree {
    MemoryTree::new([("pyproject.toml", "[tool.pytest.ini_options]\n[tool.ruff]\n")])
}

fn shown(steps: &[Step]) -> String {
    let one = |step: &Step| {
        let part = |name: &str, text: &Option<String>| {
            text.as_ref().map(|t| format!(" {name}=`{t}`")).unwrap_or_default()
        };
        let (file, run) = (part("file", &step.file), part("run", &step.run));
        let (title, sketch) = (part("title", &step.title), part("sketch", &step.sketch));
        format!("{}{file}{run}{title}{sketch}\n", step.action.as_str())
    };
    steps.iter().map(one).collect()
}

fn task() -> Task {
    let mut task = Task { id: "T-1".into(), title: "Add a cart".into(), ..Task::default() };
    task.files.create.push("src/cart.py".into());
    task.test.file = Some("tests/test_cart.py".into());
    task.criteria.push(Criterion { id: "AC-1".into(), text: "adds".into(), ..Criterion::default() });
    task.contract.push(CodeBlock { code: "def add(a): ".into(), ..CodeBlock::default() });
    task
}

#[test]
fn the_file_that_is_written_is_the_file_that_is_verified() {
    let tree = python();
    let repository = Repository::new(&tree, survey(&tree));
    insta::assert_snapshot!(shown(&steps_for(&task(), Mode::Tdd, StepDetail::High, &repository)), @"
    write_test file=`tests/test_cart.py` title=`the failing test for AC-1`
    verify_fail file=`tests/test_cart.py` run=`python3 -m pytest tests/test_cart.py` title=`it must fail, because the code is missing`
    implement file=`src/cart.py` sketch=`def add(a):  ...
    `
    verify_pass file=`tests/test_cart.py` run=`python3 -m pytest tests/test_cart.py` title=`it must pass`
    format run=`ruff check --fix --exit-zero -- src/cart.py tests/test_cart.py && ruff format -- src/cart.py tests/test_cart.py`
    commit run=`git add -A -- src/cart.py tests/test_cart.py && git commit -m 'T-1: Add a cart'` title=`T-1: Add a cart`
    ");
    assert!(steps_for(&task(), Mode::Tdd, StepDetail::Low, &repository).is_empty());
}

#[test]
fn other_modes_have_other_steps() {
    let tree = python();
    let repository = Repository::new(&tree, survey(&tree));
    insta::assert_snapshot!(shown(&steps_for(&task(), Mode::Refactor, StepDetail::Medium, &repository)), @"
    verify_pass file=`tests/test_cart.py` run=`python3 -m pytest tests/test_cart.py` title=`it must pass`
    refactor file=`src/cart.py`
    verify_pass file=`tests/test_cart.py` run=`python3 -m pytest tests/test_cart.py` title=`it must pass`
    format run=`ruff check --fix --exit-zero -- src/cart.py tests/test_cart.py && ruff format -- src/cart.py tests/test_cart.py`
    commit run=`git add -A -- src/cart.py tests/test_cart.py && git commit -m 'T-1: Add a cart'` title=`T-1: Add a cart`
    ");
    let mut tests_only = task();
    tests_only.files.create = vec!["tests/test_a.py".into(), "tests/test_b.py".into()];
    tests_only.test.file = None;
    insta::assert_snapshot!(shown(&steps_for(&tests_only, Mode::TestsOnly, StepDetail::Medium, &repository)), @"
    write_test file=`tests/test_a.py` title=`tests for code that exists for AC-1`
    write_test file=`tests/test_b.py` title=`tests for code that exists for AC-1`
    verify_pass run=`(python3 -m pytest tests/test_a.py) && (python3 -m pytest tests/test_b.py)` title=`it must pass`
    format run=`ruff check --fix --exit-zero -- tests/test_a.py tests/test_b.py && ruff format -- tests/test_a.py tests/test_b.py`
    commit run=`git add -A -- tests/test_a.py tests/test_b.py && git commit -m 'T-1: Add a cart'` title=`T-1: Add a cart`
    ");
}

/// The actions of every mode, in order; a step per file.
#[test]
fn actions_by_mode() {
    let tree = python();
    let repository = Repository::new(&tree, survey(&tree));
    let mut two = task();
    two.files.modify.push("src/line.py".into());
    let table = [
        (Mode::Tdd, "write_test verify_fail implement implement verify_pass format commit"),
        (Mode::TestsOnly, "write_test verify_pass format commit"),
        (Mode::Refactor, "verify_pass refactor refactor verify_pass format commit"),
        (Mode::Gate, "verify_pass commit"),
        (Mode::None, "implement implement verify_pass format commit"),
    ];
    for (mode, expected) in table {
        for detail in [StepDetail::Medium, StepDetail::High] {
            let steps = steps_for(&two, mode, detail, &repository);
            let actions: Vec<&str> = steps.iter().map(|step| step.action.as_str()).collect();
            assert_eq!(actions.join(" "), expected, "{mode:?} {detail:?}");
        }
        assert_eq!(steps_for(&two, mode, StepDetail::Low, &repository), Vec::new(), "{mode:?}");
    }
}

/// Only high detail has snippets, and only where one file is meant.
#[test]
fn snippets_by_detail() {
    let tree = python();
    let repository = Repository::new(&tree, survey(&tree));
    let sketches = |task: &Task, mode, detail| {
        let steps = steps_for(task, mode, detail, &repository);
        steps.iter().filter(|step| step.sketch.is_some() || step.code.is_some()).count()
    };
    assert_eq!(sketches(&task(), Mode::Tdd, StepDetail::High), 1);
    assert_eq!(sketches(&task(), Mode::Tdd, StepDetail::Medium), 0);
    assert_eq!(sketches(&task(), Mode::Refactor, StepDetail::High), 0);
    let mut two = task();
    two.files.create.push("src/line.py".into());
    assert_eq!(sketches(&two, Mode::Tdd, StepDetail::High), 0);
    // A package file only ties modules together.
    two.files.create[1] = "src/__init__.py".into();
    assert_eq!(sketches(&two, Mode::Tdd, StepDetail::High), 1);
}

#[test]
fn the_command_is_that_of_the_task_first() {
    let tree = python();
    let repository = Repository::new(&tree, survey(&tree));
    let verification = |script: &str| {
        Some(windlass_core::plan::Verification { script: script.into(), timeout_seconds: None })
    };
    let detected = "python3 -m pytest tests/test_cart.py";
    let table = [
        (verification(" make test\n"), Some("make unit"), Some("make test")),
        (verification(" \n"), Some("make unit"), Some("make unit")),
        (verification(" \n"), None, Some(detected)),
        (None, None, Some(detected)),
    ];
    for (verification, command, expected) in table {
        let mut task = Task { verification, ..task() };
        task.test.command = command.map(str::to_owned);
        let steps = steps_for(&task, Mode::Gate, StepDetail::Medium, &repository);
        assert_eq!(steps[0].run.as_deref(), expected);
    }
}

/// A repository that shows no runner and no formatter leaves both open.
#[test]
fn nothing_is_made_up_for_an_empty_repository() {
    let mut task = task();
    task.files.create = vec!["src/cart.xyz".into()];
    task.test.file = Some("tests/cart_test.xyz".into());
    let steps = steps_for(&task, Mode::Tdd, StepDetail::High, &Repository::empty());
    insta::assert_snapshot!(shown(&steps), @"
    write_test file=`tests/cart_test.xyz` title=`the failing test for AC-1`
    verify_fail file=`tests/cart_test.xyz` title=`it must fail, because the code is missing`
    implement file=`src/cart.xyz`
    verify_pass file=`tests/cart_test.xyz` title=`it must pass`
    commit run=`git add -A -- src/cart.xyz tests/cart_test.xyz && git commit -m 'T-1: Add a cart'` title=`T-1: Add a cart`
    ");
    let bare = Task { id: "T-2".into(), title: "Think".into(), ..Task::default() };
    insta::assert_snapshot!(shown(&steps_for(&bare, Mode::Tdd, StepDetail::High, &Repository::empty())), @"
    write_test
    verify_fail title=`it must fail, because the code is missing`
    implement
    verify_pass title=`it must pass`
    commit run=`git commit --allow-empty -m 'T-2: Think'` title=`T-2: Think`
    ");
}

#[test]
fn titles_name_the_criteria_and_inline_tests() {
    let tree = python();
    let repository = Repository::new(&tree, survey(&tree));
    let title =
        |task: &Task, mode| steps_for(task, mode, StepDetail::Medium, &repository)[0].title.clone().unwrap();
    let mut task = task();
    task.criteria.push(Criterion { id: "AC-2".into(), ..Criterion::default() });
    task.criteria.push(Criterion::default());
    assert_eq!(title(&task, Mode::Tdd), "the failing test for AC-1, AC-2");
    assert_eq!(title(&task, Mode::TestsOnly), "tests for code that exists for AC-1, AC-2");
    task.test.inline = true;
    task.test.file = Some("src/cart.rs".into());
    assert_eq!(title(&task, Mode::Tdd), "the failing test inside src/cart.rs for AC-1, AC-2");
    task.criteria.clear();
    assert_eq!(title(&task, Mode::Tdd), "the failing test inside src/cart.rs");
}

#[test]
fn what_the_plan_says_about_a_file_is_the_title_of_its_step() {
    let mut task = task();
    task.changes.insert("src/cart.py".into(), "sum the lines".into());
    let steps = steps_for(&task, Mode::None, StepDetail::Medium, &Repository::empty());
    assert_eq!(steps[0].title.as_deref(), Some("sum the lines"));
}
