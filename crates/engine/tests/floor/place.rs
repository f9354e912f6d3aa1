//! A temporary home, a user's repository in it, and a way to do in it what a user would do.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use windlass_core::ids::Oid;
use windlass_engine::git::{CommitSpec, GitEnv, Identity, Repo, Signing};

pub(crate) struct Place {
    temp: TempDir,
}

impl Place {
    /// A home with an identity and no repository.
    pub(crate) fn new() -> Self {
        let place = Self { temp: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.home()).unwrap();
        fs::create_dir_all(place.user()).unwrap();
        let config = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n";
        fs::write(place.home().join(".gitconfig"), config).unwrap();
        place
    }

    /// The same with a repository that has one commit of these files.
    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        let place = Self::new();
        place.git(&["init", "-q"]);
        place.commit(files);
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.temp.path()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// The user's checkout.
    pub(crate) fn user(&self) -> PathBuf {
        self.path().join("user")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path().join("state")
    }

    pub(crate) fn env(&self) -> GitEnv {
        GitEnv { path: search_path(), home: Some(self.home()), people: Vec::new() }
    }

    pub(crate) fn repo(&self) -> Repo {
        Repo::discover(self.env(), &self.user()).unwrap().with_own_dir(&self.state()).unwrap()
    }

    /// Runs git as the user, in the user's checkout.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.user(), args)
    }

    /// Runs git as the user somewhere.
    pub(crate) fn git_in(&self, dir: &Path, args: &[&str]) -> String {
        let output = self.command(dir, args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    pub(crate) fn command(&self, dir: &Path, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.env_clear().env("PATH", search_path()).env("HOME", self.home());
        command.env("GIT_CONFIG_NOSYSTEM", "1").current_dir(dir).args(args);
        command
    }

    /// The tree that git makes of a patch on a commit or tree.
    pub(crate) fn patched(&self, base: &Oid, patch: &[u8]) -> Oid {
        let (index, file) = (self.path().join("patched-index"), self.path().join("patch"));
        fs::write(&file, patch).unwrap();
        let git = |args: &[&str]| {
            let output = self.command(&self.user(), args).env("GIT_INDEX_FILE", &index).output().unwrap();
            assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
        };
        git(&["read-tree", base.as_str()]);
        git(&["apply", "--cached", "--whitespace=nowarn", &file.display().to_string()]);
        Oid::new(&git(&["write-tree"])).unwrap()
    }

    /// Writes files in the user's checkout and commits everything.
    pub(crate) fn commit(&self, files: &[(&str, &str)]) -> Oid {
        write_files(&self.user(), files);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "work"]);
        self.tip()
    }

    pub(crate) fn tip(&self) -> Oid {
        Oid::new(&self.git(&["rev-parse", "HEAD"])).unwrap()
    }
}

pub(crate) fn search_path() -> OsString {
    std::env::var_os("PATH").unwrap()
}

pub(crate) fn write_files(dir: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

pub(crate) fn ada() -> Identity {
    Identity {
        name: "Ada".to_owned(),
        email: "ada@example.org".to_owned(),
        date: Some("@1700000000 +0000".to_owned()),
    }
}

/// A commit of a tree.
pub(crate) fn commit_of(repo: &Repo, tree: &Oid, parents: &[&Oid], message: &str) -> Oid {
    let spec = CommitSpec {
        tree: tree.clone(),
        parents: parents.iter().map(|oid| (*oid).clone()).collect(),
        message: message.to_owned(),
        author: ada(),
        committer: ada(),
        sign: Signing::No,
    };
    repo.commit_tree(&spec).unwrap()
}

/// Every path below a directory except `.git`, sorted; directories only if empty.
pub(crate) fn listing(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(here) = pending.pop() {
        let mut empty = true;
        for entry in fs::read_dir(&here).unwrap() {
            let entry = entry.unwrap();
            empty = false;
            if entry.file_type().unwrap().is_dir() {
                if entry.file_name() != ".git" {
                    pending.push(entry.path());
                }
            } else {
                found.push(entry.path().strip_prefix(dir).unwrap().to_str().unwrap().to_owned());
            }
        }
        if empty && here != dir {
            found.push(format!("{}/", here.strip_prefix(dir).unwrap().display()));
        }
    }
    found.sort();
    found
}
