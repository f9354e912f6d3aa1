//! The first lines of what a client asks a proxy for.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::host_rule::{is_name, split_port};

/// The longest head.
const LONGEST: usize = 64 << 10;
/// Headers between the client and this proxy; `Host` is written anew.
const BETWEEN: [&str; 7] = [
    "connection",
    "proxy-connection",
    "proxy-authorization",
    "proxy-authenticate",
    "keep-alive",
    "te",
    "host",
];

/// What a client asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestHead {
    /// In lower case.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) kind: RequestKind,
}

/// How a client asks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestKind {
    /// `CONNECT`: a connection, whatever goes through it.
    Tunnel,
    /// One plain request.
    Plain {
        method: String,
        /// The path and what follows it.
        path: String,
        /// Its headers without those between client and proxy.
        headers: String,
    },
}

/// Reads up to the empty line; returns the head, and what came after it.
pub(super) async fn read_until_empty_line(
    from: &mut (impl AsyncRead + Unpin),
) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = from.read(&mut piece).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let look_from = bytes.len().saturating_sub(3);
        bytes.extend_from_slice(&piece[..read]);
        if let Some(at) = bytes[look_from..].windows(4).position(|four| four == b"\r\n\r\n") {
            let rest = bytes.split_off(look_from + at + 4);
            return Ok((bytes, rest));
        }
        if bytes.len() > LONGEST {
            return Err(io::Error::other("the head of the request is too long"));
        }
    }
}

impl RequestHead {
    /// Reads a head; `None` if it is not a request to a proxy.
    pub(super) fn parse(head: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(head).ok()?;
        let mut lines = text.trim_end().split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if !version.starts_with("HTTP/1.") || words.next().is_some() {
            return None;
        }
        if method == "CONNECT" {
            let (host, port) = split_port(target).filter(|(host, _)| is_name(host))?;
            return Some(Self { host: host.to_ascii_lowercase(), port: port?, kind: RequestKind::Tunnel });
        }
        let rest = target.get(..7).filter(|s| s.eq_ignore_ascii_case("http://")).map(|_| &target[7..])?;
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let (host, port) = split_port(authority).filter(|(host, _)| is_name(host))?;
        let between = |line: &&str| {
            let name = line.split(':').next().unwrap_or_default().trim();
            BETWEEN.iter().any(|known| name.eq_ignore_ascii_case(known))
        };
        let headers: String = lines.filter(|line| !between(line)).map(|line| format!("{line}\r\n")).collect();
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let kind = RequestKind::Plain { method: method.to_owned(), path, headers };
        Some(Self { host: host.to_ascii_lowercase(), port: port.unwrap_or(80), kind })
    }

    /// `host:port`, with brackets where they are needed.
    pub(super) fn authority(&self) -> String {
        authority(&self.host, self.port)
    }
}

/// `host:port`, with brackets where they are needed.
pub(super) fn authority(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_to_a_proxy_are_read() {
        let tunnel = RequestHead::parse(b"CONNECT API.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        assert_eq!(
            (tunnel.authority().as_str(), &tunnel.kind),
            ("api.example.org:443", &RequestKind::Tunnel)
        );
        let six = RequestHead::parse(b"CONNECT [::1]:443 HTTP/1.1\r\n\r\n").unwrap();
        assert_eq!(six.authority(), "[::1]:443");
        let head =
            b"POST http://a.org:81/v1?x=1 HTTP/1.1\r\nHost: evil.net\r\nProxy-Authorization: Basic x\r\n\
                     Connection: keep-alive\r\nX: 1\r\nContent-Length: 2\r\n\r\n";
        let plain = RequestHead::parse(head).unwrap();
        let kind = RequestKind::Plain {
            method: "POST".into(),
            path: "/v1?x=1".into(),
            headers: "X: 1\r\nContent-Length: 2\r\n".into(),
        };
        assert_eq!(plain, RequestHead { host: "a.org".into(), port: 81, kind });
        for wrong in [
            "GET / HTTP/1.1\r\n\r\n",
            "CONNECT a.org HTTP/1.1\r\n\r\n",
            "CONNECT a.org:0 HTTP/1.1\r\n\r\n",
            "CONNECT a.org:443 extra HTTP/1.1\r\n\r\n",
            "CONNECT a\\b:443 HTTP/1.1\r\n\r\n",
            "GET http://u@a.org/ HTTP/1.1\r\n\r\n",
            "GET https://a.org/ HTTP/1.1\r\n\r\n",
            "GET http:///x HTTP/1.1\r\n\r\n",
            "\r\n\r\n",
            "CONNECT a.org:443 HTTP/2\r\n\r\n",
        ] {
            assert_eq!(RequestHead::parse(wrong.as_bytes()), None, "{wrong:?}");
        }
        assert_eq!(RequestHead::parse(b"\xff\xfe\r\n\r\n"), None);
    }

    #[tokio::test]
    async fn a_head_is_read_in_any_pieces_and_is_bounded() {
        let (mut near, mut far) = tokio::io::duplex(3);
        let sent = b"CONNECT a:1 HTTP/1.1\r\n\r\nrest";
        tokio::spawn(async move { tokio::io::AsyncWriteExt::write_all(&mut far, sent).await });
        let (head, rest) = read_until_empty_line(&mut near).await.unwrap();
        assert_eq!(head, b"CONNECT a:1 HTTP/1.1\r\n\r\n");
        let mut all = rest;
        tokio::io::AsyncReadExt::read_to_end(&mut near, &mut all).await.unwrap();
        assert_eq!(all, b"rest");
        let endless = vec![b'x'; LONGEST + 8192];
        assert!(read_until_empty_line(&mut &endless[..]).await.is_err());
        assert!(read_until_empty_line(&mut &b"cut\r\n"[..]).await.is_err());
    }
}
