//! Files → plan: which session, which files of it, in which order.

use serde_json::{Map, Value};

use super::super::foreign::{self, Shape, TASK_KEYS, read_task};
use super::super::json::{Fields, Node, parse};
use super::super::reading::{Reading, code, folder_name};
use super::super::{Input, TextFile, remainder};
use super::{DIALECT, Role, ids, plan_file, queue, role, task};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Sources};
use windlass_core::plan::{Loaded, Plan, Task};

/// The files of one session.
#[derive(Default)]
struct Found<'i> {
    folder: &'i str,
    tasks: Vec<&'i TextFile>,
    plan: Option<&'i TextFile>,
    session: Option<&'i TextFile>,
    documents: Vec<&'i TextFile>,
    queue: Option<&'i TextFile>,
}

/// Reads a session, a task, a plan or a queue.
pub(crate) fn read(input: &Input) -> Loaded {
    let mut reading = Reading::default();
    let mut plan = Plan::default();
    let found = sort_out(input, &mut reading.diagnostics);
    let mut take = |f: &TextFile| reading.take(input, f);
    let session = found.session.and_then(|f| take(f).map(|ix| (f, ix)));
    let outline = found.plan.and_then(|f| take(f).map(|ix| (f, ix)));
    let queue = found.queue.and_then(|f| take(f).map(|ix| (f, ix)));
    let tasks: Vec<(&TextFile, FileIx)> =
        found.tasks.iter().filter_map(|f| take(f).map(|ix| (*f, ix))).collect();
    let Reading { sources, diagnostics } = &mut reading;
    if let Some((file, ix)) = session {
        read_session(file, sources, ix, &mut plan, diagnostics);
    }
    keep_documents(&found.documents, &mut plan);
    if let (Some((file, ix)), true) = (queue, tasks.is_empty()) {
        queue::read(file, &sources.file(ix).text, ix, &mut plan, diagnostics);
    } else {
        let root = outline.and_then(|(_, ix)| parse(&sources.file(ix).text, ix, diagnostics));
        if let (Some((file, ix)), Some(root)) = (outline, &root) {
            let alone = tasks.is_empty();
            plan_file::read(file, &mut Fields::new(ix, diagnostics), root, alone, &mut plan);
        }
        read_tasks(&tasks, &found, sources, &mut plan, diagnostics);
    }
    if plan.tasks.is_empty() {
        foreign::no_tasks(diagnostics, "no task of a CCW session here");
    }
    adopt(&mut plan.tasks);
    name(input, &found, &mut plan);
    remainder::restore(&mut plan, diagnostics);
    reading.done(DIALECT, plan)
}

/// The folder of the session a file belongs to.
fn folder_of(path: &str) -> &str {
    match path.split_once(".task/") {
        Some((folder, _)) => folder.trim_end_matches('/'),
        None => path.rsplit_once('/').map_or("", |(folder, _)| folder),
    }
}

fn sort_out<'i>(input: &'i Input, out: &mut Vec<Diagnostic>) -> Found<'i> {
    let with = |wanted: Role| input.files.iter().filter(move |f| role(f) == wanted);
    let mut folders: Vec<&str> = with(Role::Task).map(|f| folder_of(&f.path)).collect();
    if folders.is_empty() {
        let plans = with(Role::Plan).chain(with(Role::Session)).map(|f| folder_of(&f.path));
        folders.extend(plans);
    }
    folders.sort_by_key(|f| (!f.contains("active"), *f));
    folders.dedup();
    let folder = folders.first().copied().unwrap_or_default();
    for other in folders.iter().skip(1) {
        let message = format!("`{other}` is another session; `{folder}` is read");
        out.push(Diagnostic::new(code::LEFT_OUT, Severity::Note, message));
    }
    let here = |wanted: Role| with(wanted).filter(|f| folder_of(&f.path) == folder);
    let mut found = Found {
        folder,
        tasks: here(Role::Task).collect(),
        plan: here(Role::Plan).next(),
        session: here(Role::Session).next(),
        documents: here(Role::Document).collect(),
        queue: with(Role::Queue).next(),
    };
    let nothing = found.tasks.is_empty() && found.plan.is_none() && found.queue.is_none();
    if let ([only], true) = (&input.files[..], nothing && found.session.is_none()) {
        // The user says that it is one of these: its name tells an outline from a task.
        match foreign::file_name(&only.path) {
            "plan.json" => found.plan = Some(only),
            _ => found.tasks.push(only),
        }
    }
    found
}

fn read_session(file: &TextFile, sources: &Sources, ix: FileIx, plan: &mut Plan, out: &mut Vec<Diagnostic>) {
    let Some(root) = parse(&sources.file(ix).text, ix, out) else { return };
    let mut f = Fields::new(ix, out);
    if let Some(id) = root.get("session_id") {
        f.maybe("session", id, &mut plan.session);
    }
    if let Some(project) = root.get("project") {
        f.maybe("title", project, &mut plan.title);
    }
    let kept = serde_json::json!({ "path": file.path, "value": root.to_value() });
    foreign::note_own(&mut plan.extra, DIALECT, "session_file", kept);
}

fn keep_documents(files: &[&TextFile], plan: &mut Plan) {
    let texts: Map<String, Value> = files
        .iter()
        .map(|f| (f.path.clone(), String::from_utf8_lossy(&f.bytes).into_owned().into()))
        .collect();
    if !texts.is_empty() {
        foreign::note_own(&mut plan.extra, DIALECT, "documents", Value::Object(texts));
    }
}

fn read_tasks(
    files: &[(&TextFile, FileIx)],
    found: &Found<'_>,
    sources: &Sources,
    plan: &mut Plan,
    out: &mut Vec<Diagnostic>,
) {
    if files.is_empty() {
        return;
    }
    let mut shape = Shape::new(DIALECT, TASK_KEYS);
    let mut tasks: Vec<Task> = Vec::new();
    for (file, ix) in files {
        let Some(root) = parse(&sources.file(*ix).text, *ix, out) else { continue };
        if !root.is_object() {
            let message = format!("a task must be an object, this is {}", root.kind.name());
            Fields::new(*ix, out).find(code::WRONG_TYPE, Severity::Error, &root, message);
            continue;
        }
        let mut task = read_task(&mut Fields::new(*ix, out), &root, &mut shape, task::member);
        let name = foreign::file_name(&file.path).trim_end_matches(".json");
        if task.id.is_empty() {
            name.clone_into(&mut task.id);
            let message = format!("the task has no id, so it is called `{name}` like its file");
            Fields::new(*ix, out).assume(&root, message);
            foreign::note_own(&mut task.extra, DIALECT, "no_id", true.into());
        }
        foreign::note_own(&mut task.extra, DIALECT, "path", file.path.clone().into());
        tasks.push(task);
    }
    let listed: Vec<String> = listed(plan);
    let paths: Vec<String> = files.iter().map(|(f, _)| f.path.clone()).collect();
    let names: Vec<String> = tasks.iter().map(|t| t.id.clone()).collect();
    let mut slots: Vec<Option<Task>> = tasks.into_iter().map(Some).collect();
    for i in reading_order(&paths, &names, &listed) {
        plan.tasks.extend(slots.get_mut(i).and_then(Option::take));
    }
    let session = found.plan.is_some() || found.session.is_some() || files.len() > 1;
    let form = if session || paths.iter().any(|p| p.contains(".task/")) { "session" } else { "task" };
    foreign::note_own(&mut plan.extra, DIALECT, "form", form.into());
    shape.keep(plan);
    let names: Vec<Value> = plan.tasks.iter().map(|t| t.id.clone().into()).collect();
    if plan.extra.get("task_ids") == Some(&Value::Array(names)) {
        plan.extra.shift_remove("task_ids");
    }
}

fn listed(plan: &Plan) -> Vec<String> {
    let ids = plan.extra.get("task_ids").and_then(Value::as_array);
    ids.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The order tasks are read in: as the plan lists them, the rest by name.
pub(super) fn reading_order(paths: &[String], names: &[String], listed: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_cached_key(|i| {
        let at = listed.iter().position(|id| *id == names[*i]).unwrap_or(usize::MAX);
        let path = paths.get(*i).map_or("", |p| p.trim_end_matches(".json"));
        (at, ids::natural(path))
    });
    order
}

/// `IMPL-3.1` is a part of `IMPL-3`, if there is one.
fn adopt(tasks: &mut [Task]) {
    let names: std::collections::HashSet<String> = tasks.iter().map(|t| t.id.clone()).collect();
    for task in tasks.iter_mut().filter(|t| t.parent.is_none()) {
        task.parent = ids::container(&task.id).filter(|c| names.contains(*c)).map(str::to_owned);
    }
}

/// The session and the plan's name: what the files say, or where they lie.
fn name(input: &Input, found: &Found<'_>, plan: &mut Plan) {
    let folder = foreign::file_name(found.folder);
    if plan.session.is_none() && folder.starts_with("WFS-") {
        plan.session = Some(folder.to_owned());
    }
    if !plan.name.is_empty() {
        return;
    }
    let from = match (&plan.session, folder) {
        (Some(session), _) => session.strip_prefix("WFS-").unwrap_or(session).to_owned(),
        (None, "") => folder_name(input),
        (None, folder) => folder.to_owned(),
    };
    foreign::name_from_outside(plan, DIALECT, &from);
}

/// The members of an object, kept as they are.
pub(super) fn keep_members(node: &Node<'_>, plan: &mut Plan, but: &[&str]) {
    for m in node.members().iter().filter(|m| !but.contains(&m.key.as_ref())) {
        plan.extra.insert(m.key.to_string(), m.value.to_value());
    }
}
