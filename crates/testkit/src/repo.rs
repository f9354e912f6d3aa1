//! A git repository in a world of its own, and the program run in it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::fake_agent::fake_agent_program;
use crate::{Left, Outcome, PlanTask, Running, left_behind};

/// A repository with a home, a cache and an identity of its own. Nothing of the machine's configuration reaches it.
#[derive(Debug)]
pub struct TestRepo {
    dir: TempDir,
    windlass: PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl TestRepo {
    /// An empty repository on the branch `main`. `windlass` is the program under test.
    pub fn new(windlass: &str) -> Self {
        let repo = Self::without_git(windlass);
        fs::write(repo.home().join(".gitconfig"), "[user]\n\tname = T\n\temail = t@example.org\n").unwrap();
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    /// A directory that is no repository, and a user git knows nothing about.
    pub fn without_git(windlass: &str) -> Self {
        let Ok(dir) = tempfile::Builder::new().prefix("windlass-test-").tempdir() else {
            unreachable!("a test needs a directory")
        };
        for sub in ["home", "repo", "cache", "tmp", "bin"] {
            fs::create_dir(dir.path().join(sub)).unwrap();
        }
        std::os::unix::fs::symlink(fake_agent_program(), dir.path().join("bin/fake-agent")).unwrap();
        let env = environment(dir.path());
        Self { dir, windlass: windlass.into(), env }
    }

    /// Sets a variable for everything that is run from here on.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Writes a file of the checkout.
    pub fn file(self, path: &str, text: &str) -> Self {
        self.write(path, text);
        self
    }

    /// Writes a file of the checkout.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).unwrap();
        }
        fs::write(path, text).unwrap();
    }

    /// Reads a file of the checkout.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Writes a plan in the native form to `plans/NAME`.
    pub fn plan(self, name: &str, tasks: &[PlanTask]) -> Self {
        self.write(&format!("plans/{name}/plan.toml"), &format!("name = \"{name}\"\n"));
        for task in tasks {
            self.write(&format!("plans/{name}/tasks/{}", task.file_name()), &task.text());
        }
        self
    }

    /// Commits everything.
    pub fn committed(self) -> Self {
        self.commit("start");
        self
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// The script of the fake agent; see its program for the language.
    pub fn agent(self, script: &str) -> Self {
        self.script(script);
        self
    }

    /// Gives the fake agent another script.
    pub fn script(&self, script: &str) {
        fs::write(self.home().join("agent-script"), script).unwrap();
    }

    /// A path in the checkout.
    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join("repo").join(path)
    }

    /// The user's home, which agents see too.
    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// The directory around all of it.
    pub fn top(&self) -> &Path {
        self.dir.path()
    }

    /// Runs the program to its end.
    #[track_caller]
    pub fn windlass(&self, args: &[&str]) -> Outcome {
        self.start(args).wait()
    }

    /// `windlass run` with the fake agent, to its end.
    #[track_caller]
    pub fn run(&self, more: &[&str]) -> Outcome {
        self.start_run(more).wait()
    }

    /// Starts `windlass run` with the fake agent.
    #[track_caller]
    pub fn start_run(&self, more: &[&str]) -> Running {
        self.start(&[&["run", "--agent", "cmd:fake-agent"], more].concat())
    }

    /// Starts the program.
    #[track_caller]
    pub fn start(&self, args: &[&str]) -> Running {
        self.start_with(&[], args)
    }

    /// Starts the program with more variables.
    #[track_caller]
    pub fn start_with(&self, env: &[(&str, &str)], args: &[&str]) -> Running {
        let mut command = self.command(self.windlass.as_os_str());
        command.args(args).envs(env.iter().copied());
        // The fake agent has its script at home, and leaves signs there that tests wait for.
        if args.contains(&"cmd:fake-agent") {
            command.arg("--share").arg(self.home());
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = command.spawn();
        let Ok(child) = started else { panic!("the program does not start: {started:?}") };
        Running::new(child, self.redactions())
    }

    /// A command in the checkout, in this world.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path("")).env_clear().envs(self.env.iter().cloned());
        command
    }

    /// What git prints, without the last line break; git must succeed.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        match self.try_git(args) {
            Ok(text) => text,
            Err(said) => panic!("git {args:?}: {said}"),
        }
    }

    /// What git prints, or what it complains about.
    pub fn try_git(&self, args: &[&str]) -> Result<String, String> {
        let out = self.command("git").args(args).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
        if out.status.success() { Ok(text(&out.stdout)) } else { Err(text(&out.stderr)) }
    }

    /// The subjects of the commits of a branch that `main` does not have, oldest first.
    pub fn subjects(&self, branch: &str) -> Vec<String> {
        let log = self.git(&["log", "--reverse", "--format=%s", &format!("main..{branch}")]);
        log.lines().map(str::to_owned).collect()
    }

    /// Processes of runs in this repository that are still alive.
    pub fn left_behind(&self) -> Vec<Left> {
        let caches = fs::read_dir(self.dir.path().join("cache/windlass")).into_iter().flatten().flatten();
        let names: Vec<String> =
            caches.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.iter().flat_map(|name| left_behind(&format!("WINDLASS_TOKEN=windlass.{name}."))).collect()
    }

    fn redactions(&self) -> Vec<(String, String)> {
        vec![(self.dir.path().display().to_string(), "[dir]".into())]
    }
}

/// A small environment of fixed values. Tool-chains are the machine's: they are found by `PATH` and by the variables that
/// name their roots.
fn environment(dir: &Path) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> = vec![
        ("HOME".into(), dir.join("home").into()),
        ("XDG_CACHE_HOME".into(), dir.join("cache").into()),
        ("TMPDIR".into(), dir.join("tmp").into()),
        ("PATH".into(), search_path(dir)),
        ("LC_ALL".into(), "C.UTF-8".into()),
        ("TZ".into(), "UTC".into()),
        ("COLUMNS".into(), "100".into()),
        ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ("CARGO_NET_OFFLINE".into(), "true".into()),
        ("WINDLASS_TRUST".into(), "1".into()),
    ];
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    for (name, below) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"), ("PYENV_ROOT", ".pyenv")] {
        let root = std::env::var_os(name).map_or_else(|| home.join(below), PathBuf::from);
        if root.is_dir() {
            env.push((name.into(), root.into()));
        }
    }
    env
}

/// The machine's programs, after the fake agent and the Python environment that the test command makes.
fn search_path(dir: &Path) -> OsString {
    let machine = std::env::var_os("PATH").unwrap_or_default();
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin");
    let own = [dir.join("bin"), venv].into_iter().filter(|dir| dir.is_dir());
    std::env::join_paths(own.chain(std::env::split_paths(&machine))).unwrap_or(machine)
}
