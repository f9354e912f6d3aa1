//! Derives the plan of documents and prints each of their lines with the task that got it: `show_plan FILE…`. For looking.
//! `show_plan plan FILE…` prints the plan as JSON, as `windlass plan FILE… --stdout --format json` does.
//!
//! The repository is one README. In front of a line stands the number of its task; `x` is left out, `?` a question, `c` a rule for
//! every task, `r` what stays as it is, `-` what was not placed.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example that prints")]
#![expect(clippy::disallowed_methods, reason = "the purity wall is for the library; this is a program")]

use std::collections::BTreeMap;

use windlass_code::repo::{MemoryTree, Tree as _};
use windlass_code::survey::survey;
use windlass_core::diagnostic::Span;
use windlass_core::plan::{Plan, Task};
use windlass_planner::derive::{DeriveOptions, Derived, Grouping, SessionFindings, derive};
use windlass_planner::lint::Profile;
use windlass_planner::repository::Repository;
use windlass_planner::spec::{self, Spec, SpecFile};
use windlass_planner::steps::{Adaptive, History, StepDetail};

fn main() {
    let read = |path: String| match std::fs::read(&path) {
        Ok(bytes) => Some(SpecFile { path, text: String::from_utf8_lossy(&bytes).into_owned() }),
        Err(error) => {
            eprintln!("error: {path}: {error}");
            None
        }
    };
    let mut arguments = plain_arguments().into_iter().peekable();
    let as_json = arguments.next_if_eq("plan").is_some();
    let files: Vec<SpecFile> = arguments.filter_map(read).collect();
    let tree = MemoryTree::new([("README.md".to_owned(), "# Project\n".to_owned())]);
    let spec = spec::read(&files, tree.paths());
    let derived = derive(&spec, &Repository::new(&tree, survey(&tree)), &options());
    if as_json {
        println!("{:#}", serde_json::json!(derived.plan));
        return;
    }
    let marks = Marks::of(&spec, &derived.plan);
    for (at, file) in files.iter().enumerate() {
        println!("== {}", file.path);
        for (number, line) in (1..).zip(file.text.lines()) {
            let marks = marks.0.get(&(at, number)).map(|marks| marks.join(" ")).unwrap_or_default();
            println!("{marks:>8} {number:4} {line}");
        }
    }
    derived.plan.tasks.iter().for_each(print_task);
    print_notes(&spec, &derived);
}

/// The arguments that are no options: those of `windlass plan` that this program does not have are passed over.
fn plain_arguments() -> Vec<String> {
    let mut found = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if matches!(argument.as_str(), "--profile" | "--format") {
            arguments.next();
        } else if !argument.starts_with("--") {
            found.push(argument);
        }
    }
    found
}

fn options() -> DeriveOptions {
    DeriveOptions {
        name: "plan".to_owned(),
        folder: None,
        profile: Profile::Default,
        detail: StepDetail::Low,
        history: History::default(),
        adaptive: Adaptive::default(),
        grouping: Grouping::Suggested,
        language: None,
        phase: None,
        method: None,
        tool: None,
        session: None,
        branch: None,
        findings: SessionFindings::default(),
    }
}

/// The marks of lines, by document and line.
struct Marks(BTreeMap<(usize, usize), Vec<String>>);

impl Marks {
    fn of(spec: &Spec, plan: &Plan) -> Marks {
        let mut marks = Marks(BTreeMap::new());
        for criterion in &spec.criteria {
            let serves = |task: &&Task| task.criteria.iter().any(|c| c.id == criterion.id);
            let tasks: Vec<String> = plan.tasks.iter().filter(serves).map(|task| number(&task.id)).collect();
            let mark = if tasks.is_empty() { "!".to_owned() } else { tasks.join("+") };
            marks.add(spec, criterion.span, mark);
        }
        let lists = [
            (&spec.exclusions, "x"),
            (&spec.questions, "?"),
            (&spec.conventions, "c"),
            (&spec.regressions, "r"),
            (&spec.unplaced, "-"),
        ];
        for (list, mark) in lists {
            for remark in list {
                marks.add(spec, remark.span, mark.to_owned());
            }
        }
        for story in &spec.stories {
            marks.add(spec, story.span, "*".to_owned());
        }
        marks
    }

    fn add(&mut self, spec: &Spec, span: Span, mark: String) {
        let line = spec.sources.position(span).line as usize;
        let file = span.file.0 as usize;
        let here = self.0.entry((file, line)).or_default();
        if here.last() != Some(&mark) {
            here.push(mark);
        }
    }
}

/// The id of a task without the letters and noughts in front of its number.
fn number(id: &str) -> String {
    id.trim_start_matches(|c: char| !c.is_ascii_digit()).trim_start_matches('0').to_owned()
}

fn print_task(task: &Task) {
    let (files, after) = (&task.files, task.depends_on.join(" "));
    println!(
        "{} {} [{} criteria] after [{after}] create {:?} modify {:?}",
        task.id,
        task.title,
        task.criteria.len(),
        files.create,
        files.modify,
    );
}

fn print_notes(spec: &Spec, derived: &Derived) {
    for note in &derived.notes {
        let line = note.span.map(|span| spec.sources.position(span).line);
        println!("{}: {} {line:?}", note.kind.as_str(), note.text);
    }
}
