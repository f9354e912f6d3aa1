//! The marks that the kernel leaves in the upper directory of an overlay.

use std::fs::Metadata;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::Path;

use rustix::io::Errno;

/// The attribute of a directory below which nothing of the lower directory is visible.
const OPAQUE: &str = "user.overlay.opaque";

/// Whether a file system stores the marks of an overlay. Old `tmpfs` does not: deleting a directory and creating it anew
/// fails there.
pub(crate) fn are_supported(dir: &Path) -> bool {
    rustix::fs::lsetxattr(dir, "user.windlass", b"y", rustix::fs::XattrFlags::empty()).is_ok()
}

/// Whether this entry of the upper directory marks a deleted file.
pub(crate) fn is_whiteout(meta: &Metadata) -> bool {
    meta.file_type().is_char_device() && meta.rdev() == 0
}

/// Whether a directory hides everything below it in the lower directory. An unreadable mark counts as one.
pub(crate) fn is_opaque(dir: &Path) -> bool {
    let mut value = [0; 8];
    !matches!(rustix::fs::lgetxattr(dir, OPAQUE, &mut value[..]), Err(Errno::NODATA))
}
