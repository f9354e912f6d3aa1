//! What processes get of the user's environment: names on a list, never the rest.

use std::path::PathBuf;

use windlass_code::language::Language;
use windlass_engine::config::{EnvVar, SetupEnv};
use windlass_engine::proxy::UpstreamProxy;

use crate::world::World;

/// What every process gets.
const COMMON: [&str; 8] = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME", "TERM"];

/// What an agent gets besides, as it may need to log in and to run tools.
const AGENT: [&str; 6] =
    ["HOME", "SHELL", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"];

/// Certificates and proxies.
const NETWORK: [&str; 15] = [
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "https_proxy",
    "http_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "GIT_SSL_CAINFO",
];

/// The root of a program that installs tool-chains of any language.
const MISE: (&str, &str) = ("MISE_DATA_DIR", ".local/share/mise");

/// Roots of tool-chains, each with where it lies below the home where no variable says so. Verification has an empty home,
/// so they are named.
fn homes() -> impl Iterator<Item = (&'static str, &'static str)> {
    Language::homes().chain([MISE])
}

/// What is read-only for every process inside. Cargo's home is not among them: it holds credentials.
pub(super) fn roots(world: &World) -> Vec<PathBuf> {
    let not_cargo = homes().filter(|(name, _)| *name != "CARGO_HOME");
    let named = ["VIRTUAL_ENV", "JAVA_HOME", "GOROOT"].into_iter().map(|name| world.env_of([name]));
    let found = not_cargo.filter_map(|(name, below)| root(world, name, below));
    found.chain(named.flatten().map(|(_, value)| value.into())).filter(|path| path.is_dir()).collect()
}

/// Caches of package managers.
pub(super) fn caches(world: &World) -> Vec<PathBuf> {
    Language::caches()
        .filter_map(|(name, below)| root(world, name, below))
        .filter(|path| path.is_dir())
        .collect()
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

/// The user's own proxy; `Err` says what is wrong with it.
pub(super) fn upstream(world: &World) -> Result<UpstreamProxy, String> {
    let value = |names: [&str; 2]| {
        let set = world.env_of(names).into_iter().next();
        set.map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
    };
    let https = value(["HTTPS_PROXY", "https_proxy"]);
    // Programs on the web read the upper-case name from the request, so only the lower-case one is common.
    let http = value(["http_proxy", "HTTP_PROXY"]);
    let none = value(["NO_PROXY", "no_proxy"]);
    let text = |set: &Option<(String, String)>| set.as_ref().map(|(_, value)| value.clone());
    let read =
        |https: Option<&str>, http: Option<&str>| UpstreamProxy::read(https, http, text(&none).as_deref());
    for (name, proxy) in [&https, &http].into_iter().flatten() {
        read(Some(proxy), None).map_err(|why| format!("`{name}` cannot be used: {why}"))?;
    }
    read(text(&https).as_deref(), text(&http).as_deref())
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

/// What the set-up gets besides.
pub(super) fn for_setup(world: &World) -> SetupEnv {
    SetupEnv { network: world.env_of(NETWORK), registries: world.env_of(Language::registries()) }
}

/// The variables that name the roots of tool-chains, for processes that do not see the user's home.
pub(super) fn root_vars(world: &World) -> Vec<EnvVar> {
    let all = homes().chain(Language::caches());
    all.filter_map(|(name, below)| Some((name.into(), root(world, name, below)?.into()))).collect()
}
