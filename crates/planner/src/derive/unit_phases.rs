//! The phase of each unit, where the documents name no tasks: the phase whose section mentions the unit by file, by id,
//! then by name. A unit that two phases mention belongs to neither.

use super::named_units::has_word;
use super::unit::Unit;
use super::words::words;
use crate::spec::{Spec, StatedPhase};

/// Sets the phases of units.
pub(super) fn phases(units: &mut [Unit], spec: &Spec) {
    if units.iter().any(|u| u.phase.is_some()) || spec.phases.len() < 2 {
        return;
    }
    if units.iter().any(|u| u.level.is_some()) {
        return by_level(units, spec);
    }
    let bodies: Vec<Vec<String>> =
        spec.phases.iter().map(|p| words(&format!("{} {} {}", p.name, p.text, p.body))).collect();
    for unit in units {
        let at = by_file(unit, spec).or_else(|| by_id(unit, spec)).or_else(|| by_name(unit, spec, &bodies));
        unit.phase = at.map(|at| spec.phases[at].name.clone());
    }
}

/// Levels and phases are the same thing under two names if there are as many of one as of the other, and no number of
/// tasks that the documents state for a phase contradicts it. Further levels, which a summary of phases with such numbers
/// leaves out, have no phase.
fn by_level(units: &mut [Unit], spec: &Spec) {
    let mut levels: Vec<u32> = units.iter().filter_map(|u| u.level).collect();
    levels.sort_unstable();
    let counts = |level: u32| levels.iter().filter(|l| **l == level).count();
    let mut distinct = levels.clone();
    distinct.dedup();
    let agree = |(phase, level): (&StatedPhase, &u32)| {
        phase.tasks.is_none_or(|n| usize::try_from(n).is_ok_and(|n| n == counts(*level)))
    };
    let counted = spec.phases.len() > 1 && spec.phases.iter().all(|phase| phase.tasks.is_some());
    let fits = distinct.len() == spec.phases.len() || counted && distinct.len() > spec.phases.len();
    if !fits || !spec.phases.iter().zip(&distinct).all(agree) {
        return;
    }
    for unit in units {
        let at = unit.level.and_then(|level| distinct.binary_search(&level).ok());
        unit.phase = at.and_then(|at| spec.phases.get(at)).map(|phase| phase.name.clone());
    }
}

/// The phase that satisfies a condition, if there is exactly one.
fn only(spec: &Spec, holds: impl Fn(&StatedPhase) -> bool) -> Option<usize> {
    let mut found = (0..spec.phases.len()).filter(|at| holds(&spec.phases[*at]));
    found.next().filter(|_| found.next().is_none())
}

fn by_file(unit: &Unit, spec: &Spec) -> Option<usize> {
    only(spec, |phase| unit.owned().any(|file| has_word(&phase.body, &file.path)))
}

fn by_id(unit: &Unit, spec: &Spec) -> Option<usize> {
    let components = || spec.components.iter().filter(|c| c.files.iter().any(|f| unit.owns(f)));
    let served: Vec<&String> = components().flat_map(|c| &c.serves).chain(&unit.slice).collect();
    only(spec, |phase| served.iter().any(|id| has_word(&phase.body, id)))
}

/// The phase that mentions a component by name; for a story, the phase with more than half of its words, if it is the
/// only one.
fn by_name(unit: &Unit, spec: &Spec, bodies: &[Vec<String>]) -> Option<usize> {
    let components = spec.components.iter().filter(|c| c.files.iter().any(|f| unit.owns(f)));
    let names: Vec<String> = components.map(|c| c.name.to_lowercase()).filter(|n| n.len() > 3).collect();
    let called = only(spec, |phase| names.iter().any(|name| has_word(&phase.body.to_lowercase(), name)));
    if called.is_some() || unit.slice.is_none() {
        return called;
    }
    let own = words(&unit.title);
    let common = |body: &Vec<String>| own.iter().filter(|word| body.contains(word)).count();
    let counts: Vec<usize> = bodies.iter().map(common).collect();
    let most = counts.iter().copied().max().filter(|most| *most * 2 > own.len())?;
    let mut best = (0..counts.len()).filter(|at| counts[*at] == most);
    best.next().filter(|_| best.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::super::unit::UnitFile;
    use super::*;
    use crate::file_kind::FileKind;
    use crate::spec::{Operation, SpecFile, read};

    fn unit(title: &str, path: &str, slice: Option<&str>) -> Unit {
        let file = UnitFile {
            path: path.into(),
            operation: Operation::Unsaid,
            kind: FileKind::Code,
            note: String::new(),
            lines: None,
        };
        let slice = slice.map(str::to_owned);
        Unit { title: title.into(), files: vec![file], slice, ..Unit::default() }
    }

    /// Headings, labels and lists of phases; what stands below them decides.
    #[test]
    fn a_unit_belongs_to_the_phase_that_speaks_of_it() {
        let headings = "# D\n\n## Roadmap\n\n### Phase 1: Basket\n\n- `app/basket.py` holds lines\n\n### Phase 2\n\n#### Paying\n\nUS-2, and guest checkout\n";
        let labels = "# D\n\n## Roadmap\n\n**Phase 1: Basket**\n\n- `app/basket.py`\n\n**Phase 2:**\n\n- US-2\n- guest checkout\n";
        let lists = "# D\n\n## Phases\n\n- Phase 1: `app/basket.py`\n- Phase 2: later\n  - US-2\n  - the guest checkout\n";
        for text in [headings, labels, lists] {
            let spec = read(&[SpecFile { path: "d.md".into(), text: text.into() }], &[]);
            let mut units = [
                unit("Basket", "app/basket.py", None),
                unit("Pay by card", "app/pay.py", Some("US-2")),
                unit("Guest checkout", "app/guests.py", Some("US-3")),
                unit("Print labels", "app/labels.py", Some("US-4")),
            ];
            phases(&mut units, &spec);
            let found: Vec<&str> = units.iter().map(|u| u.phase.as_deref().unwrap_or("-")).collect();
            let found: Vec<&str> = found.iter().map(|p| p.split(':').next().unwrap_or_default()).collect();
            assert_eq!(found, ["Phase 1", "Phase 2", "Phase 2", "-"], "{text}");
        }
    }
}
