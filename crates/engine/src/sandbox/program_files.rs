//! The files a program needs: its own file, link targets and its installation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::layout::is_system;

/// How many links and installations are followed.
const DEEP: usize = 8;

/// The paths a program needs outside the system.
pub(crate) fn of_program(program: &Path) -> Vec<PathBuf> {
    let mut reach = Reach::default();
    reach.program(program, DEEP);
    reach.found.into_iter().collect()
}

/// The paths a directory of the search path needs: itself and its link targets.
pub fn of_directory(dir: &Path) -> Vec<PathBuf> {
    let mut reach = Reach::default();
    reach.directory(dir, DEEP);
    reach.found.into_iter().collect()
}

#[derive(Default)]
struct Reach {
    found: BTreeSet<PathBuf>,
    looked_at: BTreeSet<PathBuf>,
}

impl Reach {
    fn directory(&mut self, dir: &Path, deep: usize) {
        if !dir.is_absolute() || is_system(dir) || !dir.is_dir() || !self.looked_at.insert(dir.to_owned()) {
            return;
        }
        self.found.insert(installation(dir).unwrap_or(dir).to_owned());
        self.python_below(dir, deep);
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                self.program(&entry.path(), deep);
            }
        }
    }

    fn program(&mut self, program: &Path, deep: usize) {
        let Ok(real) = program.canonicalize() else { return };
        if deep == 0 || !real.is_file() {
            return;
        }
        if !is_system(program) {
            self.found.insert(program.to_owned());
        }
        if is_system(&real) {
            return;
        }
        let around = real.parent().and_then(installation);
        self.found.insert(around.unwrap_or(&real).to_owned());
        if let Some(dir) = real.parent().filter(|_| around.is_some()) {
            self.python_below(dir, deep);
        }
    }

    /// A virtual environment says which Python it was made from.
    fn python_below(&mut self, dir: &Path, deep: usize) {
        let Some(text) = dir.parent().and_then(|top| std::fs::read_to_string(top.join("pyvenv.cfg")).ok())
        else {
            return;
        };
        let home = text.lines().filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "home");
        if let Some((_, home)) = home
            && deep > 0
        {
            self.directory(Path::new(home.trim()), deep - 1);
        }
    }
}

/// The installation of a program directory: `x` for `x/bin`, if it looks like one. A directory with more than programs,
/// such as `~/.local`, is none.
fn installation(dir: &Path) -> Option<&Path> {
    let top = dir.parent().filter(|_| dir.ends_with("bin"))?;
    let is_venv = top.join("pyvenv.cfg").is_file();
    let is_personal =
        top.ends_with(".local") || top.ends_with(".cargo") || top.join("share/keyrings").exists();
    let has_libraries = ["lib", "lib64", "libexec"].iter().any(|part| top.join(part).is_dir());
    (is_venv || (has_libraries && !is_personal && top.parent().is_some())).then_some(top)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_is_found_through_links_and_environments() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let file = |path: &str, text: &str| {
            let path = top.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        file("node/bin/node", "");
        file("node/lib/x.js", "");
        file("python/bin/python3", "");
        file("python/lib/os.py", "");
        file("venv/pyvenv.cfg", &format!("home = {}\n", top.join("python/bin").display()));
        file("venv/bin/pytest", "");
        file(".local/bin/plain", "");
        file(".local/lib/x", "");
        std::os::unix::fs::symlink(top.join("node/bin/node"), top.join(".local/bin/node")).unwrap();
        std::os::unix::fs::symlink("/usr/bin/env", top.join(".local/bin/env")).unwrap();
        let shown = |found: Vec<PathBuf>| {
            found.iter().map(|p| p.strip_prefix(&top).unwrap().display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(shown(of_directory(&top.join("venv/bin"))), ["python", "venv"]);
        assert_eq!(
            shown(of_directory(&top.join(".local/bin"))),
            [".local/bin", ".local/bin/env", ".local/bin/node", "node"]
        );
        assert_eq!(of_program(Path::new("/usr/bin/env")), Vec::<PathBuf>::new());
        assert_eq!(shown(of_program(&top.join(".local/bin/plain"))), [".local/bin/plain"]);
    }
}
