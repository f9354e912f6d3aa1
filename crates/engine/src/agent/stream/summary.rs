//! Folds the entries of a stream into a few facts, in bounded memory.

use serde_json::Value;
use windlass_core::event::Usage;

use super::entry::{ClaimedEnd, ErrorWeight, MessagePart, StreamEntry, UsageSpan};
use super::json_text;
use super::problem::Problem;

/// How many denials are kept.
const DENIALS: usize = 20;
/// How much of a message is kept.
const SAID: usize = 64 << 10;

/// The facts of a stream so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StreamSummary {
    /// The conversation's name.
    pub session: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// What this run used: what the end says, else the sum of the steps.
    pub usage: Usage,
    /// What the whole conversation used, where the stream counts so.
    pub conversation: Option<Usage>,
    /// The last thing it said.
    pub said: Option<String>,
    /// Its answer in the required schema.
    pub structured: Option<Value>,
    /// How many tools it used.
    pub tools: u32,
    /// The tool it used last, with what it was given; none once it has spoken again.
    pub tool: Option<String>,
    /// Whether that tool has not come to its end.
    pub tool_at_work: bool,
    /// How many answers of the model were counted.
    pub steps: u32,
    /// What it was not allowed to do.
    pub denied: Vec<String>,
    /// What ended it.
    pub failure: Option<(Problem, String)>,
    /// What was last tried again, if nothing came of it since.
    pub trouble: Option<(Problem, String)>,
    /// How often in a row something was tried again.
    pub retries: u32,
    /// How it ended, if it said so.
    pub end: Option<ClaimedEnd>,
    /// How long the provider last asked to wait, in seconds: an end often says only that there is a limit.
    pub(in crate::agent) asked_to_wait: Option<u64>,
    pub(in crate::agent) denied_calls: Vec<String>,
    pub(in crate::agent) last_step: Option<String>,
    pub(in crate::agent) has_total: bool,
    pub(in crate::agent) open_message: bool,
}

impl StreamSummary {
    /// Takes one entry in.
    pub fn take(&mut self, entry: StreamEntry) {
        let open = std::mem::take(&mut self.open_message);
        match entry {
            StreamEntry::Session { id, model } => {
                self.session = Some(id);
                self.model = model.or_else(|| self.model.take());
            }
            StreamEntry::Working => self.end = None,
            StreamEntry::Message { text, part } => self.message(&text, part, open),
            StreamEntry::ToolUse { tool, what } => {
                self.tools += 1;
                self.tool = Some(format!("{tool} {what}").trim_end().to_owned());
                self.tool_at_work = true;
                self.progress();
            }
            StreamEntry::ToolOver | StreamEntry::ToolFailed { .. } | StreamEntry::FileChange { .. } => {
                self.tool_at_work = false;
                self.progress();
            }
            StreamEntry::Denied { call, what } => {
                self.tool_at_work = false;
                self.deny(call, what);
            }
            StreamEntry::Usage { usage, span, model } => self.used(&usage, span, model),
            StreamEntry::Error { problem, message, weight } => self.wrong(problem, message, weight),
            StreamEntry::End { outcome, said, structured } => {
                self.end = Some(outcome);
                // An end that repeats the last words knows better than the pieces; an empty one means an empty answer.
                if said.is_some() {
                    self.said = said;
                }
                self.structured = structured;
            }
        }
    }

    fn message(&mut self, text: &str, part: MessagePart, open: bool) {
        self.progress();
        (self.tool, self.tool_at_work) = (None, false);
        match (&mut self.said, part) {
            (Some(said), MessagePart::Piece) if open => {
                said.push_str(json_text::cut(text, SAID.saturating_sub(said.len())));
            }
            _ => self.said = Some(text.to_owned()),
        }
        self.open_message = part == MessagePart::Piece;
    }

    fn progress(&mut self) {
        self.trouble = None;
        self.retries = 0;
    }

    fn deny(&mut self, call: String, what: String) {
        if let Some(ix) = self.denied_calls.iter().position(|c| *c == call && !call.is_empty()) {
            // Told again, with more words.
            self.denied[ix] = what;
        } else if self.denied.len() < DENIALS {
            self.denied_calls.push(call);
            self.denied.push(what);
        }
    }

    fn used(&mut self, usage: &Usage, span: UsageSpan, model: Option<String>) {
        match span {
            UsageSpan::Step(step) => {
                let again = !step.is_empty() && self.last_step.as_ref() == Some(&step);
                if again || self.has_total {
                    return;
                }
                self.usage.add(usage);
                self.steps += 1;
                if usage.tokens() > 0 {
                    self.progress();
                }
                self.last_step = Some(step);
            }
            UsageSpan::Run => {
                // A total of nothing, where steps were counted, is no total.
                if *usage != Usage::default() || self.usage == Usage::default() {
                    self.usage = *usage;
                    self.has_total = true;
                }
            }
            UsageSpan::Conversation => self.conversation = Some(*usage),
        }
        // What a program puts in the model's place when it speaks itself is no model.
        self.model = model.filter(|m| !m.starts_with('<')).or_else(|| self.model.take());
    }

    /// A limit without a time gets the one that was told before.
    fn with_wait(&self, mut problem: Problem) -> Problem {
        if let Problem::RateLimit { retry_after: retry_after @ None, resets_at: None } = &mut problem {
            *retry_after = self.asked_to_wait;
        }
        problem
    }

    fn wrong(&mut self, problem: Problem, message: String, weight: ErrorWeight) {
        match weight {
            ErrorWeight::Warning => {}
            ErrorWeight::Passing => {
                self.retries += 1;
                if let Problem::RateLimit { retry_after: wait @ Some(_), .. } = problem {
                    self.asked_to_wait = wait;
                }
                self.trouble = Some((problem, message));
            }
            ErrorWeight::Final => self.failure = Some((self.with_wait(problem), message)),
        }
    }
}

#[cfg(test)]
mod tests;
