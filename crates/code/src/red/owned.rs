//! Whether the files that a task owns could provide a name or a file. What a module or a package is made of, `errors.rs` of each
//! language says.
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
}

/// Whether a path ends with whole parts of another one.
pub(crate) fn ends_with_path(long: &str, short: &str) -> bool {
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

#[cfg(test)]
pub(super) mod tests;
