//! The facts of contents that were parsed before, in one file.
//!
//! Two writers at once can lose entries to each other, never damage them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use windlass_code::survey::FileFacts;

use super::kept_file::{read, write};

/// The hash of a content and of how it is read.
pub(super) type SurveyKey = [u8; 16];

/// Makes a key of several parts.
pub(super) fn key(parts: &[&[u8]]) -> SurveyKey {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut key = SurveyKey::default();
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// Beyond this many contents, what is kept is mostly of contents that no longer exist.
const MOST: usize = 200_000;

/// A cache as it was read.
#[derive(Default)]
pub(super) struct FactCache {
    path: Option<PathBuf>,
    /// The facts of each content, encoded: most of them are not asked for.
    facts: HashMap<SurveyKey, Vec<u8>>,
}

impl FactCache {
    /// Reads the file; what cannot be read is absent.
    pub(super) fn open(path: Option<PathBuf>) -> Self {
        let facts = path.as_deref().and_then(read).unwrap_or_default();
        Self { path, facts }
    }

    /// The facts of a content.
    pub(super) fn facts(&self, content: &SurveyKey) -> Option<FileFacts> {
        postcard::from_bytes(self.facts.get(content)?).ok()
    }

    /// Keeps new facts beside the old ones, or in their place when there are too many.
    pub(super) fn keep(&mut self, fresh: &[(SurveyKey, Arc<FileFacts>)]) {
        let Some(path) = &self.path else { return };
        if fresh.is_empty() {
            return;
        }
        if self.facts.len() > MOST {
            self.facts.clear();
        }
        for (key, facts) in fresh {
            if let Ok(bytes) = postcard::to_stdvec(facts.as_ref()) {
                self.facts.insert(*key, bytes);
            }
        }
        write(path, &self.facts);
    }
}
