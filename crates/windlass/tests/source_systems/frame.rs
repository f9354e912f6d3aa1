//! The frame of the cases: a requirement, its case, and what becomes of it.

use std::fmt;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use windlass_testkit::TestRepo;

/// How a requirement is met. `Better` and `Worse`: met, and differently from what the document says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rating {
    Works,
    Better,
    Worse,
    Partly,
    Missing,
}

impl Rating {
    pub(crate) const ALL: [Rating; 5] =
        [Rating::Works, Rating::Better, Rating::Worse, Rating::Partly, Rating::Missing];
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rating::Works => "works",
            Rating::Better => "better",
            Rating::Worse => "worse",
            Rating::Partly => "partly",
            Rating::Missing => "missing",
        })
    }
}

/// What shows that a requirement is met.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Case {
    /// Runs the program and panics where it does not do what the document says.
    Run(fn()),
    /// The same, for a requirement that is met differently on purpose; the guide says why.
    Deviates(fn()),
}

/// One requirement of a document.
#[derive(Debug)]
pub(crate) struct Requirement {
    /// `r093`: its number with a letter, as the name of its test.
    pub(crate) name: &'static str,
    /// How it was met when the documents were first taken apart; how it is met if its case fails.
    pub(crate) before: Rating,
    pub(crate) sentence: &'static str,
    pub(crate) case: Case,
}

impl Requirement {
    pub(crate) fn number(&self) -> u32 {
        self.name[1..].parse().unwrap()
    }

    /// Its rating if the case holds.
    pub(crate) fn rating_if_held(&self) -> Rating {
        match self.case {
            Case::Deviates(_) => Rating::Better,
            Case::Run(_) => Rating::Works,
        }
    }
}

impl Case {
    /// Tries it; panics where it does not hold.
    pub(crate) fn check(self) {
        let (Case::Run(case) | Case::Deviates(case)) = self;
        case();
    }
}

/// A table of requirements and, for each, a test with its name.
///
/// ```text
/// requirements! {
///     r093 Worse "MUST decompose: >= 2 layers" => Case::Run(layers_are_an_error);
/// }
/// ```
macro_rules! requirements {
    ($($name:ident $before:ident $sentence:literal => $case:expr;)*) => {
        pub(crate) static ROWS: &[$crate::frame::Requirement] = &[$($crate::frame::Requirement {
            name: stringify!($name),
            before: $crate::frame::Rating::$before,
            sentence: $sentence,
            case: $case,
        }),*];
        $(
            #[test]
            fn $name() {
                $crate::frame::Case::check($case);
            }
        )*
    };
}
pub(crate) use requirements;

/// Every row with its rating today, and why it is not met.
pub(crate) fn judged(rows: &'static [Requirement]) -> Vec<(&'static Requirement, Rating, String)> {
    set_hook(Box::new(|_| {}));
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            let why = match catch_unwind(AssertUnwindSafe(|| row.case.check())) {
                Ok(()) => None,
                Err(cause) => {
                    let text = cause.downcast_ref::<String>().map(String::as_str);
                    let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("failed");
                    Some(text.lines().next().unwrap_or_default().to_owned())
                }
            };
            let rating = if why.is_none() { row.rating_if_held() } else { row.before.max(Rating::Worse) };
            done.lock().unwrap().push((row, rating, why.unwrap_or_default()));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(row, ..)| row.number());
    done
}

/// The program under test: this build, or another one that `WINDLASS_PROGRAM` names.
pub(crate) fn program() -> String {
    std::env::var("WINDLASS_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_windlass").to_owned())
}

/// An empty repository on `main`, and the program under test.
pub(crate) fn empty() -> TestRepo {
    TestRepo::new(&program())
}

/// The states of a plan's tasks as `status --json` tells them.
pub(crate) fn state(repo: &TestRepo, task: &str) -> String {
    let out = repo.windlass(&["status", "--json", "--all"]);
    let status: Value = serde_json::from_str(&out.stdout).unwrap_or_default();
    let tasks = status["tasks"].as_array().cloned().unwrap_or_default();
    let found = tasks.iter().find(|t| t["id"] == task).and_then(|t| t["state"].as_str());
    found.unwrap_or_default().to_owned()
}

/// What a command prints as JSON.
pub(crate) fn json(repo: &TestRepo, args: &[&str]) -> Value {
    let out = repo.windlass(args).ends(0);
    serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}\n{out}"))
}

/// The codes that `check` finds, and its exit code.
pub(crate) fn codes(repo: &TestRepo, plan: &str) -> (Option<i32>, Vec<String>) {
    let out = repo.windlass(&["check", "--format", "json", plan]);
    let found: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}\n{out}"));
    let all = found["diagnostics"].as_array().cloned().unwrap_or_default();
    (out.code, all.iter().filter_map(|d| d["code"].as_str().map(str::to_owned)).collect())
}

/// Lines of an agent's script that write a file.
pub(crate) fn write(path: &str, text: &str) -> String {
    format!("write {path} <<END\n{text}END\n")
}

/// A file of the fixtures of these cases: the documents' own examples, schemas and gates.
pub(crate) fn fixture(path: &str) -> String {
    let full = format!("{}/tests/source_systems/fixtures/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&full).unwrap_or_else(|e| panic!("{full}: {e}"))
}

/// The program on a terminal, with these answers typed; what the screen showed.
pub(crate) fn typed(repo: &TestRepo, args: &[&str], answers: &str) -> String {
    let line = format!("'{}' {}", program(), args.join(" "));
    let mut command = repo.command("script");
    command.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(repo.path(""));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).replace('\r', "")
}
