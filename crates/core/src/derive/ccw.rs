//! What a session asks of its tasks: quantified cycles, the sentences of their phases, what to look at first, who
//! carries them out, and where each session begins.

use serde_json::{Value, json};

use super::DeriveOptions;
use crate::plan::{Action, Method, Mode, Plan, Session, Step, Strategy, Task, TddCycle, infer_mode};
use crate::survey::Ground;

/// Coverage that is expected where nothing is said.
const COVERAGE: u32 = 85;

/// Adds what a session asks for.
pub(super) fn quantify(plan: &mut Plan, ground: &dyn Ground, options: &DeriveOptions<'_>) {
    let session = options.session.clone().unwrap_or_else(|| format!("WFS-{}", plan.name));
    let parents: Vec<String> = plan.tasks.iter().filter_map(|t| t.parent.clone()).collect();
    for task in plan.tasks.iter_mut().filter(|t| !parents.contains(&t.id)) {
        let mode = infer_mode(task, options.is_test);
        task.focus_paths = focus(task);
        task.pre_analysis = look_first(task, ground);
        task.max_iterations = Some(3);
        route(task, options);
        if mode == Mode::Tdd {
            cycle(task);
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

/// Who else uses what the task changes: where it meets the rest of the code.
fn look_first(task: &Task, ground: &dyn Ground) -> Vec<Value> {
    let survey = ground.survey();
    let mut steps = Vec::new();
    for path in &task.files.modify {
        let users = survey.importers_of(path, 5);
        if users.is_empty() {
            continue;
        }
        steps.push(json!({
            "step": "integration_points",
            "action": format!("read how {} use {path}", users.join(", ")),
            "paths": users,
        }));
    }
    steps
}

/// The test cases of a task by name, out of its criteria.
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
        cases.push(super::words::plain(&task.title, 7));
    }
    cases
}

fn cycle(task: &mut Task) {
    let cases = cases(task);
    let count = cases.len();
    let code: Vec<&String> = task.files.create.iter().chain(&task.files.modify).collect();
    let lines: u32 = code.iter().map(|p| task.lines.get(*p).copied().unwrap_or(40)).sum();
    let scope = format!("{} in {}, about {lines} lines", functions(count), listed(&code));
    let tests = if count == 1 { "1 test case".to_owned() } else { format!("{count} test cases") };
    let red = format!("Write {tests}: [{}]", cases.join(", "));
    let green = green(&code, count, lines, &cases);
    let targets = ["one name for one thing", "nothing written twice"];
    let refactor = format!("Apply {} refactorings: [{}]", targets.len(), targets.join(", "));
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

fn functions(count: usize) -> String {
    if count == 1 { "1 function".to_owned() } else { format!("{count} functions") }
}

fn listed(paths: &[&String]) -> String {
    paths.iter().map(|p| p.as_str()).collect::<Vec<_>>().join(", ")
}

/// `Implement N functions in file lines X-Y: […]`, with the lines shared out evenly: an estimate, said as one.
fn green(code: &[&String], count: usize, lines: u32, cases: &[String]) -> String {
    let each = lines / u32::try_from(count.max(1)).unwrap_or(1);
    let mut from = 1;
    let mut items = Vec::new();
    for case in cases {
        let to = from + each.max(1) - 1;
        items.push(format!("{case}() {from}-{to}"));
        from = to + 1;
    }
    let file = code.first().map_or("the new file", |p| p.as_str());
    format!("Implement {} in {file} lines 1-{}: [{}]", functions(count), lines.max(1), items.join(", "))
}

/// Who carries tasks out, where somebody asked.
pub(super) fn route_all(plan: &mut Plan, options: &DeriveOptions<'_>) {
    let parents: Vec<String> = plan.tasks.iter().filter_map(|t| t.parent.clone()).collect();
    for task in plan.tasks.iter_mut().filter(|t| !parents.contains(&t.id)) {
        route(task, options);
        // Nobody but a session knows this word.
        task.agent = task.agent.take().filter(|agent| agent != "auto");
    }
}

/// Who carries the task out: by size where that is asked for.
fn route(task: &mut Task, options: &DeriveOptions<'_>) {
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
    if method == Method::Cli {
        task.agent = Some(options.tool.clone().unwrap_or_else(|| "auto".to_owned()));
    }
}

/// Where each session begins: no dependency, new; an only child goes on; one of several forks; several are merged.
fn sessions(plan: &mut Plan, session: &str, parents: &[String], options: &DeriveOptions<'_>) {
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
