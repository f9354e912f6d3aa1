//! Runs one git process: scrubbed environment, argument array, bytes in and bytes out.
//!
//! Knows no subcommand; callers name theirs and judge its answer.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use super::error::GitError;
use super::resident::Resident;

/// What git may know of the world outside: given by the binary, never read from the environment here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitEnv {
    /// The search path on which `git` is looked up.
    pub path: OsString,
    /// The user's home directory, used only to read the user's identity and signing settings.
    pub home: Option<PathBuf>,
    /// The user's `GIT_AUTHOR_*` and `GIT_COMMITTER_*` variables. Git's own calls do not get them.
    pub people: Vec<(String, String)>,
}

/// Settings that hold in every call, whatever a repository's own configuration says.
const ALWAYS: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// How often a call is made again whose directory for objects was removed meanwhile, and the pause before.
const AGAIN: u32 = 5;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(20);

/// How much of a failing command's own words is kept.
const STDERR_LIMIT: usize = 4096;

/// Which configuration files a call may read in addition to the repository's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfigScope {
    /// None: the hermetic default.
    Repository,
    /// The user's and the system's too: only for discovery, identity and signing.
    User,
}

/// One git call being put together.
pub(super) struct GitCall<'a> {
    what: &'static str,
    command: Command,
    stdin: Option<&'a [u8]>,
}

/// What a git call gave back, whatever its exit code.
pub(super) struct GitOutput {
    what: &'static str,
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

impl<'a> GitCall<'a> {
    /// Starts `git <what>`; `before` are global options that precede the subcommand.
    pub(super) fn new(
        program: &Path,
        env: &GitEnv,
        scope: ConfigScope,
        before: &[OsString],
        what: &'static str,
    ) -> Self {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", &env.path).env("LC_ALL", "C");
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_REPLACE_OBJECTS", "1");
        command.env("GIT_LITERAL_PATHSPECS", "1").env("GIT_NO_LAZY_FETCH", "1");
        match scope {
            ConfigScope::Repository => {
                command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
                command.env("GIT_ATTR_NOSYSTEM", "1");
            }
            ConfigScope::User => {
                if let Some(home) = &env.home {
                    command.env("HOME", home);
                }
            }
        }
        for setting in ALWAYS {
            command.arg("-c").arg(setting);
        }
        command.args(before).arg(what);
        Self { what, command, stdin: None }
    }

    /// Adds one argument.
    pub(super) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Adds arguments.
    pub(super) fn args<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, args: I) -> Self {
        self.command.args(args);
        self
    }

    /// Sets one variable.
    pub(super) fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    /// Sets the directory the process starts in.
    pub(super) fn cwd(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Gives the process its input.
    pub(super) fn stdin(mut self, bytes: &'a [u8]) -> Self {
        self.stdin = Some(bytes);
        self
    }

    /// Runs it and returns whatever happened.
    ///
    /// The user's own `git gc` removes directories of objects that are empty at the moment, also one that this call has just
    /// made for its object. Such a call has done nothing yet and is made again.
    pub(super) fn run(mut self) -> Result<GitOutput, GitError> {
        let mut answer = self.run_once()?;
        for _ in 0..AGAIN {
            if !answer.lost_its_directory() {
                break;
            }
            std::thread::sleep(PAUSE);
            answer = self.run_once()?;
        }
        Ok(answer)
    }

    /// Starts a process that answers one question after another. It has a group of its own, so that an interrupt from the terminal
    /// does not end it between two of them.
    pub(super) fn stay(mut self) -> Result<Resident, GitError> {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let started = self.command.spawn().map(Resident::new);
        let program = || PathBuf::from(self.command.get_program());
        started.map_err(|source| GitError::Io { what: "cannot run", path: program(), source })
    }

    fn run_once(&mut self) -> Result<GitOutput, GitError> {
        let input = if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() };
        self.command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = PathBuf::from(self.command.get_program());
        let failed = |source| GitError::Io { what: "cannot run", path: program.clone(), source };
        let mut child = self.command.spawn().map_err(failed)?;
        let pipe = child.stdin.take();
        let bytes = self.stdin.unwrap_or_default();
        let output = std::thread::scope(|scope| {
            // A thread of its own: git may answer before it has read all of its input.
            if let Some(mut pipe) = pipe {
                scope.spawn(move || {
                    // A closed pipe shows in the exit code.
                    let _ = pipe.write_all(bytes);
                });
            }
            child.wait_with_output()
        })
        .map_err(failed)?;
        Ok(GitOutput { what: self.what, status: output.status, stdout: output.stdout, stderr: output.stderr })
    }

    /// Runs it and insists on exit code 0.
    pub(super) fn ok(self) -> Result<Vec<u8>, GitError> {
        let answer = self.run()?;
        if answer.status.success() { Ok(answer.stdout) } else { Err(answer.failure()) }
    }
}

impl GitOutput {
    /// Whether git could not create an object because the directory for it was gone.
    fn lost_its_directory(&self) -> bool {
        const SAID: &[u8] = b"unable to create temporary file: No such file or directory";
        self.code() == Some(128) && self.stderr.windows(SAID.len()).any(|words| words == SAID)
    }

    /// The exit code, if it was not a signal.
    pub(super) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// What the process said on its standard error, shortened, on one line.
    pub(super) fn said(&self) -> String {
        let end = self.stderr.len().min(STDERR_LIMIT);
        let text = String::from_utf8_lossy(&self.stderr[..end]);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        lines.join("; ")
    }

    /// The answer as an error.
    pub(super) fn failure(&self) -> GitError {
        let ended = match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "unknown end".to_owned(),
        };
        GitError::Failed { what: self.what.to_owned(), ended, stderr: self.said() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stands in for a git whose directory of objects is removed the first two times.
    #[test]
    fn a_call_whose_directory_was_removed_meanwhile_is_made_again() {
        let temp = tempfile::tempdir().unwrap();
        let program = temp.path().join("git");
        let text = "#!/bin/sh\nread line\necho x >>$0.calls\nif [ $(wc -l <$0.calls) -lt 3 ]; then\n\
                    echo 'error: unable to create temporary file: No such file or directory' >&2\nexit 128\nfi\necho \"$line\"\n";
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let env = GitEnv { path: "/usr/bin:/bin".into(), home: None, people: Vec::new() };
        let call =
            || GitCall::new(&program, &env, ConfigScope::Repository, &[], "hash-object").stdin(b"in\n");
        assert_eq!(call().ok().unwrap(), b"in\n");
        std::fs::write(&program, "#!/bin/sh\necho x >>$0.others\necho 'fatal: bad object' >&2\nexit 128\n")
            .unwrap();
        assert!(call().ok().unwrap_err().to_string().contains("bad object"));
        let others = std::fs::read_to_string(temp.path().join("git.others")).unwrap();
        assert_eq!(others, "x\n", "another failure is not tried again");
    }
}
