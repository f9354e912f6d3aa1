//! The facts of contents that were parsed before, in one file.
//!
//! Append-only while it grows; begun anew when it has grown too large. Two writers at once can lose entries to each
//! other, never damage them: every record carries its length and a checksum of its bytes.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use windlass_code::survey::FileFacts;

use super::bytes::{VERSION, decode, encode};

/// A hash of a content and of how it is read.
pub(super) type Key = [u8; 16];

/// Makes a key of several parts.
pub(super) fn key(parts: &[&[u8]]) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut key = Key::default();
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// Where the facts of a content lie in the file.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
}

/// A cache as it was read.
#[derive(Default)]
pub(super) struct Cache {
    path: Option<PathBuf>,
    text: Vec<u8>,
    facts: HashMap<Key, Place>,
}

const MAGIC: &[u8; 8] = b"wlsurvey";
/// Key, length, checksum.
const HEAD: usize = 16 + 4 + 4;

impl Cache {
    /// Reads the file; what cannot be read is not there.
    pub(super) fn open(path: Option<PathBuf>) -> Self {
        let text = path.as_deref().and_then(|path| fs::read(path).ok()).unwrap_or_default();
        let mut cache = Self { path, ..Self::default() };
        let known =
            text.get(..12).is_some_and(|head| head[..8] == *MAGIC && head[8..] == VERSION.to_le_bytes());
        if known {
            cache.text = text;
            cache.index();
        }
        cache
    }

    fn index(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.facts.reserve(text.len() / 400);
        let mut at = MAGIC.len() + 4;
        while let Some(head) = text.get(at..at + HEAD) {
            let mut key = Key::default();
            key.copy_from_slice(&head[..16]);
            let length = head[16..20].try_into().map_or(0, u32::from_le_bytes) as usize;
            let place = Place { start: at + HEAD, end: at + HEAD + length };
            if text.len() < place.end {
                break;
            }
            self.facts.insert(key, place);
            at = place.end;
        }
        self.text = text;
    }

    /// The facts of a content.
    pub(super) fn facts(&self, content: &Key) -> Option<FileFacts> {
        let place = self.facts.get(content)?;
        let body = self.text.get(place.start..place.end)?;
        // The checksum stands right before the body.
        let stated = self.text.get(place.start - 4..place.start)?;
        if stated != checksum(body) {
            return None;
        }
        decode(body)
    }

    /// Keeps what is new.
    pub(super) fn keep(&self, fresh: &[(Key, Arc<FileFacts>)]) {
        let Some(path) = &self.path else { return };
        if fresh.is_empty() {
            return;
        }
        // The cache only saves time: failing to keep it costs nothing but that.
        let _ = if self.text.is_empty() || self.text.len() > LARGEST {
            rewrite(path, fresh)
        } else {
            append(path, fresh)
        };
    }
}

/// Beyond this, what is kept is mostly of contents that are no more.
const LARGEST: usize = 32 << 20;

fn checksum(body: &[u8]) -> [u8; 4] {
    let mut sum: u32 = 0x811c_9dc5;
    for byte in body {
        sum = (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    }
    sum.to_le_bytes()
}

fn records(fresh: &[(Key, Arc<FileFacts>)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (key, facts) in fresh {
        let body = encode(facts);
        out.extend_from_slice(key);
        out.extend_from_slice(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
        out.extend_from_slice(&checksum(&body));
        out.extend_from_slice(&body);
    }
    out
}

fn append(path: &Path, fresh: &[(Key, Arc<FileFacts>)]) -> std::io::Result<()> {
    fs::OpenOptions::new().append(true).open(path)?.write_all(&records(fresh))
}

fn rewrite(path: &Path, fresh: &[(Key, Arc<FileFacts>)]) -> std::io::Result<()> {
    let mut text = MAGIC.to_vec();
    text.extend_from_slice(&VERSION.to_le_bytes());
    text.extend_from_slice(&records(fresh));
    replace(path, &text)
}

/// Writes beside and renames, so that a reader sees the old file or the new one.
pub(super) fn replace(path: &Path, text: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}
