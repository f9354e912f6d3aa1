//! Looks for a command line agent: its version, and whether it is logged in. Reads no login, uses no network, and takes a
//! bounded time.

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use windlass_engine::agent::cli::{CliKind, Version, behind, version_in};

use crate::world::World;

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program that is here.
#[derive(Debug)]
pub(crate) struct Installed {
    /// The program.
    pub(crate) kind: CliKind,
    /// Its version, as far as it says.
    pub(crate) version: Option<Version>,
    /// How it is logged in, if it is.
    pub(crate) login: Option<String>,
}

impl Installed {
    /// Looks for a program; `None` if it is not here.
    pub(crate) fn look(world: &World, kind: CliKind, program: &OsStr) -> Option<Self> {
        let path = world.program(program)?;
        let version = packaged(kind, &path).or_else(|| asked(world, &path));
        Some(Self { kind, version, login: login(world, kind) })
    }

    /// What should be said of its version.
    pub(crate) fn warning(&self) -> Option<String> {
        let facts = self.kind.facts();
        let (program, tested) = (facts.program, facts.tested);
        match self.version {
            None => Some(format!("`{program}` does not say its version; {tested} was tried")),
            Some(version) if version < facts.minimum => Some(format!(
                "`{program}` {version} is older than {}, the oldest that is known to work; {tested} was tried",
                facts.minimum
            )),
            Some(_) => None,
        }
    }
}

/// The version in the package that a program belongs to.
fn packaged(kind: CliKind, program: &Path) -> Option<Version> {
    behind(program).iter().find_map(|path| in_package(kind, path))
}

fn in_package(kind: CliKind, program: &Path) -> Option<Version> {
    const UP: usize = 6;
    let real = fs::canonicalize(program).ok()?;
    real.ancestors().skip(1).take(UP).find_map(|dir| {
        let text = fs::read(dir.join("package.json")).ok()?;
        let package: serde_json::Value = serde_json::from_slice(&text).ok()?;
        // The program itself may lie in a package for one platform.
        let stem = kind.facts().package.trim_end_matches("-ai");
        let ours = package["name"].as_str().is_some_and(|name| name.starts_with(stem));
        ours.then(|| package["version"].as_str().and_then(version_in)).flatten()
    })
}

/// The version that the program reports, in an empty home and without the user's variables.
fn asked(world: &World, program: &Path) -> Option<Version> {
    let home = World::temporary_dir("version").ok()?;
    let mut child = Command::new(program)
        .arg("--version")
        .env_clear()
        .env("PATH", &world.path)
        .env("HOME", home.path())
        .current_dir(home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut pipe = child.stdout.take()?;
    let (said, answer) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        let _ = pipe.by_ref().take(4096).read_to_string(&mut text);
        let _ = said.send(text);
    });
    let text = answer.recv_timeout(PATIENCE).ok();
    let _ = child.kill();
    let _ = child.wait();
    version_in(&text?)
}

/// How it is logged in: by variables that are set, or a file that is there.
fn login(world: &World, kind: CliKind) -> Option<String> {
    kind.facts().login.found(world.home.as_deref(), &world.env_of(kind.variables()))
}
