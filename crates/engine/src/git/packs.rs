//! Packs: commits with their files on their way to another repository and back.
//!
//! A pack from elsewhere is never believed: its declared sizes are added up first, then git indexes and checks it in a
//! quarantine, and only then do its objects become part of the repository.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::ZlibDecoder;
use windlass_core::ids::Oid;

use super::command::{ConfigScope, GitCall, GitEnv};
use super::discover::find_program;
use super::error::GitError;
use super::repo::{ObjectFormat, Repo, unreadable};
use crate::random_token::process_name;
use crate::removal::remove_any;

/// How large a pack from elsewhere may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackLimits {
    /// As it travels.
    pub(crate) packed: u64,
    /// All its objects together, unpacked.
    pub(crate) unpacked: u64,
    /// The number of its objects.
    pub(crate) objects: u32,
}

impl Repo {
    /// A new bare repository without objects, or the one that is there.
    pub(crate) fn bare(env: GitEnv, dir: &Path, sha256: bool) -> Result<Self, GitError> {
        let program = find_program(&env.path).ok_or(GitError::GitMissing)?;
        let failed =
            |source| GitError::Io { what: "cannot make the directory", path: dir.to_owned(), source };
        if !dir.join("HEAD").exists() {
            fs::create_dir_all(dir).map_err(failed)?;
            let format = if sha256 { "--object-format=sha256" } else { "--object-format=sha1" };
            let call = GitCall::new(&program, &env, ConfigScope::Repository, &[], "init").cwd(dir);
            call.args(["--quiet", "--bare", format, "."]).ok()?;
        }
        Self::discover(env, dir)
    }

    /// Whether object names are SHA-256.
    pub(crate) fn is_sha256(&self) -> bool {
        self.inner.format == ObjectFormat::Sha256
    }

    /// Those of the commits that are not here.
    pub(crate) fn missing_commits(&self, commits: &[Oid]) -> Result<Vec<Oid>, GitError> {
        if commits.is_empty() {
            return Ok(Vec::new());
        }
        let input: String = commits.iter().map(|oid| format!("{oid}\n")).collect();
        let call = self.objects("cat-file").args(["--batch-check=%(objecttype)", "--buffer"]);
        let out = call.stdin(input.as_bytes()).ok()?;
        let lines = String::from_utf8_lossy(&out).into_owned();
        let absent = |(oid, line): (&Oid, &str)| (line != "commit").then(|| oid.clone());
        Ok(commits.iter().zip(lines.lines()).filter_map(absent).collect())
    }

    /// Single commits with all their files and without the history behind them, as a pack for a repository that has the
    /// commits of `have`.
    pub(crate) fn pack_single(&self, commits: &[Oid], have: &[Oid]) -> Result<Vec<u8>, GitError> {
        let cut = commits.iter().chain(have).map(|oid| format!("--shallow {oid}\n"));
        let want = commits.iter().map(|oid| format!("{oid}\n"));
        let not = have.iter().map(|oid| format!("{oid}\n"));
        let input: String = cut.chain(want).chain(["--not\n".into()]).chain(not).collect();
        self.pack(&["--shallow"], &input)
    }

    /// What leads from the commits of `from` to the others, as a pack.
    pub(crate) fn pack_since(&self, commits: &[Oid], from: &[Oid]) -> Result<Vec<u8>, GitError> {
        let want = commits.iter().map(|oid| format!("{oid}\n"));
        let not = from.iter().map(|oid| format!("{oid}\n"));
        let input: String = want.chain(["--not\n".into()]).chain(not).collect();
        self.pack(&[], &input)
    }

    fn pack(&self, more: &[&str], input: &str) -> Result<Vec<u8>, GitError> {
        let call = self.objects("pack-objects").args(["--revs", "--stdout", "--thin", "-q"]).args(more);
        call.stdin(input.as_bytes()).ok()
    }

    /// Takes a pack in that this program's own coordinator sent. Commits without their parents become ends of history.
    pub(crate) fn take_pack(&self, pack: &[u8], commits: &[Oid]) -> Result<(), GitError> {
        self.objects("index-pack").args(["--stdin", "--fix-thin"]).stdin(pack).ok()?;
        let path = self.inner.common_dir.join("shallow");
        let known = fs::read_to_string(&path).unwrap_or_default();
        let mut lines: Vec<String> = known.lines().map(str::to_owned).collect();
        for commit in commits {
            let parents = self.raw_parents(commit)?;
            let ends = !self.missing_commits(&parents)?.is_empty();
            if ends && !lines.iter().any(|line| line == commit.as_str()) {
                lines.push(commit.to_string());
            }
        }
        let failed = |source| GitError::Io { what: "cannot write", path: path.clone(), source };
        let temp = path.with_extension(format!("new-{}", process_name()));
        fs::write(&temp, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).map_err(failed)?;
        fs::rename(&temp, &path).map_err(failed)
    }

    /// The commits at which the history of this repository ends, the latest last.
    pub(crate) fn history_ends(&self) -> Vec<Oid> {
        let text = fs::read_to_string(self.inner.common_dir.join("shallow")).unwrap_or_default();
        text.lines().filter_map(|line| Oid::new(line).ok()).collect()
    }

    fn raw_parents(&self, commit: &Oid) -> Result<Vec<Oid>, GitError> {
        let out = self.objects("cat-file").args(["commit", commit.as_str()]).ok()?;
        let text = String::from_utf8_lossy(&out).into_owned();
        let head = text.lines().take_while(|line| !line.is_empty());
        let parents = head.filter_map(|line| line.strip_prefix("parent "));
        parents.map(|oid| Oid::new(oid).map_err(|_| unreadable("cat-file", oid))).collect()
    }

    /// Takes a pack of another machine in. Its objects are checked apart from the repository's, and the commits named must
    /// be among them or known; otherwise nothing of it is kept.
    pub(crate) fn take_foreign_pack(
        &self,
        pack: &[u8],
        commits: &[Oid],
        limits: PackLimits,
    ) -> Result<(), GitError> {
        if !pack.is_empty() {
            check_sizes(pack, limits, self.is_sha256()).map_err(|why| unreadable("index-pack", &why))?;
        }
        let quarantine = Quarantine::make(self)?;
        let inside = |call: GitCall<'static>| {
            let call = call.env("GIT_OBJECT_DIRECTORY", &quarantine.dir);
            call.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", self.objects_dir())
        };
        if !pack.is_empty() {
            let most = format!("--max-input-size={}", limits.packed);
            let call = inside(self.own("index-pack")?);
            let call = call.args(["--stdin", "--fix-thin", "--strict", &most]);
            run_with(call, pack)?;
        }
        for commit in commits {
            let answer = inside(self.own("cat-file")?).args(["-t", commit.as_str()]).run()?;
            if answer.stdout != b"commit\n" {
                return Err(GitError::ObjectMissing { oid: commit.clone() });
            }
        }
        quarantine.release(&self.objects_dir())
    }
}

/// Runs a call whose input does not live as long as the call could.
fn run_with(call: GitCall<'static>, bytes: &[u8]) -> Result<(), GitError> {
    let call: GitCall<'_> = call;
    call.stdin(bytes).ok().map(drop)
}

/// Objects that are not part of the repository yet.
struct Quarantine {
    dir: std::path::PathBuf,
}

impl Quarantine {
    fn make(repo: &Repo) -> Result<Self, GitError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let own = repo.inner.own_dir.as_ref().ok_or(GitError::NoOwnDir { what: "quarantine" })?;
        let name = format!("{}-quarantine-{}", process_name(), NEXT.fetch_add(1, Ordering::Relaxed));
        let dir = own.join("tmp").join(name);
        let made = fs::create_dir_all(dir.join("pack"));
        made.map_err(|source| GitError::Io { what: "cannot make the directory", path: dir.clone(), source })?;
        Ok(Self { dir })
    }

    /// Moves the packs into the repository. An index comes last: without it git does not see its pack.
    fn release(&self, objects: &Path) -> Result<(), GitError> {
        let from = self.dir.join("pack");
        let failed = |source| GitError::Io { what: "cannot move", path: from.clone(), source };
        let mut names: Vec<_> =
            fs::read_dir(&from).map_err(failed)?.flatten().map(|entry| entry.file_name()).collect();
        names.sort_by_key(|name| Path::new(name).extension().is_some_and(|kind| kind == "idx"));
        fs::create_dir_all(objects.join("pack")).map_err(failed)?;
        for name in names {
            fs::rename(from.join(&name), objects.join("pack").join(&name)).map_err(failed)?;
        }
        Ok(())
    }
}

impl Drop for Quarantine {
    fn drop(&mut self) {
        // What is left of a refused pack.
        let _ = remove_any(&self.dir);
    }
}

/// Adds up what the objects of a pack become when they are unpacked, without keeping any of it.
fn check_sizes(pack: &[u8], limits: PackLimits, sha256: bool) -> Result<(), String> {
    let short = || "the pack ends too early".to_owned();
    if u64::try_from(pack.len()).unwrap_or(u64::MAX) > limits.packed {
        return Err(format!("the pack has {} bytes, and {} are allowed", pack.len(), limits.packed));
    }
    let head = pack.get(..12).ok_or_else(short)?;
    if !head.starts_with(b"PACK") {
        return Err("it is no pack".into());
    }
    let count = u32::from_be_bytes([head[8], head[9], head[10], head[11]]);
    if count > limits.objects {
        return Err(format!("the pack has {count} objects, and {} are allowed", limits.objects));
    }
    let mut rest = &pack[12..];
    let mut total: u64 = 0;
    for _ in 0..count {
        let (kind, declared) = object_head(&mut rest).ok_or_else(short)?;
        match kind {
            1..=4 => {}
            // A delta against an earlier object of this pack.
            6 => while take_byte(&mut rest).ok_or_else(short)? & 0x80 != 0 {},
            // A delta against a named object.
            7 => rest = rest.get(if sha256 { 32 } else { 20 }..).ok_or_else(short)?,
            _ => return Err(format!("the pack has an object of the unknown kind {kind}")),
        }
        let left = limits.unpacked.saturating_sub(total);
        let too_much = || format!("the pack unpacks to more than {} bytes", limits.unpacked);
        if declared > left {
            return Err(too_much());
        }
        let mut decoder = ZlibDecoder::new(rest);
        let mut unpacked = Vec::new();
        let read = decoder.by_ref().take(declared.saturating_add(1)).read_to_end(&mut unpacked);
        read.map_err(|error| format!("an object of the pack cannot be unpacked: {error}"))?;
        if u64::try_from(unpacked.len()).unwrap_or(u64::MAX) != declared {
            return Err("an object of the pack is not as large as it says".into());
        }
        rest = decoder.into_inner();
        // A delta begins with the size of its base and the size of its result.
        let mut delta = unpacked.as_slice();
        let made = if kind >= 6 { size(&mut delta).and_then(|_| size(&mut delta)) } else { Some(declared) };
        total = total.saturating_add(made.ok_or_else(short)?.max(declared));
        if total > limits.unpacked {
            return Err(too_much());
        }
    }
    Ok(())
}

fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    Some(*first)
}

/// The kind and the size of an object.
fn object_head(rest: &mut &[u8]) -> Option<(u8, u64)> {
    let mut byte = take_byte(rest)?;
    let kind = (byte >> 4) & 7;
    let mut size = u64::from(byte & 15);
    let mut shift = 4;
    while byte & 0x80 != 0 {
        byte = take_byte(rest)?;
        size |= u64::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
    }
    Some((kind, size))
}

/// A size at the start of a delta.
fn size(rest: &mut &[u8]) -> Option<u64> {
    let (mut size, mut shift) = (0, 0);
    loop {
        let byte = take_byte(rest)?;
        size |= u64::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        if byte & 0x80 == 0 {
            return Some(size);
        }
    }
}

#[cfg(test)]
mod tests;
