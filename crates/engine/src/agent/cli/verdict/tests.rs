//! Tests of `cli/verdict`.

use std::time::Duration;

use windlass_core::event::Usage;

use super::*;

/// A turn of Claude Code whose stream told this and which exited so.
fn verdict(told: &StreamSummary, exit: &ProcessExit) -> TurnEnd {
    input(CliKind::Claude, told, exit).verdict()
}

fn input<'a>(kind: CliKind, told: &'a StreamSummary, exit: &'a ProcessExit) -> VerdictInput<'a> {
    let program = ProgramFile::Missing;
    VerdictInput { kind, name: "coder", told, exit, stopped: false, beside: "", logged_in: true, program }
}

fn done(said: &str) -> StreamSummary {
    StreamSummary { end: Some(ClaimedEnd::Done), said: Some(said.into()), ..StreamSummary::default() }
}

fn error(message: &str) -> TurnEnd {
    TurnEnd::Failed(Failure::AgentError { message: message.into() })
}

fn environment(end: TurnEnd) -> String {
    match end {
        TurnEnd::Failed(Failure::Environment { message }) => message,
        other => panic!("{other:?}"),
    }
}

fn refused(end: TurnEnd) -> String {
    match end {
        TurnEnd::Failed(Failure::ProviderRefused { agent, reason }) if agent == "coder" => reason,
        other => panic!("{other:?}"),
    }
}

fn cut_off(message: &str) -> TurnEnd {
    let outage = Some(ProviderOutage::Faulty(message.to_owned()));
    TurnEnd::Failed(Failure::RateLimited { agent: "coder".into(), retry_after_seconds: None, outage })
}

const OK: ProcessExit = ProcessExit::Code(0);

#[test]
fn a_turn_is_done_only_if_stream_and_exit_code_agree() {
    let finished = TurnEnd::Done { needs_files: Vec::new() };
    let nothing = StreamSummary::default();
    let table = [
        (done("all green"), OK, finished),
        (done("all green"), ProcessExit::Code(1), error("it claimed to be done, but exit code 1")),
        (done("all green"), ProcessExit::Signal(9), error("it claimed to be done, but ended by signal 9")),
        (done(" \n"), OK, cut_off("the agent sent no answer")),
        (StreamSummary { tools: 3, ..done("") }, OK, cut_off("its last answer broke off")),
        (nothing.clone(), OK, error("it ended without an end: exit code 0")),
        (StreamSummary { end: Some(ClaimedEnd::Failed), ..nothing }, OK, error("it gave up")),
    ];
    for (told, exit, wanted) in table {
        assert_eq!(verdict(&told, &exit), wanted, "{told:?} {exit:?}");
    }
}

#[test]
fn a_structured_answer_needs_no_words() {
    let told = StreamSummary { structured: Some(serde_json::json!({"verdict": "approved"})), ..done("") };
    assert_eq!(verdict(&told, &OK), TurnEnd::Done { needs_files: Vec::new() });
}

#[test]
fn cancellation_counts_unless_the_watch_ended_the_run() {
    let told = StreamSummary {
        failure: Some((Problem::TurnLimit, "it took more than 3 turns".into())),
        ..StreamSummary::default()
    };
    assert_eq!(verdict(&told, &ProcessExit::Cancelled), TurnEnd::Cancelled);
    let stopped = VerdictInput { stopped: true, ..input(CliKind::Codex, &told, &ProcessExit::Cancelled) };
    assert_eq!(stopped.verdict(), error("it took more than 3 turns"));
}

#[test]
fn problems_of_the_machine_are_no_fault_of_the_work() {
    let told = StreamSummary::default();
    let missing = ProcessExit::NotStarted("cannot start `claude`: No such file or directory".into());
    let message = environment(verdict(&told, &missing));
    assert!(message.ends_with("`npm install -g @anthropic-ai/claude-code` installs it"), "{message}");
    let denied = ProcessExit::NotStarted("cannot start `claude`: Permission denied".into());
    let here = VerdictInput { program: ProgramFile::Here, ..input(CliKind::Claude, &told, &denied) };
    assert_eq!(environment(here.verdict()), "cannot start `claude`: Permission denied");
    let told = StreamSummary { failure: Some((Problem::Login, "no key".into())), ..StreamSummary::default() };
    let message = refused(verdict(&told, &ProcessExit::Code(1)));
    assert!(message.starts_with("Claude Code is not logged in (no key)"), "{message}");
    let told = StreamSummary { failure: Some((Problem::Payment, "402".into())), ..StreamSummary::default() };
    let message = refused(verdict(&told, &ProcessExit::Code(1)));
    assert!(message.starts_with("the provider of Claude Code wants to be paid (402)"), "{message}");
}

#[test]
fn an_outage_of_the_provider_costs_no_attempt() {
    for problem in [Problem::Server, Problem::Cut, Problem::Unreachable] {
        let told = StreamSummary { failure: Some((problem, "down".into())), ..StreamSummary::default() };
        let end = verdict(&told, &ProcessExit::Code(1));
        let TurnEnd::Failed(Failure::RateLimited { outage, .. }) = end else {
            panic!("{problem:?}: {end:?}")
        };
        assert!(outage.is_some_and(|why| why.reason().ends_with("down")), "{problem:?}");
    }
}

#[test]
fn time_limits_are_told_apart_and_a_waiting_program_is_rate_limited() {
    let quiet = StreamSummary::default();
    let wall = ProcessExit::TimedOut(Clock::Wall(Duration::from_mins(1)));
    let idle = ProcessExit::TimedOut(Clock::Idle(Duration::from_secs(7)));
    let timeout = |budget, seconds| TurnEnd::Failed(Failure::Timeout { budget, seconds });
    assert_eq!(verdict(&quiet, &wall), timeout(Budget::Attempt, 60));
    assert_eq!(verdict(&quiet, &idle), timeout(Budget::Idle, 7));
    let limit = Problem::RateLimit { retry_after: Some(30), resets_at: None };
    let waiting = StreamSummary { trouble: Some((limit, "429".into())), ..quiet };
    let limited = Failure::RateLimited { agent: "coder".into(), retry_after_seconds: Some(30), outage: None };
    assert_eq!(verdict(&waiting, &wall), TurnEnd::Failed(limited));
}

#[test]
fn silence_is_the_models_unless_a_tool_is_at_work() {
    let idle = ProcessExit::TimedOut(Clock::Idle(Duration::from_secs(7)));
    let begun = StreamSummary { session: Some("s".into()), ..StreamSummary::default() };
    assert_eq!(verdict(&begun, &idle), cut_off("no answer for 7 s"));
    let busy = StreamSummary { tool_at_work: true, ..begun };
    let timeout = Failure::Timeout { budget: Budget::Idle, seconds: 7 };
    assert_eq!(verdict(&busy, &idle), TurnEnd::Failed(timeout));
}

#[test]
fn a_model_that_declines_is_quoted() {
    let failure = Some((Problem::Declined, "refusal".to_owned()));
    let told = StreamSummary { failure, said: Some("I will not.".into()), ..StreamSummary::default() };
    let words = "I will not.".to_owned();
    let wanted = Failure::OnlyWords { stance: Stance::Refusal, words };
    assert_eq!(verdict(&told, &OK), TurnEnd::Failed(wanted));
}

#[test]
fn a_retry_that_led_nowhere_explains_a_run_without_an_end() {
    let trouble = Some((Problem::Refused, "overworked".to_owned()));
    let told = StreamSummary { trouble: trouble.clone(), steps: 1, ..StreamSummary::default() };
    assert_eq!(verdict(&told, &ProcessExit::Code(1)), error("overworked"));
    // After a claimed success the exit code counts, not the old trouble.
    let told = StreamSummary { trouble, ..done("ok") };
    assert_eq!(verdict(&told, &OK), TurnEnd::Done { needs_files: Vec::new() });
}

#[test]
fn a_failure_without_a_login_and_without_an_answer_is_a_missing_login() {
    let told =
        StreamSummary { failure: Some((Problem::Other, "unknown error".into())), ..StreamSummary::default() };
    let exit = ProcessExit::Code(1);
    let locked_out = VerdictInput { logged_in: false, ..input(CliKind::Gemini, &told, &exit) };
    let message = refused(locked_out.verdict());
    assert!(message.starts_with("Gemini CLI failed and does not seem to be logged in"), "{message}");
    let worked = StreamSummary { usage: Usage { input_tokens: 5, ..Usage::default() }, ..told };
    let worked = VerdictInput { logged_in: false, ..input(CliKind::Gemini, &worked, &exit) };
    assert_eq!(worked.verdict(), error("unknown error"), "it has used tokens, so it was logged in");
}

#[test]
fn standard_error_explains_what_the_stream_does_not() {
    let told = StreamSummary::default();
    let exit = ProcessExit::Code(1);
    for (beside, wanted) in [
        ("warning\nsegmentation fault\n", error("it ended without an end: exit code 1: segmentation fault")),
        ("", error("it ended without an end: exit code 1")),
    ] {
        let turn = VerdictInput { beside, ..input(CliKind::Codex, &told, &exit) };
        assert_eq!(turn.verdict(), wanted);
    }
    let limited = VerdictInput { beside: "429 Too Many Requests", ..input(CliKind::Codex, &told, &exit) };
    assert!(matches!(limited.verdict(), TurnEnd::Failed(Failure::RateLimited { .. })));
}

#[test]
fn exit_codes_of_limits_are_known_by_program() {
    let told = StreamSummary::default();
    for (kind, code, is_limit) in [
        (CliKind::Gemini, 53, true),
        (CliKind::Qwen, 53, true),
        (CliKind::Qwen, 55, true),
        (CliKind::Claude, 53, false),
        (CliKind::Gemini, 55, false),
    ] {
        let exit = ProcessExit::Code(code);
        let end = input(kind, &told, &exit).verdict();
        let wanted = if is_limit {
            format!("exit code {code}")
        } else {
            format!("it ended without an end: exit code {code}")
        };
        assert_eq!(end, error(&wanted), "{kind:?} {code}");
    }
    let exit = ProcessExit::Code(41);
    let message = refused(input(CliKind::Gemini, &told, &exit).verdict());
    assert!(message.starts_with("Gemini CLI is not logged in"), "{message}");
}
