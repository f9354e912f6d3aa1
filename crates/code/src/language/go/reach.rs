//! Go: what gives a value an equality of its own, a look at its caller, a file, or the runner.

/// Words of such code: what its imports begin with, and methods that decide whether a value equals another one.
pub(super) const REACHING: [&str; 21] = [
    ") Is(",
    ") As(",
    ") Equal(",
    ") Equals(",
    ") Compare(",
    ") Less(",
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
