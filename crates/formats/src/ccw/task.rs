//! One task file. Older files use other keys for the same things.

use serde_json::{Value, json};

use super::{STATES, files, session, steps};
use crate::json::{Fit, JsonKind, JsonNode, Shape, ValueReader, number};
use crate::table::{Allowed, Codec, CriteriaForm, Custom, KeyNeed, TaskKey, choice};
use windlass_core::plan::{Complexity, Method, Section, Task, TddCycle, Verification};

/// The types of tasks.
const TYPES: &[&str] = &[
    "infrastructure",
    "feature",
    "enhancement",
    "fix",
    "bugfix",
    "refactor",
    "testing",
    "test-gen",
    "test-fix",
    "docs",
    "chore",
];

/// The command-line tools that a task can ask for.
const TOOLS: &[&str] = &["codex", "gemini", "qwen", "auto", "claude", "opencode"];

/// The priorities of tasks.
const PRIORITIES: &[&str] = &["critical", "high", "medium", "low"];

/// Programs that a command begins with.
const PROGRAMS: &str = "bash bun cargo cmake composer ctest curl deno docker dotnet git go gradle grep jest jq just make mvn node \
    npm npx php phpunit playwright pnpm poetry pytest python python3 rg ruff rspec sh swift test tox tsc uv vitest yarn";

/// The keys of a task.
pub(crate) static TASK: &[TaskKey] = &[
    TaskKey::text("id", "id", |t| &mut t.id).or(&["task_id"]).required(),
    TaskKey::text("title", "title", |t| &mut t.title).required(),
    TaskKey::text("description", "description", |t| &mut t.description).required(),
    TaskKey::maybe("type", "task_type", |t| &mut t.task_type).allows(Allowed::Words(TYPES)),
    TaskKey::maybe("priority", "priority", |t| &mut t.priority).allows(Allowed::Words(PRIORITIES)),
    TaskKey::new(
        "effort",
        "complexity",
        choice!(complexity, "small" => Complexity::Simple, "small" => Complexity::Trivial,
            "medium" => Complexity::Medium, "large" => Complexity::Complex),
    ),
    TaskKey::texts("focus_paths", "focus_paths", |t| &mut t.focus_paths).required(),
    TaskKey::texts("depends_on", "depends_on", |t| &mut t.depends_on).required(),
    TaskKey::object("convergence", "criteria", CONVERGENCE).required(),
    TaskKey::criteria("acceptance_criteria", CriteriaForm::Strings, |t| &mut t.criteria)
        .or(&["acceptance"])
        .kept(),
    TaskKey::new("files", "files", Codec::custom(files::read, files::value)).required(),
    TaskKey::new("modification_points", "files", Codec::custom(files::read, files::value)).kept().fallback(),
    TaskKey::new(
        "implementation",
        "steps",
        Codec::Custom(Custom {
            read: steps::read,
            write: steps::value,
            same: Some(|a, b| a.steps == b.steps && a.notes == b.notes),
        }),
    )
    .required(),
    TaskKey::new("tasks", "notes", Codec::custom(read_lines, |t| t.notes.clone().into())).kept().fallback(),
    TaskKey::new("test", "test", Codec::custom(read_test, test_value)),
    TaskKey::new("risks", "risks", Codec::custom(read_risks, |t| json!(t.risks))).kept(),
    TaskKey::object("meta", "meta", META).needed(KeyNeed::WhenNew),
    TaskKey::maybe("assigned_agent", "agent", |t| &mut t.agent).kept(),
    TaskKey::new("cli_execution", "session", Codec::custom(session::read, session::task_value)).required(),
    TaskKey::new("tdd_cycles", "tdd_cycles", Codec::custom(read_cycles, |t| json!(t.tdd_cycles))),
    TaskKey::new("pre_analysis", "pre_analysis", Codec::custom(read_analysis, |t| json!(t.pre_analysis))),
    TaskKey::object("context", "context", CONTEXT).kept(),
    TaskKey::object("inherited", "parent", INHERITED).kept(),
    TaskKey::maybe("status", "claimed_state", |t| &mut t.claimed_state)
        .required()
        .allows(Allowed::States(&STATES)),
];

/// The criteria of a task, with what shows that they hold.
static CONVERGENCE: &[TaskKey] = &[
    TaskKey::criteria("criteria", CriteriaForm::Strings, |t| &mut t.criteria).required(),
    TaskKey::new("verification", "verification", Codec::custom(read_verification, verification_value)),
    TaskKey::new(
        "definition_of_done",
        "done_when",
        Codec::custom(read_done, |t| t.done_when.join("; ").into()),
    ),
];

static META: &[TaskKey] = &[
    TaskKey::maybe("agent", "agent", |t| &mut t.agent),
    TaskKey::maybe("module", "track", |t| &mut t.track),
    TaskKey::maybe("type", "task_type", |t| &mut t.task_type).fallback(),
    TaskKey::new(
        "max_iterations",
        "max_iterations",
        Codec::custom(steps::read_rounds, |t| json!(t.max_iterations)),
    ),
    TaskKey::new("tdd_cycles", "tdd_cycles", Codec::custom(read_cycles, |t| json!(t.tdd_cycles))),
    TaskKey::object("execution_config", "method", EXECUTION),
];

static EXECUTION: &[TaskKey] = &[
    TaskKey::new(
        "method",
        "method",
        choice!(method, "agent" => Method::Agent, "cli" => Method::Cli, "hybrid" => Method::Hybrid),
    ),
    TaskKey::new("cli_tool", "agent", Codec::custom(read_tool, |t| json!(t.agent))),
    TaskKey::new("enable_resume", "session.enable_resume", Codec::custom(read_resume, |_| Value::Null)),
];

/// The keys that older files have under `context`.
static CONTEXT: &[TaskKey] = &[
    TaskKey::texts("depends_on", "depends_on", |t| &mut t.depends_on).fallback(),
    TaskKey::texts("focus_paths", "focus_paths", |t| &mut t.focus_paths).fallback(),
    TaskKey::criteria("acceptance", CriteriaForm::Strings, |t| &mut t.criteria).fallback(),
    TaskKey::maybe("parent", "parent", |t| &mut t.parent).fallback(),
];

static INHERITED: &[TaskKey] = &[TaskKey::maybe("from", "parent", |t| &mut t.parent)];

/// Reads `verification`: a command, or a description, which becomes a condition for being done.
fn read_verification(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    let mut lines = Vec::new();
    match node.text() {
        Some(text) => lines.push(text.to_owned()),
        None => {
            f.texts(node, &mut lines);
        }
    }
    if !lines.is_empty() && lines.iter().all(|l| is_command(l)) {
        t.verification = Some(Verification { script: lines.join("\n"), timeout_seconds: None });
        return Fit::Exact;
    }
    if !lines.is_empty() {
        f.assume(node, "this is not a command, so it is read as a condition for being done");
        t.done_when.append(&mut lines);
    }
    Fit::Odd
}

fn verification_value(t: &Task) -> Value {
    json!(t.verification.as_ref().map(|v| &v.script))
}

fn read_done(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    match node.text() {
        Some(text) => {
            t.done_when.push(text.to_owned());
            Fit::Exact
        }
        None => f.texts(node, &mut t.done_when).and(Fit::Odd),
    }
}

/// Whether a shell can run a text: it begins with the name of a common program.
pub(super) fn is_command(text: &str) -> bool {
    let known_program = |word: &str| PROGRAMS.split(' ').any(|p| p == word);
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let assigned = first.contains('=') && words.len() > 1;
    let program = if assigned { words[1] } else { first };
    let local = program.starts_with("./") || program.starts_with("scripts/");
    let known = known_program(program) && words.len() > 1 || program == "pytest" || local;
    // `go test ./...` is a command.
    let sentence = text.ends_with('.') && !text.ends_with("/...");
    (known || is_shell(&words)) && !sentence
}

/// Whether words are a shell command: a lowercase word first, and then an operator or an option.
fn is_shell(words: &[&str]) -> bool {
    let name =
        |w: &&str| w.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_./".contains(&b));
    let joins = |w: &&str| matches!(*w, "&&" | "||" | "|");
    let option =
        |w: &&str| w.strip_prefix("--").is_some_and(|o| o.starts_with(|c: char| c.is_ascii_lowercase()));
    words.first().is_some_and(name) && words[1..].iter().any(|w| joins(w) || option(w))
}

fn read_test(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    if let Some(text) = node.text() {
        if is_command(text) {
            t.test.command = Some(text.to_owned());
        } else if !text.is_empty() {
            t.sections.push(Section { heading: "Test".to_owned(), body: text.to_owned() });
        }
        return Fit::Odd;
    }
    if !node.is_object() {
        return f.misfit(node, "an object with commands");
    }
    if let Some(commands) = node.get("commands") {
        test_commands(f, commands, t);
    }
    if let Some(target) = node.get("coverage_target") {
        f.number(target, &mut t.test.coverage);
    }
    if node.is_written_as(&test_value(t)) { Fit::Exact } else { Fit::Odd }
}

fn test_commands(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) {
    let mut commands = Vec::new();
    match &node.kind {
        JsonKind::Object(members) => {
            let run = node.get("run_tests").or_else(|| members.first().map(|m| &m.value));
            commands.extend(run.and_then(JsonNode::text).map(str::to_owned));
        }
        _ => {
            f.texts(node, &mut commands);
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

fn read_risks(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    if !node.is_list() {
        return f.misfit(node, "a list of risks");
    }
    for item in node.items() {
        let text = item.text().or_else(|| item.get("description").and_then(JsonNode::text));
        t.risks.extend(text.map(str::to_owned));
    }
    Fit::Odd
}

/// The members of a step of `pre_analysis`.
const ANALYSIS: Shape = Shape::TextOrObject(&[
    ("step", Shape::Label),
    ("title", Shape::Text),
    ("name", Shape::Text),
    ("action", Shape::Text),
    ("description", Shape::Text),
    ("command", Shape::Text),
    ("commands", Shape::Texts),
    ("output_to", Shape::Text),
    ("on_error", Shape::Text),
]);

/// Reads what to look at first; its steps are kept as they are written.
fn read_analysis(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    if !node.is_list() {
        return f.misfit(node, "a list of steps");
    }
    for item in node.items() {
        if f.fits(item, ANALYSIS) && item.is_object() && crate::table::is_blank(&item.to_value()) {
            f.wrong_item(item, "a step that says what to look at");
        }
        t.pre_analysis.push(item.to_value());
    }
    Fit::Exact
}

/// The members of a cycle.
const CYCLE: Shape = Shape::Object(&[
    ("test_count", Shape::Number),
    ("test_cases", Shape::List(&Shape::Name)),
    ("implementation_scope", Shape::Text),
    ("expected_coverage", Shape::Text),
]);

fn read_cycles(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    if !node.is_list() {
        return f.misfit(node, "a list of cycles");
    }
    let mut fit = Fit::Exact;
    for item in node.items() {
        if item.is_object() && !f.fits(item, CYCLE) {
            fit = fit.and(Fit::Odd);
            continue;
        }
        let Ok(cycle) = serde_json::from_value::<TddCycle>(item.to_value()) else {
            f.wrong_item(item, "a cycle with test_count, test_cases and implementation_scope");
            fit = fit.and(Fit::Odd);
            continue;
        };
        let same = serde_json::to_value(&cycle).is_ok_and(|v| v == item.to_value());
        fit = fit.and(if same { Fit::Exact } else { Fit::Odd });
        t.tdd_cycles.push(cycle);
    }
    fit
}

/// The lines of work of an epic become notes.
fn read_lines(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    if node.items().iter().any(|item| item.text().is_none()) {
        return Fit::No;
    }
    let mut lines = Vec::new();
    let fit = f.texts(node, &mut lines);
    t.notes = lines.join("\n");
    fit
}

/// The tool of a task says more than `meta.agent`, which may be a role.
fn read_tool(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    let mut tool = None;
    let fit = f.maybe(node, &mut tool);
    if let Some(other) = tool.as_deref().filter(|tool| !TOOLS.contains(tool)) {
        f.unknown_word(node, other, &TOOLS.join(", "));
    }
    t.agent = tool.or(t.agent.take());
    fit
}

fn read_resume(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    let mut flag = None;
    let fit = f.flag(node, &mut flag);
    if flag.is_some() {
        t.session.get_or_insert_default().enable_resume = flag;
    }
    fit
}
