//! What a plan remembers of the documents it was made from.

use serde::{Deserialize, Serialize};

use crate::spec::SpecFile;
use windlass_core::plan::Plan;

/// A document as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDocument {
    /// Its path from the top of the repository.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The documents of a plan, and the plan as it was derived from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Derivation {
    /// `windlass.derivation/1`.
    pub schema: String,
    /// What the user named, relative to the top of the repository: files and folders.
    #[serde(default)]
    pub given: Vec<String>,
    /// The phase that was planned, if it was only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<u32>,
    /// The language that the user chose for new files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The documents.
    pub documents: Vec<KeptDocument>,
    /// The plan, before people edited it.
    pub plan: Plan,
    /// Ids of tasks that are no longer part of the plan. They are not given again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retired: Vec<String>,
}

/// A record that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DerivationError {
    /// It is not the JSON that was written.
    #[error("it is not a record of a derivation")]
    Unreadable(#[from] serde_json::Error),
    /// It was written by another version.
    #[error("its schema is `{0}`, which this version does not know")]
    Schema(String),
}

impl Derivation {
    /// The file in the plan's folder.
    pub const FILE: &'static str = "derived.json";
    /// The schema of this version.
    pub const SCHEMA: &'static str = "windlass.derivation/1";

    /// Reads a record.
    pub fn read(text: &str) -> Result<Self, DerivationError> {
        let record: Self = serde_json::from_str(text)?;
        if record.schema == Self::SCHEMA { Ok(record) } else { Err(DerivationError::Schema(record.schema)) }
    }

    /// The text of the record.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.unwrap_or_else(|e| unreachable!("a record is plain data: {e}")) + "\n"
    }

    /// The documents, as a reader takes them.
    pub fn files(&self) -> Vec<SpecFile> {
        let file = |d: &KeptDocument| SpecFile { path: d.path.clone(), text: d.text.clone() };
        self.documents.iter().map(file).collect()
    }

    /// Whether it was made from one of these documents.
    pub fn shares_document(&self, paths: &[&str]) -> bool {
        self.documents.iter().any(|d| paths.contains(&d.path.as_str()))
    }
}
