//! The world outside: what can be stolen, broken and reached, and whether any of it was.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use windlass_engine::process::Finished;
use windlass_engine::sandbox::SandboxRung;

use crate::cell::{Cell, SECRET};

/// A world with a sandboxed process in it.
pub(crate) struct Outside {
    pub(crate) cell: Cell,
    victim: Child,
    port: TcpListener,
    abstract_name: String,
    abstract_socket: UnixListener,
    socket: UnixListener,
    shm: PathBuf,
    segment: String,
    dropped: PathBuf,
    hostname: Vec<u8>,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Outside {
    pub(crate) fn new(rung: SandboxRung) -> Self {
        let cell = Cell::new(rung);
        let name = cell.dir.path().file_name().unwrap().to_string_lossy().into_owned();
        let abstract_socket =
            UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        let socket = UnixListener::bind(cell.path("home/s")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        for set in
            [abstract_socket.set_nonblocking(true), socket.set_nonblocking(true), port.set_nonblocking(true)]
        {
            set.unwrap();
        }
        let shm = Path::new("/dev/shm").join(&name);
        fs::write(&shm, SECRET).unwrap();
        let made = Command::new("ipcmk").args(["-M", "4096"]).output().unwrap();
        let segment = String::from_utf8_lossy(&made.stdout).split_whitespace().last().unwrap().to_owned();
        let victim = victim();
        let mut outside = Self {
            dropped: Path::new("/var/tmp").join(&name),
            hostname: fs::read("/proc/sys/kernel/hostname").unwrap(),
            abstract_name: name,
            files: BTreeMap::new(),
            cell,
            victim,
            port,
            abstract_socket,
            socket,
            shm,
            segment,
        };
        outside.files = outside.look();
        outside
    }

    /// Makes an attempt.
    pub(crate) fn attempt(&self, script: &str) -> Finished {
        let cell = &self.cell;
        let mut inv = cell.invocation(script);
        let mut set = |name: &str, value: &str| inv.env.push((name.into(), value.into()));
        set("VICTIM", &self.victim.id().to_string());
        set("PORT", &self.port.local_addr().unwrap().port().to_string());
        set("ABSTRACT", &self.abstract_name);
        set("SOCKET", &cell.path("home/s").to_string_lossy());
        set("SHM", &self.shm.file_name().unwrap().to_string_lossy());
        set("SEGMENT", &self.segment);
        set("DROP", &self.dropped.to_string_lossy());
        cell.run_invocation(inv)
    }

    /// Everything that an attempt did outside, in words; then all is put right again.
    pub(crate) fn effects(&mut self, finished: &Finished) -> Vec<String> {
        let mut effects = Vec::new();
        let said = fs::read_to_string(finished.output.merged.as_ref().unwrap()).unwrap_or_default();
        if said.contains(SECRET) {
            effects.push("it knows the secret".to_owned());
        }
        if said.contains("ESCAPED") {
            effects.push(format!("it says so: {}", said.trim()));
        }
        let now = self.look();
        let changed =
            self.files.keys().chain(now.keys()).filter(|path| self.files.get(*path) != now.get(*path));
        effects.extend(changed.map(|path| format!("{} is not what it was", path.display())));
        if !matches!(state(self.victim.id()), Some('S')) {
            effects.push(format!("the victim is {:?}", state(self.victim.id())));
        }
        let reached = [
            ("port", self.port.accept().map(drop)),
            ("socket without a name", self.abstract_socket.accept().map(drop)),
            ("socket", self.socket.accept().map(drop)),
        ];
        let reached =
            reached.into_iter().filter(|(_, r)| !matches!(r, Err(e) if e.kind() == ErrorKind::WouldBlock));
        effects.extend(reached.map(|(what, _)| format!("the {what} was reached")));
        if fs::read_to_string(&self.shm).unwrap_or_default() != SECRET {
            effects.push("shared memory changed".to_owned());
        }
        let segments = fs::read_to_string("/proc/sysvipc/shm").unwrap();
        if !segments.lines().any(|line| line.split_whitespace().nth(1) == Some(&self.segment)) {
            effects.push("the segment is gone".to_owned());
        }
        if self.dropped.exists() {
            effects.push("the file is there".to_owned());
        }
        if fs::read("/proc/sys/kernel/hostname").unwrap() != self.hostname {
            effects.push("the machine has another name".to_owned());
        }
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        if mounts.contains(&*self.cell.dir.path().to_string_lossy()) {
            effects.push("something is mounted".to_owned());
        }
        effects
    }

    /// The files outside, without those that belong to the process inside.
    fn look(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut pending = vec![self.cell.dir.path().to_owned()];
        let own = ["cache/slots/1", "cache/scratch", "cache/probe", "out"].map(|sub| self.cell.path(sub));
        while let Some(dir) = pending.pop() {
            for entry in fs::read_dir(&dir).unwrap().flatten().filter(|e| !own.contains(&e.path())) {
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    pending.push(entry.path());
                } else if kind.is_file() {
                    found.insert(entry.path(), fs::read(entry.path()).unwrap());
                }
            }
        }
        found
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        let _ = fs::remove_file(&self.shm);
        let _ = fs::remove_file(&self.dropped);
        let _ = Command::new("ipcrm").args(["-m", &self.segment]).stderr(Stdio::null()).status();
    }
}

/// A process that knows the secret and does no harm.
fn victim() -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", "exec sleep 600", "--stolen", SECRET]).env("STOLEN", SECRET);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The state of a process: `S` while it waits in peace.
fn state(pid: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}
