//! The stamp of a file or a directory: enough to tell that it is unchanged without opening it.

use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, FileType, Stat};
use serde::{Deserialize, Serialize};

/// Some file systems store times with a resolution of two seconds.
const RACY: i128 = 2_000_000_000;

/// Size, inode, times of change of content and of state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp([u8; Stamp::BYTES]);

impl Stamp {
    const BYTES: usize = 32;
    /// Of what may change without another stamp; never the same as another.
    pub(super) const UNSURE: Self = Self([0; Self::BYTES]);
    /// Of what is not there.
    pub(super) const ABSENT: Self = Self([0xff; Self::BYTES]);
    /// Of a directory where only its existence matters.
    pub(super) const DIRECTORY: Self = Self([0xfe; Self::BYTES]);

    /// The stamp at a moment `now` that is not later than the first read.
    pub(super) fn of(stat: &Stat, now: u128) -> Self {
        let time = |seconds: i64, nanos: u64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        let times = [time(stat.st_mtime, stat.st_mtime_nsec), time(stat.st_ctime, stat.st_ctime_nsec)];
        if times[0].max(times[1]) + RACY >= i128::try_from(now).unwrap_or(i128::MAX) {
            return Self::UNSURE;
        }
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&stat.st_size.to_le_bytes());
        bytes[8..16].copy_from_slice(&stat.st_ino.to_le_bytes());
        for (n, time) in times.iter().enumerate() {
            let low = u64::try_from(time & i128::from(u64::MAX)).unwrap_or_default();
            bytes[16 + 8 * n..24 + 8 * n].copy_from_slice(&low.to_le_bytes());
        }
        Self(bytes)
    }

    /// Whether nothing changed since the stamp `before` was taken.
    pub(super) fn is_same(&self, before: &Self) -> bool {
        self == before && *self != Self::UNSURE
    }
}

/// What `path` below an open directory is itself, not what it points to.
pub(super) fn stat(root: impl rustix::fd::AsFd, path: impl rustix::path::Arg) -> Option<Stat> {
    rustix::fs::statat(root, path, AtFlags::SYMLINK_NOFOLLOW).ok()
}

/// Whether this is a directory.
pub(super) fn is_dir(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

/// Local file systems of Linux whose directories show by their times that a name came or went: ext, XFS, Btrfs, tmpfs,
/// overlay, ZFS, F2FS, bcachefs. Of others, as on a network, that is not sure.
const LOCAL: [i64; 8] =
    [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0x2fc1_2fc1, 0xf2f5_2010, 0xca45_1a4e];

/// Whether the stamp of a directory tells whether its names are the same.
pub(super) fn shows_names(root: impl rustix::fd::AsFd) -> bool {
    rustix::fs::fstatfs(root).is_ok_and(|found| LOCAL.contains(&found.f_type))
}

/// The time, in nanoseconds.
pub(super) fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos())
}
