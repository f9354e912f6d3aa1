//! The papers a planner gets: the draft, the documents, the schema, and what it is told about them.

use serde_json::Value;
use windlass_core::plan::{Plan, Task};
use windlass_engine::planning::{DRAFT, FOLDER};
use windlass_formats::{plan_json, schemas};
use windlass_planner::brief::{
    Manner, PlanDocument, PlannedTask, PlannerBrief, render_planner, render_planner_again,
};
use windlass_planner::derive::{Derived, NoteKind};

use super::agent::Improving;
use crate::cli::CliError;

/// The schema beside the draft.
const SCHEMA: &str = "plan.schema.json";
/// What a planner has no say in, and need not read.
const NOT_THEIRS: [&str; 8] =
    ["steps", "extra", "agent", "method", "session", "pre_analysis", "verification", "claimed_state"];

/// Everything that is laid before a planner.
pub(super) struct Papers<'a> {
    of: &'a Improving<'a>,
    derived: &'a Derived,
}

impl<'a> Papers<'a> {
    pub(super) fn of(of: &'a Improving<'a>, derived: &'a Derived) -> Self {
        Self { of, derived }
    }

    /// The files of an agent that edits files itself.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let draft = format!("{:#}\n", draft(&self.derived.plan));
        let documents = self.of.request.documents.iter().enumerate();
        let mut files = vec![(DRAFT.to_owned(), draft), (SCHEMA.to_owned(), schema())];
        files.extend(documents.map(|(at, d)| (document_name(at, &d.path), d.text.clone())));
        files
    }

    /// What a planner is told at first, and again where it cannot go on with its conversation.
    pub(super) fn brief(&self, manner: Manner, findings: &[String]) -> Result<String, CliError> {
        let plan = &self.derived.plan;
        let document = |(at, d): (usize, &windlass_planner::spec::SpecFile)| match manner {
            Manner::Hands => {
                PlanDocument::new(format!("{FOLDER}/{}", document_name(at, &d.path)), String::new())
            }
            Manner::Answer => PlanDocument::new(d.path.clone(), d.text.clone()),
        };
        let (draft, schema) = match manner {
            Manner::Hands => (format!("{FOLDER}/{DRAFT}"), format!("{FOLDER}/{SCHEMA}")),
            Manner::Answer => (draft(plan).to_string(), compact(&schema())),
        };
        let open = self.derived.notes.iter().filter(|n| is_open(n.kind));
        let brief = PlannerBrief {
            manner,
            name: plan.name.clone(),
            profile: self.of.request.profile.to_string(),
            tasks: plan.tasks.iter().map(in_short).collect(),
            documents: self.of.request.documents.iter().enumerate().map(document).collect(),
            draft,
            schema,
            open: open.map(|n| n.text.clone()).collect(),
            findings: findings.to_vec(),
        };
        render_planner(&brief)
            .map_err(|e| CliError::environment("cannot write the agent's brief").because_of(Some(&e)))
    }

    /// What it is told that remembers the first time.
    pub(super) fn again(manner: Manner, findings: &[String]) -> String {
        render_planner_again(manner, &format!("{FOLDER}/{DRAFT}"), findings)
    }
}

/// The draft without what a planner has no say in.
fn draft(plan: &Plan) -> Value {
    let mut value = plan_json(plan);
    let tasks = value.get_mut("tasks").and_then(Value::as_array_mut);
    for task in tasks.into_iter().flatten().filter_map(Value::as_object_mut) {
        task.retain(|key, _| !NOT_THEIRS.contains(&key.as_str()));
    }
    value
}

fn schema() -> String {
    let all = schemas();
    all.into_iter().find(|(name, _)| *name == "plan.json").map(|(_, text)| text).unwrap_or_default()
}

fn compact(text: &str) -> String {
    serde_json::from_str::<Value>(text).map_or_else(|_| text.to_owned(), |value| value.to_string())
}

/// A name inside the folder: a document may lie anywhere.
fn document_name(at: usize, path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().filter(|n| !n.is_empty()).unwrap_or("document");
    format!("documents/{:02}-{name}", at + 1)
}

fn in_short(task: &Task) -> PlannedTask {
    let criterion = |c: &windlass_core::plan::Criterion| match c.id.as_str() {
        "" => c.text.clone(),
        id => format!("{id}: {}", c.text),
    };
    PlannedTask {
        id: task.id.clone(),
        title: task.title.clone(),
        objective: task.objective.clone(),
        after: task.depends_on.clone(),
        files: task.owned().map(str::to_owned).collect(),
        criteria: task.criteria.iter().map(criterion).collect(),
        contract: task.contract.clone(),
    }
}

/// Whether a note is something a planner could do something about.
fn is_open(kind: NoteKind) -> bool {
    match kind {
        NoteKind::CoverageGap
        | NoteKind::Question
        | NoteKind::Language
        | NoteKind::Unsure
        | NoteKind::Assumed
        | NoteKind::Contradiction
        | NoteKind::NotPlaced => true,
        NoteKind::LeftOut | NoteKind::NoRunner | NoteKind::Unread => false,
    }
}
