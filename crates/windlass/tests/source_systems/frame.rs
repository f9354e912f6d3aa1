//! The frame of the cases: a requirement, its case, and what becomes of it.

use std::fmt;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    /// A test elsewhere shows it: its file below `crates`, and its name.
    Held(&'static str, &'static str),
    /// Nothing shows it yet: it stands as it was found.
    Untried,
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
        match (self.case, self.before) {
            (Case::Untried, before) => before,
            (Case::Deviates(_), _) | (Case::Held(..), Rating::Better) => Rating::Better,
            (Case::Run(_) | Case::Held(..), _) => Rating::Works,
        }
    }
}

impl Case {
    /// Tries it; panics where it does not hold.
    pub(crate) fn check(self) {
        match self {
            Case::Run(case) | Case::Deviates(case) => case(),
            Case::Held(file, test) => {
                let path = format!("{}/../{file}", env!("CARGO_MANIFEST_DIR"));
                let text = std::fs::read_to_string(&path).unwrap();
                let at = text
                    .find(&format!("fn {test}("))
                    .unwrap_or_else(|| panic!("{file} has no test `{test}`"));
                assert!(text[..at].trim_end().ends_with(']'), "`{test}` in {file} is not a test");
            }
            Case::Untried => {}
        }
    }
}

/// A table of requirements and, for each that has a case, a test with its name.
///
/// ```text
/// requirements! {
///     r093 Worse "MUST decompose: >= 2 layers" => Case::Run(layers_are_an_error);
/// }
/// ```
macro_rules! requirements {
    ($($name:ident $before:ident $sentence:literal $(=> $case:expr)?;)*) => {
        pub(crate) static ROWS: &[$crate::frame::Requirement] = &[$($crate::frame::Requirement {
            name: stringify!($name),
            before: $crate::frame::Rating::$before,
            sentence: $sentence,
            case: $crate::frame::requirements!(@case $($case)?),
        }),*];
        $($crate::frame::requirements!(@test $name $($case)?);)*
    };
    (@case) => { $crate::frame::Case::Untried };
    (@case $case:expr) => { $case };
    (@test $name:ident) => {};
    (@test $name:ident $case:expr) => {
        #[test]
        fn $name() {
            $crate::frame::Case::check($case);
        }
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

/// An empty repository on `main`, and the program under test.
pub(crate) fn empty() -> TestRepo {
    TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
}

/// A file of the fixtures of these cases: the documents' own examples, schemas and gates.
pub(crate) fn fixture(path: &str) -> String {
    let full = format!("{}/tests/source_systems/fixtures/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&full).unwrap_or_else(|e| panic!("{full}: {e}"))
}

/// The program on a terminal, with these answers typed; what the screen showed.
pub(crate) fn typed(repo: &TestRepo, args: &[&str], answers: &str) -> String {
    let line = format!("'{}' {}", env!("CARGO_BIN_EXE_windlass"), args.join(" "));
    let mut command = repo.command("script");
    command.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(repo.path(""));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).replace('\r', "")
}
