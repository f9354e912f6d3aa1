//! Real programs make a plan better: what they are told, what comes back, and the conversation between two tries.

use windlass_engine::agent::cli::CliKind;
use windlass_testkit::model::{ModelServer, Script, Step};
use windlass_testkit::{TestRepo, left_behind};

use crate::programs::{KEY, configuration, is_tested, variables};

const PRD: &str = "# PRD: Shop\n\n**Acceptance Criteria:**\n- [ ] A cart holds at most 50 lines\n";
const DESIGN: &str = "# Technical Design: Shop\n\n## File Ownership\n\n| File | Task | Operation |\n|---|---|---|\n| `src/cart.py` | T-1 | create |\n| `src/total.py` | T-2 | create |\n\nT-2 depends on T-1.\n";

/// A shell command that changes the draft so.
fn edit(python: &str) -> Step {
    let head = "import json; f = \"windlass-plan/plan.json\"; p = json.load(open(f)); t = {x[\"id\"]: x for x in p[\"tasks\"]}; ";
    Step::Run(format!("python3 -c '{head}{python}; json.dump(p, open(f, \"w\"))'"))
}

/// The first answer loses a criterion; the second, in the same conversation, brings it back.
fn two_tries() -> Script {
    let drop = "t[\"T-1\"].update(criteria=[], traces_to={})";
    let mend = "t[\"T-1\"].update(criteria=[{\"id\": \"AC-001\"}], notes=\"Mind the limit.\")";
    Script::default()
        .turn("Plan shop", [edit(drop), Step::say("The plan is better now.")])
        .turn("was rejected", [edit(mend), Step::say("Fixed.")])
}

fn plans(kind: CliKind) {
    if !is_tested(kind) {
        return;
    }
    let server = ModelServer::start(two_tries()).unwrap();
    let mut repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"));
    for (name, value) in variables(kind, &server.url()) {
        repo = repo.env(name, &value);
    }
    let config = configuration(kind, "permission = \"full\"");
    let repo = repo
        .file("docs/PRD.md", PRD)
        .file("docs/design.md", DESIGN)
        .file("windlass.toml", &config)
        .committed();
    let run = repo.start(&["plan", "docs", "--agent", kind.as_str()]).wait_long().ends(0);
    assert!(run.stderr.contains("criterion `AC-001` has no task any more"), "{run}");
    assert!(run.stderr.contains(&format!("✓ agent: {} changed 1 task (2 turns, ", kind.as_str())), "{run}");
    assert!(run.stderr.contains("5.0k tokens") && run.stderr.contains("session "), "{run}");
    let task = repo.read("plans/shop/tasks/T-1.md");
    assert!(task.contains("Mind the limit.") && task.contains("A cart holds at most 50 lines"), "{task}");
    // The second try went on with the first: what was said before is in what the model heard.
    let again = server.heard_of("was rejected");
    let carried = again.last().is_some_and(|h| h.prompts.iter().any(|p| p.contains("Plan shop")));
    assert!(carried, "{kind:?}: {again:?}");
    assert!(!run.to_string().contains(KEY));
    assert_eq!(left_behind(&repo.top().display().to_string()), []);
}

#[test]
fn claude_code_mends_what_it_is_told_about() {
    plans(CliKind::Claude);
}

#[test]
fn codex_mends_what_it_is_told_about() {
    plans(CliKind::Codex);
}
