//! The readers: each walks the section tree of one document and adds facts of one kind, with their places, to the
//! specification.
//!
//! A reader asks the tree where a block belongs and the vocabulary what its words mean, and claims the blocks that it
//! makes facts of. What no reader claims is listed at the end (`leftovers`). To add a reader: write its file, and call it
//! in [`super::read`].

pub(super) mod adoption;
pub(super) mod behaviour;
mod behavioural_lists;
mod behavioural_rows;
pub(super) mod component_needs;
pub(super) mod components;
pub(super) mod criteria;
pub(super) mod decisions;
pub(super) mod descriptions;
pub(super) mod details;
pub(super) mod diagrams;
mod examples;
mod feature_names;
pub(super) mod features;
pub(super) mod file_tree;
pub(super) mod files;
mod ground;
pub(super) mod interfaces;
mod known_places;
pub(super) mod leftovers;
mod line_heads;
mod listing_columns;
mod listing_comments;
pub(super) mod mentions;
mod minutes;
pub(super) mod order;
pub(super) mod outline;
mod payloads;
mod phases;
pub(super) mod questions;
mod references;
pub(super) mod remaining;
pub(super) mod remarks;
pub(super) mod reports;
mod scenario_sections;
mod scenarios;
mod short_items;
pub(super) mod stories;
mod story_extents;
mod task_lists;
pub(super) mod tasks;
mod wish_lists;
