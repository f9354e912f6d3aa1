//! PHP: what gives a value an equality of its own, a look at its caller, a file, or the runner.

use crate::syntax::tricks::{ReachScan, names};

/// What the names begin with.
const REACHING: [&str; 23] = [
    "debug_",
    "file",
    "fopen",
    "readfile",
    "parse_ini",
    "highlight_",
    "show_source",
    "Reflection",
    "getTrace",
    "SplFile",
    "__toString",
    "__get",
    "__call",
    "__invoke",
    "__DIR__",
    "__FILE__",
    "include",
    "stream",
    "eval",
    "GLOBALS",
    "register_",
    "set_e",
    "PHPUnit",
];

/// Whether code could bring what deceives a test.
pub(super) fn reaches_out(scan: &ReachScan<'_>) -> bool {
    names(&scan.text).any(|name| REACHING.iter().any(|sign| name.starts_with(sign)))
}
