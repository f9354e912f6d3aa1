//! Which files a task is shown, and how much of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use windlass_code::survey::{Export, ExportKind, FileFacts};
use windlass_core::plan::{Interface, Step};

/// A file of Python with this number of functions.
fn file(functions: usize) -> Arc<FileFacts> {
    let export = |n: usize| Export {
        name: format!("f{n}"),
        kind: ExportKind::Function,
        signature: format!("def f{n}()"),
        line: n + 1,
    };
    Arc::new(FileFacts {
        language: Language::Python,
        exports: (0..functions).map(export).collect(),
        imports: Vec::new(),
        bases: Vec::new(),
        tests: Vec::new(),
        style: None,
        fixtures: Vec::new(),
        package: None,
        broken: None,
    })
}

fn surveyed(files: &[(&str, usize)]) -> Survey {
    let facts: BTreeMap<String, _> = files.iter().map(|(path, n)| ((*path).to_owned(), file(*n))).collect();
    Survey::of(facts.keys().cloned().collect(), facts)
}

/// The paths whose interfaces a task is shown.
fn shown(task: &Task, plan: &Plan, survey: &Survey) -> Vec<String> {
    let around = BriefInputs { plan, survey, read: &|_| None };
    offered(task, &[], &around).into_iter().map(|file| file.path).collect()
}

#[test]
fn interfaces_come_from_dependencies_reads_and_focus() {
    let survey = surveyed(&[
        ("shop/a.py", 1),
        ("shop/b.py", 1),
        ("shop/c.py", 1),
        ("shop/own.py", 1),
        ("tests/test_a.py", 1),
    ]);
    let mut before = Task { id: "T-1".into(), ..Task::default() };
    before.files.create = vec!["shop/a.py".into(), "tests/test_a.py".into(), "shop/missing.py".into()];
    let plan = Plan { tasks: vec![before], ..Plan::default() };
    let mut task = Task { id: "T-2".into(), depends_on: vec!["T-1".into(), "T-9".into()], ..Task::default() };
    task.files.read = vec!["shop/b.py".into(), "shop/a.py".into(), "shop/own.py".into()];
    task.files.modify = vec!["shop/own.py".into()];
    task.focus_paths = vec!["shop/c.py".into(), "shop".into()];
    // Each file once; not the task's own, not tests, not what does not exist.
    assert_eq!(shown(&task, &plan, &survey), ["shop/a.py", "shop/b.py", "shop/c.py"]);
    // An interface that the plan states replaces those of that dependency's files.
    task.files.read.clear();
    task.interfaces = vec![Interface { source: Some("T-1".into()), ..Interface::default() }];
    assert_eq!(shown(&task, &plan, &survey), ["shop/c.py"]);
}

#[test]
fn at_most_ten_files_of_twelve_lines() {
    let names: Vec<String> = (0..15).map(|n| format!("shop/m{n:02}.py")).collect();
    let files: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 40)).collect();
    let survey = surveyed(&files);
    let mut task = Task::default();
    task.files.read = names.clone();
    assert_eq!(shown(&task, &Plan::default(), &survey), names[..FILES]);
    let plan = Plan::default();
    let around = BriefInputs { plan: &plan, survey: &survey, read: &|_| None };
    let lines = offered(&task, &[], &around)[0].lines.len();
    assert!(lines <= LINES + 1, "{lines}");
}

#[test]
fn a_similar_file_is_shown_up_to_a_limit() {
    let survey = surveyed(&[("shop/user_service.py", 1)]);
    let plan = Plan::default();
    let shown = |lines: usize| {
        let read = move |_: &str| Some("x\r\n".repeat(lines));
        let around = BriefInputs { plan: &plan, survey: &survey, read: &read };
        pattern("shop/order_service.py", &around).map(|p| (p.text.lines().count(), p.lines_left))
    };
    assert_eq!(shown(60), Some((60, 0)));
    assert_eq!(shown(61), Some((60, 1)));
    // An existing file is its own pattern, and an unreadable one is none.
    let none = BriefInputs { plan: &plan, survey: &survey, read: &|_| None };
    assert_eq!(pattern("shop/order_service.py", &none), None);
    let any = BriefInputs { plan: &plan, survey: &survey, read: &|_| Some("x".into()) };
    assert_eq!(pattern("shop/user_service.py", &any), None);
}

#[test]
fn the_main_file_depends_on_the_turn() {
    let mut task = Task::default();
    task.files.create = vec!["tests/test_cart.py".into(), "shop/cart.py".into()];
    task.test.file = Some("tests/test_cart.py".into());
    assert_eq!(subject(&task, Purpose::WriteTest), Some("tests/test_cart.py"));
    for purpose in [Purpose::Implement, Purpose::Fix, Purpose::Refactor] {
        assert_eq!(subject(&task, purpose), Some("shop/cart.py"), "{purpose:?}");
    }
    assert_eq!(subject(&Task::default(), Purpose::WriteTest), None);
    assert_eq!(subject(&Task::default(), Purpose::Implement), None);
}

#[test]
fn a_sketch_is_for_the_turn_that_writes_it() {
    let step = |action, sketch: Option<&str>| Step {
        file: Some("shop/cart.py".into()),
        sketch: sketch.map(str::to_owned),
        ..Step::of(action)
    };
    let steps = vec![
        step(Action::WriteTest, Some("def test_cart(): ...")),
        step(Action::Implement, None),
        step(Action::Implement, Some("def cart(): ...")),
    ];
    let task = Task { steps, ..Task::default() };
    let code = |purpose| sketch(&task, purpose).map(|sketch| sketch.code);
    assert_eq!(code(Purpose::WriteTest).as_deref(), Some("def test_cart(): ..."));
    assert_eq!(code(Purpose::Implement).as_deref(), Some("def cart(): ..."));
    assert_eq!(code(Purpose::Fix), None);
    assert_eq!(code(Purpose::Refactor), None);
}
