//! Assigns criteria, stories and decisions to units: by stated ids first, then by files, then by shared words. Every
//! criterion is assigned; weak matches are reported.

use std::collections::HashSet;

use super::contracts;
use super::name::stem;
use super::note::{CriterionPlacement, LinkBasis, Note, NoteKind};
use super::unit::Unit;
use super::units::tests_the_whole;
use super::wanted_documents::wanted_document;
use super::words::{Corpus, words};
use crate::file_kind::{self, FileKind};
use crate::lint::outcome::{ExpectedOutcome, outcome};
use crate::spec::{CriterionForm, Spec, SpecCriterion};
use windlass_core::plan::Criterion;

/// Links with a lower score are reported as unsure.
const SURE: f64 = 0.25;
/// Candidates with a lower score are no match.
const LEAST: f64 = 0.06;
/// A decision with a lower score is about no task in particular.
const FAINT: f64 = 0.12;

/// Assigns every criterion to a unit, with a score.
pub(super) fn attach(units: &mut [Unit], spec: &Spec, notes: &mut Vec<Note>) -> Vec<CriterionPlacement> {
    details(units, spec);
    let mut profiles: Vec<Vec<String>> = units.iter().map(|u| profile(u, spec)).collect();
    let stated: Vec<Option<CriterionPlacement>> =
        spec.criteria.iter().map(|c| stated(c, units, spec)).collect();
    // The criteria a unit certainly serves describe it, too.
    for (criterion, link) in spec.criteria.iter().zip(&stated) {
        if let Some(link) = link {
            profiles[link.unit].extend(words(&said(criterion)));
        }
    }
    let corpus = Corpus::of(profiles.iter().map(Vec::as_slice));
    let mut links = Vec::new();
    for (criterion, stated) in spec.criteria.iter().zip(stated) {
        let Some(link) = stated.or_else(|| by_words(criterion, units, spec, &profiles, &corpus)) else {
            continue;
        };
        say(criterion, &link, units, notes);
        give(&mut units[link.unit], criterion);
        links.push(link);
    }
    decisions(units, spec, &profiles, &corpus, notes);
    links
}

/// Assigns sections of the design to the units that they name by id or file.
fn details(units: &mut [Unit], spec: &Spec) {
    for unit in units {
        for (at, detail) in spec.details.iter().enumerate() {
            let by_id = !unit.stated.is_empty() && detail.ids.contains(&unit.stated);
            let by_file = !unit.prepares() && detail.paths.iter().take(2).any(|p| unit.owns(p));
            if by_id || by_file {
                unit.details.push(at);
            }
        }
    }
}

/// The words of a unit: from its title, text and files, and the design's text about them.
pub(super) fn profile(unit: &Unit, spec: &Spec) -> Vec<String> {
    let mut text = format!("{} {} ", unit.title, unit.text);
    for file in unit.owned() {
        text.push_str(&format!("{} {} ", file.path, file.note));
        for component in spec.components.iter().filter(|c| c.files.contains(&file.path)) {
            text.push_str(&format!("{} {} ", component.name, component.responsibility));
        }
    }
    for detail in unit.details.iter().filter_map(|d| spec.details.get(*d)) {
        text.push_str(&format!("{} {} ", detail.heading, detail.text));
        // Drawings describe the surface that users see.
        for drawn in detail.code.iter().filter(|code| code.language.is_empty()) {
            text.push_str(&format!("{} ", drawn.text));
        }
    }
    for block in &unit.contract {
        text.push_str(&format!("{} ", block.code));
    }
    words(&text)
}

/// The whole text of a criterion.
fn said(criterion: &SpecCriterion) -> String {
    format!("{} {}", criterion.text, criterion.detail)
}

/// The unit that the documents assign a criterion to: by id, task, story, file, code name or route.
fn stated(criterion: &SpecCriterion, units: &[Unit], spec: &Spec) -> Option<CriterionPlacement> {
    let link =
        |unit, score, basis| CriterionPlacement { criterion: criterion.id.clone(), unit, score, basis };
    if criterion.given_id
        && let Some(at) = units.iter().position(|u| states(u, spec, &criterion.id))
    {
        return Some(link(at, 1.0, LinkBasis::Stated));
    }
    let of_task = |u: &Unit| !u.stated.is_empty() && criterion.task.as_ref() == Some(&u.stated);
    if let Some(at) = units.iter().position(of_task) {
        return Some(link(at, 1.0, LinkBasis::Stated));
    }
    // A single unit serves every criterion.
    if let Some(at) = only(units, |at| !units[at].prepares()) {
        return Some(link(at, 1.0, LinkBasis::Stated));
    }
    if let Some(document) = wanted_document(criterion)
        && let Some(at) = units.iter().position(|u| u.owns(document))
    {
        return Some(link(at, 1.0, LinkBasis::File));
    }
    let own = |u: &Unit| u.slice.is_some() && u.slice == criterion.story;
    if let Some(at) = units.iter().position(own) {
        return Some(link(at, 1.0, LinkBasis::Stated));
    }
    let said = said(criterion);
    if let Some(at) = units.iter().position(|u| !u.prepares() && names_file(u, &said)) {
        return Some(link(at, 0.9, LinkBasis::File));
    }
    if let Some(at) = names_code(units, &said) {
        return Some(link(at, 0.9, LinkBasis::Name));
    }
    let named = names_route(units, &said).or_else(|| names_component(units, spec, &said));
    named.map(|at| link(at, 0.8, LinkBasis::Name))
}

/// The unit of the first component that a text names: `Login endpoint returns 401`, `User can log out` for `Logout`.
fn names_component(units: &[Unit], spec: &Spec, text: &str) -> Option<usize> {
    let lower = text.to_lowercase();
    let spoken: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let place = |name: &str| {
        let parts: Vec<&str> = name.split_whitespace().collect();
        let telling = parts.len() > 1 || (name.len() > 4 && !words(name).is_empty());
        let whole = spoken.windows(parts.len().max(1)).position(|w| w == parts);
        let joined = || spoken.windows(2).position(|w| parts == [w.concat()]);
        whole.or_else(joined).filter(|_| telling && !parts.is_empty())
    };
    let mut found: Vec<(usize, std::cmp::Reverse<usize>, usize)> = Vec::new();
    for component in spec.components.iter().filter(|c| !c.files.is_empty()) {
        let name = component.name.to_lowercase();
        let Some(at) = place(&name) else { continue };
        let owner = only(units, |u| !units[u].prepares() && component.files.iter().any(|f| units[u].owns(f)));
        found.extend(owner.map(|unit| (at, std::cmp::Reverse(name.len()), unit)));
    }
    found.into_iter().min().map(|(_, _, unit)| unit)
}

/// The unit that shares most words with a criterion and its story.
fn by_words(
    criterion: &SpecCriterion,
    units: &[Unit],
    spec: &Spec,
    profiles: &[Vec<String>],
    corpus: &Corpus,
) -> Option<CriterionPlacement> {
    let link =
        |unit, score, basis| CriterionPlacement { criterion: criterion.id.clone(), unit, score, basis };
    let said = said(criterion);
    let story = criterion.story.as_ref().and_then(|id| spec.stories.iter().find(|s| s.id == *id));
    let own = words(&said);
    let around = story.map(|s| words(&s.title)).unwrap_or_default();
    // The text under a heading is often generic; the heading itself counts more.
    let name = if criterion.form == CriterionForm::Heading { words(&criterion.text) } else { Vec::new() };
    let score = |at: usize| {
        let whole = corpus.alike(&own, &profiles[at]);
        let share =
            if name.is_empty() { whole } else { 0.4 * whole + 0.6 * corpus.alike(&name, &profiles[at]) };
        let fits = share + 0.3 * corpus.alike(&around, &profiles[at]);
        (fits * weight(&units[at], &said)).min(0.89)
    };
    let scores: Vec<f64> = (0..units.len()).map(score).collect();
    let at = (0..units.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)))?;
    if scores[at] >= LEAST {
        return Some(link(at, scores[at], LinkBasis::Words));
    }
    fallback(units).map(|at| link(at, 0.0, LinkBasis::Nothing))
}

/// Whether the documents name the criterion's id where they describe the unit.
fn states(unit: &Unit, spec: &Spec, id: &str) -> bool {
    if unit.prepares() {
        return false;
    }
    let in_text = |text: &str| {
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')))
            .any(|w| w.trim_end_matches('.') == id)
    };
    in_text(&unit.title)
        || in_text(&unit.text)
        || unit.files.iter().any(|f| in_text(&f.note))
        || spec
            .components
            .iter()
            .any(|c| c.serves.iter().any(|i| i == id) && c.files.iter().any(|f| unit.owns(f)))
        || unit.details.iter().filter_map(|d| spec.details.get(*d)).any(|d| d.ids.iter().any(|i| i == id))
}

/// Whether a text names a file of a unit: its path, or its name with the ending.
pub(super) fn names_file(unit: &Unit, text: &str) -> bool {
    unit.owned().any(|f| {
        let name = f.path.rsplit('/').next().unwrap_or(&f.path);
        let whole = f.path.contains('/') && has_word(text, &f.path);
        whole || (name.contains('.') && name.len() > 4 && has_word(text, name))
    })
}

/// The unit that the first name of code in a text belongs to: the only one whose contract declares it, or the only one
/// with a file called so (`OrderService` is in `order-service.ts`).
fn names_code(units: &[Unit], text: &str) -> Option<usize> {
    let declared: Vec<Vec<String>> = units.iter().map(contracts::declared).collect();
    let code = text.split('`').skip(1).step_by(2);
    let named = code.flat_map(|c| c.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    named.filter(|name| name.len() > 2).find_map(|name| {
        let by_contract = only(units, |at| declared[at].iter().any(|known| known == name));
        by_contract.or_else(|| named_module(units, name))
    })
}

fn named_module(units: &[Unit], name: &str) -> Option<usize> {
    let wanted = words(name);
    let called = |unit: &Unit| unit.of_kind(FileKind::Code).any(|f| words(stem(&f.path)) == wanted);
    only(units, |at| name.len() > 3 && !wanted.is_empty() && called(&units[at]))
}

/// The unit that satisfies a condition, if there is exactly one.
fn only(units: &[Unit], holds: impl Fn(usize) -> bool) -> Option<usize> {
    let mut found = (0..units.len()).filter(|at| holds(*at));
    found.next().filter(|_| found.next().is_none())
}

/// The unit that handles a request named in a text, such as `POST /orders`: among the units with endpoint files, the one
/// named like the route, else the only one.
fn names_route(units: &[Unit], text: &str) -> Option<usize> {
    const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];
    let plain = text.replace('`', " ");
    let spoken: Vec<&str> = plain.split_whitespace().collect();
    let pair = spoken.windows(2).find(|w| METHODS.contains(&w[0]) && w[1].starts_with('/'))?;
    let route = words(pair[1]);
    let answers = |unit: &Unit| {
        let surface = |path: &str| file_kind::layer(path) == Some(file_kind::ENDPOINTS);
        unit.of_kind(FileKind::Code).any(|f| surface(&f.path))
    };
    let called = |unit: &Unit| {
        unit.of_kind(FileKind::Code).any(|f| words(stem(&f.path)).iter().any(|w| route.contains(w)))
    };
    let all: Vec<usize> = (0..units.len()).filter(|at| answers(&units[*at])).collect();
    let like: Vec<usize> = all.iter().copied().filter(|at| called(&units[*at])).collect();
    match (like.as_slice(), all.as_slice()) {
        ([one], _) | ([], [one]) => Some(*one),
        _ => None,
    }
}

/// Whether a text contains a whole word.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
    text.match_indices(word)
        .any(|(at, _)| edge(text[..at].chars().next_back()) && edge(text[at + word.len()..].chars().next()))
}

/// How likely a unit serves a criterion by its kind of files: units without code need a word of the criterion in favour.
fn weight(unit: &Unit, text: &str) -> f64 {
    if unit.prepares() {
        return 0.0;
    }
    let lower = text.to_lowercase();
    let speaks = |list: &[&str]| list.iter().any(|w| lower.contains(w));
    let stores = |path: &str| {
        path.split(['/', '.', '_', '-']).any(|w| matches!(w, "schema" | "schemas" | "migrations"))
    };
    if speaks(&["table has", "column", "constraint", "migration"]) && unit.owned().any(|f| stores(&f.path)) {
        return 2.5;
    }
    let surface = |path: &str| file_kind::layer(path) == Some(file_kind::ENDPOINTS);
    let answers =
        matches!(outcome(text), Some(ExpectedOutcome::Status { .. } | ExpectedOutcome::Answers { .. }));
    if answers && unit.owned().any(|f| surface(&f.path)) {
        return 2.0;
    }
    let validates = format!("{} {}", unit.title, unit.text).to_lowercase().contains("valid");
    if validates && matches!(outcome(text), Some(ExpectedOutcome::Validates { .. })) {
        return 2.5;
    }
    if unit.owned().next().is_none() {
        return if speaks(&["all tests", "existing tests", "regression", "suite", "ci ", "lint"]) {
            1.2
        } else {
            0.5
        };
    }
    if unit.only(&[FileKind::Test]) {
        let whole = unit.owned().any(|f| tests_the_whole(&f.path));
        match speaks(&["test", "coverage"]) {
            true => 1.1,
            // Tests of the whole speak of everything and implement nothing.
            false if whole => 0.4,
            false => 0.75,
        }
    } else if unit.only(&[FileKind::Documentation]) {
        if speaks(&["document", "readme", "changelog", "guide", "wiki"]) { 1.2 } else { 0.8 }
    } else if unit.only(&[FileKind::Types]) {
        if speaks(&["type", "field", "interface", "schema", "compile"]) { 1.1 } else { 0.75 }
    } else if unit.only(&[FileKind::Configuration, FileKind::Manifest, FileKind::Asset]) {
        if speaks(&["config", "setting", "style", "css", "html", "page", "depend", "workflow", "ci "]) {
            1.0
        } else {
            0.8
        }
    } else {
        1.0
    }
}

/// The unit for a criterion that matches nothing: the last gate, else the unit with the fewest criteria.
fn fallback(units: &[Unit]) -> Option<usize> {
    let gate = units.iter().rposition(|u| u.owned().next().is_none());
    let fewest = || {
        let code = (0..units.len()).filter(|i| units[*i].of_kind(FileKind::Code).next().is_some());
        let all: Vec<usize> = code.collect();
        let rest = || (0..units.len()).filter(|i| !units[*i].prepares()).collect();
        let from: Vec<usize> = if all.is_empty() { rest() } else { all };
        from.into_iter().min_by_key(|i| units[*i].traced.len())
    };
    gate.or_else(fewest)
}

fn say(criterion: &SpecCriterion, link: &CriterionPlacement, units: &[Unit], notes: &mut Vec<Note>) {
    let unit = &units[link.unit];
    let task = if unit.stated.is_empty() { &unit.title } else { &unit.stated };
    let help = "name its id in the section of the design that covers it";
    if link.basis == LinkBasis::Nothing {
        let text = format!("nothing in the documents covers `{}`; assigned to `{task}`", criterion.id);
        notes.push(Note::new(NoteKind::CoverageGap, text).at(criterion.span).help(help));
    } else if link.score < SURE {
        let text = format!("`{}`: weak match ({:.2}), assigned to `{task}`", criterion.id, link.score);
        notes.push(Note::new(NoteKind::Unsure, text).at(criterion.span).help(help));
    }
}

fn give(unit: &mut Unit, criterion: &SpecCriterion) {
    unit.traced.push(criterion.id.clone());
    let text = if criterion.detail.is_empty() || criterion.text.split_whitespace().count() > 3 {
        criterion.text.clone()
    } else {
        format!("{}: {}", criterion.text, criterion.detail)
    };
    unit.criteria.push(Criterion { id: criterion.id.clone(), text, ..Criterion::default() });
    if let Some(story) = &criterion.story
        && !unit.stories.contains(story)
    {
        unit.stories.push(story.clone());
    }
}

/// Assigns decisions to the units that share enough words with them.
fn decisions(
    units: &mut [Unit],
    spec: &Spec,
    profiles: &[Vec<String>],
    corpus: &Corpus,
    notes: &mut Vec<Note>,
) {
    let mut seen = HashSet::new();
    for decision in spec.decisions.iter().filter(|d| seen.insert(d.id.clone())) {
        let own = words(&format!("{} {}", decision.title, decision.text));
        let scores: Vec<f64> = profiles.iter().map(|p| corpus.alike(&own, p)).collect();
        let most = scores.iter().copied().fold(0.0, f64::max);
        let least = if most >= SURE { SURE.max(0.8 * most) } else { most.max(FAINT) };
        let mut met = false;
        for (unit, score) in units.iter_mut().zip(scores) {
            if score >= least {
                unit.decisions.push(decision.id.clone());
                met = true;
            }
        }
        if !met {
            let text = format!("decision `{}` ({}) matches no task", decision.id, decision.title);
            let help = "name the file or the task it is about";
            notes.push(Note::new(NoteKind::LeftOut, text).at(decision.span).help(help));
        }
    }
}
