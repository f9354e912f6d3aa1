//! Maps for names of a plan: as std's, with a hash that is several times as fast.
//!
//! It does not resist inputs made to collide. A plan is its user's own file, and one that collides is slow to check,
//! no more; what comes from elsewhere uses std's.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by name.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// A map with room for `n`.
pub fn quick_map<K, V>(n: usize) -> QuickMap<K, V> {
    QuickMap::with_capacity_and_hasher(n, BuildHasherDefault::default())
}

/// Multiplies and rotates, eight bytes at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick(u64);

impl Quick {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.add(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }

    /// A multiplication mixes upwards, and a table looks at the low bits.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_that_differ_in_a_digit_fall_into_different_places() {
        let place = |name: &str| {
            let mut hash = Quick::default();
            hash.write(name.as_bytes());
            hash.finish() % 1024
        };
        let places: HashSet<u64> = (0..1024).map(|n| place(&format!("TASK-L1-{n:06}"))).collect();
        assert!(places.len() > 550, "{}", places.len());
    }
}
