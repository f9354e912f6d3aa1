//! A report as Markdown.

use std::fmt::Write as _;

use windlass_core::criteria::{LinkSource, Standing};
use windlass_core::event::Usage;
use windlass_core::state::TaskState;
use windlass_core::view::report::{AttemptLine, CriterionCoverage, ReportTask, RunReport, Spending};
use windlass_core::view::{AttemptOutcome, TurnDoc, agent_at, agent_shown};

use super::status::{dollars, short_number, tally};
use super::time::{precise, time};

/// The whole report.
pub(crate) fn report_markdown(report: &RunReport, graph: Option<&str>) -> String {
    let mut text = format!("# Report on {}\n\n", cell(&report.plan));
    let _ = writeln!(text, "{}\n", tally(&report.counts));
    if let Some(branch) = &report.branch {
        let _ = writeln!(text, "- branch: `{branch}`");
    }
    let _ = writeln!(text, "- time from first to last event: {}", time(report.until - report.from));
    let _ = writeln!(text, "- {} attempts, {}", report.attempts.len(), spent(&report.usage));
    text.push_str(&unfinished(report));
    text.push_str(&coverage(report));
    text.push_str(&weak_tests(report));
    if let Some(graph) = graph {
        // Forges draw it.
        let _ = writeln!(text, "\n## Graph\n\n```mermaid\n{}\n```", graph.trim_end());
    }
    text.push_str(&attempts(report));
    text.push_str(&turns(report));
    text.push_str(&spending(report));
    text.push_str(&rates(report));
    text.push_str(&happenings(report));
    text
}

/// What failed or waits, and why.
pub(super) fn unfinished(report: &RunReport) -> String {
    let open = |task: &&ReportTask| matches!(task.state, TaskState::Failed | TaskState::Blocked);
    let rows: Vec<&ReportTask> = report.tasks.iter().filter(open).collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n## What failed or waits\n\n| task | title | state | why | next |\n|---|---|---|---|---|\n",
    );
    for task in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            cell(&task.id),
            cell(&task.title),
            task.state.as_str(),
            cell(task.why.as_deref().unwrap_or_default()),
            cell(task.next.as_deref().unwrap_or_default()),
        );
    }
    text
}

/// Tests of merged tasks that are not known to depend on the code.
fn weak_tests(report: &RunReport) -> String {
    let rows = report.tasks.iter().flat_map(|task| task.weak_tests.iter().map(move |test| (task, test)));
    let rows: Vec<String> =
        rows.map(|(task, test)| format!("| {} | {} |\n", cell(&task.id), cell(test))).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = "\n## Weak tests\n\nThese tests passed, and are not known to depend on the code; `windlass show TASK` says why.\n\n";
    format!("{head}| task | test |\n|---|---|\n{}", rows.concat())
}

/// The attempts as a picture that forges draw: a section per task, a bar per attempt.
fn gantt(report: &RunReport) -> String {
    const LANES: usize = 60;
    if report.attempts.is_empty() {
        return String::new();
    }
    let mut text = String::from("```mermaid\ngantt\n    dateFormat x\n    axisFormat %H:%M:%S\n");
    let mut tasks: Vec<&str> = report.attempts.iter().map(|line| line.task.as_str()).collect();
    tasks.sort_unstable();
    tasks.dedup();
    for task in tasks.into_iter().take(LANES) {
        let _ = writeln!(text, "    section {task}");
        for AttemptLine { attempt: a, .. } in report.attempts.iter().filter(|line| line.task == task) {
            let end = a.ended.unwrap_or(report.until).max(a.started + 1);
            let mark = if a.outcome == AttemptOutcome::Merged { "done" } else { "crit" };
            let _ = writeln!(text, "    attempt {} :{mark}, {}, {end}", a.attempt, a.started);
        }
    }
    text.push_str("```\n\n");
    text
}

fn coverage(report: &RunReport) -> String {
    let mut text = format!(
        "\n## Coverage\n\n{}\n\n| criterion | text | standing | task | tests | linked by | commit |\n\
         |---|---|---|---|---|---|---|\n",
        standings(report)
    );
    let or_dash = |items: &[String]| if items.is_empty() { "—".to_owned() } else { items.join(", ") };
    for row in &report.coverage {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            cell(&row.criterion),
            cell(&row.text),
            row.standing.as_str(),
            cell(&or_dash(&row.tasks)),
            cell(&or_dash(&row.tests)),
            row.by.map_or("—", LinkSource::as_str),
            or_dash(&row.commits)
        );
    }
    text
}

/// A row per criterion for a pull request: how it stands, by which tests, in which commits.
pub(super) fn coverage_rows(rows: &[&CriterionCoverage]) -> Vec<String> {
    let or_dash = |items: &[String]| if items.is_empty() { "—".to_owned() } else { items.join(", ") };
    let one = |row: &&CriterionCoverage| {
        format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            cell(&row.criterion),
            cell(&row.text),
            row.standing.as_str(),
            cell(&or_dash(&row.tasks)),
            cell(&or_dash(&row.tests)),
            or_dash(&row.commits)
        )
    };
    rows.iter().map(one).collect()
}

/// A row for a task of a pull request.
pub(super) fn task_row(task: &ReportTask) -> String {
    let commit = task.commit.as_deref().unwrap_or("—");
    format!(
        "| {} | {} | {} | {commit} |\n",
        cell(&task.id),
        cell(&task.title),
        task.state.as_str().replace('_', " ")
    )
}

/// How many criteria stand how, in words.
pub(super) fn standings(report: &RunReport) -> String {
    if report.coverage.is_empty() {
        return "The plan states no criteria.".into();
    }
    let count = |standing| report.standing(standing);
    let mut text = format!(
        "{} of {} criteria are proved: tests that stand for them were red before, are green, and were seen to bite.",
        count(Standing::Proved),
        report.coverage.len()
    );
    let further = [
        (Standing::Held, "held before their task: their tests passed already, and notice wrong code."),
        (
            Standing::Merged,
            "merged without proof: their task is merged, and no test is known to stand for them.",
        ),
        (Standing::Open, "open."),
    ];
    for (standing, words) in further {
        if count(standing) > 0 {
            let _ = write!(text, " {} {words}", count(standing));
        }
    }
    text
}

fn attempts(report: &RunReport) -> String {
    let mut text = format!(
        "\n## Timeline\n\n{}| after | task | attempt | kind | agent | took | outcome | tokens | cost |\n\
         |---:|---|---:|---|---|---:|---|---:|---:|\n",
        gantt(report)
    );
    for AttemptLine { task, attempt: a } in &report.attempts {
        let took = a.ended.map(|end| time(end - a.started)).unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {took} | {} | {} | {} |",
            time(a.started - report.from),
            cell(task),
            a.attempt,
            a.rung,
            cell(&agent_at(&a.agent, a.place.as_deref())),
            a.outcome,
            if a.tokens == 0 { String::new() } else { short_number(a.tokens) },
            money(a.cost_usd, a.tokens),
        );
    }
    text
}

/// Every turn: who, in which part, with which model, at which cost, in which session, and where its words are kept.
fn turns(report: &RunReport) -> String {
    let mut text = format!(
        "\n## Turns\n\nWhat each agent printed is kept in `{}`, by the name in the last column; its beginning is \
         enough to find it.\n\n\
         | task | attempt | part | agent | model | took | read | from cache | written | cost | said | session | transcript |\n\
         |---|---:|---|---|---|---:|---:|---:|---:|---:|---|---|---|\n",
        report.transcripts
    );
    let row = |task: &str, no: &str, t: &TurnDoc| {
        let [read, cached, written] =
            [t.input_tokens, t.cached_tokens, t.output_tokens].map(|n| tokens(t, n));
        format!(
            "| {} | {no} | {} | {} | {} | {} | {read} | {cached} | {written} | {} | {} | {} | {} |\n",
            cell(task),
            t.role,
            cell(&agent_shown(&t.agent)),
            cell(t.model.as_deref().unwrap_or("")),
            seconds(t.seconds),
            money(t.cost_usd, t.input_tokens + t.output_tokens),
            t.verdict.as_deref().unwrap_or(t.claim),
            cell(t.session.as_deref().unwrap_or("")),
            short_name(t),
        )
    };
    for turn in &report.team {
        text.push_str(&row("the plan", "", turn));
    }
    for AttemptLine { task, attempt } in &report.attempts {
        for turn in &attempt.turns {
            text.push_str(&row(task, &attempt.attempt.to_string(), turn));
        }
    }
    text
}

fn spending(report: &RunReport) -> String {
    let mut text = String::from(
        "\n## Cost\n\n| agent | turns | time | read | from cache | written | cost |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let row = |name: &str, s: &Spending| {
        let time = time(i64::try_from(s.millis).unwrap_or(i64::MAX));
        let u = &s.usage;
        let (read, cached, written) = (u.input_tokens, u.cache_read_tokens, u.output_tokens);
        let [read, cached, written] = [read, cached, written].map(short_number);
        format!(
            "| {} | {} | {time} | {read} | {cached} | {written} | {} |\n",
            cell(name),
            s.turns,
            money(u.cost_usd, u.tokens())
        )
    };
    for (agent, spending) in &report.by_agent {
        text.push_str(&row(agent, spending));
    }
    for (role, spending) in &report.by_role {
        text.push_str(&row(&format!("as {role}"), spending));
    }
    text
}

fn rates(report: &RunReport) -> String {
    let mut text = String::from(
        "\n## Fix rates\n\n| kind of attempt | tried | merged | share |\n|---|---:|---:|---:|\n",
    );
    for (kind, rate) in &report.rates.rungs {
        let share = rate.percent().map(|p| format!("{p} %")).unwrap_or_default();
        let _ = writeln!(text, "| {kind} | {} | {} | {share} |", rate.tried, rate.merged);
    }
    if !report.rates.failures.is_empty() {
        text.push_str("\n| failure | times |\n|---|---:|\n");
        for (kind, times) in &report.rates.failures {
            let _ = writeln!(text, "| {kind} | {times} |");
        }
    }
    if report.rates.strays().next().is_some() {
        text.push_str("\n| attempts with | times |\n|---|---:|\n");
        for (what, times) in report.rates.strays() {
            let _ = writeln!(text, "| {what} | {times} |");
        }
    }
    if !report.rates.reviews.is_empty() {
        text.push_str("\n| review | times |\n|---|---:|\n");
        for (verdict, times) in &report.rates.reviews {
            let _ = writeln!(text, "| {verdict} | {times} |");
        }
    }
    text.push_str("\n## Success\n\n| what | now | goal | |\n|---|---:|---|---|\n");
    for m in &report.metrics {
        let value = if m.value.is_empty() { "—" } else { &m.value };
        let mark = match m.reached {
            Some(true) => "reached",
            Some(false) => "**not reached**",
            None => "",
        };
        let _ = writeln!(text, "| {} | {value} | {} | {mark} |", m.name, m.goal);
    }
    text.push_str(
        "\n## When to look at the process again\n\n| what | now | look again | |\n|---|---:|---|---|\n",
    );
    for t in &report.triggers {
        let value = if t.value.is_empty() { "—" } else { &t.value };
        let _ = writeln!(
            text,
            "| {} | {value} | {} | {} |",
            t.name,
            t.limit,
            if t.tripped { "**yes**" } else { "" }
        );
    }
    text
}

fn happenings(report: &RunReport) -> String {
    let mut text = String::from("\n## Runs\n\n");
    for h in &report.happenings {
        let _ = writeln!(text, "- after {}: {}", time(h.at - report.from), cell(&h.what));
    }
    text
}

/// `120 tokens, $0.25`.
pub(super) fn spent(usage: &Usage) -> String {
    match usage.cost_usd {
        Some(cost) => format!("{} tokens, {}", short_number(usage.tokens()), dollars(cost)),
        None => format!("{} tokens, cost unknown", short_number(usage.tokens())),
    }
}

/// A count of a turn; nothing where the agent told none at all.
fn tokens(turn: &TurnDoc, n: u64) -> String {
    if turn.input_tokens + turn.output_tokens == 0 { String::new() } else { short_number(n) }
}

/// The cost; a question mark if there were tokens of unknown price.
pub(super) fn money(cost: Option<f64>, tokens: u64) -> String {
    match cost {
        Some(cost) => dollars(cost),
        None if tokens > 0 => "?".into(),
        None => String::new(),
    }
}

/// A duration that is known in seconds.
pub(super) fn seconds(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "never negative, and short")]
    let millis = (seconds * 1000.0) as u64;
    precise(millis)
}

/// The first letters of the name under which a turn's words are kept.
pub(super) fn short_name(turn: &TurnDoc) -> &str {
    let name = turn.transcript.as_deref().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    name.get(..12).unwrap_or(name)
}

/// A text that stays in its cell: agents and plans write bars and line ends.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "&lt;")
}
