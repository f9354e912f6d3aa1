//! JavaScript and TypeScript: what gives a value an equality of its own, a look at its caller, a file, or the runner.

use crate::detect::is_test_path;
use crate::syntax::tricks::{ReachScan, names};

/// Node's modules that compute and nothing else.
const PURE: [&str; 8] =
    ["buffer", "crypto", "events", "path", "punycode", "querystring", "string_decoder", "url"];

/// Names that change what values are equal to, or lead to the caller, the process or the language itself.
const REACHING: [&str; 22] = [
    "process",
    "global",
    "globalThis",
    "Proxy",
    "Reflect",
    "__proto__",
    "__defineGetter__",
    "__lookupGetter__",
    "defineProperties",
    "setPrototypeOf",
    "valueOf",
    "toJSON",
    "captureStackTrace",
    "prepareStackTrace",
    "stackTraceLimit",
    "eval",
    "Function",
    "callee",
    "caller",
    "asymmetricMatch",
    "equals",
    "getBuiltinModule",
];

/// Whether code could bring what deceives a test.
pub(super) fn reaches_out(scan: &ReachScan<'_>) -> bool {
    let text = &*scan.text;
    let foreign = |rest: &str| {
        // `require.cache` holds every module that is loaded.
        if !rest.trim_start().starts_with(['(', '\'', '"', '`', '{', '*'])
            && rest.trim_start().starts_with('.')
        {
            return true;
        }
        let module = rest.trim_start_matches(['(', ' ', '\'', '"', '`']);
        let name = module.split(['\'', '"', '`']).next().unwrap_or_default();
        let own = name.starts_with('.') && !is_test_path(name.trim_start_matches(['.', '/']));
        !(own || PURE.contains(&name.strip_prefix("node:").unwrap_or(name)))
    };
    let required = text.match_indices("require").any(|(at, word)| foreign(&text[at + word.len()..]));
    let mut imported = text.lines().filter(|line| line.trim_start().starts_with("import"));
    let loaded = imported.any(|line| {
        let from = line.rsplit_once(" from ").map(|(_, from)| from);
        !line.contains("import type") && from.is_none_or(foreign)
    });
    required
        || loaded
        || ["module.children", "module.parent", "module.require"].iter().any(|word| text.contains(word))
        || text.contains("import(")
        || text.contains(".constructor")
        || names(text).any(|name| REACHING.contains(&name))
        || leads_on(text, "Symbol", &[".iterator", ".asyncIterator", "()", "('", "(\""])
        || leads_on(text, "defineProperty", &["(exports, ", "(module.exports, "])
        || looks_at_stack(text)
        || drops_failures(text)
        || changes_prototype(text)
}

/// Whether a word is followed by something other than these.
fn leads_on(text: &str, word: &str, plain: &[&str]) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word).any(|(at, _)| {
        let rest = &text[at + word.len()..];
        let inner = text[..at].ends_with(part) || rest.starts_with(part);
        !inner && !plain.iter().any(|plain| rest.starts_with(plain))
    })
}

/// A `catch` that hands nothing on: what it drops may be a failed assertion of a callback.
fn drops_failures(text: &str) -> bool {
    let block = |rest: &str| {
        let rest = rest.trim_start();
        let rest =
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest);
        rest.trim_start().strip_prefix('{').map(|rest| {
            let mut depth = 1_i32;
            let end = rest.find(|c: char| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                depth == 0
            });
            rest[..end.unwrap_or(rest.len())].to_owned()
        })
    };
    let blocks = text.match_indices("catch").filter_map(|(at, word)| block(&text[at + word.len()..]));
    blocks.into_iter().any(|block| !names(&block).any(|name| matches!(name, "throw" | "reject")))
}

/// The stack of an error, not a list that is called so.
fn looks_at_stack(text: &str) -> bool {
    text.match_indices("stack").any(|(at, word)| {
        let before = text[..at].trim_end();
        let whole = !text[at + word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        whole && before.ends_with(['.', '\'', '"', '`', '{', ',']) && !before.ends_with("this.")
    })
}

/// A method on a prototype that is not one of the file's own, or one that is reached otherwise than by `X.prototype.name`.
fn changes_prototype(text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices("prototype").any(|(at, word)| {
        let rest = text[at + word.len()..].trim_start();
        let Some(owner) = text[..at].strip_suffix('.').and_then(|before| before.rsplit(|c| !part(c)).next())
        else {
            return true;
        };
        let own = [format!("function {owner}("), format!("function {owner} ("), format!("class {owner} ")];
        if own.iter().any(|own| text.contains(own.as_str())) {
            return rest.starts_with('[');
        }
        let Some(member) = rest.strip_prefix('.') else { return true };
        member
            .trim_start_matches(part)
            .trim_start()
            .strip_prefix('=')
            .is_some_and(|rest| !rest.starts_with('='))
    })
}
