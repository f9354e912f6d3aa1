//! The scheduler as stories: events in, commands out. A story is a text; see [`story::Story`] for its words.

mod ends;
mod limits;
mod refusals;
mod reviews;
mod story;
mod train;
