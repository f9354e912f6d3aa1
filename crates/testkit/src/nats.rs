//! A real `nats-server` on loopback, which can be killed and started again.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::running::eventually;

/// A stream of a server.
#[derive(Debug)]
pub struct NatsStream {
    /// Its name.
    pub name: String,
    /// How many messages it holds.
    pub messages: u64,
    /// How many consumers it has.
    pub consumers: u64,
}

/// The server. It ends with the test.
#[derive(Debug)]
pub struct NatsServer {
    dir: TempDir,
    program: PathBuf,
    port: u16,
    looks: u16,
    child: Option<Child>,
}

impl NatsServer {
    /// Starts a server that keeps its streams in a directory of its own; `more` are lines of its configuration. `None`, and a
    /// line that says so, where the program is not installed.
    #[expect(clippy::print_stderr, reason = "a test that is left out says so")]
    pub fn start(more: &str) -> Option<Self> {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin/nats-server");
        if !program.is_file() {
            eprintln!("NOT EXECUTED: there is no nats-server; `scripts/test` installs it into target/venv");
            return None;
        }
        let dir = tempfile::Builder::new().prefix("windlass-nats-").tempdir().unwrap();
        // Taken for a moment, so that it is free.
        let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (port, looks) = (free(), free());
        let store = if more.contains("jetstream") { String::new() } else { "jetstream {}\n".to_owned() };
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\nhttp: \"127.0.0.1:{looks}\"\nstore_dir: {:?}\n{store}{more}\n",
            dir.path().join("store").display().to_string()
        );
        fs::write(dir.path().join("server.conf"), text).unwrap();
        let mut server = Self { dir, program, port, looks, child: None };
        server.start_again();
        Some(server)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        let mut child = self.child.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Starts it where it was, with what it has kept.
    pub fn start_again(&mut self) {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.dir.path().join("log")).unwrap();
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(self.dir.path().join("server.conf")).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.child = Some(command.spawn().unwrap());
        let log = self.dir.path().join("log");
        eventually("the server listens", || {
            assert!(self.is_alive(), "the server ended: {}", fs::read_to_string(&log).unwrap());
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    /// What its streams hold.
    pub fn streams(&self) -> Vec<NatsStream> {
        let mut page = TcpStream::connect(("127.0.0.1", self.looks)).unwrap();
        page.write_all(b"GET /jsz?streams=1&consumers=1 HTTP/1.0\r\n\r\n").unwrap();
        let mut text = String::new();
        page.read_to_string(&mut text).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap();
        let accounts = json["account_details"].as_array().into_iter().flatten();
        let streams = accounts.flat_map(|account| account["stream_detail"].as_array().into_iter().flatten());
        let of = |stream: &serde_json::Value| NatsStream {
            name: stream["name"].as_str().unwrap().to_owned(),
            messages: stream["state"]["messages"].as_u64().unwrap(),
            consumers: stream["state"]["consumer_count"].as_u64().unwrap(),
        };
        streams.map(of).collect()
    }

    fn is_alive(&mut self) -> bool {
        matches!(self.child.as_mut().map(Child::try_wait), Some(Ok(None)))
    }

    /// A file beside the server's own, readable by its owner only.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.dir.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        path
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
