//! Phases: proposed, asked about, kept, carried out, shown.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use crate::frame::{empty, typed};

/// A task of the document's model that a shell script proves.
fn leaf(id: &str, after: &[&str]) -> Value {
    json!({ "id": id, "description": format!("Do {id}"), "state": "pending", "dependencies": after,
        "windlass": { "files": { "create": [format!("{id}.txt")] } }, "test_command": format!("test -s {id}.txt") })
}

/// The vi editor of the document: three phases, each a sub-project of three tasks.
fn editor() -> TestRepo {
    let parent = |n: usize, title: &str, after: &[&str]| {
        json!({ "id": format!("phase-{n}"), "description": format!("Phase {n}: {title}"), "state": "pending",
            "dependencies": after, "is_parent": true, "sub_project_id": format!("phase-{n}-project") })
    };
    let project = |id: &str, tasks: Vec<Value>| {
        let named: serde_json::Map<String, Value> =
            tasks.into_iter().map(|t| (t["id"].as_str().unwrap().to_owned(), t)).collect();
        json!({ "id": id, "name": id, "tasks": named }).to_string()
    };
    let top = vec![
        parent(1, "Foundation", &[]),
        parent(2, "Buffer Management", &["phase-1"]),
        parent(3, "Navigation", &["phase-1"]),
    ];
    let three = |what: &str| {
        let (a, b, c) = (format!("{what}-tests"), format!("{what}-impl"), format!("{what}-integration"));
        vec![leaf(&a, &[]), leaf(&b, &[a.as_str()]), leaf(&c, &[b.as_str()])]
    };
    empty()
        .file("projects/vi.json", &project("vi", top))
        .file("projects/phase-1-project.json", &project("phase-1-project", three("foundation")))
        .file("projects/phase-2-project.json", &project("phase-2-project", three("buffer")))
        .file("projects/phase-3-project.json", &project("phase-3-project", three("navigation")))
        .committed()
}

/// An agent that writes the file of every task, but nothing for one of them.
fn run(repo: &TestRepo) {
    repo.script("[buffer-impl]\nsay nothing\n[*]\nwrite {task}.txt done\n");
    repo.run(&["projects/vi.json", "--yes", "--jobs", "2"]).ends(1);
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
    repo.windlass(&["plan", "Build a vi editor"]).ends(2).says("--agent");
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

pub(super) fn the_report_has_goals_and_triggers() {
    let repo = editor();
    run(&repo);
    let said = repo.windlass(&["report"]).ends(0).screen();
    for goal in [
        "tasks whose tests pass at the end",
        "above 80 %",
        "tasks completed with failing tests | 0 | 0 | reached",
    ] {
        assert!(said.contains(goal), "{goal}: {said}");
    }
    for trigger in [
        "below 50 %",
        "above 30 %",
        "let pass or skipped",
        "tests were not found",
        "levels of parents",
        "model's context",
        "hard to follow",
    ] {
        assert!(said.contains(trigger), "{trigger}: {said}");
    }
}
