//! Reads anything as a `ccw` plan.
#![no_main]

use libfuzzer_sys::fuzz_target;
use windlass_formats::Dialect;

fuzz_target!(|data: &[u8]| windlass_fuzz::plan(Dialect::Ccw, data));
