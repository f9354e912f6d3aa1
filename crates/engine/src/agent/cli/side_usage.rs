//! What a program writes down about its usage while it works, where its stream tells it only at the end.
//!
//! Codex and Gemini CLI keep their conversation in a file of the turn's home and add the tokens of every answer to it.
//! The file is only read on; a file that cannot be read tells nothing.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;
use windlass_core::event::Usage;

use super::CliKind;
use super::kind::SidePlace;
use super::sessions::walk;

/// The most that is read at one look.
const MOST: u64 = 8 << 20;

/// What was told beside the stream.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ToldBeside {
    /// By the whole conversation, earlier turns included.
    Conversation {
        /// What is written down.
        told: Usage,
        /// The size of the last answer: Codex writes an answer down when it asks for the next, so one as large is on its
        /// way or has come.
        due: Usage,
    },
    /// By this run of the program.
    Run(Usage),
}

/// Reads on in the files of a conversation.
#[derive(Debug)]
pub(super) struct SideUsage {
    place: SidePlace,
    dir: PathBuf,
    read: HashMap<PathBuf, u64>,
    /// The last total of Codex, and of that the last answer.
    total: Option<(Usage, Usage)>,
    /// The answers of Gemini by their names: an answer is written again when it grows.
    answers: BTreeMap<String, Usage>,
}

impl SideUsage {
    /// Of the program with this home; `None` if its stream tells everything. What is there already was told before.
    pub(super) fn of(kind: CliKind, home: &Path) -> Option<Self> {
        let place = kind.facts().side_usage?;
        let (SidePlace::Totals(below) | SidePlace::Answers(below)) = place;
        let mut side = Self {
            place,
            dir: home.join(below),
            read: HashMap::new(),
            total: None,
            answers: BTreeMap::new(),
        };
        side.look();
        side.answers.clear();
        Some(side)
    }

    /// Reads what was added, and says what was used if anything is known.
    pub(super) fn look(&mut self) -> Option<ToldBeside> {
        let mut files = Vec::new();
        let is_conversation = |path: &Path| path.extension().is_some_and(|e| e == "jsonl");
        let _ = walk(&self.dir, 0, &mut |path| {
            if is_conversation(path) {
                files.push(path.to_owned());
            }
        });
        for path in files {
            let from = self.read.get(&path).copied().unwrap_or(0);
            let Some((lines, upto)) = added(&path, from) else { continue };
            self.read.insert(path, upto);
            lines.lines().filter_map(|line| serde_json::from_str(line).ok()).for_each(|v| self.take(&v));
        }
        match self.place {
            SidePlace::Totals(_) => self.total.map(|(told, due)| ToldBeside::Conversation { told, due }),
            SidePlace::Answers(_) if self.answers.is_empty() => None,
            SidePlace::Answers(_) => {
                let mut sum = Usage::default();
                self.answers.values().for_each(|answer| sum.add(answer));
                Some(ToldBeside::Run(sum))
            }
        }
    }

    fn take(&mut self, line: &Value) {
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64).unwrap_or(0);
        let codex = |usage: &Value| Usage {
            input_tokens: number(usage, "input_tokens"),
            output_tokens: number(usage, "output_tokens"),
            cache_read_tokens: number(usage, "cached_input_tokens"),
            ..Usage::default()
        };
        if let Some(total) = line.pointer("/payload/info/total_token_usage") {
            let last = line.pointer("/payload/info/last_token_usage").map(codex).unwrap_or_default();
            self.total = Some((codex(total), last));
        }
        if let (Some(tokens), Some(id)) = (line.get("tokens"), line.get("id").and_then(Value::as_str)) {
            let usage = Usage {
                input_tokens: number(tokens, "input"),
                output_tokens: number(tokens, "output") + number(tokens, "thoughts"),
                cache_read_tokens: number(tokens, "cached"),
                ..Usage::default()
            };
            self.answers.insert(id.to_owned(), usage);
        }
    }
}

/// The whole lines of a file beyond a place, and where they end.
fn added(path: &Path, from: u64) -> Option<(String, u64)> {
    let mut file = File::open(path).ok()?;
    if file.metadata().ok()?.len() <= from {
        return None;
    }
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    let end = bytes.iter().rposition(|b| *b == b'\n')? + 1;
    bytes.truncate(end);
    Some((String::from_utf8_lossy(&bytes).into_owned(), from + end as u64))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    fn append(path: &Path, text: &str) {
        use std::io::Write as _;
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    #[test]
    fn codex_tells_the_total_of_its_thread() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join(".codex/sessions/2026/11/16/rollout-x.jsonl");
        let mut side = SideUsage::of(CliKind::Codex, temp.path()).unwrap();
        assert_eq!(side.look(), None);
        let line = |n: u64| {
            let total = json!({"input_tokens": n, "cached_input_tokens": 1, "output_tokens": 2});
            json!({"type": "event_msg", "payload": {"type": "token_count", "info": {"total_token_usage": total}}})
        };
        append(&path, &format!("{}\n{{\"type\": \"other\"}}\nnonsense\n", line(10)));
        append(&path, &line(20).to_string()[..30]);
        let used = |n| Usage { input_tokens: n, output_tokens: 2, cache_read_tokens: 1, ..Usage::default() };
        let told = |n| Some(ToldBeside::Conversation { told: used(n), due: Usage::default() });
        assert_eq!(side.look(), told(10), "half a line is not read");
        append(&path, &format!("{}\n", &line(20).to_string()[30..]));
        assert_eq!(side.look(), told(20));
    }

    #[test]
    fn gemini_tells_every_answer_and_what_came_before_does_not_count() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join(".gemini/tmp/p/chats/session-1.jsonl");
        let line = |id: &str, n: u64| format!("{}\n", json!({"id": id, "tokens": {"input": n, "output": 1}}));
        append(&path, &line("old", 100));
        let mut side = SideUsage::of(CliKind::Gemini, temp.path()).unwrap();
        assert_eq!(side.look(), None);
        append(&path, &(line("a", 5) + &line("a", 6) + &line("b", 7)));
        let used = Usage { input_tokens: 13, output_tokens: 2, ..Usage::default() };
        assert_eq!(side.look(), Some(ToldBeside::Run(used)));
        assert!(SideUsage::of(CliKind::Claude, temp.path()).is_none());
    }
}
