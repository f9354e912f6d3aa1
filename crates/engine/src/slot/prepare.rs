//! prepare
