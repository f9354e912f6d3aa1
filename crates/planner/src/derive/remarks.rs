//! Remarks of the documents: risks, test notes, success metrics, constraints, and sections without a file. Each is
//! assigned to the unit it is about; remarks about no unit and excluded sections are noted.

use std::collections::HashSet;

use super::criteria_links::Profiles;
use super::named_units::{NamedUnits, names_file};
use super::note::{Note, NoteKind};
use super::unit::Unit;
use super::words::{Corpus, cut, words};
use crate::spec::{DetailSection, DocumentKind, Remark, Spec, TICKED_OFF};
use windlass_core::diagnostic::Span;

/// The least score of a match by words.
const LEAST: f64 = 0.22;
/// The most remarks in one list of a unit.
const MOST: usize = 4;
/// The longest section that every task is told, in bytes, and the most tasks that are told it.
const SHORT: usize = 2_000;
const FEW: usize = 12;
/// The most rules of a unit.
const MOST_RULES: usize = 12;

/// The kind of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RemarkKind {
    Risk,
    Test,
    Metric,
    Constraint,
    Regression,
}

impl RemarkKind {
    /// Its prefix in a task's notes; risks have a field of their own.
    fn mark(self) -> &'static str {
        match self {
            RemarkKind::Risk => "",
            RemarkKind::Test => "Test: ",
            RemarkKind::Metric => "Measured by: ",
            RemarkKind::Constraint => "Rule: ",
            RemarkKind::Regression => "Must stay as it is: ",
        }
    }

    /// Whether a remark binds every task, unless it names one.
    fn binds_all(self) -> bool {
        matches!(self, RemarkKind::Constraint | RemarkKind::Regression)
    }

    /// Its name, singular and plural.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            RemarkKind::Risk => ("risk", "risks"),
            RemarkKind::Test => ("line about tests", "lines about tests"),
            RemarkKind::Metric => ("measure of success", "measures of success"),
            RemarkKind::Constraint => ("constraint", "constraints"),
            RemarkKind::Regression => ("regression", "regressions"),
        }
    }
}

/// Assigns remarks to units.
pub(super) fn remarks(units: &mut [Unit], spec: &Spec, notes: &mut Vec<Note>) {
    let profiles = Profiles::of(units, spec);
    let corpus = Corpus::of(profiles.0.iter().map(Vec::as_slice));
    let own = |remark: &&Remark| {
        let house = spec.sources.file(remark.span.file).path.as_str();
        !spec.documents.iter().any(|d| d.kind == DocumentKind::Conventions && d.path == house)
    };
    let kinds: [(RemarkKind, &[Remark]); 5] = [
        (RemarkKind::Risk, &spec.risks),
        (RemarkKind::Test, &spec.tests),
        (RemarkKind::Metric, &spec.metrics),
        (RemarkKind::Constraint, &spec.conventions),
        (RemarkKind::Regression, &spec.regressions),
    ];
    for (kind, list) in kinds {
        let mut left: Vec<&Remark> = Vec::new();
        for remark in list.iter().filter(own) {
            if kind.binds_all() {
                bind(units, kind, remark);
                continue;
            }
            match best(remark, units, &corpus) {
                Some(at) => give(&mut units[at], kind, remark),
                None => left.push(remark),
            }
        }
        said(kind, &left, list.iter().filter(own).count(), notes);
    }
    details(units, spec, &corpus, notes);
    excluded(spec, notes);
    questions(spec, notes);
}

/// Assigns sections that name neither a file nor a task to the unit with most words in common, and notes those that
/// match none.
fn details(units: &mut [Unit], spec: &Spec, corpus: &Corpus, notes: &mut Vec<Note>) {
    let named = NamedUnits::of(units, spec);
    let mut given: HashSet<usize> = units.iter().flat_map(|u| u.details.iter().copied()).collect();
    for (at, detail) in spec.details.iter().enumerate() {
        let in_text = |u: &Unit| !u.text.is_empty() && u.text.contains(&detail.text);
        if detail.aside || !given.insert(at) || units.iter().any(in_text) {
            continue;
        }
        // The section of a story belongs to the unit of that story.
        let own = spec
            .stories
            .iter()
            .find(|s| s.span.file == detail.span.file && s.span.start == detail.span.start);
        if let Some(unit) = own.and_then(|s| units.iter_mut().find(|u| u.slice.as_ref() == Some(&s.id))) {
            if !detail.code.is_empty() || !detail.tables.is_empty() {
                unit.details.push(at);
            }
            continue;
        }
        // What stands under `Entity: Task` is about the unit that makes it.
        let around = std::iter::once(&detail.heading).chain(&detail.above);
        if let Some(unit) = around.into_iter().find_map(|heading| named.by_subject(heading)) {
            units[unit].details.push(at);
            continue;
        }
        let (name, own) = (words(&detail.heading), words(&detail.text));
        let (by_name, by_text) = (corpus.alike(&name), corpus.alike(&own));
        let scores: Vec<f64> =
            by_name.iter().zip(by_text).map(|(name, text)| 0.6 * name + 0.4 * text).collect();
        let some = (0..units.len()).filter(|at| !units[*at].prepares());
        let best = some.max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)));
        if let Some(unit) = best.filter(|unit| scores[*unit] >= LEAST) {
            units[unit].details.push(at);
            continue;
        }
        // What is said of no part in particular is said of all, as long as it is short.
        let size = detail.text.len() + detail.code.iter().map(|code| code.text.len()).sum::<usize>();
        let general = is_general(detail, spec) && size <= SHORT && units.len() <= FEW;
        if general {
            units.iter_mut().filter(|u| u.makes_code()).for_each(|u| u.details.push(at));
            continue;
        }
        let text = format!("section `{}` matches no task", cut(&detail.heading, 60));
        let help = "name the file or the task it is about";
        notes.push(Note::new(NoteKind::NotPlaced, text).at(detail.span).help(help));
    }
}

/// Whether a section is about the whole: a part of a requirements document that is no feature.
fn is_general(detail: &DetailSection, spec: &Spec) -> bool {
    let path = &spec.sources.file(detail.span.file).path;
    let kind = spec.documents.iter().find(|d| d.path == *path).map(|d| d.kind);
    let asks = matches!(kind, Some(DocumentKind::Requirements | DocumentKind::Other));
    let alone = !spec.documents.iter().any(|d| d.kind == DocumentKind::Requirements);
    (asks || alone)
        && !spec.stories.iter().any(|s| s.span.file == detail.span.file && s.span.start == detail.span.start)
}

/// The unit a remark is about.
fn best(remark: &Remark, units: &[Unit], corpus: &Corpus) -> Option<usize> {
    let named = units.iter().position(|u| names(u, remark));
    named.or_else(|| {
        let scores = corpus.alike(&words(&remark.text));
        let some = (0..units.len()).filter(|at| !units[*at].prepares());
        let at = some.max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)))?;
        (scores[at] >= LEAST).then_some(at)
    })
}

/// Gives a rule to the units that it names, else to all that write code.
fn bind(units: &mut [Unit], kind: RemarkKind, remark: &Remark) {
    if remark.text.trim().ends_with(':') {
        return;
    }
    let named: Vec<usize> = (0..units.len()).filter(|at| names(&units[*at], remark)).collect();
    for (at, unit) in units.iter_mut().enumerate().filter(|(_, unit)| !unit.prepares()) {
        if named.is_empty() || named.contains(&at) {
            let text = format!("{}{}", kind.mark(), cut(&remark.text, 240));
            if unit.rules.len() < MOST_RULES && !unit.rules.contains(&text) {
                unit.rules.push(text);
            }
        }
    }
}

/// Whether a remark names a unit, by its id or by a file.
fn names(unit: &Unit, remark: &Remark) -> bool {
    let is = |word: &str| !unit.stated.is_empty() && word.trim_end_matches('.') == unit.stated;
    let stated = remark.text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.' | '_'))).any(is);
    stated || (!unit.prepares() && names_file(unit, &remark.text))
}

fn give(unit: &mut Unit, kind: RemarkKind, remark: &Remark) {
    let text = format!("{}{}", kind.mark(), cut(&remark.text, 240));
    let list = if kind == RemarkKind::Risk { &mut unit.risks } else { &mut unit.remarks };
    if list.len() < MOST && !list.contains(&text) {
        list.push(text);
    }
}

/// Notes how many remarks of a kind are about no unit.
fn said(kind: RemarkKind, left: &[&Remark], all: usize, notes: &mut Vec<Note>) {
    let Some(first) = left.first() else { return };
    let (one, many) = kind.names();
    let text = if all == 1 {
        format!("the {one} matches no task")
    } else {
        format!("{} of {all} {many} match no task", left.len())
    };
    let help = "name the file or the task it is about, or write it as a criterion";
    notes.push(Note::new(NoteKind::LeftOut, text).at(first.span).help(help));
}

/// Notes the sections that the documents exclude.
fn excluded(spec: &Spec, notes: &mut Vec<Note>) {
    let mut sections: Vec<(&str, Span, usize)> = Vec::new();
    for remark in &spec.exclusions {
        match sections.iter_mut().find(|(h, span, _)| *h == remark.heading && span.file == remark.span.file) {
            Some((_, _, count)) => *count += 1,
            None => sections.push((&remark.heading, remark.span, 1)),
        }
    }
    for (heading, span, count) in sections {
        let lines = if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
        let (text, help) = if heading == TICKED_OFF {
            (format!("{lines} ticked off as done"), "to plan them, open their boxes")
        } else {
            let heading = heading.trim_end_matches(':');
            let help = "to plan them, move them under a heading such as `Requirements`";
            (format!("{lines} under `{heading}`, excluded by its heading"), help)
        };
        notes.push(Note::new(NoteKind::LeftOut, text).at(span).help(help));
    }
}

/// Notes the questions that the documents leave open.
fn questions(spec: &Spec, notes: &mut Vec<Note>) {
    for question in &spec.questions {
        let help = "answer it in the document and plan again";
        notes.push(Note::new(NoteKind::Question, cut(&question.text, 160)).at(question.span).help(help));
    }
}
