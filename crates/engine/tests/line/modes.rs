//! Each mode of proof, carried out.
