//! What `doctor` looks at. Each look gives one finding; none of them changes anything.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use windlass_engine::git::{Head, Repo};
use windlass_engine::paths::Paths;
use windlass_engine::sandbox::{
    BubblewrapVersion, SandboxChoice, SandboxRung, can_have, choose, look_for_groups,
};

use crate::input::Configuration;
use crate::running::{SandboxOverrides, sandbox_config};
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
    found.extend(sandbox(world));
    found.push(toolchains(world));
    found.extend(super::agents::look(world));
    found.extend(super::agents::configured(world));
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

/// The strongest fence there is, why it is no stronger, and what else is to be said about it.
fn sandbox(world: &World) -> Vec<Finding> {
    let config = Configuration::find(world).map(|found| found.config).unwrap_or_default();
    let config = sandbox_config(world, &config, &SandboxOverrides::default(), Vec::new());
    let Ok(scratch) = world.temp_dir("windlass-doctor") else {
        return vec![Finding::new("sandbox", Verdict::Missing, "there is no place to try one in")];
    };
    let mut found = match choose(config.wish, &mut |rung| can_have(rung, &config, &scratch)) {
        Ok(choice) => vec![rung(&choice), limits(choice.rung)],
        Err(error) => vec![
            Finding::new("sandbox", Verdict::Missing, error.to_string())
                .hint("change `mode` under `[sandbox]` in windlass.toml"),
        ],
    };
    let _ = fs::remove_dir_all(&scratch);
    found.extend(config.bubblewrap.as_deref().and_then(BubblewrapVersion::of).and_then(|v| doubt(&v)));
    found
}

/// What the rung that would be used holds.
fn rung(choice: &SandboxChoice) -> Finding {
    let (verdict, words) = match choice.rung {
        SandboxRung::Bubblewrap => {
            (Verdict::Fine, "own files, processes and network; ends with windlass, whatever happens")
        }
        SandboxRung::Namespaces => {
            (Verdict::Fine, "own files, processes and network; no filter of system calls")
        }
        SandboxRung::Landlock => (Verdict::Weak, "files are refused; processes and the network are seen"),
        SandboxRung::Off => (Verdict::Weak, "none: real agents are refused without `--allow-unsandboxed`"),
    };
    let finding = Finding::new("sandbox", verdict, format!("{}: {words}", choice.rung.as_str()));
    match choice.why_not_stronger() {
        Some(why) => finding.hint(why),
        None => finding,
    }
}

/// Who holds the limits on what a whole command may use up.
fn limits(rung: SandboxRung) -> Finding {
    let held = look_for_groups();
    let group = |held: bool| if held { "a control group" } else { "looking five times a second" };
    match rung {
        SandboxRung::Bubblewrap | SandboxRung::Namespaces => Finding::new(
            "limits",
            Verdict::Fine,
            format!(
                "processes by {}, memory by {}, the disk by looking every two seconds",
                group(held.processes),
                group(held.memory)
            ),
        ),
        SandboxRung::Landlock => Finding::new(
            "limits",
            Verdict::Weak,
            "of single processes; the disk by looking every two seconds",
        ),
        SandboxRung::Off => Finding::new("limits", Verdict::Weak, "time and output alone"),
    }
}

/// An old bubblewrap has a way out that is known.
fn doubt(version: &BubblewrapVersion) -> Option<Finding> {
    version.is_doubtful().then(|| {
        let said = format!("{} is older than 0.12 and not patched by a distribution", version.upstream);
        Finding::new("bubblewrap", Verdict::Weak, said).hint("CVE-2026-87766 is mended in 0.12")
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

fn bytes(n: u64) -> String {
    let gigabytes = n / (1024 * 1024 * 1024);
    if gigabytes > 0 { format!("{gigabytes} GB") } else { format!("{} MB", n / (1024 * 1024)) }
}
