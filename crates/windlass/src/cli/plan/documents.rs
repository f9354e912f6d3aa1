//! The documents of a plan under the names that the plan remembers, and those that come from no file.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use windlass_planner::living::{Derivation, KeptDocument};
use windlass_planner::spec::SpecFile;

use super::PlanArgs;
use super::living::records;
use super::request::Request;
use crate::cli::CliError;
use crate::forge::is_address;
use crate::input::{locate, plan_name};
use crate::world::World;

/// The name of a document that is a sentence on the command line.
pub(super) const IDEA: &str = "idea";
/// The name of a document that was piped in.
const PIPED: &str = "standard input";
/// Documents that are in no file.
pub(super) const NAMELESS: [&str; 2] = [IDEA, PIPED];
/// The most that is read of it.
const LARGEST: u64 = 8 * 1024 * 1024;

/// The document on standard input.
pub(super) fn piped_document(world: &World) -> Result<SpecFile, CliError> {
    if world.can_ask {
        world.tell("reading a document from the terminal; Ctrl-D ends it\n");
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|e| CliError::usage("cannot read standard input").because_of(Some(&e)))?;
    if bytes.len() as u64 > LARGEST {
        return Err(CliError::usage(format!("standard input is larger than {} MB", LARGEST / (1024 * 1024))));
    }
    let text = String::from_utf8(bytes).map_err(|_| CliError::usage("standard input is not text"))?;
    if text.trim().is_empty() {
        return Err(CliError::usage("standard input is empty"));
    }
    Ok(SpecFile { path: PIPED.to_owned(), text })
}

/// The records of the plans in folders of this name; of all without one.
fn records_named(top: &Path, name: Option<&str>) -> Vec<(PathBuf, Derivation)> {
    let of_name = |dir: &Path| name.is_none_or(|name| dir.file_name().is_some_and(|own| own == name));
    records(top).into_iter().filter(|(dir, _)| of_name(dir)).collect()
}

/// The name of the only plan that was made from an idea or from standard input, with its text.
pub(super) fn text_again(top: &Path, name: Option<&str>) -> Option<(String, Vec<SpecFile>)> {
    let mut all = records_named(top, name).into_iter();
    let (Some((dir, record)), None) = (all.next(), all.next()) else { return None };
    let is_text = |d: &KeptDocument| NAMELESS.contains(&d.path.as_str());
    let kept: Vec<KeptDocument> = record.documents.into_iter().filter(is_text).collect();
    let files = kept.into_iter().map(|d| SpecFile { path: d.path, text: d.text }).collect::<Vec<_>>();
    let name = dir.file_name()?.to_string_lossy().into_owned();
    (record.given.is_empty() && !files.is_empty()).then_some((name, files))
}

/// The documents of the plan that is planned again without naming them.
pub(super) fn documents_again(
    world: &World,
    top: &Path,
    name: Option<&str>,
) -> Result<Vec<PathBuf>, CliError> {
    let all = records_named(top, name);
    let usage = |said: String| {
        CliError::usage(said).hint(
            "name documents: `windlass plan docs/`, `windlass plan SPEC.md`, or an idea in quotation marks",
        )
    };
    match all.as_slice() {
        [] => Err(usage("no document is named, and no plan here remembers any".to_owned())),
        [(dir, record)] if record.given.is_empty() => {
            Err(usage(format!("no document is named, and `{}` was not made from files", world.shown(dir))))
        }
        [(dir, record)] => {
            let (issues, files): (Vec<&String>, Vec<&String>) =
                record.given.iter().partition(|given| is_address(given));
            let there = files.into_iter().map(|path| top.join(path)).filter(|path| path.exists());
            let there: Vec<PathBuf> = issues.into_iter().map(PathBuf::from).chain(there).collect();
            if there.is_empty() {
                let said = format!("the documents of `{}` do not exist any more", world.shown(dir));
                return Err(usage(said).hint(format!("it was made from {}", record.given.join(", "))));
            }
            Ok(there)
        }
        several => {
            let names: Vec<String> =
                several.iter().map(|(dir, _)| format!("`{}`", world.shown(dir))).collect();
            Err(CliError::usage("no document is named, and there are several plans")
                .hint(format!("name the documents, or say which plan with `--name`: {}", names.join(", "))))
        }
    }
}

/// The files, folders and issues that a plan of this name was made from; none if it was made in another way.
pub(crate) fn given_documents(world: &World, name: &str) -> Vec<String> {
    let top = locate(&world.cwd).and_then(|found| found.top).unwrap_or_else(|| world.cwd.clone());
    let own = |record: &Derivation| plan_name(&record.plan.name).as_str() == name;
    let record = records(&top).into_iter().find(|(_, record)| own(record));
    record.map(|(_, record)| record.given).unwrap_or_default()
}

impl Request {
    /// The path of a document from the top of the repository; as it is for one outside.
    pub(super) fn path_from_top(&self, world: &World, path: &str) -> String {
        let full = world.cwd.join(path);
        match full.strip_prefix(&self.root) {
            Ok(inside) if full.exists() => inside.to_string_lossy().into_owned(),
            _ => path.to_owned(),
        }
    }

    /// The files and folders that the user named, from the top of the repository.
    pub(super) fn given(&self, world: &World, args: &PlanArgs) -> Vec<String> {
        if args.specs.is_empty() {
            let own: Vec<&str> = self.documents.iter().map(|d| d.path.as_str()).collect();
            let record = records(&self.root).into_iter().find(|(_, record)| {
                own.iter().any(|path| record.shares_document(&[&self.path_from_top(world, path)]))
            });
            return record.map(|(_, record)| record.given).unwrap_or_default();
        }
        let named = args.specs.iter().chain(&args.material).map(|path| path.to_string_lossy());
        named
            .filter(|path| is_address(path) || world.cwd.join(path.as_ref()).exists())
            .map(|path| self.path_from_top(world, &path))
            .collect()
    }

    /// Refuses to retire the tasks of a document that is still there and was only not named.
    pub(super) fn refuse_missing(&self, world: &World, record: &Derivation) -> Result<(), CliError> {
        let own: Vec<String> = self.documents.iter().map(|d| self.path_from_top(world, &d.path)).collect();
        let left: Vec<String> = record
            .documents
            .iter()
            .filter(|d| !own.contains(&d.path) && self.root.join(&d.path).is_file())
            .map(|d| format!("`{}`", d.path))
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        let error = CliError::usage(format!("the plan was also made from {}", left.join(", ")));
        let error = self.skipped.iter().fold(error, |error, why| error.hint(why.clone()));
        Err(error
            .hint("name all of its documents, or none: `windlass plan` takes those it was made from")
            .hint("or plan from nothing with `--force`, which sets the tasks aside"))
    }
}
