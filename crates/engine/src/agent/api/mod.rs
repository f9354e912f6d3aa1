//! `api`: a model behind a port that has no hands. One brief, one answer; the files are taken out of the answer.
//!
//! For constrained models (Ollama, llama.cpp, vLLM, any OpenAI-compatible or Anthropic endpoint). The loop of brief,
//! answer, verification and failure text is the ladder's, as for every other agent.

mod answer_blocks;
mod answer_content;
mod block_name;
mod file_edit;
mod http_call;
mod http_format;
mod prompt;
mod spec;
mod workdir_files;

use std::io::Write as _;
use std::time::{Duration, Instant};

use windlass_core::failure::{Budget, Failure, ProviderOutage, Stance};

use self::answer_content::AnswerContent;
use self::http_call::{HttpCall, HttpOutcome};
use self::http_format::{LengthLimit, Reply};
use self::prompt::{Prompt, PromptFiles};
use super::{Agent, AgentTurn, TurnEnd, TurnFuture, TurnOver, TurnStep};
use crate::process::{CancelLevel, CancellationSignal};

pub use self::spec::{ApiDialect, ApiKey, ApiSpec, BYTES_PER_TOKEN};

/// What is waited before a call is made again that the server could not answer.
const AGAIN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

/// A model behind an HTTP endpoint.
pub(super) struct ApiAgent {
    pub(super) spec: ApiSpec,
}

impl Agent for ApiAgent {
    fn turn<'a>(&'a self, turn: AgentTurn<'a>) -> TurnFuture<'a> {
        Box::pin(self.take(turn))
    }
}

impl ApiAgent {
    async fn take(&self, turn: AgentTurn<'_>) -> TurnOver {
        if let Some(key) = self.spec.key.as_ref().filter(|k| k.value().is_none()) {
            let message = format!("the model's key is to be in `{}`, which is not set", key.variable());
            return TurnOver::silent(TurnEnd::Failed(self.refused(&message)));
        }
        let read = turn.frozen.iter().chain(&turn.task.files.read).map(String::as_str).collect();
        let shown = PromptFiles { own: &turn.may_change, read };
        let prompt = if turn.step.only_judges() {
            prompt::to_judge(&self.spec, &turn.brief)
        } else {
            prompt::put_together(&self.spec, &turn.brief, &turn.dir, &shown)
        };
        let prompt = match prompt {
            Ok(prompt) => prompt,
            // Nothing was sent, and no other attempt would fit: the plan or the agent has to change.
            Err(message) => return TurnOver::silent(TurnEnd::Failed(Failure::Environment { message })),
        };
        let reply = match self.ask(turn.timeout, &turn.cancel, &prompt).await {
            Ok(reply) => reply,
            Err(end) => return TurnOver::silent(end),
        };
        let text = self.clean(&reply.text);
        let mut over = TurnOver::silent(TurnEnd::Cancelled);
        over.output = write_down(&turn, &text);
        over.usage = reply.usage;
        over.model.clone_from(&reply.model);
        let (end, summary) = self.conclude(&turn, &reply, &text);
        (over.end, over.summary) = (end, summary);
        over
    }

    /// Asks until there is an answer, or a reason not to ask again.
    async fn ask(
        &self,
        most: Duration,
        cancel: &CancellationSignal,
        prompt: &Prompt,
    ) -> Result<Reply, TurnEnd> {
        let allowed = self.spec.timeout.map_or(most, |own| own.min(most));
        let until = Instant::now() + allowed;
        let mut waits = AGAIN.iter();
        let mut limit = LengthLimit::MaxTokens;
        loop {
            let call = HttpCall {
                url: http_format::url(&self.spec),
                headers: http_format::headers(&self.spec),
                body: http_format::body(&self.spec, prompt, limit).to_string().into_bytes(),
                timeout: until.saturating_duration_since(Instant::now()),
            };
            let came = http_call::make(call, cancel).await;
            if limit == LengthLimit::MaxTokens && wants_other_limit(&came) {
                limit = LengthLimit::MaxCompletionTokens;
                continue;
            }
            let passing =
                matches!(came, HttpOutcome::Broken(_) | HttpOutcome::Answer { status: 500 | 502 | 504, .. });
            if let Some(wait) = waits.next().filter(|w| passing && Instant::now() + **w < until) {
                tokio::select! {
                    () = cancel.reached(CancelLevel::Stop) => return Err(TurnEnd::Cancelled),
                    () = tokio::time::sleep(*wait) => continue,
                }
            }
            return self.judge(came, allowed);
        }
    }

    /// What came of the last call.
    fn judge(&self, came: HttpOutcome, allowed: Duration) -> Result<Reply, TurnEnd> {
        let spec = &self.spec;
        let failed = |failure| Err(TurnEnd::Failed(failure));
        let error = |message: String| failed(Failure::AgentError { message: self.clean(&message) });
        match came {
            HttpOutcome::Cancelled => Err(TurnEnd::Cancelled),
            HttpOutcome::TimedOut => {
                failed(Failure::Timeout { budget: Budget::Attempt, seconds: allowed.as_secs() })
            }
            HttpOutcome::Unreachable(why) => {
                let why = format!("nothing answers at `{}`: {why}", spec.endpoint);
                failed(self.outage(ProviderOutage::Unreachable { unreachable: self.clean(&why) }, None))
            }
            HttpOutcome::Broken(why) => {
                let why = format!("the connection to `{}` broke off: {why}", spec.endpoint);
                failed(self.outage(ProviderOutage::Faulty(self.clean(&why)), None))
            }
            HttpOutcome::TooLong => error(format!(
                "`{}` answers with more than {} MB",
                spec.endpoint,
                http_call::ANSWER_BYTES >> 20
            )),
            HttpOutcome::Answer { status: 200..=299, body, .. } => {
                match http_format::reply(spec.dialect, &body) {
                    Ok(reply) => Ok(reply),
                    Err(why) => error(why),
                }
            }
            HttpOutcome::Answer { status: 401 | 403, body, .. } => {
                let key = spec.key.as_ref().map_or_else(
                    || "wants a key; name its variable with `key_env`".to_owned(),
                    |k| format!("does not take the key in `{}`", k.variable()),
                );
                let said = http_format::error_text(&body);
                failed(self.refused(&format!("`{}` {key}: {said}", spec.endpoint)))
            }
            HttpOutcome::Answer { status: 402, body, .. } => {
                let said = http_format::error_text(&body);
                failed(self.refused(&format!("`{}` wants to be paid: {said}", spec.endpoint)))
            }
            HttpOutcome::Answer { status: 429, retry_after, .. } => {
                let agent = spec.model.clone();
                failed(Failure::RateLimited { agent, retry_after_seconds: retry_after, outage: None })
            }
            HttpOutcome::Answer { status: status @ (408 | 500..=599), retry_after, body } => {
                let said = http_format::error_text(&body);
                let why = format!("`{}` answers with status {status}: {said}", spec.endpoint);
                failed(self.outage(ProviderOutage::Faulty(self.clean(&why)), retry_after))
            }
            HttpOutcome::Answer { status, body, .. } => error(format!(
                "`{}` answers with status {status}: {}",
                spec.endpoint,
                http_format::error_text(&body)
            )),
        }
    }

    fn refused(&self, reason: &str) -> Failure {
        Failure::ProviderRefused { agent: self.spec.model.clone(), reason: self.clean(reason) }
    }

    fn outage(&self, outage: ProviderOutage, retry_after_seconds: Option<u64>) -> Failure {
        let agent = self.spec.model.clone();
        Failure::RateLimited { agent, retry_after_seconds, outage: Some(outage) }
    }

    /// Removes the API key from a text.
    fn clean(&self, text: &str) -> String {
        self.spec.key.as_ref().map_or_else(|| text.to_owned(), |key| key.taken_out_of(text))
    }

    /// Writes what the answer contains, and says what that was.
    fn conclude(&self, turn: &AgentTurn<'_>, reply: &Reply, text: &str) -> (TurnEnd, Option<String>) {
        let failed = |message: String| (TurnEnd::Failed(Failure::AgentError { message }), None);
        let mut text = text;
        if reply.cut {
            // Small models do not stop when they are done: a cut that came after every file costs nothing.
            text = answer_blocks::closed(text);
            if turn.step.only_judges() || !gives_all(text, &turn.may_change) {
                let limit = self.spec.answer_tokens;
                return failed(format!(
                    "its answer is longer than {limit} tokens and was cut: answer shorter"
                ));
            }
        }
        if turn.step.only_judges() {
            return (TurnEnd::Done { needs_files: Vec::new() }, Some(text.to_owned()));
        }
        match answer_content::read(text, &turn.may_change) {
            AnswerContent::Blocked(reason) => (TurnEnd::Failed(Failure::SpecContradiction { reason }), None),
            AnswerContent::Needs(files) => (TurnEnd::NeedsFiles(files), None),
            AnswerContent::Foreign(paths) => (TurnEnd::Failed(Failure::OutOfScope { paths }), None),
            AnswerContent::Nothing(why) => failed(why),
            AnswerContent::Asked(words) => {
                let stance = Stance::Question;
                (TurnEnd::Failed(Failure::OnlyWords { stance, words }), None)
            }
            AnswerContent::Files { edits, ignored } => match put_down(turn, &edits) {
                Ok(()) => {
                    let done = TurnEnd::Done { needs_files: Vec::new() };
                    (done, Some(summary(edits.keys(), &ignored)))
                }
                Err(message) => failed(message),
            },
        }
    }
}

/// Whether an answer has every file that may be changed.
fn gives_all(text: &str, files: &[String]) -> bool {
    match answer_content::read(text, files) {
        AnswerContent::Files { edits, .. } => files.iter().all(|path| edits.contains_key(path)),
        AnswerContent::Blocked(_)
        | AnswerContent::Needs(_)
        | AnswerContent::Foreign(_)
        | AnswerContent::Asked(_)
        | AnswerContent::Nothing(_) => false,
    }
}

fn wants_other_limit(came: &HttpOutcome) -> bool {
    match came {
        HttpOutcome::Answer { status: 400, body, .. } => {
            http_format::error_text(body).contains("max_completion_tokens")
        }
        HttpOutcome::Answer { .. }
        | HttpOutcome::TimedOut
        | HttpOutcome::Unreachable(_)
        | HttpOutcome::Broken(_)
        | HttpOutcome::TooLong
        | HttpOutcome::Cancelled => false,
    }
}

/// All edits, or none of them.
fn put_down(
    turn: &AgentTurn<'_>,
    edits: &std::collections::BTreeMap<String, file_edit::FileEdit>,
) -> Result<(), String> {
    let mut texts = Vec::new();
    for (path, edit) in edits {
        let before = workdir_files::read(&turn.dir, path);
        let after = edit
            .apply(before.as_deref())
            .map_err(|why| format!("its answer for `{path}` cannot be used: {why}"))?;
        texts.push((path, after));
    }
    for (path, text) in texts {
        workdir_files::write(&turn.dir, path, &text).map_err(|e| format!("cannot write `{path}`: {e}"))?;
    }
    if turn.step == TurnStep::Implement {
        // It has no way of deleting anything itself.
        for path in &turn.task.files.delete {
            workdir_files::remove(&turn.dir, path).map_err(|e| format!("cannot delete `{path}`: {e}"))?;
        }
    }
    Ok(())
}

fn summary<'a>(paths: impl Iterator<Item = &'a String>, ignored: &[String]) -> String {
    let list = |paths: &mut dyn Iterator<Item = &'a String>| {
        paths.map(|p| format!("`{p}`")).collect::<Vec<_>>().join(", ")
    };
    let mut text = format!("gave {}", list(&mut paths.into_iter()));
    if !ignored.is_empty() {
        let names: Vec<String> = ignored.iter().map(|p| format!("`{p}`")).collect();
        text.push_str(&format!("; ignored, not its own: {}", names.join(", ")));
    }
    text
}

/// Keeps the answer where `logs` looks for it.
fn write_down(turn: &AgentTurn<'_>, text: &str) -> Option<std::path::PathBuf> {
    let (path, mut file) = turn.capture.next_file().ok()?;
    let most = usize::try_from(turn.capture.max_bytes).unwrap_or(usize::MAX);
    file.write_all(&text.as_bytes()[..text.len().min(most)]).ok()?;
    file.write_all(b"\n").ok()?;
    Some(path)
}
