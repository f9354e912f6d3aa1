//! The grammars whose tables are large and rarely needed: C#, C++ and Ruby. Their largest tables are packed in the program and
//! unpacked when a file of the language is read for the first time.
//!
//! `build.rs` takes the tables out. Where it cannot, these are the grammar crates as they are.

#[cfg(any(test, packed))]
#[cfg_attr(not(test), expect(dead_code, reason = "build.rs packs"))]
mod pack;
#[cfg(packed)]
mod packed;
#[cfg(test)]
mod tests;

#[cfg(packed)]
pub use packed::{c_sharp, cpp, ruby};
#[cfg(not(packed))]
pub use whole::{c_sharp, cpp, ruby};

/// The grammars as their crates have them.
#[cfg(any(test, not(packed)))]
pub mod whole {
    use tree_sitter::Language;

    /// C#.
    pub fn c_sharp() -> Language {
        tree_sitter_c_sharp::LANGUAGE.into()
    }

    /// C++, which reads headers of C too.
    pub fn cpp() -> Language {
        tree_sitter_cpp::LANGUAGE.into()
    }

    /// Ruby.
    pub fn ruby() -> Language {
        tree_sitter_ruby::LANGUAGE.into()
    }
}
