//! Mounts overlays.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::mount::{MountFlags, mount};

use super::failed;

/// Mounts `lower` with `upper` over it at `to`.
pub(super) fn mount_over(lower: &[PathBuf], upper: &Path, work: &Path, to: &Path) -> Result<(), String> {
    let lower: Vec<Vec<u8>> = lower.iter().map(|path| escaped(path)).collect();
    let mut options = b"userxattr,lowerdir=".to_vec();
    options.extend(lower.join(&b':'));
    options.extend(b",upperdir=");
    options.extend(escaped(upper));
    options.extend(b",workdir=");
    options.extend(escaped(work));
    let options = CString::new(options).map_err(failed("name a directory"))?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("overlay", to, "overlay", flags, options.as_c_str()).map_err(failed("mount an overlay"))
}

/// Colons, commas and backslashes mean something to the kernel here.
fn escaped(path: &Path) -> Vec<u8> {
    let special = |b: &u8| matches!(b, b':' | b',' | b'\\');
    let bytes = path.as_os_str().as_bytes();
    bytes.iter().flat_map(|b| special(b).then_some(b'\\').into_iter().chain([*b])).collect()
}
