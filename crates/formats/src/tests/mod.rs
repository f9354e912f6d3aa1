//! Tests over all dialects: fixtures, keys, round trips, and the guide.

mod every_field;
pub(crate) mod fixtures;
mod full_task;
mod guide;
pub(crate) mod keys;
mod list;
mod round_trips;

pub(crate) use full_task::full_task;
