//! Files that keep what a survey found: a header, a checksum and a value that serde can write.
//!
//! A file that was cut, changed or written by another version of the program counts as absent.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use windlass_code::language::Language;
use windlass_code::survey::Framework;

use crate::random_token::process_name;

/// Changes with what is written, what counts as a source file and how files are read.
const VERSION: u32 = 4;
const SUM: usize = 32;

/// Identifies the version that wrote a file. The variants of languages and frameworks are written by position, so another
/// list of them is another version.
fn header() -> [u8; SUM] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"windlass survey");
    hasher.update(&VERSION.to_le_bytes());
    let names = Language::ALL.iter().map(|language| language.fence());
    for name in names.chain(Framework::ALL.iter().map(|framework| framework.as_str())) {
        hasher.update(name.as_bytes());
        hasher.update(b"\n");
    }
    *hasher.finalize().as_bytes()
}

/// Reads a value; `None` when the file is not exactly what [`write`] wrote.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let bytes = fs::read(path).ok()?;
    let rest = bytes.strip_prefix(&header()[..])?;
    let (sum, body) = rest.split_at_checked(SUM)?;
    if blake3::hash(body).as_bytes()[..] != *sum {
        return None;
    }
    postcard::from_bytes(body).ok()
}

/// Writes a value beside the file and renames it, so that a reader sees the old file or the new one. The files only
/// save time, so a failure to write is not reported.
pub(super) fn write<T: Serialize>(path: &Path, value: &T) {
    let Ok(body) = postcard::to_stdvec(value) else { return };
    let bytes = [&header()[..], blake3::hash(&body).as_bytes(), &body].concat();
    let beside = path.with_extension(format!("{}.new", process_name()));
    let written = fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))
        .and_then(|()| fs::write(&beside, bytes))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
}

#[cfg(test)]
mod tests {
    use windlass_code::survey::{FileFacts, TestShape, TestStyle};
    use windlass_code::syntax::facts;

    use super::*;

    fn kept(found: &FileFacts) -> Option<FileFacts> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("kept");
        write(&path, found);
        read(&path)
    }

    #[test]
    fn facts_come_back_the_same() {
        let texts = [
            ("tests/test_a.py", "import os\nfrom a import b, c\ndef test_x(): ...\nclass A(B):\n    x = 1\n"),
            ("src/a.rs", "use a::b;\npub fn f() {}\n#[cfg(test)] mod t { #[test] fn x() {} }\n"),
            ("A.java", "package a.b;\npublic class A { public int f(String x) { return 1; } }\n"),
            ("bad.go", "package a\nfunc (\n"),
            ("empty.php", ""),
        ];
        for (path, text) in texts {
            let found = facts(path, text.as_bytes()).unwrap();
            assert_eq!(kept(&found).as_ref(), Some(&found), "{path}");
        }
    }

    /// No framework is taken for another one.
    #[test]
    fn every_language_and_framework_comes_back_as_itself() {
        let mut found = facts("a.py", b"def test_x(): ...\n").unwrap();
        for framework in Framework::ALL {
            found.style = Some(TestStyle { framework, shape: TestShape::Functions });
            assert_eq!(kept(&found).as_ref(), Some(&found));
        }
        for language in Language::ALL {
            found.language = *language;
            assert_eq!(kept(&found).as_ref(), Some(&found));
        }
    }

    #[test]
    fn a_file_of_another_version_or_with_damage_is_absent() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("kept");
        write(&path, &vec!["one".to_owned(), "two".to_owned()]);
        let whole = fs::read(&path).unwrap();
        assert!(read::<Vec<String>>(&path).is_some());
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert_eq!(read::<Vec<String>>(&path), None, "changed at {at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(read::<Vec<String>>(&path), None, "cut at {at}");
        }
    }
}
