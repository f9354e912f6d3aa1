//! A reviewer's verdict: `APPROVED` or `REJECTED`, with issues by criterion and severity.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::role::Role;

worded! {
    /// How grave an issue is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum IssueSeverity {
        /// Worth a remark.
        Low = "low",
        /// To be fixed before it is merged.
        Medium = "medium",
        /// Nothing new is begun before a person has looked at it.
        High = "high",
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Issue {
    /// The acceptance criterion it is about, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criterion: Option<String>,
    /// How grave it is.
    pub severity: IssueSeverity,
    /// What is wrong, in a sentence or two.
    #[serde(alias = "text", alias = "description")]
    pub message: String,
    /// The file it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The other task whose work this change contradicts, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

impl Issue {
    /// The issue in one line for people.
    pub fn line(&self) -> String {
        let about = self.criterion.as_deref().map(|c| format!("{c}: ")).unwrap_or_default();
        let place = self.file.as_deref().map(|f| format!(" ({f})")).unwrap_or_default();
        let other = self.against.as_deref().map(|t| format!(", against `{t}`")).unwrap_or_default();
        format!("{}: {about}{}{place}{other}", self.severity.as_str(), self.message)
    }

    /// The identity of an issue across reviews: its criterion, or else its file, or else its words.
    fn key(&self) -> (IssueSeverity, String) {
        let words = || self.message.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        (self.severity, self.criterion.clone().or_else(|| self.file.clone()).unwrap_or_else(words))
    }
}

/// Whether two lists of issues say the same; remarks of low severity do not count.
pub(crate) fn same_issues(a: &[Issue], b: &[Issue]) -> bool {
    let grave = |issues: &[Issue]| -> BTreeSet<(IssueSeverity, String)> {
        let heavy = issues.iter().any(|i| i.severity > IssueSeverity::Low);
        issues.iter().filter(|i| !heavy || i.severity > IssueSeverity::Low).map(Issue::key).collect()
    };
    grave(a) == grave(b)
}

/// A reviewer's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// It may go on.
    Approved {
        /// Remarks.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        issues: Vec<Issue>,
    },
    /// It may not.
    Rejected {
        /// Why; never empty.
        issues: Vec<Issue>,
    },
    /// There is no verdict that can be read: neither a yes nor a no.
    Unknown {
        /// What there is instead.
        reason: String,
    },
}

/// The words a verdict begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Word {
    /// The change does what the task asks for.
    #[serde(alias = "approved")]
    Approved,
    /// It does not.
    #[serde(alias = "rejected")]
    Rejected,
}

/// What a reviewer writes to `WINDLASS_RESULT`, or ends its last message with.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(title = "Review")]
pub(super) struct ReviewAnswer {
    /// `APPROVED` or `REJECTED`.
    verdict: Word,
    /// What is wrong; at least one for `REJECTED`.
    #[serde(default)]
    issues: Vec<Issue>,
    /// A sentence on the whole.
    #[serde(default)]
    #[expect(dead_code, reason = "part of the published shape; the turn's own summary is kept instead")]
    summary: Option<String>,
}

impl Verdict {
    /// Reads an answer. Anything but a plain approval or rejection is unknown.
    pub fn read(answer: &Value) -> Verdict {
        let unknown = |reason: String| Verdict::Unknown { reason };
        let read: ReviewAnswer = match serde_json::from_value(answer.clone()) {
            Ok(read) => read,
            Err(error) => return unknown(format!("the answer is not a review: {error}")),
        };
        let grave = read.issues.iter().any(|i| i.severity == IssueSeverity::High);
        match read.verdict {
            Word::Approved if grave => unknown("it approves in spite of an issue of high severity".into()),
            Word::Approved => Verdict::Approved { issues: read.issues },
            Word::Rejected if read.issues.is_empty() => unknown("it rejects without naming an issue".into()),
            Word::Rejected => Verdict::Rejected { issues: read.issues },
        }
    }

    /// Its issues.
    pub fn issues(&self) -> &[Issue] {
        match self {
            Verdict::Approved { issues } | Verdict::Rejected { issues } => issues,
            Verdict::Unknown { .. } => &[],
        }
    }

    /// What it comes to, in a word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Verdict::Approved { .. } => "approved",
            Verdict::Rejected { .. } => "rejected",
            Verdict::Unknown { .. } => "unknown",
        }
    }

    /// Why a plan is not started, if this verdict on it prevents that.
    pub fn on_the_plan(&self, role: Role) -> Option<String> {
        match self {
            Verdict::Approved { .. } => None,
            Verdict::Rejected { issues } => {
                let lines: Vec<String> = issues.iter().map(Issue::line).collect();
                Some(format!("the plan was rejected: {}", lines.join("; ")))
            }
            Verdict::Unknown { reason } => Some(format!("the {} gave no answer: {reason}", role.as_str())),
        }
    }

    /// The issues that a person must look at before new work starts.
    pub fn grave(&self) -> Option<String> {
        let Verdict::Rejected { issues } = self else { return None };
        let high: Vec<String> =
            issues.iter().filter(|i| i.severity == IssueSeverity::High).map(Issue::line).collect();
        (!high.is_empty()).then(|| high.join("; "))
    }
}

#[cfg(test)]
mod tests;
