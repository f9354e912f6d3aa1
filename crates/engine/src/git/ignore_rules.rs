//! The ignore rules of a base tree, whatever an agent made of the files since.

/// The `.gitignore` files of one tree.
pub(crate) struct IgnoreRules;
