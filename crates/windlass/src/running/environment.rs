//! What processes get of the user's environment: names on a list, never the rest.

use std::path::PathBuf;

use windlass_engine::config::EnvVar;

use crate::world::World;

/// What every process gets.
const COMMON: [&str; 8] = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME", "TERM"];

/// What an agent gets besides, as it may need to log in and to run tools.
const AGENT: [&str; 6] =
    ["HOME", "SHELL", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"];

/// Caches of package managers, each with where it lies below the home where no variable says so.
const CACHES: [(&str, &str); 3] =
    [("npm_config_cache", ".npm"), ("PIP_CACHE_DIR", ".cache/pip"), ("UV_CACHE_DIR", ".cache/uv")];

/// Roots of tool-chains, each with where it lies below the home where no variable says so. Verification has an empty home,
/// so they are named.
const ROOTS: [(&str, &str); 6] = [
    ("CARGO_HOME", ".cargo"),
    ("RUSTUP_HOME", ".rustup"),
    ("PYENV_ROOT", ".pyenv"),
    ("NVM_DIR", ".nvm"),
    ("GOPATH", "go"),
    ("MISE_DATA_DIR", ".local/share/mise"),
];

/// What is read-only for everybody inside. Cargo's home is not among them: it holds credentials.
pub(super) fn roots(world: &World) -> Vec<PathBuf> {
    let not_cargo = ROOTS.iter().filter(|(name, _)| *name != "CARGO_HOME");
    let named = ["VIRTUAL_ENV", "JAVA_HOME", "GOROOT"].into_iter().map(|name| world.env_of([name]));
    let found = not_cargo.filter_map(|(name, below)| root(world, name, below));
    found.chain(named.flatten().map(|(_, value)| value.into())).filter(|path| path.is_dir()).collect()
}

/// Caches of package managers.
pub(super) fn caches(world: &World) -> Vec<PathBuf> {
    CACHES.iter().filter_map(|(name, below)| root(world, name, below)).filter(|path| path.is_dir()).collect()
}

/// Cargo's home.
pub(super) fn cargo_home(world: &World) -> Option<PathBuf> {
    root(world, "CARGO_HOME", ".cargo").filter(|path| path.is_dir())
}

/// Where a tool-chain lies: where its variable says, or at its usual place below the home.
fn root(world: &World, name: &str, below: &str) -> Option<PathBuf> {
    let set = world.env_of([name]).into_iter().next().map(|(_, value)| PathBuf::from(value));
    set.or_else(|| world.home.as_ref().map(|h| h.join(below)).filter(|p| p.is_dir()))
}

/// What agents get.
pub(super) fn for_agents(world: &World) -> Vec<EnvVar> {
    world.env_of(COMMON.iter().chain(&AGENT).copied())
}

/// What verification gets, with the names the user adds.
pub(super) fn for_verification(world: &World, more: &[String]) -> Vec<EnvVar> {
    let names =
        COMMON.iter().copied().chain(["VIRTUAL_ENV", "JAVA_HOME"]).chain(more.iter().map(String::as_str));
    let mut env = world.env_of(names);
    env.extend(root_vars(world));
    env
}

/// The variables that name the roots of tool-chains, for processes that do not see the user's home.
pub(super) fn root_vars(world: &World) -> Vec<EnvVar> {
    let all = ROOTS.iter().chain(&CACHES);
    all.filter_map(|(name, below)| Some((name.into(), root(world, name, below)?.into()))).collect()
}
