//! What can only be said once everything is read: full paths for short names, ids for criteria that have none.

use std::collections::{BTreeSet, HashSet};

use super::files::Sibling;
use super::ids;
use super::markdown::Block;
use super::model::{Authority, DocumentKind, FileRow, Remark, Spec};
use super::paths;
use super::reading::{Opened, Reading};
use super::topic::Topic;

/// Finishes a specification.
pub(super) fn settle(spec: &mut Spec, documents: &[Opened], siblings: &[Sibling], known: &[String]) {
    let full = full_paths(spec, documents);
    // By place, so before anything is taken out.
    beside(spec, siblings, &full, known);
    let trees = spec.files.iter().filter(|f| f.authority == Authority::Tree);
    let trees: BTreeSet<String> = trees.map(|f| f.path.clone()).collect();
    let lengthen = |path: &mut String| {
        // A tree draws the whole of what is named in part elsewhere.
        let drawn = || paths::expand(path, trees.iter().map(String::as_str)).map(str::to_owned);
        if let Some(found) =
            Some(()).filter(|()| path.contains('/') && !trees.contains(path)).and_then(|()| drawn())
        {
            *path = found;
        } else if let Some(found) = expanded(path, &full, known).filter(|_| !is_full(path, known)) {
            *path = found;
        }
    };
    spec.files.iter_mut().for_each(|f| lengthen(&mut f.path));
    spec.components.iter_mut().flat_map(|c| &mut c.files).for_each(lengthen);
    spec.details.iter_mut().flat_map(|d| &mut d.paths).for_each(lengthen);
    spec.details.iter_mut().filter_map(|d| d.subject.as_mut()).for_each(lengthen);
    spec.details.iter_mut().flat_map(|d| &mut d.code).filter_map(|c| c.path.as_mut()).for_each(lengthen);
    spread(spec, known);
    repeated(spec);
    name_criteria(spec);
    levels(spec);
    summary(spec, documents);
}

/// Names that stand behind a path in the same cell: elsewhere in full, else in the same folder.
fn beside(spec: &mut Spec, siblings: &[Sibling], full: &BTreeSet<String>, known: &[String]) {
    for (row, folder) in siblings {
        if let Some(file) = spec.files.get_mut(*row) {
            let found = expanded(&file.path, full, known);
            file.path = found.unwrap_or_else(|| format!("{folder}/{}", file.path));
        }
    }
}

/// Rows that stand for several files become a row each; where none is known, they are listed as not placed.
fn spread(spec: &mut Spec, known: &[String]) {
    let mut rows = Vec::with_capacity(spec.files.len());
    for row in std::mem::take(&mut spec.files) {
        if !row.path.contains('*') {
            rows.push(row);
            continue;
        }
        let fitting: Vec<&String> = known.iter().filter(|k| paths::fits(&row.path, k)).take(200).collect();
        if fitting.is_empty() {
            let text = format!("`{}` stands for files that are not there", row.path);
            spec.unplaced.push(Remark { text, heading: String::new(), span: row.span });
        }
        rows.extend(fitting.into_iter().map(|path| FileRow { path: path.clone(), ..row.clone() }));
    }
    spec.files = rows;
}

fn is_full(path: &str, known: &[String]) -> bool {
    known.iter().any(|k| k == path)
}

/// Every path with a folder that the documents name anywhere.
fn full_paths(spec: &Spec, documents: &[Opened]) -> BTreeSet<String> {
    let mut full: BTreeSet<String> =
        spec.files.iter().map(|f| f.path.clone()).filter(|p| p.contains('/')).collect();
    let mut take = |text: &str| {
        full.extend(paths::in_text(text).into_iter().map(|f| f.path).filter(|p| p.contains('/')));
    };
    for Opened { document, .. } in documents {
        document.sections.iter().for_each(|s| take(&s.title.text));
        for placed in &document.blocks {
            match &placed.block {
                Block::Table(table) => table.rows.iter().flatten().for_each(|w| take(&w.text)),
                Block::Code(code) if code.text.len() < 20_000 => code.text.lines().for_each(&mut take),
                Block::Code(_) => {}
                Block::Paragraph(_) | Block::Item(_) => {
                    if let Some(words) = Reading::words(placed) {
                        take(&words.text);
                    }
                }
            }
        }
    }
    full
}

fn expanded(path: &str, full: &BTreeSet<String>, known: &[String]) -> Option<String> {
    if path.contains('/') && full.contains(path) && path.matches('/').count() > 1 {
        return None;
    }
    let in_documents = paths::expand(path, full.iter().map(String::as_str));
    in_documents.or_else(|| paths::expand(path, known.iter().map(String::as_str))).map(str::to_owned)
}

/// Criteria that another document says in the same words, for the same story, count once; and a design that gives the
/// id of a requirement speaks of that one.
fn repeated(spec: &mut Spec) {
    let wanted = |ix: windlass_core::diagnostic::FileIx| {
        let path = &spec.sources.file(ix).path;
        spec.documents.iter().any(|d| d.path == *path && d.kind == DocumentKind::Requirements)
    };
    let given = spec.criteria.iter().filter(|c| c.given_id && wanted(c.span.file));
    let asked: HashSet<String> = given.map(|c| c.id.clone()).collect();
    let spoken: Vec<bool> =
        spec.criteria.iter().map(|c| c.given_id && asked.contains(&c.id) && !wanted(c.span.file)).collect();
    let mut spoken = spoken.into_iter();
    spec.criteria.retain(|_| !spoken.next().unwrap_or(false));
    let mut seen: std::collections::HashMap<(String, Option<String>), windlass_core::diagnostic::FileIx> =
        std::collections::HashMap::new();
    spec.criteria.retain(|criterion| {
        let key = (criterion.text.to_lowercase(), criterion.story.clone());
        let file = *seen.entry(key).or_insert(criterion.span.file);
        criterion.given_id || file == criterion.span.file
    });
}

/// Gives every criterion an id of its own; a second use of one id in another document is told apart.
fn name_criteria(spec: &mut Spec) {
    let mut taken: HashSet<String> = HashSet::new();
    for criterion in spec.criteria.iter_mut().filter(|c| c.given_id) {
        let mut id = criterion.id.clone();
        let mut n = 2;
        while !taken.insert(id.clone()) {
            id = format!("{}-{n}", criterion.id);
            n += 1;
        }
        criterion.id = id;
    }
    let mut number = 0;
    for criterion in spec.criteria.iter_mut().filter(|c| !c.given_id) {
        loop {
            number += 1;
            let id = format!("AC-{number:03}");
            if taken.insert(id.clone()) {
                criterion.id = id;
                break;
            }
        }
    }
}

/// Levels from ids, and from phases that count their tasks.
fn levels(spec: &mut Spec) {
    for task in &mut spec.tasks {
        task.level = ids::level_of(&task.id).or(task.level);
    }
    let counts: Vec<(String, u32)> =
        spec.phases.iter().filter_map(|p| Some((p.name.clone(), p.tasks?))).collect();
    let total: u32 = counts.iter().map(|(_, n)| n).sum();
    let unlevelled = spec.tasks.iter().filter(|t| t.level.is_none()).count();
    if unlevelled == 0 || usize::try_from(total) != Ok(spec.tasks.len()) {
        return;
    }
    let mut order: Vec<usize> = (0..spec.tasks.len()).collect();
    order.sort_by(|a, b| spec.tasks[*a].id.cmp(&spec.tasks[*b].id));
    let mut places = order.into_iter();
    for (level, (name, count)) in (1..).zip(counts) {
        for at in places.by_ref().take(count as usize) {
            let task = &mut spec.tasks[at];
            task.level = task.level.or(Some(level));
            task.phase.get_or_insert_with(|| name.clone());
        }
    }
}

/// The title and the first words about what it is for.
fn summary(spec: &mut Spec, documents: &[Opened]) {
    // What is wanted says best what it is; how it is built comes next.
    let rank = |kind: DocumentKind| match kind {
        DocumentKind::Requirements => Some(0),
        DocumentKind::Design => Some(1),
        DocumentKind::Other => Some(2),
        DocumentKind::Wireframes | DocumentKind::Decisions => Some(3),
        DocumentKind::Background => Some(4),
        DocumentKind::Conventions => None,
    };
    let titled = spec.documents.iter().filter_map(|d| Some((rank(d.kind)?, d.title.as_ref()?)));
    spec.title = titled.min_by_key(|(rank, _)| *rank).map(|(_, title)| title.clone());
    for Opened { document, kind, .. } in documents {
        if *kind == DocumentKind::Conventions {
            continue;
        }
        let about = document.blocks.iter().find_map(|b| {
            let title = &document.sections.get(b.section)?.title.text;
            let lower = title.to_lowercase();
            let fits = Topic::of(title) == Some(Topic::Background)
                && ["summary", "overview", "problem", "purpose", "goal", "introduction"]
                    .iter()
                    .any(|w| lower.contains(w));
            match &b.block {
                Block::Paragraph(words) if fits && words.text.len() > 20 => Some(words.text.clone()),
                _ => None,
            }
        });
        if let Some(text) = about {
            spec.summary = text;
            return;
        }
    }
}
