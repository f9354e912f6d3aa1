//! Kills until none is left.
