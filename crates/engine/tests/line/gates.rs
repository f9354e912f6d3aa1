//! The gates of a verification: their order, their switches, held-out tests and the static rules.

use std::time::Duration;

use windlass_code::syntax::tricks::{Rule, Strictness};
use windlass_core::event::{BlockReason, RunEnd};
use windlass_core::failure::{Budget, Failure, Gate};
use windlass_core::plan::{CodeBlock, HeldOut, Task};
use windlass_core::state::TaskState;
use windlass_engine::HeldOutStore;
use windlass_engine::config::{GateSwitch, SetupCommand};

use crate::bench::{Bench, shell_task};
use crate::seen::{HONEST, blocks, commit, evidence, failures, findings, refusing_gate, strict};

fn one(agent: &str) -> Bench {
    strict(Bench::new(vec![shell_task("a", &[])]).agent(agent))
}

/// Task `a` with a Python file beside its script.
fn with_python() -> Task {
    let mut task = shell_task("a", &[]);
    task.files.create.push("a.py".into());
    task
}

#[test]
fn the_first_gate_that_refuses_is_the_one_that_is_told() {
    struct BrokenGates {
        setup: bool,
        rules: bool,
        tests: bool,
        suite: bool,
        purity: bool,
    }
    let all = BrokenGates { setup: true, rules: true, tests: true, suite: true, purity: true };
    let table = [
        (BrokenGates { ..all }, Some(Gate::Rules)),
        (BrokenGates { rules: false, ..all }, Some(Gate::Setup)),
        (BrokenGates { rules: false, setup: false, ..all }, Some(Gate::Tests)),
        (BrokenGates { rules: false, setup: false, tests: false, ..all }, Some(Gate::Suite)),
        (
            BrokenGates { rules: false, setup: false, tests: false, suite: false, purity: true },
            Some(Gate::Purity),
        ),
        (BrokenGates { rules: false, setup: false, tests: false, suite: false, purity: false }, None),
    ];
    for (broken, gate) in table {
        let mut task = with_python();
        if broken.purity {
            let script = &mut task.verification.as_mut().unwrap().script;
            *script = format!("test -e a.sh && echo x > README.md; {script}");
        }
        let said = if broken.tests { "wrong" } else { "a" };
        let trick = if broken.rules { "import os\\nos._exit(0)\\n" } else { "x = 1\\n" };
        let agent = format!("echo 'echo {said}' > a.sh; printf '{trick}' > a.py");
        let mut bench = strict(Bench::new(vec![task]).agent(&agent));
        if broken.setup {
            bench.config.setup = SetupCommand::Command("test ! -e a.sh".into());
        }
        if broken.suite {
            bench.config.verify.suite = Some("test ! -e a.sh".into());
        }
        let (end, events) = bench.run();
        assert_eq!(refusing_gate(&events), gate, "{:?}", failures(&events));
        assert_eq!(end == RunEnd::Completed, gate.is_none());
    }
}

#[test]
fn the_evidence_lists_the_gates_in_the_order_they_ran() {
    let mut second = shell_task("b", &["a"]);
    second.files.modify = vec!["a.sh".into()];
    let agent = format!("{HONEST}; [ $WINDLASS_TASK = b ] && echo 'printf a' > a.sh; true");
    let mut bench = strict(Bench::new(vec![shell_task("a", &[]), second]).agent(&agent));
    bench.config.verify.suite = Some("test -e README.md".into());
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    let proof = evidence(&bench).green;
    let gates: Vec<Gate> = proof.gates.iter().map(|g| g.gate).collect();
    assert_eq!(gates, [Gate::Tests, Gate::Neighbours, Gate::Suite]);
    let commands: Vec<&str> = proof.gates.iter().map(|g| g.command.as_str()).collect();
    assert_eq!(commands, ["sh tests/b_test.sh", "sh tests/a_test.sh", "test -e README.md"]);
    assert!(proof.gates.iter().all(|g| g.exit == Some(0)), "{proof:?}");
    assert_eq!(proof.environment, ["HOME", "LC_ALL", "PATH"]);
}

#[test]
fn a_rule_refuses_warns_or_is_off() {
    let agent = format!("{HONEST}; printf 'import os\\nos._exit(0)\\n' > a.py");
    let table = [
        (None, Some(Gate::Rules), 0),
        (Some(Strictness::Error), Some(Gate::Rules), 0),
        (Some(Strictness::Warning), None, 1),
        (Some(Strictness::Off), None, 0),
    ];
    for (level, refused, warnings) in table {
        let mut bench = strict(Bench::new(vec![with_python()]).agent(&agent));
        bench.config.verify.rules.extend(level.map(|level| (Rule::Exit, level)));
        let (_, events) = bench.run();
        assert_eq!(refusing_gate(&events), refused, "{level:?}: {:?}", failures(&events));
        if refused.is_none() {
            let proof = evidence(&bench).green;
            assert_eq!(proof.findings.len(), warnings, "{level:?}: {:?}", proof.findings);
            assert_eq!(proof.rules.len(), 1, "the level is part of the evidence");
        }
    }
}

#[test]
fn a_rule_looks_at_what_the_change_adds() {
    let agent = format!("{HONEST}; printf 'x = 1\\n' >> a.py");
    let bench = strict(Bench::new(vec![with_python()]).agent(&agent));
    commit(&bench, &[("a.py", "import os\n\n\ndef stop():\n    os._exit(0)\n\n\n")]);
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "it was there before: {:?}", failures(&events));
}

/// A bench whose task has a held-out test with this text; `kept` is what the store holds.
fn with_held_out(agent: &str, text: &str, kept: &str) -> Bench {
    let mut task = shell_task("a", &[]);
    let blake3 = blake3::hash(text.as_bytes()).to_hex().to_string();
    task.test.held_out = vec![HeldOut { path: "tests/a_hidden_test.sh".into(), blake3 }];
    let bench = strict(Bench::new(vec![task]).agent(agent));
    HeldOutStore::at(bench.request().paths.held_out()).keep(kept.as_bytes()).unwrap();
    bench
}

const HIDDEN: &str =
    "echo 1..1\ntest \"$(sh a.sh x)\" = a || { echo 'not ok 1 - hidden'; exit 1; }\necho 'ok 1 - hidden'\n";

#[test]
fn held_out_tests_decide_without_being_shown() {
    let honest =
        with_held_out("[ -e tests/a_hidden_test.sh ] && exit 9; echo 'echo a' > a.sh", HIDDEN, HIDDEN);
    let (end, events) = honest.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    let proof = evidence(&honest).green;
    assert_eq!(proof.held_out.len(), 1);
    assert_eq!(proof.held_out[0].path, "tests/a_hidden_test.sh");
    assert!(!honest.git(&["ls-tree", "-r", "--name-only", "windlass/demo"]).contains("hidden"));
    let blob = honest.git(&["cat-file", "blob", proof.held_out[0].blob.as_str()]);
    assert_eq!(blob, HIDDEN.trim_end(), "it can be read from the evidence afterwards");

    // Right for the test that is shown, wrong for the other.
    let special = "echo '[ $# = 0 ] && echo a || echo b' > a.sh";
    let (_, events) = with_held_out(special, HIDDEN, HIDDEN).run();
    let failures = failures(&events);
    let [Failure::TestsFailed { gate, failed, summary, excerpt }] = failures.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(*gate, Gate::HeldOut);
    assert_eq!(summary, "held-out tests fail: the work does not do what the task describes");
    assert!(failed.is_empty() && excerpt.is_empty(), "neither names nor output reach the next agent");
}

#[test]
fn a_held_out_test_that_cannot_be_used_blocks_before_an_agent_is_paid() {
    let asked = r#"touch "$HOME/asked"; echo 'echo a' > a.sh"#;
    let absent = with_held_out(asked, HIDDEN, "something else");
    let public = with_held_out(asked, HIDDEN, HIDDEN);
    commit(&public, &[("tests/a_hidden_test.sh", HIDDEN)]);
    for (bench, why) in [(absent, "is not kept here"), (public, "is in the repository")] {
        let (_, events) = bench.run();
        assert_eq!(bench.state("a"), TaskState::Blocked, "{why}");
        let failures = failures(&events);
        let [Failure::Environment { message }] = failures.as_slice() else { panic!("{why}") };
        assert!(message.contains(why), "{message}");
        assert!(!bench.path("home/asked").exists(), "{why}");
    }
}

#[test]
fn repeated_tests_are_part_of_the_evidence() {
    for (repeat, times) in [(false, None), (true, Some(3))] {
        let mut bench = one(HONEST);
        bench.config.verify.repeat = repeat;
        assert_eq!(bench.run().0, RunEnd::Completed);
        assert_eq!(evidence(&bench).green.repeated.map(|r| r.times), times);
    }
}

#[test]
fn a_promised_contract_is_compared_with_the_code() {
    let promised = "def greet(name: str) -> str: ...\n";
    let kept = "def greet(name: str) -> str:\\n    return name\\n";
    let table = [
        (GateSwitch::Auto, kept, None),
        (GateSwitch::Auto, "def other():\\n    return 1\\n", Some(Gate::Contract)),
        (GateSwitch::On, "def other():\\n    return 1\\n", Some(Gate::Contract)),
        (GateSwitch::Off, "def other():\\n    return 1\\n", None),
    ];
    for (switch, code, refused) in table {
        let mut task = with_python();
        task.contract = vec![CodeBlock {
            path: Some("a.py".into()),
            language: Some("python".into()),
            code: promised.into(),
            ..CodeBlock::default()
        }];
        let mut bench = strict(Bench::new(vec![task]).agent(&format!("{HONEST}; printf '{code}' > a.py")));
        bench.config.verify.contract = switch;
        let (_, events) = bench.run();
        assert_eq!(refusing_gate(&events), refused, "{switch:?} {code}: {:?}", failures(&events));
        assert_eq!(bench.subjects().len(), usize::from(refused.is_none()), "{switch:?} {code}");
    }
}

#[test]
fn a_gate_that_cannot_work_is_told_refused_or_off_by_its_switch() {
    let promise = |switch: GateSwitch| {
        let mut task = shell_task("a", &[]);
        task.test.coverage = Some(80.0);
        let mut bench = strict(Bench::new(vec![task]).agent(HONEST));
        bench.config.verify.coverage = switch;
        bench
    };
    let told = |switch| {
        let bench = promise(switch);
        let (end, events) = bench.run();
        (end == RunEnd::Completed, refusing_gate(&events), findings(&events).len())
    };
    assert_eq!(told(GateSwitch::Auto), (true, None, 1), "reported");
    assert_eq!(told(GateSwitch::On), (false, Some(Gate::Coverage), 0), "refused");
    assert_eq!(told(GateSwitch::Off), (true, None, 0), "not looked at");

    for gate in [Gate::Lint, Gate::TypeCheck] {
        // The runner of the tests is known; it is no type checker for that.
        let mut task = shell_task("a", &[]);
        let script = &mut task.verification.as_mut().unwrap().script;
        *script = format!("{script}\npython3 -m unittest --help > /dev/null");
        let mut bench = strict(Bench::new(vec![task]).agent(HONEST));
        let verify = &mut bench.config.verify;
        *(if gate == Gate::Lint { &mut verify.lint } else { &mut verify.type_check }) = GateSwitch::On;
        let (_, events) = bench.run();
        let message = format!("{} is required, but the repository has no tool configured", gate.as_str());
        assert_eq!(failures(&events), [Failure::Environment { message }], "{gate:?}");
        assert!(matches!(
            blocks(&events).as_slice(),
            [BlockReason::Escalated { .. } | BlockReason::AgentBlocked { .. }]
        ));
    }
}

#[test]
fn a_verification_has_its_own_time_limit() {
    let mut task = shell_task("a", &[]);
    let verification = task.verification.as_mut().unwrap();
    verification.script = "test -e a.sh || exit 1\nsleep 60".into();
    verification.timeout_seconds = Some(1);
    let bench = strict(Bench::new(vec![task]).agent(HONEST));
    let (_, events) = bench.run();
    assert_eq!(failures(&events), [Failure::Timeout { budget: Budget::Verification, seconds: 1 }]);
}

/// A stand-in for `go` whose build takes two seconds, and whose tests build first where nobody has.
const SLOW_GO: &str = r#"#!/bin/sh
build() { [ -e .built ] || sleep 2; : > .built; }
case $1 in
list) build ;;
test)
    build
    said=fail
    if [ "$(sh a.sh)" = a ]; then said=pass; fi
    for what in run $said; do echo "{\"Action\":\"$what\",\"Package\":\"x\",\"Test\":\"TestA\"}"; done
    echo "{\"Action\":\"$said\",\"Package\":\"x\"}"
    [ $said = pass ] ;;
esac
"#;

/// Task `a` with tests that have to be built, and time for neither more than the tests nor more than the build.
fn slow_build(tests: u64, build: Duration) -> Bench {
    let mut task = shell_task("a", &[]);
    let verification = task.verification.as_mut().unwrap();
    verification.script = "./go test ./x".into();
    verification.timeout_seconds = Some(tests);
    let mut bench = strict(Bench::new(vec![task]).agent(HONEST));
    bench.config.timeouts.build = build;
    commit(&bench, &[("go", SLOW_GO), (".gitignore", ".built\n")]);
    bench.git(&["update-index", "--chmod=+x", "go"]);
    bench.git(&["commit", "-qm", "go can be started"]);
    bench
}

#[test]
fn the_build_of_the_tests_has_a_limit_and_a_time_of_its_own() {
    let bench = slow_build(1, Duration::from_mins(1));
    let (_, events) = bench.run();
    assert_eq!(failures(&events), [], "the limit of the tests is not that of their build");
    let gates = evidence(&bench).green.gates;
    let record = gates.iter().find(|record| record.gate == Gate::Tests).unwrap();
    let built = record.build_millis.unwrap();
    assert!((2000..=record.millis).contains(&built), "{built} of {} ms", record.millis);
}

#[test]
fn a_build_that_takes_too_long_is_named() {
    let bench = slow_build(60, Duration::from_secs(1));
    let (_, events) = bench.run();
    let failure = Failure::Timeout { budget: Budget::Build, seconds: 1 };
    assert_eq!(failures(&events), std::slice::from_ref(&failure));
    assert!(failure.remedy("a").contains("[limits] build"), "{}", failure.remedy("a"));
}

#[test]
fn a_test_that_is_not_run_any_more_does_not_count_as_passed() {
    // The frozen test has two names; the code makes the runner report one of them.
    let mut task = shell_task("a", &[]);
    task.test_code[0].code =
        "out=$(sh a.sh)\nif [ \"$out\" = short ]; then echo 1..1; echo 'ok 1 - one'; exit 0; fi\n\
        echo 1..2\ntest \"$out\" = a && echo 'ok 1 - one' || echo 'not ok 1 - one'\n\
        test \"$out\" = a && echo 'ok 2 - two' || { echo 'not ok 2 - two'; exit 1; }\n"
            .into();
    let run = |said: &str| {
        let bench = strict(Bench::new(vec![task.clone()]).agent(&format!("echo 'echo {said}' > a.sh")));
        let (_, events) = bench.run();
        (refusing_gate(&events), bench.subjects().len())
    };
    assert_eq!(run("a"), (None, 1));
    assert_eq!(run("short"), (Some(Gate::Tests), 0));
}
