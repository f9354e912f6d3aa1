//! The fields of CCW tasks: quantified TDD cycles, the titles of their phases, files to read first, the method, and the
//! session strategy.

use std::collections::HashSet;
use windlass_core::path_text::dir_of;

use serde_json::{Value, json};

use super::{DeriveOptions, contracts};
use crate::repository::Repository;
use windlass_code::detect::is_test_path;
use windlass_core::plan::{Action, Method, Mode, Plan, Session, Step, Strategy, Task, TddCycle, infer_mode};

/// The expected coverage in per cent.
const COVERAGE: u32 = 85;

/// The agent of a CCW task that any tool may carry out.
const AUTO: &str = "auto";

/// Adds the fields of CCW to every leaf task.
pub(super) fn quantify(plan: &mut Plan, repository: &Repository<'_>, options: &DeriveOptions) {
    let session = options.session.clone().unwrap_or_else(|| format!("WFS-{}", plan.name));
    let parents: Vec<String> = plan.tasks.iter().filter_map(|t| t.parent.clone()).collect();
    let made: Vec<(String, Vec<String>)> =
        plan.tasks.iter().map(|t| (t.id.clone(), t.owned().map(str::to_owned).collect())).collect();
    let mut filled = HashSet::new();
    for task in plan.tasks.iter_mut().filter(|t| !parents.contains(&t.id)) {
        let mode = infer_mode(task, &is_test_path);
        task.focus_paths = focus(task);
        task.pre_analysis = look_first(task, repository, &made);
        task.max_iterations = Some(3);
        route(task, options);
        if task.method == Some(Method::Cli) {
            task.agent = Some(options.tool.clone().unwrap_or_else(|| AUTO.to_owned()));
        }
        if mode == Mode::Tdd {
            // A case that is missing is written once, by the first task that changes the file.
            let mut missing = options.findings.missing_cases(task);
            missing.retain(|case| filled.insert(case.clone()));
            cycle(task, repository, &missing);
        }
    }
    sessions(plan, &session, &parents, options);
    plan.session = Some(session);
}

fn focus(task: &Task) -> Vec<String> {
    let mut paths: Vec<String> = task.owned().map(str::to_owned).collect();
    paths.extend(task.files.read.iter().cloned());
    paths.dedup();
    paths
}

/// What is read before the work: how others use each modified file, what the tasks it builds on make, and else the
/// neighbours of its files.
fn look_first(task: &Task, repository: &Repository<'_>, made: &[(String, Vec<String>)]) -> Vec<Value> {
    let survey = repository.survey();
    let step = |action: String, paths: Vec<String>| json!({ "step": "integration_points", "action": action, "paths": paths });
    let mut steps = Vec::new();
    for path in &task.files.modify {
        let users = survey.importers_of(path, 5);
        if !users.is_empty() {
            steps.push(step(format!("read how {} use {path}", users.join(", ")), users));
        }
    }
    for (id, paths) in made.iter().filter(|(id, _)| task.depends_on.contains(id)) {
        let code: Vec<String> = paths.iter().filter(|p| !is_test_path(p)).cloned().collect();
        if !code.is_empty() {
            steps.push(step(format!("read what {id} made in {}", code.join(", ")), code));
        }
    }
    if !task.files.modify.is_empty() && steps.is_empty() {
        let paths = task.files.modify.clone();
        steps.push(step(format!("read {}; nothing here uses it", paths.join(", ")), paths));
    }
    if steps.is_empty() {
        let folder = |path: &str| dir_of(path).to_owned();
        let dirs: Vec<String> = task.owned().map(folder).collect();
        let near = survey.paths.iter().filter(|p| dirs.contains(&folder(p)));
        let near: Vec<String> = near.take(5).cloned().collect();
        let action = if near.is_empty() {
            "nothing is there yet that the change has to meet".to_owned()
        } else {
            format!("read how its neighbours are written: {}", near.join(", "))
        };
        steps.push(step(action, near));
    }
    steps
}

/// The names of a task's test cases, from its criteria.
fn cases(task: &Task) -> Vec<String> {
    let named = task.criteria.iter().map(|c| {
        let words = super::words::plain(&c.text, 7);
        if words.is_empty() { c.id.to_lowercase() } else { words }
    });
    let mut cases: Vec<String> = Vec::new();
    for case in named {
        let mut name = case.clone();
        let mut n = 2;
        while cases.contains(&name) {
            name = format!("{case}_{n}");
            n += 1;
        }
        cases.push(name);
    }
    if cases.is_empty() {
        let about = if task.objective.is_empty() { &task.title } else { &task.objective };
        cases.push(super::words::plain(about, 7));
    }
    cases
}

/// The implementation scope: the functions of the contract, else those that every criterion calls, else one behaviour
/// per test case.
enum Scope {
    Functions(Vec<String>),
    Behaviours(Vec<String>),
}

impl Scope {
    fn of(task: &Task, cases: &[String]) -> Scope {
        let mut functions = contracts::functions(&task.contract);
        if functions.is_empty() {
            functions = called(task);
        }
        if functions.is_empty() { Scope::Behaviours(cases.to_vec()) } else { Scope::Functions(functions) }
    }

    /// `3 functions`.
    fn counted(&self) -> String {
        let (list, one, many) = match self {
            Scope::Functions(list) => (list, "function", "functions"),
            Scope::Behaviours(list) => (list, "behaviour", "behaviours"),
        };
        format!("{} {}", list.len(), if list.len() == 1 { one } else { many })
    }

    /// Each function with its range of lines: where it is, else an equal share of the new lines. Behaviours have no
    /// place of their own.
    fn placed(&self, (from, to): (u32, u32), known: &[(String, u32, u32)]) -> String {
        let list = match self {
            Scope::Functions(list) => list,
            Scope::Behaviours(list) => return list.join(", "),
        };
        let place = |name: &String| known.iter().find(|(own, _, _)| own == name).map(|(_, a, b)| (*a, *b));
        let new = u32::try_from(list.iter().filter(|name| place(name).is_none()).count().max(1)).unwrap_or(1);
        let each = ((to + 1).saturating_sub(from) / new).max(1);
        let mut next = from;
        let item = |name: &String| {
            let (a, b) = place(name).unwrap_or_else(|| {
                let start = next;
                next += each;
                (start, start + each - 1)
            });
            format!("{name}() {a}-{b}")
        };
        list.iter().map(item).collect::<Vec<_>>().join(", ")
    }

    /// The names in it.
    fn names(&self) -> Vec<String> {
        match self {
            Scope::Functions(list) => list.iter().map(|name| format!("{name}()")).collect(),
            Scope::Behaviours(list) => list.clone(),
        }
    }
}

/// The functions that the criteria of a task call in code, `lend` for `` `Store.lend("1")` returns `True` ``; none if a
/// criterion calls nothing.
fn called(task: &Task) -> Vec<String> {
    let name = |code: &str| {
        let head = code.split_once('(').filter(|_| code.contains(')'))?.0;
        let name = head.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
        let begins = name.starts_with(|c: char| c.is_lowercase() || c == '_');
        (begins && !name.is_empty()).then(|| name.to_owned())
    };
    let mut names: Vec<String> = Vec::new();
    for criterion in &task.criteria {
        let Some(found) = criterion.text.split('`').skip(1).step_by(2).find_map(name) else {
            return Vec::new();
        };
        if !names.contains(&found) {
            names.push(found);
        }
    }
    names
}

fn cycle(task: &mut Task, repository: &Repository<'_>, missing: &[String]) {
    let mut cases = cases(task);
    cases.extend(missing.iter().filter(|case| !cases.contains(case)).cloned().collect::<Vec<_>>());
    let count = cases.len();
    let code: Vec<&String> = task.files.create.iter().chain(&task.files.modify).collect();
    let code: Vec<&String> = if code.iter().any(|p| !is_test_path(p)) {
        code.into_iter().filter(|p| !is_test_path(p)).collect()
    } else {
        code
    };
    let lines: u32 = code.iter().map(|p| task.lines.get(*p).copied().unwrap_or(40)).sum();
    let wanted = Scope::of(task, &cases);
    let scope = format!("{} in {}, about {lines} lines", wanted.counted(), listed(&code));
    let tests = if count == 1 { "1 test case".to_owned() } else { format!("{count} test cases") };
    let red = format!("Write {tests}: [{}]", cases.join(", "));
    let green = green(&code, &wanted, lines, repository);
    let refactor = refactorings(&code, &wanted, task.test.file.as_deref(), count);
    let command = task.verification.as_ref().map(|v| v.script.replace('\n', " && ")).unwrap_or_default();
    let by = if command.is_empty() { "the task's test command".to_owned() } else { command.clone() };
    task.done_when = vec![format!("All {count} tests pass with >={COVERAGE}% coverage: verify by {by}")];
    let run = (!command.is_empty()).then_some(command);
    let step = |action, title: &str| Step { title: Some(title.to_owned()), ..Step::of(action) };
    task.steps = vec![
        Step { file: task.test.file.clone(), ..step(Action::WriteTest, &red) },
        Step { run: run.clone(), ..step(Action::VerifyFail, "the new tests fail") },
        Step { file: code.first().map(|p| (*p).clone()), ..step(Action::Implement, &green) },
        Step { run: run.clone(), ..step(Action::VerifyPass, "all tests pass") },
        step(Action::Refactor, &refactor),
        Step { run, ..step(Action::VerifyPass, "all tests still pass") },
        Step::of(Action::Commit),
    ];
    task.tdd_cycles = vec![TddCycle {
        feature: Some(task.title.clone()),
        test_count: u32::try_from(count).ok(),
        test_cases: cases,
        implementation_scope: Some(scope),
        expected_coverage: Some(format!(">={COVERAGE}%")),
        ..TddCycle::default()
    }];
}

/// `Apply N refactorings: […]`, each with its place.
fn refactorings(code: &[&String], scope: &Scope, test: Option<&str>, cases: usize) -> String {
    let names = scope.names();
    let file = code.first().map_or("the new file", |p| p.as_str());
    let mut targets = match names.as_slice() {
        [] => Vec::new(),
        [only] => vec![format!("give every value and step of {only} a name that says what it is ({file})")],
        [first, .., last] => {
            let few = if names.len() == 2 { format!("{first} and {last}") } else { names.join(", ") };
            let few = if few.len() > 120 { format!("{first} to {last}") } else { few };
            vec![format!("share what {few} have in common ({file})")]
        }
    };
    targets.extend(
        test.filter(|_| cases > 1).map(|test| format!("one set-up for the {cases} test cases ({test})")),
    );
    let more: Vec<&str> = code.iter().skip(1).map(|p| p.as_str()).collect();
    if !more.is_empty() {
        targets.push(format!("no code twice in {file} and {}", more.join(", ")));
    }
    // Commas part the items of the list.
    let targets: Vec<String> = targets.iter().map(|t| t.replace(", ", " and ")).collect();
    let noun = if targets.len() == 1 { "refactoring" } else { "refactorings" };
    format!("Apply {} {noun}: [{}]", targets.len(), targets.join(", "))
}

fn listed(paths: &[&String]) -> String {
    paths.iter().map(|p| p.as_str()).collect::<Vec<_>>().join(", ")
}

/// `Implement N functions in file lines X-Y: […]`. The lines of a file that is there begin behind its last one.
fn green(code: &[&String], scope: &Scope, lines: u32, repository: &Repository<'_>) -> String {
    let file = code.first().map_or("the new file", |p| p.as_str());
    let text = repository.text(file).unwrap_or_default();
    let there = u32::try_from(text.lines().count()).unwrap_or(0);
    let known = functions_in(file, &text);
    let range = (there + 1, there + lines.max(1));
    let place = scope.placed(range, &known);
    format!("Implement {} in {file} lines {}-{}: [{place}]", scope.counted(), range.0, range.1)
}

/// The functions of a file with their first and last line.
fn functions_in(path: &str, text: &str) -> Vec<(String, u32, u32)> {
    let all = windlass_code::syntax::exports(path, text.as_bytes());
    let last = u32::try_from(text.lines().count()).unwrap_or(0);
    let line = |at: usize| u32::try_from(at).unwrap_or(0);
    let short = |name: &str| name.rsplit(['.', ':']).next().unwrap_or(name).to_owned();
    let starts: Vec<(String, u32)> = all.iter().map(|e| (short(&e.name), line(e.line))).collect();
    let end = |at: usize| starts[at + 1..].iter().map(|(_, l)| *l).filter(|l| *l > starts[at].1).min();
    (0..starts.len())
        .map(|at| (starts[at].0.clone(), starts[at].1, end(at).map_or(last, |l| l - 1)))
        .collect()
}

/// Sets the method and tool of every leaf task.
pub(super) fn route_all(plan: &mut Plan, options: &DeriveOptions) {
    let parents: Vec<String> = plan.tasks.iter().filter_map(|t| t.parent.clone()).collect();
    for task in plan.tasks.iter_mut().filter(|t| !parents.contains(&t.id)) {
        route(task, options);
        task.agent = options.tool.clone().filter(|tool| task.method == Some(Method::Cli) && tool != AUTO);
    }
}

/// Sets the method of a task: the requested one, or by size for `hybrid`.
fn route(task: &mut Task, options: &DeriveOptions) {
    let asked = options.method.unwrap_or(Method::Agent);
    let large = task.criteria.len() > 5
        || task.files.owned().count() > 3
        || task.task_type.as_deref() == Some("integration_test");
    let method = match asked {
        Method::Hybrid if large => Method::Cli,
        Method::Hybrid => Method::Agent,
        Method::Agent | Method::Cli => asked,
    };
    task.method = Some(method);
}

/// The session strategy of each task: without dependencies `new`, an only dependant `resume`, one of several `fork`,
/// several dependencies `merge_fork`.
fn sessions(plan: &mut Plan, session: &str, parents: &[String], options: &DeriveOptions) {
    let id_of = |task: &str| format!("{session}-{task}");
    let children = |of: &str| plan.tasks.iter().filter(|t| t.depends_on.iter().any(|d| d == of)).count();
    let leaves: Vec<bool> = plan.tasks.iter().map(|t| !parents.contains(&t.id)).collect();
    let made: Vec<Session> = plan
        .tasks
        .iter()
        .map(|task| {
            let strategy = match task.depends_on.as_slice() {
                [] => Strategy::New,
                [only] if children(only) == 1 => Strategy::Resume,
                [_] => Strategy::Fork,
                _ => Strategy::MergeFork,
            };
            let cli = task.method == Some(Method::Cli) || options.method == Some(Method::Cli);
            Session {
                id: Some(id_of(&task.id)),
                strategy: Some(strategy),
                from: task.depends_on.iter().map(|d| id_of(d)).collect(),
                enable_resume: Some(cli),
            }
        })
        .collect();
    for ((task, session), leaf) in plan.tasks.iter_mut().zip(made).zip(leaves) {
        if leaf {
            task.session = Some(session);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_core::plan::{CodeBlock, Criterion};

    #[test]
    fn functions_are_those_that_every_criterion_calls() {
        let of = |texts: &[&str]| {
            let criterion = |text: &&str| Criterion { text: (*text).to_owned(), ..Criterion::default() };
            called(&Task { criteria: texts.iter().map(criterion).collect(), ..Task::default() })
        };
        assert_eq!(of(&["`Store.lend(\"1\")` returns `True`", "`lend(\"9\")` raises KeyError"]), ["lend"]);
        assert_eq!(of(&["`a(1)` is `2`", "`b.c(2)` is `3`"]), ["a", "c"]);
        assert_eq!(of(&["`a(1)` is `2`", "the list is sorted"]), [""; 0]);
        assert_eq!(of(&["`Cart(3)` is made"]), [""; 0]);
    }

    fn green_of(contract: &str) -> String {
        let mut task = Task { id: "IMPL-1".into(), title: "Add a basket".into(), ..Task::default() };
        task.files.create = vec!["app/basket.py".into()];
        let criterion =
            |text: &str| Criterion { id: "AC-1".into(), text: text.to_owned(), ..Criterion::default() };
        task.criteria = vec![criterion("Adding twice counts 2"), criterion("An empty one costs nothing")];
        let path = Some("app/basket.py".to_owned());
        task.contract = vec![CodeBlock { path, code: contract.to_owned(), ..CodeBlock::default() }];
        cycle(&mut task, &Repository::empty(), &[]);
        let green = task.steps.iter().find(|s| s.action == Action::Implement);
        green.and_then(|s| s.title.clone()).unwrap_or_default()
    }

    /// Without a contract no function names are invented.
    #[test]
    fn what_is_implemented_is_what_the_contract_says() {
        let contract =
            "class Basket:\n    def add(self, sku: str) -> None: ...\n    def total(self) -> Money: ...";
        insta::assert_snapshot!(green_of(contract), @"Implement 2 functions in app/basket.py lines 1-40: [add() 1-20, total() 21-40]");
        insta::assert_snapshot!(green_of(""), @"Implement 2 behaviours in app/basket.py lines 1-40: [adding_twice_counts_2, an_empty_one_costs_nothing]");
    }
}
