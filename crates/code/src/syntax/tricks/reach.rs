//! Code that could bring its own idea of equality, or could look at the test that calls it: it reads files, looks at its callers,
//! defines operators, loads modules that are not known to compute only. Nothing is refused for it; its tests get more
//! changed expectations than others. What is not known to be plain is not plain.

use crate::detect::is_test_path;
use crate::language::Language;
use crate::syntax::language_of;

use super::unsteady::bare_code;

/// Files that are no code.
const DATA: [&str; 12] =
    ["md", "txt", "json", "toml", "yaml", "yml", "lock", "csv", "html", "css", "svg", "rst"];

/// Python's modules that compute and nothing else.
const PURE_PYTHON: [&str; 24] = [
    "__future__",
    "abc",
    "bisect",
    "calendar",
    "cmath",
    "collections",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "json",
    "math",
    "numbers",
    "operator",
    "re",
    "statistics",
    "string",
    "textwrap",
    "typing",
];
const PLAIN_DUNDER: [&str; 14] = [
    "__init__",
    "__name__",
    "__main__",
    "__all__",
    "__repr__",
    "__version__",
    "__doc__",
    "__future__",
    "__post_init__",
    "__slots__",
    "__len__",
    "__iter__",
    "__next__",
    "__annotations__",
];
const REACHING_PYTHON: [&str; 13] = [
    "open",
    "exec",
    "eval",
    "compile",
    "getattr",
    "setattr",
    "delattr",
    "vars",
    "globals",
    "locals",
    "type",
    "metaclass",
    "breakpoint",
];
const REACHING_SCRIPT: [&str; 21] = [
    "process",
    "global",
    "globalThis",
    "Proxy",
    "Reflect",
    "Symbol",
    "prototype",
    "__proto__",
    "defineProperty",
    "defineProperties",
    "setPrototypeOf",
    "valueOf",
    "toJSON",
    "stack",
    "captureStackTrace",
    "prepareStackTrace",
    "eval",
    "Function",
    "arguments",
    "asymmetricMatch",
    "equals",
];
const REACHING_RUST: [&str; 25] = [
    "PartialEq for",
    "PartialEq<",
    "PartialOrd for",
    "PartialOrd<",
    "Deref",
    "std::fs",
    "std::env",
    "std::process",
    "std::panic",
    "std::os",
    "std::io",
    "std::backtrace",
    "include_str",
    "include_bytes",
    "include!",
    "unsafe",
    "extern ",
    "no_mangle",
    "link_section",
    "export_name",
    "track_caller",
    "Location",
    "macro_rules",
    "env!(",
    "libc",
];
const REACHING_GO: [&str; 12] = [
    "\"os",
    "\"io",
    "\"bufio",
    "\"embed",
    "\"runtime",
    "\"reflect",
    "\"unsafe",
    "\"syscall",
    "\"testing",
    "\"plugin",
    "\"net",
    "\"C\"",
];
const REACHING_RUBY: [&str; 27] = [
    "def ==",
    "eql?",
    "equal?",
    "<=>",
    "method_missing",
    "respond_to",
    "coerce",
    "caller",
    "File",
    "IO",
    "Dir",
    "open",
    "eval",
    "send",
    "define_method",
    "prepend",
    "alias",
    "ObjectSpace",
    "TracePoint",
    "binding",
    "__FILE__",
    "__dir__",
    "DATA",
    "refine",
    "instance_variable",
    "at_exit",
    "require '",
];
const REACHING_PHP: [&str; 18] = [
    "debug_",
    "file",
    "fopen",
    "Reflection",
    "getTrace",
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
const REACHING_JAVA: [&str; 14] = [
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
const REACHING_C: [&str; 20] = [
    "open(",
    "fread",
    "ifstream",
    "filebuf",
    "operator",
    "template",
    "#define",
    "#undef",
    "__FILE__",
    "signal",
    "exit",
    "asm",
    "dlsym",
    "environ",
    "popen",
    "system(",
    "mmap",
    "syscall",
    "source_location",
    "incbin",
];

/// Whether the tests of this code deserve more changed expectations.
pub fn reaches_out(path: &str, bytes: &[u8]) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    if is_test_path(path) || DATA.contains(&ending) {
        return false;
    }
    let Some(language) = language_of(path) else { return true };
    let code = bare_code(path, language, bytes);
    let text = String::from_utf8_lossy(&code);
    let has = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    match language {
        Language::Python => python(&text),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script(&text),
        Language::Rust => has(&REACHING_RUST),
        Language::Go => has(&REACHING_GO),
        Language::Ruby => has(&REACHING_RUBY),
        Language::Php => has(&REACHING_PHP),
        Language::Java => has(&REACHING_JAVA),
        Language::C | Language::Cpp => has(&REACHING_C),
        Language::CSharp => true,
    }
}

/// The names in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty())
}

fn python(text: &str) -> bool {
    let mut imports = text.lines().filter_map(|line| {
        let line = line.trim();
        line.strip_prefix("import ").or_else(|| line.strip_prefix("from "))
    });
    let foreign = |module: &str| {
        let first = module.trim().split([' ', '.', ',']).next().unwrap_or_default();
        !module.trim().starts_with('.') && !PURE_PYTHON.contains(&first)
    };
    let several = |modules: &str| modules.contains(',') && !modules.contains(" import ");
    imports.any(|modules| foreign(modules) || several(modules))
        || names(text).any(|name| {
            REACHING_PYTHON.contains(&name) || (name.starts_with("__") && !PLAIN_DUNDER.contains(&name))
        })
}

fn script(text: &str) -> bool {
    let relative = |rest: &str| rest.trim_start_matches(['(', ' ', '\'', '"', '`']).starts_with('.');
    let required = text.match_indices("require").any(|(at, word)| !relative(&text[at + word.len()..]));
    let mut imported = text.lines().filter(|line| line.trim_start().starts_with("import"));
    let foreign = |line: &str| !line.contains(" from '.") && !line.contains(" from \".");
    let loaded = imported.any(|line| foreign(line) && !line.contains("import type"));
    required
        || loaded
        || text.contains("import(")
        || text.contains(".constructor")
        || names(text).any(|name| REACHING_SCRIPT.contains(&name))
}

#[cfg(test)]
mod tests;
