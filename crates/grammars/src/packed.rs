//! Grammars that `build.rs` compiled with an empty table: the table is filled, then they are as good as their crates.

#![expect(unsafe_code, reason = "a grammar is C; the two functions per grammar are written by build.rs")]

use std::ffi::c_uint;
use std::slice;
use std::sync::Once;

use tree_sitter::Language;
use tree_sitter_language::LanguageFn;
// The scanners of the grammars are those of their crates.
use {tree_sitter_c_sharp as _, tree_sitter_cpp as _, tree_sitter_ruby as _};

use crate::pack::unpack;

type Table = unsafe extern "C" fn(*mut c_uint, *mut c_uint) -> *mut u16;

unsafe extern "C" {
    fn windlass_c_sharp() -> *const ();
    fn windlass_c_sharp_table(rows: *mut c_uint, columns: *mut c_uint) -> *mut u16;
    fn windlass_cpp() -> *const ();
    fn windlass_cpp_table(rows: *mut c_uint, columns: *mut c_uint) -> *mut u16;
    fn windlass_ruby() -> *const ();
    fn windlass_ruby_table(rows: *mut c_uint, columns: *mut c_uint) -> *mut u16;
}

/// C#.
pub fn c_sharp() -> Language {
    static FILLED: Once = Once::new();
    fill(&FILLED, windlass_c_sharp_table, include_bytes!(concat!(env!("OUT_DIR"), "/c_sharp.table")));
    // SAFETY: the function that the Tree-sitter CLI generated.
    unsafe { LanguageFn::from_raw(windlass_c_sharp) }.into()
}

/// C++, which reads headers of C too.
pub fn cpp() -> Language {
    static FILLED: Once = Once::new();
    fill(&FILLED, windlass_cpp_table, include_bytes!(concat!(env!("OUT_DIR"), "/cpp.table")));
    // SAFETY: the function that the Tree-sitter CLI generated.
    unsafe { LanguageFn::from_raw(windlass_cpp) }.into()
}

/// Ruby.
pub fn ruby() -> Language {
    static FILLED: Once = Once::new();
    fill(&FILLED, windlass_ruby_table, include_bytes!(concat!(env!("OUT_DIR"), "/ruby.table")));
    // SAFETY: the function that the Tree-sitter CLI generated.
    unsafe { LanguageFn::from_raw(windlass_ruby) }.into()
}

/// Fills the table of a grammar before anything reads it.
fn fill(filled: &Once, table: Table, packed: &[u8]) {
    filled.call_once(|| {
        let (mut rows, mut columns) = (0, 0);
        // SAFETY: the table is an array of so many rows and columns. The grammar is handed out after this, and only this function, which
        // runs once per table, writes to it.
        let cells = unsafe {
            let start = table(&raw mut rows, &raw mut columns);
            slice::from_raw_parts_mut(start, rows as usize * columns as usize)
        };
        unpack(packed, columns as usize, cells);
    });
}
