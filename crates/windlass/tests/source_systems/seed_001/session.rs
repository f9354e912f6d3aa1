//! A homerun session as its discovery leaves it: a repository, its worktree, the specifications, the input.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use windlass_testkit::{Outcome, TestRepo};

use crate::frame::{empty, fixture, program};

/// The worktree of the document's example input.
const WORKTREE: &str = "myapp-create-user-auth-a1b2c3d4";
/// Its branch.
pub(super) const BRANCH: &str = "create/user-auth-a1b2c3d4";

/// A repository with the specifications, and the worktree of the example input on its branch.
pub(super) struct HomerunRepo {
    pub(super) repo: TestRepo,
}

const PACKAGE: &str = r#"{"name": "myapp", "type": "module", "devDependencies": {"vitest": "^3.0.0"}}"#;

impl HomerunRepo {
    pub(super) fn new() -> Self {
        let mut repo = empty()
            .file("package.json", PACKAGE)
            .file("CLAUDE.md", "# Rules\n\nAlways use bcrypt cost 12.\n");
        for name in ["PRD.md", "ADR.md", "TECHNICAL_DESIGN.md", "WIREFRAMES.md"] {
            repo = repo.file(&format!("docs/specs/{name}"), &fixture(&format!("001/specs/{name}")));
        }
        let repo = repo.committed();
        repo.git(&["worktree", "add", "-q", "-b", BRANCH, &format!("../{WORKTREE}")]);
        repo.write("input.json", &fixture("001/input.json"));
        Self { repo }
    }

    /// With another value in the input.
    pub(super) fn input(self, change: impl FnOnce(&mut Value)) -> Self {
        let mut input: Value = serde_json::from_str(&self.repo.read("input.json")).unwrap();
        change(&mut input);
        self.repo.write("input.json", &input.to_string());
        self
    }

    /// With a file of the worktree.
    pub(super) fn file(self, path: &str, text: &str) -> Self {
        let full = self.path(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, text).unwrap();
        self
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.repo.top().join(WORKTREE).join(path)
    }

    pub(super) fn plan(&self, more: &[&str]) -> Outcome {
        self.repo.windlass(&[&["plan", "--input", "input.json"], more].concat())
    }

    /// Runs the program in the worktree: its exit code, and what it says on both streams.
    pub(super) fn windlass(&self, args: &[&str]) -> (Option<i32>, String) {
        in_dir(&self.repo, &self.path(""), args)
    }

    /// What a file of the worktree says.
    pub(super) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.path(path)).unwrap()).unwrap()
    }

    /// Runs a script of the document in the worktree.
    pub(super) fn bash(&self, script: &str) -> String {
        bash(&self.repo, &self.path(""), script)
    }
}

/// Runs the program in another directory: its exit code, and what it says on both streams.
pub(super) fn in_dir(repo: &TestRepo, dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let out = repo.command(program()).current_dir(dir).args(args).output().unwrap();
    (
        out.status.code(),
        format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr)),
    )
}

/// What a script prints, on both streams.
pub(super) fn bash(repo: &TestRepo, dir: &Path, script: &str) -> String {
    let out = repo.command("bash").current_dir(dir).arg("-c").arg(script).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

/// A `docs/tasks.json` with one task that has every field of the schema, changed.
pub(super) fn one_task(change: impl FnOnce(&mut Value)) -> TestRepo {
    let mut tasks: Value = serde_json::from_str(&fixture("001/tasks.json")).unwrap();
    tasks["tasks"].as_array_mut().unwrap().truncate(1);
    change(&mut tasks["tasks"][0]);
    empty().file("package.json", PACKAGE).file("docs/tasks.json", &tasks.to_string()).committed()
}

/// The codes and severities that `check` finds.
pub(super) fn found(repo: &TestRepo, args: &[&str]) -> Vec<(String, String)> {
    let out = repo.windlass(&[&["check", "--format", "json"], args].concat());
    let json: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}\n{out}"));
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    json["diagnostics"].as_array().unwrap().iter().map(|d| (text(&d["code"]), text(&d["severity"]))).collect()
}

/// Asserts that `check` finds a code with a severity in this task.
pub(super) fn finds(code: &str, severity: &str, change: impl FnOnce(&mut Value)) {
    let repo = one_task(change);
    let all = found(&repo, &["docs/tasks.json"]);
    assert!(all.contains(&(code.to_owned(), severity.to_owned())), "{code} {severity} is not in {all:?}");
}

/// Asserts that `check` does not find a code in this task.
pub(super) fn lacks(code: &str, change: impl FnOnce(&mut Value)) {
    let repo = one_task(change);
    let all = found(&repo, &["docs/tasks.json"]);
    assert!(!all.iter().any(|(c, _)| c == code), "{code} is in {all:?}");
}

/// A criterion as the schema has it.
pub(super) fn criterion(n: u32) -> Value {
    json!({ "id": format!("AC-{n:03}"), "criterion": format!("Field {n} has a unique constraint") })
}
