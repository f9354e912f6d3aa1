//! [`Spec`] + repository → [`Plan`], without a model: the same documents always give the same plan.
//!
//! The way: units of work from what the documents state, order between them, criteria given to those that serve them,
//! then the shape the profile asks for. What was assumed on the way is said in [`Derived::notes`]. Knows no files and
//! no commands: the [`Ground`] answers for the repository.

mod assertion;
mod assumed_files;
mod ccw;
mod classify;
mod cmake;
mod contracts;
mod criteria_links;
mod default_layout;
mod module_declarations;
mod name;
mod note;
mod order;
mod refresh;
mod remarks;
mod session_findings;
mod split;
mod sub_plans;
mod task;
#[cfg(test)]
mod tests;
mod unit;
mod unit_phases;
mod units;
mod unreadable_files;
mod verification;
mod words;

pub use note::{CriterionLink, LinkBasis, Note, NoteKind};
pub use refresh::refresh;
pub use session_findings::SessionFindings;
pub use sub_plans::{Suggestion, suggest};

use crate::lint::Profile;
use crate::repository::Repository;
use crate::spec::Spec;
use crate::steps::{Adaptive, History, StepDetail};
use windlass_code::survey::Language;
use windlass_core::plan::{Method, Plan};

/// What is wanted of a plan.
pub struct DeriveOptions {
    /// The plan's name.
    pub name: String,
    /// The rules it is to pass.
    pub profile: Profile,
    /// How much its steps say.
    pub detail: StepDetail,
    /// What earlier runs tell about files.
    pub history: History,
    /// When less detail is enough.
    pub adaptive: Adaptive,
    /// Whether tasks are grouped by phase.
    pub grouping: Grouping,
    /// The language of new files, where that is said.
    pub language: Option<Language>,
    /// Plan this phase only, counted from 1.
    pub phase: Option<u32>,
    /// Who carries tasks out, where that is asked for.
    pub method: Option<Method>,
    /// The command-line tool asked for.
    pub tool: Option<String>,
    /// The session the plan belongs to.
    pub session: Option<String>,
    /// The branch it is carried out on.
    pub branch: Option<String>,
    /// What a session already found out.
    pub findings: SessionFindings,
}

/// Whether tasks are grouped by phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// As the size and the documents suggest.
    #[default]
    Suggested,
    /// Side by side.
    Flat,
    /// By phase, so many levels deep at most.
    Nested(usize),
}

/// A plan and what was assumed to make it.
#[derive(Debug, Clone, Default)]
pub struct Derived {
    /// The plan.
    pub plan: Plan,
    /// What was assumed, left out or could not be told.
    pub notes: Vec<Note>,
    /// Which task serves which criterion, and how sure that is.
    pub links: Vec<CriterionLink>,
}

/// Makes a plan.
pub fn derive(spec: &Spec, repository: &Repository<'_>, options: &DeriveOptions) -> Derived {
    let mut notes = Vec::new();
    let mut units = units::units(spec, repository, options, &mut notes);
    contracts::contracts(&mut units, spec);
    unit_phases::phases(&mut units, spec);
    order::order(&mut units, spec, repository, &options.findings, &mut notes);
    let links = criteria_links::attach(&mut units, spec, &mut notes);
    remarks::remarks(&mut units, spec, &mut notes);
    let mut plan = task::plan(&units, spec, repository, options, &mut notes);
    sub_plans::only(&mut plan, options, &mut notes);
    split::split(&mut plan, repository, options);
    assertion::assertions(&mut plan, repository);
    sub_plans::nest(&mut plan, options);
    task::steps(&mut plan, repository, options);
    if options.profile == Profile::Ccw {
        ccw::quantify(&mut plan, repository, options);
    } else if options.method.is_some() || options.tool.is_some() {
        ccw::route_all(&mut plan, options);
    }
    options.findings.apply(&mut plan);
    unreadable_files::unread(&plan, repository.survey(), &mut notes);
    Derived { plan, notes, links }
}
