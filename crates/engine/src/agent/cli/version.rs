//! Versions as programs print them.

use std::fmt;

/// A version of three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The first version in what a program printed: `codex-cli 0.166.0`, `2.1.325 (Claude Code)`.
pub fn version_in(text: &str) -> Option<Version> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|word| {
        let mut numbers = word.split('.').map(str::parse);
        let three = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
        Some(Version(three.0, three.1, three.2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        let table = [
            ("2.1.325 (Claude Code)", Some(Version(2, 1, 325))),
            ("codex-cli 0.166.0\n", Some(Version(0, 166, 0))),
            ("v1.18.33-beta.2", Some(Version(1, 18, 33))),
            ("10.0", None),
            ("unknown", None),
            ("99999999999.0.0", None),
        ];
        for (text, version) in table {
            assert_eq!(version_in(text), version, "{text}");
        }
        assert!(Version(0, 9, 10) < Version(0, 10, 1));
    }
}
