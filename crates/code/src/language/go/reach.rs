//! Go: what gives a value an equality of its own, a look at its caller, a file, or the runner.

/// What the imports of such code begin with.
/// Methods that decide whether a value is another one among them.
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
