//! Commands of this program in the background: they outlive what started them, and what they print is kept.
//!
//! A job is a folder with `output`, and `exit` once it is over. It belongs to a session of its own, so that neither a closed
//! terminal nor an agent that ends its tools ends it.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::cli::CliError;
use crate::input::locate;
use crate::world::World;

/// The word by which the program knows that it is to watch over a job.
pub(crate) const KEEPER: &str = "background-job";
/// How many jobs are kept, and for how long.
const KEPT: usize = 40;
const DAYS: Duration = Duration::from_hours(168);
/// Between two looks.
const TICK: Duration = Duration::from_millis(20);

/// A command in the background.
#[derive(Debug, Clone)]
pub(crate) struct BackgroundJob {
    /// Its name.
    pub(crate) id: String,
    dir: PathBuf,
}

impl BackgroundJob {
    /// Starts a command of this program.
    pub(crate) fn start(world: &World, args: &[OsString]) -> Result<Self, CliError> {
        let all = folder(world)?;
        let failed = |e: &io::Error| CliError::file("cannot make", &all, e);
        fs::create_dir_all(&all).map_err(|e| failed(&e))?;
        drop_old(&all);
        let made = tempfile::Builder::new().prefix("job-").rand_bytes(8).tempdir_in(&all);
        let dir = made.map_err(|e| failed(&e))?.keep();
        let program = world.own_program.as_ref().ok_or_else(|| {
            CliError::environment("this program does not know where it lies, so it cannot start itself")
        })?;
        let output = fs::File::create(dir.join("output")).map_err(|e| failed(&e))?;
        let both = output.try_clone().map_err(|e| failed(&e))?;
        let mut command = Command::new(program);
        command.arg(KEEPER).arg(&dir).args(args).current_dir(&world.cwd);
        command.stdin(Stdio::null()).stdout(output).stderr(both);
        let mut keeper = command
            .spawn()
            .map_err(|e| CliError::environment("cannot start this program again").because_of(Some(&e)))?;
        // It is waited for as long as this process lives; afterwards init does.
        std::thread::spawn(move || keeper.wait());
        let id = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { id, dir })
    }

    /// A job by its name.
    pub(crate) fn find(world: &World, id: &str) -> Result<Self, CliError> {
        let plain = id.starts_with("job-") && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let dir = folder(world)?.join(id);
        if !plain || !dir.is_dir() {
            return Err(CliError::usage(format!("there is no job `{id}`"))
                .hint("jobs are kept for a week; `windlass status` says where the plan stands"));
        }
        Ok(Self { id: id.to_owned(), dir })
    }

    /// Its exit code, once it is over.
    pub(crate) fn exit(&self) -> Option<i32> {
        fs::read_to_string(self.dir.join("exit")).ok()?.trim().parse().ok()
    }

    /// Waits for its end, but no longer than this.
    pub(crate) fn wait(&self, most: Duration) -> Option<i32> {
        let until = Instant::now() + most;
        loop {
            let exit = self.exit();
            if exit.is_some() || Instant::now() >= until {
                return exit;
            }
            std::thread::sleep(TICK);
        }
    }

    /// The file with everything it printed.
    pub(crate) fn output(&self) -> PathBuf {
        self.dir.join("output")
    }
}

/// Watches over a job: runs the command in a session of its own and writes its exit code down. The second argument is the
/// folder, what follows is the command.
pub(crate) fn keep(program: &Path, args: &[OsString]) -> i32 {
    let Some((dir, command)) = args.split_first() else { return 2 };
    // Only a process that leads a group already cannot have a session of its own.
    let _ = rustix::process::setsid();
    let ended = Command::new(program).args(command).stdin(Stdio::null()).status();
    let code = ended.ok().and_then(|status| status.code()).unwrap_or(130);
    let exit = Path::new(dir).join("exit");
    let begun = exit.with_extension("new");
    let _ = fs::write(&begun, code.to_string()).and_then(|()| fs::rename(&begun, &exit));
    code
}

fn folder(world: &World) -> Result<PathBuf, CliError> {
    let located =
        locate(&world.cwd).ok_or_else(|| CliError::environment("there is no git repository here"))?;
    Ok(world.paths(&located.common_dir)?.state().join("jobs"))
}

/// Removes jobs that ended long ago, and the oldest of many.
fn drop_old(all: &Path) {
    let ended = |dir: &Path| fs::metadata(dir.join("exit")).and_then(|meta| meta.modified()).ok();
    let dirs = fs::read_dir(all).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut over: Vec<(SystemTime, PathBuf)> = dirs.filter_map(|dir| Some((ended(&dir)?, dir))).collect();
    over.sort();
    let many = over.len().saturating_sub(KEPT);
    for (at, (when, dir)) in over.iter().enumerate() {
        if at < many || when.elapsed().is_ok_and(|age| age > DAYS) {
            let _ = fs::remove_dir_all(dir);
        }
    }
}
