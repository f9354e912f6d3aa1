//! From an import to the file of the repository it means, by paths alone; nothing for what lies outside.

use super::facts::{FileFacts, Import, Language};
use super::place::{below, join, split};
use super::query::Survey;

/// The modules of Python itself.
#[rustfmt::skip]
const PYTHONS_OWN: [&str; 207] = [
    "abc", "aifc", "argparse", "array", "ast", "asynchat", "asyncio", "asyncore", "atexit", "audioop",
    "base64", "bdb", "binascii", "bisect", "builtins", "bz2", "cProfile", "calendar", "cgi", "cgitb", "chunk",
    "cmath", "cmd", "code", "codecs", "codeop", "collections", "colorsys", "compileall", "concurrent",
    "configparser", "contextlib", "contextvars", "copy", "copyreg", "crypt", "csv", "ctypes", "curses",
    "dataclasses", "datetime", "dbm", "decimal", "difflib", "dis", "distutils", "doctest", "email",
    "encodings", "ensurepip", "enum", "errno", "faulthandler", "fcntl", "filecmp", "fileinput", "fnmatch",
    "fractions", "ftplib", "functools", "gc", "genericpath", "getopt", "getpass", "gettext", "glob",
    "graphlib", "grp", "gzip", "hashlib", "heapq", "hmac", "html", "http", "imaplib", "imghdr", "imp",
    "importlib", "inspect", "io", "ipaddress", "itertools", "json", "keyword", "linecache", "locale",
    "logging", "lzma", "mailbox", "mailcap", "marshal", "math", "mimetypes", "mmap", "modulefinder",
    "multiprocessing", "netrc", "nis", "nntplib", "nturl2path", "numbers", "opcode", "operator", "optparse",
    "os", "ossaudiodev", "pathlib", "pdb", "pickle", "pickletools", "pipes", "pkgutil", "platform",
    "plistlib", "poplib", "posix", "posixpath", "pprint", "profile", "pstats", "pty", "pwd", "py_compile",
    "pyclbr", "pydoc", "pydoc_data", "pyexpat", "queue", "quopri", "random", "re", "readline", "reprlib",
    "resource", "rlcompleter", "runpy", "sched", "secrets", "select", "selectors", "shelve", "shlex",
    "shutil", "signal", "site", "smtpd", "smtplib", "sndhdr", "socket", "socketserver", "spwd", "sqlite3",
    "sre_compile", "sre_constants", "sre_parse", "ssl", "stat", "statistics", "string", "stringprep",
    "struct", "subprocess", "sunau", "symtable", "sys", "sysconfig", "syslog", "tabnanny", "tarfile",
    "telnetlib", "tempfile", "termios", "textwrap", "threading", "time", "timeit", "tkinter", "token",
    "tokenize", "tomllib", "trace", "traceback", "tracemalloc", "tty", "turtle", "turtledemo", "types",
    "typing", "unicodedata", "unittest", "urllib", "uu", "uuid", "venv", "warnings", "wave", "weakref",
    "webbrowser", "wsgiref", "xdrlib", "xml", "xmlrpc", "zipapp", "zipfile", "zipimport", "zlib", "zoneinfo",
];

/// Answers for one survey.
pub(super) struct Resolver<'a> {
    survey: &'a Survey,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(survey: &'a Survey) -> Self {
        Self { survey }
    }

    /// The files that an import in `path` means.
    pub(super) fn resolve(&self, path: &str, facts: &FileFacts, import: &Import) -> Vec<String> {
        match facts.language {
            Language::Python => self.python(path, import),
            Language::Rust => self.rust(path, import),
            Language::JavaScript | Language::TypeScript | Language::Tsx => self.script(path, import),
            Language::Go => self.go(import),
            Language::Java => self.dotted(path, import, "java", &["src/main/java", "src/test/java", "src"]),
            Language::C | Language::Cpp => self.include(path, import),
            Language::Ruby => self.ruby(path, import),
            Language::CSharp => self.namespace(import),
            Language::Php => self.php(path, import),
        }
    }

    fn first(&self, candidates: impl IntoIterator<Item = String>) -> Option<String> {
        candidates.into_iter().find(|path| self.survey.has(path))
    }

    fn python(&self, path: &str, import: &Import) -> Vec<String> {
        let dots = import.module.len() - import.module.trim_start_matches('.').len();
        let inner = import.module.trim_start_matches('.').replace('.', "/");
        let roots = if dots > 0 {
            let mut dir = split(path).0;
            for _ in 1..dots {
                dir = split(dir).0;
            }
            vec![dir.to_owned()]
        } else {
            // A module of a package is not imported by its bare name, unless the package is run as a directory; where
            // the name is one of Python's own, that is what is meant.
            let first = import.module.split('.').next().unwrap_or_default();
            let mut roots = roots(path, &["src", "lib", "app"]);
            if PYTHONS_OWN.contains(&first) {
                roots.retain(|root| !self.survey.has(&join(root, "__init__.py")));
            }
            roots
        };
        for root in roots {
            let base = join(&root, &inner);
            let module = |base: &str| self.first([format!("{base}.py"), format!("{base}/__init__.py")]);
            let own = if base.is_empty() { self.first(["__init__.py".to_owned()]) } else { module(&base) };
            // `from package import module` means the module, not only the package.
            let mut found: Vec<String> =
                import.names.iter().filter_map(|name| module(&join(&base, name))).collect();
            if found.is_empty() || found.len() < import.names.len() {
                found.extend(own);
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn rust(&self, path: &str, import: &Import) -> Vec<String> {
        let mut parts: Vec<&str> = import.module.split("::").collect();
        let Some((root, base)) = self.rust_base(path, &mut parts) else { return Vec::new() };
        let file = |segments: &[&str]| {
            let inner = join(&base, &segments.join("/"));
            if segments.is_empty() {
                let (dir, name) = split(&base);
                let own = join(dir, &format!("{name}.rs"));
                self.first(
                    [join(&root, "lib.rs"), join(&root, "main.rs")].into_iter().filter(|_| base == root),
                )
                .or_else(|| self.first([format!("{base}/mod.rs"), own]))
            } else {
                self.first([format!("{inner}.rs"), format!("{inner}/mod.rs")])
            }
        };
        let mut found: Vec<String> = import
            .names
            .iter()
            .filter_map(|name| {
                let mut segments = parts.clone();
                segments.push(name);
                file(&segments)
            })
            .collect();
        if found.len() < import.names.len() || import.names.is_empty() {
            // An item rather than a module: the module it is in.
            found.extend((0..=parts.len()).rev().find_map(|n| file(&parts[..n])));
        }
        found
    }

    /// The source root of the crate and the directory the remaining segments are relative to.
    fn rust_base(&self, path: &str, parts: &mut Vec<&str>) -> Option<(String, String)> {
        let member = self.survey.member(path).map_or("", |m| m.dir.as_str());
        let src = join(member, "src");
        let first = *parts.first()?;
        match first {
            "crate" => {
                parts.remove(0);
                Some((src.clone(), src))
            }
            "self" | "super" => {
                let mut base = module_dir(path);
                while parts.first().is_some_and(|part| *part == "self" || *part == "super") {
                    if parts.remove(0) == "super" {
                        split(&base).0.to_owned().clone_into(&mut base);
                    }
                }
                below(&src, &base)?;
                Some((src, base))
            }
            name => {
                let named = |m: &&super::query::Member| {
                    m.name.as_deref().is_some_and(|known| known.replace('-', "_") == name)
                };
                let other = self.survey.members.iter().find(named)?;
                parts.remove(0);
                let src = join(&other.dir, "src");
                Some((src.clone(), src))
            }
        }
    }

    fn script(&self, path: &str, import: &Import) -> Vec<String> {
        const ENDINGS: [&str; 7] = ["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts"];
        let bases: Vec<String> = if import.module.starts_with('.') {
            resolve_dots(split(path).0, &import.module).into_iter().collect()
        } else if let Some(rest) = import.module.strip_prefix("@/").or(import.module.strip_prefix("~/")) {
            let member = self.survey.member(path).map_or("", |m| m.dir.as_str());
            vec![join(&join(member, "src"), rest), join(member, rest)]
        } else {
            self.packages(&import.module)
        };
        let found = bases.iter().find_map(|base| {
            // `./x.js` in TypeScript means `./x.ts`.
            let bare = base
                .rsplit_once('.')
                .map_or(base.as_str(), |(bare, ending)| if ENDINGS.contains(&ending) { bare } else { base });
            let exact = [base.clone()].into_iter();
            let files = ENDINGS.iter().map(|ending| format!("{bare}.{ending}"));
            let index = ENDINGS.iter().map(|ending| format!("{base}/index.{ending}"));
            self.first(exact.chain(files).chain(index))
        });
        found.into_iter().collect()
    }

    /// Members of a workspace are imported by their names.
    fn packages(&self, module: &str) -> Vec<String> {
        self.survey
            .members
            .iter()
            .filter_map(|m| {
                let rest = below(m.name.as_deref().filter(|name| !name.is_empty())?, module)?;
                Some([
                    join(&m.dir, rest),
                    join(&join(&m.dir, "src"), if rest.is_empty() { "index" } else { rest }),
                ])
            })
            .flatten()
            .collect()
    }

    fn go(&self, import: &Import) -> Vec<String> {
        let dir = self.survey.members.iter().find_map(|m| {
            let rest = below(m.name.as_deref().filter(|name| !name.is_empty())?, &import.module)?;
            Some(join(&m.dir, rest))
        });
        let Some(dir) = dir else { return Vec::new() };
        let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
        let start = self.survey.paths.partition_point(|p| p.as_str() < prefix.as_str());
        self.survey.paths[start..]
            .iter()
            .take_while(|p| p.starts_with(&prefix))
            .filter(|p| split(p).0 == dir && p.ends_with(".go") && !p.ends_with("_test.go"))
            .cloned()
            .collect()
    }

    fn dotted(&self, path: &str, import: &Import, ending: &str, usual: &[&str]) -> Vec<String> {
        let inner = import.module.replace('.', "/");
        let full = match import.names.first().map(String::as_str) {
            Some("*") | None => inner.clone(),
            Some(name) => join(&inner, name),
        };
        let roots = roots(path, usual);
        roots
            .iter()
            .find_map(|root| self.first([format!("{}.{ending}", join(root, &full))]))
            .into_iter()
            .collect()
    }

    fn include(&self, path: &str, import: &Import) -> Vec<String> {
        let near = resolve_dots(split(path).0, &import.module);
        let found = near.filter(|p| self.survey.has(p)).or_else(|| {
            let roots = roots(path, &["include", "src", "lib"]);
            roots.iter().find_map(|root| self.first([join(root, &import.module)]))
        });
        found.into_iter().collect()
    }

    fn ruby(&self, path: &str, import: &Import) -> Vec<String> {
        let file = format!("{}.rb", import.module.trim_end_matches(".rb"));
        let near = import.names.first().is_some_and(|how| how == "relative");
        if near {
            return resolve_dots(split(path).0, &file).filter(|p| self.survey.has(p)).into_iter().collect();
        }
        let roots = roots(path, &["lib", "app", "spec", "test"]);
        roots.iter().find_map(|root| self.first([join(root, &file)])).into_iter().collect()
    }

    /// A namespace is where its files say, not where they stand.
    fn namespace(&self, import: &Import) -> Vec<String> {
        self.survey.declaring(&import.module, Language::CSharp)
    }

    fn php(&self, path: &str, import: &Import) -> Vec<String> {
        if import.module.contains('/') || import.module.ends_with(".php") {
            return resolve_dots(split(path).0, import.module.trim_start_matches('/'))
                .filter(|p| self.survey.has(p))
                .into_iter()
                .collect();
        }
        let parts: Vec<&str> = import.module.trim_matches('\\').split('\\').collect();
        // The first segments are a prefix that stands for `src`: how many is written in composer.json, so try.
        let roots = roots(path, &["src", "app", "lib"]);
        (0..parts.len())
            .find_map(|skip| {
                let file = format!("{}.php", parts[skip..].join("/"));
                roots.iter().find_map(|root| self.first([join(root, &file)]))
            })
            .into_iter()
            .collect()
    }
}

/// The directories from that of `path` up to the root, and the usual roots of sources below each.
fn roots(path: &str, usual: &[&str]) -> Vec<String> {
    let mut roots = Vec::new();
    let mut dir = split(path).0;
    loop {
        roots.push(dir.to_owned());
        roots.extend(usual.iter().map(|sub| join(dir, sub)));
        if dir.is_empty() {
            return roots;
        }
        dir = split(dir).0;
    }
}

/// The directory of the submodules of a Rust file.
fn module_dir(path: &str) -> String {
    let (dir, name) = split(path);
    match name {
        "mod.rs" | "lib.rs" | "main.rs" => dir.to_owned(),
        _ => join(dir, name.trim_end_matches(".rs")),
    }
}

/// `a/b` + `../c` is `a/c`; `None` when it climbs out of the tree.
pub fn resolve_dots(dir: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}
