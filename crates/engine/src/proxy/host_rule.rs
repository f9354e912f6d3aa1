//! Rules: which hosts may be reached.

use std::fmt;
use std::net::IpAddr;

/// Ports of a rule that names none.
const WEB: [u16; 2] = [443, 80];

/// A host that may be reached: `api.example.org`, `*.example.org`, `example.org:8443`, `[::1]:8080`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostRule {
    /// In lower case, without the brackets of an address and without `*.`.
    name: String,
    /// Whether it stands for all names below.
    below: bool,
    port: Option<u16>,
}

impl HostRule {
    /// Reads a rule; `Err` says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.contains("://") || text.contains('/') {
            return Err("name a host, not an address of a page: `example.org` or `example.org:8443`".into());
        }
        let (name, port) =
            split_port(text).ok_or_else(|| "the port is a number from 1 to 65535".to_owned())?;
        let (name, below) = name.strip_prefix("*.").map_or((name, false), |rest| (rest, true));
        if !is_name(name) || (below && (name.parse::<IpAddr>().is_ok() || !name.contains('.'))) {
            return Err("write `example.org`, `*.example.org` or `example.org:8443`".into());
        }
        Ok(Self { name: name.to_ascii_lowercase(), below, port })
    }

    /// The host and port of a web address.
    pub fn of_url(url: &str) -> Option<Self> {
        let (scheme, rest) = url.trim().split_once("://")?;
        let port = match scheme.to_ascii_lowercase().as_str() {
            "http" | "ws" => 80,
            "https" | "wss" => 443,
            _ => return None,
        };
        let authority = rest.split(['/', '?', '#']).next()?;
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let rule = Self::parse(host).ok().filter(|rule| !rule.below)?;
        Some(Self { port: rule.port.or(Some(port)), ..rule })
    }

    /// A host that is reached by TLS only.
    pub fn secure(name: &str) -> Option<Self> {
        Self::parse(name).ok().map(|rule| Self { port: rule.port.or(Some(443)), ..rule })
    }

    /// Whether it allows a host, whose name is in lower case.
    pub fn allows(&self, host: &str, port: u16) -> bool {
        let named = if self.below {
            host.strip_suffix(self.name.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
        } else {
            host == self.name
        };
        named && self.port.map_or(WEB.contains(&port), |own| own == port)
    }

    /// Whether it names hosts that are not known one by one. Addresses of this machine are not reached by such a rule:
    /// the owner of a domain may give a name below a domain any address.
    pub(super) fn is_open(&self) -> bool {
        self.below
    }

    /// The port of a rule for this machine's own loopback.
    pub(crate) fn loopback_port(&self) -> Option<u16> {
        let own = self.name == "localhost" || self.name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        self.port.filter(|_| own)
    }

    /// The host and the port, as a client names them.
    pub(crate) fn authority(&self) -> String {
        super::request_head::authority(&self.name, self.port.unwrap_or(WEB[0]))
    }
}

impl fmt::Display for HostRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let below = if self.below { "*." } else { "" };
        match self.port {
            Some(port) => write!(f, "{below}{}", super::request_head::authority(&self.name, port)),
            None => write!(f, "{below}{}", self.name),
        }
    }
}

/// A host and the port after it, if there is one.
pub(super) fn split_port(text: &str) -> Option<(&str, Option<u16>)> {
    let number = |text: &str| text.parse::<u16>().ok().filter(|port| *port > 0);
    if let Some(rest) = text.strip_prefix('[') {
        let (address, after) = rest.split_once(']')?;
        return match after.strip_prefix(':') {
            Some(port) => Some((address, Some(number(port)?))),
            None if after.is_empty() => Some((address, None)),
            None => None,
        };
    }
    match text.split_once(':') {
        None => Some((text, None)),
        // An address of the sixth version without brackets.
        Some((_, rest)) if rest.contains(':') => Some((text, None)),
        Some((name, port)) => Some((name, Some(number(port)?))),
    }
}

/// Whether a text can be the name or the address of a host.
pub(super) fn is_name(text: &str) -> bool {
    let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.');
    let name = !text.is_empty() && text.len() <= 253 && text.bytes().all(plain) && !text.starts_with('.');
    name || text.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_allow_what_they_name() {
        let table = [
            ("api.example.org", "api.example.org", 443, true),
            ("API.Example.org", "api.example.org", 80, true),
            ("api.example.org", "api.example.org", 22, false),
            ("api.example.org", "api.example.org.evil.net", 443, false),
            ("api.example.org", "evil-api.example.org", 443, false),
            ("*.example.org", "a.example.org", 443, true),
            ("*.example.org", "a.b.example.org", 443, true),
            ("*.example.org", "example.org", 443, false),
            ("*.example.org", "badexample.org", 443, false),
            ("*.example.org", ".example.org", 443, false),
            ("example.org:8443", "example.org", 8443, true),
            ("example.org:8443", "example.org", 443, false),
            ("[::1]:8080", "::1", 8080, true),
            ("127.0.0.1:11434", "127.0.0.1", 11434, true),
            ("127.0.0.1:11434", "127.0.0.1", 22, false),
        ];
        for (rule, host, port, expected) in table {
            let parsed = HostRule::parse(rule).unwrap();
            assert_eq!(parsed.allows(host, port), expected, "{rule} {host}:{port}");
            assert_eq!(parsed.to_string(), rule.to_ascii_lowercase());
        }
        for wrong in [
            "",
            "*",
            "*.org",
            "http://a.org",
            "a.org/x",
            "a.org:0",
            "a.org:99999",
            "a b",
            "*.127.0.0.1",
            ".a.org",
        ] {
            assert!(HostRule::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_web_address_is_a_rule_for_its_host_and_port() {
        let rule = |url: &str| HostRule::of_url(url);
        let parsed = |text: &str| HostRule::parse(text).ok();
        assert_eq!(rule("https://u:p@Gate.example.org/v1?x"), parsed("gate.example.org:443"));
        assert_eq!(rule("http://localhost:11434/v1"), parsed("localhost:11434"));
        assert_eq!(rule("http://[::1]:80"), parsed("[::1]:80"));
        assert_eq!(
            (rule("ftp://a.org"), rule("a.org"), rule("https://"), rule("https://*.a.org")),
            (None, None, None, None)
        );
        assert_eq!(rule("http://127.0.0.1:9/v1").unwrap().loopback_port(), Some(9));
        assert_eq!(rule("http://10.0.0.1:9").unwrap().loopback_port(), None);
    }
}
