//! Which running outputs were shown how far, so that nothing is printed twice once they are recorded.
//!
//! A running process writes a file below the plan's `live` directory; when it ends, the same bytes are kept under another
//! name, and the file may stay for a while. The two are the same output if one begins like the other.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// How much of the beginning of an output is kept, to know it again.
const BEGIN: u64 = 64 * 1024;

/// What is known of running outputs.
#[derive(Debug, Default)]
pub(super) struct LiveOutputs {
    files: BTreeMap<PathBuf, LiveOutput>,
    /// The beginnings of recorded outputs that were printed whole, and are perhaps still among the files.
    printed: Vec<Vec<u8>>,
}

/// A running output.
#[derive(Debug, Default)]
struct LiveOutput {
    shown: u64,
    begin: Vec<u8>,
    /// It was recorded: nothing more is to be shown of it.
    over: bool,
}

impl LiveOutputs {
    /// From where a file is still to be shown; `None` if it was shown as a recorded output.
    pub(super) fn unshown(&mut self, path: &Path, file: &mut File) -> Option<u64> {
        if let Some(known) = self.files.get(path) {
            return (!known.over).then_some(known.shown);
        }
        let begin = beginning(file).ok()?;
        if begin.is_empty() {
            return None;
        }
        let printed = self.printed.iter().position(|whole| *whole == begin);
        let over = printed.map(|at| self.printed.swap_remove(at)).is_some();
        self.files.insert(path.to_owned(), LiveOutput { over, ..LiveOutput::default() });
        (!over).then_some(0)
    }

    /// A piece of a file was shown.
    pub(super) fn shown(&mut self, path: &Path, piece: &[u8]) {
        let live = self.files.entry(path.to_owned()).or_default();
        live.shown += piece.len() as u64;
        let room = usize::try_from(BEGIN).unwrap_or(usize::MAX).saturating_sub(live.begin.len());
        live.begin.extend_from_slice(&piece[..room.min(piece.len())]);
    }

    /// A recorded output: the running file it was, and how much of it was shown. Without one it is to be printed whole.
    pub(super) fn recorded(&mut self, file: &mut File) -> io::Result<Option<(PathBuf, u64)>> {
        let begin = beginning(file)?;
        let is_it = |live: &LiveOutput| !live.over && live.shown > 0 && begin.starts_with(&live.begin);
        if let Some((path, live)) = self.files.iter_mut().find(|(_, live)| is_it(live)) {
            live.over = true;
            return Ok(Some((path.clone(), live.shown)));
        }
        if !begin.is_empty() {
            self.printed.push(begin);
        }
        Ok(None)
    }
}

/// The beginning of a file.
fn beginning(file: &mut File) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let mut begin = Vec::new();
    (&mut *file).take(BEGIN).read_to_end(&mut begin)?;
    Ok(begin)
}

/// The files with output below a directory, the one written last at the end.
pub(crate) fn outputs_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    gather(dir, &mut found);
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// The file with output below a directory that was written last.
#[cfg(feature = "web")]
pub(crate) fn newest(dir: &Path) -> Option<PathBuf> {
    outputs_below(dir).pop()
}

fn gather(dir: &Path, found: &mut Vec<(std::time::SystemTime, PathBuf)>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "merged")
            && let Ok(modified) = entry.metadata().and_then(|meta| meta.modified())
        {
            found.push((modified, path));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn file(text: &str) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn what_was_shown_while_it_ran_is_not_printed_again() {
        let mut live = LiveOutputs::default();
        let path = Path::new("1.merged");
        assert_eq!(live.unshown(path, &mut file("half")), Some(0));
        live.shown(path, b"half");
        assert_eq!(live.unshown(path, &mut file("half a line")), Some(4));
        assert_eq!(live.recorded(&mut file("half a line")).unwrap(), Some((path.into(), 4)));
        assert_eq!(live.unshown(path, &mut file("half a line")), None);
        assert_eq!(live.recorded(&mut file("another")).unwrap(), None);
    }

    #[test]
    fn a_file_that_stays_after_it_was_recorded_is_not_shown_as_running() {
        let mut live = LiveOutputs::default();
        assert_eq!(live.recorded(&mut file("all of it")).unwrap(), None);
        assert_eq!(live.unshown(Path::new("1.merged"), &mut file("all of it")), None);
        // The next process says the same again, and it is said twice.
        assert_eq!(live.unshown(Path::new("2.merged"), &mut file("all of it")), Some(0));
    }

    #[test]
    fn a_file_that_the_next_one_overtakes_keeps_its_place() {
        let mut live = LiveOutputs::default();
        let (first, second) = (Path::new("1.merged"), Path::new("2.merged"));
        assert_eq!(live.unshown(first, &mut file("one")), Some(0));
        live.shown(first, b"one");
        assert_eq!(live.unshown(second, &mut file("two")), Some(0));
        live.shown(second, b"two");
        assert_eq!(live.recorded(&mut file("one and more")).unwrap(), Some((first.into(), 3)));
    }

    #[test]
    fn nothing_is_shown_of_an_empty_file() {
        assert_eq!(LiveOutputs::default().unshown(Path::new("1.merged"), &mut file("")), None);
    }
}
