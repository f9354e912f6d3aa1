//! From the command line to a plan in memory: configuration, target, files, format.
//!
//! Reads files and nothing else; needs no git repository and writes nothing.

mod configuration;
mod files;
mod homerun_project;
mod plan;
mod repository;
mod specs;
mod target;

pub(crate) use configuration::{Configuration, SetKey, TrustedConfig};
pub(crate) use plan::{ReadPlan, plan_name, read_plan};
pub(crate) use repository::locate;
pub(crate) use specs::{GatheredSpecs, gather};
pub(crate) use target::{PlanTarget, find_plan};
