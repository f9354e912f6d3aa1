//! `--max-cost` and `--max-tokens` hold while turns are at work: programs that tell their tokens as they go are ended, and
//! the limit is never passed by more than one answer.

use std::fmt::Write as _;

use windlass_testkit::{Outcome, PlanTask, TestRepo};

use crate::world::empty;

/// The variable that sets how many random runs are made.
const RUNS: &str = "WINDLASS_RANDOM_RUNS";

/// Tokens of the dearest answer: a dollar for a million of them.
const DEAREST: u64 = 199_999;

/// A program that speaks as Qwen Code does. Every answer has between 100,000 and 199,999 tokens and takes a moment; after
/// a few of them it writes its file.
pub(crate) fn program(seed: u64) -> String {
    let init = r#"{"type":"system","subtype":"init","cwd":"/","session_id":"s-1","tools":[],"mcp_servers":[],"model":"dear"}"#;
    let done = r#"{"type":"result","subtype":"success","is_error":false,"num_turns":1,"session_id":"s-1","result":"Done.","usage":{},"permission_denials":[]}"#;
    let answer = r#"{"type":"assistant","message":{"id":"m%s","role":"assistant","model":"dear","content":[{"type":"text","text":"hm"}],"usage":{"input_tokens":%s,"output_tokens":0}},"session_id":"s-1"}\n"#;
    format!(
        "#!/bin/bash\ncase $1 in --version) echo 99.0.0; exit;; esac\ncat >/dev/null\n\
         RANDOM=$(( ({seed} * 7919 + $(echo $WINDLASS_TASK | cksum | cut -d' ' -f1)) % 32768 ))\n\
         echo '{init}'\nfor n in $(seq 1 $((2 + RANDOM % 4))); do\n  sleep 1.$((RANDOM % 10))\n  \
         printf '{answer}' $n $((100000 + (RANDOM * 32768 + RANDOM) % 100000))\ndone\n\
         echo \"echo $WINDLASS_TASK\" >$WINDLASS_TASK.sh\nsleep 0.1\necho '{done}'\n"
    )
}

fn repo(script: &str, tasks: &[&str], more: &str) -> TestRepo {
    let repo = empty().env("OPENAI_API_KEY", "sk-nobodys");
    let path = repo.top().join("fake-qwen");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut config = format!("[agents.qwen]\nprogram = {:?}\nmodel = \"dear\"\n", path.display().to_string());
    let _ = writeln!(config, "{more}");
    let tasks: Vec<PlanTask> = tasks.iter().map(|id| PlanTask::shell(id)).collect();
    repo.file("README.md", "hello\n").file("windlass.toml", &config).plan("demo", &tasks).committed()
}

pub(crate) const PRICE: &str = "[prices.dear]\ninput = 1.0\noutput = 1.0\n";

fn run(repo: &TestRepo, args: &[&str]) -> Outcome {
    let outcome = repo.start(&[&["run", "--yes", "--agent", "qwen"], args].concat()).wait_long();
    assert_eq!(repo.left_behind(), [], "{outcome}");
    outcome
}

/// Money and tokens that a run has used, as `status` counts them.
pub(crate) fn spent(repo: &TestRepo) -> (f64, u64) {
    let status = repo.windlass(&["status", "--json"]).ends(0).stdout;
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    (status["cost_usd"].as_f64().unwrap_or(0.0), status["tokens"].as_u64().unwrap_or(0))
}

#[test]
fn random_runs_pass_their_limit_by_at_most_one_answer() {
    let runs: u64 = std::env::var(RUNS).ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let mut worst = 0.0_f64;
    for seed in 0..runs {
        let repo = repo(&program(seed), &["a", "b", "c", "d", "e", "f"], PRICE);
        let jobs = (1 + seed % 4).to_string();
        // Between 0.2 and 2.1 dollars, where all of it costs about 3.6.
        let max = 0.2 + f64::from(u32::try_from(seed * 37 % 20).unwrap()) / 10.0;
        let outcome = run(&repo, &["--jobs", &jobs, "--max-cost", &max.to_string()]);
        let (cost, _) = spent(&repo);
        worst = worst.max(cost - max);
        assert!(cost <= max + 0.2, "seed {seed}: {cost} of {max}\n{outcome}");
        assert_eq!(outcome.code, Some(3), "seed {seed}: {outcome}");
        assert!(outcome.stdout.contains("US dollars are spent: no further turn"), "seed {seed}: {outcome}");
        assert!(!outcome.stdout.contains('✘'), "no attempt is used up\nseed {seed}: {outcome}");
    }
    println!("{runs} random runs: at most {worst:.3} dollars beyond the limit, one answer costs up to 0.200");
}

#[test]
fn a_limit_of_tokens_needs_no_price() {
    let repo = repo(&program(1), &["a", "b", "c"], "");
    let outcome = run(&repo, &["--jobs", "2", "--max-tokens", "400000"]).ends(3);
    let (_, tokens) = spent(&repo);
    assert!(tokens <= 400_000 + DEAREST, "{tokens}\n{outcome}");
    assert!(outcome.stdout.contains("of 400000 tokens are spent"), "{outcome}");
    let rest = run(&repo, &["--jobs", "2"]).ends(0);
    assert_eq!(repo.subjects("windlass/demo").len(), 3, "{rest}");
}

#[test]
fn a_limit_of_money_without_a_price_is_refused_before_the_run() {
    let repo = repo(&program(1), &["a"], "");
    let refused = run(&repo, &["--max-cost", "1"]).ends(2);
    assert!(refused.stderr.contains("what `qwen` costs is unknown"), "{refused}");
    assert!(refused.stderr.contains("set `[prices.\"dear\"]`"), "{refused}");
    assert!(refused.stderr.contains("--max-tokens"), "{refused}");
}
