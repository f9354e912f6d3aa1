//! Code that could bring its own idea of equality, or could look at the test that calls it: it reads files, looks at its callers,
//! defines operators, loads modules that are not known to compute only. Nothing is refused for it; its tests get more
//! changed expectations than others. What is not known to be plain is not plain.

mod python;
mod script;

use crate::detect::is_test_path;
use crate::language::Language;
use crate::syntax::language_of;

use super::unsteady::bare_code;

/// Files that are no code.
const DATA: [&str; 12] =
    ["md", "txt", "json", "toml", "yaml", "yml", "lock", "csv", "html", "css", "svg", "rst"];

const REACHING_RUST: [&str; 26] = [
    "PartialEq for",
    "PartialEq<",
    "PartialOrd for",
    "PartialOrd<",
    "Sub for",
    "Sub<",
    "Rem for",
    "Rem<",
    "Deref",
    "panic::",
    "catch_unwind",
    "include_str",
    "include_bytes",
    "include!",
    "unsafe",
    "extern \"",
    "extern {",
    "extern fn",
    "no_mangle",
    "link_section",
    "export_name",
    "track_caller",
    "Location",
    "macro_rules",
    "env!(",
    "libc",
];
/// Names of the standard library that lead to files, the process or the caller, however they are imported.
const RUST_NAMES: [&str; 8] = ["fs", "File", "OpenOptions", "env", "process", "os", "backtrace", "Backtrace"];
const REACHING_GO: [&str; 15] = [
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
const REACHING_RUBY: [&str; 21] = [
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
const RUBY_NAMES: [&str; 11] = [
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
/// Ruby's libraries that compute and nothing else.
const PURE_RUBY: [&str; 10] = [
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
/// What the names begin with.
const REACHING_PHP: [&str; 23] = [
    "debug_",
    "file",
    "fopen",
    "readfile",
    "parse_ini",
    "highlight_",
    "show_source",
    "Reflection",
    "getTrace",
    "SplFile",
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
        Language::Python => python::reaches(path, &code),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script::reaches(&text),
        Language::Rust => has(&REACHING_RUST) || names(&text).any(|name| RUST_NAMES.contains(&name)),
        Language::Go => has(&REACHING_GO),
        Language::Ruby => has(&REACHING_RUBY) || ruby(&text),
        Language::Php => names(&text).any(|name| REACHING_PHP.iter().any(|sign| name.starts_with(sign))),
        Language::Java => has(&REACHING_JAVA),
        Language::C | Language::Cpp => has(&REACHING_C),
        Language::CSharp => true,
    }
}

/// The names in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty())
}

fn ruby(text: &str) -> bool {
    let known = |rest: &str| {
        let module = rest.trim_start_matches([' ', '(']).trim_start_matches(['\'', '"']);
        rest.starts_with("_relative")
            || PURE_RUBY.iter().any(|pure| module.split(['\'', '"']).next() == Some(pure))
    };
    text.match_indices("require").any(|(at, word)| !known(&text[at + word.len()..]))
        || names(text).any(|name| RUBY_NAMES.contains(&name))
}

#[cfg(test)]
mod tests;
