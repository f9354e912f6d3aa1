//! The sections a task file knows, by heading.

/// A section with a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Objective,
    Description,
    Criteria,
    Contract,
    Interfaces,
    Tests,
    Files,
    Steps,
    Verification,
    DoneWhen,
    Notes,
    Risks,
}

impl Kind {
    /// Every section in the order it is written.
    pub(crate) const ALL: [Kind; 12] = [
        Kind::Objective,
        Kind::Description,
        Kind::Criteria,
        Kind::Contract,
        Kind::Interfaces,
        Kind::Tests,
        Kind::Files,
        Kind::Steps,
        Kind::Verification,
        Kind::DoneWhen,
        Kind::Notes,
        Kind::Risks,
    ];

    /// The heading it is written under.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Kind::Objective => "Objective",
            Kind::Description => "Description",
            Kind::Criteria => "Acceptance Criteria",
            Kind::Contract => "Contract",
            Kind::Interfaces => "Dependencies (Interfaces Only)",
            Kind::Tests => "Test Specification",
            Kind::Files => "Output Files",
            Kind::Steps => "Steps",
            Kind::Verification => "Verification (Deterministic)",
            Kind::DoneWhen => "Done When",
            Kind::Notes => "Notes",
            Kind::Risks => "Risks",
        }
    }

    /// The section a heading means; what stands in parentheses, case and a final colon do not matter.
    pub(crate) fn of(heading: &str) -> Option<Kind> {
        let words = heading.split('(').next().unwrap_or(heading).trim().trim_end_matches(':').trim_end();
        match words.to_lowercase().as_str() {
            "objective" => Some(Kind::Objective),
            "description" => Some(Kind::Description),
            "acceptance criteria" => Some(Kind::Criteria),
            "contract" => Some(Kind::Contract),
            "dependencies" | "interfaces" => Some(Kind::Interfaces),
            "test specification" | "tests" => Some(Kind::Tests),
            "output files" | "files" => Some(Kind::Files),
            "steps" => Some(Kind::Steps),
            "verification" => Some(Kind::Verification),
            "done when" => Some(Kind::DoneWhen),
            "notes" => Some(Kind::Notes),
            "risks" => Some(Kind::Risks),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn every_heading_means_its_section() {
        for kind in Kind::ALL {
            assert_eq!(Kind::of(kind.heading()), Some(kind));
            assert_eq!(Kind::of(&format!("{}:", kind.heading().to_uppercase())), Some(kind));
        }
        assert_eq!(Kind::of("Out of scope"), None);
    }
}
