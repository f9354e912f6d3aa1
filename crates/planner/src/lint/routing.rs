//! Routing: whether the model, the method and the session of a task fit its type and size.

use std::collections::HashMap;

use super::context::LintRun;
use super::rule::Profile::{Ccw, Homerun};
use super::rule::{Levels, rules};
use crate::file_kind::is_source;
use windlass_core::diagnostic::Severity::{Error, Note, Warning};
use windlass_core::plan::{Method, Methodology, Strategy, Task};
use windlass_core::policy::{test_cases, usual_tier};

rules! {
    Routing;
    TIER = "WL0701" "tier-misfit", Levels::all(Note).with(Homerun, Warning),
        "a task's model does not fit its type";
    TYPE = "WL0702" "unknown-type", Levels::off().with(Homerun, Warning),
        "a task's type is not one of the known ones";
    METHOD = "WL0703" "method-misfit", Levels::off().with(Ccw, Note), "a task's method does not fit its size";
    SESSION_ID = "WL0704" "session-id", Levels::off().with(Ccw, Warning),
        "a task's session id is missing or not `session-task`";
    SAME_SESSION = "WL0705" "same-session", Levels::all(Error), "two tasks have the same session id";
    STRATEGY = "WL0706" "session-strategy", Levels::all(Note).with(Ccw, Warning),
        "a session's strategy does not follow from the dependencies";
    SESSION_FROM = "WL0707" "session-from", Levels::all(Note).with(Ccw, Warning),
        "a session continues one that is not a dependency's";
    NO_RESUME = "WL0708" "no-resume", Levels::off().with(Ccw, Warning),
        "a command-line task cannot be resumed";
    DIRECT = "WL0709" "direct-code", Levels::all(Note).with(Homerun, Warning),
        "a task changes code and is not test-driven";
    NO_TOOL = "WL0710" "no-tool", Levels::off().with(Ccw, Note), "a command-line task does not name its tool";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let ids_on = check.any_on(&[&SESSION_ID]);
    tier(check, at, task);
    methodology(check, task);
    method(check, at, task);
    if check.is_parent(at) {
        return;
    }
    if ids_on {
        session_id(check, task);
    }
    strategy(check, task);
}

/// Checks the tasks together.
pub(super) fn plan(check: &mut LintRun<'_>) {
    let mut sessions: HashMap<&str, &Task> = HashMap::new();
    for (at, task) in check.tasks() {
        let Some(id) = task.session.as_ref().and_then(|s| s.id.as_deref()) else { continue };
        if check.is_parent(at) {
            continue;
        }
        if let Some(first) = sessions.insert(id, task) {
            let message = format!("`{}` and `{}` have the session `{id}`", first.id, task.id);
            check.task(&SAME_SESSION, task, "session.id", message, "give each task a session of its own");
        }
    }
}

fn tier(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let Some(kind) = task.task_type.as_deref() else { return };
    let Some(usual) = usual_tier(kind) else {
        let message = format!("`{kind}` is not a known type of task");
        check.task(&TYPE, task, "task_type", message, "see the guide for the types and their models");
        return;
    };
    let given = task.tier.unwrap_or(usual);
    if given < usual {
        let message =
            format!("`{}` has the type `{kind}`; `{}` is too small for it", task.id, given.as_str());
        check.task(&TIER, task, "tier", message, &format!("use `{}`, or split the task", usual.as_str()));
    } else if given > usual && !check.is_parent(at) {
        let message = format!("`{}` has the type `{kind}`; `{}` is enough for it", task.id, usual.as_str());
        check.task(&TIER, task, "tier", message, "a smaller model costs less");
    }
}

fn methodology(check: &mut LintRun<'_>, task: &Task) {
    let kind = task.task_type.as_deref();
    let fine = matches!(kind, Some("add_config" | "rename_refactor")) || task.test.none.is_some();
    let touches = task.files.create.iter().chain(&task.files.modify).find(|path| is_source(path));
    // Without a file, the type says whether code is written.
    let what = match (touches, kind) {
        (Some(path), _) => format!("changes `{path}`"),
        (None, Some(kind)) if task.files.owned().next().is_none() && usual_tier(kind).is_some() => {
            format!("is a `{kind}`")
        }
        (None, _) => return,
    };
    if task.methodology == Some(Methodology::Direct) && !fine {
        let message = format!("`{}` {what} and is not test-driven", task.id);
        check.task(&DIRECT, task, "methodology", message, "`direct` is for configuration and documentation");
    }
}

fn method(check: &mut LintRun<'_>, at: u32, task: &Task) {
    if task.method.is_none() {
        return;
    }
    let (tests, files) = (test_cases(task), check.owned(at).len());
    let large = tests > 5 || files > 3;
    let message = match task.method {
        Some(Method::Agent) if large && !task.tdd_cycles.is_empty() => "is large for an agent",
        Some(Method::Cli) if !large && !task.tdd_cycles.is_empty() => "is small enough for an agent",
        Some(Method::Hybrid) => "does not choose a method",
        Some(Method::Agent | Method::Cli) | None => "",
    };
    if !message.is_empty() {
        let message = format!("`{}` ({tests} test cases, {files} files) {message}", task.id);
        check.task(
            &METHOD,
            task,
            "method",
            message,
            "up to 5 test cases and 3 files go to an agent, more to a tool",
        );
    }
    if task.method == Some(Method::Cli) {
        if task.agent.is_none() {
            let message = format!("`{}` is for a command-line tool and names none", task.id);
            check.task(&NO_TOOL, task, "agent", message, "set `agent`");
        }
        if task.session.as_ref().and_then(|s| s.enable_resume) != Some(true) {
            let message = format!("`{}` is for a command-line tool and cannot be resumed", task.id);
            check.task(&NO_RESUME, task, "session.enable_resume", message, "set `enable_resume` to true");
        }
    }
}

fn session_id(check: &mut LintRun<'_>, task: &Task) {
    let Some(id) = task.session.as_ref().and_then(|s| s.id.as_deref()) else {
        let message = format!("`{}` has no session id", task.id);
        check.task(&SESSION_ID, task, "session", message, "a task without a session cannot be resumed");
        return;
    };
    let session = check.plan.session.as_deref();
    let fits = match session {
        Some(session) => id == format!("{session}-{}", task.id),
        None => id.ends_with(&format!("-{}", task.id)),
    };
    if !fits {
        let expected = format!("{}-{}", session.unwrap_or("SESSION"), task.id);
        let message = format!("the session of `{}` is `{id}`; `{expected}` is usual", task.id);
        let help = "its id is that of the plan's session and of the task";
        check.task(&SESSION_ID, task, "session.id", message, help);
    }
}

fn strategy(check: &mut LintRun<'_>, task: &Task) {
    let Some(session) = &task.session else { return };
    let plan = check.plan;
    let parents: Vec<u32> =
        task.depends_on.iter().filter_map(|d| check.by_id.get(d.as_str()).copied()).collect();
    let usual = match parents.as_slice() {
        [] => Strategy::New,
        [only] if check.dependants[*only as usize] == 1 => Strategy::Resume,
        [_] => Strategy::Fork,
        _ => Strategy::MergeFork,
    };
    if let Some(given) = session.strategy.filter(|s| *s != usual) {
        let message = format!(
            "the session of `{}` has strategy `{}`; its dependencies imply `{}`",
            task.id,
            given.as_str(),
            usual.as_str()
        );
        check.task(&STRATEGY, task, "session.strategy", message, "");
    }
    let names = |at: &u32| {
        let parent = &plan.tasks[*at as usize];
        [Some(parent.id.as_str()), parent.session.as_ref().and_then(|s| s.id.as_deref())]
    };
    let known: Vec<&str> = parents.iter().flat_map(names).flatten().collect();
    if let Some(odd) = session.from.iter().find(|f| !known.contains(&f.as_str())) {
        let message = format!(
            "the session of `{}` continues `{odd}`, which is not a session of its dependencies",
            task.id
        );
        check.task(&SESSION_FROM, task, "session.from", message, "");
    }
}
