//! The way out of a network that has nothing but a loopback: ports on it that lead to a socket from outside.
//!
//! Runs in a thread of the keeper, so it ends with everything inside. It carries bytes and decides nothing: what may be
//! reached is decided outside, by the proxy behind the socket.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::Semaphore;

use super::failed;
use crate::proxy::CONNECTIONS;

/// The pause after a connection could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest answer to a request for a connection.
const LONGEST: usize = 4096;

/// A port on the loopback inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RelayDoor {
    /// The port.
    pub(crate) port: u16,
    /// Where its connections lead, as `host:port`; without it, clients speak to the proxy themselves.
    pub(crate) to: Option<String>,
}

/// All ports, and the socket behind them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RelaySpec {
    /// The socket, as it is seen inside.
    pub(crate) socket: PathBuf,
    pub(crate) doors: Vec<RelayDoor>,
}

/// Listens on every port, then carries bytes in a thread of its own.
pub(super) fn start(spec: &RelaySpec) -> Result<(), String> {
    let mut doors = Vec::new();
    for door in &spec.doors {
        let what = format!("listen on port {} inside", door.port);
        doors.push((listen(Ipv4Addr::LOCALHOST, door.port).map_err(failed(&what))?, door.to.clone()));
        // Not every machine has the sixth version.
        doors.extend(listen(Ipv6Addr::LOCALHOST, door.port).ok().map(|six| (six, door.to.clone())));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(failed("start the relay"))?;
    let socket: Arc<Path> = spec.socket.as_path().into();
    std::thread::spawn(move || runtime.block_on(serve(doors, socket)));
    Ok(())
}

fn listen(ip: impl Into<std::net::IpAddr>, port: u16) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(SocketAddr::new(ip.into(), port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

async fn serve(doors: Vec<(TcpListener, Option<String>)>, socket: Arc<Path>) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut all = tokio::task::JoinSet::new();
    for (listener, to) in doors {
        if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
            all.spawn(accept(listener, to, Arc::clone(&socket), Arc::clone(&room)));
        }
    }
    while all.join_next().await.is_some() {}
}

async fn accept(
    listener: tokio::net::TcpListener,
    to: Option<String>,
    socket: Arc<Path>,
    room: Arc<Semaphore>,
) {
    loop {
        // The proxy takes no more at once; the others wait to be accepted.
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
        let Ok((client, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let (to, socket) = (to.clone(), Arc::clone(&socket));
        tokio::spawn(async move {
            // A connection that cannot be made is one that ends.
            let _ = carry(client, to, &socket).await;
            drop(permit);
        });
    }
}

async fn carry(mut client: TcpStream, to: Option<String>, socket: &Path) -> io::Result<()> {
    let _ = client.set_nodelay(true);
    let mut proxy = UnixStream::connect(socket).await?;
    if let Some(to) = to {
        proxy.write_all(format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n").as_bytes()).await?;
        let answer = head(&mut proxy).await?;
        if !answer.starts_with(b"HTTP/1.1 200 ") {
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
    }
    copy_bidirectional(&mut client, &mut proxy).await.map(drop)
}

/// Reads up to the empty line, and nothing after it.
async fn head(from: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(from.read_u8().await?);
        if bytes.len() > LONGEST {
            return Err(io::Error::other("the answer is too long"));
        }
    }
    Ok(bytes)
}
