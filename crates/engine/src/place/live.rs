//! Live output of an attempt at a place: read there while it grows, and written here where `logs -f` looks for it. It may be
//! lost without harm: what counts arrives as outputs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use crate::process::Capture;

/// How much is read at a time; as JSON it fits a frame.
const PIECE: u64 = 32 << 10;
/// How many files one attempt may fill.
const MOST_FILES: usize = 1_000;

/// Reads what the commands of an attempt have written since the last look.
pub(super) struct LiveReader {
    dir: PathBuf,
    /// How much of each file was read, by its number.
    read: BTreeMap<u32, u64>,
}

impl LiveReader {
    pub(super) fn new(dir: PathBuf) -> Self {
        Self { dir, read: BTreeMap::new() }
    }

    /// A piece that was not read before, with the number of its file.
    pub(super) fn next(&mut self) -> Option<(u32, String)> {
        let number = |path: PathBuf| {
            let merged = path.extension().is_some_and(|kind| kind == "merged");
            path.file_stem()?.to_str()?.parse::<u32>().ok().filter(|_| merged)
        };
        let entries = fs::read_dir(&self.dir).ok()?.flatten();
        let mut numbers: Vec<u32> = entries.filter_map(|entry| number(entry.path())).collect();
        numbers.sort_unstable();
        numbers.into_iter().find_map(|number| Some((number, self.piece(number)?)))
    }

    fn piece(&mut self, number: u32) -> Option<String> {
        let read = self.read.entry(number).or_default();
        let mut file = File::open(self.dir.join(format!("{number}.merged"))).ok()?;
        file.seek(SeekFrom::Start(*read)).ok()?;
        let mut bytes = Vec::new();
        file.take(PIECE).read_to_end(&mut bytes).ok()?;
        // A character that is cut off waits for its other half.
        let whole = match std::str::from_utf8(&bytes) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Ok(_) | Err(_) => bytes.len(),
        };
        bytes.truncate(whole);
        *read += u64::try_from(whole).ok()?;
        (whole > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Writes the pieces of a place.
pub(super) struct LiveWriter {
    capture: Capture,
    files: BTreeMap<u32, (File, u64)>,
}

impl LiveWriter {
    pub(super) fn new(capture: Capture) -> Self {
        Self { capture, files: BTreeMap::new() }
    }

    /// Adds a piece to a file. What does not fit is not written.
    pub(super) fn write(&mut self, number: u32, text: &str) {
        if !self.files.contains_key(&number) {
            let made = if self.files.len() < MOST_FILES { self.capture.next_file().ok() } else { None };
            let Some((_, file)) = made else { return };
            self.files.insert(number, (file, 0));
        }
        let Some((file, written)) = self.files.get_mut(&number) else { return };
        *written += u64::try_from(text.len()).unwrap_or(u64::MAX);
        if *written <= self.capture.max_bytes {
            let _ = file.write_all(text.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_there_is_written_here_once_and_up_to_the_limit() {
        let (there, here) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut reader = LiveReader::new(there.path().join("live"));
        assert_eq!(reader.next(), None, "nothing runs");
        fs::create_dir(there.path().join("live")).unwrap();
        let path = |name: &str| there.path().join("live").join(name);
        fs::write(path("1.merged"), "one ").unwrap();
        fs::write(path("1.stdout"), "not this").unwrap();
        assert_eq!(reader.next(), Some((1, "one ".into())));
        assert_eq!(reader.next(), None);
        // The second half of the character comes later.
        fs::write(path("1.merged"), "one \u{e4}".as_bytes().split_last().unwrap().1).unwrap();
        assert_eq!(reader.next(), None);
        fs::write(path("1.merged"), "one \u{e4}").unwrap();
        fs::write(path("2.merged"), b"\xff!").unwrap();
        assert_eq!(reader.next(), Some((1, "\u{e4}".into())));
        assert_eq!(reader.next(), Some((2, "\u{fffd}!".into())));
        let capture = Capture { dir: here.path().join("live"), max_bytes: 6, tail_bytes: 0 };
        let mut writer = LiveWriter::new(capture);
        for (number, text) in [(7, "ab"), (3, "x"), (7, "cd"), (7, "too much")] {
            writer.write(number, text);
        }
        let text = |name: &str| fs::read_to_string(here.path().join("live").join(name)).unwrap();
        assert_eq!((text("1.merged"), text("2.merged")), ("abcd".into(), "x".into()));
    }
}
