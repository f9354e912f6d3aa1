//! The known sections of a task file, by heading.

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

/// What is known of a section.
struct SectionFacts {
    kind: SectionKind,
    /// The heading it is written under.
    heading: &'static str,
    /// The headings it is read under, in lower case and without parentheses.
    names: &'static [&'static str],
    /// The fields of the task's JSON form that it holds.
    fields: &'static [&'static str],
}

/// Every section, in the order it is written.
#[rustfmt::skip]
static SECTIONS: [SectionFacts; 12] = {
    use SectionKind as K;
    const fn row(
        kind: SectionKind,
        heading: &'static str,
        names: &'static [&'static str],
        fields: &'static [&'static str],
    ) -> SectionFacts {
        SectionFacts { kind, heading, names, fields }
    }
    [
        row(K::Objective, "Objective", &["objective"], &["objective"]),
        row(K::Description, "Description", &["description"], &["description"]),
        row(K::Criteria, "Acceptance Criteria", &["acceptance criteria"], &["criteria"]),
        row(K::Contract, "Contract", &["contract"], &["contract"]),
        row(K::Interfaces, "Dependencies (Interfaces Only)", &["dependencies", "interfaces"], &["interfaces"]),
        row(K::Tests, "Test Specification", &["test specification", "tests"], &["test_code"]),
        row(K::Files, "Output Files", &["output files", "files"], &["files", "lines", "changes"]),
        row(K::Steps, "Steps", &["steps"], &["steps"]),
        row(K::Verification, "Verification (Deterministic)", &["verification"], &["verification"]),
        row(K::DoneWhen, "Done When", &["done when"], &["done_when"]),
        row(K::Notes, "Notes", &["notes"], &["notes"]),
        row(K::Risks, "Risks", &["risks"], &["risks"]),
    ]
};

impl SectionKind {
    /// Every section, in the order it is written.
    pub(crate) fn all() -> impl Iterator<Item = SectionKind> {
        SECTIONS.iter().map(|s| s.kind)
    }

    fn facts(self) -> &'static SectionFacts {
        // The rows are in the order of the variants; a test checks it.
        &SECTIONS[self as usize]
    }

    /// The heading it is written under.
    pub(crate) fn heading(self) -> &'static str {
        self.facts().heading
    }

    /// The fields of the task's JSON form that it holds; the first is the one that spans name.
    pub(crate) fn fields(self) -> &'static [&'static str] {
        self.facts().fields
    }

    /// The section of a heading; parentheses, case and a final colon do not matter.
    pub(crate) fn of(heading: &str) -> Option<SectionKind> {
        let words = heading.split('(').next().unwrap_or(heading).trim().trim_end_matches(':').trim_end();
        let words = words.to_lowercase();
        SECTIONS.iter().find(|s| s.names.contains(&words.as_str())).map(|s| s.kind)
    }

    /// The section that holds a field of the task's JSON form. Risks are read from a section, but written as a key.
    pub(crate) fn holding(field: &str) -> Option<SectionKind> {
        let holds = |s: &&SectionFacts| s.kind != SectionKind::Risks && s.fields.contains(&field);
        SECTIONS.iter().find(holds).map(|s| s.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::SectionKind;

    #[test]
    fn every_heading_means_its_section() {
        for (i, kind) in SectionKind::all().enumerate() {
            assert_eq!(kind as usize, i);
            assert_eq!(SectionKind::of(kind.heading()), Some(kind));
            assert_eq!(SectionKind::of(&format!("{}:", kind.heading().to_uppercase())), Some(kind));
        }
        assert_eq!(SectionKind::of("Out of scope"), None);
    }
}
