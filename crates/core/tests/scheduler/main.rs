//! The scheduler as stories: events in, commands out. A story is a text; see [`story::Story`] for its words.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a story that is written wrong must fail")]

mod ends;
mod limits;
mod places;
mod refusals;
mod reviews;
mod story;
mod train;
