//! Code that could bring its own idea of equality, or could look at the test that calls it: it reads files, looks at its callers,
//! defines operators, loads modules that are not known to compute only. Nothing is refused for it; its tests get more
//! changed expectations than others. The row of a language says what it looks like there.

use std::borrow::Cow;

use crate::detect::is_test_path;
use crate::syntax::language_of;

use super::unsteady::bare_code;

/// Files that are no code.
const DATA: [&str; 12] =
    ["md", "txt", "json", "toml", "yaml", "yml", "lock", "csv", "html", "css", "svg", "rst"];

/// Code without its comments and its tests, for the rules of its language.
pub(crate) struct ReachScan<'a> {
    pub(crate) path: &'a str,
    pub(crate) code: &'a [u8],
    pub(crate) text: Cow<'a, str>,
}

impl ReachScan<'_> {
    /// Whether the code contains one of these signs.
    pub(crate) fn has(&self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.text.contains(sign))
    }

    /// Whether a name in the code is one of these.
    pub(crate) fn names_one_of(&self, known: &[&str]) -> bool {
        names(&self.text).any(|name| known.contains(&name))
    }
}

/// Whether the tests of this code deserve more changed expectations.
pub fn reaches_out(path: &str, bytes: &[u8]) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    if is_test_path(path) || DATA.contains(&ending) {
        return false;
    }
    let Some(language) = language_of(path) else { return true };
    let code = bare_code(path, language, bytes);
    (language.row().reaches_out)(&ReachScan { path, code: &code, text: String::from_utf8_lossy(&code) })
}

/// The variables that turn debug assertions off, if this code asks whether they are on.
pub fn debug_switch(path: &str, bytes: &[u8]) -> Option<&'static str> {
    let language = language_of(path).filter(|_| !is_test_path(path))?;
    let (sign, off) = language.row().debug_switch?;
    let code = bare_code(path, language, bytes);
    names(&String::from_utf8_lossy(&code)).any(|name| name == sign).then_some(off)
}

/// The names in a text.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests;
