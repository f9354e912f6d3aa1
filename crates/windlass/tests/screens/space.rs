//! A place of its own for each test: a directory, a home, a fixed width and a fixed clock.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The moment at which every test takes place: 100 seconds after the epoch.
pub(crate) const NOW: i64 = 100_000;

/// A directory to stand in.
pub(crate) struct Space {
    temp: TempDir,
}

impl Space {
    /// An empty directory, in no repository.
    pub(crate) fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        fs::create_dir_all(temp.path().join("home")).unwrap();
        fs::create_dir_all(temp.path().join("work")).unwrap();
        Self { temp }
    }

    /// A repository with one commit.
    pub(crate) fn repository() -> Self {
        let space = Self::new();
        space.git(&["init", "-q", "-b", "main"]);
        space.git(&["config", "user.name", "Ada"]);
        space.git(&["config", "user.email", "ada@example.org"]);
        space.git(&["commit", "-q", "--allow-empty", "-m", "start"]);
        space
    }

    /// The directory the user stands in.
    pub(crate) fn work(&self) -> PathBuf {
        self.temp.path().join("work")
    }

    /// Writes a file below it.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.work().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file below it.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.work().join(path)).unwrap()
    }

    /// Puts a program on the search path, before all others.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.temp.path().join("bin").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Writes a file in the user's home.
    pub(crate) fn write_home(&self, path: &str, text: &str) {
        let path = self.temp.path().join("home").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = self.command(Path::new("git"));
        git.env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(git.args(arguments).status().unwrap().success(), "git {arguments:?}");
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.work()).env_clear();
        let found = std::env::var_os("PATH").unwrap();
        let own = [self.temp.path().join("bin")];
        // What `plan` suggests depends on the agents that are installed: here none is.
        let agents = ["claude", "codex", "gemini", "qwen", "opencode"];
        let bare = |dir: &PathBuf| !agents.iter().any(|agent| dir.join(agent).exists());
        let path = own.into_iter().chain(std::env::split_paths(&found).filter(bare));
        command.env("PATH", std::env::join_paths(path).unwrap());
        command.env("HOME", self.temp.path().join("home"));
        command.env("COLUMNS", "100").env("WINDLASS_TEST_NOW", NOW.to_string()).env("WINDLASS_TRUST", "1");
        command.stdin(Stdio::null());
        command
    }

    /// What the program says, and how it ends; paths of the machine do not show.
    #[must_use = "look at what was said"]
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.run_with(arguments, "")
    }

    /// The same with something on standard input.
    #[must_use = "look at what was said"]
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: &str) -> String {
        let mut command = self.command(Path::new(env!("CARGO_BIN_EXE_windlass")));
        let file = self.temp.path().join("stdin");
        fs::write(&file, stdin).unwrap();
        command.stdin(fs::File::open(file).unwrap());
        let output = command.args(arguments).output().unwrap();
        let mut text = String::from_utf8(output.stdout).unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        if !told.is_empty() {
            text.push_str("--- told\n");
            text.push_str(&told);
        }
        text.push_str("--- exit ");
        text.push_str(&output.status.code().unwrap().to_string());
        let real = self.temp.path().canonicalize().unwrap();
        text.replace(real.to_str().unwrap(), "[TEMP]").replace(self.temp.path().to_str().unwrap(), "[TEMP]")
    }
}
