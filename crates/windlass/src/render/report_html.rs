//! A report as one HTML page that needs nothing else: no script, no font, no request. Everything plans and agents wrote
//! is escaped.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use windlass_core::criteria::Standing;
use windlass_core::state::TaskState;
use windlass_core::view::report::{AttemptLine, ReportTask, RunReport, Spending};
use windlass_core::view::{AttemptDoc, AttemptOutcome, TurnDoc, agent_at, agent_shown};

use super::report_markdown::{money, seconds, short_name};
use super::status::{dollars, short_number, tally};
use super::time::time;

const STYLE: &str = include_str!("report.css");
/// The most lanes of the drawing; the table below it has all tasks.
const LANES: usize = 60;

/// The whole page.
pub(crate) fn report_html(report: &RunReport, graph: Option<&str>) -> String {
    let plan = escape(&report.plan);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{plan} · Windlass</title>\n<style>\n{STYLE}</style></head><body>\n<h1>{plan}</h1>\n"
    );
    let branch = report.branch.as_deref().map(|b| format!("branch <code>{}</code> · ", escape(b)));
    let _ = writeln!(
        text,
        "<p class=\"sub\">{}{}</p>",
        branch.unwrap_or_default(),
        escape(&tally(&report.counts))
    );
    text.push_str(&cards(report));
    text.push_str(&states(report));
    text.push_str(&unfinished(report));
    text.push_str(&coverage(report));
    text.push_str(&weak_tests(report));
    if let Some(graph) = graph {
        let _ = writeln!(text, "<h2>Graph</h2>\n<div class=\"wrap\">{graph}</div>");
    }
    text.push_str(&timeline(report));
    text.push_str(&attempts(report));
    text.push_str(&turns(report));
    text.push_str(&spending(report));
    text.push_str(&rates(report));
    text.push_str(&happenings(report));
    text.push_str(
        "<footer>Made by <code>windlass report</code> from the journal alone.</footer>\n</body></html>\n",
    );
    text
}

fn cards(report: &RunReport) -> String {
    let cost = report.usage.cost_usd.map_or("unknown".into(), dollars);
    let counts = &report.counts;
    let cards = [
        (format!("{}/{}", counts.completed, counts.total), "tasks merged"),
        (format!("{}/{}", report.standing(Standing::Proved), report.coverage.len()), "criteria proved"),
        (report.attempts.len().to_string(), "attempts"),
        (time(report.until - report.from), "first to last event"),
        (short_number(report.usage.tokens()), "tokens"),
        (cost, "cost"),
    ];
    let mut text = String::from("<div class=\"cards\">");
    for (value, name) in cards {
        let _ = write!(text, "<div class=\"card\"><b>{}</b><span>{name}</span></div>", escape(&value));
    }
    text.push_str("</div>\n");
    text
}

fn states(report: &RunReport) -> String {
    let counts = &report.counts;
    let total = f64::from(counts.total.max(1));
    let busy = counts.in_progress + counts.testing + counts.test_failed;
    let parts = [
        ("completed", counts.completed),
        ("busy", busy),
        ("failed", counts.failed),
        ("blocked", counts.blocked),
        ("skipped", counts.skipped),
    ];
    let mut text = String::from("<div class=\"states\">");
    for (class, n) in parts.into_iter().filter(|(_, n)| *n > 0) {
        let width = f64::from(n) * 100.0 / total;
        let _ = write!(text, "<i class=\"s-{class}\" style=\"width:{width:.2}%\" title=\"{n} {class}\"></i>");
    }
    text.push_str("</div>\n");
    text
}

fn coverage(report: &RunReport) -> String {
    let mut text = String::from(
        "<h2>Coverage</h2>\n<div class=\"wrap\"><table><tr><th>criterion</th><th>text</th><th>standing</th>\
         <th>task</th><th>tests</th><th>commit</th></tr>\n",
    );
    for row in &report.coverage {
        let tests: String =
            row.tests.iter().map(|t| format!("<li class=\"mono\">{}</li>", escape(t))).collect();
        let tests = if tests.is_empty() {
            "<span class=\"dim\">—</span>".into()
        } else {
            format!("<ul class=\"tests\">{tests}</ul>")
        };
        let _ = writeln!(
            text,
            "<tr><td class=\"mono\">{}</td><td>{}</td><td>{}</td><td class=\"mono\">{}</td><td>{tests}</td><td class=\"mono\">{}</td></tr>",
            escape(&row.criterion),
            prose(&row.text),
            pill(standing_class(row.standing), row.standing.as_str()),
            escape(&row.tasks.join(", ")),
            escape(&row.commits.join(", ")),
        );
    }
    text.push_str("</table></div>\n");
    text
}

/// What failed or waits, and why.
fn unfinished(report: &RunReport) -> String {
    let open = |task: &&ReportTask| matches!(task.state, TaskState::Failed | TaskState::Blocked);
    let rows: Vec<&ReportTask> = report.tasks.iter().filter(open).collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<h2>What failed or waits</h2>\n<div class=\"wrap\"><table><tr><th>task</th><th>title</th><th>state</th>\
         <th>why</th><th>next</th></tr>\n",
    );
    for task in rows {
        let _ = writeln!(
            text,
            "<tr><td class=\"mono\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&task.id),
            escape(&task.title),
            pill(task.state.as_str(), task.state.as_str()),
            escape(task.why.as_deref().unwrap_or_default()),
            escape(task.next.as_deref().unwrap_or_default()),
        );
    }
    text.push_str("</table></div>\n");
    text
}

/// Tests of merged tasks that are not known to depend on the code.
fn weak_tests(report: &RunReport) -> String {
    let rows = report.tasks.iter().flat_map(|task| task.weak_tests.iter().map(move |test| (task, test)));
    let row = |(task, test): (&ReportTask, &String)| {
        format!(
            "<tr><td class=\"mono\">{}</td><td class=\"mono\">{}</td></tr>\n",
            escape(&task.id),
            escape(test)
        )
    };
    let rows: String = rows.map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<h2>Weak tests</h2>\n<p>These tests passed, and are not known to depend on the code.</p>\n\
         <div class=\"wrap\"><table><tr><th>task</th><th>test</th></tr>\n{rows}</table></div>\n"
    )
}

/// A lane per task, a bar per attempt, on one scale.
fn timeline(report: &RunReport) -> String {
    let mut lanes: BTreeMap<&str, Vec<&AttemptDoc>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for AttemptLine { task, attempt } in &report.attempts {
        if !lanes.contains_key(task.as_str()) {
            order.push(task);
        }
        lanes.entry(task).or_default().push(attempt);
    }
    let mut text = String::from("<h2>Timeline</h2>\n<div class=\"wrap\">");
    for task in order.iter().take(LANES) {
        let _ = write!(
            text,
            "<div class=\"lane\"><span class=\"mono\">{}</span><div class=\"track\">",
            escape(task)
        );
        for attempt in &lanes[task] {
            text.push_str(&bar(report, attempt));
        }
        text.push_str("</div></div>\n");
    }
    text.push_str("</div>\n");
    if order.len() > LANES {
        let _ = writeln!(
            text,
            "<p class=\"dim\">… and {} more tasks in the table below.</p>",
            order.len() - LANES
        );
    }
    text
}

fn bar(report: &RunReport, attempt: &AttemptDoc) -> String {
    let share = |millis: i64| {
        #[expect(clippy::cast_precision_loss, reason = "a picture has a thousand columns")]
        let part = millis as f64 * 100.0 / (report.until - report.from).max(1) as f64;
        part.clamp(0.0, 100.0)
    };
    let end = attempt.ended.unwrap_or(report.until);
    format!(
        "<i class=\"{}\" style=\"left:{:.3}%;width:{:.3}%\" title=\"attempt {}, {}, {}: {}, {}\"></i>",
        outcome_class(&attempt.outcome),
        share(attempt.started - report.from),
        share(end - attempt.started),
        attempt.attempt,
        escape(&attempt.rung),
        escape(&agent_at(&attempt.agent, attempt.place.as_deref())),
        escape(attempt.outcome.as_str()),
        time(end - attempt.started),
    )
}

fn attempts(report: &RunReport) -> String {
    let mut text = String::from(
        "<h2>Attempts</h2>\n<div class=\"wrap\"><table><tr><th class=\"n\">after</th><th>task</th><th class=\"n\">attempt</th>\
         <th>kind</th><th>agent</th><th>outcome</th><th class=\"n\">took</th><th class=\"n\">tokens</th>\
         <th class=\"n\">cost</th></tr>\n",
    );
    for AttemptLine { task, attempt: a } in &report.attempts {
        let _ = writeln!(
            text,
            "<tr><td class=\"n\">{}</td><td class=\"mono\">{}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td>\
             <td title=\"{}\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            time(a.started - report.from),
            escape(task),
            a.attempt,
            escape(&a.rung),
            escape(&agent_at(&a.agent, a.place.as_deref())),
            escape(&a.why),
            pill(outcome_class(&a.outcome), a.outcome.as_str()),
            a.ended.map(|end| time(end - a.started)).unwrap_or_default(),
            if a.tokens > 0 { short_number(a.tokens) } else { String::new() },
            money(a.cost_usd, a.tokens),
        );
    }
    text.push_str("</table></div>\n");
    text
}

/// Every turn of every agent.
fn turns(report: &RunReport) -> String {
    let mut text = format!(
        "<h2>Turns</h2>\n<p class=\"sub\">What each agent printed is kept in <code>{}</code>.</p>\n\
         <div class=\"wrap\"><table><tr><th>task</th><th class=\"n\">attempt</th><th>part</th><th>agent</th><th>model</th>\
         <th class=\"n\">took</th><th class=\"n\">read</th><th class=\"n\">cached</th><th class=\"n\">written</th>\
         <th class=\"n\">cost</th><th>said</th><th>session</th><th>transcript</th></tr>\n",
        escape(&report.transcripts)
    );
    for turn in &report.team {
        text.push_str(&turn_row("the plan", "", turn));
    }
    for AttemptLine { task, attempt } in &report.attempts {
        for turn in &attempt.turns {
            text.push_str(&turn_row(task, &attempt.attempt.to_string(), turn));
        }
    }
    text.push_str("</table></div>\n");
    text
}

fn turn_row(task: &str, no: &str, t: &TurnDoc) -> String {
    let told = t.input_tokens + t.output_tokens;
    let [read, cached, written] = [t.input_tokens, t.cached_tokens, t.output_tokens]
        .map(|n| if told == 0 { String::new() } else { short_number(n) });
    format!(
        "<tr><td class=\"mono\">{}</td><td class=\"n\">{no}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{read}</td><td class=\"n\">{cached}</td><td class=\"n\">{written}</td><td class=\"n\">{}</td>\
         <td>{}</td><td class=\"mono\">{}</td><td class=\"mono\" title=\"{}\">{}</td></tr>\n",
        escape(task),
        t.role,
        escape(&agent_shown(&t.agent)),
        escape(t.model.as_deref().unwrap_or("")),
        seconds(t.seconds),
        money(t.cost_usd, told),
        escape(t.verdict.as_deref().unwrap_or(t.claim)),
        escape(t.session.as_deref().unwrap_or("")),
        escape(t.transcript.as_deref().unwrap_or("")),
        escape(short_name(t)),
    )
}

fn spending(report: &RunReport) -> String {
    let table = |head: &str, rows: Vec<(String, &Spending)>| {
        let mut text = format!(
            "<div class=\"wrap\"><table><tr><th>{head}</th><th class=\"n\">turns</th><th class=\"n\">time</th><th class=\"n\">read</th>\
             <th class=\"n\">cached</th><th class=\"n\">written</th><th class=\"n\">cost</th></tr>\n"
        );
        for (name, s) in rows {
            let u = &s.usage;
            let _ = writeln!(
                text,
                "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
                 <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                escape(&name),
                s.turns,
                time(i64::try_from(s.millis).unwrap_or(i64::MAX)),
                short_number(u.input_tokens),
                short_number(u.cache_read_tokens),
                short_number(u.output_tokens),
                money(u.cost_usd, u.tokens()),
            );
        }
        text.push_str("</table></div>");
        text
    };
    let agents = report.by_agent.iter().map(|(n, s)| (n.clone(), s)).collect();
    let roles = report.by_role.iter().map(|(n, s)| ((*n).to_owned(), s)).collect();
    format!("<h2>Cost</h2>\n<div class=\"two\">{}{}</div>\n", table("agent", agents), table("part", roles))
}

fn rates(report: &RunReport) -> String {
    let mut text = String::from(
        "<h2>Fix rates</h2>\n<div class=\"two\"><div class=\"wrap\"><table><tr><th>kind of attempt</th><th class=\"n\">tried</th>\
         <th class=\"n\">merged</th><th class=\"n\">share</th></tr>\n",
    );
    for (kind, rate) in &report.rates.rungs {
        let share = rate.percent().map(|p| format!("{p} %")).unwrap_or_default();
        let _ = writeln!(
            text,
            "<tr><td>{kind}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{share}</td></tr>",
            rate.tried, rate.merged
        );
    }
    text.push_str("</table></div><div class=\"wrap\"><table><tr><th>failure or review</th><th class=\"n\">times</th></tr>\n");
    let reviews = report.rates.reviews.iter().map(|(v, n)| (format!("review: {v}"), n));
    for (kind, times) in report.rates.failures.iter().map(|(k, n)| ((*k).to_owned(), n)).chain(reviews) {
        let _ = writeln!(text, "<tr><td>{kind}</td><td class=\"n\">{times}</td></tr>");
    }
    for (what, times) in report.rates.strays() {
        let _ = writeln!(text, "<tr><td>{what}</td><td class=\"n\">{times}</td></tr>");
    }
    text.push_str(
        "</table></div></div>\n<h2>When to look at the process again</h2>\n<div class=\"wrap\"><table>\
                   <tr><th>what</th><th class=\"n\">now</th><th>look again</th><th></th></tr>\n",
    );
    for t in &report.triggers {
        let mark = if t.tripped { pill("warn", "look again") } else { String::new() };
        let value = if t.value.is_empty() { "—" } else { &t.value };
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td class=\"n\">{value}</td><td class=\"dim\">{}</td><td>{mark}</td></tr>",
            t.name, t.limit
        );
    }
    text.push_str("</table></div>\n");
    text
}

fn happenings(report: &RunReport) -> String {
    let mut text = String::from("<h2>Runs</h2>\n<div class=\"wrap\"><table>\n");
    for h in &report.happenings {
        let _ = writeln!(
            text,
            "<tr><td class=\"n dim\">{}</td><td>{}</td></tr>",
            time(h.at - report.from),
            escape(&h.what)
        );
    }
    text.push_str("</table></div>\n");
    text
}

fn pill(class: &str, text: &str) -> String {
    format!("<span class=\"pill {class}\">{}</span>", escape(text))
}

fn standing_class(standing: Standing) -> &'static str {
    match standing {
        Standing::Proved | Standing::Held => "good",
        Standing::Merged => "warn",
        Standing::Open => "dim",
    }
}

fn outcome_class(outcome: &AttemptOutcome) -> &'static str {
    match outcome {
        AttemptOutcome::Merged => "good",
        AttemptOutcome::Open => "busy",
        AttemptOutcome::RateLimited | AttemptOutcome::Waits => "warn",
        AttemptOutcome::Interrupted | AttemptOutcome::Lost => "dim",
        AttemptOutcome::Failed(_) => "bad",
    }
}

/// The text as HTML, with what stands in backticks as code.
pub(super) fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let piece = |(n, part): (usize, &&str)| {
        if n % 2 == 1 { format!("<code>{}</code>", escape(part)) } else { escape(part) }
    };
    parts.iter().enumerate().map(piece).collect()
}

/// The text as HTML: nothing a plan or an agent wrote is markup.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::{escape, prose};

    #[test]
    fn nothing_that_was_written_is_markup() {
        assert_eq!(escape("<b title=\"x\">&'"), "&lt;b title=&quot;x&quot;&gt;&amp;&#39;");
        assert_eq!(prose("prints `<0>` now"), "prints <code>&lt;0&gt;</code> now");
        assert_eq!(prose("one ` alone <i>"), "one ` alone &lt;i&gt;");
    }
}
