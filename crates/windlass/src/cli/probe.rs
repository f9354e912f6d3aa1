//! The probes of `doctor`. None changes anything but the cache, which keeps what the set-up made.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use windlass_code::detect::{self, SetupPlan};
use windlass_code::survey::Language;
use windlass_core::ids::PlanName;
use windlass_engine::git::{CommitPeople, Head, Repo};
use windlass_engine::journal::newer_format;
use windlass_engine::paths::Paths;
use windlass_engine::sandbox::{
    BubblewrapVersion, SandboxChoice, SandboxRung, can_have, choose, look_for_groups,
};
use windlass_engine::setup_trial::SetupTrial;
use windlass_engine::survey::DiskTree;

use super::CliError;
use super::dry_run::setup_problem;
use super::state::run_plans;
use crate::input::{Configuration, locate};
use crate::running::{SandboxOverrides, sandbox_config, tried_setups, without_tasks};
use crate::world::World;

/// Free space below which runs are likely to fail.
const LITTLE_SPACE: u64 = 2 * 1024 * 1024 * 1024;
/// Free space below which they cannot work.
const NO_SPACE: u64 = 100 * 1024 * 1024;

/// The outcome of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ProbeVerdict {
    /// As it should be.
    Fine,
    /// Only told.
    Told,
    /// Works, and could be better.
    Weak,
    /// Needed, and not there.
    Missing,
}

/// The finding of a probe.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ProbeFinding {
    /// The subject of the probe.
    pub(super) what: String,
    /// How it went.
    pub(super) verdict: ProbeVerdict,
    /// What was found.
    pub(super) found: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
    /// Further facts, for JSON output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
}

impl ProbeFinding {
    pub(super) fn new(what: &str, verdict: ProbeVerdict, found: impl Into<String>) -> Self {
        Self { what: what.into(), verdict, found: found.into(), hint: None, notes: Vec::new() }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Looks at everything.
pub(super) fn probe(world: &World) -> Vec<ProbeFinding> {
    let mut found = Vec::new();
    match Repo::discover(world.git_env(), &world.cwd) {
        Ok(repo) => look_at_repository(world, &repo, &mut found),
        Err(error) => {
            let mut finding = ProbeFinding::new("git", ProbeVerdict::Missing, error.to_string());
            finding.hint = error.hint();
            found.push(finding);
        }
    }
    found.push(configuration(world));
    found.extend(newer_journals(world));
    found.extend(["bash", "sh"].map(|name| needed(world, name)));
    found.extend(sandbox(world));
    found.push(toolchains(world));
    found.extend(super::agents::look(world));
    let configured = super::agents::configured(world);
    if configured.is_empty() && !super::agents::is_any_installed(world) {
        let none =
            ProbeFinding::new("agent", ProbeVerdict::Weak, "none is installed, and `windlass run` needs one");
        found.push(
            none.hint("install one of these and log in, or name any program with `--agent cmd:COMMAND`"),
        );
    }
    found.extend(configured);
    found
}

fn look_at_repository(world: &World, repo: &Repo, found: &mut Vec<ProbeFinding>) {
    found.push(match repo.git_version() {
        Ok(version) => ProbeFinding::new("git", ProbeVerdict::Fine, version),
        Err(error) => ProbeFinding::new("git", ProbeVerdict::Missing, error.to_string()),
    });
    let kind = if repo.is_bare() { " (bare)" } else { "" };
    let top = repo.worktree().unwrap_or(repo.common_dir());
    found.push(ProbeFinding::new("repository", ProbeVerdict::Fine, format!("{}{kind}", top.display())));
    found.push(match repo.head() {
        Ok(Head::Unborn { .. }) => ProbeFinding::new("commits", ProbeVerdict::Missing, "none yet")
            .hint("make a first commit, for example `git commit --allow-empty -m start`"),
        Ok(_) => ProbeFinding::new("commits", ProbeVerdict::Fine, "there are some"),
        Err(error) => ProbeFinding::new("commits", ProbeVerdict::Missing, error.to_string()),
    });
    found.push(match repo.people().map(CommitPeople::known) {
        Ok(Some(who)) => {
            ProbeFinding::new("identity", ProbeVerdict::Fine, format!("{} <{}>", who.name, who.email))
        }
        Ok(None) => {
            ProbeFinding::new("identity", ProbeVerdict::Missing, "git has no user name and no e-mail address")
                .hint("git config user.name \"…\" && git config user.email \"…\"")
        }
        Err(error) => ProbeFinding::new("identity", ProbeVerdict::Missing, error.to_string()),
    });
    if let Ok(paths) = world.paths(repo.common_dir()) {
        look_at_places(&paths, found);
    }
    if let Some(top) = repo.worktree() {
        found.extend(setups(world, top));
    }
}

/// The set-ups that the files of the repository ask for: whether their tools are installed, and, if so, how they go.
fn setups(world: &World, top: &Path) -> Vec<ProbeFinding> {
    let plans = detect::setup(&DiskTree::open(top));
    let mut found: Vec<ProbeFinding> = plans.iter().map(|plan| setup(world, plan)).collect();
    if !plans.is_empty() && found.iter().all(|finding| finding.verdict != ProbeVerdict::Missing) {
        match try_them(world) {
            Ok(tried) => found = tried,
            Err(error) => found.push(ProbeFinding::new(
                "set-up",
                ProbeVerdict::Told,
                format!("not tried: {}", error.message),
            )),
        }
    }
    found
}

/// Carries the set-ups out; what they make is kept for the run.
fn try_them(world: &World) -> Result<Vec<ProbeFinding>, CliError> {
    let configuration = Configuration::find(world)?;
    if !configuration.untrusted(world).is_empty() {
        return Err(CliError::usage("the configuration of the repository is not trusted"));
    }
    let told = |trial: &SetupTrial| {
        let shown = format!("`{}`", trial.command);
        match &trial.failure {
            None => ProbeFinding::new("set-up", ProbeVerdict::Fine, format!("{shown} works")),
            Some(failure) => {
                let said = format!("{shown} failed: {}", setup_problem(failure));
                ProbeFinding::new("set-up", ProbeVerdict::Missing, said)
                    .hint("run it yourself, or state another in `[setup] command`")
            }
        }
    };
    Ok(tried_setups(world, &without_tasks(world, &configuration)?)?.iter().map(told).collect())
}

/// Whether the tool of a set-up is installed.
fn setup(world: &World, plan: &SetupPlan) -> ProbeFinding {
    let shown = format!("`{}`", plan.shown());
    let lacking = plan.tool.filter(|(name, _)| find(world, name).is_none());
    if let Some((name, package)) = lacking {
        let found = format!("{shown}: `{name}` is not installed");
        return ProbeFinding::new("set-up", ProbeVerdict::Missing, found)
            .hint(format!("install the package `{package}`"));
    }
    match plan.program.filter(|program| find(world, program).is_none()) {
        None => ProbeFinding::new("set-up", ProbeVerdict::Told, shown),
        Some(program) => {
            let found = format!("{shown}: `{program}` is not installed, and is fetched for the set-up");
            ProbeFinding::new("set-up", ProbeVerdict::Weak, found)
                .hint(format!("install the package `{program}`"))
        }
    }
}

fn look_at_places(paths: &Paths, found: &mut Vec<ProbeFinding>) {
    let state = paths.state();
    found.push(match fs::metadata(state) {
        Ok(meta) if meta.permissions().mode().trailing_zeros() < 6 => ProbeFinding::new(
            "state",
            ProbeVerdict::Weak,
            format!("{} can be read by others", state.display()),
        )
        .hint(format!("chmod 700 {}", state.display())),
        Ok(_) => ProbeFinding::new("state", ProbeVerdict::Fine, state.display().to_string()),
        Err(_) => ProbeFinding::new(
            "state",
            ProbeVerdict::Told,
            format!("{} (made by the first run)", state.display()),
        ),
    });
    let cache = paths.cache();
    found.push(ProbeFinding::new("cache", ProbeVerdict::Told, cache.display().to_string()));
    found.push(space(cache));
}

/// Free space where slots will lie.
fn space(path: &Path) -> ProbeFinding {
    let existing = path.ancestors().find(|p| p.exists()).unwrap_or(Path::new("/"));
    let Ok(stat) = rustix::fs::statvfs(existing) else {
        return ProbeFinding::new("disk", ProbeVerdict::Told, "free space is not known");
    };
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let said = format!("{} free for slots", bytes(free));
    match free {
        0..NO_SPACE => {
            ProbeFinding::new("disk", ProbeVerdict::Missing, said).hint("make room, or set `XDG_CACHE_HOME`")
        }
        NO_SPACE..LITTLE_SPACE => ProbeFinding::new("disk", ProbeVerdict::Weak, said),
        _ => ProbeFinding::new("disk", ProbeVerdict::Fine, said),
    }
}

fn configuration(world: &World) -> ProbeFinding {
    match Configuration::find(world) {
        Ok(found) if !found.untrusted(world).is_empty() => {
            let keys: Vec<&str> = found.untrusted(world).iter().map(|setting| setting.key.as_str()).collect();
            let said = format!("windlass.toml sets {}, and you have not trusted it", keys.join(", "));
            ProbeFinding::new("configuration", ProbeVerdict::Weak, said)
                .hint("`windlass trust` shows it and asks")
        }
        Ok(Configuration { dir: Some(dir), .. }) => {
            ProbeFinding::new("configuration", ProbeVerdict::Fine, world.shown(&dir.join("windlass.toml")))
        }
        Ok(_) => ProbeFinding::new("configuration", ProbeVerdict::Told, "no windlass.toml: defaults apply")
            .hint("`windlass init` writes one"),
        Err(error) => {
            let finding = ProbeFinding::new("configuration", ProbeVerdict::Missing, error.message);
            ProbeFinding { hint: error.hints.into_iter().next(), ..finding }
        }
    }
}

/// Journals that a newer program wrote: this one may read them, and runs nothing in them.
fn newer_journals(world: &World) -> Option<ProbeFinding> {
    let paths = world.paths(&locate(&world.cwd)?.common_dir).ok()?;
    let newer = |name: &PlanName| newer_format(&paths.plan(name).journal()).is_some();
    let names: Vec<String> =
        run_plans(&paths).iter().filter(|name| newer(name)).map(|name| format!("`{name}`")).collect();
    let said = format!(
        "a newer Windlass wrote the journal of {}; this is {}",
        names.join(", "),
        env!("CARGO_PKG_VERSION")
    );
    let hint = "install the newer one; until then `status`, `show` and `report` work, and `run` refuses";
    (!names.is_empty()).then(|| ProbeFinding::new("journal", ProbeVerdict::Missing, said).hint(hint))
}

fn needed(world: &World, name: &str) -> ProbeFinding {
    match find(world, name) {
        Some(path) => ProbeFinding::new(name, ProbeVerdict::Fine, path.display().to_string()),
        None => ProbeFinding::new(name, ProbeVerdict::Missing, "not on the search path"),
    }
}

/// The strongest fence there is, why it is no stronger, and what else is to be said about it.
fn sandbox(world: &World) -> Vec<ProbeFinding> {
    let config = Configuration::find(world).map(|found| found.config).unwrap_or_default();
    let config = sandbox_config(world, &config, &SandboxOverrides::default(), Vec::new());
    let Ok(scratch) = World::temporary_dir("doctor") else {
        return vec![ProbeFinding::new(
            "sandbox",
            ProbeVerdict::Missing,
            "there is no directory to test one in",
        )];
    };
    let mut found = match choose(config.wish, &mut |rung| can_have(rung, &config, scratch.path())) {
        Ok(choice) => vec![rung(&choice), limits(choice.rung)],
        Err(error) => vec![
            ProbeFinding::new("sandbox", ProbeVerdict::Missing, error.to_string())
                .hint("change `mode` under `[sandbox]` in windlass.toml"),
        ],
    };
    found.extend(config.bubblewrap.as_deref().and_then(BubblewrapVersion::of).and_then(|v| doubt(&v)));
    found
}

/// What the rung that would be used holds.
fn rung(choice: &SandboxChoice) -> ProbeFinding {
    let (verdict, words) = match choice.rung {
        SandboxRung::Bubblewrap => {
            (ProbeVerdict::Fine, "own files, processes and network; ends with windlass, whatever happens")
        }
        SandboxRung::Namespaces => {
            (ProbeVerdict::Fine, "own files, processes and network; no filter of system calls")
        }
        SandboxRung::Landlock => {
            (ProbeVerdict::Weak, "files are refused; processes and the network are seen")
        }
        SandboxRung::Off => {
            (ProbeVerdict::Weak, "none: real agents are refused without `--allow-unsandboxed`")
        }
    };
    let finding = ProbeFinding::new("sandbox", verdict, format!("{}: {words}", choice.rung.as_str()));
    match choice.why_not_stronger() {
        Some(why) => finding.hint(why),
        None => finding,
    }
}

/// What enforces the limits of whole commands.
fn limits(rung: SandboxRung) -> ProbeFinding {
    let held = look_for_groups();
    let group = |held: bool| if held { "a control group" } else { "looking five times a second" };
    match rung {
        SandboxRung::Bubblewrap | SandboxRung::Namespaces => ProbeFinding::new(
            "limits",
            ProbeVerdict::Fine,
            format!(
                "processes by {}, memory by {}; disk use is measured every two seconds",
                group(held.processes),
                group(held.memory)
            ),
        ),
        SandboxRung::Landlock => ProbeFinding::new(
            "limits",
            ProbeVerdict::Weak,
            "per process only; disk use is measured every two seconds",
        ),
        SandboxRung::Off => ProbeFinding::new("limits", ProbeVerdict::Weak, "time and output only"),
    }
}

/// Old versions of bubblewrap have a known way out.
fn doubt(version: &BubblewrapVersion) -> Option<ProbeFinding> {
    version.is_doubtful().then(|| {
        let said = format!("{} is older than 0.12 and not patched by a distribution", version.upstream);
        ProbeFinding::new("bubblewrap", ProbeVerdict::Weak, said).hint("CVE-2026-87766 is fixed in 0.12")
    })
}

fn toolchains(world: &World) -> ProbeFinding {
    let here: Vec<&str> = Language::programs().filter(|name| find(world, name).is_some()).collect();
    let said = if here.is_empty() { "none that are known".into() } else { here.join(", ") };
    ProbeFinding::new("tools", ProbeVerdict::Told, said)
}

/// A program on the search path.
fn find(world: &World, name: &str) -> Option<PathBuf> {
    world.program(OsStr::new(name))
}

fn bytes(n: u64) -> String {
    let gigabytes = n / (1024 * 1024 * 1024);
    if gigabytes > 0 { format!("{gigabytes} GB") } else { format!("{} MB", n / (1024 * 1024)) }
}
