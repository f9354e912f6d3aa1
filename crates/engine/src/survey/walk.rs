//! Lists the files of a tree: what git tracks, and what it would track after `git add`.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use ignore::{WalkBuilder, WalkState};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use windlass_core::path_text::dir_of;

use super::rules::{in_repository, open_dir, rules, unchanged, unchanged_in};
use super::stamp::{Stamp, is_dir, stat};

/// Beyond this many changed directories everything is listed again.
const FEW: usize = 256;

/// What a tree has in it, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Listing {
    pub(super) files: Vec<String>,
    pub(super) dirs: Vec<(String, Stamp)>,
    pub(super) rules: Vec<(String, Stamp)>,
}

/// Lists a known tree again; `None` when nothing changed. A directory with the same stamp has the same
/// names in it.
pub(super) fn relist(root: &Path, known: &Listing, now: u128) -> Option<Listing> {
    let Some(open) = open_dir(root) else { return Some(Listing::default()) };
    let dirs = &known.dirs;
    let stamps: Vec<Option<Stamp>> = dirs
        .par_iter()
        .with_min_len(128)
        .map(|(dir, _)| {
            let found = stat(&open, if dir.is_empty() { "." } else { dir.as_str() })?;
            is_dir(&found).then(|| Stamp::of(&found, now))
        })
        .collect();
    let is_same = |n: usize| stamps[n].is_some_and(|stamp| stamp.is_same(&dirs[n].1));
    let changed: Vec<usize> = (0..dirs.len()).filter(|n| !is_same(*n)).collect();
    if dirs.is_empty() || changed.len() > FEW || !unchanged(&open, &known.rules, now) {
        return Some(walk(root, now));
    }
    if changed.is_empty() {
        return None;
    }
    // Outside of a repository the rules above a directory end at the root of the tree, which a walk from within it
    // cannot know.
    if !in_repository(root) {
        return Some(walk(root, now));
    }
    let alive = |n: &&usize| stamps[**n].is_some();
    if !changed.iter().filter(alive).all(|n| unchanged_in(root, &open, &dirs[*n].0, &known.rules, now)) {
        return Some(walk(root, now));
    }
    let gone: Vec<&str> =
        changed.iter().filter(|n| stamps[**n].is_none()).map(|n| dirs[*n].0.as_str()).collect();
    let again: Vec<&str> = changed.iter().filter(alive).map(|n| dirs[*n].0.as_str()).collect();
    Some(updated(root, known, &gone, &again, now))
}

/// The known listing, with some directories gone and some listed again.
fn updated(root: &Path, known: &Listing, gone: &[&str], again: &[&str], now: u128) -> Listing {
    let gone: HashSet<&str> = gone.iter().copied().collect();
    let lives = |dir: &str| gone.is_empty() || !ancestors(dir).any(|dir| gone.contains(dir));
    let again: HashSet<&str> = again.iter().copied().filter(|dir| lives(dir)).collect();
    let alive: Arc<HashSet<String>> =
        Arc::new(known.dirs.iter().map(|(dir, _)| dir).filter(|dir| lives(dir)).cloned().collect());
    let stays = |dir: &str| alive.contains(dir) && !again.contains(dir);
    let mut last: Option<(&str, bool)> = None;
    let mut files: Vec<String> = known
        .files
        .iter()
        .filter(|path| {
            let dir = dir_of(path);
            let kept = last.filter(|(known, _)| *known == dir).map_or_else(|| stays(dir), |(_, kept)| kept);
            last = Some((dir, kept));
            kept
        })
        .cloned()
        .collect();
    let mut fresh = Vec::new();
    for dir in &again {
        let known = alive.clone();
        let top = root.to_owned();
        // A directory that is known is listed on its own, if at all.
        let enter = move |path: &Path| {
            !path.strip_prefix(&top).ok().and_then(Path::to_str).is_some_and(|path| known.contains(path))
        };
        let (found, below) = walked(&builder(root, &root.join(dir), enter), root);
        files.extend(found);
        fresh.extend(below);
    }
    fresh.extend(again.iter().map(|dir| (*dir).to_owned()));
    let stayed = known.dirs.iter().filter(|(dir, _)| stays(dir)).cloned().collect();
    finished(root, files, fresh, stayed, now)
}

fn ancestors(dir: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dir), |dir| (!dir.is_empty()).then(|| dir_of(dir)))
}

/// Lists a tree from scratch.
pub(super) fn walk(root: &Path, now: u128) -> Listing {
    let (files, dirs) = walked(&builder(root, root, |_| true), root);
    finished(root, files, dirs, Vec::new(), now)
}

fn finished(
    root: &Path,
    mut files: Vec<String>,
    fresh: Vec<String>,
    mut dirs: Vec<(String, Stamp)>,
    now: u128,
) -> Listing {
    let open = open_dir(root);
    let seen = |dir: &str| {
        let found = stat(open.as_ref()?, if dir.is_empty() { "." } else { dir })?;
        Some(Stamp::of(&found, now))
    };
    dirs.par_extend(fresh.into_par_iter().with_min_len(256).map(|dir| {
        let stamp = seen(&dir).unwrap_or(Stamp::UNSURE);
        (dir, stamp)
    }));
    dirs.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
    dirs.dedup_by(|a, b| a.0 == b.0);
    files.par_sort_unstable();
    files.dedup();
    let names: Vec<String> = dirs.iter().map(|(dir, _)| dir.clone()).collect();
    let rules = rules(root, &names, now);
    Listing { files, dirs, rules }
}

/// A walk that begins at `from`, somewhere in the tree, and enters the directories below that it may.
fn builder(root: &Path, from: &Path, enter: impl Fn(&Path) -> bool + Send + Sync + 'static) -> WalkBuilder {
    let tracked = in_repository(root);
    let mut builder = WalkBuilder::new(from);
    builder
        .hidden(false)
        .ignore(false)
        .git_global(false)
        // In a repository what is above its top does not count, elsewhere what is above the tree.
        .require_git(tracked)
        .parents(tracked)
        .threads(std::thread::available_parallelism().map_or(2, usize::from).min(8))
        .filter_entry(move |entry| {
            let dir = entry.depth() > 0 && entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.file_name() != ".git" && (!dir || enter(entry.path()))
        });
    builder
}

/// The files and directories that a walk finds, relative to the root.
fn walked(builder: &WalkBuilder, root: &Path) -> (Vec<String>, Vec<String>) {
    let found: Mutex<WalkedNames> = Mutex::default();
    builder.build_parallel().run(|| {
        let mut batch = Batch { found: &found, own: WalkedNames::default() };
        Box::new(move |entry| {
            let Ok(entry) = entry else { return WalkState::Continue };
            let Some(kind) = entry.file_type() else { return WalkState::Continue };
            let list = match (kind.is_file(), kind.is_dir()) {
                (true, _) => &mut batch.own.files,
                (_, true) => &mut batch.own.dirs,
                (false, false) => return WalkState::Continue,
            };
            let inner = entry.path().strip_prefix(root).ok().and_then(Path::to_str);
            list.extend(inner.map(str::to_owned));
            WalkState::Continue
        })
    });
    let found = found.into_inner().unwrap_or_default();
    (found.files, found.dirs)
}

#[derive(Default)]
struct WalkedNames {
    files: Vec<String>,
    dirs: Vec<String>,
}

/// What one thread found, handed over when it is done: one lock per thread and not per file.
struct Batch<'a> {
    found: &'a Mutex<WalkedNames>,
    own: WalkedNames,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if let Ok(mut found) = self.found.lock() {
            found.files.append(&mut self.own.files);
            found.dirs.append(&mut self.own.dirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    use super::super::stamp::now;
    use super::*;

    fn put(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes everything old, so that whatever is done to it afterwards shows, on file systems with coarse times too.
    fn age(dir: &Path) {
        for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                age(&entry.path());
            } else if kind.is_file() {
                old(&entry.path());
            }
        }
        old(dir);
    }

    fn old(path: &Path) {
        let past = SystemTime::now() - Duration::from_hours(1);
        fs::File::open(path).unwrap().set_modified(past).unwrap();
    }

    /// A repository whose tree is looked at from a directory of it.
    fn repository() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path();
        put(top, ".git/info/exclude", "secret\n");
        put(top, ".gitignore", "*.log\n");
        let root = top.join("part");
        for path in ["a.py", "x/b.py", "x/y/c.py", "x/y/d.log", "z/e.py", "z/secret", "w/f.py", "out/g.py"] {
            put(&root, path, "import one\n");
        }
        put(&root, "x/.gitignore", "made/\n");
        put(&root, "x/made/h.py", "");
        symlink("..", root.join("x/loop")).unwrap();
        age(top);
        (dir, root)
    }

    fn later() -> u128 {
        now() + 60_000_000_000
    }

    #[test]
    fn what_git_ignores_stays_out() {
        let (dir, root) = repository();
        let seen = ["a.py", "out/g.py", "w/f.py", "x/.gitignore", "x/b.py", "x/y/c.py", "z/e.py"];
        assert_eq!(walk(&root, later()).files, seen);
        // What stands above the top of a repository does not count: a home directory may ignore all there is in it.
        put(&root, "z/.git/HEAD", "");
        put(dir.path(), ".gitignore", "*\n");
        assert_eq!(walk(&root.join("z"), later()).files, ["e.py", "secret"]);
    }

    /// Every change is seen, and seen as a listing from the beginning sees it.
    #[test]
    fn a_kept_listing_is_brought_up_to_date() {
        type NamedChange = (&'static str, fn(&Path));
        let changes: [NamedChange; 20] = [
            ("nothing", |_| {}),
            ("a file added", |top| put(top, "part/x/new.py", "")),
            ("an ignored file added", |top| put(top, "part/x/new.log", "")),
            ("a file removed", |top| fs::remove_file(top.join("part/x/y/c.py")).unwrap()),
            ("a directory renamed", |top| fs::rename(top.join("part/x/y"), top.join("part/x/v")).unwrap()),
            ("a directory moved up", |top| fs::rename(top.join("part/x/y"), top.join("part/y")).unwrap()),
            ("a directory removed", |top| fs::remove_dir_all(top.join("part/x")).unwrap()),
            ("a directory with more added", |top| {
                put(top, "part/n/m/i.py", "");
                put(top, "part/n/m/j.log", "");
                put(top, "part/n/.gitignore", "k.py\n");
                put(top, "part/n/k.py", "");
            }),
            ("two swapped", |top| {
                fs::rename(top.join("part/w"), top.join("part/t")).unwrap();
                fs::rename(top.join("part/z"), top.join("part/w")).unwrap();
                fs::rename(top.join("part/t"), top.join("part/z")).unwrap();
            }),
            ("a link in place of a directory", |top| {
                fs::rename(top.join("part/x"), top.join("elsewhere")).unwrap();
                symlink("../elsewhere", top.join("part/x")).unwrap();
            }),
            ("a file in place of a directory", |top| {
                fs::remove_dir_all(top.join("part/w")).unwrap();
                put(top, "part/w", "");
            }),
            ("rules of a directory, the same size", |top| put(top, "part/x/.gitignore", "mode/\n")),
            ("rules of a directory gone", |top| fs::remove_file(top.join("part/x/.gitignore")).unwrap()),
            ("rules in a directory that had none", |top| put(top, "part/z/.gitignore", "e.py\n")),
            ("rules in the root", |top| put(top, "part/.gitignore", "out/\n")),
            ("rules above the root", |top| put(top, ".gitignore", "*.py\n")),
            ("excludes", |top| put(top, ".git/info/exclude", "public\n")),
            ("no repository any more", |top| fs::remove_dir_all(top.join(".git")).unwrap()),
            ("a repository of its own", |top| put(top, "part/.git/info/exclude", "f.py\n")),
            ("a repository inside", |top| {
                put(top, "part/z/.git/info/exclude", "e.py\n");
                put(top, "part/z/l.log", "");
            }),
        ];
        for (name, change) in changes {
            let (dir, root) = repository();
            let kept = walk(&root, later());
            assert_eq!(relist(&root, &kept, later()), None, "{name}: at first");
            change(dir.path());
            let fresh = walk(&root, later());
            let other = relist(&root, &kept, later());
            assert_eq!(other.is_none(), name == "nothing", "{name}");
            assert_eq!(other.unwrap_or(kept), fresh, "{name}");
        }
    }

    #[test]
    fn a_directory_that_was_just_touched_is_listed_again() {
        let (_dir, root) = repository();
        let kept = walk(&root, now());
        assert!(relist(&root, &kept, later()).is_some());
    }

    /// A worktree has its excludes where the repository lies.
    #[test]
    fn excludes_of_a_linked_worktree_are_watched() {
        let (dir, root) = repository();
        let top = dir.path();
        let own = top.join("repo/worktrees/w");
        put(top, "repo/worktrees/w/commondir", "../..\n");
        put(top, "repo/info/exclude", "f.py\n");
        put(top, "part/.git", &format!("gitdir: {}\n", own.display()));
        age(top);
        let kept = walk(&root, later());
        assert!(!kept.files.contains(&"w/f.py".to_owned()));
        put(top, "repo/info/exclude", "e.py\n");
        let found = relist(&root, &kept, later()).unwrap().files;
        assert!(found.contains(&"w/f.py".to_owned()) && !found.contains(&"z/e.py".to_owned()));
    }
}
