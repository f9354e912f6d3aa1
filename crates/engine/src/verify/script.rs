//! Runs one verification script and reads its exit code and, for known runners, its named results.

use std::path::{Path, PathBuf};
use std::time::Duration;

use windlass_code::detect::{superplanner_command, test_command};
use windlass_code::excerpt::failure_excerpt;
use windlass_code::red::RunExit;
use windlass_code::repo::Tree;
use windlass_code::report::{Need, ReportError, ReportSource, read_all, read_any};
use windlass_code::runner::fresh_build_variables;
use windlass_code::script::{BuildStep, Instrumented, build_step, instrument_in};
use windlass_core::event::{TaskEvent, TurnProgress};
use windlass_core::failure::{Budget, Failure};
use windlass_core::ids::BlobName;
use windlass_core::plan::{Step, Task};
use windlass_core::report::{Runner, TestReport};

use super::setup::setup_bins;
use crate::config::SetupEnv;
use crate::context::Context;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::place::{ScratchDir, report_process};
use crate::process::{CancellationSignal, Capture, Finished, Invocation, LimitHit, ProcessExit, Token};
use crate::random_token::random_token;
use crate::sandbox::{Fence, FenceRole, Needs, read_plain};
use crate::worker_channel::WorkerChannel;

/// How much of an output is read back for judging.
const READ_BACK: u64 = 4 << 20;
/// How much of an output the next brief contains.
const EXCERPT: usize = 8 << 10;

/// A script and where it runs.
pub(crate) struct ScriptInput<'a> {
    pub(crate) script: &'a str,
    pub(crate) dir: &'a Path,
    pub(crate) tree: &'a GitTree,
    pub(crate) timeout: Duration,
    pub(crate) scratch: &'a ScratchDir,
    pub(crate) cancel: &'a CancellationSignal,
    pub(crate) channel: &'a WorkerChannel,
    pub(crate) named: NamedResults,
    /// How long it may be silent.
    pub(crate) idle: Option<Duration>,
}

/// Whether named results are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedResults {
    /// They are.
    Wanted,
    /// Only the exit code matters: a formatter, a linter, a set-up command.
    No,
}

/// A script that was run.
pub(crate) struct ScriptRun {
    pub(crate) exit: ProcessExit,
    pub(crate) runner: Option<Runner>,
    pub(crate) report: Result<Option<TestReport>, ReportError>,
    pub(crate) raw: Vec<u8>,
    pub(crate) output: BlobName,
    pub(crate) excerpt: String,
    /// How long it took, with the build.
    pub(crate) millis: u64,
    /// How long the build of the tests took, where it was a command of its own.
    pub(crate) build_millis: Option<u64>,
    /// The limit of the build, if that is what it was ended for.
    pub(crate) build_over: Option<Duration>,
    /// The processes that it left behind, by their names. They are dead by now.
    pub(crate) left: Vec<String>,
    /// The limit that it was ended for, if any.
    pub(crate) over: Option<LimitHit>,
}

impl ScriptRun {
    /// The failure of a run that took too long; `limit` is that of the tests.
    pub(crate) fn took_too_long(&self, limit: Duration) -> Failure {
        let (budget, limit) =
            self.build_over.map_or((Budget::Verification, limit), |limit| (Budget::Build, limit));
        Failure::Timeout { budget, seconds: limit.as_secs() }
    }
}

/// Converts to the code crate's type; `None` if cancelled.
pub(crate) fn exit_of(exit: &ProcessExit) -> Option<RunExit> {
    match exit {
        ProcessExit::Code(code) => Some(RunExit::Code(*code)),
        ProcessExit::Signal(signal) => Some(RunExit::Signal(*signal)),
        ProcessExit::TimedOut(_) => Some(RunExit::TimedOut),
        ProcessExit::NotStarted(_) => Some(RunExit::NotStarted),
        ProcessExit::Cancelled => None,
    }
}

/// The script that verifies a task: the one that the plan states, or the command for its test files.
pub(crate) fn task_script(task: &Task, tree: &dyn Tree) -> Option<String> {
    if let Some(stated) = task.stated_check() {
        return Some(stated.to_owned());
    }
    let files = task.test_files();
    let commands: Option<Vec<String>> =
        files.iter().map(|f| test_command(tree, f).map(|c| c.script)).collect();
    match commands {
        Some(commands) if !commands.is_empty() => Some(commands.join("\n")),
        _ => superplanner_command(tree, &task.id).map(|c| c.script),
    }
}

/// The script that must fail before the work: that of a stated `verify_fail`, or the one that verifies the task.
pub(crate) fn red_script(task: &Task, tree: &dyn Tree) -> Option<String> {
    let stated = task.steps.iter().filter(|s| s.shows_red()).find_map(Step::command);
    stated.map(str::to_owned).or_else(|| task_script(task, tree))
}

/// How long a test command of a task may run.
pub(crate) fn time_limit(ctx: &Context, task: &Task) -> Duration {
    let own = task.verification.as_ref().and_then(|v| v.timeout_seconds);
    own.map_or(ctx.config.timeouts.verification, Duration::from_secs)
}

/// Runs a script: one `bash`, in order, stopping at the first failure, without `pipefail`.
pub(crate) async fn run_script(ctx: &Context, input: ScriptInput<'_>) -> Result<ScriptRun, EngineError> {
    run_script_as(ctx, FenceRole::Verifier, input).await
}

/// The same while another script of the task runs, with its own output directory.
pub(super) async fn run_script_beside(
    ctx: &Context,
    input: ScriptInput<'_>,
    name: &str,
) -> Result<ScriptRun, EngineError> {
    let capture = Capture { dir: input.scratch.path().join(name), ..ctx.capture(&input.channel.task) };
    let token = token_of_run(ctx, &input);
    Box::pin(run_as(ctx, FenceRole::Verifier, input, capture, &token)).await
}

/// The same with what another role is granted.
pub(super) async fn run_script_as(
    ctx: &Context,
    role: FenceRole,
    input: ScriptInput<'_>,
) -> Result<ScriptRun, EngineError> {
    let (capture, token) = (ctx.capture(&input.channel.task), token_of_run(ctx, &input));
    // Boxed, because it is large and every step of an attempt contains one.
    Box::pin(run_as(ctx, role, input, capture, &token)).await
}

/// The mark of the processes of one run. Code under test sees it: it says nothing of what the run is for.
fn token_of_run(ctx: &Context, input: &ScriptInput<'_>) -> Token {
    let attempt = ctx.machine.token_of(&input.channel.task, input.channel.attempt);
    Token::new(&format!("{attempt}.{}", random_token()))
}

async fn run_as(
    ctx: &Context,
    role: FenceRole,
    input: ScriptInput<'_>,
    capture: Capture,
    token: &Token,
) -> Result<ScriptRun, EngineError> {
    let n = ctx.machine.next_number();
    let work = input.scratch.sub(&format!("script-{n}"))?;
    let fence = ctx.machine.fence(role, input.dir, &work);
    let started = Started { ctx, role, input: &input, work: &work, fence: &fence, capture: &capture, token };
    let seen = fence.inside(&started.reports());
    let seen = seen.to_string_lossy();
    let build = match input.named {
        NamedResults::Wanted => build_step(input.tree, input.script, &seen),
        NamedResults::No => None,
    };
    let mut rest = None;
    let built = match build {
        Some(BuildStep { run, fails_alike, tests }) => {
            rest = tests;
            Some((started.build(&run).await?, run, fails_alike))
        }
        None => None,
    };
    let build_millis = built.as_ref().map(|(finished, ..)| millis_of(finished));
    match built {
        Some((finished, run, fails_alike)) if ends_all(&finished.exit, fails_alike) => {
            let over = matches!(finished.exit, ProcessExit::TimedOut(_)).then_some(ctx.config.timeouts.build);
            Ok(ScriptRun { build_millis, build_over: over, ..started.read(finished, &run.expects)? })
        }
        other => {
            let inst = match input.named {
                NamedResults::Wanted => {
                    let built =
                        other.as_ref().is_some_and(|(finished, ..)| finished.exit == ProcessExit::Code(0));
                    let script = rest.as_deref().filter(|_| built).unwrap_or(input.script);
                    instrument_in(input.tree, script, &seen)
                }
                NamedResults::No => {
                    Instrumented { script: input.script.to_owned(), env: Vec::new(), expects: Vec::new() }
                }
            };
            let run = started.read(started.run(&inst, input.timeout).await?, &inst.expects)?;
            let left = other.map(|(finished, ..)| finished.left).unwrap_or_default();
            let millis = run.millis.saturating_add(build_millis.unwrap_or(0));
            let left = left.into_iter().chain(run.left).collect();
            Ok(ScriptRun { millis, build_millis, left, ..run })
        }
    }
}

/// Whether nothing is run after a build that ended like this. A build that was not started or failed in words of its own is
/// left to the tests, which build again and say so.
fn ends_all(exit: &ProcessExit, fails_alike: bool) -> bool {
    match exit {
        ProcessExit::Code(0) | ProcessExit::NotStarted(_) => false,
        ProcessExit::Code(_) | ProcessExit::Signal(_) => fails_alike,
        ProcessExit::TimedOut(_) | ProcessExit::Cancelled => true,
    }
}

fn millis_of(finished: &Finished) -> u64 {
    u64::try_from(finished.elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// A script at work: the build of its tests and the tests, in one place and around one directory of their own.
struct Started<'a> {
    ctx: &'a Context,
    role: FenceRole,
    input: &'a ScriptInput<'a>,
    work: &'a Path,
    fence: &'a Fence,
    capture: &'a Capture,
    token: &'a Token,
}

impl Started<'_> {
    fn reports(&self) -> PathBuf {
        self.work.join("reports")
    }

    async fn build(&self, step: &Instrumented) -> Result<Finished, EngineError> {
        let finished =
            self.command(step, self.ctx.config.timeouts.build, Some("the build of the tests")).await?;
        // What it left would be read as the report of the tests.
        if finished.exit == ProcessExit::Code(0) {
            let reports = self.reports();
            let io = |what| {
                let path = reports.clone();
                move |source| EngineError::Io { what, path, source }
            };
            std::fs::remove_dir_all(&reports).map_err(io("clear"))?;
        }
        Ok(finished)
    }

    async fn run(&self, script: &Instrumented, limit: Duration) -> Result<Finished, EngineError> {
        let what = match self.role {
            FenceRole::Setup | FenceRole::UntrustedSetup => Some("the set-up of the project"),
            FenceRole::Agent | FenceRole::Verifier => None,
        };
        self.command(script, limit, what).await
    }

    /// Runs one of its scripts. `what` is told while it runs: such a part takes longer than most steps, and no step of the task is
    /// named after it.
    async fn command(
        &self,
        script: &Instrumented,
        limit: Duration,
        what: Option<&'static str>,
    ) -> Result<Finished, EngineError> {
        let (ctx, fence) = (self.ctx, self.fence);
        let prepared = prepare(ctx, self.input, self.work, &self.reports(), script)?;
        let mut invocation = Invocation { capture: self.capture.clone(), timeout: limit, ..prepared };
        invocation.env.retain(|(name, _)| name != "HOME");
        invocation.env.push(("HOME".into(), fence.home().into()));
        invocation.env.extend(setup_env(ctx, self.role));
        let mut finished = self.with_heartbeat(invocation.clone(), what).await;
        if matches!(finished.exit, ProcessExit::NotStarted(_)) {
            // Nothing of the script ran: a machine that lacked something for an instant says nothing about the work.
            finished = self.with_heartbeat(invocation, what).await;
        }
        assert!(finished.still_alive.is_empty(), "a process of the verification could not be killed");
        Ok(finished)
    }

    /// Runs a command and sends heartbeats.
    async fn with_heartbeat(&self, invocation: Invocation, what: Option<&'static str>) -> Finished {
        let began = std::time::Instant::now();
        let (input, merged) = (self.input, invocation.capture.dir.clone());
        // Where a gate leaves its measurements; see `cover`.
        let measured = input.scratch.path().join("coverage");
        let needs = Needs { writable: vec![measured], ..Needs::default() };
        let process = report_process(input.channel);
        let run = self.fence.run(invocation, &needs, self.token, input.cancel.clone(), process);
        let progress = || {
            what.map(|what| TurnProgress {
                millis: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
                tool: Some(what.into()),
                ..TurnProgress::default()
            })
        };
        alive(self.ctx, input.channel, &merged, progress, run).await
    }

    /// What a command left: its exit code, its output and its named results.
    fn read(&self, finished: Finished, expects: &[ReportSource]) -> Result<ScriptRun, EngineError> {
        let raw = finished.output.merged.as_deref().map(read_back).unwrap_or_default();
        let read_file =
            |path: &str| read_plain(&self.fence.outside(Path::new(path)), &[self.work, self.input.dir]);
        // A passing run must have left every expected report; of a failed run, any report is used.
        let report = match finished.exit {
            ProcessExit::Code(0) => read_all(expects, &read_file, &raw),
            ProcessExit::Code(_)
            | ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::Cancelled
            | ProcessExit::NotStarted(_) => read_any(expects, &read_file, &raw),
        };
        let present = |r: &Result<Option<TestReport>, ReportError>| matches!(r, Ok(Some(_)) | Err(_));
        let runner = expects
            .iter()
            .find(|e| e.need == Need::Required)
            .map(|e| e.runner)
            .or_else(|| present(&report).then(|| expects.first().map(|e| e.runner)).flatten());
        let output = self.ctx.outputs.put_output(finished.output.merged.as_deref())?;
        let millis = millis_of(&finished);
        let excerpt = match &finished.exit {
            ProcessExit::NotStarted(why) => why.clone(),
            ProcessExit::Code(_)
            | ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::Cancelled => failure_excerpt(&raw, EXCERPT),
        };
        let Finished { exit, left, over, .. } = finished;
        let (build_millis, build_over) = (None, None);
        Ok(ScriptRun {
            exit,
            runner,
            report,
            raw,
            output,
            excerpt,
            millis,
            build_millis,
            build_over,
            left,
            over,
        })
    }
}

/// `npx --no-install` starts the program of the nearest `node_modules`, or one of the machine, as npx would: npx itself takes
/// longer than many tests, and asks the registry for what is not there.
const NPX: &str = r#"npx() {
  local dir=$PWD
  if [ "${1-}" = --no-install ] && [ -n "${2-}" ]; then
    while [ ! -x "$dir/node_modules/.bin/$2" ] && [ -n "$dir" ]; do dir=${dir%/*}; done
    if [ -n "$dir" ]; then
      PATH="$dir/node_modules/.bin:$PATH" "$dir/node_modules/.bin/$2" "${@:3}"; return
    fi
    "${@:2}"; return
  fi
  command npx "$@"
}
"#;

fn prepare(
    ctx: &Context,
    input: &ScriptInput<'_>,
    work: &Path,
    reports: &Path,
    Instrumented { script, env: extra, .. }: &Instrumented,
) -> Result<Invocation, EngineError> {
    let io = |what, path: &Path| {
        let path = path.to_owned();
        move |source| EngineError::Io { what, path, source }
    };
    let (home, tmp) = (work.join("home"), work.join("tmp"));
    for dir in [reports, &home, &tmp] {
        std::fs::create_dir_all(dir).map_err(io("create", dir))?;
    }
    let file = work.join("verify.sh");
    let script = if script.contains("npx ") { format!("{NPX}{script}") } else { script.clone() };
    std::fs::write(&file, script).map_err(io("write", &file))?;
    let mut env = ctx.config.verify_env.clone();
    env.retain(|(name, _)| name != "HOME" && name != "TMPDIR");
    with_bins(ctx, input, &mut env);
    let cheaper = fresh_build_variables().filter(|(name, _)| !env.iter().any(|(known, _)| known == name));
    let cheaper: Vec<_> = cheaper.map(|(name, value)| (name.into(), value.into())).collect();
    env.extend(cheaper);
    let mut set = |name: &str, value: std::ffi::OsString| env.push((name.into(), value));
    set("TMPDIR", tmp.into());
    set("CI", "1".into());
    for (name, value) in extra {
        set(name, value.into());
    }
    Ok(Invocation {
        program: "bash".into(),
        args: vec!["-e".into(), file.into()],
        cwd: input.dir.to_owned(),
        env,
        stdin: Vec::new(),
        timeout: input.timeout,
        idle_timeout: input.idle,
        capture: ctx.capture(&input.channel.task),
    })
}

/// What the role gets of the user's environment besides.
fn setup_env(ctx: &Context, role: FenceRole) -> Vec<crate::config::EnvVar> {
    let SetupEnv { network, registries } = &ctx.config.setup_env;
    match role {
        FenceRole::Setup => network.iter().chain(registries).cloned().collect(),
        FenceRole::UntrustedSetup => network.clone(),
        FenceRole::Agent | FenceRole::Verifier => Vec::new(),
    }
}

/// Puts what the set-up installed in front of the search path.
fn with_bins(ctx: &Context, input: &ScriptInput<'_>, env: &mut [crate::config::EnvVar]) {
    let mut bins = setup_bins(ctx, input.tree);
    // Of several environments the one of the directory that the script goes to comes first.
    let goes_to = input.script.strip_prefix("cd ").and_then(|rest| rest.split([' ', '\n']).next());
    if let Some(dir) = goes_to {
        let dir = format!("{}/", dir.trim_matches(['\'', '"']));
        bins.sort_by_key(|bin| !bin.starts_with(&dir));
    }
    let Some((_, path)) = env.iter_mut().find(|(name, _)| name == "PATH") else { return };
    let mut all: Vec<PathBuf> = bins.iter().map(|b| input.dir.join(b)).collect();
    all.extend(std::env::split_paths(path));
    if let Ok(joined) = std::env::join_paths(all) {
        *path = joined;
    }
}

/// Awaits `work` and sends heartbeats with the size of its output and what an agent has reported.
pub(crate) async fn alive<T>(
    ctx: &Context,
    channel: &WorkerChannel,
    output: &Path,
    progress: impl Fn() -> Option<TurnProgress>,
    work: impl std::future::Future<Output = T>,
) -> T {
    tokio::pin!(work);
    let mut beat = tokio::time::interval(ctx.config.timeouts.heartbeat);
    beat.tick().await;
    loop {
        tokio::select! {
            done = &mut work => return done,
            _ = beat.tick() => {
                let (task, attempt) = (channel.task.clone(), channel.attempt);
                let (bytes, progress) = (size_below(output), progress());
                channel.event(TaskEvent::Heartbeat { attempt, bytes, progress }.of(task));
            }
        }
    }
}

fn size_below(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter_map(|e| e.metadata().ok()).map(|m| m.len()).max().unwrap_or(0)
}

/// The head and the tail of a captured file, so that judging it takes bounded memory.
fn read_back(path: &Path) -> Vec<u8> {
    use std::io::{Read, Seek, SeekFrom};
    let Ok(mut file) = std::fs::File::open(path) else { return Vec::new() };
    let len = file.metadata().map_or(0, |m| m.len());
    let mut bytes = Vec::new();
    if len <= READ_BACK {
        let _ = file.read_to_end(&mut bytes);
        return bytes;
    }
    let _ = std::io::Read::by_ref(&mut file).take(READ_BACK / 2).read_to_end(&mut bytes);
    bytes.extend_from_slice(b"\n[...]\n");
    if file.seek(SeekFrom::Start(len - READ_BACK / 2)).is_ok() {
        let _ = file.read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests;
