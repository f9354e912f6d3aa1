//! How a file would import a module, as the files around it write it; nothing where that is not sure.

use super::facts::Import;
use super::place::split;
use super::query::Survey;
use super::reusable_helpers::{Seeker, Uses};
use crate::language::Language;

/// The line by which the seeker's file imports these names of a module.
pub(super) fn import_line(
    survey: &Survey,
    seeker: &Seeker<'_>,
    path: &str,
    uses: &Uses,
    names: &[&str],
) -> Option<String> {
    let here = split(seeker.file).0;
    let relative = |module: &str| module.starts_with('.');
    // What is written in the same directory holds here too; elsewhere only what does not begin there.
    let as_written =
        uses.written.iter().find(|(_, import)| !relative(&import.module)).or_else(|| uses.by(here));
    let language = Language::of_path(path)?;
    (language.row().import_line)(&ImportRequest { survey, seeker, path, uses, names, here, as_written })
}

/// A file that wants to import names of a module.
pub(crate) struct ImportRequest<'a> {
    /// The survey.
    pub(crate) survey: &'a Survey,
    /// The file that imports.
    pub(crate) seeker: &'a Seeker<'a>,
    /// The module.
    pub(crate) path: &'a str,
    /// How others import it.
    pub(crate) uses: &'a Uses,
    /// The names.
    pub(crate) names: &'a [&'a str],
    /// The directory of the file that imports.
    pub(crate) here: &'a str,
    /// An import elsewhere that holds here too.
    pub(crate) as_written: Option<&'a (String, Import)>,
}
