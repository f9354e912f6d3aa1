//! The chain: each record's hash covers the one before it.

use super::Record;

/// The hash before the first record.
pub(super) const GENESIS: [u8; 32] = [0; 32];

/// The hash of a record that follows one with hash `previous`. Lengths are hashed too, so that no two records
/// run together into the same bytes.
pub(super) fn hash_of(previous: &[u8; 32], record: &Record) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(previous);
    hasher.update(&record.seq.to_le_bytes());
    for text in [&record.at, &record.kind, &record.json] {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests;
