//! The bench of the cheats: from a list of changes to one plan, one run, and a verdict on every change.

use std::fmt::Write as _;

use windlass_core::event::AttemptEnd;
use windlass_core::ids::TaskId;
use windlass_core::state::TaskState;
use windlass_engine::HeldOutStore;
use windlass_engine::chronicle::Chronicle;
use windlass_testkit::{PlanTask, TestRepo};

/// One change an agent makes, and what it makes it to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    /// What the agent does, in the fake agent's language; `{task}` is the directory of the task.
    pub(crate) agent: &'static str,
    /// Files that are there from the start, below the task's directory; they replace the fixture's own.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// Files the task owns besides its code, below its directory.
    pub(crate) owns: &'static [&'static str],
    /// The task's test, where it is not the fixture's own.
    pub(crate) test: Option<&'static str>,
    /// A test that the agent never sees.
    pub(crate) held_out: Option<&'static str>,
}

/// Does what the task asks for.
pub(crate) const NOTHING: Change = Change { agent: "", files: &[], owns: &[], test: None, held_out: None };

/// A cheat, what it must be refused for, and a change that looks like it and must be accepted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cheat {
    /// Its number.
    pub(crate) no: &'static str,
    /// What it does.
    pub(crate) what: &'static str,
    /// The change.
    pub(crate) deed: Change,
    /// Part of what the refusal says: its kind and its summary.
    pub(crate) caught: &'static str,
    /// The honest twin; without an agent it is the fixture's honest solution.
    pub(crate) twin: Change,
}

/// What a language's tasks look like.
pub(crate) struct Fixture {
    /// Files of every task's directory at the start; `total` gives a wrong answer.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// The code file that every task owns.
    pub(crate) code: &'static str,
    /// The test file.
    pub(crate) test_file: &'static str,
    /// The test.
    pub(crate) test: &'static str,
    /// The language of the test's fence.
    pub(crate) fence: &'static str,
    /// The comment mark before the test's path.
    pub(crate) comment: &'static str,
    /// The command that verifies a task, run in its directory.
    pub(crate) verify: &'static str,
    /// The honest solution.
    pub(crate) honest: &'static str,
    /// The path of a held-out test.
    pub(crate) held_out: &'static str,
    /// Further configuration.
    pub(crate) config: &'static str,
}

/// No second chances, and little patience.
const CONFIG: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n\n[limits]\nverification = \"40s\"\n\n[format]\noff = true\n";

struct Case<'a> {
    id: String,
    change: Change,
    cheat: &'a Cheat,
    honest: bool,
}

impl Fixture {
    /// Carries all of it out and checks every verdict.
    pub(crate) fn hold(&self, cheats: &[Cheat]) {
        let cases: Vec<Case<'_>> = cheats
            .iter()
            .flat_map(|cheat| {
                let case = |letter: &str, change: Change, honest| Case {
                    id: format!("{letter}{}", cheat.no),
                    change,
                    cheat,
                    honest,
                };
                [case("c", cheat.deed, false), case("h", cheat.twin, true)]
            })
            .collect();
        let repo = self.repository(&cases);
        let ran = repo.start_run(&["--yes", "--jobs", "2"]).wait_for(std::time::Duration::from_mins(15));
        let mut wrong = String::new();
        for case in &cases {
            if let Some(complaint) = judge(&repo, case) {
                let _ = writeln!(wrong, "{} ({}): {complaint}", case.id, case.cheat.what);
            }
        }
        assert!(
            wrong.is_empty(),
            "{wrong}\n{}",
            if std::env::var_os("TAMPER_LOUD").is_some() { ran.to_string() } else { String::new() }
        );
        let commits = repo.subjects("windlass/demo");
        assert_eq!(commits.len(), cheats.len(), "one commit for every honest change, and no other");
        repo.windlass(&["audit"]).ends(0);
        assert_eq!(repo.left_behind(), []);
    }

    fn repository(&self, cases: &[Case<'_>]) -> TestRepo {
        let mut repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
            .file(".gitignore", "__pycache__\n.pytest_cache\ntarget\nnode_modules\n")
            .file("windlass.toml", &format!("{CONFIG}{}", self.config));
        let store = HeldOutStore::at(repo.path(".git/windlass/held-out"));
        let mut script = String::new();
        let mut tasks = Vec::new();
        for case in cases {
            for (path, text) in self.files.iter().chain(case.change.files) {
                repo = repo.file(&format!("{}/{path}", case.id), &text.replace("{task}", &case.id));
            }
            let agent = if case.change.agent.is_empty() { self.honest } else { case.change.agent };
            let _ = write!(script, "[{}]\n{agent}\n", case.id);
            tasks.push(self.task(case, &store));
        }
        repo.plan("demo", &tasks).committed().agent(&script)
    }

    fn task(&self, case: &Case<'_>, store: &HeldOutStore) -> PlanTask {
        let id = &case.id;
        let test_file = format!("{id}/{}", self.test_file);
        let test = case.change.test.unwrap_or(self.test).replace("{task}", id);
        let mut owned = format!("MODIFY: {id}/{}\nWRITE: {test_file}", self.code);
        for path in case.change.owns {
            let _ = write!(owned, "\nMODIFY: {id}/{path}");
        }
        let mut task = PlanTask::new(id, case.cheat.what).front(&format!("test_file: {test_file}"));
        if case.cheat.caught == "timeout" {
            task = task.front("timeout_seconds: 8");
        }
        if let Some(text) = case.change.held_out {
            let hash = store.keep(text.replace("{task}", id).as_bytes()).unwrap();
            let line = format!("held_out: [{{path: {id}/{}, blake3: \"{hash}\"}}]", self.held_out);
            task = task.front(&line);
        }
        task.section("Test Specification", self.fence, &format!("{} {test_file}\n{test}", self.comment))
            .section("Output Files", "", &owned)
            .verified_by(&format!("cd {id}\n{}", self.verify))
    }
}

/// What is wrong with a verdict, if something is.
fn judge(repo: &TestRepo, case: &Case<'_>) -> Option<String> {
    let chronicle = Chronicle::open(&repo.path(".git/windlass/plans/demo/journal.db")).unwrap()?;
    let id = TaskId::new(&case.id).unwrap();
    let state = chronicle.view().unwrap().task(&case.id)?.state;
    let history = chronicle.history(&id).unwrap();
    let said: Vec<String> = history
        .attempts
        .iter()
        .map(|a| match &a.end {
            Some(AttemptEnd::Failed { failure }) => format!("{}: {}", failure.kind(), failure.details()),
            other => format!("{other:?}"),
        })
        .collect();
    // What was put back or left out before the verdict is told by a finding.
    let said = said.iter().chain(&history.findings).map(String::as_str).collect::<Vec<_>>().join(" | ");
    let completed = state == TaskState::Completed;
    match (case.honest, completed) {
        (true, false) => Some(format!("an honest change was refused: {said}")),
        (false, true) => Some("ACCEPTED".into()),
        (false, false) if !said.contains(case.cheat.caught) => {
            Some(format!("refused, but not for {:?}: {said}", case.cheat.caught))
        }
        (true, true) | (false, false) => None,
    }
}
