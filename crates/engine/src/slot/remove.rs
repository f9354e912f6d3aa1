//! remove
