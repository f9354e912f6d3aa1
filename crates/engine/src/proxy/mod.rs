//! The way of an agent to its model and to nothing else.
//!
//! An agent in a network of its own reaches a forwarding proxy through a Unix socket that is mounted into its sandbox; a
//! relay of the keeper inside (`platform/confine/relay.rs`) makes an ordinary HTTP proxy of it. The proxy runs outside,
//! belongs to one turn and ends with it. It opens connections to hosts that a rule names and records the others. What
//! goes through a connection is never read: TLS ends in the agent and at the provider.
//!
//! Knows nothing of agents; the rules are made in `agent/cli/provider.rs` and from `[sandbox] allow`.

mod blocked;
mod connection;
mod host_rule;
mod request_head;
mod upstream;

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::UnixListener;
use tokio::task::{JoinHandle, JoinSet};

use self::blocked::BlockedHosts;
pub use self::blocked::{BlockedHost, HostFailure};
use self::connection::serve;
pub use self::host_rule::HostRule;
pub use self::upstream::UpstreamProxy;

/// How many connections are open at once. Others wait: the run as a whole has few file descriptors.
pub(crate) const CONNECTIONS: usize = 96;
/// The pause after a connection could not be accepted, for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// What the connections of a proxy share.
#[derive(Debug)]
struct ProxyRules {
    rules: Vec<HostRule>,
    upstream: UpstreamProxy,
    blocked: Mutex<BlockedHosts>,
}

impl ProxyRules {
    /// Records a host that could not be reached.
    fn block(&self, host: &str, port: u16, why: HostFailure) {
        self.blocked.lock().unwrap_or_else(PoisonError::into_inner).add(host, port, why);
    }
}

/// A proxy at work. Its socket and its connections are gone when it is dropped.
#[derive(Debug)]
pub(crate) struct ModelProxy {
    socket: PathBuf,
    accepting: JoinHandle<()>,
    shared: Arc<ProxyRules>,
}

impl ModelProxy {
    /// Starts a proxy on a socket in a directory that is not visible inside.
    pub(crate) fn start(dir: &Path, rules: Vec<HostRule>, upstream: UpstreamProxy) -> io::Result<Self> {
        std::fs::create_dir_all(dir)?;
        let socket = dir.join("model.sock");
        crate::removal::remove_any(&socket)?;
        let listener = crate::platform::listen_at(&socket)?;
        std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        let listener = UnixListener::from_std(listener)?;
        let shared = Arc::new(ProxyRules { rules, upstream, blocked: Mutex::default() });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { socket, accepting, shared })
    }

    /// Its socket.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// Ends it; returns the hosts that were not reached.
    pub(crate) fn finish(self) -> Vec<BlockedHost> {
        self.shared.blocked.lock().unwrap_or_else(PoisonError::into_inner).list()
    }
}

impl Drop for ModelProxy {
    fn drop(&mut self) {
        // The connections are tasks of the accepting one, and end with it.
        self.accepting.abort();
        let _ = std::fs::remove_file(&self.socket);
        if let Some(dir) = self.socket.parent() {
            let _ = std::fs::remove_dir(dir);
        }
    }
}

/// Accepts connections until it is aborted.
async fn accept(listener: UnixListener, shared: Arc<ProxyRules>) {
    let mut open = JoinSet::new();
    loop {
        while open.len() >= CONNECTIONS {
            open.join_next().await;
        }
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((client, _)) => drop(open.spawn(serve(client, Arc::clone(&shared)))),
                Err(_) => tokio::time::sleep(PAUSE).await,
            },
            Some(_) = open.join_next() => {}
        }
    }
}

#[cfg(test)]
mod tests;
