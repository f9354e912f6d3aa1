//! Assigns criteria, stories and decisions to units: by stated ids first, then by files, then by shared words. Every
//! criterion is assigned; weak matches are reported.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::named_units::{NamedUnits, names_file};
use super::note::{CriterionPlacement, LinkBasis, Note, NoteKind};
use super::section_places::PlacesOfSections;
use super::serving_code::routes_in;
use super::suitability::{CriterionNature, UnitNature};
use super::unit::Unit;
use super::usual_order::is_shown;
use super::wanted_documents::wanted_document;
use super::words::{Corpus, words};
use crate::file_kind::FileKind;
use crate::spec::{Component, CriterionForm, DetailSection, Spec, SpecCriterion, Story};
use crate::words::is_listed;
use windlass_core::plan::Criterion;

/// Links with a lower score are reported as unsure.
const SURE: f64 = 0.25;
/// Candidates with a lower score are no match.
const LEAST: f64 = 0.06;
/// With a lower score, a criterion belongs to what no story covers, if there is such a unit.
const FAR: f64 = 0.15;
/// How many criteria that no story covers are a unit of their own.
const SEVERAL: usize = 3;
/// What it counts that the item before it went to a unit.
const BESIDE: f64 = 0.08;
/// A decision with a lower score is about no task in particular.
const FAINT: f64 = 0.12;

/// Assigns every criterion to a unit, with a score.
pub(super) fn attach(units: &mut [Unit], spec: &Spec, notes: &mut Vec<Note>) -> Vec<CriterionPlacement> {
    details(units, spec);
    let mut profiles = Profiles::of(units, spec).0;
    let named = NamedUnits::of(units, spec);
    let stated: Vec<Option<CriterionPlacement>> =
        spec.criteria.iter().map(|c| stated(c, units, &named)).collect();
    // The criteria a unit certainly serves describe it, too.
    for (criterion, link) in spec.criteria.iter().zip(&stated) {
        if let Some(link) = link {
            profiles[link.unit].extend(words(&said(criterion)));
        }
    }
    let corpus = Corpus::of(profiles.iter().map(Vec::as_slice));
    let natures: Vec<UnitNature> = units.iter().map(UnitNature::of).collect();
    let stories: HashMap<&str, &str> =
        spec.stories.iter().rev().map(|s| (s.id.as_str(), s.title.as_str())).collect();
    let mut links: Vec<CriterionPlacement> = Vec::new();
    let rest = units.iter().position(|unit| unit.is_rest);
    // Files of a design are about different things; items of a list beside stories go on about one.
    let of_stories = units.iter().any(|unit| unit.slice.is_some());
    let routes = routes_of_stories(spec);
    // Sections beside stories are about none of them in particular.
    let together = (!of_stories).then(|| PlacesOfSections::of(spec, &stated, &natures, &corpus));
    let mut before: Option<(&SpecCriterion, usize)> = None;
    for (criterion, stated) in spec.criteria.iter().zip(stated) {
        let story = criterion.story.as_ref().and_then(|id| stories.get(id.as_str())).copied();
        let beside =
            before.filter(|(other, _)| of_stories && is_beside(criterion, other)).map(|(_, unit)| unit);
        let section = together.as_ref().and_then(|together| together.around(criterion));
        let words = || by_words(criterion, (story, beside, section), units, &natures, &corpus);
        let Some(mut link) = stated.or_else(words) else {
            continue;
        };
        let is_of_none = is_of_all(criterion) || is_of_other_route(criterion, &routes);
        let is_far = (link.basis == LinkBasis::Words && is_of_none)
            || link.basis == LinkBasis::Nothing
            || (link.basis == LinkBasis::Words && link.score < FAR);
        if let Some(unit) = rest.filter(|_| is_far) {
            link = CriterionPlacement { unit, score: SURE, basis: LinkBasis::Words, ..link };
        }
        // An item that nothing covers stays with the one before it.
        if let Some(unit) = beside.filter(|_| link.basis == LinkBasis::Nothing) {
            link.unit = unit;
        }
        // A sentence that nothing covers stays with the one before it.
        if let Some((_, unit)) = before.filter(|(other, _)| follows(criterion, other, &link)) {
            link.unit = unit;
        }
        before = Some((criterion, link.unit));
        say(criterion, &link, units, notes);
        give(&mut units[link.unit], criterion);
        links.push(link);
    }
    decisions(units, spec, &corpus, notes);
    links
}

/// Whether a criterion stands under a heading about everything, such as `Performance`: the words it shares with a story say nothing.
pub(super) fn is_of_all(criterion: &SpecCriterion) -> bool {
    const OF_ALL: &str = include_str!("../words/qualities_of_all.txt");
    let heading = criterion.headings.first().map(|heading| heading.to_lowercase()).unwrap_or_default();
    let mut words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    criterion.story.is_none() && words.any(|word| is_listed(OF_ALL, word))
}

/// Whether two items stand in one list or table.
fn is_beside(criterion: &SpecCriterion, before: &SpecCriterion) -> bool {
    let is_item = |c: &SpecCriterion| !matches!(c.form, CriterionForm::Sentence | CriterionForm::Heading);
    criterion.span.file == before.span.file
        && criterion.headings == before.headings
        && is_item(criterion)
        && is_item(before)
}

/// The criteria that no story covers, if they are several: not one of them has a story, or the words of one, or a route of one.
pub(super) fn loose(spec: &Spec) -> Vec<&SpecCriterion> {
    let text = |story: &Story| {
        let own = spec.criteria.iter().filter(|c| c.story.as_ref() == Some(&story.id));
        own.fold(format!("{} {}", story.title, story.text), |all, c| all + " " + &c.text)
    };
    let profiles: Vec<Vec<String>> = spec.stories.iter().map(|story| words(&text(story))).collect();
    let corpus = Corpus::of(profiles.iter().map(Vec::as_slice));
    let routes = routes_of_stories(spec);
    let is_loose = |c: &&SpecCriterion| {
        let is_free = c.story.is_none() && c.task.is_none() && wanted_document(c).is_none();
        let is_far = || corpus.alike(&words(&said(c))).into_iter().fold(0.0, f64::max) < FAR;
        is_free && (is_of_all(c) || is_of_other_route(c, &routes) || is_far())
    };
    let found: Vec<&SpecCriterion> = spec.criteria.iter().filter(is_loose).collect();
    if spec.stories.len() > 1 && found.len() >= SEVERAL { found } else { Vec::new() }
}

/// The routes that stories and their criteria name.
fn routes_of_stories(spec: &Spec) -> HashSet<String> {
    let own = spec.criteria.iter().filter(|c| c.story.is_some()).map(|c| &c.text);
    spec.stories.iter().map(|story| &story.text).chain(own).flat_map(|text| routes_in(text)).collect()
}

/// Whether a criterion is about routes, and about none of these.
fn is_of_other_route(criterion: &SpecCriterion, routes: &HashSet<String>) -> bool {
    let own = routes_in(&said(criterion));
    !own.is_empty() && !routes.is_empty() && own.iter().all(|route| !routes.contains(route))
}

/// Whether a sentence belongs where the one before it went: nothing covers it, or it only goes on (`It polls …`), and both
/// stand in one section.
fn follows(criterion: &SpecCriterion, before: &SpecCriterion, link: &CriterionPlacement) -> bool {
    let together = criterion.span.file == before.span.file && criterion.headings == before.headings;
    let first = criterion.text.split_whitespace().next().unwrap_or_default();
    let goes_on = matches!(first, "It" | "They" | "Its" | "This") && link.basis == LinkBasis::Words;
    let is_prose = criterion.form == CriterionForm::Sentence && before.form == CriterionForm::Sentence;
    together && is_prose && (link.basis == LinkBasis::Nothing || goes_on)
}

/// Assigns sections of the design to the units that they name by id or file.
fn details(units: &mut [Unit], spec: &Spec) {
    let mut by_id: HashMap<String, Vec<usize>> = HashMap::new();
    let mut by_file: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, unit) in units.iter().enumerate() {
        if !unit.stated.is_empty() {
            by_id.entry(unit.stated.clone()).or_default().push(at);
        }
        for file in unit.owned().filter(|_| !unit.prepares()) {
            by_file.entry(file.path.clone()).or_default().push(at);
        }
    }
    for (at, detail) in spec.details.iter().enumerate() {
        let named = detail.ids.iter().filter_map(|id| by_id.get(id));
        let owners = detail.paths.iter().take(2).filter_map(|path| by_file.get(path));
        for unit in named.chain(owners).flatten().collect::<BTreeSet<_>>() {
            units[*unit].details.push(at);
        }
    }
}

/// The words of each unit: from its title, text and files, and the design's text about them.
pub(super) struct Profiles(pub(super) Vec<Vec<String>>);

impl Profiles {
    pub(super) fn of(units: &[Unit], spec: &Spec) -> Profiles {
        let mut by_file: HashMap<&str, Vec<&Component>> = HashMap::new();
        for component in &spec.components {
            for file in component.files.iter().collect::<BTreeSet<_>>() {
                by_file.entry(file).or_default().push(component);
            }
        }
        Profiles(units.iter().map(|unit| profile(unit, spec, &by_file)).collect())
    }
}

fn profile(unit: &Unit, spec: &Spec, components: &HashMap<&str, Vec<&Component>>) -> Vec<String> {
    let mut text = format!("{} {} ", unit.title, unit.text);
    for file in unit.owned() {
        text.push_str(&format!("{} {} ", file.path, file.note));
        for component in components.get(file.path.as_str()).into_iter().flatten() {
            text.push_str(&format!("{} {} ", component.name, component.responsibility));
        }
    }
    for detail in unit.details.iter().filter_map(|d| spec.details.get(*d)) {
        text.push_str(&format!("{} {} ", detail.heading, about(detail, unit)));
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

/// What a section says about a unit: all of it where it is the section of its file or task, else the lines that name its files.
fn about(detail: &DetailSection, unit: &Unit) -> String {
    /// A section of at most so many bytes is about what it names.
    const SHORT: usize = 1_200;
    let is_own =
        detail.subject.as_ref().is_some_and(|path| unit.owns(path)) || detail.ids.contains(&unit.stated);
    if is_own || detail.text.len() <= SHORT {
        return detail.text.clone();
    }
    let lines = detail.text.lines().flat_map(|line| line.split("; "));
    lines.filter(|line| names_file(unit, line)).collect::<Vec<_>>().join(" ")
}

/// The whole text of a criterion.
fn said(criterion: &SpecCriterion) -> String {
    format!("{} {}", criterion.text, criterion.detail)
}

/// The unit that the documents assign a criterion to: by id, task, story, file, code name or route.
fn stated(criterion: &SpecCriterion, units: &[Unit], named: &NamedUnits) -> Option<CriterionPlacement> {
    let link =
        |score, basis| move |unit| CriterionPlacement { criterion: criterion.id.clone(), unit, score, basis };
    let by_id = || named.by_id(&criterion.id).filter(|_| criterion.given_id);
    let by_task = || named.by_task(criterion.task.as_deref()?);
    if let Some(unit) = by_id().or_else(by_task).or_else(|| named.only()) {
        return Some(unit).map(link(1.0, LinkBasis::Stated));
    }
    // A unit that was made for this requirement.
    let is_own =
        |u: &Unit| criterion.given_id && u.span == Some(criterion.span) && u.slice.is_none() && !u.is_rest;
    if let Some(unit) = units.iter().position(is_own) {
        return Some(unit).map(link(1.0, LinkBasis::Stated));
    }
    let document = wanted_document(criterion);
    if let Some(unit) = document.and_then(|document| units.iter().position(|u| u.owns(&document))) {
        return Some(unit).map(link(1.0, LinkBasis::File));
    }
    if let Some(unit) = criterion.story.as_ref().and_then(|story| named.by_story(story)) {
        return Some(unit).map(link(1.0, LinkBasis::Stated));
    }
    // What stands under the heading of a thing belongs to it, whatever it names besides.
    let below_files = || criterion.headings.first().filter(|heading| names_only_files(heading));
    let below_thing = criterion.headings.iter().find_map(|heading| named.by_heading(heading));
    if let Some(unit) = below_thing.or_else(|| named.by_file(below_files()?)) {
        return Some(unit).map(link(1.0, LinkBasis::Stated));
    }
    // An item that is called like a file or component is about it, with what is below it.
    if let Some(unit) = criterion.within.iter().find_map(|name| named.by_name(name)) {
        return Some(unit).map(link(0.9, LinkBasis::Name));
    }
    let said = said(criterion);
    let by_file = named.by_file(&said).map(link(0.9, LinkBasis::File));
    let by_code = || named.by_code(&said).map(link(0.9, LinkBasis::Name));
    let by_name =
        || named.by_route(&said).or_else(|| named.by_component(&said)).or_else(|| named.by_answer(&said));
    let by_command = || named.by_command(&said).map(link(0.8, LinkBasis::Name));
    // A table or list under `3.3 RefundPolicy Logic` is about that component.
    let under = || {
        let nearest = criterion.headings.first();
        nearest
            .and_then(|heading| named.by_file(heading).or_else(|| named.by_module(heading)))
            .or_else(|| criterion.headings.iter().find_map(|heading| named.by_subject(heading)))
            .or_else(|| criterion.headings.iter().find_map(|heading| named.by_component(heading)))
    };
    by_file
        .or_else(by_code)
        .or_else(|| by_name().map(link(0.8, LinkBasis::Name)))
        .or_else(by_command)
        .or_else(|| under().map(link(0.7, LinkBasis::Name)))
}

/// Whether a heading is nothing but the names of files with code: `door.py`, `door.py / lock.py`.
fn names_only_files(heading: &str) -> bool {
    let bare = heading.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let is_between = |word: &&str| matches!(*word, "/" | "&" | "+" | "and" | "," | "-");
    let mut names = bare.split_whitespace().filter(|word| !is_between(word)).peekable();
    names.peek().is_some()
        && names.all(|name| {
            let name = name.trim_matches(['`', ',', ':']);
            name.contains('.') && FileKind::of(name) == FileKind::Code
        })
}

/// The unit that shares most words with a criterion and its story.
fn by_words(
    criterion: &SpecCriterion,
    (story, beside, section): (Option<&str>, Option<usize>, Option<&[f64]>),
    units: &[Unit],
    natures: &[UnitNature],
    corpus: &Corpus,
) -> Option<CriterionPlacement> {
    let link =
        |unit, score, basis| CriterionPlacement { criterion: criterion.id.clone(), unit, score, basis };
    let said = said(criterion);
    let nature = CriterionNature::of(&said);
    let whole = corpus.fairly_alike(&words(&said));
    let around = corpus.alike(&story.map(words).unwrap_or_default());
    // The heading tips the scales where the text itself has something in common.
    let heading = criterion.headings.first().filter(|_| story.is_none());
    let under = corpus.alike(&heading.map(|heading| words(heading)).unwrap_or_default());
    // The text under a heading is often generic; the heading itself counts more.
    let name = if criterion.form == CriterionForm::Heading { words(&criterion.text) } else { Vec::new() };
    let by_name = corpus.alike(&name);
    let score = |at: usize| {
        // A unit that was made for one story serves no other.
        let foreign = units[at].slice.is_some() && criterion.story.is_some();
        if foreign && units[at].slice != criterion.story {
            return 0.0;
        }
        let share = if name.is_empty() { whole[at] } else { 0.4 * whole[at] + 0.6 * by_name[at] };
        let near = if share >= LEAST { 0.2 * under[at] } else { 0.0 };
        ((share + near + 0.3 * around[at]) * nature.weight(&natures[at])).min(0.89)
    };
    let own: Vec<f64> = (0..units.len()).map(score).collect();
    // What stands in one section belongs together, unless a text by itself has its place elsewhere.
    let pull = |at: usize| section.map_or(0.0, |scores| scores[at]);
    let scores: Vec<f64> = (0..units.len()).map(|at| (own[at] + pull(at)).min(0.89)).collect();
    // The item before it tips the scales, and is no evidence of its own.
    let near = |at: usize| if beside == Some(at) && scores[at] >= LEAST { BESIDE } else { 0.0 };
    let better = |a: usize, b: usize| (scores[a] + near(a)).total_cmp(&(scores[b] + near(b))).then(b.cmp(&a));
    let at = (0..units.len()).max_by(|a, b| better(*a, *b))?;
    if scores[at] >= LEAST {
        return Some(link(at, scores[at], LinkBasis::Words));
    }
    fallback(units).map(|at| link(at, 0.0, LinkBasis::Nothing))
}

/// The unit for a criterion that matches nothing: the last gate, else the unit with the fewest criteria.
fn fallback(units: &[Unit]) -> Option<usize> {
    let gate = units.iter().rposition(|u| u.owned().next().is_none() && !u.is_open);
    let fewest = || {
        let code = (0..units.len()).filter(|i| units[*i].makes_code());
        let all: Vec<usize> = code.filter(|i| !is_shown(&units[*i])).collect();
        let rest = || (0..units.len()).filter(|i| !units[*i].prepares() && !units[*i].is_document).collect();
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
        notes.push(Note::new(NoteKind::CoverageGap, text).at(criterion.span).about(&criterion.id).help(help));
    } else if link.score < SURE {
        let text = format!("`{}`: weak match ({:.2}), assigned to `{task}`", criterion.id, link.score);
        notes.push(Note::new(NoteKind::Unsure, text).at(criterion.span).about(&criterion.id).help(help));
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
fn decisions(units: &mut [Unit], spec: &Spec, corpus: &Corpus, notes: &mut Vec<Note>) {
    let mut seen = HashSet::new();
    for decision in spec.decisions.iter().filter(|d| seen.insert(d.id.clone())) {
        let scores = corpus.alike(&words(&format!("{} {}", decision.title, decision.text)));
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
