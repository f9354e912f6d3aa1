//! Derives a [`Plan`] from a [`Spec`] and a repository, without a model. The same input always gives the same plan.
//!
//! The stages, in order: units of work from the documents, the order between units, criteria assigned to units, tasks,
//! and the form the profile asks for. Assumptions are reported in [`Derived::notes`]. All knowledge about files and
//! commands comes from the [`Repository`].

mod assertion;
mod assumed_files;
mod build_files;
mod ccw;
mod classify;
mod cmake;
mod contracts;
mod criteria_links;
mod default_layout;
mod features;
mod module_declarations;
mod name;
mod named_files;
mod named_units;
mod new_project;
mod note;
mod order;
mod refresh;
mod remarks;
mod searched_tests;
mod section_places;
mod serving_code;
mod session_findings;
mod split;
mod sub_plans;
mod subject;
mod suitability;
mod task;
#[cfg(test)]
mod tests;
mod unit;
mod unit_phases;
mod units;
mod unreadable_files;
mod uses;
mod usual_order;
mod verification;
mod wanted_documents;
mod words;

pub use note::{CriterionPlacement, LinkBasis, Note, NoteKind};
pub use refresh::refresh;
pub use session_findings::{SessionConflict, SessionFindings};
pub use sub_plans::{Suggestion, suggest};

use crate::lint::Profile;
use crate::repository::Repository;
use crate::spec::Spec;
use crate::steps::{Adaptive, History, StepDetail};
use windlass_code::survey::Language;
use windlass_core::plan::{Method, Plan};

/// Options of a derivation.
#[derive(Clone)]
pub struct DeriveOptions {
    /// The plan's name.
    pub name: String,
    /// What the folder of the project is called, for documents that do not name what they ask for.
    pub folder: Option<String>,
    /// The rules the plan has to pass.
    pub profile: Profile,
    /// How detailed the steps are.
    pub detail: StepDetail,
    /// Results of earlier runs, by file.
    pub history: History,
    /// The thresholds for less detail in familiar code.
    pub adaptive: Adaptive,
    /// How tasks are grouped by phase.
    pub grouping: Grouping,
    /// The language of new files, where the user names one.
    pub language: Option<Language>,
    /// The only phase to plan, counted from 1.
    pub phase: Option<u32>,
    /// How tasks are carried out, where the user says so.
    pub method: Option<Method>,
    /// The command-line tool for tasks, where the user names one.
    pub tool: Option<String>,
    /// The session the plan belongs to.
    pub session: Option<String>,
    /// The integration branch.
    pub branch: Option<String>,
    /// The findings of a CCW session.
    pub findings: SessionFindings,
}

/// How tasks are grouped by phase.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Grouping {
    /// Grouped if the size of the plan and the documents suggest it.
    #[default]
    Suggested,
    /// Not grouped.
    Flat,
    /// Grouped by phase, with at most this many levels.
    Nested(usize),
    /// The same, with the phases that a person made of the suggested ones.
    Chosen(usize, Vec<ChosenPhase>),
}

/// A phase that a person made of suggested ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenPhase {
    /// The numbers of the suggested phases, counted from 1.
    pub numbers: Vec<usize>,
    /// Its name, if it is another.
    pub name: Option<String>,
}

/// A derived plan with its notes.
#[derive(Debug, Clone, Default)]
pub struct Derived {
    /// The plan.
    pub plan: Plan,
    /// Assumptions, omissions and open questions.
    pub notes: Vec<Note>,
    /// Which task serves which criterion, with a score.
    pub links: Vec<CriterionPlacement>,
}

impl Derived {
    /// Whether nothing says which language the code is in, so that the tasks own no files.
    pub fn asks_for_language(&self) -> bool {
        self.notes.iter().any(|note| note.kind == NoteKind::Language)
    }
}

/// Derives a plan.
pub fn derive(spec: &Spec, repository: &Repository<'_>, options: &DeriveOptions) -> Derived {
    let mut notes = Vec::new();
    let mut units = units::units(spec, repository, options, &mut notes);
    contracts::contracts(&mut units, spec);
    unit_phases::phases(&mut units, spec);
    order::order(&mut units, spec, repository, &options.findings, &mut notes);
    let links = criteria_links::attach(&mut units, spec, &mut notes);
    named_files::own_named_files(&mut units, spec, repository, &links);
    remarks::remarks(&mut units, spec, &mut notes);
    if options.profile == Profile::Ccw {
        units = features::join(units, spec);
    }
    let mut plan = task::plan(&units, spec, repository, options, &mut notes);
    features::contain(&mut plan);
    sub_plans::only(&mut plan, options, &mut notes);
    split::split(&mut plan, spec, repository, options);
    assertion::assertions(&mut plan, repository);
    sub_plans::nest(&mut plan, options);
    if options.profile == Profile::Ccw {
        features::number(&mut plan);
    }
    task::steps(&mut plan, repository, options, &mut notes);
    if options.profile == Profile::Ccw {
        ccw::quantify(&mut plan, repository, options);
    } else if options.method.is_some() || options.tool.is_some() {
        ccw::route_all(&mut plan, options);
    }
    options.findings.apply(&mut plan);
    unreadable_files::unread(&plan, repository.survey(), &mut notes);
    Derived { plan, notes, links }
}
