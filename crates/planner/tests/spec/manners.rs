//! Manners of writing that other people's documents have: what divides the work, and what says nothing about the program.

use windlass_planner::spec::Spec;

use crate::facts::read_documents;

fn read(text: &str) -> Spec {
    read_documents(&[("PRD.md", text)])
}

fn stories(spec: &Spec) -> Vec<&str> {
    spec.stories.iter().map(|s| s.title.as_str()).collect()
}

fn criteria(spec: &Spec) -> Vec<&str> {
    spec.criteria.iter().map(|c| c.text.as_str()).collect()
}

/// The title of the story of each criterion.
fn owners(spec: &Spec) -> Vec<&str> {
    let title = |id: &String| spec.stories.iter().find(|s| s.id == *id).map_or("", |s| s.title.as_str());
    spec.criteria.iter().map(|c| c.story.as_ref().map_or("-", title)).collect()
}

#[test]
fn priorities_are_no_features() {
    let spec = read(
        "# Board\n\n## Features\n\n### P0 — Must have\n1. **Live feed** — shows the newest entries first\n\
         2. **Health ring** — shows the load of each machine\n\n### P1 — Should have\n1. **Heat map** — colours busy hours\n",
    );
    assert_eq!(stories(&spec), ["Live feed", "Health ring", "Heat map"]);
    assert_eq!(owners(&spec), ["Live feed", "Health ring", "Heat map"]);
}

#[test]
fn in_and_out_are_no_features() {
    let spec = read(
        "# Loader\n\n## Scope\n\n- **In:** reading two kinds of records\n- **Out:** reports, real records\n\n\
         ## Requirements\n\n- Records are masked before they are stored\n- A second load adds nothing\n",
    );
    assert!(stories(&spec).is_empty(), "{:?}", stories(&spec));
    assert_eq!(spec.criteria.len(), 2, "{:?}", criteria(&spec));
}

#[test]
fn a_requirement_called_a_phase_is_a_requirement() {
    let spec = read(
        "# Ship\n\n## Functional Requirements\n\n### FR-1: Sign-in\n\n**Priority:** MUST HAVE (MVP)\n\n\
         - Users SHALL be able to sign in\n\n**Success Criteria:**\n- A session lasts 30 days\n\n\
         ### FR-2: Build phase (orchestrated)\n\n**Priority:** MUST HAVE (MVP)\n\n- Users SHALL be able to pause a build\n\n\
         **Success Criteria:**\n- Errors are explained\n",
    );
    assert_eq!(stories(&spec).len(), 2, "{:?}", stories(&spec));
    assert_eq!(
        criteria(&spec),
        [
            "Users SHALL be able to sign in",
            "A session lasts 30 days",
            "Users SHALL be able to pause a build",
            "Errors are explained"
        ]
    );
    assert_eq!(owners(&spec)[2], stories(&spec)[1]);
}

#[test]
fn people_and_versions_are_no_criteria() {
    let spec = read(
        "# Ship\n\n## 2. User Requirements\n\n### Secondary Users\n- **Maya:** can prompt a model and wants to understand it\n\n\
         ### Anti-Persona\n- **Derek:** wants everything without effort\n\n## Requirements\n\n- A project can be deleted\n\
         - Growth rate: Not specified (later)\n- Mobile: Out of scope for now\n\nDocument version: 1.3\n",
    );
    assert_eq!(criteria(&spec), ["A project can be deleted"]);
}

#[test]
fn goals_beside_non_goals_are_not_left_out() {
    let spec = read(
        "# Globe\n\n## Goals & non-goals\n\n### Goals\n- A globe that shows every camera\n\n### Non-goals\n- No accounts\n\n\
         ## Requirements\n\n- A click opens the camera\n",
    );
    let left_out: Vec<&str> = spec.exclusions.iter().map(|e| e.text.as_str()).collect();
    assert_eq!(left_out, ["No accounts"]);
}

#[test]
fn sections_divide_the_work_beside_measures_of_success() {
    let spec = read(
        "# Globe\n\n## Personas & use cases\n- **The visitor** lands on the globe and spins it\n\n## Homepage\n\
         - Points cluster when the user zooms out\n- Hovering a point shows its name\n\n## Proxy\n\
         - `/api/proxy` takes an id and rejects addresses\n- Each image is cached for as long as its source says\n\n\
         ## Settings\n1. Copy at once? (toggle)\n2. Grid size (columns, rows)\n\n## Success criteria\n- The first paint is fast\n\n\
         ## Repo layout\n\n```\nglobe/\n├── docs/plan.md\n└── .env.example\n```\n",
    );
    assert_eq!(stories(&spec), ["Homepage", "Proxy", "Settings"]);
    assert!(owners(&spec).starts_with(&["Homepage", "Homepage", "Proxy", "Proxy"]), "{:?}", owners(&spec));
}

#[test]
fn reasons_and_summaries_of_tests_are_no_criteria() {
    let spec = read(
        "# Feature Specification: Tasks\n\n### User Story 1 - Add tasks (Priority: P1)\n\nA user adds a task.\n\n\
         **Why this priority**: Without adding, the application is not useful.\n\n\
         **Independent Test**: A user can add a task and see it.\n\n**Acceptance Scenarios**:\n\n\
         1. **Given** a menu, **When** a title is entered, **Then** the task is there\n",
    );
    assert_eq!(spec.criteria.len(), 1, "{:?}", criteria(&spec));
}

#[test]
fn wide_tables_of_data_say_nothing_and_routes_do() {
    let spec = read(
        "# Feeds\n\n## Catalogue\n\n| Region | Provider | Count | Access | Key | Endpoint |\n|---|---|---|---|---|---|\n\
         | North | Roads | 900 | JSON | no | `api.roads.example/cams` |\n| South | Ways | 90 | XML | yes | `ways.example/v2` |\n\n\
         ## Server architecture\n\n- **New endpoints:**\n  - `/api/flow` — where tasks go next\n  - `/api/goals` — goals and their state\n\n\
         ## Requirements\n\n- Every image shows its licence\n",
    );
    assert!(!criteria(&spec).iter().any(|c| c.contains("roads")), "{:?}", criteria(&spec));
    assert_eq!(criteria(&spec).iter().filter(|c| c.contains("/api/")).count(), 2, "{:?}", criteria(&spec));
}

#[test]
fn drawn_flows_say_what_happens() {
    let spec = read_documents(&[(
        "design.md",
        "# Clock\n\n## Components\n\n### Store\n\nThe store writes entries to a file.\n\n## Key Flows\n\n### Clock In Flow\n\n\
         ```\nUser clicks \"Clock In\"\n    ↓\nclockIn()\n    ├── Create a session with the time\n    ├── Save at once\n    └── Start the timer\n```\n",
    )]);
    let said = criteria(&spec);
    for step in
        ["Clock In: Create a session with the time", "Clock In: Save at once", "Clock In: Start the timer"]
    {
        assert!(said.contains(&step), "{step}: {said:?}");
    }
    let tree =
        read("# T\n\n## Layout\n\n```\nsrc/\n├── app.py  # starts it all\n└── store.py  # keeps it\n```\n");
    assert!(criteria(&tree).is_empty(), "{:?}", criteria(&tree));
}

#[test]
fn labels_of_input_and_output_are_statements() {
    let spec = read_documents(&[(
        "CHALLENGE.md",
        "But choosing can bring conflict to an otherwise quiet hour.\n\nCHALLENGE: Write a program that finds pairs of places.\n\n\
         INPUT: A JSON file with the places that people like.\n\nOUTPUT: A JSON file with a list of pairs.\n",
    )]);
    let said = criteria(&spec);
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[1].starts_with("INPUT") && said[2].starts_with("OUTPUT"), "{said:?}");
}

#[test]
fn notes_of_a_list_of_boxes_are_no_criteria() {
    let spec = read_documents(&[(
        "tasks.md",
        "# Plan\n\n## Tasks\n\n- [ ] 1. Store\n  - [ ] 1.1 Write `src/store.py`\n  - [ ] 1.2 Write `src/index.py`\n\n\
         ## Notes\n\n- Tasks marked with `*` are optional and can be skipped\n- Checkpoints ensure that all tests pass\n",
    )]);
    assert!(criteria(&spec).is_empty(), "{:?}", criteria(&spec));
}

#[test]
fn a_file_that_something_is_in_is_named() {
    let named = |text: &str| -> Vec<String> {
        read_documents(&[("IDEA.md", text)]).mentions.iter().map(|row| row.path.clone()).collect()
    };
    assert_eq!(named("# Slugs\n\n- `slugify(text)` in `slug.py` lowers the text\n"), ["slug.py"]);
    assert_eq!(named("# Tool\n\nCreate a utility (`convert.py`) that reads pages.\n"), ["convert.py"]);
    assert!(named("# Tool\n\n- Prints the version when the user runs `main.py`\n").is_empty());
}

#[test]
fn documents_that_differ_in_a_number_are_asked_about() {
    let rule = |n: u32| {
        format!("# Limits\n\n## Acceptance Criteria\n\n- A password must have at least {n} characters\n")
    };
    let asked = |one: u32, other: u32| {
        let (one, other) = (rule(one), rule(other));
        read_documents(&[("a.md", &one), ("b.md", &other)])
            .questions
            .iter()
            .map(|q| q.text.clone())
            .collect::<Vec<_>>()
    };
    assert!(asked(8, 8).is_empty());
    let [question] = &asked(8, 12)[..] else { panic!("one question") };
    assert!(question.contains("`a.md`") && question.contains("12 characters"), "{question}");
}
