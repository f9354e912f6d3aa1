//! Whether the files that a task owns could provide a module or a name.
//!
//! Lenient for names, strict for modules and packages: a package that no owned file provides never appears by itself.

use windlass_core::path_text::file_name;

/// The files a task is to provide and the names its contract exports.
#[derive(Clone, Copy)]
pub(crate) struct OwnedFiles<'a> {
    pub(crate) files: &'a [String],
    pub(crate) names: &'a [String],
    /// The files that are there before the task begins; may be empty where that is not known.
    pub(crate) present: &'a [String],
}

impl OwnedFiles<'_> {
    /// Whether the contract exports the name.
    pub(crate) fn promises(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name || known.rsplit(['.', ':']).next() == Some(name))
    }

    /// Whether a file of one of these names is owned.
    pub(crate) fn has_file(&self, names: &[&str]) -> bool {
        self.files.iter().any(|path| names.contains(&file_name(path)))
    }

    /// Whether an owned path is the end of a path that a tool printed.
    pub(crate) fn has_path(&self, printed: &str) -> bool {
        let printed = without_steps_back(printed);
        self.files.iter().any(|path| {
            printed
                .strip_suffix(path.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
        })
    }

    /// `a.b` is provided by `src/a/b.py`, `a/b/__init__.py` and by anything inside `a/b/`, unless modules are in that
    /// directory already: then the package is there and Python does not look where it is.
    pub(crate) fn python_module(&self, dotted: &str) -> bool {
        let wanted: Vec<&str> = dotted.split('.').filter(|part| !part.is_empty()).collect();
        let manifests = ["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "Pipfile", "uv.lock"];
        let provides = |parts: &Vec<&str>| {
            let found = parts.windows(wanted.len()).position(|window| window == wanted);
            found.is_some_and(|at| {
                let (package, inside) = parts.split_at(at + wanted.len());
                matches!(inside, [] | ["__init__"]) || !self.has_modules_in(&package.join("/"))
            })
        };
        !wanted.is_empty() && (self.has_file(&manifests) || self.python_files().any(|parts| provides(&parts)))
    }

    /// Whether a directory has Python modules before the task begins.
    fn has_modules_in(&self, dir: &str) -> bool {
        let inside = |path: &String| {
            path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/') && rest.ends_with(".py"))
        };
        self.present.iter().any(inside)
    }

    /// A name of a module can come from the module, from a module inside it, or through its package.
    pub(crate) fn python_name(&self, module: &str, name: &str) -> bool {
        let top = module.trim_start_matches('.').split('.').next().unwrap_or_default();
        self.python_module(module)
            || self.python_module(&format!("{module}.{name}"))
            || (!top.is_empty() && self.python_files().any(|parts| parts.contains(&top)))
            || self.promises(name)
    }

    fn python_files(&self) -> impl Iterator<Item = Vec<&str>> {
        self.files.iter().filter_map(|path| path.strip_suffix(".py")).map(|path| path.split('/').collect())
    }

    /// A module is provided by a file or directory of its name, or by a file that could declare it inline.
    pub(crate) fn rust_module(&self, name: &str) -> bool {
        self.promises(name)
            || self.has_file(&["lib.rs", "main.rs", "mod.rs"])
            || self
                .files
                .iter()
                .filter_map(|path| path.strip_suffix(".rs"))
                .any(|path| path.split('/').any(|part| part == name))
    }

    /// A crate is provided by its manifest, or by the `lib.rs` that makes the package a library.
    pub(crate) fn rust_crate(&self, name: &str) -> bool {
        self.has_file(&["Cargo.toml", "lib.rs"])
            || self
                .files
                .iter()
                .filter_map(|path| path.strip_suffix(".rs"))
                .any(|path| path.split('/').any(|part| part.replace('-', "_") == name))
    }

    /// The owned file that a relative or absolute module path of JavaScript means.
    pub(crate) fn script_file(&self, specifier: &str) -> Option<&str> {
        let whole = module_path(specifier);
        let wanted = whole.strip_suffix("/index").unwrap_or(&whole).to_owned();
        let means = |path: &&String| {
            let own = without_script_ending(path);
            // `..` and `.` mean the main file of a directory.
            if wanted.is_empty() {
                return own == "index" || own.ends_with("/index");
            }
            // The main file of a package has no directory that its module could be named by.
            if own == "index" {
                return ends_with_path(&whole, own);
            }
            let dir = own.strip_suffix("/index").unwrap_or(own);
            ends_with_path(&wanted, dir) || ends_with_path(dir, &wanted) || ends_with_path(own, &whole)
        };
        self.files.iter().find(means).map(String::as_str).or_else(|| self.built_file(&whole))
    }

    /// The owned source, still to be written, that a build is going to make a module of: `dist/esm/a` of `src/a.ts`. Nothing of the
    /// repository is where a build puts its results.
    fn built_file(&self, module: &str) -> Option<&str> {
        let (dir, _) = module.rsplit_once('/')?;
        let is_in =
            |path: &String, dir: &str| path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
        let mut tails = dir.match_indices('/').filter_map(|(at, _)| dir.get(at + 1..)).chain([dir]);
        if self.present.is_empty() || tails.any(|tail| self.present.iter().any(|path| is_in(path, tail))) {
            return None;
        }
        let makes = |path: &&String| {
            let inside = below_sources(without_script_ending(path));
            let dir = inside.strip_suffix("/index").unwrap_or(inside);
            !self.present.contains(path) && (ends_with_path(module, inside) || ends_with_path(module, dir))
        };
        self.files.iter().find(makes).map(String::as_str)
    }

    /// Whether an owned file is the module that a path of JavaScript means.
    pub(crate) fn script_module(&self, specifier: &str) -> bool {
        self.script_file(specifier).is_some()
    }

    /// A package is provided by a manifest, or by a workspace member of its name.
    pub(crate) fn script_package(&self, name: &str) -> bool {
        let last = name.trim_start_matches('@').split('/').nth(usize::from(name.starts_with('@')));
        self.has_file(&["package.json"])
            || (name.starts_with('@')
                && self.files.iter().any(|path| path.split('/').rev().skip(1).any(|part| Some(part) == last)))
    }

    /// Whether an owned file is the one that a tool misses, which may be named without its ending or from elsewhere.
    pub(crate) fn module_file(&self, missed: &str, endings: &[&str]) -> bool {
        let tail: Vec<&str> = missed.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
        let tail = tail.join("/");
        let means = |path: &str| ends_with_path(path, &tail) || ends_with_path(&tail, path);
        self.files.iter().any(|path| {
            let bare = path.rsplit_once('.').filter(|(_, ending)| endings.contains(ending));
            means(path) || bare.is_some_and(|(bare, _)| means(bare))
        })
    }

    /// A Java package is the directory of an owned file.
    pub(crate) fn java_package(&self, package: &str) -> bool {
        let dir = package.replace('.', "/");
        self.has_file(&["pom.xml", "build.gradle", "build.gradle.kts"])
            || self
                .files
                .iter()
                .filter_map(|path| path.rsplit_once('/'))
                .any(|(owned, _)| ends_with_path(owned, &dir))
    }

    /// The owned Go file in a directory that a tool printed.
    pub(crate) fn go_directory(&self, printed: &str) -> Option<&str> {
        let mut files = self.files.iter().filter(|path| path.ends_with(".go") && !path.ends_with("_test.go"));
        let inside = |path: &&String| match path.rsplit_once('/') {
            Some((dir, _)) => ends_with_path(printed, dir),
            None => true,
        };
        files.find(inside).map(String::as_str)
    }

    /// A Go package is the directory of an owned file.
    pub(crate) fn go_package(&self, import: &str) -> bool {
        self.has_file(&["go.mod"])
            || self
                .files
                .iter()
                .filter_map(|path| path.strip_suffix(".go")?.rsplit_once('/'))
                .any(|(dir, _)| ends_with_path(import, dir))
    }
}

fn ends_with_path(long: &str, short: &str) -> bool {
    !short.is_empty() && long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// A path without the directories that it leaves again: `/w/tests/../src/a.php` is `/w/src/a.php`.
fn without_steps_back(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, kept.last()) {
            (".", Some(_)) => {}
            ("..", Some(last)) if !matches!(*last, "" | "." | "..") => {
                kept.pop();
            }
            _ => kept.push(part),
        }
    }
    kept.join("/")
}

/// What is left of a specifier when the way to it is taken off: `../src/a.js` and `@/src/a` are `src/a`.
fn module_path(specifier: &str) -> String {
    let path = specifier.split('?').next().unwrap_or(specifier);
    let path = path.strip_prefix("file://").unwrap_or(path);
    let parts: Vec<&str> =
        path.split('/').filter(|part| !matches!(*part, "" | "." | ".." | "@" | "~" | "#")).collect();
    let tail = parts.join("/");
    without_script_ending(&tail).to_owned()
}

/// A path as it is named below the directory of a package's sources, which a build keeps.
fn below_sources(path: &str) -> &str {
    let root = ["src/", "source/", "lib/"].iter().filter_map(|root| {
        let at = path.rfind(root)?;
        (at == 0 || path[..at].ends_with('/')).then_some(at + root.len())
    });
    let first = path.find('/').map_or(0, |at| at + 1);
    &path[root.max().unwrap_or(first)..]
}

fn without_script_ending(path: &str) -> &str {
    [".d.ts", ".tsx", ".mts", ".cts", ".ts", ".jsx", ".mjs", ".cjs", ".js", ".json", ".vue", ".svelte"]
        .iter()
        .find_map(|ending| path.strip_suffix(ending))
        .unwrap_or(path)
}

#[cfg(test)]
mod tests;
