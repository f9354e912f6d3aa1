//! Manifests and configurations that a plan is going to make: in a directory without code they say how tests are run.
//!
//! Gives the content they are likely to have, as far as detection needs it. Reads no file.

use windlass_core::path_text::file_name;

use super::path::runner_config;
use crate::language::{Language, LikelyProject, name_fits};

/// Files that a plan will create and their likely content, where they decide how tests are run or code is formatted.
/// `said` is the text of the plan's documents: it names the runner that the manifest will list.
pub fn coming<'a>(made: impl Iterator<Item = &'a str>, said: &str) -> Vec<(String, String)> {
    let said = said.to_lowercase();
    let made: Vec<&str> = made.collect();
    let decides = |path: &&&str| runner_config(path) || is_format(file_name(path));
    made.iter().filter(decides).map(|path| ((*path).to_owned(), text(path, &said, &made))).collect()
}

/// Configurations of formatters.
fn is_format(name: &str) -> bool {
    let mut known = Language::families().flat_map(|language| language.row().tooling.format_files);
    known.any(|known| name_fits(known, name))
}

fn text(path: &str, said: &str, made: &[&str]) -> String {
    let project = LikelyProject { name: path.rsplit('/').nth(1).unwrap_or("planned"), said, made };
    let name = file_name(path);
    let language = Language::of_manifest(name).map(|language| language.row().family);
    let likely = language.and_then(|language| (language.row().tooling.likely_manifest)(name, &project));
    likely.unwrap_or_else(|| if name.ends_with(".json") { "{}".to_owned() } else { String::new() })
}

#[cfg(test)]
mod tests;
