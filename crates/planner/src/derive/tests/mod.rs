//! Derivation as tables: a Markdown document and a small repository in, tasks and notes out.
//!
//! A document of `documents/` holds several cases. `<!-- case: … -->` starts one; `<!-- files: a, b=text -->` lists the
//! files of its repository, which otherwise is an empty project with pytest.

mod assumed_files;
mod ccw;
mod criteria;
mod functions;
mod modules;
mod order;
mod phases;
mod placed;
mod plans;
mod prose;
mod remarks;
mod sections;
mod split_contract;
mod split_default;
mod split_homerun;
mod split_zerg;
mod tests_and_titles;
mod thin;
mod trees;
mod uncovered;
mod units;

use std::fmt::Write as _;

use super::{DeriveOptions, Derived, Grouping, SessionFindings, derive};
use crate::lint::Profile;
use crate::repository::Repository;
use crate::spec::{SpecFile, read};
use crate::steps::{Adaptive, History, StepDetail};
use windlass_code::repo::{MemoryTree, Tree};
use windlass_code::survey::survey;
use windlass_core::plan::Task;

/// The text of a document of `documents/`.
macro_rules! document {
    ($name:literal) => {
        include_str!(concat!("documents/", $name, ".md"))
    };
}
use document;

fn options(profile: Profile) -> DeriveOptions {
    DeriveOptions {
        name: "shop".to_owned(),
        folder: None,
        profile,
        detail: StepDetail::Low,
        history: History::default(),
        adaptive: Adaptive::default(),
        grouping: Grouping::Suggested,
        language: None,
        phase: None,
        method: None,
        tool: None,
        session: None,
        branch: None,
        findings: SessionFindings::default(),
    }
}

/// One case of a document.
struct Case {
    name: String,
    files: Vec<(String, String)>,
    text: String,
}

/// The cases of a document.
fn cases(document: &str) -> Vec<Case> {
    let parts = document.split("<!-- case: ").skip(1);
    let case = |part: &str| {
        let (name, text) = part.split_once(" -->\n").unwrap();
        let listed = text.strip_prefix("<!-- files:").and_then(|rest| rest.split_once("-->\n"));
        let (files, text) = match listed {
            Some((files, text)) => (files, text),
            None => ("pyproject.toml=[tool.pytest.ini_options]", text),
        };
        let files = files.split(',').map(str::trim).filter(|file| !file.is_empty());
        let files = files.map(|file| file.split_once('=').unwrap_or((file, "")));
        Case {
            name: name.to_owned(),
            files: files.map(|(path, text)| (path.to_owned(), format!("{text}\n"))).collect(),
            text: text.to_owned(),
        }
    };
    parts.map(case).collect()
}

impl Case {
    fn derived(&self, options: &DeriveOptions) -> Derived {
        let tree = MemoryTree::new(self.files.clone());
        let spec = read(&[SpecFile { path: "design.md".to_owned(), text: self.text.clone() }], tree.paths());
        derive(&spec, &Repository::new(&tree, survey(&tree)), options)
    }
}

/// Every case of a document with its tasks and notes.
fn tasks_of(document: &str, options: &DeriveOptions) -> String {
    let mut out = String::new();
    for case in cases(document) {
        let made = case.derived(options);
        let _ = writeln!(out, "# {}", case.name);
        for task in &made.plan.tasks {
            out.push_str(&shown(task));
        }
        for note in &made.notes {
            let _ = writeln!(out, "({}: {})", note.kind.as_str(), note.text);
        }
        out.push('\n');
    }
    out
}

/// The cases of a document under the default profile.
fn default_plans(document: &str) -> String {
    tasks_of(document, &options(Profile::Default))
}

/// The cases of `split.md` under a profile.
fn split_plans(profile: Profile) -> String {
    tasks_of(document!("split"), &options(profile))
}

/// A task in a few lines; fields without a value are left out.
fn shown(task: &Task) -> String {
    let mut out = format!("{}: {}\n", task.id, task.title);
    let mut field = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(out, "  {name}: {}", value.replace('\n', " / "));
        }
    };
    field("part of", task.parent.clone().unwrap_or_default());
    field("after", task.depends_on.join(", "));
    field("phase", task.phase.clone().unwrap_or_default());
    field("create", task.files.create.join(", "));
    field("modify", task.files.modify.join(", "));
    field("read", task.files.read.join(", "));
    field("delete", task.files.delete.join(", "));
    let test = task.test.file.clone().or_else(|| task.test.none.clone()).unwrap_or_default();
    field("test", if task.test.inline { format!("{test} (inline)") } else { test });
    field("verify", task.verification.as_ref().map(|v| v.script.clone()).unwrap_or_default());
    let mode = task.mode.map(|mode| format!(", {}", mode.as_str())).unwrap_or_default();
    field("type", format!("{}{mode}", task.task_type.as_deref().unwrap_or_default()));
    let criterion = |c: &windlass_core::plan::Criterion| match &c.assertion {
        Some(assertion) => format!("{} `{assertion}`", c.id),
        None => c.id.clone(),
    };
    field("criteria", task.criteria.iter().map(criterion).collect::<Vec<_>>().join(", "));
    field("decisions", task.traces_to.decisions.join(", "));
    field("contract", task.contract.iter().map(|b| b.code.clone()).collect::<Vec<_>>().join(" | "));
    field("risks", task.risks.join("; "));
    field("notes", task.notes.clone());
    out
}
