//! One command from start to proved end.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use process_wrap::std::{CommandWrap, CommandWrapper as _, ProcessSession};
use rustix::process::Signal;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::time::{Instant as TokioInstant, sleep_until, timeout};

use super::cancel::{CancelLevel, CancellationSignal};
use super::capture::{Activity, CapturedOutput, Recorder};
use super::containment::Containment;
use super::invocation::{Finished, Invocation, Keeper, ProcessExit, ProcessId, TimeLimit, Token};
use super::mask::Mask;
use super::sweep::{Pace, SweepTarget, Swept, sweep};
use super::{registry, spawner};
use crate::platform::confine::OUTSIDE;
use crate::platform::signal;

/// How long processes may take to end after the main one has exited.
const GRACE_AFTER_END: Duration = Duration::from_millis(500);
/// How long they may take when they are being ended.
const GRACE_AFTER_STOP: Duration = Duration::from_secs(2);
/// How long an open pipe is read after all processes are dead.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Receives standard output piece by piece, even what is not kept.
pub type Listener = Box<dyn FnMut(&[u8]) + Send>;

/// Runs a command and ends everything it started. `on_spawn` receives the process as soon as it exists. Commands that
/// run at the same time must have different tokens.
pub async fn run(
    inv: Invocation,
    token: &Token,
    cancel: CancellationSignal,
    on_spawn: impl FnOnce(ProcessId),
) -> Finished {
    run_kept(inv, Keeper::Becomes, Duration::ZERO, token, cancel, on_spawn, Box::new(|_| {})).await
}

/// Runs a command, possibly behind a keeper, with a listener on its output; to end it early, the listener raises
/// `cancel`. Processes that are alive `patience` after its end count as left behind.
pub(crate) async fn run_kept(
    inv: Invocation,
    keeper: Keeper,
    patience: Duration,
    token: &Token,
    cancel: CancellationSignal,
    on_spawn: impl FnOnce(ProcessId),
    listener: Listener,
) -> Finished {
    Containment::establish();
    let start = Instant::now();
    let activity = Activity::new();
    let recorder = match Recorder::create(&inv.capture, Mask::of(&inv.env), activity.clone()) {
        Ok(recorder) => recorder,
        Err(error) => {
            let why = format!("cannot write output to `{}`: {error}", inv.capture.dir.display());
            return never_ran(ProcessExit::NotStarted(why), CapturedOutput::default());
        }
    };
    if cancel.level() > CancelLevel::Run {
        return never_ran(ProcessExit::Cancelled, recorder.finish());
    }
    let (mut child, main) = match spawn(&inv, token) {
        Ok(spawned) => spawned,
        Err(why) => return never_ran(ProcessExit::NotStarted(why), recorder.finish()),
    };
    let guard = EndOnDrop(Some(SweepTarget { token: token.clone(), main, keeper }));
    on_spawn(main);

    let (stop_reading, stop) = oneshot::channel();
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return never_ran(
            ProcessExit::NotStarted("the output could not be connected".to_owned()),
            recorder.finish(),
        );
    };
    let mut reading = tokio::spawn(recorder.drain(stdout, stderr, stop, listener));
    let writing = tokio::spawn(feed(child.stdin.take(), inv.stdin));
    let exit = wait(&mut child, inv.timeout, inv.idle_timeout, &cancel, &activity).await;
    let elapsed = start.elapsed();
    let patience = match keeper {
        Keeper::Becomes => patience,
        // Leftovers are dead by now, and the keeper reports their names.
        Keeper::Outlives => Duration::ZERO,
    };
    let swept = end_all(guard, &exit, patience, cancel, &mut child).await;
    writing.abort();
    let output = if let Ok(output) = timeout(LAST_WORDS, &mut reading).await {
        output
    } else {
        // The reader may just have ended.
        let _ = stop_reading.send(());
        reading.await
    };
    Finished {
        exit,
        elapsed,
        output: output.unwrap_or_default(),
        survivors_killed: swept.survivors,
        left: swept.left,
        over: None,
        blocked: Vec::new(),
        still_alive: swept.still_alive,
    }
}

/// The result of a command that could not be started.
pub(crate) fn not_started(why: String) -> Finished {
    never_ran(ProcessExit::NotStarted(why), CapturedOutput::default())
}

fn never_ran(exit: ProcessExit, output: CapturedOutput) -> Finished {
    Finished {
        exit,
        elapsed: Duration::ZERO,
        output,
        survivors_killed: 0,
        left: Vec::new(),
        over: None,
        blocked: Vec::new(),
        still_alive: Vec::new(),
    }
}

/// Starts the command in a new session: no terminal, no shared group.
fn spawn(inv: &Invocation, token: &Token) -> Result<(Child, ProcessId), String> {
    let mut command = std::process::Command::new(&inv.program);
    command.args(&inv.args).current_dir(&inv.cwd).env_clear();
    command.envs(inv.env.iter().map(|(key, value)| (key, value))).env(Token::VARIABLE, token.as_str());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let describe = |error: io::Error| why_not_started(&error, inv);
    // The helper makes a session itself: what is done between fork and exec makes a copy of this program's memory necessary.
    if inv.args.first().is_none_or(|word| word != OUTSIDE) {
        ProcessSession.pre_spawn(&mut command, &CommandWrap::with_new("", |_| {})).map_err(describe)?;
    }
    let mut command = Command::from(command);
    command.kill_on_drop(true);
    spawner::spawn(command, token).map_err(describe)
}

fn why_not_started(error: &io::Error, inv: &Invocation) -> String {
    let program = Path::new(&inv.program).display();
    if inv.cwd.is_dir() {
        format!("cannot start `{program}`: {error}")
    } else {
        format!("cannot start `{program}`: the directory `{}` does not exist", inv.cwd.display())
    }
}

/// Writes the input; a command that does not read it all is no error.
async fn feed(pipe: Option<tokio::process::ChildStdin>, bytes: Vec<u8>) {
    if let Some(mut pipe) = pipe {
        let _ = pipe.write_all(&bytes).await;
        let _ = pipe.shutdown().await;
    }
}

/// Waits for the main process, a time limit or cancellation, whichever comes first.
async fn wait(
    child: &mut Child,
    wall: Duration,
    idle: Option<Duration>,
    cancel: &CancellationSignal,
    activity: &Activity,
) -> ProcessExit {
    tokio::select! {
        biased;
        status = child.wait() => match status {
            Ok(status) => exit_of(status),
            Err(error) => ProcessExit::NotStarted(format!("its end could not be seen: {error}")),
        },
        () = cancel.reached(CancelLevel::Stop) => ProcessExit::Cancelled,
        () = tokio::time::sleep(wall) => ProcessExit::TimedOut(TimeLimit::Wall(wall)),
        limit = silent_for(idle, activity) => ProcessExit::TimedOut(TimeLimit::Idle(limit)),
    }
}

/// Returns after the given time without output; never, without a limit.
async fn silent_for(limit: Option<Duration>, activity: &Activity) -> Duration {
    let Some(limit) = limit else { return std::future::pending().await };
    loop {
        let deadline = activity.last() + limit;
        if Instant::now() >= deadline {
            return limit;
        }
        sleep_until(TokioInstant::from_std(deadline)).await;
    }
}

fn exit_of(status: ExitStatus) -> ProcessExit {
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessExit::Code(code),
        (None, Some(signal)) => ProcessExit::Signal(signal),
        (None, None) => ProcessExit::NotStarted("it ended for an unknown reason".to_owned()),
    }
}

/// Ends whatever is left and reaps the main process.
async fn end_all(
    guard: EndOnDrop,
    exit: &ProcessExit,
    patience: Duration,
    cancel: CancellationSignal,
    child: &mut Child,
) -> Swept {
    let pace = match exit {
        ProcessExit::Code(_) | ProcessExit::Signal(_) | ProcessExit::NotStarted(_) => {
            Pace { patience, grace: GRACE_AFTER_END }
        }
        ProcessExit::TimedOut(_) | ProcessExit::Cancelled => {
            Pace { patience: Duration::ZERO, grace: GRACE_AFTER_STOP }
        }
    };
    let sweeping = tokio::task::spawn_blocking(move || {
        let hurry = || cancel.level() == CancelLevel::Now;
        let swept = guard.0.as_ref().map(|target| sweep(target, pace, &hurry));
        (guard, swept.unwrap_or_default())
    });
    // Reaped at the same time, so that the sweep sees it end.
    let (swept, _) = tokio::join!(sweeping, timeout(GRACE_AFTER_STOP * 5, child.wait()));
    match swept {
        Ok((mut guard, swept)) => {
            if let Some(target) = guard.0.take() {
                registry::forget(target.main.pid);
            }
            swept
        }
        // The sweep panicked: report a process as alive, since nothing is proved.
        Err(_) => Swept { still_alive: vec![ProcessId { pid: 0, started: 0 }], ..Swept::default() },
    }
}

/// Ends the command's processes if the future is dropped early.
struct EndOnDrop(Option<SweepTarget>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        let Some(target) = self.0.take() else { return };
        signal(target.main, Signal::KILL);
        // A thread, because drops may happen on the runtime's threads, which must not block.
        std::thread::spawn(move || {
            sweep(&target, Pace::default(), &|| true);
            registry::forget(target.main.pid);
        });
    }
}

#[cfg(test)]
mod tests;
