//! Secrets that a command printed do not stay in what is kept of it: values of variables that are named like secrets, and
//! what is shaped like a well-known kind of key.

use std::fs;
use std::io;
use std::path::Path;

use crate::config::EnvVar;

/// Values shorter than this are too common to be taken out.
const SHORTEST: usize = 8;

/// The values that are never kept, each with the name that stands for it.
pub(crate) struct Mask(Vec<(String, Vec<u8>)>);

impl Mask {
    /// The secrets among these variables, by their names.
    pub(crate) fn of(env: &[EnvVar]) -> Self {
        let secret = |name: &str| {
            ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL", "HEADERS"].iter().any(|w| name.contains(w))
        };
        let named = env.iter().filter_map(|(name, value)| {
            let name = name.to_str().filter(|n| secret(&n.to_uppercase()))?;
            let value = value.as_encoded_bytes();
            (value.len() >= SHORTEST).then(|| (name.to_owned(), value.to_vec()))
        });
        Self(named.collect())
    }

    /// Whether there is nothing to take out but what looks like a key.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The name of a variable whose value is in there.
    pub(crate) fn holds(&self, bytes: &[u8]) -> Option<&str> {
        self.0.iter().find(|(_, value)| memmem(bytes, value).is_some()).map(|(name, _)| name.as_str())
    }

    /// A text without them.
    pub(crate) fn text(&self, text: &str) -> String {
        let masked = self.bytes(text.as_bytes());
        masked.map_or_else(|| text.to_owned(), |b| String::from_utf8_lossy(&b).into_owned())
    }

    /// Takes them out of a file.
    pub(crate) fn file(&self, path: &Path) -> io::Result<()> {
        if let Some(masked) = self.bytes(&fs::read(path)?) {
            fs::write(path, masked)?;
        }
        Ok(())
    }

    /// The bytes without them, if there were any.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut masked: Option<Vec<u8>> = without_keys(bytes);
        for (name, value) in &self.0 {
            let text = masked.as_deref().unwrap_or(bytes);
            if let Some(next) = replace(text, value, format!("[{name}]").as_bytes()) {
                masked = Some(next);
            }
        }
        masked
    }
}

/// How well-known keys begin, and how many letters and digits follow at least.
const SHAPES: [(&[u8], usize); 14] = [
    (b"sk-ant-", 16),
    (b"sk-proj-", 16),
    (b"sk-", 32),
    (b"ghp_", 30),
    (b"gho_", 30),
    (b"ghs_", 30),
    (b"github_pat_", 30),
    (b"glpat-", 20),
    (b"xoxb-", 20),
    (b"xoxp-", 20),
    (b"AKIA", 16),
    (b"AIza", 30),
    (b"npm_", 30),
    (b"pypi-", 40),
];
const PEM_BEGIN: &[u8] = b"PRIVATE KEY-----";
const STAND_IN: &[u8] = b"[secret]";

/// The bytes without what is shaped like a key, if there was any.
fn without_keys(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    let mut copied = 0;
    while at < bytes.len() {
        let begins = at == 0 || !is_part(bytes[at - 1]);
        match if begins { key_at(&bytes[at..]) } else { None } {
            Some(length) => {
                let out = out.get_or_insert_with(Vec::new);
                out.extend_from_slice(&bytes[copied..at]);
                out.extend_from_slice(STAND_IN);
                at += length;
                copied = at;
            }
            None => at += 1,
        }
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&bytes[copied..]);
    }
    out
}

fn is_part(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// The length of the key that begins here.
fn key_at(rest: &[u8]) -> Option<usize> {
    if rest.starts_with(b"-----BEGIN ") {
        let head = rest.iter().position(|b| *b == b'\n')?;
        memmem(&rest[..head], PEM_BEGIN)?;
        let end = memmem(rest, b"-----END ").unwrap_or(rest.len());
        let line = rest[end..].iter().position(|b| *b == b'\n').unwrap_or(rest.len() - end);
        return Some(end + line);
    }
    let (prefix, least) = SHAPES.iter().find(|(prefix, _)| rest.starts_with(prefix))?;
    let length = rest.iter().take_while(|b| is_part(**b)).count();
    let body = &rest[prefix.len()..length];
    (body.len() >= *least && body.iter().any(u8::is_ascii_digit)).then_some(length)
}

fn replace(text: &[u8], value: &[u8], stand_in: &[u8]) -> Option<Vec<u8>> {
    let finder = memmem(text, value)?;
    let mut out = Vec::with_capacity(text.len());
    let (mut rest, mut at) = (text, Some(finder));
    while let Some(found) = at {
        out.extend_from_slice(&rest[..found]);
        out.extend_from_slice(stand_in);
        rest = &rest[found + value.len()..];
        at = memmem(rest, value);
    }
    out.extend_from_slice(rest);
    Some(out)
}

/// Where a value begins in a text.
fn memmem(text: &[u8], value: &[u8]) -> Option<usize> {
    let first = *value.first()?;
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|b| *b == first) {
        if text[from + at..].starts_with(value) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_by_their_shape() {
        let mask = Mask::of(&[]);
        let key = format!("sk-ant-{}", "a1B2".repeat(8));
        let pem = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----";
        assert_eq!(mask.text(&format!("key={key}, next")), "key=[secret], next");
        assert_eq!(mask.text(&format!("a\n{pem}\nb")), "a\n[secret]\nb");
        assert_eq!(mask.text("AKIAIOSFODNN7EXAMPLE1"), "[secret]");
        for plain in ["risk-assessment-of-a-very-long-name-2026-11", "sk-learn", "task-1", "npm_config_cache"]
        {
            assert_eq!(mask.text(plain), plain);
        }
        assert_eq!(mask.bytes(b"nothing at all"), None);
    }

    #[test]
    fn secrets_are_known_by_the_names_of_their_variables() {
        let env: Vec<EnvVar> = [
            ("ANTHROPIC_API_KEY", "sk-secret-1"),
            ("OPENAI_BASE_URL", "http://127.0.0.1:1"),
            ("SHORT_KEY", "abc"),
        ]
        .map(|(n, v)| (n.into(), v.into()))
        .to_vec();
        let mask = Mask::of(&env);
        let said = "key sk-secret-1, again sk-secret-1; abc at http://127.0.0.1:1";
        assert_eq!(
            mask.text(said),
            "key [ANTHROPIC_API_KEY], again [ANTHROPIC_API_KEY]; abc at http://127.0.0.1:1"
        );
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("said");
        fs::write(&path, b"\xff sk-secret-sk-secret-1 \xfe").unwrap();
        mask.file(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"\xff sk-secret-[ANTHROPIC_API_KEY] \xfe");
    }
}
