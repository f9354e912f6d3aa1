//! A report as Markdown.

use std::fmt::Write as _;

use windlass_core::event::Usage;
use windlass_core::view::report::{AttemptLine, RunReport, Spending};

use super::status::{short_number, tally, words};
use super::time::time;

/// The whole report.
pub(crate) fn report_markdown(report: &RunReport) -> String {
    let mut text = format!("# Report on {}\n\n", cell(&report.plan));
    let _ = writeln!(text, "{}\n", tally(&report.counts));
    if let Some(branch) = &report.branch {
        let _ = writeln!(text, "- branch: `{branch}`");
    }
    let _ = writeln!(text, "- time from first to last event: {}", time(report.until - report.from));
    let _ = writeln!(text, "- {} tries, {}", report.attempts.len(), spent(&report.usage));
    text.push_str(&coverage(report));
    text.push_str(&attempts(report));
    text.push_str(&spending(report));
    text.push_str(&rates(report));
    text.push_str(&happenings(report));
    text
}

fn coverage(report: &RunReport) -> String {
    let mut text = format!(
        "\n## Coverage\n\n{} of {} criteria are proved: their task is merged, and its tests were red before.\n\n\
         | criterion | text | task | state | tests | commit |\n|---|---|---|---|---|---|\n",
        report.proved(),
        report.coverage.len()
    );
    for row in &report.coverage {
        let id = if row.criterion.is_empty() { "—" } else { &row.criterion };
        let tests = if row.tests.is_empty() { "—".into() } else { row.tests.join(", ") };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            cell(id),
            cell(&row.text),
            cell(&row.task),
            words(row.state),
            cell(&tests),
            row.commit.as_deref().unwrap_or("—")
        );
    }
    text
}

fn attempts(report: &RunReport) -> String {
    let mut text = String::from(
        "\n## Timeline\n\n| after | task | try | kind | agent | took | outcome | tokens | cost | session | transcripts |\n\
         |---:|---|---:|---|---|---:|---|---:|---:|---|---|\n",
    );
    for a in &report.attempts {
        let took = a.ended.map(|end| time(end - a.started)).unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {took} | {} | {} | {} | {} | {} |",
            time(a.started - report.from),
            cell(&a.task),
            a.no,
            a.rung,
            cell(&a.agent),
            a.outcome,
            tokens(&a.usage),
            money(&a.usage),
            cell(a.session.as_deref().unwrap_or("")),
            transcripts(a),
        );
    }
    text
}

/// What each turn printed, by the first letters of the name under which it is kept.
fn transcripts(attempt: &AttemptLine) -> String {
    let short = |name: &String| name.get(..12).unwrap_or(name).to_owned();
    attempt.transcripts.iter().map(short).collect::<Vec<_>>().join(", ")
}

fn spending(report: &RunReport) -> String {
    let mut text = String::from(
        "\n## Cost\n\n| who | turns | time | read | from cache | written | cost |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let row = |name: &str, s: &Spending| {
        let time = time(i64::try_from(s.millis).unwrap_or(i64::MAX));
        let u = &s.usage;
        let (read, cached, written) = (u.input_tokens, u.cache_read_tokens, u.output_tokens);
        let [read, cached, written] = [read, cached, written].map(short_number);
        format!("| {} | {} | {time} | {read} | {cached} | {written} | {} |\n", cell(name), s.turns, money(u))
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
    let mut text =
        String::from("\n## Fix rates\n\n| kind of try | tried | merged | share |\n|---|---:|---:|---:|\n");
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
    if !report.rates.reviews.is_empty() {
        text.push_str("\n| review | times |\n|---|---:|\n");
        for (verdict, times) in &report.rates.reviews {
            let _ = writeln!(text, "| {verdict} | {times} |");
        }
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
fn spent(usage: &Usage) -> String {
    match usage.cost_usd {
        Some(cost) => format!("{} tokens, ${cost:.2}", short_number(usage.tokens())),
        None => format!("{} tokens, cost unknown", short_number(usage.tokens())),
    }
}

fn tokens(usage: &Usage) -> String {
    if usage.tokens() == 0 { String::new() } else { short_number(usage.tokens()) }
}

fn money(usage: &Usage) -> String {
    usage.cost_usd.map(|cost| format!("${cost:.2}")).unwrap_or_default()
}

/// A text that stays in its cell: agents and plans write bars and line ends.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "&lt;")
}
