//! One turn of a command line agent, from the brief to the verdict.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use windlass_core::event::Usage;
use windlass_core::failure::Failure;

use super::acp;
use super::installation::installation;
use super::kind::GOOGLE_KEY_FILE;
use super::kind::{SchemaWay, SessionReach};
use super::launch::{Launch, LaunchRequest, Permission};
use super::provider;
use super::sessions::{SavedSession, SessionInfo, Sessions};
use super::side_usage::SideUsage;
use super::stream_watch::{StreamWatch, WatchedTurn};
use super::turn_home::TurnHome;
use super::verdict::{ProgramFile, VerdictInput};
use crate::agent::result_file::{ResultFile, answer_in, json_in, read_answer};
use crate::agent::stream::{Problem, StreamSummary};
use crate::agent::{Agent, AgentTurn, Conversation, TurnEnd, TurnFuture, TurnOver};
use crate::config::{CliSpec, EnvVar, LoginSeen};
use crate::process::{Finished, Invocation, Mask};
use crate::sandbox::{Fence, Needs, Network, SandboxRung};

/// A command line agent.
pub(in crate::agent) struct CliAgent {
    name: String,
    spec: CliSpec,
    sessions: Sessions,
}

impl CliAgent {
    /// The agent of this name; `sessions` is where its conversations are kept.
    pub(in crate::agent) fn new(name: &str, spec: CliSpec, sessions: &Path) -> Self {
        let sessions = Sessions::of(spec.kind, sessions);
        Self { name: name.to_owned(), spec, sessions }
    }
}

impl Agent for CliAgent {
    fn turn<'a>(&'a self, turn: AgentTurn<'a>) -> TurnFuture<'a> {
        Box::pin(self.take(turn))
    }

    fn session(&self, wish: Conversation, dir: &Path) -> Conversation {
        let (Conversation::Resume(id) | Conversation::Fork(id)) = &wish else { return wish };
        let Some(kept) = self.sessions.find(id) else { return Conversation::New };
        let here = kept.about.dir == dir;
        if self.spec.acp.is_some() {
            return acp::continued(self.spec.kind, wish, here);
        }
        match self.spec.kind.facts().resumes {
            SessionReach::Anywhere => wish,
            SessionReach::SameDir | SessionReach::SameDirOrFork if here => wish,
            // A file of the conversation works anywhere, and leaves it as it is.
            SessionReach::SameDirOrFork => Conversation::Fork(id.clone()),
            SessionReach::SameDir | SessionReach::Never => Conversation::New,
        }
    }
}

/// A prepared turn.
struct PreparedTurn {
    home: TurnHome,
    launch: Launch,
    kept: Option<SavedSession>,
    result: PathBuf,
    /// Whether a login is visible.
    logged_in: bool,
    /// The copy of a file with a key that a variable names.
    key_file: Option<PathBuf>,
}

impl CliAgent {
    /// Takes a turn with the account that is free, where there are several.
    async fn take(&self, turn: AgentTurn<'_>) -> TurnOver {
        let Some(pool) = &self.spec.pool else { return self.take_alone(turn).await };
        let at = pool.pick(Instant::now());
        let spec = pool.with_account(at, &self.spec);
        let chosen = CliAgent { name: self.name.clone(), spec, sessions: self.sessions.clone() };
        let mut over = chosen.take_alone(turn).await;
        if let TurnEnd::Failed(failure) = &mut over.end {
            pool.after(at, &self.name, failure, Instant::now());
        }
        over
    }

    async fn take_alone(&self, turn: AgentTurn<'_>) -> TurnOver {
        let ready = match self.make_ready(&turn) {
            Ok(ready) => ready,
            Err(e) => {
                let message = format!("cannot make a home for the agent: {e}");
                return TurnOver::silent(TurnEnd::Failed(Failure::Spawn { message }));
            }
        };
        let dir = turn.fence.inside(&turn.dir);
        let asked_for_schema = turn.schema.is_some();
        let stop = turn.cancel.child();
        let meter = Arc::clone(&turn.meter);
        let side = SideUsage::of(self.spec.kind, ready.home.dir());
        let watch = StreamWatch::new(&self.spec, side, before(&ready), Arc::clone(&meter), stop.clone());
        let watch = Arc::new(Mutex::new(watch));
        let pushed = Arc::clone(&watch);
        let listener = Box::new(move |bytes: &[u8]| lock(&pushed).push(bytes));
        let invocation = self.invocation(&turn, &ready);
        let mask = Mask::of(&invocation.env);
        let needs = self.needs();
        let (started, told) = (Arc::clone(&watch), turn.on_spawn);
        let on_spawn = move |main| {
            lock(&started).started(main);
            told(main);
        };
        let running = turn.fence.run_watched(invocation, &needs, &turn.token, stop, on_spawn, listener);
        let finished = looking_beside(&watch, running).await;
        // No process of the agent may be alive while its work is checked.
        assert!(finished.still_alive.is_empty(), "a process of the agent could not be ended");
        let WatchedTurn { told, stopped, out_of_budget } = lock(&watch).finish();
        let mut over = self.conclude(&told, stopped, &finished, &ready, &mask);
        let nothing_left = meter.remaining().usd.is_some_and(|left| left <= 0.0);
        if out_of_budget || (hit_its_money(&told) && nothing_left) {
            over.end = TurnEnd::OutOfBudget;
        }
        if asked_for_schema && over.structured.is_none() {
            over.structured = told.said.as_deref().and_then(json_in);
        }
        self.keep_session(&told, &ready, dir);
        over
    }

    /// What it needs of the machine: its program, the user's certificates, and the way to its model.
    fn needs(&self) -> Needs {
        let mut read_only = installation(Path::new(&self.spec.program));
        if let Some(command) = &self.spec.acp {
            read_only.extend(acp::programs(command).iter().flat_map(|program| installation(program)));
        }
        read_only.extend(provider::certificates(&self.spec.env));
        let hosts = provider::hosts(&self.spec);
        let network = if hosts.is_some() { Network::Model } else { Network::Open };
        Needs { read_only, network, hosts: hosts.unwrap_or_default(), ..Needs::default() }
    }

    /// Creates a home with the login, the conversation and our settings, and the brief as a file.
    fn make_ready(&self, turn: &AgentTurn<'_>) -> io::Result<PreparedTurn> {
        let spec = &self.spec;
        let mut home = TurnHome::make(&turn.scratch)?;
        if let Some(user) = &spec.home {
            let login = &spec.kind.facts().login;
            home.bring_login(spec.kind, &login.path(user, &spec.env))?;
            for file in login.files_with(&spec.env) {
                home.bring(&user.join(file), file)?;
            }
        }
        let session = self.session(turn.session.clone(), &turn.fence.inside(&turn.dir));
        let kept = match &session {
            Conversation::New => None,
            Conversation::Resume(id) | Conversation::Fork(id) => self.sessions.find(id),
        };
        if let Some(kept) = &kept {
            let place = |below: &PathBuf| match &spec.acp {
                Some(_) => acp::brought(spec.kind, below),
                None => below.clone(),
            };
            let files: Vec<_> = kept.files.iter().map(|(from, below)| (from.clone(), place(below))).collect();
            home.bring_conversation(&files)?;
        }
        let cost_before = kept.as_ref().and_then(|kept| kept.about.used.cost_usd).unwrap_or(0.0);
        let scratch = turn.scratch.join("answer");
        std::fs::create_dir_all(&scratch)?;
        let ask = LaunchRequest {
            spec,
            home: &home,
            dir: &turn.dir,
            scratch: &scratch,
            session: &session,
            schema: turn.schema.as_ref(),
            permission: spec.permission.unwrap_or_else(|| unasked(&turn.fence)),
            // A program that goes on with a conversation counts what that has cost before.
            money: least(spec.max_budget_usd, turn.meter.remaining().usd.map(|left| left + cost_before)),
        };
        let launch = ask.launch();
        for (path, text) in &launch.files {
            TurnHome::put(path, text)?;
        }
        std::fs::write(scratch.join("brief.md"), &turn.brief)?;
        let logged_in = spec.login() != LoginSeen::No;
        let key_file = match ask.variable(GOOGLE_KEY_FILE) {
            Some(path) => home.bring(Path::new(path), ".config/gcloud/key.json")?,
            None => None,
        };
        Ok(PreparedTurn { launch, kept, result: scratch.join("result.json"), logged_in, key_file, home })
    }

    fn invocation(&self, turn: &AgentTurn<'_>, ready: &PreparedTurn) -> Invocation {
        Invocation {
            program: self.spec.program.clone(),
            args: ready.launch.args.clone(),
            cwd: turn.dir.clone(),
            env: self.environment(turn, ready),
            stdin: self.prompt(turn).into_bytes(),
            timeout: self.spec.timeout.map_or(turn.timeout, |own| own.min(turn.timeout)),
            idle_timeout: self.spec.idle.or(turn.idle),
            capture: turn.capture.clone(),
        }
    }

    /// The prompt. Programs without a schema option get the schema in the text.
    fn prompt(&self, turn: &AgentTurn<'_>) -> String {
        let asks_in_words = self.spec.acp.is_some() || self.spec.kind.facts().schema == SchemaWay::Words;
        match &turn.schema {
            Some(schema) if asks_in_words => format!(
                "{}\n\n## Answer\nYour last words are one JSON value of this schema, and nothing else:\n```json\n{schema}\n```\n",
                turn.brief
            ),
            Some(_) | None => turn.brief.clone(),
        }
    }

    /// The common variables without the user's home, those of the program, and ours.
    fn environment(&self, turn: &AgentTurn<'_>, ready: &PreparedTurn) -> Vec<EnvVar> {
        let ours = |name: &std::ffi::OsStr| name == "HOME" || name.as_encoded_bytes().starts_with(b"XDG_");
        let mut env: Vec<EnvVar> = turn.env.iter().filter(|(n, _)| !ours(n)).cloned().collect();
        env.extend(self.spec.env.iter().filter(|(n, _)| !ours(n)).cloned());
        let home = ready.home.dir();
        let brief = ready.result.with_file_name("brief.md");
        env.extend([("HOME".into(), home.into()), ("TMPDIR".into(), ready.home.temporary().into())]);
        if let Some(copy) = &ready.key_file {
            env.retain(|(name, _)| name != GOOGLE_KEY_FILE);
            env.push((GOOGLE_KEY_FILE.into(), copy.into()));
        }
        env.extend(turn.variables(&brief, &ready.result));
        env.extend(ready.launch.env.iter().cloned());
        env
    }

    fn conclude(
        &self,
        told: &StreamSummary,
        stopped: bool,
        finished: &Finished,
        ready: &PreparedTurn,
        mask: &Mask,
    ) -> TurnOver {
        // A transcript from which secrets cannot be removed is not kept.
        let output = finished.output.merged.clone().filter(|output| mask.file(output).is_ok());
        let beside = tail_of(&finished.output.stderr);
        let case = VerdictInput {
            kind: self.spec.kind,
            name: &self.name,
            told,
            exit: &finished.exit,
            stopped,
            beside: &mask.text(&beside),
            logged_in: ready.logged_in,
            program: if Path::new(&self.spec.program).is_file() {
                ProgramFile::Here
            } else {
                ProgramFile::Missing
            },
        };
        let mut over = TurnOver::silent(case.verdict());
        let answer = read_answer(&ready.result).or_else(|| told.said.as_deref().and_then(answer_in).map(Ok));
        if let (TurnEnd::Done { .. }, Some(answer)) = (&over.end, &answer) {
            over.end = match answer {
                Ok(answer) => answer.end(&self.name),
                Err(failure) => TurnEnd::Failed(failure.clone()),
            };
        }
        let answer = answer.and_then(Result::ok);
        let structured = answer.as_ref().and_then(ResultFile::structured);
        let summary = answer.and_then(|a: ResultFile| a.summary);
        over.summary = summary.or_else(|| told.said.clone()).map(|s| mask.text(&s)).filter(|s| !s.is_empty());
        over.usage = used(told, ready.kept.as_ref());
        over.model = told.model.clone().or_else(|| self.spec.model.clone());
        over.session.clone_from(&told.session);
        over.structured = told.structured.clone().or(structured);
        over.denied.clone_from(&told.denied);
        over.blocked = provider::worth_a_word(self.spec.kind, &finished.blocked);
        over.output = output;
        over
    }

    /// Saves the conversation for later turns. On failure it cannot be continued, nothing else.
    fn keep_session(&self, told: &StreamSummary, ready: &PreparedTurn, dir: PathBuf) {
        let Some(id) = &told.session else { return };
        let before = ready.kept.as_ref().map(|k| k.about.used).unwrap_or_default();
        let used = told.conversation.unwrap_or(before);
        let _ = self.sessions.keep(id, ready.home.dir(), &SessionInfo { dir, used });
    }
}

/// Default permissions of an agent: everything, if a sandbox surrounds it.
fn unasked(fence: &Fence) -> Permission {
    match fence.rung() {
        SandboxRung::Off => Permission::Edit,
        SandboxRung::Landlock | SandboxRung::Namespaces | SandboxRung::Bubblewrap => Permission::Full,
    }
}

/// Waits for a program and looks at what it writes down meanwhile.
async fn looking_beside(watch: &Mutex<StreamWatch>, running: impl Future<Output = Finished>) -> Finished {
    const LOOK: Duration = Duration::from_millis(250);
    let mut look = tokio::time::interval(LOOK);
    tokio::pin!(running);
    loop {
        tokio::select! {
            finished = &mut running => return finished,
            _ = look.tick() => lock(watch).look_beside(),
        }
    }
}

/// Whether the program ended itself because the money it was given is spent.
fn hit_its_money(told: &StreamSummary) -> bool {
    matches!(told.failure, Some((Problem::MoneyLimit, _)))
}

/// What the conversation had used before this turn.
fn before(ready: &PreparedTurn) -> Usage {
    ready.kept.as_ref().map(|kept| kept.about.used).unwrap_or_default()
}

/// The smaller of two limits.
fn least(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// The usage of this turn: where only the conversation's total is reported, what came before is subtracted.
fn used(told: &StreamSummary, kept: Option<&SavedSession>) -> Usage {
    let before = kept.map(|k| k.about.used).unwrap_or_default();
    told.conversation.map_or(told.usage, |all| since(&all, &before))
}

/// What was used since.
pub(super) fn since(all: &Usage, before: &Usage) -> Usage {
    Usage {
        input_tokens: all.input_tokens.saturating_sub(before.input_tokens),
        output_tokens: all.output_tokens.saturating_sub(before.output_tokens),
        cache_read_tokens: all.cache_read_tokens.saturating_sub(before.cache_read_tokens),
        cache_write_tokens: all.cache_write_tokens.saturating_sub(before.cache_write_tokens),
        cost_usd: all.cost_usd.map(|cost| (cost - before.cost_usd.unwrap_or(0.0)).max(0.0)),
    }
}

/// The end of a file, as text.
fn tail_of(path: &Path) -> String {
    use std::io::{Read as _, Seek as _, SeekFrom};
    const TAIL: i64 = 8 << 10;
    let read = || -> io::Result<Vec<u8>> {
        let mut file = std::fs::File::open(path)?;
        if file.metadata()?.len() > TAIL.unsigned_abs() {
            file.seek(SeekFrom::End(-TAIL))?;
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default()
}

fn lock(watch: &Mutex<StreamWatch>) -> std::sync::MutexGuard<'_, StreamWatch> {
    // After a panic of the listener, what it had read so far is used.
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
