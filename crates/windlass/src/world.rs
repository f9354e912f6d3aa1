//! What the program knows of the world around it, read once: directories, environment, clock, terminal.
//!
//! The only file that asks for them. Everything else is told.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::TempDir;
use windlass_core::event::Millis;
use windlass_engine::config::CrashPoint;
use windlass_engine::git::GitEnv;
use windlass_engine::paths::Paths;
use windlass_engine::sandbox::SandboxRung;

use crate::cli::CliError;
use crate::render::{self, Screen};

/// Columns if the terminal does not report them.
const COLUMNS: usize = 100;

/// Variables that agent programs set for the commands they start.
const AGENTS: [(&str, &str); 7] = [
    ("CLAUDECODE", "Claude Code"),
    ("CODEX_THREAD_ID", "Codex"),
    ("CODEX_SANDBOX", "Codex"),
    ("GEMINI_CLI", "Gemini CLI"),
    ("QWEN_CODE", "Qwen Code"),
    ("OPENCODE", "opencode"),
    ("WINDLASS_TOKEN", "an agent of a run"),
];

/// When colours are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ColourWish {
    /// On terminals.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The world as it was when the program started.
#[derive(Debug, Clone)]
pub(crate) struct World {
    /// The directory the user stands in.
    pub(crate) cwd: PathBuf,
    /// The user's home.
    pub(crate) home: Option<PathBuf>,
    /// Where programs are looked up.
    pub(crate) path: OsString,
    /// This program: it is started again to fence itself in.
    pub(crate) own_program: Option<PathBuf>,
    /// The user's cache directory.
    pub(crate) cache_home: Option<PathBuf>,
    /// The user's configuration directory.
    pub(crate) config_home: Option<PathBuf>,
    /// The user's state directory.
    pub(crate) state_home: Option<PathBuf>,
    /// Whether every setting of a repository counts, as in CI.
    pub(crate) trusts_all: bool,
    /// The agent program whose tool started this one, if one did.
    pub(crate) inside_agent: Option<&'static str>,
    /// Standard output.
    pub(crate) out: Screen,
    /// Standard error.
    pub(crate) err: Screen,
    /// Whether questions can be asked.
    pub(crate) can_ask: bool,
    /// Whether standard output is a terminal that can be drawn on again.
    pub(crate) can_redraw: bool,
    /// Whether the terminal shows ASCII only.
    ascii_only: bool,
    fixed_now: Option<Millis>,
    /// Variables that a coordinator sent; they count more than the environment, and are never part of it.
    logins: Vec<(OsString, OsString)>,
}

#[expect(clippy::unused_self, reason = "only code that was given the world may use it")]
impl World {
    /// Looks around.
    pub(crate) fn look(colour: ColourWish, directory: Option<&Path>) -> Result<Self, CliError> {
        let started = env::current_dir().map_err(|e| CliError::file("cannot find", Path::new("."), &e))?;
        let cwd = directory.map_or(started.clone(), |dir| started.join(dir));
        if !cwd.is_dir() {
            return Err(CliError::usage(format!("`{}` is not a directory", cwd.display())));
        }
        let home = env::var_os("HOME").filter(|h| !h.is_empty()).map(PathBuf::from);
        let user_dir = |variable: &str, below_home: &str| {
            let named = env::var_os(variable).map(PathBuf::from).filter(|p| p.is_absolute());
            named.or_else(|| home.as_ref().map(|h| h.join(below_home)))
        };
        let screen = |terminal: bool| Screen {
            terminal,
            colour: match colour {
                ColourWish::Always => true,
                ColourWish::Never => false,
                ColourWish::Auto => terminal && wants_colour(),
            },
            width: columns(),
        };
        Ok(Self {
            cwd,
            cache_home: user_dir("XDG_CACHE_HOME", ".cache"),
            config_home: user_dir("XDG_CONFIG_HOME", ".config"),
            state_home: user_dir("XDG_STATE_HOME", ".local/state"),
            trusts_all: env::var_os("WINDLASS_TRUST").is_some_and(|v| v == "1"),
            inside_agent: AGENTS
                .iter()
                .find(|(name, _)| env::var_os(name).is_some())
                .map(|(_, agent)| *agent),
            home,
            path: env::var_os("PATH").unwrap_or_default(),
            own_program: env::current_exe().ok(),
            out: screen(io::stdout().is_terminal()),
            err: screen(io::stderr().is_terminal()),
            can_ask: io::stdin().is_terminal() && io::stderr().is_terminal(),
            can_redraw: io::stdout().is_terminal() && !is_dumb(),
            ascii_only: io::stdout().is_terminal() && is_ascii_locale(),
            fixed_now: env::var("WINDLASS_TEST_NOW").ok().and_then(|text| text.parse().ok()),
            logins: Vec::new(),
        })
    }

    /// A world without a terminal, a home or colours.
    #[cfg(test)]
    pub(crate) fn for_test() -> Self {
        let screen = Screen { terminal: false, colour: false, width: 100 };
        Self {
            cwd: env::temp_dir(),
            home: None,
            path: env::var_os("PATH").unwrap_or_default(),
            own_program: None,
            cache_home: None,
            config_home: None,
            state_home: None,
            trusts_all: false,
            inside_agent: None,
            out: screen,
            err: screen,
            can_ask: false,
            can_redraw: false,
            ascii_only: false,
            fixed_now: Some(0),
            logins: Vec::new(),
        }
    }

    /// A directory that is removed when it is dropped. Its name says what it is for.
    pub(crate) fn temporary_dir(purpose: &str) -> Result<TempDir, CliError> {
        TempDir::with_prefix(format!("windlass-{purpose}-"))
            .map_err(|e| CliError::environment("cannot make a temporary directory").because_of(Some(&e)))
    }

    /// The time; tests fix it from outside.
    pub(crate) fn now(&self) -> Millis {
        self.fixed_now.unwrap_or_else(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
        })
    }

    /// The same world with log-ins that were sent here.
    pub(crate) fn with_logins(&self, logins: &[(OsString, OsString)]) -> Self {
        Self { logins: logins.to_vec(), ..self.clone() }
    }

    /// The columns and rows of the terminal as it is now.
    pub(crate) fn terminal_size(&self) -> (usize, usize) {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok();
        let asked = size.map(|size| (usize::from(size.ws_col), usize::from(size.ws_row)));
        asked.filter(|(columns, rows)| *columns > 0 && *rows > 0).unwrap_or((self.out.width, 24))
    }

    /// The text as the terminal can show it.
    pub(crate) fn legible<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        if self.ascii_only && !text.is_ascii() { render::in_ascii(text).into() } else { text.into() }
    }

    /// Whether the terminal shows ASCII only.
    pub(crate) fn ascii_only(&self) -> bool {
        self.ascii_only
    }

    /// Where a repository's state and cache lie.
    pub(crate) fn paths(&self, common_dir: &Path) -> Result<Paths, CliError> {
        Ok(Paths::new(common_dir, self.cache_home()?))
    }

    /// Where caches lie.
    pub(crate) fn cache_home(&self) -> Result<&Path, CliError> {
        self.cache_home.as_deref().ok_or_else(|| {
            CliError::environment("no place for the cache: `HOME` and `XDG_CACHE_HOME` are not set")
                .hint("set `HOME`")
        })
    }

    /// The arguments this program was started with.
    pub(crate) fn own_args(&self) -> Vec<OsString> {
        env::args_os().skip(1).collect()
    }

    /// Refuses what is a person's to decide where an agent asks for it and no person is at a terminal.
    pub(crate) fn needs_person(&self, what: &str) -> Result<(), CliError> {
        match self.inside_agent.filter(|_| !self.can_ask) {
            None => Ok(()),
            Some(agent) => Err(CliError::blocked(format!("{what} is the person's, and {agent} asks for it"))
                .hint("the person runs this command in a terminal of their own")),
        }
    }

    /// The variables of these names that are set, in the order named.
    pub(crate) fn env_of<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<(OsString, OsString)> {
        let sent = |name: &str| self.logins.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
        let set = |name: &str| sent(name).or_else(|| env::var_os(name));
        names.into_iter().filter_map(|n| Some((OsString::from(n), set(n)?))).collect()
    }

    /// A program on the search path, or at a path of its own.
    pub(crate) fn program(&self, name: &OsStr) -> Option<PathBuf> {
        let runs = |path: &PathBuf| {
            fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
        };
        if name.as_bytes().contains(&b'/') {
            return Some(self.cwd.join(name)).filter(runs);
        }
        let dirs = self.path.as_bytes().split(|b| *b == b':').filter(|d| d.starts_with(b"/"));
        dirs.map(|dir| Path::new(OsStr::from_bytes(dir)).join(name)).find(runs)
    }

    /// Where the program is to die: for tests of recovery, in builds with debug assertions only.
    /// `WINDLASS_TEST_CRASH_AFTER=12` is after the 12th write of the journal, `WINDLASS_TEST_CRASH_BEFORE=merged:2` before
    /// the second event of that kind is written.
    pub(crate) fn crash_point(&self) -> Option<CrashPoint> {
        let after = env::var("WINDLASS_TEST_CRASH_AFTER").ok().and_then(|text| text.parse().ok());
        let before = || {
            let text = env::var("WINDLASS_TEST_CRASH_BEFORE").ok()?;
            let (kind, nth) = text.split_once(':')?;
            Some(CrashPoint::BeforeEvent { kind: kind.into(), nth: nth.parse().ok()? })
        };
        after.map(CrashPoint::AfterWrites).or_else(before).filter(|_| cfg!(debug_assertions))
    }

    /// Rungs of the sandbox that are to be missing: for tests of bad surroundings, in builds with debug assertions only.
    pub(crate) fn without(&self) -> Vec<SandboxRung> {
        let named =
            env::var("WINDLASS_TEST_WITHOUT").ok().filter(|_| cfg!(debug_assertions)).unwrap_or_default();
        SandboxRung::ALL
            .into_iter()
            .filter(|rung| named.split(',').any(|name| name == rung.as_str()))
            .collect()
    }

    /// Asks a person a question that `y` answers with yes.
    pub(crate) fn ask(&self, question: &str) -> Result<bool, CliError> {
        self.answer(question).map(|said| matches!(said.as_str(), "y" | "Y" | "yes"))
    }

    /// Asks a person for a line; nothing is an answer too.
    pub(crate) fn answer(&self, question: &str) -> Result<String, CliError> {
        self.tell(question);
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer);
        read.map_err(|e| CliError::environment("cannot read an answer").because_of(Some(&e)))?;
        Ok(answer.trim().to_owned())
    }

    /// Standard input, whole.
    pub(crate) fn read_input(&self) -> Result<String, CliError> {
        io::read_to_string(io::stdin())
            .map_err(|e| CliError::environment("cannot read standard input").because_of(Some(&e)))
    }

    /// Runs git as the user would, where they stand. For what the user asked for by name; the engine has its own way.
    pub(crate) fn git(&self, args: &[&str]) -> Result<String, CliError> {
        self.git_in(&self.cwd, args)
    }

    /// Runs git as the user would in another directory.
    pub(crate) fn git_in(&self, dir: &Path, args: &[&str]) -> Result<String, CliError> {
        self.git_with(dir, args, &[])
    }

    /// Runs git with variables of its own.
    pub(crate) fn git_with(
        &self,
        dir: &Path,
        args: &[&str],
        env: &[(&str, &Path)],
    ) -> Result<String, CliError> {
        let vars = env.iter().copied();
        let run = std::process::Command::new("git").args(args).envs(vars).current_dir(dir).output();
        let out = run.map_err(|e| CliError::environment("cannot start `git`").because_of(Some(&e)))?;
        if out.status.success() {
            return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&out.stderr);
        let what = args.iter().find(|a| !a.starts_with('-')).copied().unwrap_or_default();
        Err(CliError::blocked(format!("`git {what}` failed: {}", said.trim())))
    }

    /// What git may know.
    pub(crate) fn git_env(&self) -> GitEnv {
        let names = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
        let text = |(name, value): (OsString, OsString)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        };
        let people = self.env_of(names).into_iter().map(text).collect();
        GitEnv { path: self.path.clone(), home: self.home.clone(), people }
    }

    /// Writes to standard output. A closed pipe is no error.
    pub(crate) fn print(&self, text: &str) -> Result<(), CliError> {
        self.stream(|out| out.write_all(self.legible(text).as_bytes()))
    }

    /// Writes to standard output piece by piece, as [`World::print`] does.
    pub(crate) fn stream(
        &self,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), CliError> {
        let mut out = io::BufWriter::with_capacity(64 * 1024, io::stdout().lock());
        match write(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => {
                Err(CliError::environment("cannot write to standard output").because_of(Some(&error)))
            }
            Ok(()) => Ok(()),
        }
    }

    /// Writes to standard error; if that fails there is no place left to say so.
    pub(crate) fn tell(&self, text: &str) {
        let _ = io::stderr().lock().write_all(self.legible(text).as_bytes());
    }

    /// A path as the user would write it from where they stand.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let short = path.strip_prefix(&self.cwd).unwrap_or(path);
        if short.as_os_str().is_empty() { ".".into() } else { short.display().to_string() }
    }
}

fn wants_colour() -> bool {
    let off = env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    !off && !is_dumb()
}

/// Whether the terminal does nothing but print.
fn is_dumb() -> bool {
    env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb")
}

/// Whether the user's locale says that text is not UTF-8. Where nothing is said it is.
fn is_ascii_locale() -> bool {
    let said = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    said.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

fn columns() -> usize {
    let told = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let asked = || rustix::termios::tcgetwinsize(io::stderr()).ok().map(|size| usize::from(size.ws_col));
    told.or_else(asked).filter(|n| *n >= 20).unwrap_or(COLUMNS)
}
