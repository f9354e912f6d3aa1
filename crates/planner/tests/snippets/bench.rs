//! A repository on disk in which a generated test is run by the real runner.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use windlass_code::red::{Green, GreenInput, Red, RedInput, RunExit, classify, green};
use windlass_code::repo::MemoryTree;
use windlass_code::report::{TestReport, read_any};
use windlass_code::script::instrument_in;
use windlass_code::survey::survey;
use windlass_core::event::TestAuthor;
use windlass_planner::repository::Repository;

/// The files of a fixture: each begins with `=== ` and its name, and a blank line stands between them.
pub(crate) fn parts(text: &str) -> Vec<(String, String)> {
    let mut parts: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("=== ") {
            Some(name) => parts.push((name.trim().to_owned(), String::new())),
            None => parts.last_mut().unwrap().1.push_str(line),
        }
    }
    for (_, text) in &mut parts {
        let end = text.trim_end_matches('\n').len();
        text.truncate(end);
        text.push_str(if end > 0 { "\n" } else { "" });
    }
    parts
}

/// What a run came to.
pub(crate) struct Run {
    pub(crate) red: Red,
    pub(crate) green: Green,
    pub(crate) report: Option<TestReport>,
    pub(crate) output: String,
    pub(crate) passed: bool,
}

/// A repository on disk.
pub(crate) struct Place {
    dir: TempDir,
    /// As it was before anything was laid.
    pub(crate) tree: MemoryTree,
}

impl Place {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap(), tree: MemoryTree::new(files.iter().copied()) };
        for (path, text) in files {
            place.put(path, text);
        }
        std::fs::create_dir_all(place.dir.path().join("reports")).unwrap();
        place
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("repo")
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        if text.starts_with("#!") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// A Maven repository of this place alone, with links to the packages of the distribution. Maven writes notes into
    /// its repository, and those must reach neither the packages nor a home directory.
    pub(crate) fn maven_repository(&self, packages: &Path) -> PathBuf {
        let repository = self.dir.path().join("maven-repository");
        let done = Command::new("cp")
            .arg("--recursive")
            .arg("--symbolic-link")
            .arg(packages)
            .arg(&repository)
            .status();
        assert!(done.unwrap().success(), "{} cannot be copied", packages.display());
        repository
    }

    pub(crate) fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap_or_default()
    }

    /// Runs a script at the root of the repository, with output and errors in one stream.
    pub(crate) fn bash(&self, script: &str, env: &[(String, String)]) -> (i32, Vec<u8>) {
        let done = Command::new("bash")
            .args(["-c", &format!("{{ {script}\n}} 2>&1")])
            .current_dir(self.root())
            .env("PATH", search_path())
            .env("CARGO_TARGET_DIR", self.dir.path().join("target"))
            .envs(env.iter().cloned())
            .output()
            .unwrap();
        (done.status.code().unwrap(), done.stdout)
    }

    /// Runs a test file with the command the repository asks for. `owned` are the files that the task is still to write.
    pub(crate) fn run(&self, test: (&str, &str), owned: &[String]) -> Run {
        self.put(test.0, test.1);
        let repository = Repository::new(&self.tree, survey(&self.tree));
        let script = repository.test_command(test.0).unwrap().script;
        let reports = self.dir.path().join("reports");
        for old in std::fs::read_dir(&reports).unwrap() {
            std::fs::remove_file(old.unwrap().path()).unwrap();
        }
        let run = instrument_in(&self.tree, &script, reports.to_str().unwrap());
        let (code, output) = self.bash(&run.script, &run.env);
        let read = |path: &str| std::fs::read(path).ok();
        let report = read_any(&run.expects, &read, &output).unwrap();
        let exit = RunExit::Code(code);
        let red = classify(&RedInput {
            exit,
            report: report.as_ref(),
            runner: run.runner(),
            output: &output,
            test_files: &[(test.0.to_owned(), test.1.as_bytes().to_vec())],
            author: TestAuthor::Agent,
            owned,
            provides: &[],
            declared: &[],
            present: &[],
        });
        let green = green(&GreenInput {
            exit,
            report: report.as_ref(),
            runner: run.runner(),
            required: &[],
            failing_before: &[],
            listed_by_code: &[],
        });
        let output = String::from_utf8_lossy(&output).into_owned();
        Run { red, green, report, output, passed: code == 0 }
    }
}

/// Runs a test file once. `laid` are files besides those of the repository.
pub(crate) fn run(
    files: &[(&str, &str)],
    laid: &[(&str, &str)],
    test: (&str, &str),
    owned: &[String],
) -> Run {
    let place = Place::new(files);
    for (path, text) in laid {
        place.put(path, text);
    }
    place.run(test, owned)
}

/// What is built or installed beside the sources.
pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")
}

/// Where programs are looked for: what `scripts/test` and `scripts/runners` install, then what the machine has.
pub(crate) fn search_path() -> std::ffi::OsString {
    let own = ["venv/bin", "agents/bin", "runners/venv/bin"].map(|dir| target().join(dir));
    let rest = std::env::var_os("PATH").unwrap();
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&rest))).unwrap()
}
