//! From the state to cells. Every state has a mark and a word besides its colour.

mod parts;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

use super::app::{App, Focus};
use super::input::KEYS;
use super::prompt::PromptBox;
use super::source::broken;
use crate::render::{Paint, cut, in_ascii};

/// From this many columns on the tree and the text stand side by side.
const WIDE: u16 = 90;
/// At most so many lines of what waits for a person.
const ATTENTION: usize = 3;

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, app: &mut App) {
    let area = frame.area();
    if area.width < 20 || area.height < 4 {
        frame.render_widget(Paragraph::new("too small"), area);
        return;
    }
    let told = app.attention.len().min(if area.height < 16 { 1 } else { ATTENTION });
    let told = u16::try_from(told).unwrap_or(0);
    let [head, attention, main, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(told),
        Constraint::Min(1),
        Constraint::Length(1),
    ])
    .areas(area);
    frame.render_widget(parts::head(app, head.width), head);
    frame.render_widget(parts::attention(app, attention), attention);
    if app.was_run {
        draw_main(frame, app, main);
    } else {
        frame.render_widget(parts::never_run(app), main);
    }
    frame.render_widget(foot_line(app, foot.width), foot);
    if let Some(PromptBox::Help(top)) = app.prompt {
        draw_help(frame, app, main, top);
    }
}

fn draw_main(frame: &mut Frame<'_>, app: &mut App, area: Rect) {
    if area.width >= WIDE {
        let [tree, line, pane] =
            Layout::horizontal([Constraint::Percentage(45), Constraint::Length(1), Constraint::Min(20)])
                .areas(area);
        parts::tree(frame, app, tree);
        let bar: Vec<Line<'_>> = (0..line.height).map(|_| Line::from("│")).collect();
        frame.render_widget(Paragraph::new(bar).style(style(app, Paint::Faint)), line);
        parts::pane(frame, app, pane);
        return;
    }
    match app.focus {
        Focus::Tree => parts::tree(frame, app, area),
        Focus::Pane => parts::pane(frame, app, area),
    }
}

fn foot_line(app: &App, width: u16) -> Paragraph<'static> {
    let width = usize::from(width);
    if let Some(prompt) = &app.prompt {
        // The end of what is typed stays in sight.
        let line = prompt.line();
        let skip = line.chars().count().saturating_sub(width);
        let line: String = line.chars().skip(skip).collect();
        return Paragraph::new(line).style(style(app, Paint::Strong));
    }
    if !app.message.is_empty() {
        return Paragraph::new(cut(&app.message, width)).style(style(app, Paint::Note));
    }
    let (hints, last): (&[&str], _) = match app.focus {
        Focus::Tree if !app.was_run => (&[], "q leave"),
        Focus::Tree => {
            (&["Enter open", "a act", "n next", "p pause", "f filter", "/ search"], "? keys  q leave")
        }
        Focus::Pane => {
            (&["Esc back", "1 story", "2 log", "3 diff", "4 evidence", "a act", "/ search"], "? keys")
        }
    };
    // The way to all keys, and out, is always in sight.
    let mut line = String::new();
    for hint in hints {
        if line.len() + hint.len() + 2 + last.len() > width {
            break;
        }
        line.push_str(hint);
        line.push_str("  ");
    }
    line.push_str(last);
    Paragraph::new(cut(&line, width)).style(style(app, Paint::Faint))
}

fn draw_help(frame: &mut Frame<'_>, app: &App, area: Rect, top: usize) {
    let keys = KEYS.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
    let room = usize::from(area.width).saturating_sub(keys + 3).max(16);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (key, what) in KEYS {
        for (n, text) in broken(what, room).into_iter().enumerate() {
            let shown = if n == 0 { key } else { "" };
            let gap = " ".repeat(keys + 2 - shown.chars().count());
            lines.push(Line::from(vec![
                Span::styled(format!(" {shown}"), style(app, Paint::Strong)),
                Span::raw(format!("{gap}{text}")),
            ]));
        }
    }
    let top = top.min(lines.len().saturating_sub(usize::from(area.height)));
    lines.drain(..top);
    let area = Rect { height: area.height.min(u16::try_from(lines.len()).unwrap_or(u16::MAX)), ..area };
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines), area);
}

/// How a kind of text looks. Without colours its weight differs.
pub(super) fn style(app: &App, paint: Paint) -> Style {
    let plain = Style::default();
    let weight = match paint {
        Paint::Error | Paint::Warning | Paint::Note | Paint::Help | Paint::Strong => {
            plain.add_modifier(Modifier::BOLD)
        }
        Paint::Faint | Paint::Frame => plain.add_modifier(Modifier::DIM),
        Paint::Good | Paint::Busy => plain,
    };
    if !app.colour {
        return weight;
    }
    match paint {
        Paint::Error => weight.fg(Color::Red),
        Paint::Warning => weight.fg(Color::Yellow),
        Paint::Note | Paint::Help => weight.fg(Color::Cyan),
        Paint::Good => plain.fg(Color::Green),
        Paint::Busy => plain.fg(Color::Yellow),
        Paint::Frame => plain.fg(Color::Blue),
        Paint::Strong | Paint::Faint => weight,
    }
}

/// Replaces what a terminal without UTF-8 cannot show.
pub(super) fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let plain = in_ascii(cell.symbol());
            cell.set_symbol(&plain.chars().take(1).collect::<String>());
        }
    }
}
