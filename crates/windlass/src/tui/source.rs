//! What the interface shows, from disk: the journal, what processes print, git.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use windlass_core::event::{Millis, Stamped};
use windlass_core::ids::TaskId;
use windlass_core::view::TaskHistory;
use windlass_engine::chronicle::{Chronicle, ChronicleError};
use windlass_engine::git::Repo;

use super::app::App;
use super::effect::{Effect, wish_words};
use super::pane::{PaneKey, PaneTab};
use crate::cli::{
    CliError, PlanState, Shelf, change_of, diff_text, evidence_of, leave, output_of, outputs_below,
    pending_wishes, run_state, titles,
};
use crate::render::{self, Screen, Transcript, width};
use crate::world::World;

/// Between two looks at what changes rarely: whether the coordinator lives, wishes, titles.
const RARELY: Duration = Duration::from_millis(500);
/// As many columns as a text may want.
const UNCUT: usize = 4096;
/// So much of the end of an output is shown.
const TAIL: u64 = 256 * 1024;

/// Where the interface reads.
pub(super) struct Source<'a> {
    world: &'a World,
    state: &'a PlanState,
    chronicle: Option<Chronicle>,
    looked: Option<Instant>,
    plan_hash: String,
}

impl<'a> Source<'a> {
    pub(super) fn new(world: &'a World, state: &'a PlanState) -> Self {
        Self { world, state, chronicle: None, looked: None, plan_hash: String::new() }
    }

    /// Takes over what was journaled since the last look; whether anything was.
    pub(super) fn refresh(&mut self, app: &mut App, now: Millis) -> bool {
        app.now = now;
        if self.chronicle.is_none() {
            // A journal that is just being made is readable at the next look.
            self.chronicle = self.state.chronicle().ok().flatten();
            if let Some(chronicle) = &self.chronicle
                && let Ok(view) = chronicle.view()
            {
                app.view = view;
                app.was_run = true;
                app.settle();
                self.look_rarely(app);
                return true;
            }
        }
        let Some(chronicle) = &self.chronicle else { return false };
        let before = app.view.seq;
        let (view, activities) = (&mut app.view, &mut app.activities);
        let read = chronicle.follow(view, |stamped: &Stamped| activities.apply(stamped));
        if let Err(error) = read {
            app.message = trouble(&error);
            return true;
        }
        let changed = app.view.seq != before;
        if changed {
            app.settle();
            app.state = run_state(app.view.run.as_ref());
        }
        if self.looked.is_none_or(|at| at.elapsed() >= RARELY) {
            return self.look_rarely(app) || changed;
        }
        changed
    }

    /// Whether the coordinator lives, which wishes wait, what phases are called; whether any of it changed.
    fn look_rarely(&mut self, app: &mut App) -> bool {
        self.looked = Some(Instant::now());
        let state = run_state(app.view.run.as_ref());
        let wishes = pending_wishes(self.state).unwrap_or_default();
        let requested: Vec<String> = wishes.iter().map(crate::cli::wish_words).collect();
        let changed = state != app.state || requested != app.requested;
        (app.state, app.requested) = (state, requested);
        if app.view.plan_hash != self.plan_hash
            && let Some(chronicle) = &self.chronicle
        {
            self.plan_hash.clone_from(&app.view.plan_hash);
            app.titles = titles(self.state, chronicle).unwrap_or_default();
        }
        changed
    }

    /// Leaves a wish.
    pub(super) fn carry_out(&mut self, app: &mut App, effect: &Effect) {
        let Effect::Wish(wish) = effect else { return };
        let words = wish_words(wish);
        app.message = match leave(self.world, self.state, wish) {
            Ok(_) if app.is_live() => format!("requested: {words}"),
            Ok(_) => format!("requested: {words}; the next `windlass run` does it"),
            Err(error) => format!("not requested: {}", error.message),
        };
        self.looked = None;
    }

    /// Makes the text of the pane, if it is not the one shown.
    pub(super) fn load(&mut self, app: &mut App, now: Millis) {
        let Some(task) = app.task() else {
            app.pane.made_for = None;
            app.pane.lines.clear();
            return;
        };
        let id = task.id.clone();
        let running = live_size(&self.state.paths.live(&id));
        let heard = u64::try_from(task.heard).unwrap_or_default();
        let version = match app.pane.tab {
            PaneTab::Log => heard.wrapping_add(running),
            PaneTab::Story | PaneTab::Diff | PaneTab::Evidence => heard,
        };
        let columns = app.pane.columns();
        let key = PaneKey { task: id.clone(), tab: app.pane.tab, version, width: columns };
        if app.pane.made_for.as_ref() == Some(&key) {
            return;
        }
        // Lines are broken below, so nothing is cut before.
        let screen = Screen { terminal: true, colour: false, width: UNCUT };
        let text = match self.text(app, &id, now, screen) {
            Ok(text) => text,
            Err(error) => format!("{}\n{}", error.message, error.hints.join("\n")),
        };
        let lines = match app.pane.tab {
            PaneTab::Diff => text.lines().map(|line| line.replace('\t', "    ")).collect(),
            PaneTab::Story | PaneTab::Log | PaneTab::Evidence => broken(&text, columns - 1),
        };
        app.pane.show(key, lines);
    }

    fn text(&self, app: &App, task: &TaskId, now: Millis, screen: Screen) -> Result<String, CliError> {
        let Some(chronicle) = &self.chronicle else { return Ok(String::new()) };
        match app.pane.tab {
            PaneTab::Log => self.log(chronicle, task, screen),
            PaneTab::Story => {
                let history = chronicle.history(task)?;
                let kept = Shelf { world: self.world, state: self.state };
                let now = if app.is_live() { now } else { app.view.at };
                let own = app.view.task(task.as_str());
                Ok(own
                    .map(|own| render::story(&app.view, own, &history, now, &screen, &kept))
                    .unwrap_or_default())
            }
            PaneTab::Diff => self.diff(&chronicle.history(task)?),
            PaneTab::Evidence => {
                let history = chronicle.history(task)?;
                let record =
                    history.merged.as_ref().map(|m| evidence_of(self.world, &m.evidence)).transpose()?;
                Ok(match record.flatten() {
                    Some(record) => render::evidence(&record, &screen),
                    None => "no evidence yet: it is written when the task is merged".into(),
                })
            }
        }
    }

    fn diff(&self, history: &TaskHistory) -> Result<String, CliError> {
        let repo = Repo::discover(self.world.git_env(), &self.world.cwd)?;
        let Some(change) = change_of(&repo, &self.state.name, history, None)? else {
            return Ok("it has changed nothing yet".into());
        };
        let text = diff_text(self.world, &change, false, false)?;
        Ok(format!("{}\n\n{text}", change.what))
    }

    /// What is being printed; or what the last attempt printed.
    fn log(&self, chronicle: &Chronicle, task: &TaskId, screen: Screen) -> Result<String, CliError> {
        let mut recorded: Vec<(String, std::path::PathBuf)> = Vec::new();
        let mut last = None;
        chronicle.each_of(task, 0, |stamped: &Stamped| {
            if let Some((attempt, title, output)) = output_of(&stamped.event) {
                if last != Some(attempt) {
                    recorded.clear();
                    last = Some(attempt);
                }
                if let Some(name) = output.checked() {
                    recorded
                        .push((format!("attempt {attempt} · {title}"), self.state.paths.out().join(name)));
                }
            }
        })?;
        let mut text = String::new();
        for (title, path) in &recorded {
            text.push_str(&format!("── {title}\n{}", printed(path, screen)));
        }
        let live = outputs_below(&self.state.paths.live(task));
        if let Some(path) = live.last().filter(|path| !is_recorded(path, &recorded)) {
            text.push_str(&format!("── running\n{}", printed(path, screen)));
        }
        if text.is_empty() {
            text = "nothing was printed yet".into();
        }
        Ok(text)
    }
}

/// The text in lines of at most so many columns. What goes on is indented like its beginning.
pub(super) fn broken(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut rest = line.replace('\t', "    ");
        let indent = rest.chars().take_while(|c| *c == ' ').count().min(columns / 3) + 2;
        while width(&rest) > columns {
            let fits = rest.char_indices().scan(0, |used, (at, c)| {
                *used += width(c.encode_utf8(&mut [0; 4]));
                (*used <= columns).then_some(at + c.len_utf8())
            });
            let end = fits.last().unwrap_or(rest.len());
            let blank = rest[..end].rfind(' ').filter(|at| *at > indent);
            let (first, more) = rest.split_at(blank.unwrap_or(end));
            let more = format!("{}{}", " ".repeat(indent), more.trim_start());
            lines.push(first.to_owned());
            if more.len() >= rest.len() {
                break;
            }
            rest = more;
        }
        lines.push(rest);
    }
    lines
}

/// Whether a running output is one that was recorded: the same bytes under another name.
fn is_recorded(live: &Path, recorded: &[(String, std::path::PathBuf)]) -> bool {
    let size = |path: &Path| fs::metadata(path).map(|meta| meta.len()).ok();
    let same = |path: &Path| size(path) == size(live) && tail(path) == tail(live);
    recorded.iter().any(|(_, path)| same(path))
}

/// The end of an output as it reads, in lines that end.
fn printed(path: &Path, screen: Screen) -> String {
    let mut transcript = Transcript::new(screen);
    let mut text = transcript.push(&tail(path));
    text.push_str(&transcript.finish());
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The end of a file, from the beginning of a line.
fn tail(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Ok(mut file) = File::open(path) else { return bytes };
    let size = file.metadata().map_or(0, |meta| meta.len());
    let from = size.saturating_sub(TAIL);
    if file.seek(SeekFrom::Start(from)).is_err() || file.take(TAIL).read_to_end(&mut bytes).is_err() {
        return bytes;
    }
    if from > 0
        && let Some(end) = bytes.iter().position(|byte| *byte == b'\n')
    {
        bytes.drain(..=end);
    }
    bytes
}

fn live_size(dir: &Path) -> u64 {
    let files = outputs_below(dir);
    files.iter().filter_map(|path| fs::metadata(path).ok()).map(|meta| meta.len()).sum()
}

fn trouble(error: &ChronicleError) -> String {
    format!("the journal cannot be read at the moment: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_blanks_and_never_lost() {
        assert_eq!(broken("short\n\n  a", 20), ["short", "", "  a"]);
        assert_eq!(broken("  next: one two three four", 16), ["  next: one two", "    three four"]);
        assert_eq!(broken("0123456789abcdef", 10), ["0123456789", "  abcdef"]);
        assert_eq!(broken("全角文字全角文字", 9), ["全角文字", "  全角文", "  字"]);
    }
}
