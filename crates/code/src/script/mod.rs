//! How to get named results out of a verification script.

mod instrument;

pub use instrument::{Instrumented, instrument, instrument_in};
