//! Packs the objects that a run writes. Every task leaves a dozen loose ones, and each slot reads all files of a tree, which is a file
//! to open for every loose object.
//!
//! A loose object is removed only if a pack that was written here has it. What no ref of the run leads to, packs of others and the
//! user's settings stay as they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::error::GitError;
use super::repo::{Repo, unreadable};

/// As many small packs become one: git looks for an object in one pack after another.
const TOGETHER: usize = 8;

/// The packs that were written here and are not combined yet.
#[derive(Debug, Default)]
pub(crate) struct OwnPacks(Vec<String>);

/// Trees of one directory differ by little from task to task, and follow each other in size: one look back finds a delta. The index
/// must be on the disk before what it stands for is removed.
const SETTINGS: [&str; 4] = [
    "core.fsync=committed,derived-metadata",
    "pack.window=1",
    "pack.threads=1",
    "pack.writeReverseIndex=false",
];

impl Repo {
    /// Packs the loose objects that the refs with these prefixes lead to.
    pub(crate) fn pack_loose(&self, prefixes: &[&str], packs: &mut OwnPacks) -> Result<(), GitError> {
        let mut tips = BTreeSet::new();
        for prefix in prefixes {
            tips.extend(self.refs(prefix)?.into_iter().map(|(_, oid)| oid));
        }
        let input: String = tips.iter().map(|oid| format!("{oid}\n")).collect();
        let wanted = ["--unpacked", "--incremental", "--local", "--non-empty"];
        let Some(pack) = self.write_pack(&wanted, &input)? else { return Ok(()) };
        let objects = self.objects_dir();
        for oid in self.objects_in(&pack)? {
            let (dir, file) = oid.split_at(2);
            // One that stays is there twice.
            let _ = fs::remove_file(objects.join(dir).join(file));
        }
        packs.0.push(pack);
        if packs.0.len() >= TOGETHER { self.combine(packs) } else { Ok(()) }
    }

    /// Puts the refs with this prefix into one file. A git that would take refs of the user with them does nothing.
    pub(crate) fn pack_refs(&self, prefix: &str) -> Result<(), GitError> {
        let settings = ["core.fsync=committed,reference", "core.packedRefsTimeout=2000"];
        let call = self.user_with("pack-refs", &settings).arg("--include").arg(format!("{prefix}*"));
        call.ok().map(drop)
    }

    /// Makes one pack of the small ones.
    fn combine(&self, packs: &mut OwnPacks) -> Result<(), GitError> {
        let small = std::mem::take(&mut packs.0);
        let file =
            |pack: &str, kind: &str| self.objects_dir().join("pack").join(format!("pack-{pack}.{kind}"));
        // The user's `git gc` may have taken some of them into a pack of its own.
        let small: Vec<String> = small.into_iter().filter(|pack| file(pack, "pack").exists()).collect();
        let input: String = small.iter().map(|pack| format!("pack-{pack}.pack\n")).collect();
        let Some(whole) = self.write_pack(&["--stdin-packs"], &input)? else { return Ok(()) };
        let has: BTreeSet<String> = self.objects_in(&whole)?.into_iter().collect();
        for pack in small.into_iter().filter(|pack| *pack != whole) {
            if self.objects_in(&pack)?.iter().all(|oid| has.contains(oid)) {
                // Without its index a pack is not seen.
                for kind in ["idx", "pack"] {
                    let _ = fs::remove_file(file(&pack, kind));
                }
            }
        }
        Ok(())
    }

    /// Writes a pack into the store; its name, or `None` if there was nothing to pack.
    fn write_pack(&self, wanted: &[&str], input: &str) -> Result<Option<String>, GitError> {
        let call = self.own_with("pack-objects", &SETTINGS)?.args(["-q", "--delta-base-offset"]).args(wanted);
        let out = call.arg(self.objects_dir().join("pack/pack")).stdin(input.as_bytes()).ok()?;
        let name = String::from_utf8_lossy(&out).trim().to_owned();
        if !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(unreadable("pack-objects", &name));
        }
        // The name of the pack, too, must be on the disk before anything is removed.
        let dir = self.objects_dir().join("pack");
        let synced = fs::File::open(&dir).and_then(|dir| dir.sync_all());
        synced.map_err(|source| GitError::Io { what: "cannot write", path: dir, source })?;
        Ok(Some(name).filter(|name| !name.is_empty()))
    }

    /// The names of the objects in a pack of the store.
    fn objects_in(&self, pack: &str) -> Result<Vec<String>, GitError> {
        let path: PathBuf = self.objects_dir().join("pack").join(format!("pack-{pack}.idx"));
        let index = fs::read(&path).map_err(|source| GitError::Io { what: "cannot read", path, source })?;
        let out = self.own("show-index")?.stdin(&index).ok()?;
        let text = String::from_utf8_lossy(&out);
        let name = |line: &str| line.split(' ').nth(1).map(str::to_owned);
        text.lines().map(|line| name(line).ok_or_else(|| unreadable("show-index", line))).collect()
    }
}

#[cfg(test)]
mod tests;
