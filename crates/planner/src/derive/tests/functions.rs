//! The small functions of derivation as tables.

use std::fmt::Write as _;

use super::super::unit::{Unit, UnitFile};
use super::super::words::{cut, headline, plain, words};
use super::super::{classify, contracts, name, named_units, sub_plans, verification};
use crate::file_kind::{self, FileKind};
use crate::lint::Profile;
use crate::repository::Repository;
use crate::spec::{Operation, Spec};
use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;
use windlass_core::plan::{CodeBlock, Plan, Task};

fn unit(title: &str, files: &[(&str, Operation)]) -> Unit {
    let file = |(path, operation): &(&str, Operation)| UnitFile {
        path: (*path).to_owned(),
        operation: *operation,
        kind: FileKind::of(path),
        note: String::new(),
        lines: None,
    };
    Unit { title: title.to_owned(), files: files.iter().map(file).collect(), ..Unit::default() }
}

#[test]
fn the_kind_of_a_file_follows_from_its_path() {
    let paths = [
        "src/a.py",
        "src/a.rs",
        "src/a.hpp",
        "src/a.mjs",
        "src/a.kt",
        "src/a.swift",
        "src/App.vue",
        "run.sh",
        "src/types.ts",
        "src/cart.types.ts",
        "src/globals.d.ts",
        "src/types.py",
        "vite.config.ts",
        "jest.setup.js",
        ".eslintrc.js",
        "tests/test_a.py",
        "tests/__init__.py",
        "src/__init__.py",
        "tests/data.json",
        "src/a_test.go",
        "package.json",
        "Cargo.toml",
        "requirements.txt",
        "README.md",
        "docs/a.rst",
        "notes.txt",
        "CMakeLists.txt",
        "LICENSE",
        "Makefile",
        "ci.yml",
        "a.toml",
        "index.html",
        "style.scss",
        "logo.png",
        "data.csv",
    ];
    let mut out = String::new();
    for path in paths {
        let stack = file_kind::stack(path).unwrap_or("-");
        let source = if file_kind::is_source(path) { "source" } else { "-" };
        let _ = writeln!(
            out,
            "{path}: {:?}, {source}, {stack}, layer {:?}",
            FileKind::of(path),
            file_kind::layer(path)
        );
    }
    insta::assert_snapshot!(out, @r"
    src/a.py: Code, source, python, layer None
    src/a.rs: Code, source, rust, layer None
    src/a.hpp: Code, source, cpp, layer None
    src/a.mjs: Code, source, typescript, layer None
    src/a.kt: Code, source, java, layer None
    src/a.swift: Code, source, swift, layer None
    src/App.vue: Code, source, typescript, layer Some(5)
    run.sh: Code, source, -, layer None
    src/types.ts: Types, source, typescript, layer Some(1)
    src/cart.types.ts: Types, source, typescript, layer Some(1)
    src/globals.d.ts: Types, source, typescript, layer None
    src/types.py: Code, source, python, layer Some(1)
    vite.config.ts: Configuration, source, typescript, layer Some(1)
    jest.setup.js: Configuration, source, typescript, layer None
    .eslintrc.js: Configuration, source, typescript, layer None
    tests/test_a.py: Test, source, python, layer None
    tests/__init__.py: Test, source, python, layer None
    src/__init__.py: Code, source, python, layer None
    tests/data.json: Test, -, -, layer None
    src/a_test.go: Test, source, go, layer None
    package.json: Manifest, -, -, layer None
    Cargo.toml: Manifest, -, -, layer None
    requirements.txt: Manifest, -, -, layer None
    README.md: Documentation, -, -, layer None
    docs/a.rst: Documentation, -, -, layer None
    notes.txt: Documentation, -, -, layer None
    CMakeLists.txt: Configuration, -, -, layer None
    LICENSE: Documentation, -, -, layer None
    Makefile: Configuration, -, -, layer None
    ci.yml: Configuration, -, -, layer None
    a.toml: Configuration, -, -, layer None
    index.html: Asset, -, -, layer None
    style.scss: Asset, -, -, layer None
    logo.png: Asset, -, -, layer None
    data.csv: Asset, -, -, layer None
    ");
}

#[test]
fn the_class_of_a_unit_follows_from_its_title_and_files() {
    use Operation::{Create, Delete, Modify};
    let units = [
        unit("Check the whole", &[]),
        unit("Drop it", &[("src/a.py", Delete)]),
        unit("Build a thing", &[("src/a.py", Create)]),
        unit("Build a thing", &[("src/models/a.py", Create)]),
        unit("Build a thing", &[("src/routes/a.py", Create)]),
        unit("Build a thing", &[("src/routes/a.py", Create), ("src/b.py", Create), ("src/c.py", Create)]),
        unit("Payment endpoint", &[("src/a.py", Modify)]),
        unit("Check auth on the route", &[("src/a.py", Modify)]),
        unit("Architecture of carts", &[("src/a.py", Modify)]),
        unit("Fix sums", &[("src/a.py", Modify)]),
        unit("Add middleware", &[("src/a.py", Modify)]),
        unit("Validate lines", &[("src/a.py", Modify)]),
        unit("Add a column", &[("src/a.py", Modify)]),
        unit("Read a setting", &[("src/a.py", Modify)]),
        unit("Sum lines", &[("src/a.py", Modify)]),
        unit("Sum lines", &[("src/a.py", Modify), ("src/b.py", Modify)]),
        unit("Extract the sum", &[("src/a.py", Modify)]),
        unit("Test sums", &[("tests/test_a.py", Create)]),
        unit("Test sums", &[("tests/e2e/test_a.py", Create)]),
        unit("Types", &[("src/types.ts", Create)]),
        unit("Guide", &[("docs/a.md", Create)]),
        unit("Guide", &[("docs/a.md", Create), ("docs/b.md", Delete)]),
        unit("Settings", &[("a.toml", Create)]),
        unit("Update dependencies", &[("package.json", Modify)]),
        unit("Scripts of the project", &[("package.json", Modify)]),
    ];
    let tree = MemoryTree::new([("src/a.py", ""), ("tests/test_a.py", "")]);
    let repository = Repository::new(&tree, survey(&tree));
    let mut out = String::new();
    for unit in &units {
        let class = classify::class(unit, Some("tests/test_a.py"), &repository);
        let paths: Vec<&str> = unit.files.iter().map(|f| f.path.as_str()).collect();
        let reason = class.reason.map(|r| format!(" ({})", r.as_str())).unwrap_or_default();
        let _ = writeln!(
            out,
            "{} [{}]: {}, {}, {}{reason}, {:?}, {} min",
            unit.title,
            paths.join(" "),
            class.task_type,
            class.tier.as_str(),
            class.mode.as_str(),
            class.complexity,
            class.minutes
        );
    }
    insta::assert_snapshot!(out, @r"
    Check the whole []: integration_test, medium, gate, Trivial, 5 min
    Drop it [src/a.py]: add_config, small, none (delete_dead_code), Trivial, 5 min
    Build a thing [src/a.py]: create_service, medium, tdd, Medium, 20 min
    Build a thing [src/models/a.py]: create_model, medium, tdd, Medium, 20 min
    Build a thing [src/routes/a.py]: add_endpoint, small, tdd, Medium, 20 min
    Build a thing [src/routes/a.py src/b.py src/c.py]: add_endpoint_complex, medium, tdd, Complex, 60 min
    Payment endpoint [src/a.py]: add_endpoint_complex, medium, tdd, Medium, 12 min
    Check auth on the route [src/a.py]: add_endpoint_complex, medium, tdd, Medium, 12 min
    Architecture of carts [src/a.py]: architectural, large, tdd, Medium, 12 min
    Fix sums [src/a.py]: bug_fix, medium, tdd, Medium, 12 min
    Add middleware [src/a.py]: create_middleware, medium, tdd, Medium, 12 min
    Validate lines [src/a.py]: add_validation, small, tdd, Medium, 12 min
    Add a column [src/a.py]: add_field, small, tdd, Medium, 12 min
    Read a setting [src/a.py]: add_config, small, tdd, Medium, 12 min
    Sum lines [src/a.py]: add_method, small, tdd, Medium, 12 min
    Sum lines [src/a.py src/b.py]: create_service, medium, tdd, Complex, 24 min
    Extract the sum [src/a.py]: rename_refactor, small, refactor, Medium, 12 min
    Test sums [tests/test_a.py]: add_test, small, tests-only, Trivial, 8 min
    Test sums [tests/e2e/test_a.py]: integration_test, medium, tests-only, Trivial, 8 min
    Types [src/types.ts]: add_config, small, none (type_definitions_only), Trivial, 20 min
    Guide [docs/a.md]: add_config, small, none (documentation_only), Trivial, 5 min
    Guide [docs/a.md docs/b.md]: add_config, small, none (documentation_only), Trivial, 6 min
    Settings [a.toml]: add_config, small, none (config_static), Trivial, 5 min
    Update dependencies [package.json]: add_config, small, none (dependency_update), Trivial, 5 min
    Scripts of the project [package.json]: add_config, small, none (config_static), Trivial, 5 min
    ");
}

#[test]
fn complexity_follows_from_stated_lines() {
    let tree = MemoryTree::empty();
    let repository = Repository::new(&tree, survey(&tree));
    let complexity = |lines: Option<u32>| {
        let mut unit = unit("Sum", &[("src/a.py", Operation::Create)]);
        unit.files[0].lines = lines;
        format!("{:?}", classify::class(&unit, None, &repository).complexity)
    };
    let table = [
        (None, "Medium"),
        (Some(15), "Trivial"),
        (Some(16), "Simple"),
        (Some(30), "Simple"),
        (Some(31), "Medium"),
        (Some(50), "Medium"),
        (Some(51), "Complex"),
    ];
    for (lines, expected) in table {
        assert_eq!(complexity(lines), expected, "{lines:?}");
    }
}

#[test]
fn titles_name_a_verb_and_a_file() {
    use Operation::{Create, Delete, Modify};
    let noted = |note: &str, mut unit: Unit| {
        unit.files[0].note = note.to_owned();
        unit
    };
    let units = [
        unit("", &[]),
        unit("quality gates", &[]),
        unit("", &[("src/a.py", Create)]),
        unit("", &[("src/a.py", Modify)]),
        unit("", &[("src/a.py", Delete)]),
        unit("Cart", &[("src/a.py", Create)]),
        unit("a.py", &[("src/a.py", Create)]),
        unit("", &[("tests/test_a.py", Create)]),
        unit("Cart tests", &[("tests/test_a.py", Create)]),
        unit("", &[("README.md", Modify)]),
        unit("", &[("a.toml", Modify)]),
        unit("", &[("src/a.py", Create), ("tests/test_a.py", Create)]),
        unit("", &[("src/a.py", Create), ("src/b.py", Create)]),
        unit("", &[("src/a.py", Create), ("src/b.py", Create), ("src/c.py", Create)]),
        noted("turn titles into slugs", unit("", &[("src/a.py", Create)])),
        noted("watches a folder (with care)", unit("", &[("src/a.py", Create)])),
        noted("NEW: crowd heuristics", unit("", &[("src/a.py", Create)])),
        noted("modify — badges of users", unit("", &[("src/a.py", Modify)])),
        noted("create new", unit("", &[("src/a.py", Create)])),
        noted("one", unit("", &[("src/a.py", Create)])),
        noted("see `the` design", unit("", &[("src/a.py", Create)])),
        noted("3 kinds of carts", unit("", &[("src/a.py", Create)])),
    ];
    let mut out = String::new();
    for unit in &units {
        let note = unit.files.first().map(|f| f.note.as_str()).unwrap_or_default();
        let _ = writeln!(out, "`{}` `{note}`: {}", unit.title, name::title(unit, &Spec::default()));
    }
    insta::assert_snapshot!(out, @r"
    `` ``: Check the result as a whole
    `quality gates` ``: Check: quality gates
    `` ``: Create src/a.py
    `` ``: Change src/a.py
    `` ``: Remove src/a.py
    `Cart` ``: Create Cart in src/a.py
    `a.py` ``: Create src/a.py
    `` ``: Test tests/test_a.py
    `Cart tests` ``: Write cart tests in tests/test_a.py
    `` ``: Document README.md
    `` ``: Configure a.toml
    `` ``: Create src/a.py
    `` ``: Create src/a.py with 1 more file
    `` ``: Create src/a.py with 2 more files
    `` `turn titles into slugs`: Turn titles into slugs in src/a.py
    `` `watches a folder (with care)`: Watch a folder in src/a.py
    `` `NEW: crowd heuristics`: Create crowd heuristics in src/a.py
    `` `modify — badges of users`: Change badges of users in src/a.py
    `` `create new`: Create src/a.py
    `` `one`: Create src/a.py
    `` `see `the` design`: Create src/a.py
    `` `3 kinds of carts`: Create src/a.py
    ");
}

#[test]
fn a_leading_operation_is_removed_from_a_remark() {
    let table = [
        ("NEW: crowds", "crowds"),
        ("modify — badges", "badges"),
        ("Update - sums", "sums"),
        ("new", ""),
        ("NEW crowds", "crowds"),
        ("add crowds", "add crowds"),
        ("newer crowds", "newer crowds"),
        (" crowds ", "crowds"),
    ];
    for (note, expected) in table {
        assert_eq!(name::unmarked(note), expected, "{note}");
    }
}

#[test]
fn ids_follow_the_profile() {
    let mut out = String::new();
    for profile in Profile::ALL {
        let mut units: Vec<Unit> = ["TASK-7", "", "task-7", "not an id"]
            .iter()
            .zip([Some(1), Some(2), Some(2), None])
            .map(|(stated, level)| Unit { stated: (*stated).to_owned(), level, ..Unit::default() })
            .collect();
        name::ids(&mut units, profile, "my shop");
        let ids: Vec<&str> = units.iter().map(|u| u.id.as_str()).collect();
        let _ = writeln!(out, "{profile}: {}", ids.join(" "));
    }
    let mut unnamed = [Unit { level: Some(3), ..Unit::default() }];
    name::ids(&mut unnamed, Profile::Zerg, "42");
    assert_eq!(unnamed[0].id, "PLAN-L3-001");
    insta::assert_snapshot!(out, @r"
    default: TASK-7 T002 task-7x T004
    zerg: TASK-7 MYSH-L2-001 task-7x MYSH-L1-002
    homerun: 001 002 003 004
    ccw: IMPL-1 IMPL-2 IMPL-3 IMPL-4
    superplanner: TASK-7 T002 task-7x T004
    contract: TASK-001 TASK-002 TASK-003 TASK-004
    ");
}

#[test]
fn a_runner_collects_tests_and_not_their_helpers() {
    let table = [
        ("tests/test_a.py", true),
        ("tests/a_test.py", true),
        ("tests/a.py", false),
        ("tests/conftest.py", false),
        ("tests/__init__.py", false),
        ("tests/common/mod.rs", false),
        ("tests/a.rs", true),
        ("src/a.test.ts", true),
        ("tests/data.json", false),
        ("tests/a.bats", true),
        ("tests/a.sh", true),
    ];
    for (path, expected) in table {
        assert_eq!(verification::is_run(path), expected, "{path}");
    }
}

#[test]
fn the_test_file_of_a_unit() {
    use Operation::{Create, Modify};
    let files = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/lib.rs", ""),
        ("src/old.rs", "pub fn a() {}\n#[cfg(test)]\nmod tests {}\n"),
    ];
    let tree = MemoryTree::new(files);
    let rust = Repository::new(&tree, survey(&tree));
    let units = [
        unit(
            "own test",
            &[("src/cart.py", Create), ("tests/test_cart.py", Create), ("tests/test_b.py", Create)],
        ),
        unit("another test", &[("src/cart.py", Create), ("tests/test_b.py", Create)]),
        unit("a helper is no test", &[("src/cart.py", Create), ("tests/conftest.py", Create)]),
        unit("only a helper", &[("tests/conftest.py", Create)]),
        unit("documents", &[("docs/a.md", Create)]),
        unit("a shell script", &[("run.sh", Create)]),
        unit("a new module", &[("src/cart.rs", Create)]),
        unit("a new nested module", &[("src/cart/mod.rs", Create)]),
        unit("the library itself", &[("src/lib.rs", Modify)]),
        unit("an existing module", &[("src/old.rs", Modify)]),
        unit("a module of another crate", &[("other/src/cart.rs", Create)]),
    ];
    let mut out = String::new();
    for unit in &units {
        let found = verification::test_file(unit, &rust, &|_| false);
        let _ = writeln!(out, "{}: {found:?}", unit.title);
    }
    insta::assert_snapshot!(out, @r#"
    own test: Some(("tests/test_cart.py", false))
    another test: Some(("tests/test_b.py", false))
    a helper is no test: Some(("tests/test_cart.py", false))
    only a helper: Some(("tests/conftest.py", false))
    documents: None
    a shell script: Some(("tests/run_test.sh", false))
    a new module: Some(("tests/cart.rs", false))
    a new nested module: Some(("tests/cart.rs", false))
    the library itself: Some(("src/lib.rs", true))
    an existing module: Some(("src/old.rs", true))
    a module of another crate: Some(("tests/cart_test.rs", false))
    "#);
}

/// A test outside of a module reaches it through a library. Without one the tests are inside of it.
#[test]
fn a_new_module_of_a_program_is_tested_inline() {
    let tree =
        MemoryTree::new([("Cargo.toml", "[package]\nname = \"shop\"\n"), ("src/main.rs", "fn main() {}\n")]);
    let program = Repository::new(&tree, survey(&tree));
    let module = unit("a new module", &[("src/cart.rs", Operation::Create)]);
    let test = |planned: &dyn Fn(&str) -> bool| verification::test_file(&module, &program, planned);
    assert_eq!(test(&|_| false), Some(("src/cart.rs".to_owned(), true)));
    assert_eq!(test(&|path| path == "src/lib.rs"), Some(("tests/cart.rs".to_owned(), false)));
}

#[test]
fn declarations_of_a_contract() {
    let block = |(path, code): (&str, &str)| CodeBlock {
        path: Some(path.to_owned()),
        code: code.to_owned(),
        ..CodeBlock::default()
    };
    let blocks = [
        ("basket.py", "class Basket:\n    def add(self, sku: str) -> None: ...\n"),
        ("settle.rs", "pub fn settle(order: &Order) -> bool;\npub const MOST: u8 = 1;\n"),
        ("open.go", "func Open(path string) error\n"),
        ("Slugs.java", "public class Slugs { public static String slug(String title); }\n"),
        ("line.ts", "export interface Line { sku: string }\n"),
        ("notes.md", "fn nothing();\n"),
    ]
    .map(block);
    let unit = Unit {
        contract: [blocks.clone(), blocks.clone()].concat(),
        shown: "def a(b: Order): return settle(b)".to_owned(),
        ..Unit::default()
    };
    insta::assert_snapshot!(contracts::declared(&unit).join(" "), @"Basket add settle Open Slugs slug Line");
    insta::assert_snapshot!(contracts::functions(&blocks).join(" "), @"add settle Open slug");
    let uses = ["Order", "settle", "return", "Orde", "ord"];
    let found: Vec<&str> = uses.into_iter().filter(|name| contracts::uses(&unit, name)).collect();
    assert_eq!(found, ["Order", "settle"]);
}

#[test]
fn whole_words_and_file_names_are_found() {
    let table = [
        ("a cart.", "cart", true),
        ("carts", "cart", false),
        ("my-cart", "cart", false),
        ("`src/a.py` is", "src/a.py", true),
        ("", "cart", false),
    ];
    for (text, word, expected) in table {
        assert_eq!(named_units::has_word(text, word), expected, "{text}");
    }
    let unit = unit(
        "",
        &[("src/cart.py", Operation::Create), ("src/gone.py", Operation::Read), ("a.c", Operation::Create)],
    );
    let table = [
        ("in src/cart.py", true),
        ("in cart.py", true),
        ("in cart", false),
        ("in gone.py", false),
        ("in a.c", false),
    ];
    for (text, expected) in table {
        assert_eq!(named_units::names_file(&unit, text), expected, "{text}");
    }
}

#[test]
fn words_are_stemmed_and_stop_words_dropped() {
    let texts = [
        "LoginForm validates emails",
        "the of and",
        "10 users, 404 pages",
        "notifications and notified parties",
        "HTTPServer v2Api",
        "Prüfung der Körbe",
    ];
    let found: Vec<String> = texts.iter().map(|text| format!("{text}: {}", words(text).join(" "))).collect();
    insta::assert_snapshot!(found.join("\n"), @r"
    LoginForm validates emails: login form validat email
    the of and: 
    10 users, 404 pages: 404 pag
    notifications and notified parties: notific notif part
    HTTPServer v2Api: httpserver v2 api
    Prüfung der Körbe: prüfung der körb
    ");
}

#[test]
fn texts_are_shortened_between_words() {
    let cuts = [cut("one two three", 8), cut("one two three", 80), cut("one, (two three", 6), cut("", 5)];
    assert_eq!(cuts, ["one two…", "one two three", "one…", ""]);
    let names = [plain("Rejects an empty cart!", 3), plain("…", 3), plain("A-B c", 9)];
    assert_eq!(names, ["rejects_an_empty", "", "a_b_c"]);
    let texts = [
        "`Code` is shown plainly.",
        "The application must be able to export carts",
        "The system must be fast",
        "WHEN a cart is empty THEN the total is zero",
        "When it ends then stop",
        "A cart (with brackets (nested) and an open one",
        "The following is required for all of the:",
        "A cart that holds many lines because people buy a lot of things every day of the week",
    ];
    let titles: Vec<String> = texts.iter().map(|text| headline(text, 50)).collect();
    insta::assert_snapshot!(titles.join("\n"), @r"
    Code is shown plainly
    Export carts
    The system must be fast
    The total is zero
    When it ends then stop
    A cart (with brackets (nested) and an open one
    The following is required
    A cart that holds many lines
    ");
}

#[test]
fn sub_plans_are_suggested_by_size_and_phases() {
    let plan = |tasks: usize, phases: usize, folders: usize| {
        let task = |n: usize| {
            let mut task = Task { id: format!("T{n}"), ..Task::default() };
            task.phase = (phases > 0).then(|| format!("Phase {}", n % phases.max(1) + 1));
            task.files.create = vec![format!("d{}/f{n}.py", n % folders.max(1))];
            task
        };
        Plan { tasks: (0..tasks).map(task).collect(), ..Plan::default() }
    };
    let table = [(5, 3, 1), (11, 3, 1), (11, 2, 1), (11, 2, 4), (11, 0, 4), (16, 2, 1), (16, 0, 1)];
    let mut out = String::new();
    for (tasks, phases, folders) in table {
        let found = sub_plans::suggest(&plan(tasks, phases, folders));
        let _ = writeln!(
            out,
            "{tasks} tasks, {phases} phases, {folders} folders: nested {}, ask {}: {}",
            found.nested, found.ask, found.why
        );
    }
    insta::assert_snapshot!(out, @"
    5 tasks, 3 phases, 1 folders: nested false, ask false: 5 tasks fit in one view
    11 tasks, 3 phases, 1 folders: nested true, ask true: 11 tasks in 3 phases
    11 tasks, 2 phases, 1 folders: nested false, ask true: 11 tasks fit in one view
    11 tasks, 2 phases, 4 folders: nested true, ask true: 11 tasks in 4 parts of the repository
    11 tasks, 0 phases, 4 folders: nested true, ask true: 11 tasks in 4 parts of the repository
    16 tasks, 2 phases, 1 folders: nested true, ask true: 16 tasks
    16 tasks, 0 phases, 1 folders: nested true, ask true: 16 tasks
    ");
}
