//! Which words stand in the imports of every source file of a directory: how the few files are found that are worth
//! parsing.
//!
//! Kept beside how each file looked from outside (size, times, inode), so that an unchanged file is not opened again.
//! A file that was touched just before it was read may change without looking different; it is read again next time.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use rustix::fs::{AtFlags, Mode, OFlags};
use windlass_code::survey::{Unread, mentions, word_hash};
use windlass_core::survey::Language;

use super::cache::replace;

const MAGIC: &[u8; 8] = b"wlindex1";
/// Some file systems keep times to two seconds.
const RACY: i128 = 2_000_000_000;
/// The head of a file, and of a record: how it looked, the length of its path, the count of its words.
const HEAD: usize = MAGIC.len() + 16;
const RECORD: usize = LOOK + 2 + 4;
const LOOK: usize = 32;

/// How a file looks from outside.
type Look = [u8; LOOK];

/// One file: how it looked, and the words in its imports.
struct Entry<'a> {
    path: &'a str,
    look: Look,
    words: Words<'a>,
}

/// Words as hashes: as they lie in the file, or fresh.
enum Words<'a> {
    Kept(&'a [u8]),
    Fresh(Vec<u32>),
}

/// The index of a directory.
pub(super) struct Index {
    paths: Vec<u32>,
    /// Where the words of each begin; one more than there are paths.
    starts: Vec<u32>,
    words: Vec<u32>,
}

impl Index {
    /// Brings the index up to date: looks at every file, reads those that look different.
    pub(super) fn open(
        root: &Path,
        paths: &[String],
        sources: &[u32],
        kept: Option<&Path>,
        now: u128,
    ) -> Self {
        let text = kept.and_then(|path| std::fs::read(path).ok()).filter(|text| is_whole(text));
        let known = text.as_deref().map(entries).unwrap_or_default();
        let parts: Vec<&[u32]> = by_directory(paths, sources);
        let looked: Vec<Vec<Entry<'_>>> =
            parts.par_iter().map(|part| directory(root, paths, part, &known, now)).collect();
        let all: Vec<Entry<'_>> = looked.into_iter().flatten().collect();
        let same = all.len() == known.len() && all.iter().all(|entry| matches!(entry.words, Words::Kept(_)));
        if let Some(path) = kept.filter(|_| !same) {
            // It only saves time.
            let _ = replace(path, &written(&all));
        }
        Self::of(paths, sources, &all)
    }

    fn of(paths: &[String], sources: &[u32], all: &[Entry<'_>]) -> Self {
        let mut index = Self { paths: Vec::with_capacity(all.len()), starts: vec![0], words: Vec::new() };
        let mut sources = sources.iter();
        for entry in all {
            let Some(at) = sources.by_ref().find(|at| paths[**at as usize] == entry.path) else { break };
            index.paths.push(*at);
            match &entry.words {
                Words::Kept(bytes) => index.words.extend(bytes.chunks_exact(4).map(number)),
                Words::Fresh(words) => index.words.extend_from_slice(words),
            }
            index.starts.push(u32::try_from(index.words.len()).unwrap_or(u32::MAX));
        }
        index
    }

    /// The files, by position, that have all words of one of the terms.
    pub(super) fn mentioning(&self, terms: &[Vec<String>]) -> Vec<u32> {
        let terms: Vec<Vec<u32>> =
            terms.iter().map(|term| term.iter().map(|word| word_hash(word)).collect()).collect();
        let has = |n: usize| {
            let words = &self.words[self.starts[n] as usize..self.starts[n + 1] as usize];
            terms.iter().any(|term| term.iter().all(|word| words.binary_search(word).is_ok()))
        };
        (0..self.paths.len())
            .into_par_iter()
            .with_min_len(4096)
            .filter(|n| has(*n))
            .map(|n| self.paths[n])
            .collect()
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_le_bytes)
}

/// Runs of files in the same directory.
fn by_directory<'a>(paths: &[String], sources: &'a [u32]) -> Vec<&'a [u32]> {
    let dir = |at: &u32| paths[*at as usize].rsplit_once('/').map_or("", |(dir, _)| dir);
    sources.chunk_by(|a, b| dir(a) == dir(b)).collect()
}

/// The files of one directory.
fn directory<'a>(
    root: &Path,
    paths: &'a [String],
    part: &[u32],
    known: &[Entry<'a>],
    now: u128,
) -> Vec<Entry<'a>> {
    let Some(first) = part.first() else { return Vec::new() };
    let dir = paths[*first as usize].rsplit_once('/').map_or("", |(dir, _)| dir);
    let Ok(open) =
        rustix::fs::open(root.join(dir), OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
    else {
        return Vec::new();
    };
    // Both are sorted: what follows stands behind.
    let mut at = known.partition_point(|entry| entry.path < paths[*first as usize].as_str());
    let mut out = Vec::with_capacity(part.len());
    for path in part.iter().map(|n| paths[*n as usize].as_str()) {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let Ok(stat) = rustix::fs::statat(&open, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        while known.get(at).is_some_and(|entry| entry.path < path) {
            at += 1;
        }
        let look = look(&stat, now);
        let kept =
            known.get(at).filter(|entry| entry.path == path && entry.look == look && look != Look::default());
        let words = match kept {
            Some(Entry { words: Words::Kept(bytes), .. }) => Words::Kept(bytes),
            Some(Entry { words: Words::Fresh(_), .. }) | None => Words::Fresh(read(root, path)),
        };
        out.push(Entry { path, look, words });
    }
    out
}

/// How a file looks; nothing for one that may still change without looking different.
fn look(stat: &rustix::fs::Stat, now: u128) -> Look {
    let time = |seconds: i64, nanos: u64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    let times = [time(stat.st_mtime, stat.st_mtime_nsec), time(stat.st_ctime, stat.st_ctime_nsec)];
    let mut look = Look::default();
    let latest = times[0].max(times[1]);
    if latest + RACY < i128::try_from(now).unwrap_or(i128::MAX) {
        look[..8].copy_from_slice(&stat.st_size.to_le_bytes());
        look[8..16].copy_from_slice(&stat.st_ino.to_le_bytes());
        for (n, time) in times.iter().enumerate() {
            let low = u64::try_from(time & i128::from(u64::MAX)).unwrap_or_default();
            look[16 + 8 * n..24 + 8 * n].copy_from_slice(&low.to_le_bytes());
        }
    }
    look
}

fn read(root: &Path, path: &str) -> Vec<u32> {
    let words = || {
        let mut file = File::open(root.join(path)).ok()?;
        let size = file.metadata().ok()?.size();
        if Unread::too_large(size) {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).ok()? + 1);
        file.read_to_end(&mut bytes).ok()?;
        Some(mentions(Language::of_path(path)?, &bytes))
    };
    words().unwrap_or_default()
}

/// Whether nothing of the file was lost or changed.
fn is_whole(text: &[u8]) -> bool {
    let body = text.get(HEAD..).unwrap_or_default();
    text.starts_with(MAGIC) && text.get(MAGIC.len()..HEAD) == Some(&blake3::hash(body).as_bytes()[..16])
}

fn entries(text: &[u8]) -> Vec<Entry<'_>> {
    let mut out = Vec::with_capacity(text.len() / 100);
    let mut rest = &text[HEAD..];
    while let Some((head, body)) = rest.split_at_checked(RECORD) {
        let mut look = Look::default();
        look.copy_from_slice(&head[..LOOK]);
        let length = usize::from(u16::from_le_bytes([head[LOOK], head[LOOK + 1]]));
        let count = number(&head[LOOK + 2..]) as usize;
        let Some((path, body)) = body.split_at_checked(length) else { break };
        let Some((words, after)) = body.split_at_checked(4 * count) else { break };
        let Ok(path) = std::str::from_utf8(path) else { break };
        out.push(Entry { path, look, words: Words::Kept(words) });
        rest = after;
    }
    out
}

fn written(all: &[Entry<'_>]) -> Vec<u8> {
    let mut text = vec![0; HEAD];
    for entry in all {
        let (Ok(length), count) = (u16::try_from(entry.path.len()), entry.words.count()) else { continue };
        text.extend_from_slice(&entry.look);
        text.extend_from_slice(&length.to_le_bytes());
        text.extend_from_slice(&u32::try_from(count).unwrap_or_default().to_le_bytes());
        text.extend_from_slice(entry.path.as_bytes());
        match &entry.words {
            Words::Kept(bytes) => text.extend_from_slice(bytes),
            Words::Fresh(words) => text.extend(words.iter().flat_map(|word| word.to_le_bytes())),
        }
    }
    let sum = blake3::hash(&text[HEAD..]);
    text[..MAGIC.len()].copy_from_slice(MAGIC);
    text[MAGIC.len()..HEAD].copy_from_slice(&sum.as_bytes()[..16]);
    text
}

impl Words<'_> {
    fn count(&self) -> usize {
        match self {
            Words::Kept(bytes) => bytes.len() / 4,
            Words::Fresh(words) => words.len(),
        }
    }
}

/// The time, in nanoseconds.
pub(super) fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos())
}

/// Where the index of a directory is kept.
pub(super) fn file_of(dir: &Path, root: &Path) -> PathBuf {
    let name = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    dir.join(format!("index-{}", &name[..16]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_file_is_read_again_only_when_it_looks_different() {
        let dir = tempfile::tempdir().unwrap();
        let kept = dir.path().join("index");
        let put = |text: &str| std::fs::write(dir.path().join("a.py"), text).unwrap();
        let has = |word: &str, at: u128| {
            let index = Index::open(dir.path(), &["a.py".to_owned()], &[0], Some(&kept), at);
            !index.mentioning(&[vec![word.to_owned()]]).is_empty()
        };
        let later = now() + 60_000_000_000;
        put("import one\n");
        assert!(has("one", later));
        // What is kept is believed, so another word in it shows that the file was not opened.
        let text = std::fs::read(&kept).unwrap();
        let mut known = entries(&text);
        known[0].words = Words::Fresh(vec![word_hash("two")]);
        let changed = written(&known);
        std::fs::write(&kept, &changed).unwrap();
        assert!(has("two", later) && !has("one", later));
        // The same size at another time.
        put("import six\n");
        assert!(has("six", later) && !has("two", later));
        // Too fresh to be trusted.
        std::fs::write(&kept, &changed).unwrap();
        assert!(has("six", now()) && !has("two", now()));
    }
}
