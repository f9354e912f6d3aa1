//! One connection of a client: read what it asks for, open it or refuse it, then carry bytes.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpStream, UnixStream, lookup_host};
use tokio::time::timeout;

use super::request_head::{RequestHead, RequestKind, authority, read_until_empty_line};
use super::upstream::ProxyAddress;
use super::{HostFailure, ProxyRules};

/// How long a client may take to say what it wants, and another proxy to answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long connecting to one address may take.
const DIAL: Duration = Duration::from_secs(10);

/// Serves one client to its end.
pub(super) async fn serve(mut client: UnixStream, shared: Arc<ProxyRules>) {
    let Ok(Ok((head, rest))) = timeout(PATIENCE, read_until_empty_line(&mut client)).await else { return };
    let Some(request) = RequestHead::parse(&head) else {
        return refuse(client, "400 Bad Request", "this is not a request to a proxy").await;
    };
    let Some(rule) = shared.rules.iter().find(|rule| rule.allows(&request.host, request.port)) else {
        shared.block(&request.host, request.port, HostFailure::NotAllowed);
        let why = format!(
            "`{}` is not allowed: agents reach their model and nothing else; `[sandbox] allow` in windlass.toml adds hosts",
            request.authority()
        );
        return refuse(client, "403 Forbidden", &why).await;
    };
    let opened = open(&shared, &request, rule.is_open()).await;
    let carried = match opened {
        Ok(server) => carry(&mut client, server, &request, &shared, &rest).await,
        Err(why) => Err(why),
    };
    if let Err(why) = carried {
        shared.block(&request.host, request.port, HostFailure::Unreachable(why.clone()));
        let why = format!("`{}` cannot be reached: {why}", request.authority());
        refuse(client, "502 Bad Gateway", &why).await;
    }
}

/// Answers with an error that a person can read.
async fn refuse(mut client: UnixStream, status: &str, why: &str) {
    let body = format!("windlass: {why}\n");
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = client.write_all(answer.as_bytes()).await;
    let _ = client.shutdown().await;
}

/// Opens the connection to the host, or to the proxy before it.
pub(super) async fn open(
    shared: &ProxyRules,
    request: &RequestHead,
    is_open: bool,
) -> Result<TcpStream, String> {
    match before(shared, request) {
        Some(proxy) => {
            let failed = |why| format!("the proxy `{}`: {why}", authority(&proxy.host, proxy.port));
            dial(&proxy.host, proxy.port, |_| true).await.map_err(failed)
        }
        None => dial(&request.host, request.port, |ip| !is_open || is_far(ip)).await,
    }
}

/// The user's proxy for a request.
fn before<'a>(shared: &'a ProxyRules, request: &RequestHead) -> Option<&'a ProxyAddress> {
    match request.kind {
        RequestKind::Tunnel => shared.upstream.secure_for(&request.host),
        RequestKind::Plain { .. } => shared.upstream.plain_for(&request.host),
    }
}

/// Sends what the client asked for and carries bytes until one side ends. `Err` only as long as nothing was answered.
async fn carry(
    client: &mut UnixStream,
    mut server: TcpStream,
    request: &RequestHead,
    shared: &ProxyRules,
    rest: &[u8],
) -> Result<(), String> {
    let proxy = before(shared, request);
    let said = |error: io::Error| error.to_string();
    let login = proxy.and_then(|proxy| proxy.authorization.as_ref());
    let login = login.map(|login| format!("Proxy-Authorization: {login}\r\n")).unwrap_or_default();
    let to = request.authority();
    let mut early = Vec::new();
    match (&request.kind, proxy) {
        (RequestKind::Tunnel, None) => {}
        (RequestKind::Tunnel, Some(_)) => {
            let ask = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{login}\r\n");
            server.write_all(ask.as_bytes()).await.map_err(said)?;
            let answered = timeout(PATIENCE, read_until_empty_line(&mut server)).await;
            let answered = answered.map_err(|_| "the proxy does not answer".to_owned())?;
            let (answer, after) = answered.map_err(said)?;
            accepted(&answer)?;
            early = after;
        }
        (RequestKind::Plain { method, path, headers }, proxy) => {
            let target = if proxy.is_some() { format!("http://{to}{path}") } else { path.clone() };
            // One request per connection: the next one may be for another host.
            let head = format!(
                "{method} {target} HTTP/1.1\r\nHost: {to}\r\n{headers}{login}Connection: close\r\n\r\n"
            );
            server.write_all(head.as_bytes()).await.map_err(said)?;
        }
    }
    if request.kind == RequestKind::Tunnel
        && client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.is_err()
    {
        return Ok(());
    }
    if client.write_all(&early).await.is_ok() && server.write_all(rest).await.is_ok() {
        // Whatever ends it, both sides see that it has ended.
        let _ = copy_bidirectional(client, &mut server).await;
    }
    Ok(())
}

/// Whether a proxy has opened a connection.
fn accepted(answer: &[u8]) -> Result<(), String> {
    let first = answer.split(|b| *b == b'\r').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    let status = first.split(' ').nth(1).and_then(|code| code.parse::<u16>().ok());
    match status {
        Some(200..=299) => Ok(()),
        _ => Err(format!("the proxy answered `{}`", first.chars().take(80).collect::<String>())),
    }
}

/// Connects to the first address that answers.
async fn dial(host: &str, port: u16, may: impl Fn(IpAddr) -> bool) -> Result<TcpStream, String> {
    let found = timeout(PATIENCE, lookup_host((host, port))).await;
    let found = found.map_err(|_| "its name takes too long to resolve".to_owned())?;
    let addresses: Vec<SocketAddr> = found.map_err(|e| format!("its name does not resolve ({e})"))?.collect();
    let mut last = "its name has no address".to_owned();
    for address in addresses {
        if !may(address.ip()) {
            last = format!("its name leads to this machine ({})", address.ip());
            continue;
        }
        match timeout(DIAL, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Err(error)) => last = error.to_string(),
            Err(_) => last = format!("no answer within {} s", DIAL.as_secs()),
        }
    }
    Err(last)
}

/// Whether an address is of another machine.
fn is_far(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !(ip.is_loopback() || ip.is_link_local() || ip.is_unspecified()),
        IpAddr::V6(ip) => {
            let mapped = ip.to_ipv4_mapped().is_none_or(|ip| is_far(IpAddr::V4(ip)));
            mapped && !(ip.is_loopback() || ip.is_unicast_link_local() || ip.is_unspecified())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_are_near() {
        for near in ["127.0.0.1", "169.254.169.254", "0.0.0.0", "::1", "fe80::1", "::ffff:127.0.0.1", "::"] {
            assert!(!is_far(near.parse().unwrap()), "{near}");
        }
        for far in ["1.2.3.4", "10.0.0.1", "2001:db8::1", "::ffff:1.2.3.4"] {
            assert!(is_far(far.parse().unwrap()), "{far}");
        }
    }

    #[test]
    fn only_a_success_of_a_proxy_is_one() {
        assert!(accepted(b"HTTP/1.1 200 OK\r\n\r\n").is_ok());
        assert_eq!(
            accepted(b"HTTP/1.1 407 Login\r\n\r\n").unwrap_err(),
            "the proxy answered `HTTP/1.1 407 Login`"
        );
        assert!(accepted(b"nonsense\r\n\r\n").is_err());
    }
}
