//! What else planning and the commands around it promise.

use serde_json::Value;

use super::session::HomerunRepo;
use crate::frame::{empty, fixture};

pub(super) fn the_graph_is_drawn() {
    let repo = empty().file("docs/tasks.json", &fixture("001/tasks.json")).committed();
    repo.windlass(&["graph", "docs/tasks.json"]).ends(0).says("001").says("002");
    let plain = repo.windlass(&["graph", "docs/tasks.json", "--ascii"]).ends(0);
    assert!(plain.stdout.is_ascii() && plain.stdout.contains("001"), "{plain}");
}

pub(super) fn a_cycle_in_the_design_is_said() {
    let design = format!(
        "{}\n## File Ownership\n\n| File | Task ID | Operation |\n|---|---|---|\n| `src/a.ts` | T-001 | create |\n| `src/b.ts` | T-002 | create |\n\n\
         ## Dependency Graph\n\n```\nT-001 --> T-002\nT-002 --> T-001\n```\n",
        "# Technical Design"
    );
    let session = HomerunRepo::new().file("docs/specs/TECHNICAL_DESIGN.md", &design);
    let out = session.plan(&[]);
    assert!(out.stderr.contains("contradict"), "{out}");
}

pub(super) fn the_type_gives_the_model() {
    let repo = empty()
        .file(
            "docs/tasks.json",
            &fixture("001/tasks.json")
                .replace("\"model\": \"haiku\"", "\"x\": 1")
                .replace("\"model\": \"sonnet\"", "\"x\": 2"),
        )
        .committed();
    let out = repo
        .windlass(&["run", "docs/tasks.json", "--agent", "cmd:true", "--dry-run", "--yes", "--json"])
        .ends(0);
    let run: Value = serde_json::from_str(&out.stdout).unwrap();
    let tiers: Vec<&str> =
        run["tasks"].as_array().unwrap().iter().map(|t| t["tier"].as_str().unwrap()).collect();
    assert_eq!(tiers, ["small", "medium"]);
}

pub(super) fn components_models_and_endpoints_are_read() {
    let session = HomerunRepo::new();
    session.plan(&[]).ends(0);
    let tasks = session.json("docs/tasks.json");
    let made: Vec<&str> =
        tasks["tasks"].as_array().unwrap().iter().filter_map(|t| t["title"].as_str()).collect();
    assert!(made.len() >= 6, "{made:?}");
    assert!(tasks.to_string().contains("/login"), "endpoints reach the notes: {tasks:#}");
}
