//! Task graph → plan.

use super::super::foreign::{self, Shape, TASK_KEYS, read_task};
use super::super::json::{Fields, Fit, Gather, Kind, Member, Node, parse_list};
use super::super::parts::{self, CriteriaForm};
use super::super::reading::{Reading, code, folder_name};
use super::super::{Dialect, Input, remainder};
use super::{FILE, WORDS, confidence, steps};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};
use windlass_core::hands::Hands;
use windlass_core::plan::{Loaded, Plan, Task, Verification};

/// Reads a task graph.
pub(crate) fn read(input: &Input, hands: &dyn Hands) -> Loaded {
    let mut reading = Reading::default();
    let mut plan = Plan::default();
    let file = foreign::pick(input, FILE, &mut reading.diagnostics, confidence)
        .or_else(|| input.files.iter().find(|f| foreign::is_json(&f.path)));
    let Some(file) = file else {
        foreign::no_tasks(&mut reading.diagnostics, format!("no `{FILE}` here"));
        return reading.done(Dialect::Zerg, plan);
    };
    if let Some(ix) = reading.take(input, file) {
        let Reading { sources, diagnostics } = &mut reading;
        let begin = |bytes| Gathered {
            file: ix,
            bytes,
            shape: Shape::new(Dialect::Zerg, TASK_KEYS),
            tasks: Vec::new(),
        };
        let (root, read) = parse_list(&sources.file(ix).text, ix, diagnostics, "tasks", hands, begin);
        let Gathered { shape, tasks, .. } = read;
        plan.tasks = tasks;
        if let Some(root) = root {
            read_plan(&mut Fields::new(ix, diagnostics), &root, shape, &mut plan);
            remainder::restore(&mut plan, diagnostics);
        }
    }
    if plan.name.is_empty() {
        foreign::name_from_outside(&mut plan, Dialect::Zerg, &folder_name(input));
    }
    if file.path != FILE {
        foreign::note_own(&mut plan.extra, Dialect::Zerg, "path", file.path.clone().into());
    }
    reading.done(Dialect::Zerg, plan)
}

/// The tasks of a file, or of a part of it.
struct Gathered {
    file: FileIx,
    bytes: usize,
    shape: Shape,
    tasks: Vec<Task>,
}

impl Gather for Gathered {
    fn item(&mut self, item: &Node<'_>, out: &mut Vec<Diagnostic>) {
        if self.tasks.is_empty() {
            self.tasks.reserve(self.expected(item));
        }
        self.tasks.extend(one(&mut Fields::new(self.file, out), item, &mut self.shape));
    }

    fn append(&mut self, mut later: Self) -> bool {
        // Every task is compared with the first of the file.
        let is_alike = self.shape.is_alike(&later.shape);
        if is_alike {
            self.tasks.append(&mut later.tasks);
        }
        is_alike
    }
}

impl Gathered {
    /// How many tasks there are if all are as long as the first: a list that grows is copied again and again.
    fn expected(&self, first: &Node<'_>) -> usize {
        let each = first.end.saturating_sub(first.start).max(64) as usize;
        (self.bytes / each + self.bytes / each / 16).min(1 << 17)
    }
}

fn read_plan(f: &mut Fields<'_>, root: &Node<'_>, mut shape: Shape, plan: &mut Plan) {
    for m in root.members() {
        let fit = match m.key.as_ref() {
            "feature" => feature(f, &m.value, plan),
            "description" => f.text("objective", &m.value, &mut plan.objective),
            "tasks" => tasks(f, &m.value, &mut shape, plan),
            _ => Fit::No,
        };
        f.settle(fit, m, &mut plan.places, &mut plan.extra);
    }
    if root.get("tasks").is_none() {
        f.find(code::NO_TASKS, Severity::Error, root, "there is no list `tasks` in this file");
    }
    for task in &plan.tasks {
        if let Some(phase) = &task.phase
            && !plan.phases.contains(phase)
        {
            plan.phases.push(phase.clone());
        }
    }
    shape.keep(plan);
    foreign::keep_keys(root, Dialect::Zerg, plan);
}

fn feature(f: &mut Fields<'_>, node: &Node<'_>, plan: &mut Plan) -> Fit {
    let mut raw = String::new();
    let fit = f.text("name", node, &mut raw);
    plan.name = foreign::plan_name(&raw);
    if plan.name == raw {
        return fit;
    }
    f.assume(node, format!("the plan is called `{}`, which a branch can carry", plan.name));
    plan.title = Some(raw);
    fit.and(Fit::Odd)
}

/// A task, if the item of the list can be one.
fn one(f: &mut Fields<'_>, node: &Node<'_>, shape: &mut Shape) -> Option<Task> {
    if node.is_object() {
        return Some(read_one(f, node, shape));
    }
    let message = format!("a task must be an object, this is {}", node.kind.name());
    f.find(code::WRONG_TYPE, Severity::Error, node, message);
    None
}

/// What stands under `tasks`; the items of a list are read already.
fn tasks(f: &mut Fields<'_>, node: &Node<'_>, shape: &mut Shape, plan: &mut Plan) -> Fit {
    match &node.kind {
        Kind::List(items) => {
            // Items that are still here stand under a second key of that name, and the last one counts.
            if !items.is_empty() {
                plan.tasks = items.iter().filter_map(|item| one(f, item, shape)).collect();
            }
        }
        Kind::Object(members) => {
            f.assume(node, "tasks by name are read as a list");
            for m in members {
                if let Some(mut task) = one(f, &m.value, shape) {
                    if task.id.is_empty() {
                        task.id = m.key.to_string();
                    }
                    plan.tasks.push(task);
                }
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::Text(_) => {
            f.find(code::WRONG_TYPE, Severity::Error, node, "`tasks` must be a list");
        }
    }
    f.field("tasks");
    Fit::Exact
}

pub(super) fn read_one(f: &mut Fields<'_>, node: &Node<'_>, shape: &mut Shape) -> Task {
    read_task(f, node, shape, member)
}

fn member(f: &mut Fields<'_>, m: &Member<'_>, t: &mut Task) -> Fit {
    let v = &m.value;
    match m.key.as_ref() {
        "id" => f.text("id", v, &mut t.id),
        "title" => f.text("title", v, &mut t.title),
        "description" => f.text("description", v, &mut t.description),
        "phase" => f.maybe("phase", v, &mut t.phase),
        "level" => f.int("level", v, &mut t.level),
        "dependencies" => {
            f.item_places("depends_on", v, &mut t.places);
            f.texts("depends_on", v, &mut t.depends_on)
        }
        "files" => parts::files(f, v, &mut t.files, &mut t.places),
        "files_owned" => owned(f, v, t),
        "files_read" => f.texts("files.read", v, &mut t.files.read),
        "acceptance_criteria" => parts::criteria(f, v, CriteriaForm::Strings, &mut t.criteria, &mut t.places),
        "verification" => verification(f, v, t),
        "estimate_minutes" => f.number("estimate_minutes", v, &mut t.estimate_minutes),
        "status" => status(f, v, t),
        "consumers" => f.texts("consumers", v, &mut t.consumers),
        "context" => f.text("notes", v, &mut t.notes),
        "steps" => steps::read(f, v, &mut t.steps),
        _ => Fit::No,
    }
}

/// The older form says only that files are owned.
fn owned(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.item_places("files.modify", node, &mut t.places);
    f.texts("files.modify", node, &mut t.files.modify)
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

fn verification(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let mut v = Verification::default();
    if node.text().is_some() {
        let fit = f.text("verification", node, &mut v.script);
        t.verification = Some(v);
        return fit.and(Fit::Odd);
    }
    if !node.is_object() {
        f.field("verification");
        return f.misfit(node, "an object with a command");
    }
    let mut fit = Fit::Exact;
    for m in node.members() {
        let member_fit = match m.key.as_ref() {
            "command" => {
                t.places.note("verification.script", m.value.span(f.file));
                f.text("verification", &m.value, &mut v.script)
            }
            "timeout_seconds" => {
                t.places.note("verification.timeout_seconds", m.value.span(f.file));
                timeout(f, &m.value, &mut v)
            }
            _ => Fit::Odd,
        };
        fit = fit.and(if member_fit == Fit::No { Fit::Odd } else { member_fit });
    }
    if node.get("command").is_none() {
        fit = Fit::Odd;
    }
    f.field("verification");
    t.verification = Some(v);
    fit
}

fn timeout(f: &mut Fields<'_>, node: &Node<'_>, v: &mut Verification) -> Fit {
    let mut seconds = None;
    let fit = f.int("verification", node, &mut seconds);
    match seconds.map(u64::try_from) {
        Some(Ok(seconds)) => v.timeout_seconds = Some(seconds),
        Some(Err(_)) => return f.misfit(node, "a number of seconds"),
        None => {}
    }
    fit
}
