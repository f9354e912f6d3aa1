//! Reads and writes files in a workspace without following links.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags};

/// The largest file that is read.
const READ_BYTES: u64 = 1 << 20;

const OPEN: OFlags = OFlags::CLOEXEC.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK);

/// The text of a file; nothing where it is not there, is no plain file, or is no text.
pub(super) fn read(top: &Path, path: &str) -> Option<String> {
    let (dir, name) = folder(top, path, Missing::Stop).ok()?;
    let file = File::from(rustix::fs::openat(&dir, name, OPEN | OFlags::RDONLY, Mode::empty()).ok()?);
    let meta = file.metadata().ok()?;
    if !meta.is_file() || meta.len() > READ_BYTES {
        return None;
    }
    let mut text = String::new();
    file.take(READ_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Writes a file, with the folders it lies in.
pub(super) fn write(top: &Path, path: &str, text: &str) -> io::Result<()> {
    let (dir, name) = folder(top, path, Missing::Make)?;
    let flags = OPEN | OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
    let mut file = File::from(rustix::fs::openat(&dir, name, flags, Mode::from_raw_mode(0o666))?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"));
    }
    file.write_all(text.as_bytes())
}

/// Deletes a file; that it is not there is as good.
pub(super) fn remove(top: &Path, path: &str) -> io::Result<()> {
    let removed = folder(top, path, Missing::Stop)
        .and_then(|(dir, name)| Ok(rustix::fs::unlinkat(&dir, name, AtFlags::empty())?));
    match removed {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// What to do about a folder that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Make,
    Stop,
}

/// The folder a file lies in, opened, and its name there.
fn folder<'p>(top: &Path, path: &'p str, missing: Missing) -> io::Result<(OwnedFd, &'p str)> {
    let flags = OPEN | OFlags::RDONLY | OFlags::DIRECTORY;
    let mut here = rustix::fs::open(top, flags, Mode::empty())?;
    let mut names: Vec<&str> = path.split('/').collect();
    let strange = |name: &&str| name.is_empty() || *name == "." || *name == ".." || name.contains('\0');
    if names.iter().any(strange) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it leads out of the directory"));
    }
    let name = names.pop().unwrap_or_default();
    for dir in names {
        if missing == Missing::Make {
            match rustix::fs::mkdirat(&here, dir, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(e) => return Err(e.into()),
            }
        }
        here = rustix::fs::openat(&here, dir, flags, Mode::empty())?;
    }
    Ok((here, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_and_ways_out_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (top, outside) = (dir.path().join("top"), dir.path().join("outside"));
        std::fs::create_dir(&top).unwrap();
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("secret"), "s").unwrap();
        symlink(&outside, top.join("folder")).unwrap();
        symlink(outside.join("secret"), top.join("file")).unwrap();
        for path in
            ["folder/secret", "file", "../outside/secret", "/etc/hostname", "a//b", "", "a/../../outside/x"]
        {
            assert!(read(&top, path).is_none(), "{path} is read");
            assert!(write(&top, path, "x").is_err(), "{path} is written");
        }
        assert_eq!(std::fs::read_to_string(outside.join("secret")).unwrap(), "s");
        write(&top, "a/b/c.txt", "one").unwrap();
        write(&top, "a/b/c.txt", "2").unwrap();
        assert_eq!(read(&top, "a/b/c.txt").as_deref(), Some("2"));
        remove(&top, "a/b/c.txt").unwrap();
        remove(&top, "a/b/c.txt").unwrap();
        assert!(remove(&top, "folder/secret").is_err());
    }
}
