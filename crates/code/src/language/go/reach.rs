//! Go: what gives a value an equality of its own, a look at its caller, a file, or the runner.

/// What the imports of such code begin with.
pub(super) const REACHING: [&str; 15] = [
    "\"os",
    "\"io/ioutil",
    "\"io/fs",
    "\"embed",
    "\"runtime",
    "\"reflect",
    "\"unsafe",
    "\"syscall",
    "\"testing",
    "\"plugin",
    "\"net/http",
    "\"go/",
    "\"text/template",
    "\"html/template",
    "\"C\"",
];
