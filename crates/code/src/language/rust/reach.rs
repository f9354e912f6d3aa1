//! Rust: what gives a value an equality of its own, a look at its caller, a file, or the runner.

use crate::syntax::tricks::ReachScan;

const REACHING: [&str; 26] = [
    "PartialEq for",
    "PartialEq<",
    "PartialOrd for",
    "PartialOrd<",
    "Sub for",
    "Sub<",
    "Rem for",
    "Rem<",
    "Deref",
    "panic::",
    "catch_unwind",
    "include_str",
    "include_bytes",
    "include!",
    "unsafe",
    "extern \"",
    "extern {",
    "extern fn",
    "no_mangle",
    "link_section",
    "export_name",
    "track_caller",
    "Location",
    "macro_rules",
    "env!(",
    "libc",
];

/// Names of the standard library that lead to files, the process or the caller, however they are imported.
const NAMES: [&str; 8] = ["fs", "File", "OpenOptions", "env", "process", "os", "backtrace", "Backtrace"];

/// Whether code could bring what deceives a test.
pub(super) fn reaches_out(scan: &ReachScan<'_>) -> bool {
    scan.has(&REACHING) || scan.names_one_of(&NAMES)
}
