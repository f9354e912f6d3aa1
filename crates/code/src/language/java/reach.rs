//! Java: what gives a value an equality of its own, a look at its caller, a file, or the runner.

pub(super) const REACHING: [&str; 14] = [
    "equals(",
    "hashCode",
    "compareTo",
    "StackTrace",
    "StackWalker",
    "Files",
    "File",
    "Reader",
    "Scanner",
    "reflect",
    "ClassLoader",
    "Thread",
    "Runtime",
    "System.",
];
