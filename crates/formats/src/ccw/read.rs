//! Files → plan: which session, which files of it, in which order.

use serde_json::{Map, Value};

use super::plan_file::TaskPlace;
use super::task::TASK;
use super::{CcwFile, DIALECT, ids, plan_file, queue, role};
use crate::json::{JsonNode, ValueReader, parse};
use crate::memory::{self, KeyOrder, TASK_KEYS};
use crate::reading::{PlanReading, code, folder_name};
use crate::table::read_task;
use crate::{Input, TextFile, picking, remainder};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Sources};
use windlass_core::path_text::dir_of;
use windlass_core::plan::{Loaded, Plan, Task};

/// The files of one session.
#[derive(Default)]
struct SessionFiles<'i> {
    folder: &'i str,
    tasks: Vec<&'i TextFile>,
    plan: Option<&'i TextFile>,
    session: Option<&'i TextFile>,
    documents: Vec<&'i TextFile>,
    queue: Option<&'i TextFile>,
}

/// Reads a session, a task, a plan or a queue.
pub(super) fn read(input: &Input) -> Loaded {
    let mut reading = PlanReading::default();
    let mut plan = Plan::default();
    let found = sort_out(input, &mut reading.diagnostics);
    let mut take = |f: &TextFile| reading.take(input, f);
    let session = found.session.and_then(|f| take(f).map(|ix| (f, ix)));
    let outline = found.plan.and_then(|f| take(f).map(|ix| (f, ix)));
    let queue = found.queue.and_then(|f| take(f).map(|ix| (f, ix)));
    let tasks: Vec<(&TextFile, FileIx)> =
        found.tasks.iter().filter_map(|f| take(f).map(|ix| (*f, ix))).collect();
    let PlanReading { sources, diagnostics } = &mut reading;
    if let Some((file, ix)) = session {
        read_session(file, sources, ix, &mut plan, diagnostics);
    }
    keep_documents(&found.documents, &mut plan);
    if let (Some((file, ix)), true) = (queue, tasks.is_empty()) {
        queue::read(file, &sources.file(ix).text, ix, &mut plan, diagnostics);
    } else {
        let root = outline.and_then(|(_, ix)| parse(&sources.file(ix).text, ix, diagnostics));
        if let (Some((file, ix)), Some(root)) = (outline, &root) {
            let place = if tasks.is_empty() { TaskPlace::Outline } else { TaskPlace::Files };
            plan_file::read(file, &mut ValueReader::new(ix, diagnostics), root, place, &mut plan);
        }
        read_tasks(&tasks, &found, sources, &mut plan, diagnostics);
        if let (Some((_, ix)), Some(root), false) = (outline, &root, tasks.is_empty()) {
            listed_tasks_exist(&mut ValueReader::new(ix, diagnostics), root, &plan);
        }
    }
    if plan.tasks.is_empty() {
        picking::no_tasks(diagnostics, "there is no task of a CCW session here");
    }
    adopt(&mut plan.tasks);
    name(input, &found, &mut plan);
    remainder::restore(&mut plan, diagnostics);
    reading.done(DIALECT, plan)
}

/// Reports tasks that the outline lists and that have no file.
fn listed_tasks_exist(f: &mut ValueReader<'_>, root: &JsonNode<'_>, plan: &Plan) {
    for item in root.get("task_ids").map(JsonNode::items).unwrap_or_default() {
        let Some(id) = item.text() else { continue };
        if !plan.tasks.iter().any(|task| task.id == id) {
            let message =
                format!("`{}` is listed here, and no file of the session is about it", id.escape_debug());
            f.find(code::UNREADABLE, Severity::Error, item, message);
        }
    }
}

/// The folder of the session a file belongs to.
fn folder_of(path: &str) -> &str {
    match path.split_once(".task/") {
        Some((folder, _)) => folder.trim_end_matches('/'),
        None => dir_of(path),
    }
}

fn sort_out<'i>(input: &'i Input, out: &mut Vec<Diagnostic>) -> SessionFiles<'i> {
    let with = |wanted: CcwFile| input.files.iter().filter(move |f| role(f) == wanted);
    let mut folders: Vec<&str> = with(CcwFile::Task).map(|f| folder_of(&f.path)).collect();
    if folders.is_empty() {
        let plans = with(CcwFile::Plan).chain(with(CcwFile::Session)).map(|f| folder_of(&f.path));
        folders.extend(plans);
    }
    folders.sort_by_key(|f| (!f.contains("active"), *f));
    folders.dedup();
    let folder = folders.first().copied().unwrap_or_default();
    for other in folders.iter().skip(1) {
        let message = format!("`{other}` is another session; `{folder}` is read");
        out.push(Diagnostic::new(code::LEFT_OUT, Severity::Note, message));
    }
    let here = |wanted: CcwFile| with(wanted).filter(|f| folder_of(&f.path) == folder);
    let mut found = SessionFiles {
        folder,
        tasks: here(CcwFile::Task).collect(),
        plan: here(CcwFile::Plan).next(),
        session: here(CcwFile::Session).next(),
        documents: here(CcwFile::Document).collect(),
        queue: with(CcwFile::Queue).next(),
    };
    let nothing = found.tasks.is_empty() && found.plan.is_none() && found.queue.is_none();
    if let ([only], true) = (&input.files[..], nothing && found.session.is_none()) {
        // The user chose this dialect; the name of the file decides between outline and task.
        match picking::file_name(&only.path) {
            "plan.json" => found.plan = Some(only),
            _ => found.tasks.push(only),
        }
    }
    found
}

fn read_session(file: &TextFile, sources: &Sources, ix: FileIx, plan: &mut Plan, out: &mut Vec<Diagnostic>) {
    let Some(root) = parse(&sources.file(ix).text, ix, out) else { return };
    let mut f = ValueReader::new(ix, out);
    if let Some(id) = root.get("session_id") {
        f.maybe(id, &mut plan.session);
    }
    if let Some(project) = root.get("project") {
        f.maybe(project, &mut plan.title);
    }
    let kept = serde_json::json!({ "path": file.path, "value": root.to_value() });
    memory::note(&mut plan.extra, DIALECT, "session_file", kept);
}

fn keep_documents(files: &[&TextFile], plan: &mut Plan) {
    let texts: Map<String, Value> = files
        .iter()
        .map(|f| (f.path.clone(), String::from_utf8_lossy(&f.bytes).into_owned().into()))
        .collect();
    if !texts.is_empty() {
        memory::note(&mut plan.extra, DIALECT, "documents", Value::Object(texts));
    }
}

fn read_tasks(
    files: &[(&TextFile, FileIx)],
    found: &SessionFiles<'_>,
    sources: &Sources,
    plan: &mut Plan,
    out: &mut Vec<Diagnostic>,
) {
    if files.is_empty() {
        return;
    }
    let mut order_of_keys = KeyOrder::new(DIALECT, TASK_KEYS);
    let mut tasks: Vec<Task> = Vec::new();
    for (file, ix) in files {
        let Some(root) = parse(&sources.file(*ix).text, *ix, out) else { continue };
        let mut reader = ValueReader::new(*ix, out);
        if !reader.is_task(&root) {
            continue;
        }
        let mut task = read_task(TASK, &mut reader, &root, &mut order_of_keys);
        let name = picking::file_name(&file.path).trim_end_matches(".json");
        if task.id.is_empty() {
            name.clone_into(&mut task.id);
            let message = format!("the task has no id, so it is called `{name}` like its file");
            reader.assume(&root, message);
            memory::note(&mut task.extra, DIALECT, "no_id", true);
        }
        memory::note(&mut task.extra, DIALECT, "path", file.path.clone());
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
    memory::note(&mut plan.extra, DIALECT, "form", form);
    order_of_keys.keep(plan);
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

/// Makes `IMPL-3.1` a part of `IMPL-3`, if there is one.
fn adopt(tasks: &mut [Task]) {
    let names: std::collections::HashSet<String> = tasks.iter().map(|t| t.id.clone()).collect();
    for task in tasks.iter_mut().filter(|t| t.parent.is_none()) {
        task.parent = ids::container(&task.id).filter(|c| names.contains(*c)).map(str::to_owned);
    }
}

/// Sets the session and the plan's name: from the files, or else from their folder.
fn name(input: &Input, found: &SessionFiles<'_>, plan: &mut Plan) {
    let folder = picking::file_name(found.folder);
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
    memory::name_from_outside(plan, DIALECT, &from);
}
