//! Gradle

use super::command_line::base_name;
use super::maven::{COLLECTED, jvm_manifest, replace_goals, runs_goal};
use super::row::{BASE, BuildFacts, Detection, Idle, RunnerRow};
use crate::detect::{dir_of, first_in, from_dir, in_dir, relative, upwards};
use crate::repo::Tree;
use crate::script::quote;
use windlass_core::path_text::name_stem;

/// Tasks that run tests.
const TASKS: [&str; 3] = ["test", "check", "build"];

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "gradle",
    find: |words, start| {
        let is_gradle = matches!(base_name(&words[start]), "gradle" | "gradlew");
        (is_gradle && runs_goal(words, start, &TASKS)).then_some(start)
    },
    idle: Idle { list: &["--dry-run", "-m"], ..BASE.idle },
    build: Some(BuildFacts {
        only: |edits, call| {
            edits.leave_out(call, &[], &["--tests"]);
            replace_goals(edits, call, &TASKS, "testClasses");
        },
        fails_alike: false,
    }),
    report: Some(COLLECTED),
    detect: Detection {
        endings: &["java", "kt"],
        applies: |tree, file| jvm_manifest(tree, file).is_some_and(|path| !path.ends_with("pom.xml")),
        command,
        ..BASE.detect
    },
    ..BASE
};

fn command(tree: &dyn Tree, file: &str) -> Option<(String, String)> {
    let build = jvm_manifest(tree, file)?;
    let settings =
        upwards(&build).find_map(|dir| first_in(tree, dir, &["settings.gradle", "settings.gradle.kts"]));
    let root = settings.as_deref().map_or_else(|| dir_of(&build), dir_of);
    let program = if tree.has(&in_dir(root, "gradlew")) { "./gradlew" } else { "gradle" };
    let module = relative(root, dir_of(&build)).replace('/', ":");
    let task =
        if module.is_empty() || module == root { "test".to_owned() } else { format!(":{module}:test") };
    let inner = file.split("/java/").nth(1).or_else(|| file.split("/kotlin/").nth(1));
    let inner = inner.unwrap_or_else(|| name_stem(file));
    let class = inner.rsplit_once('.').map_or(inner, |(class, _)| class).replace('/', ".");
    let script = from_dir(root, &format!("{program} {} --tests {}", quote(&task), quote(&class)));
    Some((script, build.clone()))
}

#[cfg(test)]
mod tests;
