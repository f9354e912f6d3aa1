//! Keys and the mouse: what each does to the state, and what it asks of the world.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use windlass_core::view::{PersonNeed, RunState};
use windlass_core::wish::Wish;

use super::app::{App, Focus};
use super::effect::Effect;
use super::pane::PaneTab;
use super::prompt::PromptBox;
use super::tree::TreeItem;

/// The keys, as the help lists them.
pub(super) const KEYS: [(&str, &str); 17] = [
    ("↑ ↓ j k", "move"),
    ("PgUp PgDn g G", "move by a screen, to the top, to the end"),
    ("Enter →", "open the task; unfold a phase"),
    ("Esc ←", "back to the tree; fold a phase"),
    ("1 2 3 4, Tab", "story, log, diff, evidence"),
    ("n", "next task that waits for you, or next match"),
    ("a", "answer, approve or give files: what the task waits for"),
    ("r", "retry from the start"),
    ("c", "cancel its attempt"),
    ("s", "skip it"),
    ("p", "pause or resume the run"),
    ("R", "retry every blocked task"),
    ("X", "cancel the run"),
    ("f", "filter: all, waiting for you, at work, not merged"),
    ("/", "search tasks, or the open text"),
    ("?", "this list"),
    ("q", "leave; the run goes on"),
];

impl App {
    /// A key.
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let interrupt = key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c');
        if interrupt {
            return vec![Effect::Leave];
        }
        self.message.clear();
        if self.prompt.is_some() {
            return self.prompt_key(key.code).into_iter().collect();
        }
        match key.code {
            KeyCode::Char('q') => return vec![Effect::Leave],
            KeyCode::Char('?') => self.prompt = Some(PromptBox::Help(0)),
            KeyCode::Char('/') => self.prompt = Some(PromptBox::Search(String::new())),
            KeyCode::Char('f') => {
                let keep = self.selected_item();
                self.filter = self.filter.next();
                self.list_again(keep);
            }
            KeyCode::Char('n') if self.sought.is_empty() => self.next_attention(),
            KeyCode::Char('n') => self.find_again(),
            KeyCode::Char(digit @ '1'..='4') => self.show_tab(PaneTab::ALL[digit as usize - '1' as usize]),
            KeyCode::Tab => self.show_tab(self.pane.tab.next()),
            KeyCode::Esc | KeyCode::Left | KeyCode::Char('h') => self.back(),
            KeyCode::Enter | KeyCode::Right | KeyCode::Char('l' | ' ') => self.forward(),
            KeyCode::Char(letter @ ('a' | 'r' | 'c' | 's' | 'p' | 'R' | 'X')) => {
                return self.steer(letter).into_iter().collect();
            }
            code => self.travel(code),
        }
        Vec::new()
    }

    /// Moves in the tree or in the text.
    fn travel(&mut self, code: KeyCode) {
        let page = isize::try_from(match self.focus {
            Focus::Tree => usize::from(self.tree_area.1),
            Focus::Pane => self.pane.size.1,
        })
        .unwrap_or(10)
        .max(2);
        let by = match code {
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::PageDown => page - 1,
            KeyCode::PageUp => 1 - page,
            KeyCode::Home | KeyCode::Char('g') => isize::MIN / 2,
            KeyCode::End | KeyCode::Char('G') => isize::MAX / 2,
            _ => return,
        };
        match self.focus {
            Focus::Tree => {
                let last = self.rows.len().saturating_sub(1);
                self.selected = self.selected.saturating_add_signed(by).min(last);
            }
            Focus::Pane => self.pane.scroll(by),
        }
    }

    fn show_tab(&mut self, tab: PaneTab) {
        self.pane.tab = tab;
        self.pane.made_for = None;
        self.focus = Focus::Pane;
    }

    fn back(&mut self) {
        self.sought.clear();
        if self.focus == Focus::Pane {
            self.focus = Focus::Tree;
        } else if let Some(TreeItem::Phase(at)) = self.selected_item() {
            self.folded.insert(self.view.parents[at].id.clone());
            self.list_again(Some(TreeItem::Phase(at)));
        } else if let Some(parent) = self.task().and_then(|task| task.parent) {
            self.list_again(Some(TreeItem::Phase(parent as usize)));
        }
    }

    fn forward(&mut self) {
        match self.selected_item() {
            Some(TreeItem::Phase(at)) => {
                let id = self.view.parents[at].id.clone();
                if !self.folded.remove(&id) {
                    self.folded.insert(id);
                }
                self.list_again(Some(TreeItem::Phase(at)));
            }
            Some(TreeItem::Task(_)) => self.focus = Focus::Pane,
            None => {}
        }
    }

    fn find_again(&mut self) {
        let sought = self.sought.clone();
        match self.focus {
            Focus::Tree => self.find_task(),
            Focus::Pane if self.pane.find(&sought) => {}
            Focus::Pane => self.message = format!("`{sought}` is not in this text"),
        }
    }

    /// A wish about the run or the selected task. What ends work is confirmed first.
    fn steer(&mut self, letter: char) -> Option<Effect> {
        match letter {
            'p' if self.state == RunState::Paused => return Some(Effect::Wish(Wish::Resume {})),
            'p' if self.is_live() => return Some(Effect::Wish(Wish::Pause {})),
            'p' => self.message = "no run is at work; start one with `windlass run`".into(),
            'R' => return Some(Effect::Wish(Wish::RetryBlocked {})),
            'X' if self.is_live() => {
                self.confirm("cancel the whole run?", Wish::Cancel { task: None });
            }
            'X' => self.message = "no run is at work".into(),
            _ => return self.steer_task(letter),
        }
        None
    }

    fn steer_task(&mut self, letter: char) -> Option<Effect> {
        let Some(task) = self.task().map(|task| task.id.clone()) else {
            self.message = "select a task first".into();
            return None;
        };
        match letter {
            'r' => return Some(Effect::Wish(Wish::Retry { task })),
            'c' => self.confirm(&format!("cancel the attempt at {task}?"), Wish::Cancel { task: Some(task) }),
            's' => self.confirm(&format!("skip {task} and what depends on it?"), Wish::Skip { task }),
            'a' => self.attend(),
            _ => {}
        }
        None
    }

    /// Does what the selected task waits for.
    fn attend(&mut self) {
        let Some(one) = self.task().and_then(|task| self.view.need_of(task)) else {
            self.message = "this task waits for nothing; `n` finds one that does".into();
            return;
        };
        let Some(task) = one.task.clone() else { return };
        match one.need {
            PersonNeed::Approval => {
                let question = format!("merge {task}? (`3` shows its diff)");
                self.confirm(&question, Wish::Approve { task, files: Vec::new() });
            }
            PersonNeed::Files => {
                let question = format!("give {task} {}?", one.files.join(", "));
                self.confirm(&question, Wish::Approve { task, files: one.files });
            }
            PersonNeed::Stale => {
                self.confirm(&format!("carry out {task} again?"), Wish::Retry { task });
            }
            PersonNeed::Question | PersonNeed::Decision | PersonNeed::Failed | PersonNeed::Run => {
                self.prompt = Some(PromptBox::Answer { task, text: String::new() });
            }
        }
    }

    fn confirm(&mut self, question: &str, wish: Wish) {
        self.prompt = Some(PromptBox::Confirm { question: question.to_owned(), wish });
    }

    fn prompt_key(&mut self, code: KeyCode) -> Option<Effect> {
        let mut prompt = self.prompt.take()?;
        match (code, &mut prompt) {
            (KeyCode::Down | KeyCode::Char('j'), PromptBox::Help(top)) => {
                *top = (*top + 1).min(2 * KEYS.len());
            }
            (KeyCode::Up | KeyCode::Char('k'), PromptBox::Help(top)) => *top = top.saturating_sub(1),
            (KeyCode::Char('y' | 'Y'), PromptBox::Confirm { wish, .. }) => {
                return Some(Effect::Wish(wish.clone()));
            }
            (KeyCode::Esc, _) | (_, PromptBox::Help(_) | PromptBox::Confirm { .. }) => return None,
            (KeyCode::Enter, PromptBox::Search(text)) => {
                self.sought = std::mem::take(text);
                if !self.sought.is_empty() {
                    self.find_again();
                }
                return None;
            }
            (KeyCode::Enter, PromptBox::Answer { task, text }) => {
                let (task, text) = (task.clone(), text.trim().to_owned());
                if text.is_empty() {
                    self.message = "no text was entered, so nothing was sent".into();
                    return None;
                }
                return Some(Effect::Wish(Wish::Answer { task, text, afresh: false }));
            }
            (KeyCode::Backspace, _) => drop(prompt.text_mut().and_then(String::pop)),
            (KeyCode::Char(c), _) => prompt.text_mut().into_iter().for_each(|text| text.push(c)),
            (_, _) => {}
        }
        self.prompt = Some(prompt);
        None
    }

    /// Text from the clipboard goes where one types.
    pub(super) fn paste(&mut self, text: &str) {
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if let Some(typed) = self.prompt.as_mut().and_then(PromptBox::text_mut) {
            typed.push_str(&line);
        }
    }

    /// The mouse selects a row and scrolls.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let (first, rows) = self.tree_area;
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) if (first..first + rows).contains(&mouse.row) => {
                let row = self.top + usize::from(mouse.row - first);
                if row < self.rows.len() {
                    (self.selected, self.focus) = (row, Focus::Tree);
                }
            }
            MouseEventKind::ScrollDown => self.travel(KeyCode::Down),
            MouseEventKind::ScrollUp => self.travel(KeyCode::Up),
            _ => {}
        }
    }
}
