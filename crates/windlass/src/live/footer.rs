//! The words of the live view below the lines that scroll by.

use windlass_core::event::{Millis, Usage};
use windlass_core::view::{Activities, Attention, Counts, RunningRow, View};

use super::rows::PlacedRows;
use crate::render::{Paint, Screen, cut, dollars, pad, short_number, time, width};

/// At most so many things that wait for a person are told; the others are counted.
const ATTENTION: usize = 3;

/// What is shown, without the time.
#[derive(Debug, Default)]
pub(super) struct Totals {
    rows: PlacedRows,
    attention: Vec<Attention>,
    counts: Counts,
    usage: Usage,
    started: Millis,
    paused: bool,
    stopping: bool,
}

impl Totals {
    pub(super) fn of(view: &View, activities: &Activities, rows: PlacedRows) -> Self {
        let run = view.run.as_ref();
        let mut usage = view.progress().usage;
        usage.add(&activities.usage());
        Self {
            rows,
            attention: view.waits_for_person(),
            counts: view.counts(),
            usage,
            started: run.map_or(view.at, |run| run.started),
            paused: run.is_some_and(|run| run.paused),
            stopping: run.is_some_and(|run| run.stopping),
        }
    }

    /// The lines, at most half of the screen.
    pub(super) fn lines(&self, now: Millis, screen: &Screen, (columns, rows): (usize, usize)) -> Vec<String> {
        let room = columns.saturating_sub(1).max(10);
        let half = (rows / 2).max(2);
        let mut lines = vec![screen.paint(Paint::Faint, &"─".repeat(room.min(60)))];
        for one in self.attention.iter().take(ATTENTION.min(half - 1)) {
            lines.push(attention_line(one, room, screen));
        }
        let untold = self.attention.len().saturating_sub(ATTENTION);
        if untold > 0 {
            lines.push(cut(&format!("  and {untold} more wait for you: `windlass status`"), room));
        }
        let left = half.saturating_sub(lines.len() + 1);
        let ids = self.rows.shown.iter().map(|row| width(row.task.as_str())).max().unwrap_or(0).min(20);
        for row in self.rows.shown.iter().take(left) {
            lines.push(running_line(row, ids, now, room, screen));
        }
        let more = self.rows.more + self.rows.shown.len().saturating_sub(left);
        if more > 0 {
            lines.push(screen.paint(Paint::Faint, &cut(&format!("  and {more} more at work"), room)));
        }
        lines.push(cut(&self.total_line(now), room));
        lines
    }

    /// `3 of 10 done · 2 at work · 1 waits for you · 4m 10s · 12.3k tokens · $0.42`.
    fn total_line(&self, now: Millis) -> String {
        let counts = &self.counts;
        let mut parts = vec![format!("{} of {} done", counts.completed, counts.total)];
        let at_work = self.rows.shown.len() + self.rows.more;
        if at_work > 0 {
            parts.push(format!("{at_work} at work"));
        }
        match self.attention.len() {
            0 => {}
            1 => parts.push("1 waits for you".into()),
            n => parts.push(format!("{n} wait for you")),
        }
        if self.stopping {
            parts.push("stopping".into());
        } else if self.paused {
            parts.push("paused, `windlass resume` goes on".into());
        }
        parts.push(time(now - self.started));
        parts.extend(spent(&self.usage));
        parts.join(" · ")
    }
}

/// Tokens and money, where there are any.
pub(crate) fn spent(usage: &Usage) -> Vec<String> {
    let tokens = (usage.tokens() > 0).then(|| format!("{} tokens", short_number(usage.tokens())));
    tokens.into_iter().chain(usage.cost_usd.map(dollars)).collect()
}

fn attention_line(one: &Attention, room: usize, screen: &Screen) -> String {
    let task = one.task.as_ref().map(|task| format!("{task}  ")).unwrap_or_default();
    // The next step is there to be typed: the reason is cut first.
    let next = format!(" → {}", one.next);
    let left = room.saturating_sub(2 + width(&task) + width(&next));
    let line = if left >= 16 {
        format!("{task}{}{next}", cut(&one.text, left))
    } else {
        cut(&format!("{task}{}", one.text), room.saturating_sub(2))
    };
    format!(
        "{} {}",
        screen.paint(Paint::Warning, one.need.mark()),
        screen.paint(Paint::Strong, &cut(&line, room - 2))
    )
}

fn running_line(row: &RunningRow, ids: usize, now: Millis, room: usize, screen: &Screen) -> String {
    let clock = time(now - row.since);
    let mut text =
        format!("{}  {} {:>6}  {}", pad(&cut(row.task.as_str(), ids), ids), row.strip, clock, row.step);
    if row.attempt > 1 {
        text.push_str(&format!(", attempt {}", row.attempt));
    }
    if let Some(doing) = &row.doing {
        text.push_str(&format!(" · {doing}"));
    } else if !row.title.is_empty() {
        text.push_str(&format!(" · {}", row.title));
    }
    // What it costs stays visible: the middle is cut.
    let tail = spent(&row.usage).iter().map(|part| format!(" · {part}")).collect::<String>();
    let left = room.saturating_sub(2 + width(&tail));
    let text =
        if left >= 30 { format!("{}{tail}", cut(&text, left)) } else { cut(&text, room.saturating_sub(2)) };
    format!("{} {text}", screen.paint(Paint::Busy, "▶"))
}
