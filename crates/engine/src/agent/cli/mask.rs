//! Secrets that an agent printed do not stay in what is kept of it.

use std::fs;
use std::io;
use std::path::Path;

use crate::config::EnvVar;

/// Values shorter than this are too common to be taken out.
const SHORTEST: usize = 8;

/// The values that are never kept, each with the name that stands for it.
pub(super) struct Mask(Vec<(String, Vec<u8>)>);

impl Mask {
    /// The secrets among these variables, by their names.
    pub(super) fn of(env: &[EnvVar]) -> Self {
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

    /// A text without them.
    pub(super) fn text(&self, text: &str) -> String {
        let masked = self.bytes(text.as_bytes());
        masked.map_or_else(|| text.to_owned(), |b| String::from_utf8_lossy(&b).into_owned())
    }

    /// Takes them out of a file. Only read as a whole if there is anything to look for.
    pub(super) fn file(&self, path: &Path) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        if let Some(masked) = self.bytes(&fs::read(path)?) {
            fs::write(path, masked)?;
        }
        Ok(())
    }

    /// The bytes without them, if there were any.
    fn bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut masked: Option<Vec<u8>> = None;
        for (name, value) in &self.0 {
            let text = masked.as_deref().unwrap_or(bytes);
            if let Some(next) = replace(text, value, format!("[{name}]").as_bytes()) {
                masked = Some(next);
            }
        }
        masked
    }
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
