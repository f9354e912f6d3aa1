//! A network shared by tests and the services they need.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::process::{self, Token};

/// How long the holder may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A process that holds a network; ends when dropped.
#[derive(Debug)]
pub(crate) struct SharedNetwork {
    holder: Child,
    pid: u32,
}

impl SharedNetwork {
    /// Creates a network with only a loopback device.
    pub(crate) async fn make(helper: &Path, token: &Token) -> Result<Self, String> {
        let mut command = Command::new(helper);
        command
            .arg(crate::platform::confine::HOLD)
            .arg(std::process::id().to_string())
            .env_clear()
            .current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let (holder, id) = process::start(command, token).map_err(|e| e.to_string())?;
        let mut network = Self { holder, pid: id.pid };
        let mut said = [0; 6];
        let ready = async {
            match network.holder.stdout.as_mut() {
                Some(out) => out.read_exact(&mut said).await.is_ok(),
                None => false,
            }
        };
        match timeout(PATIENCE, ready).await {
            Ok(true) => Ok(network),
            Ok(false) | Err(_) => Err("a network for tests and services cannot be made".into()),
        }
    }

    /// The process to join.
    pub(crate) fn holder(&self) -> u32 {
        self.pid
    }
}

impl Drop for SharedNetwork {
    fn drop(&mut self) {
        process::forget(self.pid);
    }
}
