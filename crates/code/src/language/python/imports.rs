//! Python: the files that imports mean, and how imports are written.

use crate::survey::{Import, ImportRequest, ImportTerms, ImportedFile, Survey, below, join, roots, split};

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

/// The files that an import means.
pub(crate) fn resolve(survey: &Survey, path: &str, import: &Import) -> Vec<String> {
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
            roots.retain(|root| !survey.has(&join(root, "__init__.py")));
        }
        roots
    };
    for root in roots {
        let base = join(&root, &inner);
        let module = |base: &str| survey.first([format!("{base}.py"), format!("{base}/__init__.py")]);
        let own = if base.is_empty() { survey.first(["__init__.py".to_owned()]) } else { module(&base) };
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

/// A package is imported by its directory, or from below it by dots alone.
pub(crate) fn terms(file: &ImportedFile<'_>) -> ImportTerms {
    if file.stem == "__init__" {
        return ImportTerms { far: vec![file.folder()], near: vec![vec![".".to_owned()]] };
    }
    file.by_stem()
}

/// The line by which a file imports names.
pub(crate) fn import_line(request: &ImportRequest<'_>) -> Option<String> {
    let ImportRequest { path, as_written, names, .. } = request;
    // Fixtures are handed over by name.
    if split(path).1 == "conftest.py" {
        return None;
    }
    let stem = split(path).1.strip_suffix(".py")?;
    let taken = |module: &str, import: &Import| {
        let whole = import.names.iter().any(|name| name == stem);
        if whole {
            format!("from {module} import {stem}")
        } else if import.names.is_empty() {
            format!("import {module}")
        } else {
            format!("from {module} import {}", names.join(", "))
        }
    };
    if let Some((_, import)) = as_written {
        return Some(taken(&import.module, import));
    }
    // Relative imports elsewhere: the same package, seen from here.
    let (mut up, mut dots) = (split(request.seeker.file).0, 1);
    loop {
        if let Some(rest) = below(up, path).filter(|_| !up.is_empty()) {
            let module = rest.strip_suffix(".py")?.replace('/', ".");
            let module = module.strip_suffix(".__init__").unwrap_or(&module);
            return Some(format!("from {}{module} import {}", ".".repeat(dots), names.join(", ")));
        }
        if up.is_empty() {
            return None;
        }
        up = split(up).0;
        dots += 1;
    }
}

/// The path of the module that `.a` or `..a.b` means: one dot is the directory of the importing file, each further one its parent.
pub(super) fn relative_module(dir: &str, module: &str) -> Option<String> {
    let rest = module.trim_start_matches('.');
    let ups = module.len() - rest.len() - 1;
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    parts.truncate(parts.len().checked_sub(ups)?);
    parts.extend(rest.split('.').filter(|part| !part.is_empty()));
    Some(parts.join("/"))
}
