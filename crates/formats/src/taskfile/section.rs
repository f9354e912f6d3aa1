//! The sections a task file knows, by heading.

/// A section with a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SectionKind {
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

impl SectionKind {
    /// Every section in the order it is written.
    pub(crate) const ALL: [SectionKind; 12] = [
        SectionKind::Objective,
        SectionKind::Description,
        SectionKind::Criteria,
        SectionKind::Contract,
        SectionKind::Interfaces,
        SectionKind::Tests,
        SectionKind::Files,
        SectionKind::Steps,
        SectionKind::Verification,
        SectionKind::DoneWhen,
        SectionKind::Notes,
        SectionKind::Risks,
    ];

    /// The heading it is written under.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            SectionKind::Objective => "Objective",
            SectionKind::Description => "Description",
            SectionKind::Criteria => "Acceptance Criteria",
            SectionKind::Contract => "Contract",
            SectionKind::Interfaces => "Dependencies (Interfaces Only)",
            SectionKind::Tests => "Test Specification",
            SectionKind::Files => "Output Files",
            SectionKind::Steps => "Steps",
            SectionKind::Verification => "Verification (Deterministic)",
            SectionKind::DoneWhen => "Done When",
            SectionKind::Notes => "Notes",
            SectionKind::Risks => "Risks",
        }
    }

    /// The section a heading means; what stands in parentheses, case and a final colon do not matter.
    pub(crate) fn of(heading: &str) -> Option<SectionKind> {
        let words = heading.split('(').next().unwrap_or(heading).trim().trim_end_matches(':').trim_end();
        match words.to_lowercase().as_str() {
            "objective" => Some(SectionKind::Objective),
            "description" => Some(SectionKind::Description),
            "acceptance criteria" => Some(SectionKind::Criteria),
            "contract" => Some(SectionKind::Contract),
            "dependencies" | "interfaces" => Some(SectionKind::Interfaces),
            "test specification" | "tests" => Some(SectionKind::Tests),
            "output files" | "files" => Some(SectionKind::Files),
            "steps" => Some(SectionKind::Steps),
            "verification" => Some(SectionKind::Verification),
            "done when" => Some(SectionKind::DoneWhen),
            "notes" => Some(SectionKind::Notes),
            "risks" => Some(SectionKind::Risks),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SectionKind;

    #[test]
    fn every_heading_means_its_section() {
        for kind in SectionKind::ALL {
            assert_eq!(SectionKind::of(kind.heading()), Some(kind));
            assert_eq!(SectionKind::of(&format!("{}:", kind.heading().to_uppercase())), Some(kind));
        }
        assert_eq!(SectionKind::of("Out of scope"), None);
    }
}
