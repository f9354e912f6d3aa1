//! A plan that is planned again: found by its documents, compared, changed only where they changed, and written back.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use windlass_code::survey::Language;
use windlass_core::diagnostic::{Severity, Sources};
use windlass_core::plan::Plan;
use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_engine::chronicle::Chronicle;
use windlass_formats::{Dialect, TextFile};
use windlass_planner::derive::{DeriveOptions, Derived, derive};
use windlass_planner::living::{Derivation, Drafts, KeptDocument, Revision, Standings, revise};
use windlass_planner::repository::Repository;
use windlass_planner::spec::{self, SpecFile};

use super::documents::NAMELESS;
use super::request::Request;
use super::{PlanArgs, Written};
use crate::cli::CliError;
use crate::cli::state::is_live;
use crate::cli::writing::{Overwrite, write_files};
use crate::forge::is_address;
use crate::input::{PlanTarget, locate, plan_name, read_plan};
use crate::render;
use crate::world::World;

/// A plan that was made from the same documents before.
pub(super) struct Living {
    /// Its folder.
    root: PathBuf,
    record: Derivation,
    ours: Plan,
    /// The texts of its files, for the paths of its tasks.
    sources: Sources,
    view: View,
}

impl Living {
    /// The plan that these documents belong to; `None` if they are planned for the first time.
    pub(super) fn find(
        world: &World,
        args: &PlanArgs,
        request: &Request,
        name: &str,
    ) -> Result<Option<Self>, CliError> {
        let native = args.format.is_none_or(|format| format == Written::Dialect(Dialect::Native));
        if args.force || args.stdout || !native || request.homerun.is_some() || request.session_dir.is_some()
        {
            return Ok(None);
        }
        let Some(root) = folder(world, args, request, name)? else { return Ok(None) };
        let path = root.join(Derivation::FILE);
        let text = fs::read_to_string(&path).map_err(|e| CliError::file("cannot read", &path, &e))?;
        let record = Derivation::read(&text).map_err(|e| unusable(world, &path).because_of(Some(&e)))?;
        request.refuse_missing(world, &record)?;
        let loaded = read_plan(world, &PlanTarget::Path(root.clone()), Some(Dialect::Native))?.loaded;
        let errors: Vec<_> =
            loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).cloned().collect();
        if !errors.is_empty() {
            world.tell(&render::human(&errors, &loaded.sources, &world.err, 20));
            let shown = world.shown(&root);
            return Err(CliError::usage(format!(
                "the plan in `{shown}` cannot be read, so nothing is changed"
            ))
            .hint(format!("correct it until `windlass check {shown}` can read it"))
            .hint("or plan from nothing with `--force`, which sets its tasks aside"));
        }
        let view = view(world, request, &loaded.plan.name);
        Ok(Some(Self { root, record, ours: loaded.plan, sources: loaded.sources, view }))
    }

    /// The plan's name, which stays whatever the documents are called now.
    pub(super) fn name(&self) -> &str {
        &self.ours.name
    }

    /// The language that was chosen for new files.
    pub(super) fn language(&self) -> Option<Language> {
        self.record.language.as_deref().and_then(Language::named)
    }

    /// What the change of the documents, or of the chosen language, comes to.
    pub(super) fn revise(
        &self,
        world: &World,
        request: &Request,
        repository: &Repository<'_>,
        known: &[String],
        options: &DeriveOptions,
        derived: &Derived,
    ) -> Revision {
        let shown = |d: SpecFile| {
            if is_address(&d.path) {
                d
            } else {
                SpecFile { path: world.shown(&request.root.join(&d.path)), text: d.text }
            }
        };
        let old: Vec<SpecFile> = self.record.files().into_iter().map(shown).collect();
        let mut spec = spec::read(&old, known);
        request.trace(&mut spec);
        let before =
            derive(&spec, repository, &DeriveOptions { language: self.language(), ..options.clone() });
        let drafts = Drafts { before: &before.plan, now: &derived.plan, documents: &request.documents };
        let completed = |id: &str| self.view.task(id).is_some_and(|t| t.state == TaskState::Completed);
        let taken: BTreeSet<String> =
            self.view.tasks.iter().chain(&self.view.archived).map(|t| t.id.to_string()).collect();
        revise(&self.record, &drafts, &self.ours, &Standings { completed: &completed, taken: &taken })
    }

    /// Whether a run of the plan is active; it goes on with the plan it started with.
    pub(super) fn is_running(&self) -> bool {
        self.view.run.as_ref().is_some_and(|run| run.ended.is_none() && is_live(run))
    }

    /// Ids that were retired before.
    pub(super) fn retired(&self) -> &[String] {
        &self.record.retired
    }

    /// Writes the files that changed and leaves the others as they are. Files of tasks that are gone are renamed.
    pub(super) fn write(
        &self,
        world: &World,
        plan: &Plan,
        record: TextFile,
    ) -> Result<Vec<PathBuf>, CliError> {
        let before = windlass_formats::write(Dialect::Native, &self.ours, &|_| None);
        let after = windlass_formats::write(Dialect::Native, plan, &|_| None);
        let own = |id: &str| {
            let task = self.ours.task(id)?;
            let path = &self.sources.file(task.span("")?.file).path;
            let name = path.rsplit('/').next()?;
            Some(format!("tasks/{name}"))
        };
        let mut files = Vec::new();
        let mut kept: BTreeSet<String> = BTreeSet::new();
        for (task, file) in plan.tasks.iter().zip(after.iter().skip(1)) {
            let path = own(&task.id).unwrap_or_else(|| file.path.clone());
            let at = self.ours.tasks.iter().position(|t| t.id == task.id);
            let same = at.and_then(|at| before.get(at + 1)).is_some_and(|old| old.bytes == file.bytes);
            kept.insert(path.clone());
            if !same {
                files.push(TextFile { path, bytes: file.bytes.clone() });
            }
        }
        if before.first().map(|f| &f.bytes) != after.first().map(|f| &f.bytes) {
            files.extend(after.first().cloned());
        }
        files.push(record);
        for task in self.ours.tasks.iter().filter(|t| plan.task(&t.id).is_none()) {
            if let Some(path) = own(&task.id).filter(|path| !kept.contains(path)) {
                set_aside(&self.root.join(path))?;
            }
        }
        // A single file would be taken for the folder itself.
        let root = &self.root;
        write_files(world, root, &files, Overwrite::InPlace)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }
}

/// A file that is no longer part of the plan keeps its text under another name.
fn set_aside(path: &Path) -> Result<(), CliError> {
    let aside = path.with_extension("md.old");
    fs::rename(path, &aside).map_err(|e| CliError::file("cannot rename", path, &e))
}

/// The folder of the plan that was made from these documents.
fn folder(
    world: &World,
    args: &PlanArgs,
    request: &Request,
    name: &str,
) -> Result<Option<PathBuf>, CliError> {
    let paths: Vec<String> =
        request.documents.iter().map(|d| request.path_from_top(world, &d.path)).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    // The page of a review has a place of its own.
    let output = args.output.as_ref().filter(|_| args.review.is_none());
    let asked = match output {
        Some(output) => world.cwd.join(output),
        None => request.root.join("plans").join(name),
    };
    let open = output.is_none() && args.name.is_none();
    let mut found: Vec<PathBuf> = Vec::new();
    if open {
        // Sentences and piped texts have one name for all; only the name of the plan tells them apart.
        let files: Vec<&str> = paths.iter().copied().filter(|path| !NAMELESS.contains(path)).collect();
        let of_these = |record: &Derivation| record.shares_document(&files) && record.phase == args.phase;
        found = records(&request.root)
            .into_iter()
            .filter(|(_, record)| of_these(record))
            .map(|(dir, _)| dir)
            .collect();
    }
    match found.as_slice() {
        [] if open => {
            if let Some(path) = unreadable(&request.root) {
                // It may be the plan of these documents: another one beside it would plan them twice.
                return Err(unusable(world, &path));
            }
        }
        [] => {}
        [only] => return Ok(Some(only.clone())),
        several if several.contains(&asked) => return Ok(Some(asked)),
        several => {
            let names: Vec<String> = several.iter().map(|dir| format!("`{}`", world.shown(dir))).collect();
            return Err(CliError::usage(format!(
                "several plans were made from these documents: {}",
                names.join(", ")
            ))
            .hint("say which one is meant with `--name`"));
        }
    }
    if !asked.join("plan.toml").exists() {
        return Ok(None);
    }
    let shown = world.shown(&asked);
    let path = asked.join(Derivation::FILE);
    let Ok(text) = fs::read_to_string(&path) else {
        return Err(CliError::usage(format!("`{shown}` holds a plan that was not made from documents"))
            .hint(
                "choose another name with `--name`, or replace it with `--force`, which sets its tasks aside",
            ));
    };
    let record = Derivation::read(&text).map_err(|e| unusable(world, &path).because_of(Some(&e)))?;
    if record.shares_document(&paths) && record.phase == args.phase {
        return Ok(Some(asked));
    }
    let of: Vec<String> = record.documents.iter().take(3).map(|d| format!("`{}`", d.path)).collect();
    Err(CliError::usage(format!("`{shown}` holds another plan: it was made from {}", of.join(", ")))
        .hint("choose another name with `--name`, or replace it with `--force`, which sets its tasks aside"))
}

fn unusable(world: &World, path: &Path) -> CliError {
    CliError::usage(format!("`{}` cannot be used", world.shown(path)))
        .hint("restore it from git, or plan from nothing with `--force`, which sets the tasks aside")
}

/// Every plan below `plans/` with what it remembers. Records that cannot be read are reported when they are used.
pub(super) fn records(top: &Path) -> Vec<(PathBuf, Derivation)> {
    let entries = fs::read_dir(top.join("plans")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<(PathBuf, Derivation)> = entries
        .filter_map(|dir| {
            let text = fs::read_to_string(dir.join(Derivation::FILE)).ok()?;
            Some((dir, Derivation::read(&text).ok()?))
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// A record below `plans/` that cannot be read.
fn unreadable(top: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(top.join("plans")).into_iter().flatten().flatten();
    let mut records = entries.map(|entry| entry.path().join(Derivation::FILE)).filter(|path| path.exists());
    records.find(|path| !fs::read_to_string(path).is_ok_and(|text| Derivation::read(&text).is_ok()))
}

/// What a new plan remembers.
pub(super) fn record(
    world: &World,
    args: &PlanArgs,
    request: &Request,
    plan: &Plan,
    language: Option<Language>,
    retired: Vec<String>,
) -> TextFile {
    let document =
        |d: &SpecFile| KeptDocument { path: request.path_from_top(world, &d.path), text: d.text.clone() };
    let record = Derivation {
        schema: Derivation::SCHEMA.to_owned(),
        given: request.given(world, args),
        phase: args.phase,
        language: language.map(|language| language.fence().to_owned()),
        documents: request.documents.iter().map(document).collect(),
        plan: plan.clone(),
        retired,
    };
    TextFile { path: Derivation::FILE.to_owned(), bytes: record.text().into_bytes() }
}

/// What the plan's runs left; nothing if it was never run here.
fn view(world: &World, request: &Request, name: &str) -> View {
    let paths = locate(&request.root).and_then(|l| world.paths(&l.common_dir).ok());
    let journal = paths.map(|paths| paths.plan(&plan_name(name)).journal());
    let chronicle = journal.and_then(|journal| Chronicle::open(&journal).ok().flatten());
    chronicle.and_then(|chronicle| chronicle.view().ok()).unwrap_or_default()
}
