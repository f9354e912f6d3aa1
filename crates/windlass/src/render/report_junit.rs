//! A report as JUnit XML: a suite for the plan, a case per task. CI servers show it beside other tests.

use std::fmt::Write as _;

use windlass_core::state::TaskState;
use windlass_core::view::report::{ReportTask, RunReport};

/// The whole report.
pub(crate) fn report_junit(report: &RunReport) -> String {
    let counts = &report.counts;
    let open = counts.total - counts.completed - counts.failed;
    let plan = escape(&report.plan);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\
         <testsuite name=\"{plan}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{open}\" time=\"{}\">\n",
        counts.total,
        counts.failed,
        seconds(report.until - report.from),
    );
    for task in &report.tasks {
        text.push_str(&case(&plan, task));
    }
    text.push_str("</testsuite>\n</testsuites>\n");
    text
}

fn case(plan: &str, task: &ReportTask) -> String {
    let name = escape(&format!("{}: {}", task.id, task.title));
    let head = format!("<testcase classname=\"{plan}\" name=\"{name}\" time=\"{}\"", seconds(task.millis));
    let why = task.why.clone().unwrap_or_else(|| task.state.as_str().replace('_', " "));
    let mut text = String::new();
    match task.state {
        TaskState::Completed => {
            let _ = writeln!(text, "{head}/>");
        }
        TaskState::Failed => {
            let next = task.next.as_deref().map(|next| format!("\nnext: {next}")).unwrap_or_default();
            let (message, body) = (escape(&why), escape(&format!("{why}{next}")));
            let _ = writeln!(text, "{head}><failure message=\"{message}\">{body}</failure></testcase>");
        }
        TaskState::Pending
        | TaskState::InProgress
        | TaskState::Testing
        | TaskState::TestFailed
        | TaskState::Blocked
        | TaskState::Skipped => {
            let message = escape(&format!("{}: {why}", task.state.as_str().replace('_', " ")));
            let _ = writeln!(text, "{head}><skipped message=\"{message}\"/></testcase>");
        }
    }
    text
}

fn seconds(millis: i64) -> String {
    format!("{}.{:03}", millis.max(0) / 1000, millis.max(0) % 1000)
}

/// The text as XML takes it, in attributes too. Characters that XML has no word for are left out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_per_task_with_its_reason() {
        let task = |id: &str, state, why: Option<&str>| ReportTask {
            id: id.into(),
            title: "Say \"<hi>\" & \u{1b}[1mbye".into(),
            state,
            millis: 1_250,
            commit: None,
            why: why.map(Into::into),
            next: Some("`windlass retry b`".into()),
            weak_tests: Vec::new(),
        };
        let text: String = [
            task("a", TaskState::Completed, None),
            task("b", TaskState::Failed, Some("tests: `x` failed")),
            task("c", TaskState::Pending, None),
        ]
        .iter()
        .map(|task| case("shop", task))
        .collect();
        insta::assert_snapshot!(text, @r#"
        <testcase classname="shop" name="a: Say &quot;&lt;hi&gt;&quot; &amp; [1mbye" time="1.250"/>
        <testcase classname="shop" name="b: Say &quot;&lt;hi&gt;&quot; &amp; [1mbye" time="1.250"><failure message="tests: `x` failed">tests: `x` failed
        next: `windlass retry b`</failure></testcase>
        <testcase classname="shop" name="c: Say &quot;&lt;hi&gt;&quot; &amp; [1mbye" time="1.250"><skipped message="pending: pending"/></testcase>
        "#);
    }
}
