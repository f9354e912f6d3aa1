//! How often the rules about changed code refuse files that exist: `cargo run -p windlass-code --example rule_figures -- DIR…`.
//!
//! Every source file below the directories is taken for a new one. Prints the files of each directory, how many of them a
//! rule refuses, how often each rule does, and with `--list` every place.
#![expect(clippy::disallowed_methods, reason = "reads the directories it is given")]
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use windlass_code::detect::is_test_path;
use windlass_code::syntax::language_of;
use windlass_code::syntax::tricks::{ChangedFile, GoldenFiles, Strictness, Trick, tricks};

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let list = args.iter().any(|arg| arg == "--list");
    args.retain(|arg| arg != "--list");
    let (mut files, mut refused) = (0usize, 0usize);
    let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    for dir in &args {
        let (mut here, mut bad) = (0usize, 0usize);
        for path in sources(Path::new(dir)) {
            let Ok(bytes) = std::fs::read(&path) else { continue };
            here += 1;
            let found = errors(dir, &path, &bytes);
            bad += usize::from(!found.is_empty());
            for trick in found {
                *by_rule.entry(trick.rule.as_str()).or_default() += 1;
                if list {
                    println!("{dir}: {trick}");
                }
            }
        }
        println!("{bad:>4} of {here:>5} refused  {dir}");
        (files, refused) = (files + here, refused + bad);
    }
    println!("{refused} of {files} files refused");
    for (rule, times) in by_rule {
        println!("{times:>6}  {rule}");
    }
}

fn errors(dir: &str, path: &Path, bytes: &[u8]) -> Vec<Trick> {
    let relative = path.strip_prefix(dir).unwrap_or(path).to_string_lossy().into_owned();
    let changed = ChangedFile { path: &relative, before: None, after: bytes, golden: &GoldenFiles::none() };
    tricks(&changed).into_iter().filter(|t| t.rule.default_level() == Strictness::Error).collect()
}

/// The source files below a directory that are not tests.
fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
                continue;
            }
            let relative = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().into_owned();
            if language_of(&relative).is_some() && !is_test_path(&relative) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
