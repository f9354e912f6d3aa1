//! What was asked beside what will be done, as one HTML page that needs nothing else: no script, no font, no request.
//! Everything documents and agents wrote is escaped.

use std::fmt::Write as _;

use windlass_planner::asked::{AskedLine, AskedSection, LineKind, PageTask, PlanPage};

use super::plan_page::{counts, is_grave};
use super::report_html::{escape, prose};

const STYLE: &str = include_str!("report.css");
const OWN_STYLE: &str = include_str!("plan_page.css");

/// The whole page.
pub(crate) fn plan_page_html(page: &PlanPage) -> String {
    let title = escape(&page.title);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title} · plan</title>\n<style>\n{STYLE}{OWN_STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    let _ = writeln!(
        text,
        "<p class=\"sub\"><code>{}</code> · {}</p>",
        escape(&page.name),
        escape(&counts(page))
    );
    open(page, &mut text);
    text.push_str("<div class=\"sides\"><section class=\"asked\"><h2>What was asked</h2>\n");
    let mut document = "";
    for section in &page.sections {
        if section.document != document {
            document = &section.document;
            let _ = writeln!(text, "<h3 class=\"doc\">{}</h3>", escape(document));
        }
        asked(section, &mut text);
    }
    text.push_str("</section>\n<section class=\"done\"><h2>What will be done</h2>\n");
    for task in &page.tasks {
        done(task, &mut text);
    }
    text.push_str(
        "</section></div>\n<footer>Made by <code>windlass plan --review</code>.</footer>\n</body></html>\n",
    );
    text
}

fn open(page: &PlanPage, text: &mut String) {
    if page.open.is_empty() {
        return;
    }
    let grave = page.open.iter().any(|(kind, _)| is_grave(*kind));
    let _ = writeln!(
        text,
        "<details class=\"open\"{}><summary>What is open ({})</summary><ul>",
        if grave || page.open.len() < 8 { " open" } else { "" },
        page.open.len()
    );
    for (kind, said) in &page.open {
        let class = if is_grave(*kind) { "grave" } else { "kind" };
        let _ = writeln!(text, "<li><b class=\"{class}\">{}</b> {}</li>", escape(kind.as_str()), prose(said));
    }
    text.push_str("</ul></details>\n");
}

fn asked(section: &AskedSection, text: &mut String) {
    if !section.heading.is_empty() {
        let level = section.level.clamp(1, 4);
        let _ = writeln!(text, "<h4 class=\"l{level}\">{}</h4>", escape(&section.heading));
    }
    for line in &section.lines {
        asked_line(line, text);
    }
}

fn asked_line(line: &AskedLine, text: &mut String) {
    let class = match (line.tasks.is_empty(), line.kind == LineKind::Code) {
        (true, false) => "line none",
        (true, true) => "line none code",
        (false, false) => "line",
        (false, true) => "line code",
    };
    let tasks: String = line
        .tasks
        .iter()
        .map(|id| format!("<a class=\"id\" href=\"#{0}\">{0}</a>", escape(id)))
        .collect::<Vec<_>>()
        .join(" ");
    let said = if line.kind == LineKind::Code { escape(&line.text) } else { prose(line.text.trim()) };
    let _ = writeln!(
        text,
        "<div class=\"{class}\"><span class=\"no\">{}</span><span class=\"said\">{said}</span><span class=\"to\">{tasks}</span></div>",
        line.line
    );
}

fn done(task: &PageTask, text: &mut String) {
    let id = escape(&task.id);
    let class = if task.is_group { "task group" } else { "task" };
    let _ = writeln!(
        text,
        "<article class=\"{class}\" id=\"{id}\"><h3><span class=\"id\">{id}</span> {}",
        prose(&task.title)
    );
    if !task.after.is_empty() {
        let after: Vec<String> =
            task.after.iter().map(|id| format!("<a href=\"#{0}\">{0}</a>", escape(id))).collect();
        let _ = write!(text, " <span class=\"after\">after {}</span>", after.join(", "));
    }
    text.push_str("</h3>\n");
    if !task.proposed.is_empty() {
        let _ = writeln!(
            text,
            "<p class=\"proposed\"><b>proposed</b> {} <span class=\"dim\">(an agent's addition; no document says it)</span></p>",
            escape(&task.proposed.join(", "))
        );
    }
    text.push_str("<ul class=\"files\">");
    for (what, path) in &task.files {
        let _ = write!(text, "<li><span class=\"dim\">{what}</span> <code>{}</code></li>", escape(path));
    }
    text.push_str("</ul>\n");
    if !task.criteria.is_empty() {
        text.push_str("<ul class=\"criteria\">");
        for (id, criterion) in &task.criteria {
            let _ = write!(text, "<li><span class=\"mono\">{}</span> {}</li>", escape(id), prose(criterion));
        }
        text.push_str("</ul>\n");
    }
    if !task.is_group {
        let from = if task.sources.is_empty() {
            "no line of the documents".into()
        } else {
            task.sources.join(" · ")
        };
        let _ = writeln!(
            text,
            "<p class=\"facts\"><span class=\"dim\">proof</span> {}<br><span class=\"dim\">from</span> {}</p>",
            prose(&task.proof),
            escape(&from)
        );
    }
    text.push_str("</article>\n");
}
