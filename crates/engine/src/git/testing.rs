//! Test repositories.
