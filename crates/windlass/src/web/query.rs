//! The query of a request, and how an answer fails.

use axum::http::StatusCode;
use serde_json::json;
use windlass_engine::chronicle::ChronicleError;
use windlass_engine::git::GitError;

use crate::cli::{CliError, Exit};

/// The query of a request.
#[derive(Debug, Default)]
pub(super) struct PageQuery(Vec<(String, String)>);

impl PageQuery {
    /// Reads a query.
    pub(super) fn read(query: Option<&str>) -> Self {
        let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(key), decoded(value))
        };
        Self(pairs.map(pair).collect())
    }

    /// The value of a key; empty if it is not there.
    pub(super) fn text(&self, key: &str) -> &str {
        self.0.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    /// Whether a key is there at all.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, _)| name == key)
    }

    /// The value of a key as a number.
    pub(super) fn number<T: std::str::FromStr>(&self, key: &str) -> Option<T> {
        self.text(key).parse().ok()
    }

    /// The values of a key between commas.
    pub(super) fn list(&self, key: &str) -> impl Iterator<Item = &str> {
        self.text(key).split(',').filter(|item| !item.is_empty())
    }
}

/// A text as forms encode it. Bytes that are no text are replaced.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let coded = bytes.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
        match (bytes[at], coded.and_then(|two| u8::from_str_radix(two, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct NoAnswer {
    /// The status.
    pub(super) status: StatusCode,
    /// What happened, in a line.
    pub(super) message: String,
    /// What to do.
    pub(super) hints: Vec<String>,
}

impl NoAnswer {
    /// Something that was asked for is not there.
    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self { status: StatusCode::NOT_FOUND, message: message.into(), hints: Vec::new() }
    }

    /// The request cannot be understood.
    pub(super) fn unclear(message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, message: message.into(), hints: Vec::new() }
    }

    /// The answer's body.
    pub(super) fn body(&self) -> String {
        json!({ "schema": "windlass.error/1", "error": self.message, "hints": self.hints }).to_string()
    }
}

impl From<CliError> for NoAnswer {
    fn from(error: CliError) -> Self {
        let status = match error.exit {
            Exit::Usage => StatusCode::BAD_REQUEST,
            Exit::Findings | Exit::Blocked => StatusCode::CONFLICT,
            Exit::Fine | Exit::Environment | Exit::Interrupted => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let mut message = error.message;
        for cause in error.causes {
            message.push_str(": ");
            message.push_str(&cause);
        }
        Self { status, message, hints: error.hints }
    }
}

impl From<ChronicleError> for NoAnswer {
    fn from(error: ChronicleError) -> Self {
        CliError::from(error).into()
    }
}

impl From<GitError> for NoAnswer {
    fn from(error: GitError) -> Self {
        CliError::from(error).into()
    }
}

impl From<serde_json::Error> for NoAnswer {
    fn from(error: serde_json::Error) -> Self {
        CliError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_however_it_is_written() {
        let query =
            PageQuery::read(Some("find=a%20b%2Bc+d&open=1,,2&from=7&bad=%zz%&x&x=2&%66=g&u=%C3%A4%ff"));
        assert_eq!(query.text("find"), "a b+c d");
        assert_eq!(query.list("open").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!((query.number::<usize>("from"), query.number::<u8>("find")), (Some(7), None));
        assert_eq!((query.text("bad"), query.text("f"), query.text("none")), ("%zz%", "g", ""));
        assert_eq!(query.text("u"), "ä\u{fffd}");
        assert!(query.has("x") && !query.has("y"));
        assert_eq!(PageQuery::read(None).text("a"), "");
    }
}
