//! What end-to-end tests stand on: a repository in a world of its own, the real program run in it, a fake agent that
//! does exactly what its script says, a scripted model and a small forge on loopback, and a look at what was left behind.
//!
//! Knows the program from outside only: its command line, its files, git. No other crate depends on this one except
//! for its tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail, and say where")]

mod fake_agent;
pub mod forge;
mod frames;
pub mod model;
mod nats;
mod outcome;
mod plan;
mod processes;
mod repo;
mod running;

pub use fake_agent::place_between_program;
pub use frames::frame;
pub use nats::{NatsServer, NatsStream};
pub use outcome::Outcome;
pub use plan::PlanTask;
pub use processes::{Left, left_behind};
pub use repo::TestRepo;
pub use running::{Running, eventually};
