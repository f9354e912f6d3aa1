//! Reads a plan in whichever format it is.

use std::fs;
use std::path::{Path, PathBuf};

use windlass_core::ids::PlanName;
use windlass_core::path_text::file_name;
use windlass_core::plan::Loaded;
use windlass_formats::{Dialect, Input, TextFile, is_project, named_sub_projects};

use super::files;
use super::target::PlanTarget;
use crate::cli::CliError;
use crate::world::World;

/// A plan and its format.
#[derive(Debug)]
pub(crate) struct ReadPlan {
    /// What was read.
    pub(crate) loaded: Loaded,
    /// The format.
    pub(crate) dialect: Dialect,
}

/// Reads the plan at `target`; `from` is the format if it cannot be detected.
pub(crate) fn read_plan(
    world: &World,
    target: &PlanTarget,
    from: Option<Dialect>,
) -> Result<ReadPlan, CliError> {
    let input = files::read(world, target)?;
    let dialect = match from {
        Some(dialect) => dialect,
        None => detect(world, &input)?,
    };
    let input = match (dialect, target) {
        (Dialect::Superplanner, PlanTarget::Path(path)) if path.is_file() => with_sub_projects(input, path),
        _ => input,
    };
    let mut loaded = windlass_formats::read(dialect, &input);
    if loaded.plan.name.is_empty() {
        loaded.plan.name = name_of(target);
    }
    Ok(ReadPlan { loaded, dialect })
}

/// The input with the sub-projects that its project names, and theirs, from the same folder.
fn with_sub_projects(mut input: Input, path: &Path) -> Input {
    let Some(folder) = path.parent() else { return input };
    let mut open: Vec<String> = input.files.iter().flat_map(|f| named_sub_projects(&f.bytes)).collect();
    let entries = || fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut beside: Vec<(String, Vec<u8>)> = Vec::new();
    if !open.is_empty() {
        let json = |path: &PathBuf| path.extension().is_some_and(|e| e == "json");
        let small = |path: &PathBuf| fs::metadata(path).is_ok_and(|m| m.len() <= LARGEST);
        let mut paths: Vec<PathBuf> = entries().filter(json).filter(small).collect();
        paths.sort();
        let named = |p: &PathBuf| Some((p.file_name()?.to_string_lossy().into_owned(), fs::read(p).ok()?));
        beside = paths.iter().filter_map(named).collect();
    }
    while let Some(id) = open.pop() {
        if input.files.iter().any(|f| is_project(file_name(&f.path), &f.bytes, &id)) {
            continue;
        }
        if let Some((name, bytes)) = beside.iter().find(|(name, bytes)| is_project(name, bytes, &id)) {
            open.extend(named_sub_projects(bytes));
            input.files.push(TextFile { path: name.clone(), bytes: bytes.clone() });
        }
    }
    input
}

/// A project file is not larger.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Detects the format. If several fit, a person is asked, and a script gets an error.
fn detect(world: &World, input: &Input) -> Result<Dialect, CliError> {
    let what = what(input);
    match windlass_formats::detect(input).as_slice() {
        [one] => Ok(*one),
        [] => Err(CliError::usage(format!("{what} is not a plan in a known format"))
            .hint(format!("known formats: {}; name one with `--from`", names(&Dialect::ALL)))),
        several if world.can_ask => ask(world, &what, several),
        several => Err(CliError::usage(format!("{what} could be read as {}", names(several)))
            .hint(format!("say which with `--from {}`", several[0]))),
    }
}

fn ask(world: &World, what: &str, several: &[Dialect]) -> Result<Dialect, CliError> {
    let question = format!("{what} could be read as {}; which is it? [{}] ", names(several), several[0]);
    match world.answer(&question)?.as_str() {
        "" => Ok(several[0]),
        word => word.parse().map_err(|e: windlass_formats::UnknownDialect| CliError::usage(e.to_string())),
    }
}

fn names(dialects: &[Dialect]) -> String {
    dialects.iter().map(|d| d.as_str()).collect::<Vec<_>>().join(", ")
}

fn what(input: &Input) -> String {
    match (input.files.as_slice(), input.root.as_str()) {
        ([only], "") => format!("`{}`", only.path),
        ([only], root) => format!("`{root}/{}`", only.path),
        (_, root) => format!("`{root}`"),
    }
}

/// A name for a plan that has none: its file's or folder's.
fn name_of(target: &PlanTarget) -> String {
    match target {
        PlanTarget::Stdin => "plan".into(),
        PlanTarget::Path(path) => {
            path.file_stem().map_or_else(|| "plan".into(), |s| s.to_string_lossy().into_owned())
        }
    }
}

/// The name under which a plan's state is kept: the plan's own, made fit for a path and a branch.
pub(crate) fn plan_name(name: &str) -> PlanName {
    let fit = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let mut text: String = name.trim().chars().map(fit).collect();
    for (bad, good) in [("..", "."), ("--", "-")] {
        while text.contains(bad) {
            text = text.replace(bad, good);
        }
    }
    let text = text.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let text: String = text.chars().take(60).collect();
    let text = text.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    // What is left can only be refused for being empty or ending in `.lock`.
    PlanName::new(text)
        .or_else(|_| PlanName::new(format!("plan-{}", text.replace('.', "-")).trim_end_matches('-')))
        .unwrap_or_else(|_| fallback())
}

fn fallback() -> PlanName {
    #[expect(clippy::expect_used, reason = "a constant that a test has seen")]
    PlanName::new("plan").expect("`plan` is a valid name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_fit() {
        let table = [
            ("shop", "shop"),
            ("My Feature: login!", "My-Feature-login"),
            ("../../etc", "etc"),
            ("a..b", "a.b"),
            ("x.lock", "plan-x-lock"),
            ("", "plan"),
            ("日本", "plan"),
        ];
        for (name, expected) in table {
            assert_eq!(plan_name(name).as_str(), expected, "{name}");
        }
        assert!(plan_name(&"x".repeat(200)).as_str().len() <= 64);
    }
}
