//! Unix sockets at paths of any length.

use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, open};

/// The longest path of a socket that every system takes.
const LONGEST: usize = 100;

/// Listens on a socket at a path. The kernel takes about a hundred bytes of it; a longer one is reached through the open
/// directory.
pub(crate) fn listen_at(path: &Path) -> io::Result<UnixListener> {
    if path.as_os_str().len() <= LONGEST {
        return UnixListener::bind(path);
    }
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let dir = open(dir, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", dir.as_raw_fd()));
    UnixListener::bind(short.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_made_however_deep_it_lies() {
        let temp = tempfile::tempdir().unwrap();
        let deep = temp.path().join("a-long-name-of-a-directory-".repeat(4)).join("another".repeat(8));
        std::fs::create_dir_all(&deep).unwrap();
        for dir in [temp.path(), &deep] {
            let path = dir.join("s");
            let listener = listen_at(&path).unwrap();
            assert!(path.exists());
            drop(listener);
            assert!(listen_at(&path).is_err(), "it is there already");
        }
    }
}
