//! How likely a unit serves a criterion by its kind of files: a unit without code needs a word of the criterion in favour.

use super::unit::{Unit, UnitFile};
use super::units::tests_the_whole;
use crate::file_kind::{self, FileKind};
use crate::lint::outcome::{ExpectedOutcome, outcome};

/// What the kind of a unit depends on.
pub(super) struct UnitNature {
    prepares: bool,
    stores: bool,
    /// Code of nothing but the schema of data.
    only_stores: bool,
    /// Code of nothing but the things that the rest works on: `models/task.py`.
    holds_data: bool,
    surface: bool,
    validates: bool,
    kind: UnitKind,
}

/// What a unit consists of.
enum UnitKind {
    Nothing,
    Tests,
    /// Tests of the whole speak of everything and implement nothing.
    WholeTests,
    Documentation,
    Types,
    Settings,
    Code,
}

impl UnitNature {
    pub(super) fn of(unit: &Unit) -> UnitNature {
        let stores = |f: &UnitFile| file_kind::is_schema(&f.path);
        let surface = |path: &str| file_kind::layer(path) == Some(file_kind::ENDPOINTS);
        UnitNature {
            prepares: unit.prepares(),
            stores: unit.owned().any(stores),
            only_stores: unit.of_kind(FileKind::Code).next().is_some() && unit.owned().all(stores),
            holds_data: unit.of_kind(FileKind::Code).next().is_some()
                && unit.of_kind(FileKind::Code).all(|f| is_model(&f.path)),
            surface: unit.owned().any(|f| surface(&f.path)),
            validates: format!("{} {}", unit.title, unit.text).to_lowercase().contains("valid"),
            kind: UnitKind::of(unit),
        }
    }
}

/// Whether a file declares things that the rest works on.
fn is_model(path: &str) -> bool {
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    matches!(folder, "models" | "model" | "entities" | "domain")
        || matches!(stem, "models" | "entities" | "types")
}

impl UnitKind {
    fn of(unit: &Unit) -> UnitKind {
        if unit.owned().next().is_none() {
            if unit.is_open { UnitKind::Code } else { UnitKind::Nothing }
        } else if unit.only(&[FileKind::Test]) {
            let whole = unit.owned().any(|f| tests_the_whole(&f.path));
            if whole { UnitKind::WholeTests } else { UnitKind::Tests }
        } else if unit.only(&[FileKind::Documentation]) {
            UnitKind::Documentation
        } else if unit.only(&[FileKind::Types]) {
            UnitKind::Types
        } else if unit.only(&[FileKind::Configuration, FileKind::Manifest, FileKind::Asset]) {
            UnitKind::Settings
        } else {
            UnitKind::Code
        }
    }
}

/// What a criterion speaks of.
pub(super) struct CriterionNature {
    lower: String,
    answers: bool,
    validates: bool,
    /// Behaviour, told as a scenario.
    scenario: bool,
    /// Something that a user does or sees.
    interacts: bool,
}

impl CriterionNature {
    pub(super) fn of(text: &str) -> CriterionNature {
        const INTERACTIONS: [&str; 10] = [
            "user enters",
            "user selects",
            "user types",
            "user clicks",
            "user runs",
            "user presses",
            "users to",
            "displayed",
            "is shown",
            "message",
        ];
        const ASKS: [&str; 6] = ["api", "endpoint", "request", "requests", "response", "responses"];
        let lower = text.to_lowercase();
        let expected = outcome(text);
        let spoken = lower.split(|c: char| !c.is_alphanumeric()).any(|word| ASKS.contains(&word));
        let told = matches!(expected, Some(ExpectedOutcome::Status { .. } | ExpectedOutcome::Answers { .. }));
        CriterionNature {
            answers: spoken || told,
            validates: matches!(expected, Some(ExpectedOutcome::Validates { .. })),
            interacts: INTERACTIONS.iter().any(|words| lower.contains(words)),
            scenario: lower.starts_with("given ") || (lower.contains("when ") && lower.contains(" then ")),
            lower,
        }
    }

    fn speaks(&self, list: &[&str]) -> bool {
        list.iter().any(|word| self.lower.contains(word))
    }

    /// The factor for the score of a unit.
    pub(super) fn weight(&self, unit: &UnitNature) -> f64 {
        if unit.prepares {
            return 0.0;
        }
        if unit.stores && self.speaks(&["table has", "column", "constraint", "migration"]) {
            return 2.5;
        }
        if unit.surface && self.answers {
            return 2.0;
        }
        // Behaviour is not in the schema of the data, and what a user does and sees is not in a model.
        if (unit.only_stores && self.scenario) || (unit.holds_data && self.interacts) {
            return 0.6;
        }
        if unit.validates && self.validates {
            return 2.5;
        }
        let favour = |list: &[&str], with: f64, without: f64| if self.speaks(list) { with } else { without };
        match unit.kind {
            UnitKind::Nothing => {
                favour(&["all tests", "existing tests", "regression", "suite", "ci ", "lint"], 1.2, 0.5)
            }
            UnitKind::Tests => favour(&["test", "coverage"], 1.1, 0.75),
            UnitKind::WholeTests => favour(&["test", "coverage"], 1.1, 0.4),
            UnitKind::Documentation => {
                favour(&["document", "readme", "changelog", "guide", "wiki"], 1.2, 0.3)
            }
            UnitKind::Types => favour(&["type", "field", "interface", "schema", "compile"], 1.1, 0.75),
            UnitKind::Settings => favour(
                &["config", "setting", "style", "css", "html", "page", "depend", "workflow", "ci "],
                1.0,
                0.8,
            ),
            UnitKind::Code => 1.0,
        }
    }
}
