//! Other machines for tests: a home, a cache and a way there each, and an ssh server on loopback.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use windlass_testkit::{Left, TestRepo, eventually, left_behind};

/// Another machine: a home and a cache of its own, and a command that leads there.
pub(crate) struct OtherMachine {
    pub(crate) dir: TempDir,
}

impl OtherMachine {
    pub(crate) fn new(script: &str) -> Self {
        let dir = tempfile::Builder::new().prefix("windlass-place-").tempdir().unwrap();
        for sub in ["home", "cache", "tmp"] {
            fs::create_dir(dir.path().join(sub)).unwrap();
        }
        fs::write(dir.path().join("home/agent-script"), script).unwrap();
        Self { dir }
    }

    /// A command that starts `windlass attend` there, with nothing of this environment.
    pub(crate) fn door(&self, repo: &TestRepo) -> PathBuf {
        self.door_with(&format!("PATH={}:{}", repo.top().join("bin").display(), search_path()))
    }

    /// The same with these variables.
    pub(crate) fn door_with(&self, variables: &str) -> PathBuf {
        let at = |sub: &str| self.dir.path().join(sub).display().to_string();
        let text = format!(
            "#!/bin/sh\nexec env -i HOME={} XDG_CACHE_HOME={} TMPDIR={} LC_ALL=C.UTF-8 {variables} {} attend \"$@\"\n",
            at("home"),
            at("cache"),
            at("tmp"),
            crate::world::program(),
        );
        let door = self.dir.path().join("door");
        fs::write(&door, text).unwrap();
        fs::set_permissions(&door, fs::Permissions::from_mode(0o755)).unwrap();
        door
    }

    /// The programs that attend there now.
    pub(crate) fn attendants(&self) -> Vec<Left> {
        let mark = format!("XDG_CACHE_HOME={}", self.dir.path().join("cache").display());
        let mut all = left_behind(&mark);
        all.retain(|left| left.command.ends_with(" attend"));
        all
    }

    /// Nothing of its attempts is alive.
    pub(crate) fn is_quiet(&self) -> bool {
        let kept =
            fs::read_dir(self.dir.path().join("cache/windlass/places")).into_iter().flatten().flatten();
        kept.map(|entry| entry.file_name().to_string_lossy().into_owned())
            .all(|name| left_behind(&format!("WINDLASS_TOKEN=windlass.{name}.")).is_empty())
    }
}

/// Where programs of this machine are.
pub(crate) fn search_path() -> String {
    std::env::var("PATH").unwrap()
}

/// `kill -9`.
pub(crate) fn kill(pid: u32) {
    send(pid, rustix::process::Signal::KILL);
}

/// `kill -STOP`: it neither works nor ends.
pub(crate) fn freeze(pid: u32) {
    send(pid, rustix::process::Signal::STOP);
}

fn send(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    // It may have ended by itself.
    let _ = rustix::process::kill_process(pid, signal);
}

/// An ssh server on loopback with keys of its own, for this user; it ends with the test.
pub(crate) struct SshServer {
    dir: TempDir,
    child: std::process::Child,
}

impl SshServer {
    pub(crate) fn start() -> Self {
        let dir = tempfile::Builder::new().prefix("windlass-sshd-").tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).display().to_string();
        for key in ["host", "user"] {
            let made =
                Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", &at(key)]).status();
            assert!(made.unwrap().success());
        }
        // Taken for a moment, so that it is free.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes\nPidFile none\n",
            at("host"),
            at("user.pub"),
        );
        fs::write(dir.path().join("sshd_config"), server).unwrap();
        let client = format!(
            "Host big\n HostName 127.0.0.1\n Port {port}\n IdentityFile {}\n IdentitiesOnly yes\n StrictHostKeyChecking no\n \
             UserKnownHostsFile /dev/null\n LogLevel ERROR\n",
            at("user"),
        );
        fs::write(dir.path().join("ssh_config"), client).unwrap();
        // The directory that the server of the distribution separates its privileges in.
        let _ = fs::create_dir_all("/run/sshd");
        let child = Command::new("/usr/sbin/sshd")
            .args(["-D", "-e", "-f", &at("sshd_config")])
            .stderr(fs::File::create(dir.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        eventually("the server listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        Self { dir, child }
    }

    /// The command to the machine behind it.
    pub(crate) fn launch(&self, door: &Path) -> Vec<String> {
        let config = self.dir.path().join("ssh_config").display().to_string();
        let words = ["ssh", "-F", &config, "-T", "-oBatchMode=yes", "big", door.to_str().unwrap()];
        words.map(str::to_owned).to_vec()
    }
}

impl Drop for SshServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
