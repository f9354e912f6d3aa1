//! The tools around Java: Maven, Gradle, google-java-format.

use super::setup;
use crate::detect::tool_config::ToolConfig;
use crate::detect::{FormatterRow, in_dir, text, upwards};
use crate::language::Tooling;
use crate::repo::Tree;

pub(super) const TOOLING: Tooling = Tooling {
    programs: &["java"],
    build_files: &["pom.xml", "build.gradle*", "settings.gradle*", "gradle.*"],
    lock_files: &[("build.gradle", &["gradle.lockfile"]), ("build.gradle.kts", &["gradle.lockfile"])],
    managers: setup::MANAGERS,
    further_endings: &["kt", "scala", "groovy"],
    formatters: &[FormatterRow::new(
        "google-java-format",
        &["java"],
        google_java_format,
        "google-java-format --replace",
    )],
    ..Tooling::NONE
};

/// Where a build file or a hook names it; it has no configuration file of its own.
fn google_java_format(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    const ASKING: [&str; 4] = ["pom.xml", "build.gradle", "build.gradle.kts", ".pre-commit-config.yaml"];
    let names =
        |text: &str| ["google-java-format", "googleJavaFormat"].iter().any(|name| text.contains(name));
    upwards(file)
        .flat_map(|dir| ASKING.map(|name| in_dir(dir, name)))
        .find(|path| text(tree, path).is_some_and(|text| names(&text)))
        .map(ToolConfig::new)
}
