//! Prints how often the rules about changed code would refuse files that exist, as if an agent had just written them: an
//! upper bound on how often they are wrong, where the files are known to be honest.
//!
//! usage: cargo run --release -p windlass-engine --example rules DIRECTORY…

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use windlass_code::detect::is_test_path;
use windlass_code::syntax::language_of;
use windlass_code::syntax::tricks::{ChangedFile, GoldenFiles, Strictness, Trick, tricks};

/// How many places are shown of each rule.
const SHOWN: usize = 3;

#[expect(clippy::print_stdout, reason = "a program for people who measure")]
fn main() {
    let mut files = 0_usize;
    let mut refused = 0_usize;
    let mut by_rule: BTreeMap<&str, Vec<Trick>> = BTreeMap::new();
    let mut open: Vec<(PathBuf, PathBuf)> =
        std::env::args_os().skip(1).map(PathBuf::from).map(|top| (top.clone(), top)).collect();
    while let Some((top, path)) = open.pop() {
        for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push((top.clone(), path)),
                Ok(kind) if kind.is_file() => {
                    let Some(found) = look(&top, &path) else { continue };
                    files += 1;
                    refused += usize::from(!found.is_empty());
                    for trick in found {
                        by_rule.entry(trick.rule.as_str()).or_default().push(trick);
                    }
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
    for (rule, found) in &by_rule {
        println!("{rule}: {}", found.len());
        for trick in found.iter().take(SHOWN) {
            println!("  {trick}");
        }
    }
    let percent = 100.0 * f64::from(u32::try_from(refused).unwrap_or(u32::MAX))
        / f64::from(u32::try_from(files.max(1)).unwrap_or(u32::MAX));
    println!("{files} files, {refused} would be refused ({percent:.2} %)");
}

/// What refuses a file of code that the rules read; `None` for everything else.
fn look(top: &Path, path: &Path) -> Option<Vec<Trick>> {
    let relative = path.strip_prefix(top).ok()?.to_str()?;
    let read = [".rs", ".py", ".js", ".mjs", ".cjs", ".ts", ".tsx"].iter().any(|end| relative.ends_with(end));
    if !read || is_test_path(relative) || language_of(relative).is_none() {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let changed = ChangedFile { path: relative, before: None, after: &bytes, golden: &GoldenFiles::none() };
    let hard = |trick: &Trick| trick.rule.default_level() == Strictness::Error;
    Some(tricks(&changed).into_iter().filter(hard).collect())
}
