//! Small repositories in every language with documents, and the plan that is made from both.
//!
//! A file of `tests/repositories` holds the files of a repository, its documents, and the plan: `WINDLASS_BLESS=1` writes
//! the plan anew. Where the tool-chain is part of the tests, the tests of the plan are run: red while the code is missing.

use std::fmt::Write as _;
use std::path::PathBuf;

use windlass_code::red::Red;
use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;
use windlass_core::plan::{Action, Task};
use windlass_planner::derive::{DeriveOptions, Derived, Grouping, SessionFindings, derive};
use windlass_planner::lint::Profile;
use windlass_planner::repository::Repository;
use windlass_planner::spec::{SpecFile, read};
use windlass_planner::steps::{Adaptive, History, StepDetail};

use crate::bench;

struct Fixture {
    path: PathBuf,
    text: String,
    /// Files by path; the last one is the plan.
    parts: Vec<(String, String)>,
}

impl Fixture {
    fn open(language: &str) -> Self {
        let path =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/repositories/{language}.txt"));
        let text = std::fs::read_to_string(&path).unwrap();
        let parts = bench::parts(&text);
        Self { path, text, parts }
    }

    fn files(&self) -> Vec<(&str, &str)> {
        let own = self.parts.iter().filter(|(name, _)| name != "plan" && !name.starts_with("docs/"));
        own.map(|(name, text)| (name.as_str(), text.as_str())).collect()
    }

    fn derived(&self) -> Derived {
        let tree = MemoryTree::new(self.files());
        let repository = Repository::new(&tree, survey(&tree));
        let documents: Vec<SpecFile> = self
            .parts
            .iter()
            .filter(|(name, _)| name.starts_with("docs/"))
            .map(|(name, text)| SpecFile { path: name.clone(), text: text.clone() })
            .collect();
        let known: Vec<String> = self.files().iter().map(|(name, _)| (*name).to_owned()).collect();
        let options = DeriveOptions {
            name: "slugs".to_owned(),
            folder: None,
            profile: Profile::Default,
            detail: StepDetail::High,
            history: History::default(),
            adaptive: Adaptive::default(),
            grouping: Grouping::Flat,
            language: None,
            phase: None,
            method: None,
            tool: None,
            session: None,
            branch: None,
            findings: SessionFindings::default(),
        };
        derive(&read(&documents, &known), &repository, &options)
    }

    /// Compares the plan with the one in the file, or writes it there.
    #[track_caller]
    fn same(&self, plan: &str) {
        let (head, _) = self.text.split_once("\n=== plan\n").unwrap();
        let whole = format!("{head}\n=== plan\n{plan}");
        if std::env::var_os("WINDLASS_BLESS").is_some() {
            std::fs::write(&self.path, whole).unwrap();
            return;
        }
        let name = self.path.display();
        assert!(self.text == whole, "{name} has another plan (WINDLASS_BLESS=1 writes it anew):\n{plan}");
    }
}

fn shown(derived: &Derived) -> String {
    let mut out = String::new();
    for task in &derived.plan.tasks {
        let _ = writeln!(out, "# {}: {}", task.id, task.title);
        task_lines(task, &mut out);
        for block in &task.contract {
            let _ = writeln!(out, "contract\n{}", indented(&block.code));
        }
        for step in &task.steps {
            let part = |name: &str, text: &Option<String>| {
                text.as_ref().map(|t| format!(" {name}{t}")).unwrap_or_default()
            };
            let _ =
                writeln!(out, "{}{}{}", step.action.as_str(), part("", &step.file), part("$ ", &step.run));
            for (name, code) in [("writes", &step.code), ("sketch", &step.sketch)] {
                if let Some(code) = code {
                    let _ = writeln!(out, "  {name}\n{}", indented(code));
                }
            }
        }
        out.push('\n');
    }
    for note in &derived.notes {
        let _ = writeln!(out, "{}: {}", note.kind.as_str(), note.text);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn task_lines(task: &Task, out: &mut String) {
    for criterion in &task.criteria {
        let _ = writeln!(out, "- {}: {}", criterion.id, criterion.text);
    }
    if !task.depends_on.is_empty() {
        let _ = writeln!(out, "after {}", task.depends_on.join(", "));
    }
    let lists = [("create", &task.files.create), ("modify", &task.files.modify), ("read", &task.files.read)];
    for (word, files) in lists.iter().filter(|(_, files)| !files.is_empty()) {
        let _ = writeln!(out, "{word} {}", files.join(", "));
    }
}

fn indented(code: &str) -> String {
    let lines =
        code.trim_end().lines().map(|l| if l.is_empty() { String::new() } else { format!("    {l}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// Every language has its plan.
#[test]
fn every_language_has_its_plan() {
    let languages =
        ["python", "rust", "typescript", "javascript", "go", "java", "c", "cpp", "ruby", "csharp", "php"];
    for language in languages {
        let fixture = Fixture::open(language);
        let derived = fixture.derived();
        assert!(!derived.plan.tasks.is_empty(), "{language}");
        fixture.same(&shown(&derived));
    }
}

/// The tests that a plan writes itself fail because the code is missing, and for no other reason.
#[track_caller]
fn tests_wait_for_their_code(language: &str) {
    let fixture = Fixture::open(language);
    let derived = fixture.derived();
    let mut run = 0;
    for task in &derived.plan.tasks {
        let own = task.steps.iter().filter(|step| step.action == Action::WriteTest);
        for step in own {
            let (Some(file), Some(code)) = (&step.file, step.code.as_ref().or(step.sketch.as_ref())) else {
                continue;
            };
            let owned: Vec<String> = task.owned().map(str::to_owned).collect();
            let done = bench::run(&fixture.files(), &[], (file, code), &owned);
            assert!(matches!(done.red, Red::MissingCode { .. }), "{file}: {:?}\n{}", done.red, done.output);
            assert!(!done.passed, "{file}");
            run += 1;
        }
    }
    assert!(run > 1, "{language}: {run} tests");
}

#[test]
fn tests_of_a_python_plan_wait_for_their_code() {
    tests_wait_for_their_code("python");
}

#[test]
fn tests_of_a_rust_plan_wait_for_their_code() {
    tests_wait_for_their_code("rust");
}

#[test]
fn tests_of_a_javascript_plan_wait_for_their_code() {
    tests_wait_for_their_code("javascript");
}
