//! The process table.
