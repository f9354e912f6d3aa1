//! What a heading is about, told by its words alone.

/// What a part of a specification is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    Criteria,
    Stories,
    Requirements,
    Metrics,
    Decisions,
    Components,
    Models,
    Endpoints,
    Ownership,
    Graph,
    Phases,
    Tests,
    Risks,
    /// What is expressly not wanted.
    Excluded,
    Conventions,
    /// Screens and flows.
    Surface,
    /// Why and what for; nothing to do.
    Background,
}

/// Phrases by topic; the first that stands in the heading decides.
const PHRASES: [(Topic, &[&str]); 17] = [
    (
        Topic::Excluded,
        &[
            "non-goal",
            "non goal",
            "nongoal",
            "out of scope",
            "out-of-scope",
            "nice to have",
            "nice-to-have",
            "future work",
            "future consideration",
            "future enhancement",
            "future extension",
            "future feature",
            "future phase",
            "won't have",
            "not in scope",
            "deferred",
            "excluded",
        ],
    ),
    (
        Topic::Criteria,
        &[
            "acceptance criteria",
            "acceptance criterion",
            "acceptance scenario",
            "acceptance test",
            "success criteria",
            "definition of done",
            "done when",
            "exit criteria",
            "completion criteria",
        ],
    ),
    (Topic::Metrics, &["success metric", "metrics", "kpi"]),
    (Topic::Risks, &["risk", "mitigation", "rollback"]),
    (Topic::Stories, &["user stories", "user story", "use case", "user scenarios"]),
    (Topic::Requirements, &["requirement", "must have", "should have", "must-have"]),
    (
        Topic::Ownership,
        &[
            "file ownership",
            "ownership",
            "file manifest",
            "file changes",
            "file structure",
            "files changed",
            "files to ",
            "affected files",
            "new files",
            "new file",
            "modified files",
            "file summary",
            "file plan",
            "file list",
            "project structure",
            "source code",
            "directory structure",
            "folder structure",
        ],
    ),
    (
        Topic::Graph,
        &[
            "dependency graph",
            "dependency order",
            "task dependencies",
            "task graph",
            "execution order",
            "implementation order",
            "build order",
            "dependencies",
        ],
    ),
    (Topic::Decisions, &["decision", "adr-", "alternatives considered"]),
    (
        Topic::Tests,
        &["test strategy", "testing strategy", "test plan", "testing", "verification", "validation", "tests"],
    ),
    (
        Topic::Models,
        &["data model", "database", "schema", "entities", "entity", "domain model", "type definitions"],
    ),
    (Topic::Endpoints, &["endpoint", "api contract", "api design", "rest api", "http api", "routes"]),
    (Topic::Components, &["component", "module", "architecture", "detailed design", "detailed changes"]),
    (
        Topic::Phases,
        &[
            "phase",
            "milestone",
            "roadmap",
            "implementation plan",
            "implementation tasks",
            "task summary",
            "task breakdown",
            "task details",
            "tasks",
            "timeline",
            "level ",
        ],
    ),
    (Topic::Conventions, &["convention", "code style", "coding standard", "guideline", "constraints"]),
    (Topic::Surface, &["wireframe", "layout", "screen", "user flow", "user journey", "visual", "ui "]),
    (
        Topic::Background,
        &[
            "metadata",
            "overview",
            "summary",
            "problem",
            "goal",
            "background",
            "context",
            "introduction",
            "purpose",
            "scope",
            "assumption",
            "open question",
            "approval",
            "reference",
            "glossary",
            "changelog",
            "documentation impact",
            "parallel execution",
            "recommended workers",
            "estimated duration",
            "motivation",
            "research",
            "root cause",
            "rationale",
            "solution",
            "data flow",
            "high-level design",
            "technical context",
            "clarification",
            "appendix",
        ],
    ),
];

impl Topic {
    /// The topic of a heading or label, if its words name one.
    pub(super) fn of(title: &str) -> Option<Topic> {
        let title = title.trim().to_lowercase();
        let title = title.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | ')'));
        let word = title.trim_end_matches([':', ' ']);
        let single = match word {
            "api" | "apis" => Some(Topic::Endpoints),
            "files" | "files changed" => Some(Topic::Ownership),
            "models" | "types" => Some(Topic::Models),
            "acceptance" | "dod" => Some(Topic::Criteria),
            "nfr" | "nfrs" | "frs" => Some(Topic::Requirements),
            _ => None,
        };
        single.or_else(|| {
            let names = |phrases: &[&str]| phrases.iter().any(|p| has(title, p));
            PHRASES.iter().find(|(_, phrases)| names(phrases)).map(|(topic, _)| *topic)
        })
    }
}

/// Whether a phrase begins at the beginning of a word.
fn has(title: &str, phrase: &str) -> bool {
    let mut from = 0;
    while let Some(at) = title[from..].find(phrase).map(|i| from + i) {
        if title[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric()) {
            return true;
        }
        from = at + phrase.len();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_told_by_their_words() {
        let table = [
            ("Acceptance Criteria:", Some(Topic::Criteria)),
            ("5.2 File Ownership", Some(Topic::Ownership)),
            ("Non-Functional Requirements", Some(Topic::Requirements)),
            ("1.3 Non-Goals", Some(Topic::Excluded)),
            ("API", Some(Topic::Endpoints)),
            ("Capital", None),
            ("3.4 StepExecutor", None),
            ("Risk Assessment", Some(Topic::Risks)),
            ("Success Metrics", Some(Topic::Metrics)),
        ];
        for (title, expected) in table {
            assert_eq!(Topic::of(title), expected, "{title}");
        }
    }
}
