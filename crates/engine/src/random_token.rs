//! Random names that cannot be guessed.

use std::hash::{BuildHasher as _, Hasher as _};
use std::io::Read as _;

/// A word of lower-case letters that begins a name in any language.
pub(crate) fn random_token() -> String {
    random_bytes().iter().map(|b| char::from(b'a' + b % 26)).collect()
}

/// A number that cannot be guessed.
pub(crate) fn random_seed() -> u64 {
    random_bytes().iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

fn random_bytes() -> [u8; 12] {
    let mut bytes = [0_u8; 12];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    if read.is_err() {
        // Every such state is keyed by the system's own randomness.
        let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
        hasher.write_u8(0);
        bytes[..8].copy_from_slice(&hasher.finish().to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words_differ_and_both_are_plain() {
        let (one, two) = (random_token(), random_token());
        assert_ne!(one, two);
        assert!(one.bytes().all(|b| b.is_ascii_lowercase()) && one.len() == 12);
    }
}
