//! Agents by the Agent Client Protocol, honest and otherwise, through whole runs.

use windlass_testkit::PlanTask;

use crate::world::{STRICT, state, with_plan};

/// What the agents do; each is a function of `acp_agent.py`.
const HONEST: [&str; 5] = ["good", "outside", "garbage", "terminal", "asks"];
const OTHERS: [&str; 2] = ["dies", "lies"];

#[test]
fn agents_that_die_lie_or_reach_out_are_held_to_what_they_leave() {
    let tasks: Vec<PlanTask> = HONEST.iter().chain(&OTHERS).map(|id| PlanTask::shell(id)).collect();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/e2e/acp_agent.py");
    let repo = with_plan(&tasks);
    let table = format!("{STRICT}[agents.mine]\nkind = \"acp\"\ncommand = \"python3 {script}\"\n");
    repo.write("windlass.toml", &table);
    let run = repo.start(&["run", "--agent", "mine", "--jobs", "3"]).wait_long();
    assert_eq!(run.code, Some(1), "{run}");
    for task in HONEST {
        assert_eq!(state(&repo, task), "completed", "{}", repo.windlass(&["show", task]));
    }
    for task in OTHERS {
        assert_eq!(state(&repo, task), "failed", "{run}");
    }
    assert!(!std::path::Path::new("/tmp/escaped-by-acp").exists());
    repo.windlass(&["show", "dies"]).ends(0).says("the agent ended before its turn did: exit status: 3");
    let told = repo.windlass(&["show", "good", "--json"]).ends(0).stdout;
    assert!(told.contains("\"input_tokens\":70") || told.contains("\"input_tokens\": 70"), "{told}");
    assert_eq!(repo.left_behind(), []);
}

#[test]
fn an_agent_by_acp_that_is_not_there_is_said_before_the_run() {
    let repo = with_plan(&[PlanTask::shell("good")]);
    repo.windlass(&["run", "--agent", "acp:no-such-agent --acp"])
        .ends(4)
        .says("`no-such-agent` is not on the search path");
    repo.write("windlass.toml", "[agents.mine]\nkind = \"acp\"\n");
    repo.windlass(&["run", "--agent", "mine"]).ends(2).says("has the kind `acp`, and no `command`");
}
