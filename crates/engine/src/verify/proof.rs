//! What the verifier saw, gate by gate. Becomes part of the evidence.

use serde::{Deserialize, Serialize};
use windlass_core::failure::Gate;
use windlass_core::ids::{BlobName, Oid};
use windlass_core::report::TestReport;

/// One gate as it was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateRecord {
    /// Which.
    pub gate: Gate,
    /// What was run.
    pub command: String,
    /// The exit code, where a command was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// How long it took.
    pub millis: u64,
    /// What it printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<BlobName>,
    /// Its named results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<TestReport>,
    /// `named` or, weaker, `exit-code`.
    pub strength: String,
}

/// Everything the verifier saw on one tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// The tree.
    pub tree: Oid,
    /// The gates in the order they ran.
    pub gates: Vec<GateRecord>,
    /// The names of the variables the commands had.
    pub environment: Vec<String>,
    /// What kept its processes together.
    pub containment: String,
}
