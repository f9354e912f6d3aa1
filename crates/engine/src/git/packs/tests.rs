//! Packs between two repositories, and packs that must be refused.

use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::*;
use crate::git::{CommitSpec, Identity, Signing, TreeEdit};

const LIMITS: PackLimits = PackLimits { packed: 1 << 20, unpacked: 4 << 20, objects: 1000 };

fn env() -> GitEnv {
    GitEnv { path: std::env::var_os("PATH").unwrap(), home: None, people: Vec::new() }
}

fn bare(dir: &Path) -> Repo {
    let repo = Repo::bare(env(), &dir.join("repo.git"), false).unwrap();
    repo.with_own_dir(&dir.join("state")).unwrap()
}

/// A commit with these files on top of a parent.
fn commit(repo: &Repo, parent: Option<&Oid>, files: &[(&str, &str)]) -> Oid {
    let base = parent.map_or_else(|| repo.empty_tree().unwrap(), |parent| repo.tree_of(parent).unwrap());
    let edits: Vec<TreeEdit> = files
        .iter()
        .map(|(path, text)| TreeEdit {
            path: (*path).to_owned(),
            new: Some((0o100_644, repo.write_blob(text.as_bytes()).unwrap())),
        })
        .collect();
    let tree = repo.edit_tree(&base, &edits).unwrap();
    let who = Identity { name: "T".into(), email: "t@example.org".into(), date: None };
    let parents = parent.into_iter().cloned().collect();
    let spec = CommitSpec {
        tree,
        parents,
        message: "x".into(),
        author: who.clone(),
        committer: who,
        sign: Signing::No,
    };
    repo.commit_tree(&spec).unwrap()
}

#[test]
fn a_commit_travels_without_its_history_and_its_successor_comes_back() {
    let temp = tempfile::tempdir().unwrap();
    let (home, away) = (bare(&temp.path().join("home")), bare(&temp.path().join("away")));
    let first = commit(&home, None, &[("a", "one\n"), ("big", &"line\n".repeat(5000))]);
    let base = commit(&home, Some(&first), &[("a", "two\n")]);
    assert_eq!(away.missing_commits(std::slice::from_ref(&base)).unwrap(), std::slice::from_ref(&base));
    let pack = home.pack_single(std::slice::from_ref(&base), &[]).unwrap();
    away.take_pack(&pack, std::slice::from_ref(&base)).unwrap();
    assert!(away.missing_commits(std::slice::from_ref(&base)).unwrap().is_empty());
    assert_eq!(
        away.missing_commits(std::slice::from_ref(&first)).unwrap(),
        [first],
        "the history stays at home"
    );
    assert_eq!(away.history_ends(), std::slice::from_ref(&base));
    // What follows is small, because the other side has almost everything.
    let next = commit(&home, Some(&base), &[("a", "three\n")]);
    let small = home.pack_single(std::slice::from_ref(&next), &away.history_ends()).unwrap();
    assert!(small.len() < 600, "{} bytes", small.len());
    away.take_pack(&small, std::slice::from_ref(&next)).unwrap();
    assert_eq!(away.read_path(&next, "a").unwrap().unwrap(), b"three\n");
    assert_eq!(away.history_ends(), std::slice::from_ref(&base), "its parent is there");
    let work = commit(&away, Some(&next), &[("b", "made there\n")]);
    let back = away.pack_since(std::slice::from_ref(&work), &[next]).unwrap();
    home.take_foreign_pack(&back, std::slice::from_ref(&work), LIMITS).unwrap();
    assert_eq!(home.read_path(&work, "b").unwrap().unwrap(), b"made there\n");
    assert!(leftovers(&home).is_empty(), "the quarantine is gone");
}

fn leftovers(repo: &Repo) -> Vec<PathBuf> {
    let tmp = repo.inner.own_dir.as_ref().unwrap().join("tmp");
    // Index files are kept; what is being taken in lies in a directory.
    fs::read_dir(tmp).unwrap().flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

#[test]
fn a_pack_that_lacks_something_leaves_nothing_behind() {
    let temp = tempfile::tempdir().unwrap();
    let (home, away) = (bare(&temp.path().join("home")), bare(&temp.path().join("away")));
    let strange = commit(&away, None, &[("x", "1\n")]);
    let work = commit(&away, Some(&strange), &[("y", "2\n")]);
    // Its parent never came.
    let pack = away.pack_since(std::slice::from_ref(&work), &[strange]).unwrap();
    assert!(home.take_foreign_pack(&pack, std::slice::from_ref(&work), LIMITS).is_err());
    assert!(
        home.take_foreign_pack(&[], std::slice::from_ref(&work), LIMITS).is_err(),
        "a commit that nobody sent"
    );
    let whole = away.pack_since(std::slice::from_ref(&work), &[]).unwrap();
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    assert!(home.take_foreign_pack(&flipped, std::slice::from_ref(&work), LIMITS).is_err());
    assert!(home.take_foreign_pack(&whole[..middle], std::slice::from_ref(&work), LIMITS).is_err());
    assert!(home.missing_commits(std::slice::from_ref(&work)).unwrap().len() == 1, "nothing of them is kept");
    assert!(leftovers(&home).is_empty());
    home.take_foreign_pack(&whole, &[work], LIMITS).unwrap();
}

#[test]
fn no_flipped_bit_of_a_pack_becomes_another_commit() {
    let temp = tempfile::tempdir().unwrap();
    let (home, away) = (bare(&temp.path().join("home")), bare(&temp.path().join("away")));
    let work = commit(&away, None, &[("y", &"some lines\n".repeat(30)), ("z", "2\n")]);
    let whole = away.pack_since(std::slice::from_ref(&work), &[]).unwrap();
    for flip in 0..60 {
        let mut bytes = whole.clone();
        let bit = flip * whole.len() * 8 / 60 + flip % 8;
        bytes[bit / 8] ^= 1 << (bit % 8);
        let taken = home.take_foreign_pack(&bytes, std::slice::from_ref(&work), LIMITS);
        assert!(taken.is_err(), "bit {bit}: the checksum of a pack covers all of it");
        assert_eq!(home.missing_commits(std::slice::from_ref(&work)).unwrap().len(), 1);
    }
    assert!(leftovers(&home).is_empty());
    home.take_foreign_pack(&whole, &[work], LIMITS).unwrap();
}

/// A pack of one blob that says how large it is.
fn blob_pack(declared: u64, bytes: &[u8]) -> Vec<u8> {
    let mut pack = b"PACK\0\0\0\x02\0\0\0\x01".to_vec();
    let mut size = declared >> 4;
    let low = u8::try_from(declared & 15).unwrap();
    pack.push(0x30 | low | if size > 0 { 0x80 } else { 0 });
    while size > 0 {
        let low = u8::try_from(size & 0x7f).unwrap();
        size >>= 7;
        pack.push(low | if size > 0 { 0x80 } else { 0 });
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).unwrap();
    pack.extend(packed.finish().unwrap());
    pack
}

#[test]
fn a_pack_is_weighed_before_it_is_unpacked() {
    let zeros = vec![0; 8 << 20];
    let fits = [0; 1000];
    for (pack, words) in [
        (blob_pack(8 << 20, &zeros), "unpacks to more than"),
        (blob_pack(10, &zeros), "not as large as it says"),
        (blob_pack(4000, &fits), "not as large as it says"),
        (b"PACK\0\0\0\x02\xff\xff\xff\xff".to_vec(), "4294967295 objects"),
        (b"PACK\0\0\0\x02\0\0\0\x05".to_vec(), "ends too early"),
        (b"KCAP\0\0\0\x02\0\0\0\x05".to_vec(), "no pack"),
        (vec![0; 2 << 20], "bytes, and"),
    ] {
        let said = check_sizes(&pack, LIMITS, false).unwrap_err();
        assert!(said.contains(words), "{said}");
    }
    check_sizes(&blob_pack(1000, &fits), LIMITS, false).unwrap();
}
