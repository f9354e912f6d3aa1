//! The form in which a view is kept beside its journal: the glance on the first line, the whole below it.
//!
//! It is only a cache: a reader that cannot use it folds the journal again.

use serde::{Deserialize, Serialize};

use super::fold::View;
use super::glance::Glance;

/// Counts up whenever the meaning of the kept form changes; a cache of another version is folded anew.
const VERSION: u32 = 4;

/// Why a kept view cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// Another version wrote it.
    #[error("the kept view has version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// It is not what was kept.
    #[error("the kept view cannot be read")]
    Unreadable(#[from] serde_json::Error),
    /// It ends too soon.
    #[error("the kept view is cut off")]
    Cut,
}

#[derive(Serialize)]
struct HeadOut {
    v: u32,
    glance: Glance,
}

#[derive(Deserialize)]
struct HeadIn {
    v: u32,
    #[serde(default)]
    glance: Glance,
}

/// The form to keep.
pub fn encode(view: &View) -> Result<Vec<u8>, CacheError> {
    let mut bytes = encode_glance(view)?;
    serde_json::to_writer(&mut bytes, view)?;
    Ok(bytes)
}

/// Only what fits on a screen, to be kept by itself.
pub fn encode_glance(view: &View) -> Result<Vec<u8>, CacheError> {
    let mut bytes = serde_json::to_vec(&HeadOut { v: VERSION, glance: view.glance() })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The whole view.
pub fn decode(bytes: &[u8]) -> Result<View, CacheError> {
    let (head, rest) = split(bytes)?;
    check(head)?;
    Ok(serde_json::from_slice(rest)?)
}

/// Only what fits on a screen.
pub fn decode_glance(bytes: &[u8]) -> Result<Glance, CacheError> {
    let (head, _) = split(bytes)?;
    Ok(check(head)?.glance)
}

fn split(bytes: &[u8]) -> Result<(&[u8], &[u8]), CacheError> {
    let at = bytes.iter().position(|b| *b == b'\n').ok_or(CacheError::Cut)?;
    Ok((&bytes[..at], &bytes[at + 1..]))
}

fn check(head: &[u8]) -> Result<HeadIn, CacheError> {
    let head: HeadIn = serde_json::from_slice(head)?;
    if head.v == VERSION { Ok(head) } else { Err(CacheError::Version(head.v)) }
}
