//! Random names that cannot be guessed.

use std::hash::{BuildHasher as _, Hasher as _};
use std::io::Read as _;
use std::sync::OnceLock;

use crate::platform::pid_namespace;

/// A word of lower-case letters that begins a name in any language.
pub fn random_token() -> String {
    random_bytes().iter().map(|b| char::from(b'a' + b % 26)).collect()
}

/// The name of a directory that a verification lays files into. Code under test sees it among its mounts: it says nothing of what
/// the run there is for.
pub(crate) fn export_name() -> String {
    format!("export-{}", random_token())
}

/// A name of this process for files that it shares with others: its number, its pid namespace and a random word. Processes of
/// several containers that use one directory often have the same number.
pub(crate) fn process_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| format!("{}-{}-{}", std::process::id(), pid_namespace(), random_token()))
}

/// Whether a file with the name of a process at its start was left by one that is gone. Nothing is known of processes of
/// another pid namespace.
pub(crate) fn is_left_over(file: &str) -> Option<bool> {
    let mut words = file.split('-');
    let (pid, namespace) = (words.next()?.parse::<u32>().ok()?, words.next()?.parse::<u64>().ok()?);
    (namespace == pid_namespace()).then(|| !crate::platform::exists(pid))
}

/// A number that cannot be guessed.
pub(crate) fn random_seed() -> u64 {
    random_bytes().iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// Fills a buffer from the system's source of random numbers.
pub fn fill_random(bytes: &mut [u8]) -> std::io::Result<()> {
    std::fs::File::open("/dev/urandom")?.read_exact(bytes)
}

fn random_bytes() -> [u8; 12] {
    let mut bytes = [0_u8; 12];
    if fill_random(&mut bytes).is_err() {
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

    #[test]
    fn only_what_a_process_of_this_namespace_left_is_known_to_be_left_over() {
        let name = process_name();
        assert!(name.starts_with(&format!("{}-", std::process::id())), "{name}");
        assert_eq!(is_left_over(&format!("{name}-3.lock")), Some(false), "this process lives");
        let namespace = pid_namespace();
        assert_eq!(is_left_over(&format!("4294967295-{namespace}-abc-0")), Some(true));
        for unknown in ["1-0", "1-77-abc-0", "other", ""] {
            assert_eq!(is_left_over(unknown), None, "{unknown}");
        }
    }
}
