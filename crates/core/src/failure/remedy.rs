//! What a person can do about a failure, in one line.

use std::collections::BTreeSet;

use super::{BlindSign, Budget, Failure, Gate, Stance};

const GIVE_FILES: &str = "give the task these files in the plan";
const SET_UP: &str =
    "make it part of the set-up (`[setup] command` in windlass.toml; `windlass doctor` tries it)";
const EXPECTATIONS_OFF: &str = "if the change is honest, set `[verify] expectations = \"off\"`";
const PLAIN_FILES: &str = "tell the agent in the task to write plain files and to leave no such thing behind";

impl Failure {
    /// The next step for a person. `task` is the id to put into commands.
    pub fn remedy(&self, task: &str) -> String {
        let retry = format!("`windlass retry {task}`");
        if let Some(missing) = self.missing_around_tests() {
            return format!("{missing}; then {retry}");
        }
        match self {
            Failure::Spawn { .. } => {
                format!("`windlass agents` shows which agents can be started; then {retry}")
            }
            Failure::AgentError { .. } => format!("`windlass logs {task}` has what it printed; then {retry}"),
            Failure::RateLimited { .. } => "nothing: it goes on when the pause is over".into(),
            Failure::ProviderRefused { .. } => {
                "put the login or the account right, then `windlass retry --blocked`".into()
            }
            Failure::OnlyWords { stance: Stance::Question, .. } => {
                format!(
                    "`windlass answer {task} \"…\"` goes on with your answer; or say it in the task, then {retry}"
                )
            }
            Failure::NoChange | Failure::OnlyWords { .. } => {
                format!(
                    "`windlass show {task} --brief` is what it was told; say more in the task, then {retry}"
                )
            }
            Failure::OutOfScope { .. } => format!("{GIVE_FILES} if it needs them, then {retry}"),
            Failure::MovedOut { to, .. } => format!("give the task `{to}` in the plan, then {retry}"),
            Failure::NeverTaken { .. } => format!("{PLAIN_FILES}, then {retry}"),
            Failure::CodeBeforeTests { .. } => format!("put the tests into the plan, or {retry}"),
            Failure::NotRed { without_tests: true, .. } => format!(
                "state the command that runs the tests in the plan (`Verification`), or correct the test; then {retry}"
            ),
            Failure::NotRed { passing, .. } => after_not_red(*passing, task),
            Failure::WrongRed { environment, by_plan, skipped, .. } => {
                let cause = match (environment, by_plan) {
                    (true, _) if *skipped => WrongRedCause::Skipped,
                    (true, _) => WrongRedCause::Environment,
                    (false, true) => WrongRedCause::Plan,
                    (false, false) => WrongRedCause::Test,
                };
                after_wrong_red(cause, task)
            }
            Failure::CannotRun { .. } => format!("{SET_UP}, then {retry}"),
            Failure::WrongTest { by_agent: false, .. } => format!("correct the test, then {retry}"),
            Failure::WrongTest { by_agent: true, .. } => {
                format!("write the test yourself or into the plan, then {retry}")
            }
            Failure::TestsFailed { gate, failed, .. } => after_gate(*gate, failed, task),
            Failure::NoBite { sign: BlindSign::Uncertain | BlindSign::Unchangeable, .. } => {
                format!(
                    "make the test compare a result with a value, or set `[verify] expectations = \"auto\"`; then {retry}"
                )
            }
            Failure::NoBite { .. } => {
                format!(
                    "read the code that the test calls: it must compute the result; {EXPECTATIONS_OFF}; then {retry}"
                )
            }
            Failure::FrozenChanged { .. } => {
                format!("if the test is wrong, correct it in the plan, then {retry}")
            }
            Failure::Timeout { budget, .. } => format!("raise {}, then {retry}", limit(*budget)),
            Failure::Conflict { .. } => {
                format!("say in the plan which of the tasks comes first, then {retry}")
            }
            Failure::SpecContradiction { .. } => {
                format!(
                    "`windlass answer {task} \"…\"` goes on with your decision; or correct the task or its tests, then {retry}"
                )
            }
            Failure::NeedsFiles { .. } => format!("{GIVE_FILES}, then {retry}"),
            Failure::Environment { .. } | Failure::NoTestCommand { .. } | Failure::BriefTooLarge { .. } => {
                format!("put it right, then {retry}")
            }
            Failure::Rejected { .. } => {
                format!("look at `windlass show {task}`, then `approve`, `retry` or `skip` it")
            }
        }
    }

    /// How a person lets the work through that was refused as dishonest and is honest; `None` for every other failure.
    pub(crate) fn honesty_setting(&self) -> Option<String> {
        if let Failure::TestsFailed { gate: Gate::Rules, failed, .. } = self {
            return Some(rule_setting(failed));
        }
        matches!(self, Failure::NoBite { .. }).then(|| EXPECTATIONS_OFF.to_owned())
    }

    /// What to do about a program, a server or a network that tests ask for and do not have.
    fn missing_around_tests(&self) -> Option<String> {
        let (Failure::WrongRed { reason: said, .. }
        | Failure::CannotRun { excerpt: said, .. }
        | Failure::TestsFailed {
            gate: Gate::Tests | Gate::Neighbours | Gate::Suite, excerpt: said, ..
        }) = self
        else {
            return None;
        };
        if misses_a_server(said) {
            return Some(
                "if the tests need a server such as a database, start it by `[[verify.services]]` in windlass.toml"
                    .to_owned(),
            );
        }
        if misses_a_network(said) {
            return Some(
                "the tests reach for a network, and have none: let them do without it, or set `[sandbox] verify_network = \"open\"` in windlass.toml"
                    .to_owned(),
            );
        }
        let program = absent_program(said)?;
        Some(format!("install `{program}` where `PATH` finds it, or {SET_UP}"))
    }
}

/// The program that bash did not find, by its own message: `verify.sh: line 1: cargo: command not found`.
fn absent_program(output: &str) -> Option<&str> {
    let line = output.lines().find_map(|line| line.trim_end().strip_suffix(": command not found"))?;
    line.rsplit(": ").next().filter(|name| !name.is_empty() && !name.contains(char::is_whitespace))
}

/// Whether an output has the error of a runtime for a connection that no server accepts.
pub fn misses_a_server(output: &str) -> bool {
    const ERRORS: [&str; 13] = [
        "ConnectionRefusedError",
        "[Errno 111]",
        "(os error 111)",
        "ECONNREFUSED",
        "kind: ConnectionRefused",
        "connect: connection refused",
        "java.net.ConnectException",
        "OperationalError: connection",
        "httpx.ConnectError",
        "ClientConnectorError",
        "redis.exceptions.ConnectionError",
        "ServerSelectionTimeoutError",
        "MongoNetworkError",
    ];
    ERRORS.iter().any(|error| output.contains(error))
}

/// Whether an output has the error of a runtime for a host that cannot be found or reached.
pub fn misses_a_network(output: &str) -> bool {
    const ERRORS: [&str; 11] = [
        "EAI_AGAIN",
        "getaddrinfo ENOTFOUND",
        "ENETUNREACH",
        "socket.gaierror",
        "Temporary failure in name resolution",
        "Name or service not known",
        "failed to lookup address information",
        "java.net.UnknownHostException",
        "Network is unreachable",
        ": no such host",
        "Could not resolve host",
    ];
    ERRORS.iter().any(|error| output.contains(error))
}

/// The next step where tests were not red.
fn after_not_red(passing: bool, task: &str) -> String {
    let retry = format!("`windlass retry {task}`");
    if passing {
        format!(
            "if the work is done already, `windlass skip {task}`; else make a test demand what is missing, then {retry}"
        )
    } else {
        format!("correct the test or its command in the plan, then {retry}")
    }
}

/// Why tests were red for a reason that no code of the task can remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WrongRedCause {
    /// They skip themselves where something of the environment is missing.
    Skipped,
    /// They cannot run here.
    Environment,
    /// The plan's own test is wrong.
    Plan,
    /// The agent's test is wrong.
    Test,
}

/// The next step where tests were red for the wrong reason.
fn after_wrong_red(cause: WrongRedCause, task: &str) -> String {
    let retry = format!("`windlass retry {task}`");
    match cause {
        WrongRedCause::Skipped => format!(
            "`windlass logs {task}` may say why; what they need goes into `[setup] command`, or is started by `[[verify.services]]`; then {retry}"
        ),
        WrongRedCause::Environment => format!("{SET_UP}, then {retry}"),
        WrongRedCause::Plan => format!(
            "correct the test in the plan, or on the base if it stands there (a tool may be newer than the project expects: pin it), then {retry}"
        ),
        WrongRedCause::Test => format!("write the test yourself or into the plan, then {retry}"),
    }
}

/// What the rules refuse, without the numbers of the lines: `a.py:3: says [rule]: `code`` in any order, each once.
pub(super) fn refused_code(excerpt: &str) -> BTreeSet<(&str, &str)> {
    let parts = excerpt.lines().map(|line| {
        let mut parts = line.splitn(3, ':');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(path), Some(number), Some(said)) if number.bytes().all(|b| b.is_ascii_digit()) => {
                (path, said)
            }
            (_, _, _) => (line, ""),
        }
    });
    parts.collect()
}

/// How rules that refuse an honest change are set.
fn rule_setting(rules: &[String]) -> String {
    let set: Vec<String> = rules.iter().map(|rule| format!("{rule} = \"warning\"")).collect();
    let set =
        if set.is_empty() { "the rule to \"warning\"".into() } else { format!("`{}`", set.join("`, `")) };
    format!("if the change is honest, set {set} in `[verify.rules]`")
}

fn after_gate(gate: Gate, failed: &[String], task: &str) -> String {
    let show = format!("`windlass show {task}`");
    let retry = format!("`windlass retry {task}`");
    match gate {
        Gate::Setup => format!("run the set-up command yourself, or set `[setup] command`; then {retry}"),
        Gate::Rules => format!("{}, then {retry}", rule_setting(failed)),
        Gate::TypeCheck => {
            format!("{show} has the findings; `[verify] type_check = \"off\"` leaves the checker out")
        }
        Gate::Lint => format!("{show} has the findings; `[verify] lint = \"off\"` leaves the linter out"),
        Gate::Steps => {
            format!("{show} has the output; correct the step in the plan if it is wrong, then {retry}")
        }
        Gate::Contract => format!("correct the contract in the plan or {retry}"),
        Gate::Coverage => format!("lower the coverage that the plan promises, or {retry}"),
        Gate::Tests | Gate::Neighbours | Gate::Suite | Gate::HeldOut => {
            format!("{show} has the output; make the task clearer or smaller, then {retry}")
        }
        Gate::Purity => {
            format!("let the tests write below `$TMPDIR` and not into tracked files, then {retry}")
        }
        Gate::Canaries => format!("{show} has the output; `[verify] canaries = \"off\"` leaves them out"),
        Gate::Mutants => format!("{show} has the output; `[verify] expectations = \"off\"` leaves them out"),
    }
}

fn limit(budget: Budget) -> &'static str {
    match budget {
        Budget::Attempt => "`[limits] attempt`",
        Budget::Step => "`[limits] step`",
        Budget::Verification => "`[limits] verification`",
        Budget::Build => "`[limits] build`",
        Budget::Idle => "`[limits] idle`",
    }
}

/// A line of an output without the word that only says that it is an error.
pub fn without_label(line: &str) -> &str {
    const LABEL: &str = "error: ";
    match line.get(..LABEL.len()) {
        Some(label) if label.eq_ignore_ascii_case(LABEL) => &line[LABEL.len()..],
        _ => line,
    }
}

/// The line of an output that says the most: the last error, what a failed test said, or the last line. Only shown, never decided by.
pub(super) fn telling_line(output: &str) -> Option<String> {
    const LONGEST: usize = 200;
    let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_error = |line: &&str| {
        let line = line.strip_prefix("E ").unwrap_or(line).trim_start();
        // pnpm sets its `ERROR` between thin spaces.
        let head = line.split(|c: char| matches!(c, ':' | '[') || c.is_whitespace()).next();
        let head = head.unwrap_or_default();
        // `ERROR tests/test_a.py` of a summary only says where.
        let says_where = head == "ERROR" && line.split_whitespace().count() == 2 && !line.contains(':');
        let is_kind = head.ends_with("Error") || head.ends_with("Exception");
        is_kind || (head.eq_ignore_ascii_case("error") && !says_where && !only_counts(line))
    };
    // npm says what is wrong first, behind a code, and where its log is last; pnpm says it first.
    let npm = || lines().find(|line| line.starts_with("npm error ") && !line.starts_with("npm error code"));
    let pnpm = || lines().find(|line| line.trim_start_matches('[').starts_with("ERR_PNPM_"));
    let plain = || lines().rev().find(is_error).map(str::to_owned);
    let line = plain()
        .or_else(|| said_by_test(&lines().collect::<Vec<_>>()))
        .or_else(|| npm().or_else(pnpm).or_else(|| lines().next_back()).map(str::to_owned))?;
    let line = line.strip_prefix("E ").unwrap_or(&line).trim();
    Some(line.chars().take(LONGEST).collect())
}

/// What cargo and rustc say last: that something failed, and not what.
fn only_counts(line: &str) -> bool {
    let said = line.split_once(": ").map_or("", |(_, said)| said);
    ["test failed, to rerun", "could not compile", "aborting due to"].iter().any(|s| said.starts_with(s))
        || said.ends_with("target failed:")
        || said.ends_with("targets failed:")
}

/// What the first failed test says, as runners print it: pytest, the harness of Rust, Go, and those that set what was expected
/// above what there was.
fn said_by_test(lines: &[&str]) -> Option<String> {
    let after = |at: usize| lines.get(at + 1).copied();
    for (at, line) in lines.iter().enumerate() {
        let sides = |first: &str, others: [&str; 3]| {
            let rest = lines.get(at..)?.iter().take(4);
            let other = rest.skip(1).find(|line| others.iter().any(|side| line.starts_with(side)))?;
            line.starts_with(first).then(|| format!("{line}; {other}"))
        };
        if let Some(said) = line.strip_prefix("E  ").filter(|said| !said.trim().is_empty()) {
            return Some(said.trim().to_owned());
        }
        if line.contains(" panicked at ") {
            let said = after(at)?.to_owned();
            let values = lines.iter().skip(at + 2).take(2);
            let values = values.filter(|line| line.starts_with("left: ") || line.starts_with("right: "));
            return Some(values.fold(said, |said, value| format!("{said}; {value}")));
        }
        if line.starts_with("--- FAIL: ") {
            return after(at).filter(|said| !said.starts_with("---")).map(str::to_owned);
        }
        let expected = sides("Expected", ["Received", "Actual", "But was"])
            .or_else(|| sides("expected:", ["got:", "actual:", "received:"]));
        if expected.is_some() || line.starts_with("Failed asserting") {
            return expected.or_else(|| Some((*line).to_owned()));
        }
    }
    None
}
