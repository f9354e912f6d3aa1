//! The proxy that the user's machine needs to reach the network, from the user's own variables.

use super::host_rule::{is_name, split_port};

/// One proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProxyAddress {
    pub(super) host: String,
    pub(super) port: u16,
    /// The value of `Proxy-Authorization`. Agents never see it.
    pub(super) authorization: Option<String>,
}

/// The user's proxies, and what is reached without them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UpstreamProxy {
    secure: Option<ProxyAddress>,
    plain: Option<ProxyAddress>,
    without: Vec<String>,
}

impl UpstreamProxy {
    /// Reads the values of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. `Err` names what cannot be used.
    pub fn read(https: Option<&str>, http: Option<&str>, none: Option<&str>) -> Result<Self, String> {
        let read = |text: Option<&str>| match text.map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => address(text).map(Some),
        };
        let without = none.unwrap_or_default().split(',').map(|name| name.trim().to_ascii_lowercase());
        Ok(Self {
            secure: read(https)?,
            plain: read(http)?,
            without: without.filter(|name| !name.is_empty()).collect(),
        })
    }

    /// The proxy for connections that the client encrypts itself.
    pub(super) fn secure_for(&self, host: &str) -> Option<&ProxyAddress> {
        self.secure.as_ref().filter(|_| !self.is_direct(host))
    }

    /// The proxy for plain HTTP.
    pub(super) fn plain_for(&self, host: &str) -> Option<&ProxyAddress> {
        self.plain.as_ref().filter(|_| !self.is_direct(host))
    }

    /// Whether a host is reached without a proxy: this machine always is.
    fn is_direct(&self, host: &str) -> bool {
        let own = host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
        own || self.without.iter().any(|name| {
            let name = name.trim_start_matches("*.").trim_start_matches('.');
            let below = || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
            name == "*" || host == name || below()
        })
    }
}

/// Reads `http://user:password@host:port`.
fn address(text: &str) -> Result<ProxyAddress, String> {
    let rest = match text.split_once("://") {
        None => text,
        Some(("http", rest)) => rest,
        Some((scheme, _)) => {
            return Err(format!("a proxy of the kind `{scheme}` is not supported, only `http`"));
        }
    };
    let wrong = || "it is not of the form `http://host:port`".to_owned();
    let authority = rest.split('/').next().unwrap_or_default();
    let (login, host) =
        authority.rsplit_once('@').map_or((None, authority), |(login, host)| (Some(login), host));
    let (name, port) = split_port(host).filter(|(name, _)| is_name(name)).ok_or_else(wrong)?;
    let authorization = login.map(|login| format!("Basic {}", base64(&unescaped(login))));
    Ok(ProxyAddress { host: name.to_ascii_lowercase(), port: port.unwrap_or(80), authorization })
}

/// Undoes `%40` and the like.
fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], code) {
            (b'%', Some(code)) => {
                out.push(code);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let all =
            three.iter().chain(&[0, 0]).take(3).fold(0_usize, |all, byte| all << 8 | usize::from(*byte));
        for n in 0..4 {
            let letter = LETTERS[all >> (18 - 6 * n) & 63];
            out.push(if n <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_proxies_are_read() {
        let read = |text: &str| UpstreamProxy::read(Some(text), None, None).map(|u| u.secure);
        let some = |host: &str, port, authorization: Option<&str>| {
            let authorization = authorization.map(str::to_owned);
            Ok(Some(ProxyAddress { host: host.into(), port, authorization }))
        };
        assert_eq!(read("http://Proxy.corp:3128"), some("proxy.corp", 3128, None));
        assert_eq!(read("proxy.corp:3128/"), some("proxy.corp", 3128, None));
        assert_eq!(read("http://me:p%40ss@10.0.0.1"), some("10.0.0.1", 80, Some("Basic bWU6cEBzcw==")));
        assert_eq!(read("http://[fd00::1]:8080"), some("fd00::1", 8080, None));
        assert_eq!(read(" "), Ok(None));
        for wrong in ["socks5://a:1", "https://a:1", "http://", "http://a:x", "http://a b"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        for (plain, coded) in [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), ("abcd", "YWJjZA==")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn what_needs_no_proxy_is_reached_without_one() {
        let read = UpstreamProxy::read(Some("p:1"), Some("q:2"), Some("corp, .example.org,*.test"));
        let upstream = read.unwrap();
        let through = |host: &str| upstream.secure_for(host).is_some();
        for direct in
            ["localhost", "127.0.0.1", "::1", "corp", "a.corp", "example.org", "a.example.org", "x.test"]
        {
            assert!(!through(direct), "{direct}");
        }
        for far in ["api.example.net", "notcorp", "badexample.org"] {
            assert!(through(far), "{far}");
        }
        assert_eq!(upstream.plain_for("api.example.net").unwrap().port, 2);
        assert!(UpstreamProxy::read(Some("p:1"), None, Some("*")).unwrap().secure_for("a.org").is_none());
    }
}
