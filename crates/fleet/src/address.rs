//! The address of a broker, and the key for it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use async_nats::ConnectOptions;

/// The largest file with a key.
const LARGEST_KEY: u64 = 64 << 10;

/// A queue of a broker, and the key for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetAddress {
    /// `tls://HOST:PORT` or `nats://HOST:PORT`.
    pub url: String,
    /// The name of the queue. Workers and places with the same one belong together.
    pub queue: String,
    /// A file with a token, an nkey seed, or the credentials of a user.
    pub key: Option<PathBuf>,
    /// A file with the certificate of an authority, besides those that the system knows.
    pub authority: Option<PathBuf>,
}

/// What a file with a key holds.
enum FleetKey {
    Nkey(String),
    Credentials(String),
    Token(String),
}

impl FleetAddress {
    /// What is wrong with it, for people.
    pub fn check(&self) -> Result<(), String> {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("", &self.url));
        if !matches!(scheme, "nats" | "tls") || rest.is_empty() {
            return Err(format!("`{}` is no address of a broker: write `tls://HOST:PORT`", self.url));
        }
        if rest.contains('@') {
            return Err("the address of the broker holds a log-in: put the token, the nkey seed or the credentials into a file \
                 that only you can read, and name the file"
                .into());
        }
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_".contains(&b);
        if self.queue.is_empty() || self.queue.len() > 40 || !self.queue.bytes().all(plain) {
            let queue = &self.queue;
            return Err(format!("`{queue}` is no name for a queue: use letters, digits, `-` and `_`"));
        }
        Ok(())
    }

    /// The host, without port.
    pub(crate) fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or(self.url.as_str(), |(_, rest)| rest);
        let rest = rest.split('/').next().unwrap_or_default();
        let host = rest.rsplit_once(':').map_or(rest, |(host, _)| host);
        host.trim_start_matches('[').trim_end_matches(']')
    }

    fn is_loopback(&self) -> bool {
        let host = self.host();
        host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
    }

    /// The options of a connection.
    pub(crate) fn options(&self) -> Result<ConnectOptions, String> {
        self.check()?;
        let mut options = ConnectOptions::new();
        if self.url.starts_with("tls://") {
            options = options.require_tls(true);
        }
        if let Some(authority) = &self.authority {
            if !authority.is_file() {
                return Err(format!("there is no certificate `{}`", authority.display()));
            }
            options = options.add_root_certificates(authority.clone());
        }
        match self.read_key()? {
            None => Ok(options),
            Some(FleetKey::Nkey(seed)) => Ok(options.nkey(seed)),
            Some(FleetKey::Credentials(text)) => {
                options.credentials(&text).map_err(|error| format!("the credentials cannot be read: {error}"))
            }
            // A token is the secret itself: it is only sent where no one else can read it.
            Some(FleetKey::Token(token)) => {
                let open = self.is_loopback();
                Ok(if open { options.token(token) } else { options.token(token).require_tls(true) })
            }
        }
    }

    fn read_key(&self) -> Result<Option<FleetKey>, String> {
        let Some(path) = &self.key else { return Ok(None) };
        let shown = path.display();
        let unreadable = |error| format!("cannot read the key `{shown}`: {error}");
        let meta = std::fs::metadata(path).map_err(unreadable)?;
        if meta.permissions().mode() & 0o077 != 0 {
            return Err(format!("others can read the key `{shown}`: `chmod 600 {shown}`"));
        }
        if meta.len() > LARGEST_KEY {
            return Err(format!("`{shown}` is no key: it is too large"));
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let word = text.trim();
        if text.contains("BEGIN NATS USER JWT") {
            return Ok(Some(FleetKey::Credentials(text)));
        }
        if word.is_empty() || word.contains(char::is_whitespace) {
            return Err(format!("`{shown}` holds no token, nkey seed or credentials"));
        }
        // Seeds of users begin so, and are base 32.
        let seed = word.len() == 58
            && word.starts_with("SU")
            && word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        Ok(Some(if seed { FleetKey::Nkey(word.into()) } else { FleetKey::Token(word.into()) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(url: &str, queue: &str) -> FleetAddress {
        FleetAddress { url: url.into(), queue: queue.into(), key: None, authority: None }
    }

    #[test]
    fn an_address_holds_no_secret_and_a_queue_has_a_plain_name() {
        assert_eq!(at("tls://broker:4222", "windlass").check(), Ok(()));
        for (url, queue, words) in [
            ("broker:4222", "q", "is no address"),
            ("https://broker", "q", "is no address"),
            ("tls://", "q", "is no address"),
            ("nats://secret@broker", "q", "holds a log-in"),
            ("nats://broker", "", "is no name for a queue"),
            ("nats://broker", "a.b", "is no name for a queue"),
            ("nats://broker", "a>", "is no name for a queue"),
        ] {
            let said = at(url, queue).check().unwrap_err();
            assert!(said.contains(words), "{url} {queue}: {said}");
        }
        assert!(at("nats://127.0.0.1:4222", "q").is_loopback() && at("nats://[::1]:4222", "q").is_loopback());
        assert!(!at("nats://broker:4222", "q").is_loopback());
    }

    #[test]
    fn a_key_is_known_by_its_form_and_read_by_its_owner_only() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("key");
        let mut address = at("nats://127.0.0.1", "q");
        address.key = Some(path.clone());
        assert!(address.options().err().unwrap().contains("cannot read the key"));
        let put = |text: &str, mode| {
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        put("secret\n", 0o644);
        assert!(address.options().err().unwrap().contains("chmod 600"));
        put("two words\n", 0o600);
        assert!(address.options().err().unwrap().contains("holds no token"));
        put("secret\n", 0o600);
        assert!(matches!(address.read_key(), Ok(Some(FleetKey::Token(token))) if token == "secret"));
        put("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY\n", 0o600);
        assert!(matches!(address.read_key(), Ok(Some(FleetKey::Nkey(_)))));
    }
}
