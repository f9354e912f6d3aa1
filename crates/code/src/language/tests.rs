//! Tables per language.
