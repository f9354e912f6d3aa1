//! The input and what planning answers: signal, state file, list of tasks, commit.

use serde_json::{Value, json};

use super::session::{BRANCH, HomerunRepo, bash};
use crate::frame::fixture;

pub(super) fn required_keys_are_named() {
    for (at, key) in [
        ("", "worktree_path"),
        ("", "spec_paths"),
        ("spec_paths", "prd"),
        ("spec_paths", "adr"),
        ("spec_paths", "technical_design"),
    ] {
        let session = HomerunRepo::new().input(|input| {
            let object = if at.is_empty() { input } else { &mut input[at] };
            object.as_object_mut().unwrap().remove(key);
        });
        session.plan(&[]).ends(2).says(key);
        let mistyped = HomerunRepo::new().input(|input| {
            let object = if at.is_empty() { input } else { &mut input[at] };
            object[key] = 7.into();
        });
        mistyped.plan(&[]).ends(2).says(&format!("{key}` takes"));
    }
    // Everything that is wrong is said at once.
    let session = HomerunRepo::new();
    session
        .repo
        .write("input.json", r#"{"spec_paths": {"prd": [], "adr": 3}, "config": {"auto_mode": "yes"}}"#);
    let out = session.plan(&[]).ends(2);
    for key in [
        "worktree_path",
        "spec_paths.prd",
        "spec_paths.adr",
        "spec_paths.technical_design",
        "config.auto_mode",
    ] {
        assert!(out.stderr.contains(&format!("`{key}` ")), "{key}: {out}");
    }
    let session = HomerunRepo::new();
    let twice = fixture("001/input.json").replacen("\"session_id\"", "\"branch\": \"x\", \"session_id\"", 1);
    session.repo.write("input.json", &twice);
    session.plan(&[]).ends(2).says("duplicate field");
    session.repo.write("input.json", "{");
    session.plan(&[]).ends(2).says("does not have the form");
}

pub(super) fn the_example_input_is_planned() {
    HomerunRepo::new().plan(&[]).ends(0).says("PLANNING_COMPLETE");
}

pub(super) fn wireframes_may_be_null() {
    HomerunRepo::new()
        .input(|i| i["spec_paths"]["wireframes"] = Value::Null)
        .plan(&[])
        .ends(0)
        .says("PLANNING_COMPLETE");
    let without = HomerunRepo::new().input(|i| {
        i["spec_paths"].as_object_mut().unwrap().remove("wireframes");
    });
    without.plan(&[]).ends(0).says("PLANNING_COMPLETE");
}

pub(super) fn a_document_that_is_absent_ends_planning() {
    for key in ["prd", "adr", "technical_design", "wireframes"] {
        let session = HomerunRepo::new().input(|i| i["spec_paths"][key] = "docs/specs/NONE.md".into());
        let out = session.plan(&[]).ends(2).says("docs/specs/NONE.md").says(key);
        assert!(!out.stdout.contains("PLANNING_COMPLETE"));
        assert!(!session.path("state.json").exists() && !session.path("docs/tasks.json").exists());
    }
    HomerunRepo::new()
        .input(|i| i["worktree_path"] = "../nowhere".into())
        .plan(&[])
        .ends(2)
        .says("../nowhere");
}

pub(super) fn auto_mode_reaches_the_state() {
    let session = HomerunRepo::new().input(|i| i["config"]["auto_mode"] = true.into());
    session.plan(&[]).ends(0);
    assert_eq!(session.json("state.json")["config"]["auto_mode"], true);
}

/// The worktree has another branch checked out; the commit goes to the input's branch all the same.
pub(super) fn the_commit_goes_to_the_branch_of_the_input() {
    let session = HomerunRepo::new();
    bash(&session.repo, &session.path(""), "git checkout -q -b elsewhere");
    session.plan(&["--commit"]).ends(0).says("PLANNING_COMPLETE");
    let state = session.json("state.json");
    assert_eq!(
        (state["session_id"].as_str(), state["branch"].as_str()),
        (Some("user-auth-a1b2c3d4"), Some(BRANCH))
    );
    let files = session.repo.git(&["show", "--name-only", "--format=", BRANCH]);
    assert_eq!(files, "docs/tasks.json\nstate.json");
    assert_eq!(session.bash("git log --oneline elsewhere | wc -l").trim(), "1");
}

pub(super) fn absolute_paths_are_read() {
    let session = HomerunRepo::new();
    let home = session.repo.home().join(".claude/homerun/abc/user-auth");
    std::fs::create_dir_all(&home).unwrap();
    let paths: Vec<(&str, String)> =
        [("prd", "PRD.md"), ("adr", "ADR.md"), ("technical_design", "TECHNICAL_DESIGN.md")]
            .map(|(key, name)| {
                let to = home.join(name);
                std::fs::write(&to, fixture(&format!("001/specs/{name}"))).unwrap();
                (key, to.to_string_lossy().into_owned())
            })
            .into();
    let session = session.input(|i| {
        i["spec_paths"] = json!({});
        for (key, path) in &paths {
            i["spec_paths"][key] = path.as_str().into();
        }
    });
    session.plan(&[]).ends(0).says("PLANNING_COMPLETE");
    let state = session.json("state.json");
    for (key, path) in &paths {
        assert_eq!(state["spec_paths"][key], path.as_str());
    }
}

pub(super) fn the_signal_fits_its_schema() {
    let out = HomerunRepo::new().plan(&[]).ends(0);
    let signal: Value = serde_json::from_str(&out.stdout).unwrap();
    let schema: Value = serde_json::from_str(&fixture("001/signal.schema.json")).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&signal), "{signal:#}");
    assert_eq!(signal["signal"], "PLANNING_COMPLETE");
    assert_eq!(signal["tasks_file"], "docs/tasks.json");
    assert_eq!(signal["dependency_graph_valid"], true);
    assert_eq!(signal["coverage"], json!({ "user_stories": 3, "acceptance_criteria": 10 }));
    assert!(signal["tasks_count"].as_u64().unwrap() > 3);
    for task in signal["tasks"].as_array().unwrap() {
        assert!(task["id"].is_string() && task["title"].is_string() && task["depends_on"].is_array());
    }
}

/// A state file as the document shows it, with what other skills keep in it.
fn full_state() -> String {
    let mut state: Value = serde_json::from_str(&fixture("001/state.json")).unwrap();
    state["phase"] = "planning".into();
    state["config"]["retries"]["same_agent"] = 5.into();
    state["skill_log"] = json!([{ "skill": "homerun:discovery" }]);
    state["traceability"] = json!({
        "user_stories": { "US-001": { "title": "Sign up" } },
        "adr_decisions": { "ADR-001": { "title": "Password hashing" } },
        "acceptance_criteria": { "AC-001": { "description": "Users table has id, email", "priority": "high" } },
    });
    state["mine"] = json!({ "kept": [1, 2] });
    format!("{state:#}\n")
}

pub(super) fn the_state_is_merged_into() {
    let session = HomerunRepo::new().file("state.json", &full_state());
    let before = session.json("state.json");
    session.plan(&[]).ends(0);
    let after = session.json("state.json");
    for key in ["worktree", "created_at", "config", "skill_log", "mine", "feature", "session_id", "progress"]
    {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(
        (after["phase"].as_str(), after["tasks_file"].as_str()),
        (Some("implementing"), Some("docs/tasks.json"))
    );
    let (traced, known) = (&after["traceability"], &before["traceability"]);
    assert_eq!(
        (&traced["user_stories"], &traced["adr_decisions"]),
        (&known["user_stories"], &known["adr_decisions"])
    );
    assert_eq!(traced["acceptance_criteria"]["AC-001"]["priority"], "high");
    let broken = HomerunRepo::new().file("state.json", "{ not json");
    broken.plan(&[]).ends(2).says("state.json");
    assert!(!broken.path("docs/tasks.json").exists());
}

pub(super) fn the_state_has_the_keys_of_the_example() {
    let session = HomerunRepo::new();
    session.plan(&[]).ends(0);
    let (own, shown) = (session.json("state.json"), fixture("001/state.json"));
    let shown: Value = serde_json::from_str(&shown).unwrap();
    for key in shown.as_object().unwrap().keys() {
        assert!(own.get(key).is_some(), "{key}");
    }
    for key in shown["config"].as_object().unwrap().keys() {
        assert_eq!(own["config"][key], shown["config"][key], "{key}");
    }
    assert_eq!(
        (own["feature"].as_str(), own["worktree"].as_str()),
        (Some("user-auth"), shown["worktree"].as_str())
    );
}

pub(super) fn spec_paths_stay_valid() {
    let session = HomerunRepo::new();
    session.plan(&[]).ends(0);
    let state = session.json("state.json");
    let shown: Value = serde_json::from_str(&fixture("001/state.json")).unwrap();
    assert_eq!(state["spec_paths"], shown["spec_paths"]);
    for path in state["spec_paths"].as_object().unwrap().values() {
        assert!(session.path(path.as_str().unwrap()).is_file(), "{path}");
    }
}

pub(super) fn edited_tasks_are_not_lost() {
    let session = HomerunRepo::new();
    session.plan(&[]).ends(0);
    session.plan(&[]).ends(0);
    let mut edited = session.json("docs/tasks.json");
    edited["tasks"][0]["status"] = "completed".into();
    let session = session.file("docs/tasks.json", &edited.to_string());
    session.plan(&[]).ends(2).says("--force");
    assert_eq!(session.json("docs/tasks.json"), edited);
    session.plan(&["--force"]).ends(0);
    assert_eq!(session.json("docs/tasks.json.bak"), edited);
}

pub(super) fn the_message_is_the_documents() {
    let session = HomerunRepo::new();
    session.plan(&["--commit"]).ends(0);
    let tasks = session.json("docs/tasks.json");
    let tasks = tasks["tasks"].as_array().unwrap();
    let message = session.bash("git log -1 --format=%B");
    assert!(
        message.starts_with(&format!(
            "plan: create {} tasks for implementation\n\nTasks: {} (",
            tasks.len(),
            tasks.len()
        )),
        "{message}"
    );
    assert!(message.contains("\nReady for implementation phase.\n\nTask list:\n- 001: "), "{message}");
    assert_eq!(
        session.bash("git show --name-only --format= | sort | tr '\\n' ' '").trim(),
        "docs/tasks.json state.json"
    );
    assert_eq!(session.bash("git branch --show-current").trim(), BRANCH);
}
