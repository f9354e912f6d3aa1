//! Checked names: a value of these types has passed its check.
//!
//! Only the shape of an id is checked here, not whether the thing it names exists.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Why a text is not a valid name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The text is empty.
    #[error("the id is empty")]
    Empty,
    /// The text is longer than the limit.
    #[error("the id is {0} characters long, the limit is 64")]
    TooLong(usize),
    /// A character that is not allowed at this place.
    #[error(
        "`{found}` is not allowed at position {at}: use letters, digits, `.`, `_`, `-`, starting with a letter or digit"
    )]
    BadCharacter {
        /// The offending character, escaped.
        found: String,
        /// Its position, counted in characters from 1.
        at: usize,
    },
    /// A sequence that git or a file system would misread.
    #[error("`{0}` is not allowed in an id")]
    BadSequence(&'static str),
    /// Not a git object id.
    #[error("not a git object id: 40 or 64 lowercase hexadecimal digits are expected")]
    NotAnOid,
}

/// Checks the rule shared by task ids and plan names: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, and nothing that a ref
/// name or a file system would read as something else.
fn check_name(text: &str) -> Result<(), IdError> {
    if text.is_empty() {
        return Err(IdError::Empty);
    }
    for (at, c) in text.chars().enumerate() {
        let ok = c.is_ascii_alphanumeric() || (at > 0 && matches!(c, '.' | '_' | '-'));
        if !ok {
            return Err(IdError::BadCharacter { found: c.escape_debug().to_string(), at: at + 1 });
        }
    }
    if text.len() > 64 {
        return Err(IdError::TooLong(text.len()));
    }
    if text.contains("..") {
        return Err(IdError::BadSequence(".."));
    }
    if text.get(text.len().saturating_sub(5)..).is_some_and(|end| end.eq_ignore_ascii_case(".lock")) {
        return Err(IdError::BadSequence(".lock"));
    }
    if text.ends_with('.') {
        return Err(IdError::BadSequence("a final `.`"));
    }
    Ok(())
}

/// Checks that a text is a full object id in lowercase hexadecimal.
fn check_oid(text: &str) -> Result<(), IdError> {
    let hex = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    if hex && matches!(text.len(), 40 | 64) { Ok(()) } else { Err(IdError::NotAnOid) }
}

macro_rules! checked_name {
    ($(#[$doc:meta])* $name:ident, $check:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks `text` and takes it.
            pub fn new(text: &str) -> Result<Self, IdError> {
                $check(text)?;
                Ok(Self(Arc::from(text)))
            }

            /// The text itself.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                Self::new(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0.to_string()
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", &self.0)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string" })
            }
        }
    };
}

checked_name! {
    /// The name of a task inside its plan.
    TaskId, check_name
}
checked_name! {
    /// The name of a plan; part of its branch, its refs and its state directory.
    PlanName, check_name
}
checked_name! {
    /// A git object id: 40 (SHA-1) or 64 (SHA-256) lowercase hexadecimal digits.
    Oid, check_oid
}

impl Oid {
    /// The first eight digits, for people.
    pub fn short(&self) -> &str {
        &self.0[..8]
    }
}

/// The content name (blake3, hexadecimal) of an output kept beside the journal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BlobName(String);

impl BlobName {
    /// The name of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().to_string())
    }

    /// The name for a hash computed while streaming.
    pub fn from_hash(hash: &blake3::Hash) -> Self {
        Self(hash.to_hex().to_string())
    }

    /// The text, if it is a well-formed name; a name read from a journal is checked before it meets a path.
    pub fn checked(&self) -> Option<&str> {
        let ok = self.0.len() == 64 && self.0.bytes().all(|b| b.is_ascii_hexdigit());
        ok.then_some(self.0.as_str())
    }
}

/// The number of an attempt at one task, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AttemptNo(pub u32);

impl fmt::Display for AttemptNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests;
