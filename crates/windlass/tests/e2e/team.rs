//! The team: who looks at plans and changes, and what follows from what they say.

use serde_json::Value;
use windlass_testkit::{PlanTask, TestRepo, eventually};

use crate::world::{one_task, state, states, two_tasks, with_plan};

const REVIEWED: &str = "[team]\nreviewer = \"cmd:fake-agent\"\n";
const APPROVED: &str = "result {\"verdict\": \"APPROVED\"}\n";

fn rejected(severity: &str) -> String {
    format!(
        "result {{\"verdict\": \"REJECTED\", \"issues\": [{{\"criterion\": \"AC-1\", \"severity\": \"{severity}\", \
         \"message\": \"not polite\"}}]}}\n"
    )
}

/// The journal's events of one kind, oldest first.
fn told(repo: &TestRepo, task: &str) -> Value {
    let out = repo.windlass(&["show", task, "--json"]).ends(0);
    serde_json::from_str(&out.stdout).unwrap()
}

#[test]
fn a_reviewer_sees_a_green_change_and_cannot_change_it() {
    let script = format!(
        "[a review]\nexpect-brief +echo a\nwrite a.sh echo hacked\n{APPROVED}[a]\nwrite a.sh echo a\n"
    );
    let repo = one_task().file("windlass.toml", REVIEWED).agent(&script);
    let run = repo.run(&[]).ends(0);
    assert!(run.stdout.contains("review: approved"), "{run}");
    let green = run.stdout.find("green on tree").unwrap();
    assert!(green < run.stdout.find("review: approved").unwrap(), "only after every gate: {run}");
    assert_eq!(repo.git(&["show", "windlass/demo:a.sh"]), "echo a");
    let turns = &told(&repo, "a")["history"]["attempts"][0]["turns"];
    assert_eq!(turns[1]["role"], "reviewer", "{turns}");
}

#[test]
fn a_rejection_goes_to_the_bug_hunter_in_its_own_words() {
    let no = rejected("medium");
    let script = format!(
        "[a review 1]\n{no}[a review]\n{APPROVED}[a fix]\nexpect-brief not polite\nwrite a.sh <<END\n# please\necho a\nEND\n\
         [a]\nwrite a.sh echo a\n"
    );
    let repo = one_task().file("windlass.toml", REVIEWED).agent(&script);
    let run = repo.run(&[]).ends(0);
    assert!(run.stdout.contains("rejected in review: medium: AC-1: not polite"), "{run}");
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a"]);
    assert_eq!(repo.git(&["show", "windlass/demo:a.sh"]), "# please\necho a");
}

#[test]
fn the_same_rejection_three_times_is_a_question() {
    let no = rejected("medium");
    let script = format!("[a review]\n{no}[a]\nwrite a.sh <<END\n# {{step}} {{try}}\necho a\nEND\n");
    let repo = one_task().file("windlass.toml", REVIEWED).agent(&script);
    let run = repo.run(&[]).ends(3);
    assert!(run.stdout.contains("the same rejection came 3 times"), "{run}");
    assert_eq!(state(&repo, "a"), "blocked");
}

#[test]
fn something_grave_stops_everything_new_until_a_person_has_looked() {
    let no = rejected("high");
    let script = format!("[a review]\n{no}[* review]\n{APPROVED}[*]\nwrite {{task}}.sh echo {{task}}\n");
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")])
        .file("windlass.toml", &format!("{REVIEWED}\n[limits]\njobs = 1\n"))
        .agent(&script);
    let run = repo.run(&[]).ends(3);
    assert!(run.stdout.contains("nothing new begins until then"), "{run}");
    let expected = [("a".to_owned(), "blocked".to_owned()), ("b".to_owned(), "pending".to_owned())];
    assert_eq!(states(&repo), expected);
    repo.run(&[]).ends(3);
    assert_eq!(states(&repo), expected, "a second run does not begin anything either");
    repo.windlass(&["approve", "a"]).ends(0);
    repo.run(&[]).ends(0);
    assert_eq!(repo.subjects("windlass/demo").len(), 2);
}

#[test]
fn no_verdict_is_neither_a_yes_nor_a_no() {
    let script = "[a review]\nresult {\"summary\": \"looks fine to me\"}\n[a]\nwrite a.sh echo a\n";
    let repo = one_task().file("windlass.toml", REVIEWED).agent(script);
    let run = repo.run(&[]).ends(3);
    assert_eq!(run.stdout.matches("no verdict: ").count(), 3, "asked twice, then a person: {run}");
    assert_eq!(state(&repo, "a"), "blocked");
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
    repo.windlass(&["approve", "a"]).ends(0);
    repo.run(&[]).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a"]);
}

#[test]
fn a_verdict_in_the_last_words_counts() {
    let script = "[a review]\nresult {\"summary\": \"All good.\\n```json\\n{\\\"verdict\\\": \\\"APPROVED\\\"}\\n```\"}\n\
                  [a]\nwrite a.sh echo a\n";
    let repo = one_task().file("windlass.toml", REVIEWED).agent(script);
    repo.run(&[]).ends(0);
}

#[test]
fn the_integrator_puts_tasks_in_order_and_does_not_guess() {
    let free = || with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")]);
    let team = "[team]\nintegrator = \"cmd:fake-agent\"\n";
    let queue = |order: &str| {
        format!(
            "[plan.integrator]\nexpect-brief ### a: Say a\nresult {{\"queue\": [\"b\", \"a\"], \"conflicts\": [{{\"tasks\": \
             [\"a\", \"b\"], \"severity\": \"high\", \"reason\": \"both say things\"{order}}}]}}\n[*]\nwrite {{task}}.sh echo {{task}}\n"
        )
    };
    let repo = free().file("windlass.toml", team).agent(&queue(", \"order\": [\"b\", \"a\"]"));
    repo.run(&[]).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["b: Say b", "a: Say a"]);

    let repo = free().file("windlass.toml", team).agent(&queue(""));
    let run = repo.run(&[]).ends(3);
    assert!(run.stdout.contains("in conflict with b: both say things"), "{run}");
    assert!(states(&repo).iter().all(|(_, s)| s == "blocked"), "{:?}", states(&repo));
    // A person decides; the integrator is not asked again about the same plan.
    repo.windlass(&["retry", "a"]).ends(0);
    repo.windlass(&["retry", "b"]).ends(0);
    let run = repo.run(&[]).ends(0);
    assert!(!run.stdout.contains("integrator"), "{run}");
}

#[test]
fn a_rejected_plan_does_not_begin_unless_a_person_says_so() {
    let script =
        format!("[plan.plan-reviewer]\n{}[*]\nwrite {{task}}.sh echo {{task}}\n", rejected("medium"));
    let repo =
        two_tasks().file("windlass.toml", "[team]\nplan_reviewer = \"cmd:fake-agent\"\n").agent(&script);
    let run = repo.run(&[]).ends(3);
    assert!(run.stdout.contains("the plan was rejected: medium: AC-1: not polite"), "{run}");
    assert_eq!(repo.subjects("windlass/demo"), [""; 0]);
    let run = repo.run(&["--yes"]).ends(0);
    assert_eq!(run.stdout.matches("plan-reviewer").count(), 0, "not asked again: {run}");
    assert_eq!(repo.subjects("windlass/demo").len(), 2);
}

#[test]
fn a_rate_limit_pauses_once_for_all_and_costs_no_try() {
    let script = "[* implement]\nwrite {task}.sh echo {task}\nonce {home}/limited-{task}\n\
                  result {\"status\": \"rate_limited\", \"retry_after_seconds\": 2}\n";
    // What was written before the limit is not kept: the turn begins again.
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")]).agent(script);
    let run = repo.run(&["--jobs", "2"]).ends(0);
    assert!(run.stdout.contains("is paused for"), "{run}");
    assert!(!run.stdout.contains('✘'), "a pause is no failure: {run}");
    for task in ["a", "b"] {
        let attempts = told(&repo, task)["history"]["attempts"].clone();
        let rungs = attempts.as_array().unwrap().iter().all(|a| a["rung"] == "first");
        assert!(rungs, "{attempts}");
    }
    let shown = repo.windlass(&["show", "a"]).ends(0).stdout;
    assert!(shown.contains("paused") && !shown.contains("rate-limited "), "{shown}");
}

/// An agent that notes the session it is told, has one of its own, and tells what it did.
const TALKATIVE: &str = "cmd:echo \"$WINDLASS_TASK $WINDLASS_STEP $WINDLASS_SESSION\" >> \"$HOME/sessions\"; \
    cp \"$WINDLASS_BRIEF\" \"$HOME/brief-$WINDLASS_TASK\"; \
    echo \"{\\\"session\\\": \\\"s-$WINDLASS_TASK\\\", \\\"summary\\\": \\\"made $WINDLASS_TASK\\\", \\\"model\\\": \\\"m\\\", \
    \\\"usage\\\": {\\\"input_tokens\\\": 1000000, \\\"output_tokens\\\": 0}}\" > \"$WINDLASS_RESULT\"; \
    echo \"echo $WINDLASS_TASK\" > \"$WINDLASS_TASK.sh\"";

#[test]
fn sessions_follow_the_graph() {
    let repo = with_plan(&[
        PlanTask::shell("a"),
        PlanTask::shell("b").after(&["a"]),
        PlanTask::shell("c").after(&["b"]),
        PlanTask::shell("d").after(&["b"]),
        PlanTask::shell("e").after(&["c", "d"]),
    ]);
    let home = repo.home();
    repo.windlass(&["run", "--yes", "--agent", TALKATIVE, "--share", home.to_str().unwrap()]).ends(0);
    let noted = std::fs::read_to_string(home.join("sessions")).unwrap();
    for line in ["a implement new", "b implement resume s-a", "c implement fork s-b", "d implement fork s-b"]
    {
        assert!(noted.lines().any(|l| l == line), "{line}: {noted}");
    }
    assert!(noted.lines().any(|l| l == "e implement fork s-c" || l == "e implement fork s-d"), "{noted}");
    let brief = std::fs::read_to_string(home.join("brief-e")).unwrap();
    assert!(brief.contains("- c: made c") && brief.contains("- d: made d"), "{brief}");
}

#[test]
fn prices_make_money_of_tokens_and_budgets_hold() {
    let repo = two_tasks().file("windlass.toml", "[prices.\"m\"]\ninput = 2.5\noutput = 10.0\n");
    repo.windlass(&["run", "--yes", "--agent", TALKATIVE, "--max-cost", "2"]).ends(3);
    let out = repo.windlass(&["status", "--json"]).ends(0).stdout;
    let doc: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(doc["cost_usd"], 2.5, "{doc}");
    assert_eq!(doc["tasks"][0]["session"], "s-a", "{doc}");
    assert_eq!(doc["tasks"][1]["state"], "pending", "{doc}");

    let repo = two_tasks();
    repo.windlass(&["run", "--yes", "--agent", TALKATIVE]).ends(0);
    let doc: Value = serde_json::from_str(&repo.windlass(&["status", "--json"]).ends(0).stdout).unwrap();
    assert_eq!((&doc["cost_usd"], &doc["tokens"]), (&Value::Null, &Value::from(2_000_000)), "{doc}");
}

#[test]
fn a_dry_run_shows_what_would_be_sent_and_sends_nothing() {
    let repo = one_task().file("windlass.toml", REVIEWED);
    let screen = repo.windlass(&["run", "--dry-run", "--briefs", "--agent", "cmd:fake-agent"]).ends(0).stdout;
    assert!(screen.contains("# a: Say a") && screen.contains("──── a ("), "{screen}");
    let out = repo.windlass(&["run", "--dry-run", "--json", "--agent", "cmd:fake-agent"]).ends(0).stdout;
    let doc: Value = serde_json::from_str(&out).unwrap();
    assert!(doc["tasks"][0]["brief_tokens"].as_u64().unwrap() > 50, "{doc}");
    // First, three hunters, two same, one fresh, one tier up: 8; each reviewed, and asked again once.
    assert_eq!(doc["worst"]["turns"], 8 + 8 * 2, "{doc}");
    assert_eq!(doc["worst"]["unpriced"][0], "cmd:fake-agent");
    assert!(repo.try_git(&["rev-parse", "windlass/demo"]).is_err(), "not even the branch is made");
}

#[test]
fn a_report_tells_what_came_of_it_in_three_forms() {
    let no = rejected("medium");
    let script = format!(
        "[a review 1]\n{no}[* review]\n{APPROVED}[a fix]\nwrite a.sh <<END\n# please\necho a\nEND\n[*]\nwrite {{task}}.sh echo {{task}}\n"
    );
    let repo = two_tasks().file("windlass.toml", REVIEWED).agent(&script);
    repo.run(&[]).ends(0);
    let doc: Value =
        serde_json::from_str(&repo.windlass(&["report", "--format", "json"]).ends(0).stdout).unwrap();
    assert_eq!(doc["schema"], "windlass.report/1");
    assert_eq!(doc["rates"]["rungs"]["bug-hunter"]["merged"], 1, "{doc}");
    assert_eq!(doc["rates"]["reviews"]["rejected"], 1, "{doc}");
    assert_eq!(doc["coverage"].as_array().unwrap().len(), 0, "the plan states no criteria: {doc}");
    // Every turn of every try, the same in all three documents, with a transcript that is there.
    let of_a: Vec<&Value> = doc["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|a| a["task"] == "a")
        .map(|a| &a["turns"])
        .collect();
    let parts = |turns: &Value| -> Vec<String> {
        let part =
            |t: &Value| format!("{} {}", t["role"].as_str().unwrap(), t["verdict"].as_str().unwrap_or("-"));
        turns.as_array().unwrap().iter().map(part).collect()
    };
    assert_eq!(parts(of_a[0]), ["implementer -", "reviewer rejected"], "{doc}");
    assert_eq!(parts(of_a[1]), ["bug-hunter -", "reviewer approved"], "{doc}");
    for turn in of_a.iter().flat_map(|turns| turns.as_array().unwrap()) {
        assert!(std::path::Path::new(turn["transcript"].as_str().unwrap()).is_file(), "{turn}");
        assert!(turn["cost_usd"].is_null() && turn["input_tokens"].is_u64(), "{turn}");
    }
    let status: Value = serde_json::from_str(&repo.windlass(&["status", "--json"]).ends(0).stdout).unwrap();
    for other in [&status["tasks"][0]["attempts"], &told(&repo, "a")["task"]["attempts"]] {
        let turns: Vec<&Value> = other.as_array().unwrap().iter().map(|a| &a["turns"]).collect();
        assert_eq!(turns, of_a);
    }
    let markdown = repo.windlass(&["report"]).ends(0).stdout;
    assert!(
        markdown.contains("2 of 2 completed") && markdown.contains("| bug-hunter | 1 | 1 | 100 % |"),
        "{markdown}"
    );
    repo.windlass(&["report", "-o", "out.html"]).ends(0);
    let page = repo.read("out.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("<td>bug-hunter</td>"), "{page}");
    // The name of a language is no address.
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!addresses.contains("http://") && !addresses.contains("https://"), "{page}");
    assert!(!page.contains("<script"), "{page}");
}

#[test]
fn a_review_that_is_given_up_is_paid_for_all_the_same() {
    let review = r#"echo '{"usage": {"input_tokens": 700, "output_tokens": 7}}' >$WINDLASS_RESULT; sleep 61"#;
    let config = format!("[team]\nreviewer = \"slow\"\n[agents.slow]\ncommand = {review:?}\n");
    let repo = one_task().file("windlass.toml", &config);
    let running = repo.start_run(&[]);
    // The shell itself is called with these words too; once it sleeps, it has told what it used.
    eventually("the reviewer is at work", || {
        repo.left_behind().iter().any(|l| l.command.trim().starts_with("sleep 61"))
    });
    repo.windlass(&["skip", "a"]).ends(0);
    let outcome = running.wait();
    assert_eq!(repo.left_behind(), [], "{outcome}");
    let status = repo.windlass(&["status", "--json", "--all"]).ends(0).stdout;
    let status: Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["tasks"][0]["state"], "skipped", "{outcome}");
    assert_eq!(status["tokens"], 707, "{status}");
}
