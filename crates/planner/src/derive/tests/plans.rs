//! Whole plans of small documents, checked by the rules of every profile.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::super::NoteKind;
use super::{DeriveOptions, Derived, Grouping, derive, document, options};
use crate::lint::{self, LintContext, Profile};
use crate::repository::Repository;
use crate::runnable::make_runnable;
use crate::spec::{SpecFile, read};
use windlass_code::detect::is_test_path;
use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;
use windlass_core::diagnostic::Severity;
use windlass_core::graph::{Overlap, SealOptions};
use windlass_formats::Dialect;

/// A repository of these files, which are empty, with pytest.
fn files(known: &[&str]) -> MemoryTree {
    let manifest = [("pyproject.toml", "[tool.pytest.ini_options]\n")];
    MemoryTree::new(known.iter().map(|path| (*path, "")).chain(manifest))
}

fn derived(text: &str, known: &[&str], options: &DeriveOptions) -> Derived {
    let paths: Vec<String> = known.iter().map(|p| (*p).to_owned()).collect();
    let spec = read(&[SpecFile { path: "design.md".to_owned(), text: text.to_owned() }], &paths);
    let tree = files(known);
    derive(&spec, &Repository::new(&tree, survey(&tree)), options)
}

/// Everything a check calls an error.
fn errors(derived: &Derived, profile: Profile) -> Vec<String> {
    let context = LintContext {
        profile,
        dialect: Dialect::Native,
        overrides: std::collections::BTreeMap::new(),
        token_limits: crate::brief::TokenLimits::default(),
        tokens: &|text| text.len() / 4,
        exists: None,
    };
    let seal = SealOptions {
        is_test: &is_test_path,
        max_depth: 3,
        overlap: Overlap::Order,
        tier_limits: std::collections::BTreeMap::new(),
        pools: std::collections::BTreeMap::new(),
    };
    let found =
        make_runnable(&derived.plan, &seal).findings.into_iter().chain(lint::check(&derived.plan, &context));
    found.filter(|d| d.severity == Severity::Error).map(|d| format!("{} {}", d.code, d.message)).collect()
}

fn shown(derived: &Derived) -> String {
    let mut text = String::new();
    for task in &derived.plan.tasks {
        let files =
            |mark: &str, list: &[String]| list.iter().map(|p| format!(" {mark}{p}")).collect::<String>();
        let owned = files("+", &task.files.create)
            + &files("~", &task.files.modify)
            + &files("-", &task.files.delete);
        let proof = task
            .test
            .file
            .as_ref()
            .or(task.test.none.as_ref())
            .map(|p| format!(" ? {p}"))
            .unwrap_or_default();
        let _ = writeln!(
            text,
            "{} [{}] {}{owned}{proof}{}",
            task.id,
            task.depends_on.join(" "),
            task.title,
            task.traces_to.criteria.iter().map(|c| format!(" {c}")).collect::<String>()
        );
    }
    text
}

const STATED: &str = document!("stated");

#[test]
fn stated_tasks_keep_their_ids_files_and_order() {
    let made = derived(STATED, &["src/total.py", "CHANGELOG.md"], &options(Profile::Default));
    insta::assert_snapshot!(shown(&made), @"
    TASK-001 [] Create Cart lines in src/cart.py +src/cart.py ? tests/test_cart_basics.py FR-1
    TASK-002 [TASK-001] Total of a cart ~src/total.py ? tests/test_total.py FR-2
    TASK-003 [TASK-002] Write cart tests in tests/test_cart.py +tests/test_cart.py ? tests/test_cart.py AC-001
    TASK-004 [TASK-003] Document CHANGELOG.md ~CHANGELOG.md ? documentation_only
    TASK-005 [TASK-003] Check: quality gates
    ");
    for profile in Profile::ALL {
        let made = derived(STATED, &["src/total.py"], &options(profile));
        assert_eq!(errors(&made, profile), Vec::<String>::new(), "{profile}");
    }
}

const FILES: &str = document!("manifest");

#[test]
fn files_without_tasks_become_tasks_in_layers() {
    let made = derived(FILES, &["README.md"], &options(Profile::Homerun));
    insta::assert_snapshot!(shown(&made), @r"
    001 [] Create src/models/line.py +src/models/line.py ? tests/test_line.py AC-001 AC-003 AC-004
    002 [001] Create src/services/cart.py +src/services/cart.py +tests/test_cart.py ? tests/test_cart.py AC-002 AC-005
    003 [002] Document README.md ~README.md ? documentation_only
    ");
    assert_eq!(errors(&made, Profile::Homerun), Vec::<String>::new());
}

const COMPONENTS: &str = document!("till");

#[test]
fn a_table_of_components_says_files_order_and_criteria() {
    let made = derived(COMPONENTS, &["src/tax.py"], &options(Profile::Default));
    insta::assert_snapshot!(shown(&made), @"
    T001 [] Add up one price per line in src/subtotal.py +src/subtotal.py ? tests/test_subtotal.py AC-1
    T002 [] Change Tax in src/tax.py ~src/tax.py ? tests/test_tax.py AC-001
    T003 [T001 T002] Create Total in src/total.py +src/total.py +tests/test_total.py ? tests/test_total.py AC-2
    ");
    let texts: Vec<&str> =
        made.plan.tasks.iter().flat_map(|t| &t.criteria).map(|c| c.text.as_str()).collect();
    assert_eq!(texts, ["`subtotal` prints the sum", "Tax: Work out the tax", "`total` prints euros"]);
}

#[test]
fn a_task_with_too_much_to_hold_is_divided_by_criterion() {
    let text = document!("four_criteria");
    let made = derived(text, &["src/b.py"], &options(Profile::Homerun));
    insta::assert_snapshot!(shown(&made), @r"
    001 [] Create src/a.py AC-001 AC-002 AC-003 AC-004
    001a [] AC-001: one +src/a.py ? tests/test_a.py AC-001
    001b [001a] AC-002: two ~src/a.py ? tests/test_a.py AC-002
    001c [001b] AC-003: three ~src/a.py ? tests/test_a.py AC-003
    001d [001c] AC-004: four ~src/a.py ? tests/test_a.py AC-004
    002 [] Remove src/b.py -src/b.py ? delete_dead_code
    ");
    assert_eq!(errors(&made, Profile::Homerun), Vec::<String>::new());
}

#[test]
fn what_cannot_be_told_is_said() {
    let made = derived(FILES, &[], &options(Profile::Default));
    assert!(made.notes.iter().any(|n| n.kind == NoteKind::CoverageGap), "{:?}", made.notes);
    let mut wish = options(Profile::Default);
    wish.phase = Some(1);
    let unphased = derived(FILES, &[], &wish);
    assert!(unphased.notes.iter().any(|n| n.text == "the documents name no phases; planning everything"));
    wish.phase = Some(9);
    assert!(derived(STATED, &[], &wish).plan.tasks.is_empty());
}

#[test]
fn a_session_is_quantified() {
    let mut wish = options(Profile::Ccw);
    wish.session = Some("WFS-shop".to_owned());
    let made = derived(STATED, &[], &wish);
    let task = &made.plan.tasks[0];
    assert_eq!(task.tdd_cycles[0].test_count, Some(1));
    assert_eq!(task.session.as_ref().and_then(|s| s.id.as_deref()), Some("WFS-shop-IMPL-1"));
    assert!(
        task.steps.iter().any(|s| s.title.as_deref().is_some_and(|t| t.starts_with("Write 1 test case: [")))
    );
    assert_eq!(
        task.done_when,
        ["All 1 tests pass with >=85% coverage: verify by python3 -m pytest tests/test_cart_basics.py"]
    );
}

#[test]
fn phases_become_sub_plans() {
    let mut text = String::from(document!("levels"));
    for level in 1..=3 {
        for n in 1..=6 {
            let _ = writeln!(text, "| src/l{level}/f{n}.py | BIG-L{level}-00{n} | create |");
        }
    }
    let made = derived(&text, &[], &options(Profile::Superplanner));
    let parents: Vec<&str> =
        made.plan.tasks.iter().filter(|t| t.sub_plan.is_some()).map(|t| t.id.as_str()).collect();
    assert_eq!(parents, ["phase-1-level-1", "phase-2-level-2", "phase-3-level-3"]);
    assert_eq!(errors(&made, Profile::Superplanner), Vec::<String>::new());
    let mut flat = options(Profile::Superplanner);
    flat.grouping = Grouping::Flat;
    assert!(derived(&text, &[], &flat).plan.tasks.iter().all(|t| t.parent.is_none()));
}

/// A name in code finds the file that is called so, a request the file where requests are answered.
#[test]
fn criteria_find_modules_and_routes_by_name() {
    let text = document!("orders");
    let made = derived(text, &["app/routes/users.py"], &options(Profile::Default));
    let lines = made.plan.tasks.iter().map(|t| {
        let code: Vec<&str> = t.owned().filter(|p| !is_test_path(p)).collect();
        let said = |c: &windlass_core::plan::Criterion| {
            format!(" {}{}", c.id, c.assertion.as_ref().map(|a| format!(" `{a}`")).unwrap_or_default())
        };
        format!("{}:{}\n", code.join(" "), t.criteria.iter().map(said).collect::<String>())
    });
    insta::assert_snapshot!(lines.collect::<String>(), @r"
    app/models/order.py: FR-4
    app/services/order_service.py: FR-1 FR-2
    app/routes/orders.py: FR-3 `assert response.status_code == 201`
    app/routes/users.py:
    ");
}

/// One phase is planned on what the phases before it made; what no phase speaks of can be planned too.
#[test]
fn a_phase_builds_on_those_before() {
    let text = document!("two_phases");
    let planned = |phase: u32| {
        let wish = DeriveOptions { phase: Some(phase), ..options(Profile::Default) };
        let made = derived(text, &[], &wish);
        assert_eq!(errors(&made, Profile::Default), Vec::<String>::new());
        let lines = made.plan.tasks.iter().map(|t| {
            let code: Vec<&str> = t.owned().filter(|p| !is_test_path(p)).collect();
            format!("{} after {:?}, reads {:?}", code.join(" "), t.depends_on, t.files.read)
        });
        lines.collect::<Vec<_>>()
    };
    assert_eq!(planned(1), ["app/basket.py after [], reads []"]);
    assert_eq!(
        planned(2),
        [
            r#"app/checkout.py after [], reads ["app/basket.py"]"#,
            r#"app/receipts.py after [], reads ["app/basket.py"]"#
        ]
    );
    assert_eq!(planned(3), ["app/labels.py after [], reads []"]);
    assert_eq!(planned(4), Vec::<String>::new());
}

/// Requirements alone: a slice per story, beside the code that is there, with what belongs to it.
#[test]
fn stories_without_files_become_slices() {
    let text = document!("stories");
    let known = ["src/shop/__init__.py", "src/shop/cart.py", "tests/test_cart.py"];
    let paths = known.map(str::to_owned).to_vec();
    let spec = read(&[SpecFile { path: "PRD.md".to_owned(), text: text.to_owned() }], &paths);
    let tree = files(&known);
    let made = derive(&spec, &Repository::new(&tree, survey(&tree)), &options(Profile::Default));
    assert_eq!(errors(&made, Profile::Default), Vec::<String>::new());
    let mut shown = String::new();
    for task in &made.plan.tasks {
        let files: Vec<&str> = task.owned().collect();
        let ids: Vec<&str> = task.criteria.iter().map(|c| c.id.as_str()).collect();
        let _ = writeln!(
            shown,
            "{}: {}\n  {} tested by {:?}, serves {} of {:?}",
            task.id,
            task.title,
            files.join(" "),
            task.test.file,
            ids.join(" "),
            task.traces_to.stories
        );
    }
    insta::assert_snapshot!(shown, @r#"
    T001: Build discounts in carts
      src/shop/cart.py tests/test_cart.py tested by Some("tests/test_cart.py"), serves AC-001 NFR-1 of ["US-1"]
    T002: Build Gift Cards
      tests/test_gift_cards.py tested by Some("tests/test_gift_cards.py"), serves AC-002 AC-003 AC-004 NFR-2 of ["US-2"]
    "#);
    let nowhere = derive(&spec, &Repository::empty(), &options(Profile::Default));
    let owned = nowhere.plan.tasks.iter().flat_map(windlass_core::plan::Task::owned).count();
    let asks = nowhere.notes.iter().any(|note| note.kind == NoteKind::Language);
    assert!(nowhere.plan.tasks.len() == 2 && owned == 0 && asks, "a question instead of invented files");
    let wish = DeriveOptions {
        language: windlass_code::survey::Language::named("python"),
        ..options(Profile::Default)
    };
    let anew = derive(&spec, &Repository::empty(), &wish);
    let files: Vec<&str> = anew.plan.tasks.iter().flat_map(windlass_core::plan::Task::owned).collect();
    assert_eq!(files[0], "pyproject.toml", "a new project begins with its manifest");
    let named = |name: &str| files.iter().any(|path| path.ends_with(name) && !path.starts_with("src/"));
    assert!(named("/discounts_carts.py") && named("/gift_cards.py") && named("/__init__.py"), "{files:?}");
}

/// Modules that one file declares do not wait for each other: a task before them makes each an empty file.
#[test]
fn rust_modules_are_declared_before_they_are_written() {
    let text = document!("rust_modules");
    let known = ["Cargo.toml", "README.md", "src/lib.rs"];
    let made = derived(text, &known, &options(Profile::Default));
    insta::assert_snapshot!(shown(&made), @r"
    T001 [] Declare the modules cart and order in src/lib.rs +src/cart.rs +src/order.rs ~src/lib.rs ? type_definitions_only
    T002 [T001] Create src/cart.rs ~src/cart.rs ? tests/cart.rs AC-001
    T003 [T001] Create src/order.rs ~src/order.rs ? tests/order.rs
    ");
    assert_eq!(made.plan.tasks[0].verification.as_ref().map(|v| v.script.as_str()), Some("cargo check"));
    for profile in Profile::ALL {
        let made = derived(text, &known, &options(profile));
        assert_eq!(errors(&made, profile), Vec::<String>::new(), "{profile}");
    }
    // What the design shows of a module, and what is asked of it, belongs to who writes it.
    let shown_too = document!("rust_components");
    let made = derived(shown_too, &known, &options(Profile::Default));
    insta::assert_snapshot!(shown(&made), @r"
    T001 [] Declare the modules cart and order in src/lib.rs +src/cart.rs +src/order.rs ~src/lib.rs ? type_definitions_only
    T002 [T001] Create Order in src/order.rs ~src/order.rs ? tests/order.rs
    T003 [T002] Create Cart in src/cart.rs ~src/cart.rs ? tests/cart.rs AC-001 AC-002
    ");
    assert!(made.notes.iter().all(|n| n.kind != NoteKind::Contradiction), "{:?}", made.notes);
    let one = derived(document!("rust_single"), &known, &options(Profile::Default));
    insta::assert_snapshot!(shown(&one), @r"
    T001 [] Create src/cart.rs +src/cart.rs ~src/lib.rs ? tests/cart.rs
    T002 [T001] Document README.md ~README.md ? documentation_only
    ");
}

/// In a project that is made from nothing the manifest comes first: without it nothing can be built.
#[test]
fn modules_are_declared_once_there_is_a_manifest() {
    let text = document!("rust_from_nothing");
    let made = derived(text, &[], &options(Profile::Default));
    let shown = shown(&made);
    let first: Vec<&str> = shown.lines().take(2).collect();
    assert!(first[0].contains("+Cargo.toml") && first[1].starts_with("T002 [T001] Declare"), "{shown}");
}

/// What is not in the plan is said, with its place: sections that are not wanted, and those no task is about.
#[test]
fn what_is_left_out_is_said() {
    let text = document!("left_out");
    let made = derived(text, &[], &options(Profile::Default));
    let notes: Vec<String> = made
        .notes
        .iter()
        .filter(|n| matches!(n.kind, NoteKind::LeftOut | NoteKind::NotPlaced))
        .map(|n| format!("{}: {}", n.kind.as_str(), n.text))
        .collect();
    insta::assert_snapshot!(notes.join("\n"), @r"
    left out: 1 of 2 risks match no task
    left out: 2 lines under `Future Improvements`, excluded by its heading
    ");
    assert_eq!(made.plan.tasks[0].risks, ["`src/cart.py` may overflow"]);
}

/// Where tests have a list of their own, it goes with the task: who writes the test may declare it.
#[test]
fn a_test_that_cmake_has_to_know_is_declared_by_its_task() {
    let text = document!("cmake");
    let known = [
        "CMakeLists.txt",
        "src/CMakeLists.txt",
        "src/main.cpp",
        "tests/CMakeLists.txt",
        "tests/main_test.cpp",
    ];
    let made = derived(text, &known, &options(Profile::Default));
    let owned: Vec<Vec<&str>> = made.plan.tasks.iter().map(|t| t.owned().collect()).collect();
    assert_eq!(
        owned,
        [
            vec![
                "src/cart.cpp",
                "src/cart.hpp",
                "src/CMakeLists.txt",
                "tests/CMakeLists.txt",
                "tests/cart_test.cpp"
            ],
            vec!["src/money.hpp", "tests/CMakeLists.txt", "tests/money_test.cpp"]
        ]
    );
    assert!(is_test_path(owned[0][3]));
    assert_eq!(made.plan.tasks[1].depends_on, ["T-001"]);
    // The list declares the test; it is not the test.
    assert_eq!(made.plan.tasks[0].test.file.as_deref(), Some("tests/cart_test.cpp"));
}

/// A check of the whole that nothing can carry out comes first here, with a criterion that fits nowhere.
#[test]
fn a_task_that_is_left_out_hands_its_criteria_on() {
    let text = document!("gate_first");
    let made = derived(text, &[], &options(Profile::Homerun));
    assert_eq!(errors(&made, Profile::Homerun), Vec::<String>::new());
    let served: Vec<&str> =
        made.plan.tasks.iter().flat_map(|t| &t.criteria).map(|c| c.text.as_str()).collect();
    assert_eq!(served, ["zebras sleep"]);
}

fn row() -> impl Strategy<Value = String> {
    ("[a-d]", 1..5_u8, prop_oneof![Just("create"), Just("modify"), Just("delete"), Just("→")], 1..9_u8)
        .prop_map(|(dir, file, verb, task)| format!("| `{dir}/f{file}.py` | T-00{task} | {verb} |"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_ownership_and_any_order_give_a_plan_that_passes(
        rows in prop::collection::vec(row(), 2..14),
        edges in prop::collection::vec((1..9_u8, 1..9_u8), 0..10),
        criteria in prop::collection::vec("[a-d]/f[1-5].py (holds|gives|takes) [0-9]", 0..9),
        profile in prop::sample::select(Profile::ALL.to_vec()),
    ) {
        let mut text = String::from("# X\n\n## Acceptance Criteria\n\n");
        for c in &criteria {
            text.push_str(&format!("- {c}\n"));
        }
        text.push_str("\n## File Ownership\n\n| File | Task | Operation |\n|---|---|---|\n");
        for r in &rows {
            text.push_str(&format!("{r}\n"));
        }
        text.push_str("\n```mermaid\ngraph TD\n");
        for (a, b) in &edges {
            text.push_str(&format!("  A{a}[T-00{a}] --> A{b}[T-00{b}]\n"));
        }
        text.push_str("```\n");
        let made = derived(&text, &[], &options(profile));
        prop_assert_eq!(errors(&made, profile), Vec::<String>::new());
        let again = derived(&text, &[], &options(profile));
        prop_assert_eq!(made.plan, again.plan);
    }
}
