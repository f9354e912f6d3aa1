//! Size in lines and tokens: the budget of a contract task, the limits of a CCW cycle, and the size of the brief.

use std::collections::BTreeSet;

use super::context::LintRun;
use super::contract_code;
use super::rule::Profile::{Ccw, Contract};
use super::rule::{Levels, rules};
use crate::brief::{Brief, CodeContext, Manner, Purpose, TokenBudget, fit};
use crate::file_kind::stack;
use windlass_code::detect::is_test_path;
use windlass_core::diagnostic::Severity::{Error, Note, Warning};
use windlass_core::plan::{Action, Complexity, Task};
use windlass_core::policy::Routing;

rules! {
    Size;
    OUTPUT = "WL0420" "output-lines", Levels::off().with(Contract, Warning),
        "a task writes more lines than its complexity allows";
    MUST_SPLIT = "WL0421" "must-split", Levels::off().with(Contract, Error),
        "a task writes more than 65 lines or has more than 2,000 tokens";
    TOKENS = "WL0422" "token-budget", Levels::off().with(Contract, Warning),
        "a task's text has more tokens than its complexity allows";
    FILE_LINES = "WL0423" "file-lines", Levels::all(Note).with(Contract, Warning),
        "a file is planned longer than its kind allows";
    FILES_TO_READ = "WL0424" "files-to-read", Levels::off().with(Contract, Warning),
        "a task reads more than two files";
    STEPS = "WL0425" "many-steps", Levels::off().with(Contract, Warning),
        "a task has more than three steps of work";
    FUNCTIONS = "WL0426" "many-functions", Levels::off().with(Contract, Warning),
        "a task's contract has more than three functions";
    CYCLE_FILES = "WL0427" "cycle-files", Levels::off().with(Ccw, Warning),
        "a cycle changes more than six files";
    CYCLE_LINES = "WL0428" "cycle-lines", Levels::off().with(Ccw, Warning),
        "a cycle writes more than 2,500 lines";
    STACKS = "WL0429" "many-stacks", Levels::off().with(Ccw, Warning), "a cycle spans several languages";
    BRIEF = "WL0430" "brief-too-large", Levels::all(Error),
        "the brief of a task does not fit into its model's context";
    NO_ESTIMATE = "WL0431" "no-line-estimate", Levels::off().with(Contract, Warning),
        "a file of a task has no estimate of its lines";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    lines_of_files(check, task);
    if check.is_parent(at) {
        return;
    }
    brief(check, at, task);
    match check.context.profile {
        Contract => contract(check, task),
        Ccw => cycle(check, task),
        _ if check.context.overrides.is_empty() => {}
        _ => {
            contract(check, task);
            cycle(check, task);
        }
    }
}

/// The most tokens and lines of a task of this complexity.
fn budget(complexity: Complexity) -> (usize, u32) {
    match complexity {
        Complexity::Trivial => (500, 15),
        Complexity::Simple => (1000, 30),
        Complexity::Medium => (1500, 50),
        Complexity::Complex => (LARGEST, 65),
    }
}

/// The most tokens a task of any complexity may have.
const LARGEST: usize = 2000;

fn contract(check: &mut LintRun<'_>, task: &Task) {
    let source: u32 = task.lines.iter().filter(|(p, _)| !is_test_path(p)).map(|(_, n)| n).sum();
    let complexity = task.complexity.unwrap_or(Complexity::Complex);
    let (tokens, lines) = budget(complexity);
    if source > 65 {
        let message = format!("`{}` writes {source} lines; more than 65 must be split", task.id);
        check.task(&MUST_SPLIT, task, "files", message, "make a task per function or per file");
    } else if source > lines {
        let message = format!(
            "`{}` is {} and writes {source} lines; the limit is {lines}",
            task.id,
            complexity.as_str()
        );
        check.task(&OUTPUT, task, "files", message, "split it, or raise its complexity");
    }
    let said = |path: &str| task.lines.contains_key(path) || task.changes.contains_key(path);
    let guessed = |path: &&String| !task.lines.contains_key(*path);
    let untold = task.files.create.iter().find(guessed);
    if let Some(path) = untold.or_else(|| task.files.modify.iter().find(|path| !said(path))) {
        let message = format!("`{}` does not estimate the lines of `{path}`", task.id);
        check.task(&NO_ESTIMATE, task, "files", message, "for example `WRITE: src/a.ts (~40 lines)`");
    }
    token_budget(check, task, tokens);
    if task.files.read.len() > 2 {
        let message = format!("`{}` reads {} files; the limit is two", task.id, task.files.read.len());
        check.task(
            &FILES_TO_READ,
            task,
            "files.read[2]",
            message,
            "copy the interfaces it needs into the task",
        );
    }
    let work = |a: Action| matches!(a, Action::Implement | Action::Refactor);
    let steps = task.steps.iter().filter(|s| work(s.action)).count().max(steps_in_words(task));
    if steps > 3 {
        let message = format!("`{}` has {steps} steps of work; the limit is three", task.id);
        check.task(&STEPS, task, "steps", message, "split it");
    }
    let functions: usize = task.contract.iter().map(|b| contract_code::functions(b).len()).sum();
    if functions > 3 {
        let message = format!("the contract of `{}` has {functions} functions; the limit is three", task.id);
        check.task(&FUNCTIONS, task, "contract", message, "make a task per function");
    }
}

/// The numbered lines of a section of steps that are sentences.
fn steps_in_words(task: &Task) -> usize {
    let numbered = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let sections = task.sections.iter().filter(|section| section.heading == "Steps");
    sections.map(|section| section.body.lines().filter(numbered).count()).sum()
}

/// Tokens are counted only if the bytes exceed the limit: a text never has more tokens than bytes.
fn token_budget(check: &mut LintRun<'_>, task: &Task, limit: usize) {
    if texts(task).map(str::len).sum::<usize>() <= limit || !check.any_on(&[&TOKENS, &MUST_SPLIT]) {
        return;
    }
    let tokens: usize = texts(task).map(check.context.tokens).sum();
    if tokens > LARGEST {
        let message = format!("`{}` has about {tokens} tokens; more than {LARGEST} must be split", task.id);
        check.task(&MUST_SPLIT, task, "", message, "make a task per function or per file");
    } else if tokens > limit {
        let message = format!("`{}` has about {tokens} tokens; its limit is {limit}", task.id);
        check.task(&TOKENS, task, "", message, "split it, or remove text the agent does not need");
    }
}

/// An upper bound for the text of a brief apart from the task's own.
const AROUND: usize = 2000;

/// Checks that the implementer's brief fits with every optional part left out.
fn brief(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let limit = check.context.token_limits.limit(Routing::default().tier(task));
    let owned: usize = check.owned(at).iter().map(|o| o.path.len() + 24).sum();
    let paths = owned + task.files.read.iter().map(|p| p.len() + 24).sum::<usize>();
    let bytes: usize = texts(task).map(|text| text.len() + 16).sum();
    if bytes + paths + AROUND <= limit || check.level(&BRIEF).is_none() {
        return;
    }
    let brief = Brief {
        purpose: Purpose::Implement,
        manner: Manner::Hands,
        task,
        traced: Vec::new(),
        untested: Vec::new(),
        survivors: Vec::new(),
        reopened: None,
        changed: None,
        answers: Vec::new(),
        may_change: task.owned().map(str::to_owned).collect(),
        frozen: Vec::new(),
        command: None,
        failures: Vec::new(),
        before: Vec::new(),
        house_rules: Vec::new(),
        context: CodeContext::default(),
    };
    if let Err(error) = fit(&brief, &TokenBudget { limit, count: check.context.tokens }) {
        let help = error.hint().unwrap_or_default();
        check.task(&BRIEF, task, "", error.to_string(), help);
    }
}

/// The texts of a task that a brief contains.
fn texts(task: &Task) -> impl Iterator<Item = &str> {
    let prose = [task.title.as_str(), &task.objective, &task.description, &task.notes].into_iter();
    let code = task.contract.iter().chain(&task.test_code).map(|b| b.code.as_str());
    prose
        .chain(task.criteria.iter().map(|c| c.text.as_str()))
        .chain(code)
        .chain(task.interfaces.iter().map(|i| i.code.as_str()))
        .chain(task.done_when.iter().map(String::as_str))
        .chain(task.verification.iter().map(|v| v.script.as_str()))
        .chain(task.steps.iter().filter_map(|s| s.code.as_deref()))
}

fn lines_of_files(check: &mut LintRun<'_>, task: &Task) {
    for (path, lines) in &task.lines {
        let schema = path.contains("schema") || path.contains("migrations/");
        let (kind, limit) = match is_test_path(path) {
            true => ("test", 200),
            false if schema => ("schema", 100),
            false => ("source", 150),
        };
        if *lines > limit {
            let message =
                format!("`{path}` is planned with {lines} lines; the limit of a {kind} file is {limit}");
            check.task(&FILE_LINES, task, "files", message, "split it into two files");
        }
    }
}

/// The most lines of one cycle.
const CYCLE_LIMIT: u32 = 2500;

/// The number of lines that a text speaks of: 2600 in `4 modules, about 2,600 lines`.
pub(crate) fn lines_in(text: &str) -> Option<u32> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let unit = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        matches!(bare.as_str(), "line" | "lines" | "loc" | "sloc")
    };
    let number = |word: &str| {
        let bare = word.replace([',', '_'], "");
        bare.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().ok()
    };
    words.windows(2).filter(|pair| unit(pair[1])).find_map(|pair| number(pair[0]))
}

fn cycle(check: &mut LintRun<'_>, task: &Task) {
    let files = task.owned().count();
    if files > 6 {
        let message = format!("`{}` changes {files} files; the limit of one cycle is six", task.id);
        check.task(&CYCLE_FILES, task, "files", message, "divide it into parts");
    }
    let planned: u32 = task.lines.values().sum();
    let scopes = task.tdd_cycles.iter().filter_map(|c| c.implementation_scope.as_deref());
    let lines = planned.max(scopes.filter_map(lines_in).sum());
    if lines > CYCLE_LIMIT {
        let message = format!("`{}` writes {lines} lines; the limit of one cycle is 2,500", task.id);
        check.task(&CYCLE_LINES, task, "files", message, "divide it into parts");
    }
    let stacks: BTreeSet<&str> = task.owned().filter_map(stack).collect();
    if stacks.len() > 1 {
        let named = stacks.into_iter().collect::<Vec<_>>().join(" and ");
        check.task(
            &STACKS,
            task,
            "files",
            format!("`{}` is written in {named}", task.id),
            "make a part per language",
        );
    }
}
