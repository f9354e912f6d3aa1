//! Removes secrets from kept output: values of variables with names like secrets, and text that looks like a well-known
//! kind of key.

use std::fs;
use std::io;
use std::path::Path;

use super::masker::Masker;
use crate::config::EnvVar;

/// Shorter values are too common to mask.
const SHORTEST: usize = 8;

/// The masked values with their names, longest first.
#[derive(Debug, Clone)]
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
        let mut named: Vec<_> = named.collect();
        named.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        Self(named)
    }

    /// The values with their names.
    pub(super) fn values(&self) -> &[(String, Vec<u8>)] {
        &self.0
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
        String::from_utf8_lossy(&self.bytes(text.as_bytes())).into_owned()
    }

    /// Takes them out of a file.
    pub(crate) fn file(&self, path: &Path) -> io::Result<()> {
        let bytes = fs::read(path)?;
        let masked = self.bytes(&bytes);
        if masked == bytes { Ok(()) } else { fs::write(path, masked) }
    }

    pub(crate) fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let mut masker = Masker::new(self.clone());
        let mut masked = masker.push(bytes);
        masked.extend(masker.finish());
        masked
    }
}

/// Where a value begins in a text.
pub(super) fn memmem(text: &[u8], value: &[u8]) -> Option<usize> {
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
        assert_eq!(mask.text("é sk-secret-sk-secret-1 è"), "é sk-secret-[ANTHROPIC_API_KEY] è");
    }
}
