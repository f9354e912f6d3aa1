//! Ways out of the sandbox, and what comes of them. Each test can be read as a promise of the guide's page on trust.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail, and say where")]

mod cell;
mod inside;
