//! Command line agents: their streams as they were seen, and turns of programs that behave like them.

mod readers;
mod turns;
