//! What is kept for people and briefs: risks, tests, exclusions, conventions, details; and what nobody could place.

use super::ids;
use super::markdown::{Block, Placed};
use super::model::{Detail, DetailCode, DocumentKind, Remark};
use super::paths;
use super::reading::Reading;
use super::topic::Topic;

/// Reads everything that is neither story nor task.
pub(super) fn read(reading: &mut Reading<'_>) {
    for (at, placed) in reading.blocks() {
        if let Some(kept) = kept_as(reading, at, placed) {
            let remarks = texts(reading, placed);
            reading.using(at);
            let list = match kept {
                Kept::Risk => &mut reading.spec.risks,
                Kept::Test => &mut reading.spec.tests,
                Kept::Exclusion => &mut reading.spec.exclusions,
                Kept::Metric => &mut reading.spec.metrics,
                Kept::Convention => &mut reading.spec.conventions,
            };
            list.extend(remarks);
        }
    }
    asked(reading);
    for at in 1..reading.doc.sections.len() {
        detail(reading, at);
    }
    unplaced(reading);
}

/// Lists what plainly asks for something and that no reader took, a line per section.
fn asked(reading: &mut Reading<'_>) {
    let mut left: Vec<(usize, Remark, usize)> = Vec::new();
    for (at, placed) in reading.blocks() {
        let Some(words) = Reading::words(placed).filter(|_| !reading.is_used(at)) else { continue };
        if !asks(reading, placed, &words.text) {
            continue;
        }
        reading.using(at);
        if let Some((_, _, more)) = left.iter_mut().find(|(section, ..)| *section == placed.section) {
            *more += 1;
            continue;
        }
        let (text, heading) = (shown(&words.text), reading.heading(placed.section));
        let span = reading.span(&words.at);
        left.push((placed.section, Remark { text, heading, span }, 0));
    }
    reading.spec.unplaced.extend(left.into_iter().map(|(_, remark, more)| counted(remark, more)));
}

/// A remark that stands for so many more.
fn counted(remark: Remark, more: usize) -> Remark {
    if more == 0 { remark } else { Remark { text: format!("{} (and {more} more)", remark.text), ..remark } }
}

/// Whether a text asks for something: by its id, by its words, or by where it stands.
fn asks(reading: &Reading<'_>, placed: &Placed, text: &str) -> bool {
    let bound = text.split_whitespace().any(|w| matches!(w.trim_matches(['*', ',', ':']), "SHALL" | "MUST"));
    // An id that is known is spoken of, not asked for.
    let known = |id: &str| reading.spec.criteria.iter().any(|c| c.id == id);
    let stated = ids::requirement(text).is_some_and(|(id, rest)| !rest.is_empty() && !known(&id));
    let item = matches!(placed.block, Block::Item(_));
    let here = matches!(reading.topic(placed), Some(Topic::Criteria | Topic::Requirements | Topic::Stories));
    !matches!(reading.kind, DocumentKind::Conventions | DocumentKind::Background)
        && (bound || stated || (item && here))
}

/// The beginning of a text.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

enum Kept {
    Risk,
    Test,
    Exclusion,
    Metric,
    Convention,
}

fn kept_as(reading: &Reading<'_>, at: usize, placed: &Placed) -> Option<Kept> {
    if reading.is_excluded(placed) && reading.kind != DocumentKind::Background {
        return Some(Kept::Exclusion);
    }
    if reading.kind == DocumentKind::Conventions {
        return Some(Kept::Convention);
    }
    if reading.kind == DocumentKind::Background {
        return None;
    }
    // What happens at the edges is what tests ask first.
    if reading.heading(placed.section).to_lowercase().contains("edge case") && !reading.is_used(at) {
        return Some(Kept::Test);
    }
    match reading.topic(placed)? {
        Topic::Risks => Some(Kept::Risk),
        Topic::Tests => Some(Kept::Test),
        Topic::Metrics => Some(Kept::Metric),
        Topic::Conventions => Some(Kept::Convention),
        Topic::Criteria
        | Topic::Stories
        | Topic::Requirements
        | Topic::Decisions
        | Topic::Components
        | Topic::Models
        | Topic::Endpoints
        | Topic::Ownership
        | Topic::Graph
        | Topic::Phases
        | Topic::Excluded
        | Topic::Surface
        | Topic::Background => None,
    }
}

/// What a block says, line by line.
fn texts(reading: &Reading<'_>, placed: &Placed) -> Vec<Remark> {
    let heading = reading.excluded_by(placed).unwrap_or_else(|| reading.heading(placed.section));
    let remark = |text: String, at: &std::ops::Range<usize>| Remark {
        text,
        heading: heading.clone(),
        span: reading.span(at),
    };
    match &placed.block {
        Block::Paragraph(words) => vec![remark(words.text.clone(), &words.at)],
        Block::Item(item) => vec![remark(item.words.text.clone(), &item.words.at)],
        Block::Code(code) => vec![remark(code.text.clone(), &code.at)],
        Block::Table(table) => {
            let row = |row: &Vec<super::markdown::Words>| {
                let text = row.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" | ");
                row.first().map(|first| remark(text, &first.at))
            };
            table.rows.iter().filter_map(row).collect()
        }
    }
}

/// A section that says how something is done: it names a file, an id, or shows code.
fn detail(reading: &mut Reading<'_>, at: usize) {
    let section = &reading.doc.sections[at];
    let topic = reading.section_topic(at);
    let other = matches!(
        topic,
        Some(
            Topic::Excluded
                | Topic::Risks
                | Topic::Ownership
                | Topic::Graph
                | Topic::Criteria
                | Topic::Metrics
        )
    );
    if other || section.level < 2 || reading.kind == DocumentKind::Conventions {
        return;
    }
    let own: Vec<(usize, &Placed)> = reading.doc.own(at).collect();
    let mut found: Vec<String> = paths::in_text(&section.title.text).into_iter().map(|f| f.path).collect();
    let subject = found.first().filter(|_| found.len() == 1).cloned();
    let mut named: Vec<String> = ids_in(&section.title.text);
    let mut code = Vec::new();
    for (_, placed) in &own {
        match &placed.block {
            Block::Code(block) => {
                let first = block.text.lines().next().unwrap_or_default();
                found.extend(paths::in_text(first).into_iter().map(|f| f.path));
                let language = block.info.split([' ', ',']).next().unwrap_or_default().to_owned();
                let path = commented(first);
                let label = placed.label.clone();
                code.push(DetailCode { language, path, label, text: block.text.clone() });
            }
            Block::Paragraph(words) => {
                found.extend(paths::in_text(&words.text).into_iter().map(|f| f.path));
                named.extend(ids_in(&words.text));
            }
            Block::Item(item) => {
                found.extend(paths::in_text(&item.words.text).into_iter().map(|f| f.path));
                named.extend(ids_in(&item.words.text));
            }
            Block::Table(_) => {}
        }
    }
    let text = reading.prose(at, 2_000);
    if text.is_empty() && code.is_empty() {
        return;
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|p| seen.insert(p.clone()));
    let span = reading.span(&section.title.at);
    let heading = section.title.plain();
    let aside = reading.kind == DocumentKind::Background || topic.is_some_and(is_aside) || {
        let said = |b: &Placed| Reading::words(b).is_some_and(|words| !words.is_label());
        let left = own.iter().filter(|(at, b)| said(b) && !reading.is_used(*at));
        // Its words are in the plan by another way.
        left.count() == 0
    };
    for (block, _) in own {
        reading.using(block);
    }
    reading.spec.details.push(Detail { heading, text, paths: found, ids: named, subject, code, aside, span });
}

/// Whether a topic is about something else than what is to be made.
fn is_aside(topic: Topic) -> bool {
    match topic {
        Topic::Background
        | Topic::Metrics
        | Topic::Decisions
        | Topic::Ownership
        | Topic::Graph
        | Topic::Phases
        | Topic::Tests
        | Topic::Risks
        | Topic::Excluded
        | Topic::Conventions => true,
        Topic::Criteria
        | Topic::Stories
        | Topic::Requirements
        | Topic::Components
        | Topic::Models
        | Topic::Endpoints
        | Topic::Surface => false,
    }
}

/// The one path in a line that is a comment.
fn commented(line: &str) -> Option<String> {
    let line = line.trim();
    let inner = ["//", "#", "--", "/*"].iter().find_map(|mark| line.strip_prefix(mark))?;
    let found = paths::in_text(inner);
    found.first().filter(|_| found.len() == 1).map(|f| f.path.clone())
}

fn ids_in(text: &str) -> Vec<String> {
    let task = |w: &str| (w.contains('-') && ids::is_task_id(w)).then(|| w.to_owned());
    ids::words(text).filter_map(|w| ids::only_requirement(w).or_else(|| task(w))).collect()
}

/// What a block without running text is.
fn what(block: &Block) -> &'static str {
    match block {
        Block::Table(_) => "a table",
        Block::Code(_) => "a block of code",
        Block::Paragraph(_) => "a paragraph",
        Block::Item(_) => "a list",
    }
}

/// Lists what nobody made anything of, section by section.
fn unplaced(reading: &mut Reading<'_>) {
    for at in 0..reading.doc.sections.len() {
        let placed_topic = reading.section_topic(at).is_some()
            || reading.doc.sections[at].level <= 1
            || reading.kind == DocumentKind::Background;
        let left: Vec<&Placed> =
            reading.doc.own(at).filter(|(i, _)| !reading.is_used(*i)).map(|(_, b)| b).collect();
        let texts: Vec<String> =
            left.iter().filter_map(|b| Reading::words(b).map(|w| w.text.clone())).collect();
        let Some(first) = left.first().filter(|_| !placed_topic) else { continue };
        let span = reading.span(&first.at);
        let count = left.len();
        let text = texts.first().cloned().unwrap_or_else(|| what(&first.block).to_owned());
        let (text, heading) = (shown(&text), reading.heading(at));
        reading.spec.unplaced.push(counted(Remark { text, heading, span }, count - 1));
    }
}
