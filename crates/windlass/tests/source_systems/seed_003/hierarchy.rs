//! Phases: proposed, asked about, kept, carried out, shown.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use super::verified::{module, nested, task};
use crate::frame::{codes, empty, json as printed, typed, write};

/// The vi editor of the document: its phases are sub-projects, its tasks have the document's names and fields and no list of
/// files. In each area a task writes the tests, the next makes them pass.
fn editor() -> TestRepo {
    let parent = |n: usize, title: &str, after: &[&str]| {
        let sub = [("is_parent", json!(true)), ("sub_project_id", json!(format!("phase-{n}-project")))];
        let mut task = task(&format!("phase-{n}"), after, &sub);
        task["description"] = format!("Phase {n}: {title}").into();
        task
    };
    let project = |id: &str, tasks: &[Value]| {
        let named: serde_json::Map<String, Value> =
            tasks.iter().map(|t| (t["id"].as_str().unwrap().to_owned(), t.clone())).collect();
        json!({ "id": id, "name": id, "tasks": named }).to_string()
    };
    let untested = [("requires_testing", json!(false))];
    let foundation = [
        task("design-architecture", &[], &untested),
        task(
            "create-test-framework",
            &["design-architecture"],
            &[("test_command", json!("python3 -m unittest tests/test_framework.py"))],
        ),
        task("setup-project-structure", &["design-architecture"], &untested),
    ];
    let area = |what: &str| {
        let (tests, code) = (format!("{what}-tests"), format!("{what}-impl"));
        let file = |name: &str| [("test_file", json!(format!("tests/test_{name}.py")))];
        vec![
            task(&tests, &[], &untested),
            task(&code, &[tests.as_str()], &file(what)),
            task(&format!("{what}-integration"), &[code.as_str()], &file(&format!("{what}_integration"))),
        ]
    };
    let top = [
        parent(1, "Foundation", &[]),
        parent(2, "Buffer Management", &["phase-1"]),
        parent(3, "Navigation", &["phase-1"]),
    ];
    empty()
        .file("vi/__init__.py", "")
        .file("tests/__init__.py", "")
        .file("projects/vi.json", &project("vi", &top))
        .file("projects/phase-1-project.json", &project("phase-1-project", &foundation))
        .file("projects/phase-2-project.json", &project("phase-2-project", &area("buffer")))
        .file("projects/phase-3-project.json", &project("phase-3-project", &area("navigation")))
        .committed()
}

/// An agent that does what each task says, but cannot put text into a buffer.
fn script() -> String {
    let test = |name: &str, call: &str| {
        let (module, function) = (name.replace("_integration", "_all"), call.split('(').next().unwrap());
        write(
            &format!("tests/test_{name}.py"),
            &format!(
                "import unittest\n\nfrom vi.{module} import {function}\n\n\nclass T(unittest.TestCase):\n    def test_{name}(self):\n        self.assertEqual({call})\n"
            ),
        )
    };
    let again = |name: &str, what: &str| {
        write(
            &format!("vi/{name}_all.py"),
            &format!(
                "from vi.{name} import {what} as inner\n\n\ndef {what}(*given):\n    return inner(*given)\n"
            ),
        )
    };
    [
        "[design-architecture]\nwrite docs/architecture.md # A buffer, and a cursor in it\n[setup-project-structure]\nwrite README.md # Vi\n".to_owned(),
        "[create-test-framework write_test]\n".to_owned() + &test("framework", "keys('ab'), ['a', 'b']"),
        "[create-test-framework]\n".to_owned() + &module("framework", "def keys(text):\n    return list(text)\n"),
        "[buffer-tests]\n".to_owned() + &test("buffer", "put('ab', 1, 'X'), 'aXb'"),
        "[buffer-impl]\n".to_owned() + &module("buffer", "def put(text, at, what):\n    return text + what\n") + "append vi/buffer.py # {step} {try}\n",
        "[navigation-tests]\n".to_owned() + &test("navigation", "right('ab', 0), 1"),
        "[navigation-impl]\n".to_owned() + &module("navigation", "def right(text, at):\n    return min(at + 1, len(text))\n"),
        "[navigation-integration write_test]\n".to_owned() + &test("navigation_integration", "right('ab', 2), 2"),
        "[navigation-integration]\n".to_owned() + &again("navigation", "right"),
    ]
    .concat()
}

/// Carries the editor out; one task of the second phase fails.
fn run(repo: &TestRepo) {
    repo.script(&script());
    repo.start_run(&["projects/vi.json", "--yes", "--jobs", "2"]).wait_long().ends(1);
}

pub(super) fn a_project_finds_its_sub_projects() {
    let repo = editor();
    let said = repo.windlass(&["graph", "projects/vi.json"]).ends(0).screen();
    assert!(said.contains("navigation-integration"), "{said}");
}

pub(super) fn a_cycle_of_projects_is_named() {
    let one = |id: &str, sub: &str| {
        json!({ "id": id, "name": id, "tasks": { format!("t-{id}"): { "id": format!("t-{id}"), "description": "x",
            "state": "pending", "dependencies": [], "is_parent": true, "sub_project_id": sub } } })
        .to_string()
    };
    let repo = empty().file("p/a.json", &one("a", "b")).file("p/b.json", &one("b", "a")).committed();
    let said = repo.windlass(&["check", "p"]).screen();
    assert!(said.contains("a, b") && said.contains("cycle") && !said.contains("()"), "{said}");
}

pub(super) fn phases_are_shown_by_name_and_depth() {
    let repo = editor();
    run(&repo);
    let tree = repo.windlass(&["status"]).ends(0).screen();
    assert!(tree.contains("Phase 1: Foundation (3/3 tasks complete)"), "{tree}");
    assert!(tree.contains("Phase 2: Buffer Management (1/3 tasks complete)"), "{tree}");
    let (phases, next) = (tree.find("Phase 3").unwrap(), tree.rfind("next:").unwrap_or(usize::MAX));
    assert!(phases < next, "the tree comes before what to do next: {tree}");
    let folded = repo.windlass(&["status", "--depth", "0"]).ends(0).screen();
    assert!(
        folded.contains("Phase 3: Navigation (3/3 tasks complete)") && !folded.contains("navigation-impl"),
        "{folded}"
    );
    let shown = repo.windlass(&["show", "--depth", "2"]).ends(0).screen();
    assert!(shown.contains("buffer-impl"), "{shown}");
    let flat = repo.windlass(&["status", "--flat"]).ends(0).screen();
    assert!(!flat.contains("Phase 1"), "{flat}");
    let json = repo.windlass(&["status", "--json", "--depth", "0"]).ends(0);
    let doc: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(doc["tasks"], json!([]));
    assert_eq!(doc["parents"][1]["title"], "Phase 2: Buffer Management");
    assert_eq!(doc["parents"][1]["completed"], 1);
    assert_eq!(doc["parents"][1]["tasks"], 3);
}

pub(super) fn a_phase_can_be_looked_into() {
    let repo = editor();
    run(&repo);
    for command in ["status", "show"] {
        let said = repo.windlass(&[command, "phase-2"]).ends(0).screen();
        assert!(said.contains("Phase 2: Buffer Management (1/3 tasks complete)"), "{said}");
        assert!(said.contains("buffer-impl") && !said.contains("navigation-impl"), "{said}");
    }
    let json = repo.windlass(&["status", "phase-2", "--json"]).ends(0);
    let doc: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(doc["tasks"].as_array().unwrap().len(), 3);
    repo.windlass(&["status", "phase-9"]).ends(2);
}

/// The document's hierarchy with a phase that fails: others are carried out, the failure stays in its phase.
pub(super) fn a_failing_phase_stays_alone() {
    let repo = editor();
    run(&repo);
    let json = repo.windlass(&["status", "--json"]).ends(0);
    let doc: Value = serde_json::from_str(&json.stdout).unwrap();
    let state = |id: &str| {
        let all = doc["tasks"].as_array().unwrap();
        all.iter().find(|t| t["id"] == id).map_or(String::new(), |t| t["state"].as_str().unwrap().to_owned())
    };
    assert_eq!(state("buffer-impl"), "failed");
    assert_eq!(state("buffer-integration"), "skipped");
    assert_eq!(state("navigation-integration"), "completed");
    assert_eq!(doc["parents"][0]["state"], "completed");
    assert_eq!(doc["parents"][2]["state"], "completed");
}

fn python() -> TestRepo {
    empty().file("pyproject.toml", "[tool.pytest.ini_options]\n").file("src/__init__.py", "").committed()
}

pub(super) fn an_idea_becomes_phases() {
    let repo = python();
    // Without an agent the sentence is one task, and the agent is offered.
    python()
        .windlass(&["plan", "Build a vi editor"])
        .ends(0)
        .says("`--agent NAME` lets an agent complete it");
    // The first turn proposes phases, the second fills them.
    let plan = json!({ "tasks": [
        { "id": "phase-1", "title": "Phase 1: Buffer" },
        { "id": "buffer", "title": "Add a buffer of lines", "parent": "phase-1",
          "files": { "create": ["src/buffer.py", "tests/test_buffer.py"] }, "test": { "file": "tests/test_buffer.py" },
          "criteria": [{ "id": "AC-1", "text": "Buffer().lines returns an empty list" }] },
        { "id": "phase-2", "title": "Phase 2: File I/O", "depends_on": ["phase-1"] },
        { "id": "files", "title": "Add reading of files", "parent": "phase-2",
          "files": { "create": ["src/files.py", "tests/test_files.py"] }, "test": { "file": "tests/test_files.py" },
          "criteria": [{ "id": "AC-2", "text": "read_file('x') returns its lines" }] } ] });
    let phases = json!({ "phases": [{ "title": "Buffer", "about": "text" }, { "title": "File I/O", "about": "files" }] });
    repo.write(
        "planner.sh",
        &format!(
            "if grep -q 'propose the phases' \"$WINDLASS_BRIEF\"; then\ncat <<'END'\n{phases}\nEND\nelse\ncat <<'END'\n{plan}\nEND\nfi\n"
        ),
    );
    repo.commit("planner");
    let agent = format!("cmd:sh {}", repo.path("planner.sh").display());
    let said = repo.windlass(&["plan", "Build a vi editor", "--agent", &agent, "--yes"]);
    let screen = said.screen();
    assert!(screen.contains("1. Buffer (text)") && screen.contains("2. File I/O (files)"), "{screen}");
    said.ends(0);
    let folders: Vec<_> =
        std::fs::read_dir(repo.path("plans")).unwrap().flatten().map(|e| e.path()).collect();
    let shown = repo.windlass(&["export", folders[0].to_str().unwrap(), "--to", "json", "--stdout"]).ends(0);
    assert!(
        shown.stdout.contains("\"phase-1\"") && shown.stdout.contains("src/buffer.py"),
        "{}",
        shown.stdout
    );
}

pub(super) fn criteria_below_phases_are_kept() {
    let mut text = String::from("# Vi\n");
    for n in 1..=3 {
        text.push_str(&format!("\n## Phase {n}: Part {n}\n\n### US-{n}: Move {n}\n\nAs a user, I want to move {n}.\n\n- [ ] AC-{n}: `move{n}(1)` returns {n}\n"));
    }
    let repo = python().file("spec.md", &text);
    let plan = repo.windlass(&["plan", "spec.md", "--yes", "--stdout", "--format", "json"]).ends(0);
    let plan: Value = serde_json::from_str(&plan.stdout).unwrap();
    let criteria = plan["criteria"].as_array().map_or(0, Vec::len);
    assert_eq!(criteria, 3, "{plan}");
    let list = "# Vi\n\n## Phase 1: Foundation\n\n- [ ] Design the buffer\n- [ ] Create a test framework\n\n## Phase 2: Editing\n\n- [ ] Insert text at the cursor\n- [ ] Delete a line\n";
    let repo = python().file("list.md", list);
    let plan = repo.windlass(&["plan", "list.md", "--yes", "--stdout", "--format", "json"]).ends(0);
    let plan: Value = serde_json::from_str(&plan.stdout).unwrap();
    assert_eq!(plan["tasks"].as_array().unwrap().len(), 4, "{plan}");
}

fn many(count: usize) -> String {
    let mut text = String::from("# Vi\n\n## User stories\n");
    for n in 1..=count {
        text.push_str(&format!(
            "\n### US-{n}: Part {n}\n\nAs a user, I want part{n}.\n\n- AC-{n}: `part{n}(1)` returns {n}\n"
        ));
    }
    text
}

pub(super) fn a_large_flat_plan_is_grouped() {
    let repo = python().file("spec.md", &many(22));
    let plan = repo
        .windlass(&["plan", "spec.md", "--yes", "--stdout", "--format", "json", "--profile", "superplanner"])
        .ends(0);
    let plan: Value = serde_json::from_str(&plan.stdout).unwrap();
    let tasks = plan["tasks"].as_array().unwrap();
    let parents = tasks.iter().filter(|t| t["sub_plan"].is_string()).count();
    assert!(parents > 1, "{parents}");
    let said = repo.windlass(&["plan", "spec.md", "--yes", "-o", "out"]).ends(0).screen();
    assert!(said.contains("--max-depth 2"), "{said}");
    let few = python().file("spec.md", &many(6));
    let plan = few
        .windlass(&["plan", "spec.md", "--yes", "--stdout", "--format", "json", "--profile", "superplanner"])
        .ends(0);
    assert!(!plan.stdout.contains("sub_plan"), "few tasks stay flat");
}

/// Eighteen stories in six phases.
fn phased() -> TestRepo {
    let mut text = String::from("# Vi\n");
    for phase in 1..=6 {
        text.push_str(&format!("\n## Phase {phase}: Area {phase}\n"));
        for n in 1..=3 {
            let id = phase * 10 + n;
            text.push_str(&format!("\n### US-{id}: Part {id}\n\nAs a user, I want part{id}.\n\n- AC-{id}: `part{id}(1)` returns {id}\n"));
        }
    }
    python().file("spec.md", &text)
}

fn parents(repo: &TestRepo, folder: &str) -> Vec<String> {
    let plan = repo.windlass(&["export", folder, "--to", "json", "--stdout"]).ends(0);
    let plan: Value = serde_json::from_str(&plan.stdout).unwrap();
    let all = plan["tasks"].as_array().unwrap().iter().filter(|t| t["sub_plan"].is_string());
    all.map(|t| t["title"].as_str().unwrap().to_owned()).collect()
}

pub(super) fn a_person_is_asked_first() {
    let repo = phased();
    let said = typed(&repo, &["plan", "spec.md", "-o", "flat"], "no\n");
    assert!(said.contains("1. Phase 1: Area 1 (3)") && said.contains("group them by phase?"), "{said}");
    assert_eq!(parents(&repo, "flat"), Vec::<String>::new());
    typed(&repo, &["plan", "spec.md", "-o", "nested"], "\n");
    assert_eq!(parents(&repo, "nested").len(), 6);
}

pub(super) fn phases_can_be_customised() {
    let repo = phased();
    let said = typed(&repo, &["plan", "spec.md", "-o", "own"], "c\n1+2 Core, 3\n2\n");
    let parents = parents(&repo, "own");
    assert!(parents.iter().any(|title| title.contains("Core")), "{parents:?} {said}");
    assert_eq!(parents.len(), 5, "{parents:?}");
}

/// The parents of a plan as `status` tells them.
fn parent_states(repo: &TestRepo) -> Vec<String> {
    let status = printed(repo, &["status", "--json"]);
    status["parents"].as_array().unwrap().iter().map(|p| p["state"].as_str().unwrap().to_owned()).collect()
}

pub(super) fn parents_are_read() {
    let plan = printed(&editor(), &["export", "projects/vi.json", "--to", "json", "--stdout"]);
    let parent = |id: &str| {
        let all = plan["tasks"].as_array().unwrap();
        all.iter()
            .find(|t| t["id"] == id)
            .and_then(|t| t["parent"].as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    assert_eq!(
        (parent("buffer-impl").as_str(), parent("design-architecture").as_str()),
        ("phase-2", "phase-1")
    );
    let flat = [
        task("area", &[], &[("is_parent", json!(true))]),
        task("part", &[], &[("parent_id", json!("area")), ("test_command", json!("test -s x"))]),
    ];
    let repo = empty().file("docs/vi.json", &super::verified::project(&flat)).committed();
    let plan = printed(&repo, &["export", "docs/vi.json", "--to", "json", "--stdout"]);
    assert!(plan["tasks"].as_array().unwrap().iter().any(|t| t["parent"] == "area"), "{plan}");
}

/// A parent is in progress while its children are at work, and completed with them.
pub(super) fn parents_follow_their_children() {
    let repo = editor();
    repo.script(&script().replace(
        "[setup-project-structure]\n",
        "[setup-project-structure]\nwrite {home}/began yes\nwait-for {home}/go\n",
    ));
    let running = repo.start_run(&["projects/vi.json", "--yes", "--jobs", "2"]);
    let began = repo.home().join("began");
    windlass_testkit::eventually("a task of the first phase is at work", || began.exists());
    assert_eq!(parent_states(&repo), ["in_progress", "pending", "pending"]);
    std::fs::write(repo.home().join("go"), "").unwrap();
    running.wait_long().ends(1);
    assert_eq!(parent_states(&repo), ["completed", "failed", "completed"]);
}

/// The failure of a subtask fails its ancestors and no other task; a parent is in progress only while a subtask is.
pub(super) fn failures_bubble_up() {
    let repo = editor();
    run(&repo);
    assert_eq!(parent_states(&repo), ["completed", "failed", "completed"]);
    let said = repo.windlass(&["status", "phase-2"]).ends(0).screen();
    assert!(said.contains("buffer-impl") && said.contains("failed"), "{said}");
}

pub(super) fn the_depth_is_limited() {
    let laid = |depth: usize| {
        let mut repo = empty();
        for (path, text) in nested(depth) {
            repo = repo.file(&path, &text);
        }
        repo.agent("[*]\nwrite leaf.txt x\n").committed()
    };
    assert_eq!(codes(&laid(3), "projects/p0.json").0, Some(0));
    let deep = laid(5);
    let (code, found) = codes(&deep, "projects/p0.json");
    assert!(code == Some(1) && found.iter().any(|c| c == "WL0155"), "{found:?}");
    deep.run(&["projects/p0.json", "--yes"]).ends(1).says("the run does not start");
}

fn planned(repo: &TestRepo, more: &[&str]) -> Vec<Value> {
    let args = [&["plan", "spec.md", "--yes", "--stdout", "--format", "json"], more].concat();
    printed(repo, &args)["tasks"].as_array().unwrap().clone()
}

pub(super) fn flat_stays_flat() {
    let tasks = planned(&phased(), &["--flat", "--profile", "superplanner"]);
    assert_eq!((tasks.len(), tasks.iter().filter(|t| t["parent"].is_string()).count()), (18, 0));
}

pub(super) fn the_depth_is_chosen() {
    let tasks = planned(&phased(), &["--max-depth", "2"]);
    assert_eq!((tasks.len(), tasks.iter().filter(|t| t["parent"].is_string()).count()), (24, 18));
}

/// The second phase is planned alone, on top of what the first has made.
pub(super) fn a_phase_is_planned_from_what_is_there() {
    let repo = phased();
    let second = planned(&repo, &["--phase", "2"]);
    assert_eq!(second.len(), 3, "{second:?}");
    assert!(second.iter().all(|t| t["title"].as_str().unwrap().contains('2')), "{second:?}");
    repo.windlass(&["plan", "spec.md", "--yes", "--phase", "9"]).ends(2).says("6");
}

pub(super) fn phases_have_fewer_than_ten_tasks() {
    let mut text = String::from("# Vi\n\n## Phase 1: All of it\n");
    for n in 1..=22 {
        text.push_str(&format!(
            "\n### US-{n}: Part {n}\n\nAs a user, I want part{n}.\n\n- AC-{n}: `part{n}(1)` returns {n}\n"
        ));
    }
    let tasks = planned(&python().file("spec.md", &text), &["--max-depth", "2"]);
    let mut sizes: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for task in tasks.iter().filter_map(|t| t["parent"].as_str()) {
        *sizes.entry(task.to_owned()).or_default() += 1;
    }
    assert!(sizes.len() > 2 && sizes.values().all(|n| *n < 10), "{sizes:?}");
    let twelve: Vec<Value> =
        (0..12).map(|n| task(&format!("t{n}"), &[], &[("test_command", json!("test -s x"))])).collect();
    let sub = super::verified::project(&twelve).replacen("\"vi\"", "\"sub\"", 1);
    let top = super::verified::project(&[task(
        "all",
        &[],
        &[("is_parent", json!(true)), ("sub_project_id", json!("sub"))],
    )]);
    let repo = empty().file("p/vi.json", &top).file("p/sub.json", &sub).committed();
    assert!(codes(&repo, "p/vi.json").1.iter().any(|c| c == "WL0115"));
}
