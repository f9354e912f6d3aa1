//! What `doctor` looks at. Each look gives one finding; none of them changes anything.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Serialize;
use windlass_engine::git::{Head, Repo};
use windlass_engine::paths::Paths;

use crate::input::Configuration;
use crate::world::World;

/// Free space below which runs are likely to fail.
const LITTLE_SPACE: u64 = 2 * 1024 * 1024 * 1024;
/// Free space below which they cannot work.
const NO_SPACE: u64 = 100 * 1024 * 1024;

/// How a look went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// As it should be.
    Fine,
    /// Only told.
    Told,
    /// Works, and could be better.
    Weak,
    /// Needed, and not there.
    Missing,
}

/// What a look found.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Finding {
    /// What was looked at.
    pub(super) what: String,
    /// How it went.
    pub(super) verdict: Verdict,
    /// What was found.
    pub(super) found: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
    /// What else is known of it, for those who ask in JSON.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
}

impl Finding {
    pub(super) fn new(what: &str, verdict: Verdict, found: impl Into<String>) -> Self {
        Self { what: what.into(), verdict, found: found.into(), hint: None, notes: Vec::new() }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Looks at everything.
pub(super) fn probe(world: &World) -> Vec<Finding> {
    let mut found = Vec::new();
    match Repo::discover(world.git_env(), &world.cwd) {
        Ok(repo) => look_at_repository(world, &repo, &mut found),
        Err(error) => {
            let mut finding = Finding::new("git", Verdict::Missing, error.to_string());
            finding.hint = error.hint();
            found.push(finding);
        }
    }
    found.push(configuration(world));
    found.extend(["bash", "sh"].map(|name| needed(world, name)));
    found.push(sandbox(world));
    found.push(toolchains(world));
    found.extend(super::agents::look(world));
    found
}

fn look_at_repository(world: &World, repo: &Repo, found: &mut Vec<Finding>) {
    found.push(match repo.git_version() {
        Ok(version) => Finding::new("git", Verdict::Fine, version),
        Err(error) => Finding::new("git", Verdict::Missing, error.to_string()),
    });
    let kind = if repo.is_bare() { " (bare)" } else { "" };
    let top = repo.worktree().unwrap_or(repo.common_dir());
    found.push(Finding::new("repository", Verdict::Fine, format!("{}{kind}", top.display())));
    found.push(match repo.head() {
        Ok(Head::Unborn { .. }) => Finding::new("commits", Verdict::Missing, "none yet")
            .hint("make a first commit, for example `git commit --allow-empty -m start`"),
        Ok(_) => Finding::new("commits", Verdict::Fine, "there are some"),
        Err(error) => Finding::new("commits", Verdict::Missing, error.to_string()),
    });
    found.push(match repo.identity() {
        Ok(Some(who)) => Finding::new("identity", Verdict::Fine, format!("{} <{}>", who.name, who.email)),
        Ok(None) => {
            Finding::new("identity", Verdict::Missing, "git knows neither your name nor your address")
                .hint("git config user.name \"…\" && git config user.email \"…\"")
        }
        Err(error) => Finding::new("identity", Verdict::Missing, error.to_string()),
    });
    if let Ok(paths) = world.paths(repo.common_dir()) {
        look_at_places(&paths, found);
    }
}

fn look_at_places(paths: &Paths, found: &mut Vec<Finding>) {
    let state = paths.state();
    found.push(match fs::metadata(state) {
        Ok(meta) if meta.permissions().mode().trailing_zeros() < 6 => {
            Finding::new("state", Verdict::Weak, format!("{} can be read by others", state.display()))
                .hint(format!("chmod 700 {}", state.display()))
        }
        Ok(_) => Finding::new("state", Verdict::Fine, state.display().to_string()),
        Err(_) => {
            Finding::new("state", Verdict::Told, format!("{} (made by the first run)", state.display()))
        }
    });
    let cache = paths.cache();
    found.push(Finding::new("cache", Verdict::Told, cache.display().to_string()));
    found.push(space(cache));
}

/// Free space where slots will lie.
fn space(path: &Path) -> Finding {
    let existing = path.ancestors().find(|p| p.exists()).unwrap_or(Path::new("/"));
    let Ok(stat) = rustix::fs::statvfs(existing) else {
        return Finding::new("disk", Verdict::Told, "free space is not known");
    };
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let said = format!("{} free for slots", bytes(free));
    match free {
        0..NO_SPACE => {
            Finding::new("disk", Verdict::Missing, said).hint("make room, or set `XDG_CACHE_HOME`")
        }
        NO_SPACE..LITTLE_SPACE => Finding::new("disk", Verdict::Weak, said),
        _ => Finding::new("disk", Verdict::Fine, said),
    }
}

fn configuration(world: &World) -> Finding {
    match Configuration::find(world) {
        Ok(Configuration { dir: Some(dir), .. }) => {
            Finding::new("configuration", Verdict::Fine, world.shown(&dir.join("windlass.toml")))
        }
        Ok(_) => Finding::new("configuration", Verdict::Told, "no windlass.toml: defaults hold")
            .hint("`windlass init` writes one"),
        Err(error) => Finding::new("configuration", Verdict::Missing, error.message),
    }
}

fn needed(world: &World, name: &str) -> Finding {
    match find(world, name) {
        Some(path) => Finding::new(name, Verdict::Fine, path.display().to_string()),
        None => Finding::new(name, Verdict::Missing, "not on the search path"),
    }
}

/// The strongest fence there is.
fn sandbox(world: &World) -> Finding {
    let bwrap = find(world, "bwrap").and_then(|path| answer(&path, &["--version"]));
    let works = find(world, "bwrap").is_some_and(|path| {
        let arguments = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "true"];
        answer(&path, &arguments).is_some()
    });
    if let (Some(version), true) = (&bwrap, works) {
        return Finding::new("sandbox", Verdict::Fine, version.clone());
    }
    if user_namespaces(world) {
        let said = "own namespaces; bubblewrap is not usable";
        return Finding::new("sandbox", Verdict::Fine, said).hint("bubblewrap is a rung stronger");
    }
    let landlock = fs::read_to_string("/sys/kernel/security/lsm").is_ok_and(|lsm| lsm.contains("landlock"));
    let said = if landlock { "Landlock only" } else { "none: agents would run unfenced" };
    Finding::new("sandbox", Verdict::Weak, said)
        .hint("install bubblewrap, or allow user namespaces; a run asks for `--allow-unsandboxed` otherwise")
}

fn user_namespaces(world: &World) -> bool {
    let unshare = find(world, "unshare");
    unshare.is_some_and(|path| {
        answer(&path, &["--user", "--map-root-user", "--pid", "--fork", "true"]).is_some()
    })
}

fn toolchains(world: &World) -> Finding {
    let known = ["cargo", "python3", "node", "go", "npm", "pytest", "java", "ruby", "php", "dotnet"];
    let here: Vec<&str> = known.into_iter().filter(|name| find(world, name).is_some()).collect();
    let said = if here.is_empty() { "none that are known".into() } else { here.join(", ") };
    Finding::new("tools", Verdict::Told, said)
}

/// A program on the search path.
fn find(world: &World, name: &str) -> Option<PathBuf> {
    world.program(OsStr::new(name))
}

/// What a program says, if it ends well.
fn answer(program: &Path, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn bytes(n: u64) -> String {
    let gigabytes = n / (1024 * 1024 * 1024);
    if gigabytes > 0 { format!("{gigabytes} GB") } else { format!("{} MB", n / (1024 * 1024)) }
}
