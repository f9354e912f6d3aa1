//! Access to paths that processes inside a sandbox could have replaced.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path};

use crate::removal::remove_any;

/// The largest file that is read back from a sandbox.
const LARGEST: u64 = 64 << 20;

/// Reads a plain file that really is below one of these directories. Processes inside chose what is at the path: a link
/// that leads out, a device or a pipe is not read.
pub(crate) fn read_plain(path: &Path, below: &[&Path]) -> Option<Vec<u8>> {
    let real = path.canonicalize().ok()?;
    let inside = below.iter().filter_map(|dir| dir.canonicalize().ok()).any(|dir| real.starts_with(dir));
    if !inside || !fs::symlink_metadata(&real).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(&real).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Creates a directory at a path that was writable inside; anything else there is removed.
pub(crate) fn make_real_dir(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_dir()) {
        remove_any(path)?;
    }
    fs::create_dir_all(path)
}

/// Whether all existing components of a path below a directory are real directories.
pub(crate) fn is_straight(dir: &Path, below: &Path) -> bool {
    let mut here = dir.to_owned();
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return false };
        here.push(name);
        let Ok(meta) = fs::symlink_metadata(&here) else { return true };
        if meta.is_symlink() || (parts.peek().is_some() && !meta.is_dir()) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_what_really_lies_there_is_read() {
        let temp = tempfile::tempdir().unwrap();
        let (own, out) = (temp.path().join("own"), temp.path().join("out"));
        fs::create_dir_all(own.join("reports")).unwrap();
        fs::create_dir(&out).unwrap();
        fs::write(own.join("reports/a.xml"), "a").unwrap();
        fs::write(out.join("secret"), "s").unwrap();
        symlink(out.join("secret"), own.join("reports/b.xml")).unwrap();
        symlink("/dev/zero", own.join("reports/c.xml")).unwrap();
        symlink("a.xml", own.join("reports/d.xml")).unwrap();
        symlink(&out, own.join("elsewhere")).unwrap();
        let read = |path: &str| read_plain(&own.join(path), &[&own]);
        assert_eq!(read("reports/a.xml").as_deref(), Some(&b"a"[..]));
        assert_eq!(read("reports/d.xml").as_deref(), Some(&b"a"[..]), "a link that stays inside is fine");
        for path in ["reports/b.xml", "reports/c.xml", "elsewhere/secret", "reports", "none"] {
            assert_eq!(read(path), None, "{path}");
        }
        assert!(is_straight(&own, Path::new("reports/new/x")));
        assert!(!is_straight(&own, Path::new("elsewhere/x")) && !is_straight(&own, Path::new("../out/x")));
        make_real_dir(&own.join("elsewhere")).unwrap();
        assert!(fs::symlink_metadata(own.join("elsewhere")).unwrap().is_dir());
        assert!(out.join("secret").exists());
    }
}
