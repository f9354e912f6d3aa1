//! The network of an agent that reaches its model and nothing else: which agent gets it, and what it is made of.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::needs::{Needs, Network};
use super::rung::SandboxRung;
use super::settings::SandboxConfig;
use crate::config::EnvVar;
use crate::platform::confine::relay::{RelayDoor, RelaySpec};
use crate::platform::confine::spec::{Mount, MountKind, SOCKET};
use crate::proxy::{BlockedHost, HostRule, ModelProxy};

/// The port of the proxy inside, and the ones after it where the user's own endpoint has that port.
const PORT: u16 = 8118;
/// The variables that name a proxy, in both spellings.
const PROXIES: [&str; 6] =
    ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "all_proxy"];
/// The variables that name what is reached without one.
const WITHOUT: [&str; 2] = ["NO_PROXY", "no_proxy"];

/// The network that an agent gets on a rung.
///
/// An agent whose hosts are not known keeps the whole network unless the user names hosts, and so does every agent on a
/// rung without a network of its own. The run reports both when it starts.
pub(super) fn agent_network(rung: SandboxRung, config: &SandboxConfig, needs: &Needs) -> Network {
    match (config.agents_network, needs.network) {
        (Network::Loopback, _) | (_, Network::Loopback) => Network::Loopback,
        (Network::Open, Network::Model | Network::Open) => Network::Open,
        (Network::Model, _) if !rung.has_own_root() => Network::Open,
        (Network::Model, Network::Open) if config.allow.is_empty() => Network::Open,
        (Network::Model, Network::Model | Network::Open) => Network::Model,
    }
}

/// A network with a way to some hosts. Ends when dropped.
#[derive(Debug)]
pub(super) struct ModelNetwork {
    proxy: ModelProxy,
    relay: RelaySpec,
}

impl ModelNetwork {
    /// Starts the proxy; `own` is the command's private directory, beside which the socket lies.
    pub(super) fn start(own: &Path, config: &SandboxConfig, needs: &Needs) -> Result<Self, String> {
        let rules: Vec<HostRule> = needs.hosts.iter().chain(&config.allow).cloned().collect();
        let relay = RelaySpec { socket: SOCKET.into(), doors: doors(&rules) };
        let mut beside = own.as_os_str().to_owned();
        beside.push(".net");
        let proxy = ModelProxy::start(&PathBuf::from(beside), rules, config.upstream.clone())
            .map_err(|e| format!("the proxy to the model cannot be started: {e}"))?;
        Ok(Self { proxy, relay })
    }

    /// The mount of its socket.
    pub(super) fn mount(&self) -> Mount {
        Mount { to: SOCKET.into(), kind: MountKind::ReadOnly(self.proxy.socket().to_owned()) }
    }

    /// What the keeper inside needs to know.
    pub(super) fn relay(&self) -> RelaySpec {
        self.relay.clone()
    }

    /// Leads programs to the proxy. The user's own proxy is used behind it.
    pub(super) fn lead(&self, env: &mut Vec<EnvVar>) {
        let port = self.relay.doors.iter().find(|door| door.to.is_none()).map_or(PORT, |door| door.port);
        let ours = |name: &OsString| PROXIES.iter().chain(&WITHOUT).any(|proxy| name == proxy);
        env.retain(|(name, _)| !ours(name));
        let url = format!("http://127.0.0.1:{port}");
        env.extend(PROXIES.map(|name| (name.into(), OsString::from(&url))));
        env.extend(WITHOUT.map(|name| (name.into(), "localhost,127.0.0.1,::1".into())));
        // Node.js reads the others only if it is told to.
        env.push(("NODE_USE_ENV_PROXY".into(), "1".into()));
    }

    /// Ends it; returns the hosts that were not reached.
    pub(super) fn finish(self) -> Vec<BlockedHost> {
        self.proxy.finish()
    }
}

/// A port for the proxy, and one for each endpoint on this machine's own loopback: programs reach those without a proxy.
fn doors(rules: &[HostRule]) -> Vec<RelayDoor> {
    let mut doors: Vec<RelayDoor> = Vec::new();
    for rule in rules {
        let Some(port) = rule.loopback_port() else { continue };
        if !doors.iter().any(|door| door.port == port) {
            doors.push(RelayDoor { port, to: Some(rule.authority()) });
        }
    }
    let taken = |port: &u16| doors.iter().any(|door| door.port == *port);
    let port = (PORT..=u16::MAX).find(|port| !taken(port)).unwrap_or(PORT);
    doors.push(RelayDoor { port, to: None });
    doors
}

#[cfg(test)]
mod tests;
