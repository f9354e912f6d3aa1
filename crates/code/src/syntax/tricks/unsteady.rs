//! Code whose result may differ from run to run: chance, the clock, addresses, numbers of processes and threads.

use crate::detect::is_test_path;
use crate::language::Language;
use crate::syntax::{TokenKind, colours, language_of, test_region};

/// Texts that are found in such code in any language.
const SIGNS: [&str; 40] = [
    "import random",
    "from random",
    "import secrets",
    "import uuid",
    "urandom(",
    "time.time(",
    "time_ns(",
    "perf_counter(",
    "datetime.now(",
    "getpid(",
    "current_thread(",
    "get_ident(",
    "Math.random(",
    "Date.now(",
    "new Date()",
    "performance.now(",
    "hrtime",
    "randomUUID(",
    "randomBytes(",
    "process.pid",
    "threadId",
    "rand::",
    "SystemTime::now",
    "Instant::now",
    "process::id()",
    "thread::current(",
    "RandomState",
    "{:p}",
    "math/rand",
    "crypto/rand",
    "time.Now(",
    "object_id",
    "SecureRandom",
    "Process.pid",
    "identityHashCode",
    "nanoTime(",
    "currentThread(",
    "spl_object_id",
    "mt_rand(",
    "microtime(",
];

/// Functions that give an address, a hash or chance, called by their bare name.
const CALLS: [&str; 5] = ["id", "hash", "rand", "random_int", "uniqid"];

/// Whether one passing run of this code is not enough. Tests beside the code and comments say nothing about it.
pub fn is_unsteady(path: &str, bytes: &[u8]) -> bool {
    let Some(language) = language_of(path).filter(|_| !is_test_path(path)) else { return false };
    if !has_signs(bytes) {
        return false;
    }
    has_signs(&bare_code(path, language, bytes))
}

/// A file without its comments and the tests in it.
pub(crate) fn bare_code(path: &str, language: Language, bytes: &[u8]) -> Vec<u8> {
    let mut code = bytes.to_vec();
    let comments = colours(language, bytes).into_iter().filter(|(_, kind)| *kind == TokenKind::Comment);
    for range in comments.map(|(range, _)| range).chain(test_region(path, bytes)) {
        code[range].fill(b' ');
    }
    code
}

fn has_signs(code: &[u8]) -> bool {
    let text = String::from_utf8_lossy(code);
    SIGNS.iter().any(|sign| text.contains(sign)) || CALLS.iter().any(|name| calls(&text, name))
}

/// Whether a function is called by its bare name: no method, no part of a longer name, no definition.
fn calls(text: &str, name: &str) -> bool {
    let call = format!("{name}(");
    text.match_indices(&call).any(|(at, _)| {
        let before = &text[..at];
        let joined =
            before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '>' | '$'));
        let defined = ["def ", "fn ", "func ", "function "].iter().any(|word| before.ends_with(word));
        !joined && !defined
    })
}
