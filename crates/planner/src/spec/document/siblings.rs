//! A heading among names is a name: `Retry with failure context` beside `Splitting` and `Linting`, below `Proposed features`, is one of
//! the features, whatever its words are called elsewhere.

use super::{DocumentSection, SectionTree, Topic};
use crate::spec::vocabulary::HeadingMeaning;

/// Words of headings below which every heading names something to build.
const GROUPS: &str = include_str!("../../words/groups_of_things.txt");

impl SectionTree {
    /// Takes the topic from headings that stand among names of things.
    pub(super) fn read_names_among_names(&mut self) {
        let named: Vec<usize> = (0..self.sections.len()).filter(|at| self.stands_among_names(*at)).collect();
        for at in named {
            self.sections[at].meaning = HeadingMeaning { topic: None, ..self.sections[at].meaning.clone() };
        }
    }

    fn stands_among_names(&self, at: usize) -> bool {
        const FEWEST: usize = 2;
        const MANY: usize = 4;
        use Topic::{
            Background, Components, Decisions, Graph, Metrics, Models, Phases, Risks, Surface, Tests,
        };
        let section = &self.sections[at];
        let may_name = matches!(
            section.meaning.topic,
            Some(
                Background
                    | Components
                    | Decisions
                    | Graph
                    | Metrics
                    | Models
                    | Phases
                    | Risks
                    | Surface
                    | Tests
            )
        );
        let title = section.title.text.trim();
        // `Success metrics`, `Risk assessment` and `Data model` are what they are called.
        let fewest = match section.meaning.topic {
            Some(Metrics | Models | Tests) => MANY,
            Some(Risks) if title.to_lowercase().contains("risk") => MANY,
            Some(_) | None => FEWEST,
        };
        let is_name = title.split_whitespace().count() >= fewest && !title.ends_with(['?', ':']);
        let groups = |s: &DocumentSection| {
            let lower = s.title.text.to_lowercase();
            s.is_part()
                && s.meaning.topic != Some(Topic::Excluded)
                && GROUPS.lines().any(|word| lower.contains(word))
        };
        let is_word = title.split_whitespace().count() == 1;
        // The headings below a phase are its work.
        let is_phase = |s: &DocumentSection| s.meaning.phase.is_some() && s.is_part();
        let of_phase = self.chain(at).nth(1).is_some_and(|(_, above)| is_phase(above));
        let groups = |s: &DocumentSection| groups(s) || is_phase(s);
        if !may_name || !(is_name || is_word) || !self.chain(at).skip(1).any(|(_, above)| groups(above)) {
            return false;
        }
        let beside = |s: &&DocumentSection| s.parent == section.parent && s.level == section.level;
        let others: Vec<&DocumentSection> = self.sections.iter().filter(beside).collect();
        let names = others.iter().filter(|s| s.meaning.topic.is_none()).count();
        // Among many names a single word is one, too: `Modules` beside `Pages`, `Media`, `Menus` and `Users`.
        if is_word {
            return names >= MANY && names * 4 >= others.len() * 3;
        }
        (names >= FEWEST || (of_phase && names > 0)) && names * 2 >= others.len()
    }
}
