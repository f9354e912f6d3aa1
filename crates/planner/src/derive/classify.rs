//! Classification of a unit: task type, tier, mode and size.

use super::unit::Unit;
use crate::file_kind::{self, FileKind};
use crate::repository::Repository;
use crate::spec::Operation;
use windlass_core::plan::{Complexity, Methodology, Mode, NoTestReason, Tier};

/// The classification of a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Classification {
    pub(super) task_type: &'static str,
    pub(super) tier: Tier,
    pub(super) mode: Mode,
    pub(super) reason: Option<NoTestReason>,
    pub(super) methodology: Methodology,
    pub(super) complexity: Complexity,
    pub(super) minutes: f64,
}

/// Classifies a unit.
pub(super) fn class(unit: &Unit, test: Option<&str>, repository: &Repository<'_>) -> Classification {
    let (mode, reason) = mode(unit, test, repository);
    let task_type = task_type(unit, mode);
    let direct = mode == Mode::None;
    Classification {
        task_type,
        tier: tier(task_type),
        mode,
        reason,
        methodology: if direct { Methodology::Direct } else { Methodology::Tdd },
        complexity: complexity(unit),
        minutes: minutes(unit),
    }
}

fn mode(unit: &Unit, test: Option<&str>, repository: &Repository<'_>) -> (Mode, Option<NoTestReason>) {
    let reason = |r| (Mode::None, Some(r));
    if unit.is_open {
        return (Mode::Tdd, None);
    }
    if unit.owned().next().is_none() {
        return (Mode::Gate, None);
    }
    if unit.owned().all(|f| f.operation == Operation::Delete) {
        return reason(NoTestReason::DeleteDeadCode);
    }
    if unit.makes_code() {
        let kept = test.is_some_and(|t| repository.survey().has(t));
        let moves = reshapes(&unit.title) && kept;
        return if moves { (Mode::Refactor, None) } else { (Mode::Tdd, None) };
    }
    if unit.of_kind(FileKind::Test).next().is_some() {
        return (Mode::TestsOnly, None);
    }
    if unit.of_kind(FileKind::Types).next().is_some() {
        return reason(NoTestReason::TypeDefinitionsOnly);
    }
    let kept = || unit.owned().filter(|f| f.operation != Operation::Delete);
    if kept().all(|f| f.kind == FileKind::Documentation) {
        return reason(NoTestReason::DocumentationOnly);
    }
    // What is not there yet cannot be updated: no test rests on it.
    let depends = kept().all(|f| f.kind == FileKind::Manifest && f.operation == Operation::Modify)
        && unit.title.to_lowercase().contains("depend");
    reason(if depends { NoTestReason::DependencyUpdate } else { NoTestReason::ConfigStatic })
}

/// Whether a title describes a refactoring.
fn reshapes(title: &str) -> bool {
    let lower = title.to_lowercase();
    // By whole words: to remove something is no move.
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        matches!(word, "split" | "move")
            || ["refactor", "rename", "extract", "dedup", "consolidate"].iter().any(|w| word.starts_with(w))
    })
}

fn task_type(unit: &Unit, mode: Mode) -> &'static str {
    let said = format!("{} {}", unit.title, unit.text).to_lowercase();
    let title = unit.title.to_lowercase();
    let has = |w: &str| title.contains(w);
    let layer = unit.of_kind(FileKind::Code).filter_map(|f| file_kind::layer(&f.path)).max();
    let creates = unit.of_kind(FileKind::Code).any(|f| f.operation == Operation::Create);
    let answers = unit.criteria.iter().map(|c| c.text.as_str()).chain([said.as_str()]).any(names_route);
    match mode {
        Mode::None => "add_config",
        Mode::Refactor => "rename_refactor",
        Mode::Gate => "integration_test",
        Mode::TestsOnly => {
            let far = unit.owned().any(|f| f.path.contains("integration") || f.path.contains("e2e"));
            if far { "integration_test" } else { "add_test" }
        }
        Mode::Tdd if has("architect") || said.contains("god class") => "architectural",
        Mode::Tdd if has("fix") || has("bug") || has("regression") => "bug_fix",
        Mode::Tdd if has("middleware") => "create_middleware",
        // A file that is called `api.py` already does not make an endpoint of every change of it.
        Mode::Tdd if (layer == Some(4) && (creates || answers)) || has("endpoint") || has("route") => {
            let hard = unit.owned().count() > 2 || said.contains("auth") || said.contains("payment");
            if hard { "add_endpoint_complex" } else { "add_endpoint" }
        }
        Mode::Tdd if creates && sets_up_tables(unit) => "add_config",
        Mode::Tdd if creates && layer == Some(2) => "create_model",
        Mode::Tdd if creates => "create_service",
        Mode::Tdd if has("valid") => "add_validation",
        Mode::Tdd if has("field") || has("column") => "add_field",
        Mode::Tdd if has("config") || has("setting") => "add_config",
        Mode::Tdd if unit.of_kind(FileKind::Code).count() > 1 => "create_service",
        Mode::Tdd => "add_method",
    }
}

/// Whether a text names a route or the status of an answer: `POST /todos`, `answers 404`.
fn names_route(text: &str) -> bool {
    let is_status = |word: &str| {
        word.len() == 3 && word.starts_with(['2', '4', '5']) && word.bytes().all(|b| b.is_ascii_digit())
    };
    let plain = text.replace(['`', '"', '\'', ','], " ");
    let names = |word: &str| {
        word.len() > 1 && word.starts_with('/') || is_status(word.trim_end_matches(['.', ':', ';', ')']))
    };
    plain.split_whitespace().any(names)
}

/// Whether a unit makes the schema of a database; modules of `schemas` are models of another kind.
fn sets_up_tables(unit: &Unit) -> bool {
    let models = |path: &str| path.split('/').any(|folder| folder == "schemas");
    unit.of_kind(FileKind::Code).all(|f| file_kind::is_schema(&f.path) && !models(&f.path))
}

fn tier(task_type: &str) -> Tier {
    match task_type {
        "architectural" => Tier::Large,
        "create_model"
        | "create_service"
        | "add_endpoint_complex"
        | "create_middleware"
        | "bug_fix"
        | "integration_test" => Tier::Medium,
        _ => Tier::Small,
    }
}

fn complexity(unit: &Unit) -> Complexity {
    let lines: u32 = unit.files.iter().filter(|f| f.kind == FileKind::Code).filter_map(|f| f.lines).sum();
    let code = unit.of_kind(FileKind::Code).count();
    match (lines, code) {
        (0, 0) | (1..=15, _) => Complexity::Trivial,
        (16..=30, _) => Complexity::Simple,
        (31..=50, _) | (0, 1) => Complexity::Medium,
        _ => Complexity::Complex,
    }
}

/// An estimate in minutes, between 5 and 60.
fn minutes(unit: &Unit) -> f64 {
    let each = |kind: FileKind, operation: Operation| match (kind, operation) {
        (_, Operation::Delete) => 1.0,
        (FileKind::Code | FileKind::Types, Operation::Create) => 20.0,
        (FileKind::Code | FileKind::Types, _) => 12.0,
        (FileKind::Test, _) => 8.0,
        (FileKind::Documentation | FileKind::Configuration | FileKind::Manifest | FileKind::Asset, _) => 5.0,
    };
    if unit.prepares() {
        return 5.0;
    }
    let sum: f64 = unit.owned().map(|f| each(f.kind, f.operation)).sum();
    sum.clamp(5.0, 60.0)
}
