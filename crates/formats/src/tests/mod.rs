//! Tests over all dialects: fixtures, round trips, and the guide.

pub(crate) mod fixtures;
mod guide;
mod round_trips;
