//! The document's design, planned in a small repository like the one it is about.

use serde_json::Value;
use windlass_testkit::TestRepo;

use crate::frame::{empty, fixture};

/// A Python package with the files that the design changes, formatted by ruff and tested by pytest.
pub(crate) fn zerg() -> TestRepo {
    empty()
        .file(
            "pyproject.toml",
            "[project]\nname = \"zerg\"\nversion = \"0.1\"\n\n[tool.ruff]\nline-length = 100\n",
        )
        .file("zerg/__init__.py", "")
        .file(
            "zerg/config.py",
            "class ZergConfig:\n    def __init__(self) -> None:\n        self.workers = 5\n",
        )
        .file("zerg/schemas/task_graph.json", "{\"type\": \"object\"}\n")
        .file("zerg/commands/__init__.py", "")
        .file("zerg/commands/design.py", "def design() -> int:\n    return 0\n")
        .file("zerg/commands/status.py", "def status() -> int:\n    return 0\n")
        .file("zerg/data/commands/worker.core.md", "# Worker\n")
        .file("tests/unit/test_config.py", TEST)
        .file("docs/design.md", &fixture("000/design.md"))
        .committed()
}

const TEST: &str = "from zerg.config import ZergConfig\n\n\ndef test_config() -> None:\n    assert ZergConfig().workers == 5\n";

/// The document's plan in a format, as JSON.
fn planned(repo: &TestRepo, more: &[&str]) -> Value {
    let out = repo.windlass(&[&["plan", "docs/design.md", "--stdout"], more].concat()).ends(0);
    serde_json::from_str(&out.stdout).unwrap()
}

/// A field of every item of a list, as text.
pub(crate) fn each<'v>(list: &'v Value, field: &str) -> Vec<&'v str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap_or_default()).collect()
}

pub(super) fn every_task_has_ordered_steps() {
    let plan = planned(&zerg(), &["--format", "zerg"]);
    for task in plan["tasks"].as_array().unwrap() {
        let numbers: Vec<u64> =
            task["steps"].as_array().unwrap().iter().map(|step| step["step"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "{}", task["id"]);
        assert!(!numbers.is_empty(), "{}", task["id"]);
    }
}

fn first_steps() -> Value {
    planned(&zerg(), &["--format", "zerg"])["tasks"][0]["steps"].take()
}

pub(super) fn the_template_has_six_steps() {
    let steps = first_steps();
    assert_eq!(
        each(&steps, "action"),
        ["write_test", "verify_fail", "implement", "verify_pass", "format", "commit"]
    );
}

pub(super) fn the_template_says_what_is_verified() {
    let steps = first_steps();
    assert_eq!(
        each(&steps, "verify"),
        ["none", "exit_code_nonzero", "none", "exit_code", "exit_code", "exit_code"]
    );
}

/// A task of the document's plan.
fn task(plan: &Value, id: &str) -> Value {
    let found = plan["tasks"].as_array().unwrap().iter().find(|task| task["id"] == id);
    found.unwrap_or_else(|| panic!("no task {id}")).clone()
}

pub(super) fn the_commit_step_has_its_command() {
    let steps = first_steps();
    let run = steps[5]["run"].as_str().unwrap();
    assert!(
        run.starts_with("git add -A -- zerg/formatter_detector.py ") && run.contains("&& git commit -m"),
        "{run}"
    );
}

/// The order that the document draws, and the levels of its ids.
const DRAWN: [(&str, &[&str]); 8] = [
    ("BITE-L2-001", &["BITE-L1-001", "BITE-L1-002", "BITE-L1-003", "BITE-L2-002", "BITE-L2-003"]),
    ("BITE-L3-001", &["BITE-L2-001", "BITE-L2-004"]),
    ("BITE-L3-002", &["BITE-L2-001", "BITE-L2-004"]),
    ("BITE-L3-003", &["BITE-L2-001", "BITE-L2-004"]),
    ("BITE-L4-001", &["BITE-L3-001", "BITE-L3-002", "BITE-L3-003"]),
    ("BITE-L4-002", &["BITE-L4-001"]),
    ("BITE-L5-001", &["BITE-L4-002"]),
    ("BITE-L1-001", &[]),
];

/// Everything a task waits for, directly or not.
fn ancestors(plan: &Value, id: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![id.to_owned()];
    while let Some(next) = open.pop() {
        for before in task(plan, &next)["depends_on"].as_array().into_iter().flatten() {
            let before = before.as_str().unwrap().to_owned();
            if !all.contains(&before) {
                all.push(before.clone());
                open.push(before);
            }
        }
    }
    all
}

fn has_the_drawn_order(plan: &Value) {
    assert_eq!(plan["tasks"].as_array().unwrap().len(), 13);
    for (after, before) in DRAWN {
        let waits = ancestors(plan, after);
        for id in before {
            assert!(waits.iter().any(|w| w == id), "{after} does not wait for {id}: {waits:?}");
        }
    }
    for task in plan["tasks"].as_array().unwrap() {
        let level: i64 = task["id"].as_str().unwrap()[6..7].parse().unwrap();
        assert_eq!(task["level"], level, "{}", task["id"]);
    }
}

pub(super) fn the_graph_orders_the_tasks() {
    has_the_drawn_order(&planned(&zerg(), &["--format", "json"]));
}

/// The document as it was received: UTF-8 read as Windows-1252, with bytes lost on the way.
fn received() -> (Value, String) {
    let repo = zerg().file("docs/design.md", &fixture("000/as-received.md"));
    let out = repo.windlass(&["plan", "docs/design.md", "--stdout", "--format", "json"]).ends(0);
    (serde_json::from_str(&out.stdout).unwrap(), out.stderr)
}

pub(super) fn wrong_decoding_is_repaired_and_said() {
    let (plan, said) = received();
    has_the_drawn_order(&plan);
    assert!(said.contains("was decoded wrongly"), "{said}");
}

pub(super) fn a_task_of_the_graph_alone_is_a_gate() {
    for plan in [planned(&zerg(), &["--format", "json"]), received().0] {
        let gate = task(&plan, "BITE-L5-001");
        assert_eq!(gate["title"], "Check: Quality");
        assert!(gate["verification"]["script"].as_str().unwrap().contains("pytest"), "{gate:#}");
    }
}

pub(super) fn phases_have_the_names_of_the_document() {
    let repo = zerg();
    let graph = planned(&repo, &["--format", "zerg"]);
    let names: Vec<&str> =
        ["1", "2", "3", "4", "5"].iter().map(|n| graph["levels"][n]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Foundation", "Core", "Integration", "Testing", "Quality"]);
    assert_eq!(task(&graph, "BITE-L3-002")["phase"], "Integration");
    // A summary may leave out a last level; the others keep their names.
    let text = fixture("000/design.md").replace("| Quality | 1 | No | 15m |\n", "");
    repo.write("docs/design.md", &text);
    let graph = planned(&repo, &["--format", "zerg"]);
    assert_eq!(task(&graph, "BITE-L4-001")["phase"], "Testing");
    assert_eq!(task(&graph, "BITE-L5-001")["phase"].as_str().unwrap_or_default(), "");
}

pub(super) fn phases_have_the_times_of_the_document() {
    let plan = planned(&zerg(), &["--format", "json"]);
    for (level, minutes) in [(1, 25.0), (2, 60.0), (3, 40.0), (4, 30.0), (5, 15.0)] {
        let own = plan["tasks"].as_array().unwrap().iter().filter(|task| task["level"] == level);
        let sum: f64 = own.map(|task| task["estimate_minutes"].as_f64().unwrap()).sum();
        assert!((sum - minutes).abs() < 0.5, "level {level}: {sum} instead of {minutes}");
    }
}

pub(super) fn responsibilities_become_objectives() {
    let plan = planned(&zerg(), &["--format", "json"]);
    assert_eq!(task(&plan, "BITE-L2-003")["objective"], "Track familiarity/success for detail adjustment");
    assert!(task(&plan, "BITE-L3-002")["title"].as_str().unwrap().contains("StepProgressUI"));
    let two = "# Design\n\n## Components\n\n| Component | Responsibility | Files |\n|---|---|---|\n\
        | Invoices | Make invoices | `shop/invoice.py` |\n| Orders | Take orders | `shop/order.py` |\n";
    let repo = empty().file("docs/design.md", two).committed();
    let plan = planned(&repo, &["--format", "json"]);
    assert_eq!(each(&plan["tasks"], "objective"), ["Make invoices", "Take orders"]);
}

pub(super) fn interfaces_become_contracts() {
    let plan = planned(&zerg(), &["--format", "json"]);
    for (id, name) in [
        ("BITE-L1-001", "def detect_for_files"),
        ("BITE-L2-002", "def generate_impl_snippet"),
        ("BITE-L2-003", "def should_reduce_detail"),
        ("BITE-L2-004", "def execute_task"),
    ] {
        let contract = task(&plan, id)["contract"][0]["code"].as_str().unwrap_or_default().to_owned();
        assert!(contract.contains(name), "{id}: {contract}");
    }
}

/// What the design shows about a component is in the brief of the agent that makes it.
pub(super) fn the_design_reaches_the_worker() {
    let repo = zerg();
    repo.windlass(&["plan", "docs/design.md", "--yes"]).ends(0);
    let brief = |id: &str| {
        let out = repo.windlass(&[
            "run",
            "--agent",
            "cmd:true",
            "--dry-run",
            "--briefs",
            "--yes",
            "--until",
            id,
            "--json",
        ]);
        let json: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}\n{out}"));
        task(&json, id)["brief"].as_str().unwrap_or_default().to_owned()
    };
    assert!(brief("BITE-L2-004").contains("Expected failure but got success"));
    assert!(brief("BITE-L2-003").contains("adaptive_success_threshold"));
    assert!(brief("BITE-L1-003").contains("exit_code_nonzero"));
    assert!(
        brief("BITE-L2-001").contains("| 2 | verify_fail | exit_code_nonzero | Run test, expect failure |")
    );
}

pub(super) fn decisions_reach_tasks() {
    let plan = planned(&zerg(), &["--format", "json"]);
    let told = |word: &str| {
        plan["tasks"]
            .as_array()
            .unwrap()
            .iter()
            .any(|t| t["notes"].as_str().unwrap_or_default().contains(word))
    };
    for decision in
        ["Exit Code Only for Verification", "Strict Step Protocol", "AST-Based Snippet Generation"]
    {
        assert!(told(decision), "{decision}");
    }
    let stray = "# Design\n\n## Components\n\n| Component | Responsibility | Files |\n|---|---|---|\n\
        | Invoices | Make invoices | `shop/invoice.py` |\n| Orders | Take orders | `shop/order.py` |\n\n\
        ### ADR-1: Colours of the logo\n\n**Decision**: Purple.\n";
    let repo = empty().file("docs/design.md", stray).committed();
    repo.windlass(&["plan", "docs/design.md", "--stdout", "--format", "json"])
        .ends(0)
        .says("matches no task");
}

/// Each file has one owner, in both layouts of tests that the repository may have.
pub(super) fn every_file_has_one_owner() {
    let flat = zerg();
    flat.git(&["mv", "tests/unit/test_config.py", "tests/test_config.py"]);
    flat.commit("tests in one folder");
    for repo in [zerg(), flat] {
        let plan = planned(&repo, &["--format", "json"]);
        let mut owners: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
        for task in plan["tasks"].as_array().unwrap() {
            let mut own: Vec<&str> = ["create", "modify"]
                .iter()
                .flat_map(|k| task["files"][k].as_array().into_iter().flatten())
                .filter_map(Value::as_str)
                .collect();
            own.extend(task["test"]["file"].as_str());
            own.sort_unstable();
            own.dedup();
            for path in own {
                // pytest cannot tell two modules of one name apart.
                let name = path.rsplit('/').next().unwrap().to_owned();
                owners.entry(name).or_default().push(task["id"].as_str().unwrap().to_owned());
            }
        }
        let shared: Vec<_> =
            owners.iter().filter(|(name, ids)| name.starts_with("test_") && ids.len() > 1).collect();
        assert!(shared.is_empty(), "{shared:?}");
    }
}

pub(super) fn risks_and_exclusions_are_said() {
    let repo = zerg();
    let out = repo.windlass(&["plan", "docs/design.md", "--stdout", "--format", "json"]).ends(0);
    out.says("risks match no task").says("3 lines under `1.3 Non-Goals`");
}

pub(super) fn lines_about_tests_reach_tasks() {
    let plan = planned(&zerg(), &["--format", "json"]);
    let notes: String = plan["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["notes"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert!(
        notes.contains("Threshold logic, metric tracking")
            && notes.contains("Pattern extraction, snippet generation")
    );
}

pub(super) fn thresholds_are_keys_of_the_configuration() {
    let repo = empty().file("a.md", "# A\n").committed();
    repo.write("windlass.toml", "[planning]\nfamiliar_touches = 2\nfamiliar_success = 90\n");
    repo.windlass(&["plan", "a.md"]).ends(2).says("nothing to plan was found");
    repo.write("windlass.toml", "[planning]\nadaptive_familiarity_threshold = 2\n");
    repo.windlass(&["plan", "a.md"]).ends(2).says("adaptive_familiarity_threshold");
}
