//! A real terminal: the program in a pane of tmux, with a server of its own.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use windlass_testkit::TestRepo;

/// The longest a test waits for the screen.
const PATIENCE: Duration = Duration::from_secs(40);

/// One pane. Dropped, its server ends.
pub(crate) struct TmuxPane<'a> {
    repo: &'a TestRepo,
    socket: String,
}

impl<'a> TmuxPane<'a> {
    /// A shell command in a pane of this size; the pane stays when it has ended.
    pub(crate) fn open(repo: &'a TestRepo, columns: u32, rows: u32, command: &str) -> Self {
        let socket = repo.top().join(format!("tmux-{columns}x{rows}")).display().to_string();
        let pane = Self { repo, socket };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let stays = format!("{command}; echo left with $?; exec sleep 600");
        pane.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &rows, &stays]);
        pane
    }

    fn command(&self) -> Command {
        let mut command = self.repo.command("tmux");
        command.env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8").args(["-u", "-S", &self.socket]);
        command
    }

    fn tmux(&self, args: &[&str]) -> String {
        let out = self.command().args(args).output();
        let out = out.unwrap_or_else(|e| panic!("tmux is needed, and `scripts/test` installs it: {e}"));
        assert!(out.status.success(), "tmux {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    /// Presses keys, by tmux's names.
    pub(crate) fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Types a text.
    pub(crate) fn types(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    /// Makes the pane larger or smaller.
    pub(crate) fn resize(&self, columns: u32, rows: u32) {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    /// What is on the screen.
    pub(crate) fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// The process that was started in the pane.
    pub(crate) fn pid(&self) -> u32 {
        self.tmux(&["display-message", "-p", "#{pane_pid}"]).trim().parse().unwrap()
    }

    /// Whether the bell rang.
    pub(crate) fn has_rung(&self) -> bool {
        self.tmux(&["display-message", "-p", "#{window_bell_flag}"]).trim() == "1"
    }

    /// Gives everything that is drawn from now on to a shell command, too.
    pub(crate) fn pipe(&self, command: &str) {
        self.tmux(&["pipe-pane", "-O", command]);
    }

    /// Waits until the screen says something.
    #[track_caller]
    pub(crate) fn until(&self, text: &str) -> String {
        let since = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            assert!(since.elapsed() < PATIENCE, "waited in vain for `{text}`\n── the screen\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for TmuxPane<'_> {
    fn drop(&mut self) {
        let _ = self.command().arg("kill-server").output();
    }
}
