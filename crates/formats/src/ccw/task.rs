//! One task file: each key into its field. Older files use other keys for the same things.

use serde_json::{Value, json};

use super::super::json::{Fields, Fit, Kind, Member, Node, number};
use super::super::parts::{self, CriteriaForm};
use super::{WORDS, files, session, steps};
use windlass_core::plan::{Complexity, Method, Section, Session, Task, TddCycle, Verification};

/// One member of a task.
pub(super) fn member(f: &mut Fields<'_>, m: &Member<'_>, t: &mut Task) -> Fit {
    let v = &m.value;
    match m.key.as_ref() {
        "id" => f.text("id", v, &mut t.id),
        "task_id" if t.id.is_empty() => f.text("id", v, &mut t.id),
        "title" => f.text("title", v, &mut t.title),
        "description" => f.text("description", v, &mut t.description),
        "type" => f.maybe("task_type", v, &mut t.task_type),
        "priority" => f.maybe("priority", v, &mut t.priority),
        "effort" => effort(f, v, t),
        "focus_paths" => f.texts("focus_paths", v, &mut t.focus_paths),
        "depends_on" => {
            f.item_places("depends_on", v, &mut t.places);
            f.texts("depends_on", v, &mut t.depends_on)
        }
        "convergence" => convergence(f, v, t),
        "acceptance_criteria" | "acceptance" if t.criteria.is_empty() => {
            parts::criteria(f, v, CriteriaForm::Strings, &mut t.criteria, &mut t.places).and(Fit::Odd)
        }
        "files" => files::read(f, v, t),
        "modification_points" if t.files.is_empty() => files::read(f, v, t).and(Fit::Odd),
        "implementation" => steps::read(f, v, t),
        "test" => test(f, v, t),
        "risks" => risks(f, v, t),
        "meta" => meta(f, v, t),
        "assigned_agent" => f.maybe("agent", v, &mut t.agent).and(Fit::Odd),
        "cli_execution" => session::read(f, v, t),
        "tdd_cycles" => cycles(f, v, t),
        "pre_analysis" => pre_analysis(f, v, t),
        "context" if v.is_object() => context(f, v, t),
        "inherited" => parent(f, v, t),
        "status" => status(f, v, t),
        _ => Fit::No,
    }
}

fn effort(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("complexity");
    t.complexity = match node.text() {
        Some("small") => Some(Complexity::Simple),
        Some("medium") => Some(Complexity::Medium),
        Some("large") => Some(Complexity::Complex),
        Some(other) => {
            f.unknown_word(node, other, "small, medium, large");
            return Fit::No;
        }
        None => return f.misfit(node, "a string"),
    };
    Fit::Exact
}

/// The word for an effort.
pub(super) fn effort_word(complexity: Complexity) -> &'static str {
    match complexity {
        Complexity::Trivial | Complexity::Simple => "small",
        Complexity::Medium => "medium",
        Complexity::Complex => "large",
    }
}

fn convergence(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    if !node.is_object() {
        f.field("criteria");
        return f.misfit(node, "an object with criteria");
    }
    for m in node.members() {
        match m.key.as_ref() {
            "criteria" => {
                parts::criteria(f, &m.value, CriteriaForm::Strings, &mut t.criteria, &mut t.places);
            }
            "verification" => verification(f, &m.value, t),
            "definition_of_done" => match m.value.text() {
                Some(text) => t.done_when.push(text.to_owned()),
                None => {
                    f.texts("done_when", &m.value, &mut t.done_when);
                }
            },
            _ => {}
        }
    }
    f.field("criteria");
    if convergence_value(t) == node.to_value() { Fit::Exact } else { Fit::Odd }
}

/// `verification` is a command or a description of what to do; only a command can be run.
fn verification(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) {
    let mut lines = Vec::new();
    match node.text() {
        Some(text) => lines.push(text.to_owned()),
        None => {
            f.texts("verification", node, &mut lines);
        }
    }
    if !lines.is_empty() && lines.iter().all(|l| is_command(l)) {
        t.verification = Some(Verification { script: lines.join("\n"), timeout_seconds: None });
    } else if !lines.is_empty() {
        f.assume(node, "this is no command, so it is read as a condition for being done");
        t.done_when.append(&mut lines);
    }
}

/// Whether a text is something a shell can run: it begins with the name of a common program.
pub(super) fn is_command(text: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "bash",
        "bun",
        "cargo",
        "cmake",
        "composer",
        "ctest",
        "curl",
        "deno",
        "docker",
        "dotnet",
        "git",
        "go",
        "gradle",
        "grep",
        "jest",
        "jq",
        "just",
        "make",
        "mvn",
        "node",
        "npm",
        "npx",
        "php",
        "phpunit",
        "playwright",
        "pnpm",
        "poetry",
        "pytest",
        "python",
        "python3",
        "rg",
        "ruff",
        "rspec",
        "sh",
        "swift",
        "test",
        "tox",
        "tsc",
        "uv",
        "vitest",
        "yarn",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let assigned = first.contains('=') && words.len() > 1;
    let program = if assigned { words[1] } else { first };
    let local = program.starts_with("./") || program.starts_with("scripts/");
    let known = PROGRAMS.contains(&program) && words.len() > 1 || program == "pytest" || local;
    (known || is_shell(&words)) && !text.ends_with('.')
}

/// Whether words can only be meant for a shell: a small word first, and then commands joined or an option.
fn is_shell(words: &[&str]) -> bool {
    let name =
        |w: &&str| w.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_./".contains(&b));
    let joins = |w: &&str| matches!(*w, "&&" | "||" | "|");
    let option =
        |w: &&str| w.strip_prefix("--").is_some_and(|o| o.starts_with(|c: char| c.is_ascii_lowercase()));
    words.first().is_some_and(name) && words[1..].iter().any(|w| joins(w) || option(w))
}

/// The criteria of a task, with what shows that they hold.
pub(super) fn convergence_value(t: &Task) -> Value {
    let criteria = parts::criteria_value(&t.criteria, CriteriaForm::Strings);
    let mut value = json!({ "criteria": criteria });
    if let Some(v) = &t.verification {
        value["verification"] = v.script.clone().into();
    }
    if !t.done_when.is_empty() {
        value["definition_of_done"] = t.done_when.join("; ").into();
    }
    value
}

fn test(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    if let Some(text) = node.text() {
        f.field("test");
        if is_command(text) {
            t.test.command = Some(text.to_owned());
        } else if !text.is_empty() {
            t.sections.push(Section { heading: "Test".to_owned(), body: text.to_owned() });
        }
        return Fit::Odd;
    }
    if !node.is_object() {
        f.field("test");
        return f.misfit(node, "an object with commands");
    }
    if let Some(commands) = node.get("commands") {
        test_commands(f, commands, t);
    }
    if let Some(target) = node.get("coverage_target") {
        f.number("test.coverage", target, &mut t.test.coverage);
    }
    f.field("test");
    if test_value(t) == node.to_value() { Fit::Exact } else { Fit::Odd }
}

fn test_commands(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) {
    let mut commands = Vec::new();
    match &node.kind {
        Kind::Object(members) => {
            let run = node.get("run_tests").or_else(|| members.first().map(|m| &m.value));
            commands.extend(run.and_then(Node::text).map(str::to_owned));
        }
        _ => {
            f.texts("test.command", node, &mut commands);
        }
    }
    if !commands.is_empty() {
        t.test.command = Some(commands.join(" && "));
    }
}

/// How a task is tested.
pub(super) fn test_value(t: &Task) -> Value {
    let mut value = json!({});
    if let Some(command) = &t.test.command {
        value["commands"] = json!([command]);
    }
    if let Some(target) = t.test.coverage {
        value["coverage_target"] = number(target);
    }
    value
}

fn risks(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("risks");
    if !node.is_list() {
        return f.misfit(node, "a list of risks");
    }
    for item in node.items() {
        let text = item.text().or_else(|| item.get("description").and_then(Node::text));
        t.risks.extend(text.map(str::to_owned));
    }
    Fit::Odd
}

fn meta(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    if !node.is_object() {
        f.field("meta");
        return f.misfit(node, "an object");
    }
    for m in node.members() {
        match m.key.as_ref() {
            "agent" => {
                f.maybe("agent", &m.value, &mut t.agent);
            }
            "module" => {
                f.maybe("track", &m.value, &mut t.track);
            }
            "type" if t.task_type.is_none() => {
                f.maybe("task_type", &m.value, &mut t.task_type);
            }
            "max_iterations" => steps::max_iterations(f, &m.value, t),
            "tdd_cycles" => {
                cycles(f, &m.value, t);
            }
            "execution_config" => execution(f, &m.value, t),
            _ => {}
        }
    }
    f.field("meta");
    Fit::Odd
}

fn execution(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) {
    if let Some(method) = node.get("method") {
        f.field("method");
        t.method = match method.text() {
            Some("agent") => Some(Method::Agent),
            Some("cli") => Some(Method::Cli),
            Some("hybrid") => Some(Method::Hybrid),
            Some(other) => {
                f.unknown_word(method, other, "agent, cli, hybrid");
                None
            }
            None => None,
        };
    }
    if let Some(resume) = node.get("enable_resume") {
        let mut flag = None;
        f.flag("session.enable_resume", resume, &mut flag);
        if flag.is_some() {
            t.session.get_or_insert_with(Session::default).enable_resume = flag;
        }
    }
}

fn cycles(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("tdd_cycles");
    if !node.is_list() {
        return f.misfit(node, "a list of cycles");
    }
    let mut fit = Fit::Exact;
    for item in node.items() {
        let Ok(cycle) = serde_json::from_value::<TddCycle>(item.to_value()) else {
            f.misfit(item, "a cycle with test_count, test_cases and implementation_scope");
            fit = fit.and(Fit::Odd);
            continue;
        };
        let same = serde_json::to_value(&cycle).is_ok_and(|v| v == item.to_value());
        fit = fit.and(if same { Fit::Exact } else { Fit::Odd });
        t.tdd_cycles.push(cycle);
    }
    fit
}

fn pre_analysis(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("pre_analysis");
    if !node.is_list() {
        return f.misfit(node, "a list");
    }
    t.pre_analysis.extend(node.items().iter().map(Node::to_value));
    Fit::Exact
}

/// What older files keep under `context`.
fn context(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    if let (Some(order), true) = (node.get("depends_on"), t.depends_on.is_empty()) {
        f.texts("depends_on", order, &mut t.depends_on);
    }
    if let (Some(paths), true) = (node.get("focus_paths"), t.focus_paths.is_empty()) {
        f.texts("focus_paths", paths, &mut t.focus_paths);
    }
    if let (Some(criteria), true) = (node.get("acceptance"), t.criteria.is_empty()) {
        parts::criteria(f, criteria, CriteriaForm::Strings, &mut t.criteria, &mut t.places);
    }
    if let (Some(parent), true) = (node.get("parent"), t.parent.is_none()) {
        f.maybe("parent", parent, &mut t.parent);
    }
    f.field("context");
    Fit::Odd
}

fn parent(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    if let Some(from) = node.get("from") {
        f.maybe("parent", from, &mut t.parent);
    }
    f.field("parent");
    Fit::Odd
}

fn status(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let fit = f.maybe("claimed_state", node, &mut t.claimed_state);
    if let Some(word) = &t.claimed_state
        && !WORDS.knows(word)
    {
        f.unknown_word(node, word, &WORDS.list());
    }
    fit
}
