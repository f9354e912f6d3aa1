//! The files that a program needs: its package, and the package behind a small wrapper script.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::sandbox::{is_system, of_program};

/// The longest script that counts as a wrapper.
const DOOR: u64 = 4 << 10;

/// The files that a program needs. Empty for programs of the system.
pub(super) fn installation(program: &Path) -> Vec<PathBuf> {
    let found: BTreeSet<PathBuf> = behind(program).iter().flat_map(|path| of_one(path)).collect();
    found.into_iter().collect()
}

/// A program, and what it names if it is a small script.
pub fn behind(program: &Path) -> Vec<PathBuf> {
    let mut all = vec![program.to_owned()];
    all.extend(named_in(program));
    all
}

fn of_one(program: &Path) -> BTreeSet<PathBuf> {
    let mut found: BTreeSet<PathBuf> = of_program(program).into_iter().collect();
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let packages = real.ancestors().filter(|above| above.ends_with("node_modules")).last();
    found.extend(packages.filter(|dir| !is_system(dir)).map(Path::to_owned));
    found
}

/// The full paths that a small script names.
fn named_in(program: &Path) -> Vec<PathBuf> {
    let mut text = Vec::new();
    let read = File::open(program).and_then(|file| file.take(DOOR + 1).read_to_end(&mut text));
    if read.is_err() || text.len() as u64 > DOOR || !text.starts_with(b"#!") {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&text);
    let words = text.split(|c: char| c.is_whitespace() || "\"'=;:()".contains(c));
    words.filter(|w| w.starts_with('/') && w.len() > 1).map(PathBuf::from).filter(|p| p.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_found_behind_a_link_and_behind_a_script() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let program = top.join("lib/node_modules/@x/tool/bundle/tool.js");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, "#!/usr/bin/env node\n").unwrap();
        let (link, script) = (top.join("link"), top.join("script"));
        std::os::unix::fs::symlink(&program, &link).unwrap();
        std::fs::write(&script, format!("#!/bin/sh\nexec node \"{}\" \"$@\"\n", program.display())).unwrap();
        let packages = top.join("lib/node_modules");
        assert!(installation(&link).contains(&packages), "{:?}", installation(&link));
        assert!(installation(&script).contains(&packages), "{:?}", installation(&script));
        assert!(installation(&script).contains(&script));
        assert_eq!(installation(Path::new("/usr/bin/env")), Vec::<PathBuf>::new());
    }
}
