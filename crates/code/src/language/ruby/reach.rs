//! Ruby: what gives a value an equality of its own, a look at its caller, a file, or the runner.

use crate::syntax::tricks::ReachScan;

const REACHING: [&str; 21] = [
    "def ==",
    "eql?",
    "equal?",
    "<=>",
    "method_missing",
    "respond_to",
    "coerce",
    "caller",
    "eval",
    "define_method",
    "prepend",
    "alias",
    "ObjectSpace",
    "TracePoint",
    "binding",
    "__FILE__",
    "__dir__",
    "refine",
    "instance_variable",
    "at_exit",
    "backtrace",
];

const NAMES: [&str; 11] = [
    "File",
    "IO",
    "Dir",
    "DATA",
    "Kernel",
    "Pathname",
    "open",
    "send",
    "public_send",
    "__send__",
    "const_get",
];

/// Libraries that compute and nothing else.
const PURE: [&str; 10] = [
    "set",
    "json",
    "time",
    "date",
    "bigdecimal",
    "forwardable",
    "strscan",
    "digest",
    "securerandom",
    "singleton",
];

/// Whether code could bring what deceives a test.
pub(super) fn reaches_out(scan: &ReachScan<'_>) -> bool {
    scan.has(&REACHING) || scan.names_one_of(&NAMES) || requires_more(&scan.text)
}

/// Whether a text loads more than its own files and libraries that only compute.
fn requires_more(text: &str) -> bool {
    let known = |rest: &str| {
        let module = rest.trim_start_matches([' ', '(']).trim_start_matches(['\'', '"']);
        rest.starts_with("_relative")
            || PURE.iter().any(|pure| module.split(['\'', '"']).next() == Some(pure))
    };
    text.match_indices("require").any(|(at, word)| !known(&text[at + word.len()..]))
}
