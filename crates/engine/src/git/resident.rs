//! Git processes that stay and answer one question after another: to start git takes longer than most of its answers.
//!
//! Nothing depends on them. A process that has ended, or that answers in another way than is expected, is dropped, and the caller
//! makes a call of its own, which finds out why.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::{Repo, parse_oid};
use crate::random_token::process_name;

/// What a process is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Duty {
    /// Reads objects.
    Read,
    /// Finds the commit that a revision of the user's repository names.
    Names,
    /// Writes trees.
    Trees,
    /// Writes blobs.
    Blobs,
    /// Writes commits.
    Commits,
    /// Moves refs that people do not look at.
    Refs,
}

/// How many processes wait for the next question.
const IDLE: usize = 8;
/// Git reads the clock once per process, for the log of a ref.
const OLDEST: Duration = Duration::from_mins(1);
/// The longest line of an answer.
const LINE: u64 = 4096;

/// The processes that wait for their next question.
#[derive(Debug, Default)]
pub(super) struct Residents {
    idle: Mutex<Vec<(Duty, Resident)>>,
}

/// One process, between two questions.
#[derive(Debug)]
pub(super) struct Resident {
    child: Child,
    /// Both are closed before its end is waited for: git ends at the end of its input, and must not wait for a reader.
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    since: Instant,
    /// When the packs were last changed before it was started.
    packs: Option<SystemTime>,
}

impl Resident {
    pub(super) fn new(mut child: Child) -> Self {
        let input = child.stdin.take();
        let output = child.stdout.take().map(BufReader::new);
        Self { child, input, output, since: Instant::now(), packs: None }
    }

    fn knowing(mut self, packs: Option<SystemTime>) -> Self {
        self.packs = packs;
        self
    }

    /// Asks. The answer is to be read to its end.
    pub(super) fn ask(&mut self, question: &[u8]) -> io::Result<()> {
        self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(question)
    }

    fn output(&mut self) -> io::Result<&mut BufReader<ChildStdout>> {
        self.output.as_mut().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    /// The next line of the answer, without its end.
    pub(super) fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.output()?.take(LINE).read_line(&mut line)?;
        match line.pop() {
            Some('\n') => Ok(line),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// So many bytes of the answer.
    pub(super) fn bytes(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.output()?.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The line of the answer, which is an object id.
    pub(super) fn oid(&mut self) -> io::Result<Oid> {
        let line = self.line()?;
        parse_oid("an answer", line.as_bytes()).map_err(|_| io::ErrorKind::InvalidData.into())
    }
}

impl Resident {
    /// Closes it and waits for its end; whether it ended by itself.
    fn end(&mut self) -> bool {
        drop((self.input.take(), self.output.take()));
        self.child.wait().is_ok_and(|status| status.code().is_some())
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.end();
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LostAnswer {
    /// Git did not do what it was asked for.
    Refused,
    /// The process was killed, and may have done it before.
    Killed,
}

impl Residents {
    /// A process that knows the packs as they are: git keeps open what it has found, and an object that is only in a pack
    /// which the user's `git gc` has removed would seem to be there.
    fn take(&self, duty: Duty, packs: Option<SystemTime>) -> Option<Resident> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle.iter().rposition(|(of, _)| *of == duty)?;
        let (_, resident) = idle.remove(at);
        drop(idle);
        let is_young = duty != Duty::Refs || resident.since.elapsed() < OLDEST;
        (is_young && resident.packs == packs).then_some(resident)
    }

    fn put_back(&self, duty: Duty, resident: Resident) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((duty, resident));
        let oldest = if idle.len() > IDLE { Some(idle.remove(0)) } else { None };
        // Waited for without the lock.
        drop(idle);
        drop(oldest);
    }
}

impl Repo {
    /// Has a process answer; `None` if that did not work, for whatever reason.
    pub(super) fn ask<T>(&self, duty: Duty, talk: impl FnOnce(&mut Resident) -> io::Result<T>) -> Option<T> {
        self.answer_of(duty, talk).ok()
    }

    /// The same with the reason.
    pub(super) fn answer_of<T>(
        &self,
        duty: Duty,
        talk: impl FnOnce(&mut Resident) -> io::Result<T>,
    ) -> Result<T, LostAnswer> {
        let residents = &self.inner.residents;
        let packs = fs::metadata(self.objects_dir().join("pack")).and_then(|about| about.modified()).ok();
        let start = || self.start_resident(duty).map(|started| started.knowing(packs));
        let resident = residents.take(duty, packs).map_or_else(start, Ok);
        let mut resident = resident.map_err(|_| LostAnswer::Refused)?;
        match talk(&mut resident) {
            Ok(answer) => {
                residents.put_back(duty, resident);
                Ok(answer)
            }
            Err(_) if resident.end() => Err(LostAnswer::Refused),
            Err(_) => Err(LostAnswer::Killed),
        }
    }

    fn start_resident(&self, duty: Duty) -> Result<Resident, GitError> {
        const KEEP_LITTLE: &[&str] = &["core.deltaBaseCacheLimit=4m"];
        let hash = |kind: &'static str| {
            let call = self.own("hash-object")?;
            Ok::<_, GitError>(call.args(["-w", "--no-filters", "-t", kind, "--stdin-paths"]))
        };
        let call = match duty {
            Duty::Read => self.objects_with("cat-file", KEEP_LITTLE).arg("--batch-command"),
            Duty::Names => self.user_checkout("cat-file").arg("--batch-command"),
            // What is new in a tree is looked for before; a large directory is not looked through each time. Ids do not shrink, and a
            // pack has only what differs.
            Duty::Trees => {
                let call = self.own_with("mktree", &["core.looseCompression=0"])?;
                call.args(["-z", "--batch", "--missing"])
            }
            Duty::Blobs => hash("blob")?,
            Duty::Commits => hash("commit")?,
            Duty::Refs => self.ref_writer().args(["-m", "windlass", "--no-deref", "--stdin"]),
        };
        call.stay()
    }

    /// Has bytes stored as an object of a kind.
    pub(super) fn store_bytes(&self, duty: Duty, bytes: &[u8]) -> Option<Oid> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let own = self.inner.own_dir.as_ref()?;
        let name = format!("{}-o{}", process_name(), NEXT.fetch_add(1, Ordering::Relaxed));
        let file = OwnFile(own.join("tmp").join(name));
        fs::write(&file.0, bytes).ok()?;
        let path = file.0.to_str().filter(|path| !path.contains(['\n', '"']))?;
        self.ask(duty, |git| {
            git.ask(format!("{path}\n").as_bytes())?;
            git.oid()
        })
    }
}

/// A file that is removed when dropped.
struct OwnFile(PathBuf);

impl Drop for OwnFile {
    fn drop(&mut self) {
        // A leftover is removed at the next start.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests;
