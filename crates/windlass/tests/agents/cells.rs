//! The cells of the conformance table: each a run of a program, and what must have come of it.

use std::time::Duration;

use serde_json::json;
use windlass_core::event::Usage;
use windlass_core::failure::Failure;
use windlass_engine::agent::cli::{CliKind, Permission};
use windlass_engine::agent::{Conversation, TurnEnd};
use windlass_engine::process::CancelLevel;
use windlass_testkit::model::{Script, Step};
use windlass_testkit::{eventually, left_behind};

use crate::bench::{Bench, Wish};
use crate::mcp;
use crate::programs;
use crate::skill;
use crate::stories;

/// What a cell says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// It holds, and a word about it.
    Yes(String),
    /// The program cannot do it.
    Unsupported(&'static str),
    /// It does not hold.
    No(String),
}

/// A cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    /// Its heading.
    pub(crate) name: &'static str,
    /// The run.
    pub(crate) run: fn(CliKind) -> Said,
}

/// All of them, in the order of the table.
pub(crate) const CELLS: [Cell; 18] = [
    Cell { name: "write", run: stories::write },
    Cell { name: "skill", run: skill::skill },
    Cell { name: "command", run: skill::command },
    Cell { name: "mcp", run: mcp::tools },
    Cell { name: "proxy", run: stories::proxy },
    Cell { name: "keys", run: stories::keys },
    Cell { name: "resume", run: resume },
    Cell { name: "fork", run: fork },
    Cell { name: "usage", run: usage },
    Cell { name: "schema", run: schema },
    Cell { name: "400", run: |kind| refused(kind, 400) },
    Cell { name: "401", run: |kind| refused(kind, 401) },
    Cell { name: "429", run: |kind| refused(kind, 429) },
    Cell { name: "500", run: |kind| refused(kind, 500) },
    Cell { name: "stream cut", run: cut },
    Cell { name: "hang", run: hang },
    Cell { name: "SIGTERM", run: sigterm },
    Cell { name: "kill of Windlass", run: stories::killed },
];

/// What one scripted answer costs, as Windlass counts.
fn answers(n: u64) -> Usage {
    Usage { input_tokens: 1200 * n, output_tokens: 50 * n, cache_read_tokens: 200 * n, ..Usage::default() }
}

fn no(bench: &Bench, what: impl std::fmt::Display) -> Said {
    Said::No(format!("{what}\n{}", bench.said()))
}

/// Says yes if nothing is left, with this word.
fn clean(bench: &Bench, word: impl Into<String>) -> Said {
    match bench.left() {
        left if left.is_empty() => Said::Yes(word.into()),
        left => Said::No(format!("left behind: {left:?}")),
    }
}

fn two_prompts() -> Script {
    Script::default()
        .turn("first-prompt", [Step::write("a.txt", "a\n"), Step::say("one")])
        .turn("second-prompt", [Step::say("two")])
        .turn("third-prompt", [Step::say("three"), Step::write("never", "")])
}

/// The first turn, whose conversation is then continued.
fn begun(bench: &Bench) -> Result<String, Said> {
    let (over, _) = bench.take(Wish::new("# first-prompt: write a file"));
    if over.end != (TurnEnd::Done { needs_files: Vec::new() }) {
        return Err(no(bench, format!("the first turn: {:?}", over.end)));
    }
    over.session.ok_or_else(|| no(bench, "the first turn has no session"))
}

/// Whether the newest request of a conversation carries what another one said.
fn carries(bench: &Bench, word: &str, earlier: &str) -> bool {
    let heard = bench.server.heard_of(word);
    heard.last().is_some_and(|h| h.prompts.iter().any(|p| p.contains(earlier)))
}

fn resume(kind: CliKind) -> Said {
    let bench = Bench::new(kind, two_prompts());
    let id = match begun(&bench) {
        Ok(id) => id,
        Err(said) => return said,
    };
    let plan = bench.session(Conversation::Resume(id.clone()));
    if plan != Conversation::Resume(id) {
        return no(&bench, format!("the adapter makes {plan:?} of it"));
    }
    let (over, _) = bench.take(Wish::new("# second-prompt: go on").with(plan));
    if !matches!(over.end, TurnEnd::Done { .. }) || !carries(&bench, "second-prompt", "first-prompt") {
        return no(&bench, format!("{:?}", over.end));
    }
    let used = Usage { cost_usd: None, ..over.usage };
    // The protocol leaves it to agents whether they tell cached tokens apart.
    let untold = programs::by_acp() && used.cache_read_tokens == 0;
    let expected = Usage { cache_read_tokens: if untold { 0 } else { 200 }, ..answers(1) };
    if used != expected {
        return no(&bench, format!("the second turn counts {used:?}"));
    }
    clean(&bench, "context carried")
}

fn fork(kind: CliKind) -> Said {
    let bench = Bench::new(kind, two_prompts());
    let id = match begun(&bench) {
        Ok(id) => id,
        Err(said) => return said,
    };
    let plan = bench.session(Conversation::Fork(id.clone()));
    if plan == Conversation::New && programs::by_acp() {
        return Said::Unsupported("begins anew");
    }
    let (over, _) = bench.take(Wish::new("# second-prompt: go on").with(plan));
    let forked = over.session.clone();
    if !matches!(over.end, TurnEnd::Done { .. }) || !carries(&bench, "second-prompt", "first-prompt") {
        return no(&bench, format!("{:?}", over.end));
    }
    if forked.as_ref() == Some(&id) || forked.is_none() {
        return no(&bench, format!("the fork is called {forked:?}, as its parent"));
    }
    let (over, _) = bench.take(Wish::new("# third-prompt: go on").with(Conversation::Resume(id)));
    let parent_changed = carries(&bench, "third-prompt", "second-prompt");
    if !matches!(over.end, TurnEnd::Done { .. })
        || !carries(&bench, "third-prompt", "first-prompt")
        || parent_changed
    {
        return no(&bench, format!("parent changed: {parent_changed}; {:?}", over.end));
    }
    clean(&bench, "parent unchanged")
}

fn usage(kind: CliKind) -> Said {
    let bench = Bench::new(kind, two_prompts());
    let (over, _) = bench.take(Wish::new("# first-prompt: write a file"));
    let used = Usage { cost_usd: None, ..over.usage };
    if programs::by_acp() && used.is_nothing() {
        return Said::Unsupported("it tells nothing");
    }
    if programs::by_acp() && kind == CliKind::Opencode && used == answers(1) {
        return Said::Unsupported("those of its last answer only");
    }
    // The protocol leaves it to agents whether they tell cached tokens apart.
    let cache_told = !programs::by_acp() || used.cache_read_tokens > 0;
    let expected = answers(2);
    let expected =
        Usage { cache_read_tokens: if cache_told { expected.cache_read_tokens } else { 0 }, ..expected };
    if used != expected {
        return no(&bench, format!("{:?} counts {used:?}", over.end));
    }
    let money = over.usage.cost_usd.map_or("tokens", |_| "tokens, money");
    let cache = if cache_told { "" } else { ", not those from a cache" };
    clean(&bench, format!("{money}{cache}"))
}

fn schema(kind: CliKind) -> Said {
    if !kind.facts().abilities.contains(&"schema") {
        return Said::Unsupported("no such option");
    }
    // The schemas that are really asked for, not one that is easy.
    for (name, schema) in windlass_core::team::schemas() {
        let issue = json!({"criterion": "AC-1", "severity": "low", "message": "short", "file": null, "against": null});
        let data = match name {
            "review.schema.json" => json!({"verdict": "APPROVED", "issues": [issue], "summary": null}),
            "queue.schema.json" => json!({"queue": ["a", "b"], "conflicts": []}),
            other => return Said::No(format!("nobody knows an answer to {other}")),
        };
        let script = Script::default().turn("first-prompt", [Step::Data(data.clone())]);
        let bench = Bench::new(kind, script);
        let mut wish = Wish::new("# first-prompt: answer");
        wish.schema = Some(schema.to_value());
        let (over, _) = bench.take(wish);
        let said = over.structured.clone().or_else(|| over.summary.as_deref().and_then(object_in));
        if said != Some(data) {
            return no(&bench, format!("{name}: {:?} {:?} {:?}", over.end, over.structured, over.summary));
        }
        if let said @ Said::No(_) = clean(&bench, "valid") {
            return said;
        }
    }
    Said::Yes("valid: review, queue".into())
}

/// The object that a last message ends with; adapters put warnings before it.
fn object_in(message: &str) -> Option<serde_json::Value> {
    serde_json::from_str(&message[message.find('{')?..]).ok()
}

/// A model that always refuses: what the turn is said to have ended with.
fn refused(kind: CliKind, code: u16) -> Said {
    let script = Script::default().turn("first-prompt", [Step::status(code), Step::write("a.txt", "a\n")]);
    let bench = Bench::new(kind, script);
    let (over, took) = bench.take(Wish::new("# first-prompt: write a file"));
    let asked = bench.server.heard_of("first-prompt").len();
    let word = match (&over.end, code) {
        (TurnEnd::Failed(Failure::AgentError { .. }), 400) => "an error",
        (TurnEnd::Failed(Failure::RateLimited { outage: Some(_), .. }), 500) => "an outage",
        (TurnEnd::Failed(Failure::ProviderRefused { .. }), 401) => "needs a login",
        (TurnEnd::Failed(Failure::RateLimited { .. }), 429) => "rate limit",
        _ => return no(&bench, format!("after {asked} requests: {:?}", over.end)),
    };
    clean(&bench, format!("{word}, {asked} asked, {:.0} s", took.as_secs_f64()))
}

fn cut(kind: CliKind) -> Said {
    let cut = Step::Cut { after: 150, times: None };
    let bench = Bench::new(kind, Script::default().turn("first-prompt", [cut, Step::write("a.txt", "a\n")]));
    let (over, took) = bench.take(Wish::new("# first-prompt: write a file"));
    let word = match over.end {
        TurnEnd::Failed(Failure::AgentError { .. }) => "an error",
        TurnEnd::Failed(Failure::RateLimited { outage: Some(_), .. }) => "an outage",
        TurnEnd::Failed(Failure::Timeout { .. }) if programs::by_acp() && kind == CliKind::Opencode => {
            return Said::Unsupported("asks again until its time is up");
        }
        end => return no(&bench, format!("{end:?}")),
    };
    clean(&bench, format!("{word}, {:.0} s", took.as_secs_f64()))
}

fn hang(kind: CliKind) -> Said {
    let hang = Step::Hang { times: None };
    let bench = Bench::new(kind, Script::default().turn("first-prompt", [hang, Step::write("a.txt", "a\n")]));
    let mut wish = Wish::new("# first-prompt: write a file");
    wish.timeout = Duration::from_secs(stories::patience(kind).into());
    let (over, _) = bench.take(wish);
    if bench.server.heard_of("first-prompt").is_empty() {
        return no(&bench, "the model was not asked in time");
    }
    if !matches!(over.end, TurnEnd::Failed(Failure::Timeout { .. })) {
        return no(&bench, format!("{:?}", over.end));
    }
    clean(&bench, "ended in time")
}

/// A tool in a session of its own is at work when the turn is stopped.
fn sigterm(kind: CliKind) -> Said {
    let script = Script::default().turn("first-prompt", [Step::Run(stories::LONG.into())]);
    let bench = Bench::new(kind, script).permitted(Permission::Full);
    let wish = Wish::new("# first-prompt: work long");
    let cancel = wish.cancel.clone();
    let mark = bench.path("").display().to_string();
    let stopping = std::thread::spawn(move || {
        eventually("the tool is at work", || stories::at_work(&left_behind(&mark)));
        cancel.raise(CancelLevel::Stop);
        std::time::Instant::now()
    });
    let (over, _) = bench.take(wish);
    let Ok(asked) = stopping.join() else { return no(&bench, format!("the tool never ran: {:?}", over.end)) };
    if over.end != TurnEnd::Cancelled {
        return no(&bench, format!("{:?}", over.end));
    }
    clean(&bench, format!("{:.1} s, tool too", asked.elapsed().as_secs_f64()))
}
