//! What is kept of a directory: its files and directories, how they looked, what decides which of them are ignored, and
//! which words stand in the imports of its source files.
//!
//! One file, used as it lies there: a hundred thousand records are not decoded to answer a question about ten. A file
//! that was cut or changed is none.

use std::path::Path;

use super::look::Look;

/// Changes whenever it changes what is written here, what counts as a source file, or which words are taken from one: an
/// older table is then none.
const MAGIC: &[u8; 8] = b"wlindex3";
const SUM: usize = 16;
/// Parts in the order in which they lie.
const PARTS: usize = 9;
const HEAD: usize = MAGIC.len() + SUM + 4 * PARTS;

const FILES: usize = 0;
const DIRS: usize = 1;
const RULES: usize = 2;
const SOURCES: usize = 3;
const LOOKS: usize = 4;
const WORDS: usize = 5;
const STARTS: usize = 6;
const POSTINGS: usize = 7;
const TEXTS: usize = 8;

/// A table as it lies in its file.
pub(super) struct Table {
    bytes: Vec<u8>,
    /// Where each part begins, and the end of the last.
    parts: [usize; PARTS + 1],
}

/// What is written into a table. All lists are sorted.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) files: &'a [String],
    pub(super) dirs: &'a [(String, Look)],
    pub(super) rules: &'a [(String, Look)],
    /// Which of the files are source files.
    pub(super) sources: &'a [u32],
    /// How each source file looked when its words were taken.
    pub(super) looks: &'a [Look],
    /// A word and the source file (by its place among them) that has it, sorted.
    pub(super) words: &'a [(u32, u32)],
}

impl Table {
    /// Reads a table; `None` when it is none. Whether it [is whole](Self::is_whole) is yet to be seen.
    pub(super) fn read(path: &Path) -> Option<Self> {
        Self::of(std::fs::read(path).ok()?)
    }

    /// Whether nothing of it was lost or changed.
    pub(super) fn is_whole(&self) -> bool {
        self.bytes[MAGIC.len()..MAGIC.len() + SUM] == checksum(&self.bytes)
    }

    fn of(bytes: Vec<u8>) -> Option<Self> {
        let head = bytes.get(..HEAD)?;
        if !head.starts_with(MAGIC) {
            return None;
        }
        let mut parts = [HEAD; PARTS + 1];
        for (n, length) in head[MAGIC.len() + SUM..].chunks_exact(4).enumerate() {
            parts[n + 1] = parts[n].checked_add(number(length) as usize)?;
        }
        (parts[PARTS] == bytes.len()).then_some(Self { bytes, parts })
    }

    /// Puts a table together.
    pub(super) fn new(rows: Rows<'_>) -> Self {
        let mut made: [Vec<u8>; PARTS] = Default::default();
        let mut texts = Vec::new();
        for path in rows.files {
            made[FILES].extend(begin(&mut texts, path).to_le_bytes());
        }
        made[FILES].extend(end(&texts).to_le_bytes());
        for (part, list) in [(DIRS, rows.dirs), (RULES, rows.rules)] {
            for (path, look) in list {
                let at = begin(&mut texts, path);
                made[part].extend_from_slice(look.bytes());
                made[part].extend(at.to_le_bytes());
                made[part].extend(end(&texts).to_le_bytes());
            }
        }
        made[SOURCES].extend(rows.sources.iter().flat_map(|n| n.to_le_bytes()));
        for look in rows.looks {
            made[LOOKS].extend_from_slice(look.bytes());
        }
        let mut last = None;
        for (n, (word, source)) in rows.words.iter().enumerate() {
            if last != Some(*word) {
                last = Some(*word);
                made[WORDS].extend(word.to_le_bytes());
                made[STARTS].extend(u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
            }
            made[POSTINGS].extend(source.to_le_bytes());
        }
        made[STARTS].extend(u32::try_from(rows.words.len()).unwrap_or(u32::MAX).to_le_bytes());
        made[TEXTS] = texts;
        Self::joined(&made)
    }

    fn joined(made: &[Vec<u8>; PARTS]) -> Self {
        let mut bytes = Vec::with_capacity(HEAD + made.iter().map(Vec::len).sum::<usize>());
        bytes.extend_from_slice(MAGIC);
        bytes.extend([0; SUM]);
        bytes
            .extend(made.iter().flat_map(|part| u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes()));
        let mut parts = [HEAD; PARTS + 1];
        for (n, part) in made.iter().enumerate() {
            bytes.extend_from_slice(part);
            parts[n + 1] = bytes.len();
        }
        let sum = checksum(&bytes);
        bytes[MAGIC.len()..MAGIC.len() + SUM].copy_from_slice(&sum);
        Self { bytes, parts }
    }

    /// The table as bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn part(&self, part: usize) -> &[u8] {
        self.bytes.get(self.parts[part]..self.parts[part + 1]).unwrap_or_default()
    }

    fn number(&self, part: usize, at: usize) -> u32 {
        self.part(part).get(4 * at..4 * at + 4).map_or(0, number)
    }

    fn numbers(&self, part: usize) -> impl ExactSizeIterator<Item = u32> {
        self.part(part).chunks_exact(4).map(number)
    }

    /// How many files there are.
    pub(super) fn files(&self) -> usize {
        (self.part(FILES).len() / 4).saturating_sub(1)
    }

    /// The path of a file.
    pub(super) fn path(&self, file: usize) -> &str {
        self.text(self.number(FILES, file), self.number(FILES, file + 1))
    }

    fn text(&self, start: u32, end: u32) -> &str {
        let bytes = self.part(TEXTS).get(start as usize..end as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// How many source files there are.
    pub(super) fn source_count(&self) -> usize {
        self.part(SOURCES).len() / 4
    }

    /// Which files are source files.
    pub(super) fn sources(&self) -> impl ExactSizeIterator<Item = u32> {
        self.numbers(SOURCES)
    }

    /// How a source file looked.
    pub(super) fn look(&self, source: usize) -> Look {
        let start = source * Look::BYTES;
        self.part(LOOKS).get(start..start + Look::BYTES).map_or(Look::UNSURE, Look::from_bytes)
    }

    fn looked(&self, part: usize) -> impl ExactSizeIterator<Item = (&str, Look)> {
        self.part(part).chunks_exact(Look::BYTES + 8).map(|record| {
            let (look, place) = record.split_at(Look::BYTES);
            (self.text(number(&place[..4]), number(&place[4..])), Look::from_bytes(look))
        })
    }

    /// The directories, sorted, and how they looked.
    pub(super) fn dirs(&self) -> impl ExactSizeIterator<Item = (&str, Look)> {
        self.looked(DIRS)
    }

    /// The files that decide what is ignored, and how they looked.
    pub(super) fn rules(&self) -> impl ExactSizeIterator<Item = (&str, Look)> {
        self.looked(RULES)
    }

    /// The source files that have a word, sorted.
    pub(super) fn having(&self, word: u32) -> Vec<u32> {
        let words = self.part(WORDS);
        let (mut low, mut high) = (0, words.len() / 4);
        while low < high {
            let middle = low.midpoint(high);
            if self.number(WORDS, middle) < word { low = middle + 1 } else { high = middle }
        }
        if low >= words.len() / 4 || self.number(WORDS, low) != word {
            return Vec::new();
        }
        let (start, end) = (self.number(STARTS, low) as usize, self.number(STARTS, low + 1) as usize);
        self.part(POSTINGS).get(4 * start..4 * end).unwrap_or_default().chunks_exact(4).map(number).collect()
    }

    /// Every word with a source file that has it, sorted.
    pub(super) fn words(&self) -> impl Iterator<Item = (u32, u32)> {
        let ends = self.numbers(STARTS).skip(1);
        let mut postings = self.numbers(POSTINGS).enumerate().peekable();
        self.numbers(WORDS).zip(ends).flat_map(move |(word, end)| {
            let mut own = Vec::new();
            while let Some((_, source)) = postings.next_if(|(n, _)| *n < end as usize) {
                own.push((word, source));
            }
            own
        })
    }
}

/// Appends a text and says where it begins.
fn begin(texts: &mut Vec<u8>, text: &str) -> u32 {
    let at = end(texts);
    texts.extend_from_slice(text.as_bytes());
    at
}

fn end(texts: &[u8]) -> u32 {
    u32::try_from(texts.len()).unwrap_or(u32::MAX)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_le_bytes)
}

/// Of everything but the sum itself.
fn checksum(bytes: &[u8]) -> [u8; SUM] {
    let mut sum = [0; SUM];
    let hash = blake3::hash(bytes.get(MAGIC.len() + SUM..).unwrap_or_default());
    sum.copy_from_slice(&hash.as_bytes()[..SUM]);
    sum
}
