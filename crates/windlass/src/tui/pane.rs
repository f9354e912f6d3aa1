//! The pane beside the tree: what one task is, said, changed and proved.

use windlass_core::ids::TaskId;

/// What the pane shows of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(super) enum PaneTab {
    /// Its attempts, as `windlass show` tells them.
    #[default]
    Story,
    /// What is being printed, or was printed last.
    Log,
    /// What it changed.
    Diff,
    /// What proves it.
    Evidence,
}

impl PaneTab {
    /// All of them, in order.
    pub(super) const ALL: [PaneTab; 4] = [PaneTab::Story, PaneTab::Log, PaneTab::Diff, PaneTab::Evidence];

    /// Its word.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            PaneTab::Story => "story",
            PaneTab::Log => "log",
            PaneTab::Diff => "diff",
            PaneTab::Evidence => "evidence",
        }
    }

    /// The next one.
    pub(super) fn next(self) -> Self {
        match self {
            PaneTab::Story => PaneTab::Log,
            PaneTab::Log => PaneTab::Diff,
            PaneTab::Diff => PaneTab::Evidence,
            PaneTab::Evidence => PaneTab::Story,
        }
    }
}

/// The pane: which text, and how far it is scrolled.
#[derive(Debug, Clone, Default)]
pub(super) struct Pane {
    /// What is shown.
    pub(super) tab: PaneTab,
    /// The task whose text it has, and for what it was made: a change of any asks for a new text.
    pub(super) made_for: Option<PaneKey>,
    /// The lines.
    pub(super) lines: Vec<String>,
    /// The first line shown.
    pub(super) top: usize,
    /// Whether the end stays in sight as lines come.
    pub(super) follows: bool,
    /// How many columns and lines it had when it was drawn last.
    pub(super) size: (usize, usize),
}

/// What a text was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PaneKey {
    /// The task.
    pub(super) task: TaskId,
    /// What of it.
    pub(super) tab: PaneTab,
    /// The time of its last event, or the size of its running output.
    pub(super) version: u64,
    /// The columns.
    pub(super) width: usize,
}

impl Pane {
    /// The columns that a text is made for.
    pub(super) fn columns(&self) -> usize {
        self.size.0.max(20)
    }

    /// Whether the text was made for another width than the one it was drawn with.
    pub(super) fn wants_other_width(&self) -> bool {
        self.made_for.as_ref().is_some_and(|key| key.width != self.columns())
    }

    /// Shows another text of the same or another task.
    pub(super) fn show(&mut self, key: PaneKey, lines: Vec<String>) {
        let same = self.made_for.as_ref().is_some_and(|k| k.task == key.task && k.tab == key.tab);
        if !same {
            self.follows = key.tab == PaneTab::Log;
            self.top = 0;
        }
        self.lines = lines;
        self.made_for = Some(key);
        if self.follows {
            self.top = self.last_top();
        }
    }

    /// Moves the text; at the end it follows again.
    pub(super) fn scroll(&mut self, by: isize) {
        let last = self.last_top();
        self.top = self.top.saturating_add_signed(by).min(last);
        self.follows = self.tab == PaneTab::Log && self.top == last;
    }

    /// The first line of the last screenful.
    pub(super) fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(self.size.1.max(1))
    }

    /// The next line after the top that has the text, round the end.
    pub(super) fn find(&mut self, wanted: &str) -> bool {
        let wanted = wanted.to_lowercase();
        let n = self.lines.len();
        let after = (1..=n).map(|step| (self.top + step) % n.max(1));
        let has = |at: &usize| self.lines[*at].to_lowercase().contains(&wanted);
        match after.into_iter().find(has) {
            Some(at) => {
                self.top = at;
                self.follows = false;
                true
            }
            None => false,
        }
    }
}
