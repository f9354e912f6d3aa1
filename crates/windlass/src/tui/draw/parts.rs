//! The parts of the screen: header, what waits for a person, the tree, the text.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use windlass_core::state::TaskState;
use windlass_core::view::TaskView;

use super::super::app::{App, Focus};
use super::super::pane::PaneTab;
use super::super::tree::{TaskFilter, TreeItem, TreeRow};
use super::style;
use crate::live::spent;
use crate::render::{Paint, cut, mark, time, width, words};

/// `shop · running · 3 of 10 done · 2 at work · 1 waits for you · 4m 10s · $0.42`.
pub(super) fn head(app: &App, columns: u16) -> Paragraph<'static> {
    let counts = &app.counts;
    let mut parts = vec![app.state.as_str().replace('_', " ")];
    if counts.total > 0 {
        parts.push(format!("{} of {} done", counts.completed, counts.total));
    }
    let at_work = counts.in_progress + counts.testing;
    if at_work > 0 {
        parts.push(format!("{at_work} at work"));
    }
    match app.attention.len() {
        0 => {}
        1 => parts.push("1 waits for you".into()),
        n => parts.push(format!("{n} wait for you")),
    }
    if let Some(run) = &app.view.run {
        let until = run.ended.as_ref().map_or(app.now, |ended| ended.at);
        let until = if app.is_live() { app.now } else { until };
        parts.push(time(until - run.started));
    }
    parts.extend(spent(&app.usage));
    if !app.requested.is_empty() {
        parts.push(format!("requested: {}", app.requested.join(", ")));
    }
    let line = cut(&format!(" {} · {}", app.plan, parts.join(" · ")), usize::from(columns));
    let name = width(&format!(" {}", app.plan)).min(line.chars().count());
    let (plan, rest): (String, String) =
        (line.chars().take(name).collect(), line.chars().skip(name).collect());
    let reversed = Style::default().add_modifier(Modifier::REVERSED);
    Paragraph::new(Line::from(vec![
        Span::styled(plan, reversed.add_modifier(Modifier::BOLD)),
        Span::raw(rest),
    ]))
    .style(reversed)
}

/// What waits for a person, the most urgent first.
pub(super) fn attention(app: &App, area: Rect) -> Paragraph<'static> {
    let room = usize::from(area.width);
    let shown = usize::from(area.height);
    let mut lines = Vec::new();
    for (n, one) in app.attention.iter().take(shown).enumerate() {
        let task = one.task.as_ref().map(|task| format!("{task} ")).unwrap_or_default();
        let untold = app.attention.len() - shown;
        let more = if n + 1 == shown && untold > 0 { format!(" (+{untold})") } else { String::new() };
        let text = cut(&format!("{task}{}", one.text), room.saturating_sub(3 + width(&more)));
        lines.push(Line::from(vec![
            Span::styled(format!(" {} ", one.need.mark()), style(app, Paint::Warning)),
            Span::styled(text, style(app, Paint::Strong)),
            Span::raw(more),
        ]));
    }
    Paragraph::new(lines)
}

/// How to begin.
pub(super) fn never_run(app: &App) -> Paragraph<'static> {
    let lines = [
        String::new(),
        format!(" plan {} was never run", app.plan),
        String::new(),
        " start it in another terminal: windlass run".into(),
        " this screen follows once it begins".into(),
    ];
    Paragraph::new(lines.map(Line::from).to_vec())
}

/// The tree, with the selected row in sight.
pub(super) fn tree(frame: &mut Frame<'_>, app: &mut App, area: Rect) {
    let rows = usize::from(area.height);
    app.tree_area = (area.y, area.height);
    if app.selected < app.top {
        app.top = app.selected;
    } else if app.selected >= app.top + rows {
        app.top = app.selected + 1 - rows;
    }
    app.top = app.top.min(app.rows.len().saturating_sub(rows));
    let tallies = app.view.parent_tallies();
    let ids = app.rows.iter().skip(app.top).take(rows);
    let ids = ids.filter_map(|row| match row.item {
        TreeItem::Task(at) => Some(width(app.view.tasks[at].id.as_str())),
        TreeItem::Phase(_) => None,
    });
    let ids = ids.max().unwrap_or(0).min(16);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (at, row) in app.rows.iter().enumerate().skip(app.top).take(rows) {
        let mut line = match row.item {
            TreeItem::Phase(place) => phase_line(app, row, place, tallies[place], area.width),
            TreeItem::Task(place) => task_line(app, row, &app.view.tasks[place], ids, area.width),
        };
        if at == app.selected {
            line = selected(line, app.focus == Focus::Tree, area.width);
        }
        lines.push(line);
    }
    if app.rows.is_empty() {
        let none = if app.filter == TaskFilter::All { "no tasks" } else { "none; `f` shows others" };
        lines.push(Line::from(format!(" {}: {none}", app.filter.words())));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// The selected row is reversed where keys go, and marked elsewhere.
fn selected(mut line: Line<'static>, focused: bool, columns: u16) -> Line<'static> {
    let used: usize = line.spans.iter().map(|span| width(&span.content)).sum();
    line.spans.push(Span::raw(" ".repeat(usize::from(columns).saturating_sub(used))));
    let modifier = if focused { Modifier::REVERSED } else { Modifier::UNDERLINED };
    line.style(Style::default().add_modifier(modifier))
}

fn phase_line(
    app: &App,
    row: &TreeRow,
    place: usize,
    (done, all): (usize, usize),
    columns: u16,
) -> Line<'static> {
    let id = &app.view.parents[place].id;
    let fold = if app.folded.contains(id) { "▸" } else { "▾" };
    let title = app.titles.get(id).unwrap_or(id);
    let tail = format!(" {done}/{all}");
    let lead = format!("{}{fold} ", "  ".repeat(row.depth));
    let room = usize::from(columns).saturating_sub(width(&lead) + width(&tail));
    let text = format!("{lead}{}{tail}", cut(title, room));
    Line::from(Span::styled(text, style(app, Paint::Strong)))
}

fn task_line(app: &App, row: &TreeRow, task: &TaskView, ids: usize, columns: u16) -> Line<'static> {
    let (sign, paint) = mark(task);
    let lead = "  ".repeat(row.depth);
    let id = crate::render::pad(&cut(task.id.as_str(), ids), ids);
    let room = usize::from(columns).saturating_sub(width(&lead) + 4 + ids);
    let text = match task.state {
        TaskState::InProgress | TaskState::Testing => working(app, task),
        TaskState::Failed | TaskState::Blocked | TaskState::Skipped | TaskState::TestFailed => {
            format!("{} · {}", words(task.state), task.title)
        }
        TaskState::Pending | TaskState::Completed => task.title.clone(),
    };
    Line::from(vec![
        Span::raw(lead),
        Span::styled(format!("{sign} "), style(app, paint)),
        Span::raw(format!("{id}  ")),
        Span::styled(cut(&text, room), style(app, text_paint(task.state))),
    ])
}

fn text_paint(state: TaskState) -> Paint {
    match state {
        TaskState::Failed | TaskState::Blocked => Paint::Strong,
        TaskState::Skipped | TaskState::Pending => Paint::Faint,
        TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => Paint::Busy,
        TaskState::Completed => Paint::Good,
    }
}

/// What a task at work is doing.
fn working(app: &App, task: &TaskView) -> String {
    let clock = time(task.worked_until(app.now));
    let doing = app.activities.of(&task.id).and_then(windlass_core::view::AgentActivity::doing);
    let step = task.steps.running().map_or("verify", |step| step.action.as_str());
    let what = doing.unwrap_or_else(|| task.title.clone());
    format!("{} {clock} {step} · {what}", task.steps.strip())
}

/// The text beside the tree, below the names of what may be shown.
pub(super) fn pane(frame: &mut Frame<'_>, app: &mut App, area: Rect) {
    let height = usize::from(area.height.saturating_sub(1));
    app.pane.size = (usize::from(area.width), height);
    if app.pane.follows {
        app.pane.top = app.pane.last_top();
    }
    app.pane.top = app.pane.top.min(app.pane.last_top());
    let mut tabs: Vec<Span<'_>> = Vec::new();
    let names: usize = PaneTab::ALL.iter().map(|tab| tab.as_str().len() + 4).sum();
    if let Some(task) =
        app.task().filter(|task| names + width(task.id.as_str()).min(16) + 2 <= area.width.into())
    {
        tabs.push(Span::styled(format!(" {} ", cut(task.id.as_str(), 16)), style(app, Paint::Strong)));
    }
    for (n, tab) in PaneTab::ALL.into_iter().enumerate() {
        let open = tab == app.pane.tab;
        let text = if open {
            format!("[{} {}]", n + 1, tab.as_str())
        } else {
            format!(" {} {} ", n + 1, tab.as_str())
        };
        tabs.push(Span::styled(text, style(app, if open { Paint::Strong } else { Paint::Faint })));
    }
    if app.pane.follows {
        tabs.push(Span::styled(" following", style(app, Paint::Note)));
    }
    let mut lines = vec![Line::from(tabs)];
    let room = usize::from(area.width).saturating_sub(1);
    for text in app.pane.lines.iter().skip(app.pane.top).take(height) {
        let found = !app.sought.is_empty() && text.to_lowercase().contains(&app.sought.to_lowercase());
        let line = Line::from(Span::styled(format!(" {}", cut(text, room)), line_style(app, text)));
        lines.push(if found {
            line.style(Style::default().add_modifier(Modifier::UNDERLINED))
        } else {
            line
        });
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// How a line of a text looks: diffs, headings and verdicts are told apart by how they begin.
fn line_style(app: &App, text: &str) -> Style {
    let diff = app.pane.tab == PaneTab::Diff;
    match text.chars().next() {
        Some('+') if diff => style(app, Paint::Good),
        Some('-') if diff => style(app, Paint::Error),
        Some('@') if diff => style(app, Paint::Note),
        Some('─') => style(app, Paint::Strong),
        Some(_) if diff && text.starts_with("diff ") => style(app, Paint::Strong),
        Some(_) | None => Style::default(),
    }
}
