//! [`Spec`] + repository → [`Plan`], without a model: the same documents always give the same plan.
//!
//! The way: units of work from what the documents state, order between them, criteria given to those that serve them,
//! then the shape the profile asks for. What was assumed on the way is said in [`Derived::notes`]. Knows no files and
//! no commands: the [`Ground`] answers for the repository.

mod assertion;
mod attach;
mod ccw;
mod classify;
mod cmake;
mod context;
mod contract;
mod glue;
mod kind;
mod name;
mod note;
mod order;
mod phased;
mod phases;
mod proof;
mod remarks;
mod settle;
mod split;
mod task;
#[cfg(test)]
mod tests;
mod unit;
mod units;
mod unnamed;
mod unread;
mod whereabouts;
mod words;

pub use context::Context;
pub use note::{Link, LinkBasis, Note, NoteKind};
pub use phases::{Suggestion, suggest};
pub use settle::settle;

use crate::lint::Profile;
use crate::repository::Repository;
use crate::spec::Spec;
use crate::steps::{Adaptive, Detail, History};
use windlass_code::survey::Language;
use windlass_core::plan::{Method, Plan};

/// What is wanted of a plan.
pub struct DeriveOptions {
    /// The plan's name.
    pub name: String,
    /// The rules it is to pass.
    pub profile: Profile,
    /// How much its steps say.
    pub detail: Detail,
    /// What earlier runs tell about files.
    pub history: History,
    /// When less detail is enough.
    pub adaptive: Adaptive,
    /// Whether tasks are grouped by phase.
    pub shape: Shape,
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
    pub context: Context,
}

/// Whether tasks are grouped by phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
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
    pub links: Vec<Link>,
}

/// Makes a plan.
pub fn derive(spec: &Spec, repository: &Repository<'_>, options: &DeriveOptions) -> Derived {
    let mut notes = Vec::new();
    let mut units = units::units(spec, repository, options, &mut notes);
    contract::contracts(&mut units, spec);
    phased::phases(&mut units, spec);
    order::order(&mut units, spec, repository, &options.context, &mut notes);
    let links = attach::attach(&mut units, spec, &mut notes);
    remarks::remarks(&mut units, spec, &mut notes);
    let mut plan = task::plan(&units, spec, repository, options, &mut notes);
    phases::only(&mut plan, options, &mut notes);
    split::split(&mut plan, repository, options);
    assertion::assertions(&mut plan, repository);
    phases::nest(&mut plan, options);
    task::steps(&mut plan, repository, options);
    if options.profile == Profile::Ccw {
        ccw::quantify(&mut plan, repository, options);
    } else if options.method.is_some() || options.tool.is_some() {
        ccw::route_all(&mut plan, options);
    }
    options.context.apply(&mut plan);
    unread::unread(&plan, repository.survey(), &mut notes);
    Derived { plan, notes, links }
}
