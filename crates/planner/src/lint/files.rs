//! Files: impossible paths, and verifications that name files that do not exist yet. The graph reports overlaps.

use std::collections::{HashMap, HashSet};

use super::context::{LintRun, TaskScript};
use super::rule::{Levels, Profile, rules};
use windlass_code::detect::is_test_path;
use windlass_core::diagnostic::Severity::{Error, Note, Warning};
use windlass_core::graph::Stated;
use windlass_core::plan::Task;

rules! {
    Files;
    BAD_PATH = "WL0201" "bad-path", Levels::all(Error),
        "a path leaves the repository or is no valid file path";
    LATER_FILE = "WL0202" "later-file", Levels::all(Error),
        "the verification names a file that only a later task creates";
    UNRELATED_FILE = "WL0203" "unrelated-file", Levels::all(Error),
        "the verification names a file that only an unrelated task creates";
    OTHER_TEST = "WL0204" "other-test-file", Levels::all(Warning).with(Profile::Contract, Error),
        "the test specification writes one file and the verification runs another";
    TWO_WAYS = "WL0205" "file-twice", Levels::all(Warning), "a task does two different things to one file";
    CREATED_TWICE = "WL0206" "created-twice", Levels::all(Warning), "two tasks create the same file";
    PLAN_FILE = "WL0207" "owns-plan", Levels::all(Error), "a task owns files that agents cannot see";
    BY_LEVEL = "WL0208" "file-by-level", Levels::all(Warning),
        "the verification names a file of another task, and only levels order the two";
    NO_FILES = "WL0209" "no-files", Levels::all(Note).with(Profile::Contract, Warning),
        "a task that changes code names no file";
    WRITES_OVER = "WL0210" "writes-over", Levels::off().with(Profile::Contract, Warning),
        "a task writes a new file and it is there already";
    NOT_THERE = "WL0211" "modifies-nothing", Levels::off().with(Profile::Contract, Warning),
        "a task modifies a file that is not there";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    paths(check, task);
    two_ways(check, task);
    other_test(check, task);
    no_files(check, at, task);
    created_twice(check, at, task);
    note_named(check, at, task);
    against_repository(check, task);
}

/// WRITE is for new files and MODIFY for those that are there, or that another task creates.
fn against_repository(check: &mut LintRun<'_>, task: &Task) {
    let Some(exists) = check.context.exists.filter(|_| check.any_on(&[&WRITES_OVER, &NOT_THERE])) else {
        return;
    };
    for (i, path) in task.files.create.iter().enumerate().filter(|(_, path)| exists(path)) {
        let message = format!("`{}` writes `{path}`, which is there already", task.id);
        check.task(&WRITES_OVER, task, &format!("files.create[{i}]"), message, "use MODIFY for it");
    }
    let plan = check.plan;
    let made =
        |path: &str| plan.tasks.iter().any(|t| t.id != task.id && t.files.create.iter().any(|p| p == path));
    for (i, path) in task.files.modify.iter().enumerate().filter(|(_, path)| !exists(path) && !made(path)) {
        let message = format!("`{}` modifies `{path}`, which is not there", task.id);
        check.task(&NOT_THERE, task, &format!("files.modify[{i}]"), message, "use WRITE for a new file");
    }
}

/// Checks the tasks together.
pub(super) fn plan(check: &mut LintRun<'_>) {
    let named = std::mem::take(&mut check.noted.named);
    named_files(check, &named);
}

/// Every path of a task with its field and index.
fn fields(task: &Task) -> impl Iterator<Item = (&'static str, usize, &str)> {
    let files = &task.files;
    let lists = [
        ("files.create", &files.create),
        ("files.modify", &files.modify),
        ("files.read", &files.read),
        ("files.delete", &files.delete),
    ];
    let listed =
        lists.into_iter().flat_map(|(name, list)| (0..).zip(list).map(move |(i, p)| (name, i, p.as_str())));
    let test = task.test.file.iter().map(|p| ("test.file", 0, p.as_str()));
    let held = (0..).zip(&task.test.held_out).map(|(i, h)| ("test.held_out", i, h.path.as_str()));
    let code = (0..).zip(&task.test_code).filter_map(|(i, b)| Some(("test_code", i, b.path.as_deref()?)));
    listed.chain(test).chain(held).chain(code)
}

/// A fast check that accepts most valid paths.
fn is_plain(path: &str) -> bool {
    let bytes = path.as_bytes();
    let fits = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'.');
    let starts = bytes.first().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let dotted = bytes.windows(2).any(|w| w == b"/." || w == b"..");
    starts && bytes.len() <= 255 && bytes.iter().all(fits) && !dotted
}

/// Why a path is invalid.
fn wrong(path: &str) -> Option<&'static str> {
    if is_plain(path) {
        return None;
    }
    let parts = || path.split(['/', '\\']);
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    if path.trim().is_empty() {
        Some("is empty")
    } else if path.contains(|c: char| c.is_control()) {
        Some("contains a control character")
    } else if path.starts_with(['/', '\\']) || drive {
        Some("is absolute; paths are relative to the repository")
    } else if path.starts_with('~') {
        Some("begins with `~`, which means a home directory")
    } else if parts().any(|p| p == "..") {
        Some("contains `..`")
    } else if parts().any(|p| p.eq_ignore_ascii_case(".git")) {
        Some("is inside `.git`")
    } else if path.starts_with('-') {
        Some("begins with `-`, which a command would read as an option")
    } else if path.starts_with(':') {
        Some("begins with `:`, which git would read as a pattern")
    } else if path.contains('\\') {
        Some("contains a backslash; use `/`")
    } else if path.len() > 1024 || parts().any(|p| p.len() > 255) {
        Some("is longer than a file system allows")
    } else {
        None
    }
}

fn paths(check: &mut LintRun<'_>, task: &Task) {
    for (list, i, path) in fields(task) {
        let field = || if list == "test.file" { list.to_owned() } else { format!("{list}[{i}]") };
        if let Some(why) = wrong(path) {
            let message = format!("the path `{}` {why}", path.escape_debug());
            check.task(&BAD_PATH, task, &field(), message, "");
        } else if list != "files.read" && path.starts_with("plans/") {
            let message = format!("`{path}` is in `plans/`, which agents cannot see");
            check.task(
                &PLAN_FILE,
                task,
                &field(),
                message,
                "a plan is edited by people, not by its own tasks",
            );
        }
    }
}

fn two_ways(check: &mut LintRun<'_>, task: &Task) {
    let files = &task.files;
    let pairs = [
        ("creates", &files.create, "modifies", &files.modify),
        ("creates", &files.create, "deletes", &files.delete),
        ("modifies", &files.modify, "deletes", &files.delete),
    ];
    for (first, left, second, right) in pairs {
        if left.is_empty() || right.is_empty() {
            continue;
        }
        let left: HashSet<&String> = left.iter().collect();
        for path in right.iter().filter(|p| left.contains(p)) {
            let message = format!("`{}` {first} and {second} `{path}`", task.id);
            check.task(&TWO_WAYS, task, "files", message, "keep the final operation");
        }
    }
}

fn no_files(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let code =
        matches!(task.task_type.as_deref(), Some(t) if t.starts_with("add_") || t.starts_with("create_"));
    let nothing = check.owned(at).is_empty() && task.mode.is_none() && task.test.none.is_none();
    if code && nothing && !check.is_parent(at) {
        let message = format!("`{}` changes code and names no file", task.id);
        check.task(
            &NO_FILES,
            task,
            "files",
            message,
            "name the files it writes; otherwise it runs as a gate and changes nothing",
        );
    }
}

fn other_test(check: &mut LintRun<'_>, task: &Task) {
    let own = task.test_files();
    if own.is_empty() {
        return;
    }
    let mut found = Vec::new();
    for checked in &check.scripts {
        let mut run = checked.script.paths();
        run.retain(|p| p.contains('.') && is_test_path(p));
        let runs_own = run.iter().any(|p| own.iter().any(|o| same_file(p, o)));
        if let (Some(other), false) = (run.first(), runs_own) {
            found.push((
                checked.field,
                format!("the tests are in `{}`, but the verification runs `{other}`", own[0]),
            ));
        }
    }
    for (field, message) in found {
        check.task(&OTHER_TEST, task, field, message, "run the file that contains the tests");
    }
}

/// Whether two paths can name one file, where one may lack its leading folders.
fn same_file(a: &str, b: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|head| head.is_empty() || head.ends_with('/'))
    };
    ends(a, b) || ends(b, a)
}

/// The tasks that create each file, in the order of the plan.
#[derive(Default)]
pub(super) struct Makers<'a>(HashMap<&'a str, Vec<u32>>);

impl<'a> Makers<'a> {
    /// Adds the files that a task creates.
    pub(super) fn note(&mut self, at: u32, task: &'a Task) {
        let tests = task.test_files();
        let tests = tests.iter().filter(|p| !task.files.modify.iter().any(|m| m == *p)).copied();
        for path in task.files.create.iter().map(String::as_str).chain(tests) {
            let makers = self.0.entry(path).or_default();
            if makers.last() != Some(&at) {
                makers.push(at);
            }
        }
    }
}

/// Collects the files in a task's scripts that other tasks create.
fn note_named(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let scripts = std::mem::take(&mut check.scripts);
    for TaskScript { field, script, .. } in &scripts {
        for path in script.paths() {
            let owned = check.owned(at).iter().any(|o| o.path == path);
            if owned || task.files.read.contains(&path) {
                continue;
            }
            let Some((path, makers)) = check.makers.0.get_key_value(path.as_str()) else { continue };
            let named = makers.iter().take(MAKERS).map(|&maker| ForeignFile { task: at, maker, path, field });
            let named: Vec<ForeignFile<'_>> = named.collect();
            check.noted.named.extend(named);
        }
    }
    check.scripts = scripts;
}

fn created_twice(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let plan = check.plan;
    for (i, path) in task.files.create.iter().enumerate() {
        let creates = |t: &u32| plan.tasks[*t as usize].files.create.contains(path);
        let first = check.makers.0.get(path.as_str()).and_then(|makers| makers.iter().copied().find(creates));
        if let Some(first) = first.filter(|first| *first != at) {
            let first = &plan.tasks[first as usize].id;
            let message = format!("`{path}` is created by `{first}` and by `{}`", task.id);
            let field = format!("files.create[{i}]");
            check.task(
                &CREATED_TWICE,
                task,
                &field,
                message,
                "one task creates a file, the others modify it",
            );
        }
    }
}

/// The most creating tasks that are considered per file; more are a finding of their own.
const MAKERS: usize = 16;

/// A file in a task's verification that another task creates.
pub(super) struct ForeignFile<'a> {
    task: u32,
    maker: u32,
    path: &'a str,
    field: &'static str,
}

fn named_files(check: &mut LintRun<'_>, named: &[ForeignFile<'_>]) {
    if named.is_empty() {
        return;
    }
    let forward: Vec<(u32, u32)> = named.iter().map(|n| (n.maker, n.task)).collect();
    let backward: Vec<(u32, u32)> = named.iter().map(|n| (n.task, n.maker)).collect();
    let stated = Stated::of(check.plan, &check.by_id);
    let made = stated.before(&forward);
    let later = stated.before(&backward);
    let fine: HashSet<(u32, &str)> =
        named.iter().zip(&made).filter(|(_, m)| **m).map(|(n, _)| (n.task, n.path)).collect();
    let mut said: HashSet<(u32, &str)> = HashSet::new();
    for (named, later) in named.iter().zip(later) {
        if !fine.contains(&(named.task, named.path)) && said.insert((named.task, named.path)) {
            report_named(check, named, later);
        }
    }
}

fn report_named(check: &mut LintRun<'_>, named: &ForeignFile<'_>, later: bool) {
    let (task, maker) = (&check.plan.tasks[named.task as usize], &check.plan.tasks[named.maker as usize]);
    let path = named.path;
    let by_level = matches!((maker.level, task.level), (Some(made), Some(own)) if made < own);
    let higher = matches!((maker.level, task.level), (Some(made), Some(own)) if made > own);
    let help = format!("add `{}` to `depends_on`, or verify something the task itself creates", maker.id);
    if later || higher {
        let message =
            format!("`{}` is verified with `{path}`, which only the later `{}` creates", task.id, maker.id);
        check.task(&LATER_FILE, task, named.field, message, "verify the task with files that exist by then");
    } else if by_level {
        let message =
            format!("`{}` is verified with `{path}` of `{}`, and only levels order them", task.id, maker.id);
        check.task(&BY_LEVEL, task, named.field, message, &help);
    } else {
        let message = format!(
            "`{}` is verified with `{path}`, which `{}` creates, and nothing orders them",
            task.id, maker.id
        );
        check.task(&UNRELATED_FILE, task, named.field, message, &help);
    }
}
