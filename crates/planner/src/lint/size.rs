//! Size: when a task must, should or must not be split (homerun), and how long it may take.

use std::sync::LazyLock;
use windlass_code::survey::Language;

use super::context::LintRun;
use super::phrase_finder::{Finder, Hits};
use super::rule::Profile::{Contract, Homerun, Zerg};
use super::rule::{Levels, rules};
use super::tiny::tiny;
use windlass_core::diagnostic::Severity::{Error, Note, Warning};
use windlass_core::path_text::file_name;
use windlass_core::plan::{Methodology, Mode, NoTestReason, Task, Tier};
use windlass_core::policy::{DIVISIBLE, MECHANICAL};

rules! {
    Size;
    MANY_CRITERIA = "WL0401" "many-criteria", Levels::all(Note).with(Homerun, Error),
        "a task has more than three criteria and no parts";
    MANY_FILES = "WL0402" "many-files", Levels::all(Note).with(Homerun, Error).with(Contract, Warning),
        "a task changes more than four files and has no parts";
    MANY_LAYERS = "WL0403" "many-layers", Levels::all(Note).with(Homerun, Error).with(Contract, Warning),
        "a task spans several layers of the architecture";
    DECOMPOSABLE = "WL0404" "decomposable-type", Levels::off().with(Homerun, Warning),
        "a task of this type is usually split into parts";
    COMPOUND_TITLE = "WL0405" "compound-title", Levels::all(Note).with(Homerun, Warning).with(Contract, Warning),
        "a title joins two things with `and`";
    TEST_FILES = "WL0406" "many-test-files", Levels::all(Note).with(Homerun, Warning),
        "a task needs several test files";
    MIXED_METHODS = "WL0407" "mixed-methods", Levels::all(Note).with(Homerun, Warning),
        "a task mixes tested code with configuration";
    OUTSIDE_WORLD = "WL0408" "outside-world", Levels::off().with(Homerun, Note),
        "a task uses an external service and does other things as well";
    RISK = "WL0409" "risk-concentration", Levels::all(Note).with(Homerun, Warning),
        "many tasks depend directly on a single one";
    DIVIDED_TOO_FAR = "WL0410" "divided-too-far", Levels::off().with(Homerun, Warning),
        "a task is split that should not be";
    PART_SHAPE = "WL0411" "part-shape", Levels::off().with(Homerun, Note),
        "a part has more than one criterion or file, or needs a larger model";
    TOO_LONG = "WL0412" "too-long", Levels::all(Note).with(Homerun, Warning).with(Zerg, Warning),
        "a task is estimated to take too long";
    TOO_SMALL = "WL0413" "too-small", Levels::off().with(Homerun, Note),
        "a task is too small to be tested alone";
    MANY_STORIES = "WL0414" "many-stories", Levels::off().with(Homerun, Warning),
        "a task serves several stories";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let title = TITLES.find(&task.title);
    if check.is_parent(at) {
        must_not_divide(check, at, task);
    } else {
        must_divide(check, at, task, &title);
        should_divide(check, at, task, &title);
    }
    if task.parent.is_some() {
        part_shape(check, at, task);
    }
    duration(check, task);
    risk(check, at, task);
}

fn has_type(task: &Task, types: &[&str]) -> bool {
    task.task_type.as_deref().is_some_and(|t| types.contains(&t))
}

fn must_divide(check: &mut LintRun<'_>, at: u32, task: &Task, title: &Hits) {
    let criteria = task.criteria.len();
    if criteria > 3 && task.parent.is_none() {
        let message = format!("`{}` has {criteria} criteria; three are enough for one commit", task.id);
        check.task(&MANY_CRITERIA, task, "criteria", message, "split it, one part per criterion");
    }
    // The test that bounds the task is not part of its scope.
    let files = check.owned(at).iter().filter(|o| !o.is_test).count();
    if files > 4 {
        let message = format!("`{}` changes {files} files; four are enough for one commit", task.id);
        check.task(&MANY_FILES, task, "files", message, "split it by layer or by file");
    }
    let mut layers: Vec<&str> =
        check.owned(at).iter().filter(|o| !o.is_test).filter_map(|o| layer_of(o.path)).collect();
    layers.sort_unstable();
    layers.dedup();
    if layers.len() >= 2 {
        let named = layers.join(", ");
        let message = format!("`{}` spans {named}", task.id);
        check.task(&MANY_LAYERS, task, "files", message, "make a task per layer");
    }
    if has_type(task, &DIVISIBLE) && task.parent.is_none() {
        let kind = task.task_type.as_deref().unwrap_or_default();
        let message = format!("`{}` has the type `{kind}` and no parts", task.id);
        // A task with one criterion must not be split either (`WL0410`).
        let help = if criteria > 1 {
            "split it, one part per criterion, or give it a smaller type"
        } else {
            "give it a smaller type; a task with a single criterion is not split"
        };
        check.task(&DECOMPOSABLE, task, "task_type", message, help);
    }
    if title[AND].is_some() {
        let message = format!("the title of `{}` joins two things with `and`", task.id);
        check.task(
            &COMPOUND_TITLE,
            task,
            "title",
            message,
            "make two tasks, or name what they have in common",
        );
    }
    if task.traces_to.stories.len() > 1 {
        let message = format!("`{}` serves {} stories", task.id, task.traces_to.stories.len());
        check.task(&MANY_STORIES, task, "traces_to.stories", message, "make a task per story");
    }
}

/// The layer of a path, by the words of its folders and its name.
pub(crate) fn layer_of(path: &str) -> Option<&'static str> {
    const LAYERS: [(&str, &[&str]); 5] = [
        (
            "data",
            &["model", "models", "entities", "schema", "schemas", "migrations", "repositories", "repository"],
        ),
        ("logic", &["service", "services", "usecases", "domain"]),
        (
            "api",
            &["api", "routes", "controllers", "controller", "endpoints", "handlers", "router", "routers"],
        ),
        ("middleware", &["middleware", "middlewares"]),
        ("surface", &["components", "views", "pages", "screens", "ui"]),
    ];
    let words = path.as_bytes().rsplit(|b| matches!(b, b'/' | b'.' | b'_' | b'-'));
    words.filter(|word| word.len() > 1).find_map(|word| {
        let of = |names: &[&str]| names.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(word));
        LAYERS.iter().find(|(_, names)| of(names)).map(|(layer, _)| *layer)
    })
}

/// Words in titles and objectives, in groups.
static TITLES: LazyLock<Finder> = LazyLock::new(|| {
    let outside = include_str!("../words/outside_world.txt");
    Finder::new(&["and", outside])
});
const AND: usize = 0;
const OUTSIDE: usize = 1;

fn should_divide(check: &mut LintRun<'_>, at: u32, task: &Task, title: &Hits) {
    let owned = check.owned(at);
    let fileless = owned.is_empty();
    let tests = owned.iter().filter(|o| o.is_test).count();
    let (mut configuration, mut code) = (0, 0);
    for o in owned {
        let settings = is_configuration(o.path);
        configuration += usize::from(settings);
        code += usize::from(!o.is_test && !settings);
    }
    if tests > 1 {
        let message = format!("`{}` needs {tests} test files", task.id);
        check.task(&TEST_FILES, task, "files", message, "split it by subject");
    }
    let tested = task.methodology != Some(Methodology::Direct) && tests > 0;
    if configuration > 0 && code > 0 && tested {
        let message = format!("`{}` changes tested code and configuration", task.id);
        check.task(&MIXED_METHODS, task, "files", message, "move the configuration to a task of its own");
    }
    let outside = || title[OUTSIDE].or_else(|| TITLES.find(&task.objective)[OUTSIDE]);
    let more = if code > 1 {
        Some(format!("changes {code} files"))
    } else if title[AND].is_some() || task.criteria.len() > 1 {
        Some("does other things as well".to_owned())
    } else if fileless {
        Some("has no file of its own for it".to_owned())
    } else {
        None
    };
    if let Some(more) = more
        && let Some(word) = outside()
    {
        let message = format!("`{}` uses an external service ({word}) and {more}", task.id);
        check.task(&OUTSIDE_WORLD, task, "title", message, "move the external service to a task of its own");
    }
}

fn is_configuration(path: &str) -> bool {
    let name = file_name(path);
    let settings = [".yml", ".yaml", ".toml", ".ini", ".env", ".cfg"];
    settings.iter().any(|ending| path.ends_with(ending))
        || Language::is_manifest(path)
        || matches!(name, "Makefile" | "Dockerfile")
}

fn must_not_divide(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let parts = check.parts[at as usize].len();
    let why = if has_type(task, &MECHANICAL) {
        "its type is mechanical"
    } else if task.criteria.len() == 1 {
        "it has a single criterion"
    } else if check.mode(at) == Mode::Refactor || has_type(task, &["refactor"]) {
        "it only refactors"
    } else if task.test.none.as_deref().and_then(NoTestReason::parse) == Some(NoTestReason::DocumentationOnly)
    {
        "it only changes documentation"
    } else {
        return;
    };
    let message = format!("`{}` is split into {parts} parts, but {why}", task.id);
    check.task(&DIVIDED_TOO_FAR, task, "id", message, "merge the parts");
}

fn part_shape(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let sources = check.owned(at).iter().filter(|o| !o.is_test).count();
    let what = if task.criteria.len() > 1 {
        format!("has {} criteria", task.criteria.len())
    } else if sources > 1 {
        format!("changes {sources} source files")
    } else if matches!(task.tier, Some(Tier::Medium | Tier::Large)) {
        "asks for a larger model".to_owned()
    } else {
        return;
    };
    check.task(
        &PART_SHAPE,
        task,
        "id",
        format!("the part `{}` {what}", task.id),
        "a part does one thing in one file",
    );
}

fn duration(check: &mut LintRun<'_>, task: &Task) {
    let limit = if check.context.profile == Zerg { 120.0 } else { 60.0 };
    if let Some(minutes) = task.estimate_minutes.filter(|m| *m > limit) {
        let message = format!("`{}` is estimated at {minutes} minutes; the limit is {limit}", task.id);
        check.task(&TOO_LONG, task, "estimate_minutes", message, "split it");
    }
    if let Some(word) = tiny(&task.title) {
        let message = format!("`{}` ({word}) is too small to be tested alone", task.id);
        check.task(&TOO_SMALL, task, "title", message, "join it with the task that uses it");
    }
}

fn risk(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let waiting = check.dependants[at as usize];
    let total = u32::try_from(check.plan.tasks.len()).unwrap_or(u32::MAX);
    if waiting >= 5 && waiting.saturating_mul(2) >= total {
        let message = format!("{waiting} of {total} tasks depend directly on `{}`", task.id);
        check.task(&RISK, task, "id", message, "split it, so that some of them can start earlier");
    }
}
