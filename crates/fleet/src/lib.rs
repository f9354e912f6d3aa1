//! A fleet: workers on any number of machines that fetch attempts from a NATS broker. Nothing has to be opened on them.
//!
//! A connection of a run is a *call* in a work queue of the broker. The worker that takes the call starts a `windlass attend`
//! and carries its frames; coordinator and worker send each other numbered parts through a second stream. What the frames
//! mean is known at their ends only: the broker changes the carrier, not the protocol. `docs/design/0025-places.md`.

mod address;
mod broker;
mod carrier;
mod inbox;
mod outbox;
mod pipes;
mod roster;
mod session;
mod subjects;
mod worker;

pub use address::FleetAddress;
pub use carrier::FleetCarrier;
pub use worker::{FleetWorker, attend_fleet};
