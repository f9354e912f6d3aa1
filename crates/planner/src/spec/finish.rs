//! What can only be decided once every document is read: full paths for short names, ids of criteria, levels, the title.

use std::collections::{BTreeSet, HashMap, HashSet};
use windlass_code::detect::runner_config;
use windlass_code::survey::Language;

use super::contradictions;
use super::document::{BlockContent, DocumentBlock, DocumentSection, SectionTree};
use super::issues::give_issues_their_stories;
use super::model::{Authority, CriterionForm, DocumentKind, FileRow, Remark, Spec, SpecCriterion, Story};
use super::readers::file_tree::heading_folder;
use super::readers::files::Sibling;
use super::reading::OpenDocument;
use super::repeated_lists::remove_repeated_lists;
use super::vocabulary::{Topic, asks_labelled, ids, is_story, paths};
use windlass_core::diagnostic::{FileIx, Span};

/// Finishes a specification.
pub(super) fn finish(spec: &mut Spec, documents: &[OpenDocument], siblings: &[Sibling], known: &[String]) {
    place_below_headings(spec, documents);
    let full = full_paths(spec, documents);
    // By index, so before any row is removed.
    resolve_siblings(spec, siblings, &full, known);
    let trees = spec.files.iter().filter(|f| f.authority == Authority::Tree);
    let trees: BTreeSet<String> = trees.map(|f| f.path.clone()).collect();
    let is_known_at_top = |path: &String| known.contains(path);
    let lengthen = |path: &mut String| {
        // A tree draws the whole path of what is named in part elsewhere.
        let drawn = || paths::expand(path, trees.iter().map(String::as_str)).map(str::to_owned);
        let in_part = path.contains('/') && !trees.contains(path);
        let is_known = || known.contains(path);
        let by_name = || expanded(path, &full, known).filter(|_| !is_known());
        if let Some(found) = in_part.then(drawn).flatten().or_else(by_name) {
            *path = found;
        }
        // Cargo looks for code in `src/` and nowhere else.
        let is_bare = !path.contains('/') && !runner_config(path) && !is_known_at_top(path);
        let folder = Language::row_of(path).code_below;
        if let Some(folder) = folder.filter(|_| is_bare) {
            *path = format!("{folder}/{path}");
        }
    };
    spec.files.iter_mut().for_each(|f| lengthen(&mut f.path));
    spec.components.iter_mut().flat_map(|c| &mut c.files).for_each(lengthen);
    spec.details.iter_mut().flat_map(|d| &mut d.paths).for_each(lengthen);
    spec.details.iter_mut().filter_map(|d| d.subject.as_mut()).for_each(lengthen);
    spec.details.iter_mut().flat_map(|d| &mut d.code).filter_map(|c| c.path.as_mut()).for_each(lengthen);
    name_subjects(spec);
    spread_patterns(spec, known);
    ask_questions(spec);
    spec.criteria.sort_by_key(|c| (c.span.file.0, c.span.start));
    give_issues_their_stories(spec, documents);
    state_lone_stories(spec);
    contradictions::ask(spec);
    remove_repeated_criteria(spec);
    remove_repeated_lists(spec);
    plan_phases(spec);
    name_criteria(spec);
    set_levels(spec);
    set_title_and_summary(spec, documents);
}

/// A criterion that asks is a question to a person.
fn ask_questions(spec: &mut Spec) {
    let (asking, stated): (Vec<_>, Vec<_>) = std::mem::take(&mut spec.criteria)
        .into_iter()
        .partition(|c| c.text.ends_with('?') && !(c.given_id || asks_labelled(&c.text)));
    spec.criteria = stated;
    let question = |c: SpecCriterion| Remark { text: c.text, heading: String::new(), span: c.span };
    spec.questions.extend(asking.into_iter().map(question));
}

/// The folder that an item around a block names: ``Commands (`src/commands/`):`` above `list.ts`.
fn item_folder(tree: &SectionTree, block: &DocumentBlock) -> Option<String> {
    let mut next = tree.item(block.index).map_or(block.within, |item| item.parent);
    while let Some(item) = next.and_then(|at| tree.item(at)) {
        let mut named = item.text.text.split('`').skip(1).step_by(2);
        let is_folder =
            |code: &&str| code.ends_with('/') && code.len() > 1 && !code.contains(char::is_whitespace);
        if let Some(folder) = named.find(is_folder) {
            return Some(folder.trim_start_matches("./").trim_start_matches('/').to_owned());
        }
        next = item.parent;
    }
    None
}

/// Under a heading that names a folder, such as `internal/policy/`, files are named without it.
fn place_below_headings(spec: &mut Spec, documents: &[OpenDocument]) {
    let folder = |span: Span| {
        let tree = &documents.iter().find(|d| d.file == span.file)?.tree;
        let next = tree.blocks.partition_point(|block| block.at.start <= span.start as usize);
        let block = next.checked_sub(1).and_then(|at| tree.blocks.get(at))?;
        item_folder(tree, block).or_else(|| heading_folder(tree, block.section))
    };
    let lengthen = |path: &mut String, span: Span| {
        if !path.contains('/')
            && let Some(folder) = folder(span)
        {
            path.insert_str(0, &folder);
        }
    };
    spec.files.iter_mut().for_each(|row| lengthen(&mut row.path, row.span));
    for component in &mut spec.components {
        let span = component.span;
        component.files.iter_mut().for_each(|path| lengthen(path, span));
    }
}

/// A story without criteria is its own criterion.
fn state_lone_stories(spec: &mut Spec) {
    // What a story is good for does not replace its sentence.
    let is_benefit = |c: &SpecCriterion| c.text.to_lowercase().starts_with("benefit");
    let wanted = spec.criteria.iter().filter(|c| !is_benefit(c));
    let stated: HashSet<&String> = wanted.filter_map(|c| c.story.as_ref()).collect();
    // An item that is a story begins with its title; a section has a text of its own.
    let is_item = |s: &Story| {
        let opening: String = s.title.chars().take(12).collect();
        s.title.chars().count() >= 6 && s.text.trim_start_matches(['*', ' ']).starts_with(&opening)
    };
    let alone = |s: &&Story| (is_story(&s.text) || is_item(s)) && !stated.contains(&s.id);
    let criterion = |s: &Story| SpecCriterion {
        id: String::new(),
        text: s.text.clone(),
        detail: String::new(),
        story: Some(s.id.clone()),
        task: None,
        headings: Vec::new(),
        within: Vec::new(),
        form: CriterionForm::Item,
        given_id: false,
        span: s.span,
    };
    let lone: Vec<SpecCriterion> = spec.stories.iter().filter(alone).map(criterion).collect();
    spec.criteria.extend(lone);
    spec.criteria.sort_by_key(|c| (c.span.file.0, c.span.start));
}

/// Documents that say nothing but phases with lists: each item is something to build.
fn plan_phases(spec: &mut Spec) {
    let says_more = !(spec.criteria.is_empty()
        && spec.stories.is_empty()
        && spec.files.is_empty()
        && spec.components.is_empty()
        && spec.tasks.is_empty()
        && spec.models.is_empty()
        && spec.endpoints.is_empty());
    if says_more {
        return;
    }
    for phase in &spec.phases {
        for line in phase.body.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let id = format!("US-{:03}", spec.stories.len() + 1);
            let (title, text) = (line.trim_end_matches('.').to_owned(), line.to_owned());
            spec.stories.push(Story { id, title, text, span: phase.span });
        }
    }
}

/// A section whose heading names one component is about that component's file: `FormatterDetector API`.
fn name_subjects(spec: &mut Spec) {
    let (details, components) = (&mut spec.details, &spec.components);
    for detail in details.iter_mut().filter(|d| d.subject.is_none()) {
        let words: Vec<&str> = detail.heading.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let named = |name: &str| {
            let parts: Vec<&str> = name.split_whitespace().collect();
            name.len() > 3 && !parts.is_empty() && words.windows(parts.len()).any(|w| w == parts)
        };
        let mut called = components.iter().filter(|c| named(&c.name));
        if let (Some(only), None) = (called.next(), called.next())
            && let [file] = &only.files[..]
        {
            detail.subject = Some(file.clone());
            detail.paths.insert(0, file.clone());
        }
    }
}

/// Resolves names behind a path in the same cell: to the full path given elsewhere, else to the same folder.
fn resolve_siblings(spec: &mut Spec, siblings: &[Sibling], full: &BTreeSet<String>, known: &[String]) {
    for (row, folder) in siblings {
        if let Some(file) = spec.files.get_mut(*row) {
            let found = expanded(&file.path, full, known);
            file.path = found.unwrap_or_else(|| format!("{folder}/{}", file.path));
        }
    }
}

/// Replaces a row with a pattern by a row for each file that fits. A pattern that fits no file is listed as unplaced.
fn spread_patterns(spec: &mut Spec, known: &[String]) {
    let mut rows = Vec::with_capacity(spec.files.len());
    for row in std::mem::take(&mut spec.files) {
        if !row.path.contains('*') {
            rows.push(row);
            continue;
        }
        let fitting: Vec<&String> = known.iter().filter(|k| paths::fits(&row.path, k)).take(200).collect();
        if fitting.is_empty() {
            let text = format!("`{}` matches no file", row.path);
            spec.unplaced.push(Remark { text, heading: String::new(), span: row.span });
        }
        rows.extend(fitting.into_iter().map(|path| FileRow { path: path.clone(), ..row.clone() }));
    }
    spec.files = rows;
}

/// Every path with a folder that the documents name anywhere.
fn full_paths(spec: &Spec, documents: &[OpenDocument]) -> BTreeSet<String> {
    let mut full: BTreeSet<String> =
        spec.files.iter().map(|f| f.path.clone()).filter(|p| p.contains('/')).collect();
    let mut take = |text: &str| {
        full.extend(paths::named_in(text).into_iter().filter(|p| p.contains('/')));
    };
    for OpenDocument { tree, .. } in documents {
        tree.sections.iter().for_each(|s| take(&s.title.text));
        for block in &tree.blocks {
            match &block.content {
                BlockContent::Table(table) => table.rows.iter().flatten().for_each(|cell| take(&cell.text)),
                BlockContent::Code(code) if code.text.len() < 20_000 => code.text.lines().for_each(&mut take),
                BlockContent::Code(_) => {}
                BlockContent::Paragraph(text) => take(&text.text),
                BlockContent::Item(item) => take(&item.text.text),
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

/// Removes criteria that another document states in the same words for the same story, and those of designs that only
/// refer to a requirement by its id.
fn remove_repeated_criteria(spec: &mut Spec) {
    let is_requirements = |ix: FileIx| {
        let path = &spec.sources.file(ix).path;
        spec.documents.iter().any(|d| d.path == *path && d.kind == DocumentKind::Requirements)
    };
    let given = spec.criteria.iter().filter(|c| c.given_id && is_requirements(c.span.file));
    let required: HashSet<String> = given.map(|c| c.id.clone()).collect();
    let is_reference: Vec<bool> = spec
        .criteria
        .iter()
        .map(|c| c.given_id && required.contains(&c.id) && !is_requirements(c.span.file))
        .collect();
    let mut is_reference = is_reference.into_iter();
    spec.criteria.retain(|_| !is_reference.next().unwrap_or(false));
    let mut seen: HashMap<(String, Option<String>), FileIx> = HashMap::new();
    spec.criteria.retain(|criterion| {
        let key = (criterion.text.to_lowercase(), criterion.story.clone());
        let file = *seen.entry(key).or_insert(criterion.span.file);
        criterion.given_id || file == criterion.span.file
    });
}

/// Gives every criterion an id of its own; the second use of an id gets a number.
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

/// Sets levels by ids, and by phases that count their tasks.
fn set_levels(spec: &mut Spec) {
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

/// Sets the title, and the summary from the first paragraph about the purpose.
fn set_title_and_summary(spec: &mut Spec, documents: &[OpenDocument]) {
    // Requirements describe the whole best, then designs.
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
    let mut trees = documents.iter().filter(|d| d.kind != DocumentKind::Conventions).map(|d| &d.tree);
    spec.summary = trees.clone().find_map(purpose).or_else(|| trees.find_map(opening)).unwrap_or_default();
}

/// The first paragraph below the title.
fn opening(tree: &SectionTree) -> Option<String> {
    let opens = |block: &&DocumentBlock| !tree.sections[block.section].is_part();
    tree.blocks.iter().take_while(opens).find_map(|block| match &block.content {
        // `**Author:** …` is about the document.
        BlockContent::Paragraph(text) if text.text.len() > 20 && text.bold.is_none() => {
            Some(text.text.clone())
        }
        _ => None,
    })
}

/// The first paragraph of a section about the purpose of the whole.
fn purpose(tree: &SectionTree) -> Option<String> {
    const TITLES: [&str; 6] = ["summary", "overview", "problem", "purpose", "goal", "introduction"];
    let fits = |section: &DocumentSection| {
        let lower = section.title.text.to_lowercase();
        section.meaning.topic == Some(Topic::Background) && TITLES.iter().any(|w| lower.contains(w))
    };
    tree.blocks.iter().find_map(|block| match &block.content {
        BlockContent::Paragraph(text) if text.text.len() > 20 => {
            fits(&tree.sections[block.section]).then(|| text.text.clone())
        }
        _ => None,
    })
}
