//! Manifests and configurations that a plan is going to make: in a directory without code they say how tests are run.
//!
//! Gives the content they are likely to have, as far as detection needs it. Reads no file.

use super::path::{file_name, runner_config};
use crate::runner::RUNNERS;

/// Files that a plan will create and their likely content, where they decide how tests are run or code is formatted.
/// `said` is the text of the plan's documents: it names the runner that the manifest will list.
pub fn coming<'a>(made: impl Iterator<Item = &'a str>, said: &str) -> Vec<(String, String)> {
    let said = said.to_lowercase();
    let made: Vec<&str> = made.collect();
    let is_typed = made.iter().any(|path| file_name(path) == "tsconfig.json");
    let decides = |path: &&&str| runner_config(path) || is_format(file_name(path));
    made.iter().filter(decides).map(|path| ((*path).to_owned(), text(path, &said, is_typed))).collect()
}

/// Configurations of formatters.
fn is_format(name: &str) -> bool {
    let stems =
        [".prettierrc", "prettier.config.", "eslint.config.", ".eslintrc", "biome.json", "rustfmt.toml"];
    stems.iter().any(|stem| name.starts_with(stem)) || matches!(name, ".rustfmt.toml" | ".clang-format")
}

fn text(path: &str, said: &str, is_typed: bool) -> String {
    let speaks = |word: &str| said.split(|c: char| !c.is_alphanumeric()).any(|w| w == word);
    let name = path.rsplit('/').nth(1).unwrap_or("planned");
    match file_name(path) {
        "package.json" => {
            let runner =
                RUNNERS.iter().filter_map(|row| row.detect.dependencies.first()).find(|name| speaks(name));
            // Nothing is said: what needs no package, unless types have to be stripped.
            let runner = runner.copied().or(is_typed.then_some("vitest"));
            let (listed, script) = match runner {
                Some(runner) => (format!("\"{runner}\":\"*\""), String::new()),
                None => (String::new(), "\"test\":\"node --test\"".to_owned()),
            };
            format!("{{\"name\":\"{name}\",\"scripts\":{{{script}}},\"devDependencies\":{{{listed}}}}}")
        }
        "Cargo.toml" => format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        "go.mod" => format!("module {name}\n"),
        "Gemfile" => format!("gem '{}'\n", if speaks("minitest") { "minitest" } else { "rspec" }),
        "composer.json" => "{\"require-dev\":{\"phpunit/phpunit\":\"*\"}}".to_owned(),
        "CMakeLists.txt" => "enable_testing()\n".to_owned(),
        file if file.ends_with(".json") => "{}".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
