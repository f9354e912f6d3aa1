//! What was found before, in one file: which content a place had, and the facts of that content.
//!
//! Append-only while it grows; written anew when most of it is out of date. Two writers at once can lose entries to each
//! other, never damage them: every record carries its length and a checksum of its bytes.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use windlass_core::survey::FileFacts;

use super::bytes::{VERSION, decode, encode};

/// A hash of where a file was and how it looked there, or of its content.
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
    contents: HashMap<Key, Key>,
    facts: HashMap<Key, Place>,
}

const MAGIC: &[u8; 8] = b"wlsurvey";
/// Kind, key, length, checksum.
const HEAD: usize = 1 + 16 + 4 + 4;

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
        // Most records come in pairs of about this size.
        self.contents.reserve(text.len() / 400);
        self.facts.reserve(text.len() / 400);
        let mut at = MAGIC.len() + 4;
        while let Some(head) = text.get(at..at + HEAD) {
            let mut key = Key::default();
            key.copy_from_slice(&head[1..17]);
            let number = |range: std::ops::Range<usize>| {
                head.get(range).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
            };
            let length = number(17..21) as usize;
            let place = Place { start: at + HEAD, end: at + HEAD + length };
            let Some(body) = text.get(place.start..place.end) else { break };
            match head[0] {
                b'S' if length == 16 => {
                    let mut content = Key::default();
                    content.copy_from_slice(body);
                    self.contents.insert(key, content);
                }
                b'F' => {
                    self.facts.insert(key, place);
                }
                _ => break,
            }
            at = place.end;
        }
        self.text = text;
    }

    /// The content that a place had.
    pub(super) fn content(&self, place: &Key) -> Option<Key> {
        self.contents.get(place).copied()
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

    /// Whether facts of this content are there.
    pub(super) fn has_facts(&self, content: &Key) -> bool {
        self.facts.contains_key(content)
    }

    /// Keeps what is new. `used` is how many places were asked for: where far more are kept, the file is written anew
    /// with only what is given in `all`.
    pub(super) fn keep(&self, fresh: &[Fresh], all: &dyn Fn() -> Vec<Fresh>, used: usize) {
        let Some(path) = &self.path else { return };
        if fresh.is_empty() {
            return;
        }
        let stale = self.contents.len() > 2 * used + 1000;
        // The cache only saves time: failing to keep it costs nothing but that.
        let _ = if stale || self.text.is_empty() { rewrite(path, &all()) } else { append(path, fresh) };
    }
}

/// Something that was read and is not in the cache yet.
#[derive(Clone)]
pub(super) struct Fresh {
    pub(super) place: Key,
    pub(super) content: Key,
    pub(super) facts: Option<Arc<FileFacts>>,
}

fn checksum(body: &[u8]) -> [u8; 4] {
    let mut sum: u32 = 0x811c_9dc5;
    for chunk in body.chunks(8) {
        for byte in chunk {
            sum = (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
    }
    sum.to_le_bytes()
}

fn record(out: &mut Vec<u8>, kind: u8, key: &Key, body: &[u8]) {
    out.push(kind);
    out.extend_from_slice(key);
    out.extend_from_slice(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend_from_slice(&checksum(body));
    out.extend_from_slice(body);
}

fn records(fresh: &[Fresh]) -> Vec<u8> {
    let mut out = Vec::new();
    for one in fresh {
        record(&mut out, b'S', &one.place, &one.content);
        if let Some(facts) = &one.facts {
            record(&mut out, b'F', &one.content, &encode(facts));
        }
    }
    out
}

fn append(path: &Path, fresh: &[Fresh]) -> std::io::Result<()> {
    fs::OpenOptions::new().append(true).open(path)?.write_all(&records(fresh))
}

/// Writes beside and renames, so that a reader sees the old file or the new one.
fn rewrite(path: &Path, all: &[Fresh]) -> std::io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut text = MAGIC.to_vec();
    text.extend_from_slice(&VERSION.to_le_bytes());
    text.extend_from_slice(&records(all));
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}
