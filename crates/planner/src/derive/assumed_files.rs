//! Units for documents that name no file: one per story or feature; with a design, one per component, model and
//! endpoint; else one per requirement. The file of each is assumed from the layout of the repository.

use super::DeriveOptions;
use super::criteria_links;
use super::default_layout::FileLayout;
use super::name::{begins_with_verb, is_order};
use super::named_units;
use super::note::{Note, NoteKind};
use super::serving_code::{ServingCode, routes_in, serving_code};
use super::subject::{names_only_the_document, subject};
use super::unit::{Unit, UnitFile};
use super::verification;
use super::words::{headline, wanted, words};
use crate::file_kind::FileKind;
use crate::repository::Repository;
use crate::spec::{DocumentKind, Endpoint, Operation, Spec, SpecCriterion, Story};
use windlass_core::diagnostic::Span;

/// How a document gives a thing a file.
const NAME_IT: &str = "name it in a file ownership table";

/// Units with assumed files.
pub(super) fn units(
    spec: &Spec,
    repository: &Repository<'_>,
    options: &DeriveOptions,
    notes: &mut Vec<Note>,
) -> Vec<Unit> {
    let Some(place) = FileLayout::of(spec, &subject(spec, options), repository, options, notes) else {
        return open_units(spec, options, notes);
    };
    let mut units: Vec<Unit> = Vec::new();
    let mut made: Vec<String> = Vec::new();
    let things = things(spec, options);
    let texts: Vec<String> = things.iter().map(|thing| said(thing, spec)).collect();
    let mut serving: Vec<Option<ServingCode>> =
        texts.iter().map(|text| serving_code(text, repository)).collect();
    let routes: Vec<Vec<String>> = texts.iter().map(|text| routes_in(text)).collect();
    for at in 0..things.len() {
        if serving[at].is_none() {
            serving[at] = beside_its_routes(at, &things, &routes, &serving);
        }
    }
    for (thing, served) in things.into_iter().zip(serving) {
        let named = named_files(&thing, spec);
        if !named.is_empty() {
            made.extend(named.iter().map(|file| file.path.clone()));
            units.push(Unit { files: named, is_assumed: false, ..unit_of(thing) });
            continue;
        }
        let open_test = |thing: &Deliverable, made: &[String]| {
            let path = place.fresh(&thing.name, thing.folder, made);
            verification::test_apart(&path, repository).filter(|_| place.is_open_for(thing.folder))
        };
        let known = || place.existing(&thing.name).or_else(|| critical(&thing, spec, repository, options));
        let (paths, reason) = match (served, known()) {
            (Some(found), _) => (found.files, found.reason),
            (None, Some(path)) => (vec![path], "it is called so".to_owned()),
            // What every part of a program does has no place of its own in it; nor has what is new among code, unless the code has
            // a folder for things of its kind, or its tests stand in the files of the code.
            (None, None)
                if place.project().is_none() && (thing.rest || open_test(&thing, &made).is_some()) =>
            {
                let text = format!("the documents give {} no file; its files are left open", thing.name);
                notes.push(Note::new(NoteKind::Assumed, text).at(thing.span).help(NAME_IT));
                let open_test = open_test(&thing, &made);
                made.push(place.fresh(&thing.name, thing.folder, &made));
                units.push(Unit { is_open: true, open_test, ..unit_of(thing) });
                continue;
            }
            (None, None) => {
                // The whole of a new project is called like the project.
                let whole = place
                    .project()
                    .filter(|_| thing.whole || thing.rest)
                    .map(|project| project.name.as_str());
                let path = place.fresh(whole.unwrap_or(&thing.name), thing.folder, &made);
                (vec![path], "a new file, named after it".to_owned())
            }
        };
        made.extend(paths.iter().cloned());
        units.push(assumed(thing, paths, &reason, notes));
    }
    if let Some(project) = place.project() {
        project.complete(&mut units, &texts);
    }
    units
}

/// Gives units without files a test each in a project that has code: what the test imports is what they change.
pub(super) fn give_tests(
    units: &mut [Unit],
    spec: &Spec,
    repository: &Repository<'_>,
    options: &DeriveOptions,
) {
    let lacks_test = |unit: &Unit| unit.is_open && unit.open_test.is_none();
    if !units.iter().any(lacks_test) {
        return;
    }
    let layout = FileLayout::of(spec, &subject(spec, options), repository, options, &mut Vec::new());
    let Some(place) = layout.filter(|place| place.project().is_none()) else { return };
    let mut made: Vec<String> = Vec::new();
    for unit in units.iter_mut().filter(|unit| lacks_test(unit)) {
        let path = place.fresh(&unit.title, "", &made);
        unit.open_test = verification::test_apart(&path, repository);
        made.push(path);
    }
}

/// The unit of a deliverable in files that the documents do not give it.
fn assumed(thing: Deliverable, paths: Vec<String>, reason: &str, notes: &mut Vec<Note>) -> Unit {
    let listed: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    let text =
        format!("the documents give {} no file; assuming {} ({reason})", thing.name, listed.join(", "));
    notes.push(Note::new(NoteKind::Assumed, text).at(thing.span).help(NAME_IT));
    let file = |path: String| UnitFile {
        kind: FileKind::of(&path),
        path,
        operation: Operation::Unsaid,
        note: String::new(),
        lines: None,
    };
    let files = paths.into_iter().map(file).filter(|f| f.kind != FileKind::Test);
    Unit { files: files.collect(), is_assumed: true, ..unit_of(thing) }
}

/// The code of another thing whose routes lead to the same resource: `/loans` belongs where `/books/{id}/loans` is answered.
fn beside_its_routes(
    at: usize,
    things: &[Deliverable],
    routes: &[Vec<String>],
    serving: &[Option<ServingCode>],
) -> Option<ServingCode> {
    let resources: Vec<String> = routes[at].iter().map(|route| resource(route)).collect();
    let leads_there = |other: &usize| {
        let mut parts = routes[*other].iter().flat_map(|route| route.split('/'));
        parts.any(|part| resources.iter().any(|own| own == part))
    };
    let found =
        (0..things.len()).filter(|other| *other != at && serving[*other].is_some()).find(leads_there)?;
    let reason = format!("the routes of {} are there", things[found].name);
    serving[found].clone().map(|code| ServingCode { reason, ..code })
}

/// Units without files, where nothing says which language the code is in.
fn open_units(spec: &Spec, options: &DeriveOptions, notes: &mut Vec<Note>) -> Vec<Unit> {
    let things = things(spec, options);
    if let Some(first) = things.first() {
        let text = "the documents name none, and there is no code; until it is known, the tasks own no files"
            .to_owned();
        notes.push(
            Note::new(NoteKind::Language, text)
                .at(first.span)
                .help("say it in the documents, or `windlass plan --language NAME`"),
        );
    }
    things.into_iter().map(|thing| Unit { is_open: true, ..unit_of(thing) }).collect()
}

/// The title of all that the documents ask for.
pub(super) fn whole_title(spec: &Spec, options: &DeriveOptions) -> String {
    titled(&subject(spec, options))
}

/// The unit of a deliverable, without files.
fn unit_of(thing: Deliverable) -> Unit {
    Unit {
        title: thing.title,
        text: thing.text,
        stories: thing.story.iter().cloned().collect(),
        slice: thing.story,
        thing: (!thing.whole && !thing.rest).then_some(thing.name),
        is_rest: thing.rest,
        span: Some(thing.span),
        ..Unit::default()
    }
}

/// The source files that the criteria of a story name.
fn named_files(thing: &Deliverable, spec: &Spec) -> Vec<UnitFile> {
    let Some(story) = &thing.story else { return Vec::new() };
    let own: Vec<Span> =
        spec.criteria.iter().filter(|c| c.story.as_ref() == Some(story)).map(|c| c.span).collect();
    let is_said =
        |span: Span| own.iter().any(|c| c.file == span.file && c.start < span.end && span.start < c.end);
    let mut found: Vec<UnitFile> = Vec::new();
    for row in spec.mentions.iter().filter(|row| is_said(row.span)) {
        let kind = FileKind::of(&row.path);
        if kind != FileKind::Code || found.iter().any(|file| file.path == row.path) {
            continue;
        }
        found.push(UnitFile {
            path: row.path.clone(),
            operation: row.operation,
            kind,
            note: String::new(),
            lines: None,
        });
    }
    found
}

/// All that the documents say about a deliverable: its text and its criteria as they are written.
fn said(thing: &Deliverable, spec: &Spec) -> String {
    let all = || spec.criteria.iter();
    let criteria: Vec<&SpecCriterion> = match &thing.story {
        Some(story) => all().filter(|c| c.story.as_ref() == Some(story)).collect(),
        None if thing.rest => criteria_links::loose(spec),
        // The whole of a document without stories, or the requirement that is a thing by itself.
        None => all().filter(|c| thing.whole || c.span == thing.span).collect(),
    };
    criteria
        .iter()
        .fold(format!("{} {} {}", thing.name, thing.title, thing.text), |all, c| all + " " + &c.text)
}

/// The critical file of a session that provides a name which the thing's text or criteria use: `Store.list()`.
fn critical(
    thing: &Deliverable,
    spec: &Spec,
    repository: &Repository<'_>,
    options: &DeriveOptions,
) -> Option<String> {
    let said = said(thing, spec);
    let words: Vec<&str> = said.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let provides = |path: &&String| {
        let facts = repository.survey().facts(path);
        let named = |name: &str| name.len() > 2 && words.contains(&name) && !is_word(name);
        facts.is_some_and(|f| {
            f.exports.iter().any(|e| named(e.name.split(['.', ':']).next().unwrap_or(&e.name)))
        })
    };
    options.findings.critical_files.iter().find(provides).cloned()
}

/// Whether a name could be a word of a sentence: only a name in mixed case or with an underscore is told from one.
fn is_word(name: &str) -> bool {
    !name.contains('_') && name.chars().all(char::is_lowercase)
}

/// Something to build, and the words for it.
struct Deliverable {
    name: String,
    title: String,
    text: String,
    /// The usual folder for things of its kind; empty if there is none.
    folder: &'static str,
    /// The story it implements.
    story: Option<String>,
    /// Whether it is all that the documents ask for.
    whole: bool,
    /// Whether it is what no story covers.
    rest: bool,
    span: Span,
}

/// The deliverables of a specification.
fn things(spec: &Spec, options: &DeriveOptions) -> Vec<Deliverable> {
    let designed = spec.documents.iter().any(|d| d.kind == DocumentKind::Design);
    // Components without files say how something is built; where most criteria stand below things, these divide the work.
    let is_placed = |c: &&SpecCriterion| c.story.is_some();
    let says_most = spec.components.iter().all(|c| c.files.is_empty())
        && spec.stories.len() > 1
        && spec.criteria.iter().filter(is_placed).count() * 2 > spec.criteria.len();
    if (!designed || spec.components.is_empty() || says_most) && !spec.stories.is_empty() {
        return stories(spec, options);
    }
    let parts = parts(spec);
    if !parts.is_empty() {
        return parts;
    }
    if !spec.stories.is_empty() {
        return stories(spec, options);
    }
    // What is asked of everything is no part of it.
    let (of_all, stated): (Vec<&SpecCriterion>, Vec<&SpecCriterion>) =
        spec.criteria.iter().filter(|c| c.given_id).partition(|c| criteria_links::is_of_all(c));
    let mut requirements: Vec<Deliverable> =
        stated.iter().map(|c| requirement(&c.text, &c.detail, c.span)).collect();
    if !requirements.is_empty() {
        requirements.extend(of_all.first().map(|first| rest(spec, options, first.span)));
        return requirements;
    }
    let whole = spec.criteria.first().map(|c| {
        let name = subject(spec, options);
        let title = titled(&name);
        Deliverable {
            name,
            title,
            text: spec.summary.clone(),
            folder: "",
            story: None,
            whole: true,
            rest: false,
            span: c.span,
        }
    });
    whole.into_iter().collect()
}

fn requirement(text: &str, detail: &str, span: Span) -> Deliverable {
    Deliverable {
        name: headline(text, 70).split_whitespace().take(6).collect::<Vec<_>>().join(" "),
        title: headline(text, 70),
        text: detail.to_owned(),
        folder: "",
        story: None,
        whole: false,
        rest: false,
        span,
    }
}

/// One deliverable per model, component and endpoint.
fn parts(spec: &Spec) -> Vec<Deliverable> {
    let mut things: Vec<Deliverable> = Vec::new();
    for model in spec.models.iter().filter(|m| !is_generic(&m.name)) {
        let fields = if model.fields.is_empty() {
            String::new()
        } else {
            format!(" with {}", model.fields.join(", "))
        };
        let text = format!("Define {}{fields}", model.name);
        things.push(part(
            model.name.clone(),
            format!("Create {} model", model.name),
            text,
            "models",
            model.span,
        ));
    }
    for component in &spec.components {
        let (name, text) = (component.name.clone(), component.responsibility.clone());
        things.push(part(name, format!("Create {}", component.name), text, "services", component.span));
    }
    things.extend(endpoint_parts(spec));
    things
}

fn part(name: String, title: String, text: String, folder: &'static str, span: Span) -> Deliverable {
    Deliverable { name, title, text, folder, story: None, whole: false, rest: false, span }
}

/// One deliverable for the routes of a resource.
fn endpoint_parts(spec: &Spec) -> Vec<Deliverable> {
    let mut resources: Vec<(String, Vec<&Endpoint>)> = Vec::new();
    // What stands in the section of a component is a part of it.
    let is_inside = |e: &&Endpoint| {
        let stated =
            spec.criteria.iter().find(|c| c.span.file == e.span.file && c.span.start == e.span.start);
        let around = stated.map(|c| c.headings.as_slice()).unwrap_or_default();
        spec.components
            .iter()
            .any(|c| around.iter().any(|heading| named_units::heading_names(heading, &c.name)))
    };
    for endpoint in spec.endpoints.iter().filter(|e| !is_inside(e)) {
        let resource = resource(&endpoint.route);
        match resources.iter_mut().find(|(name, _)| *name == resource) {
            Some((_, list)) => list.push(endpoint),
            None => resources.push((resource, vec![endpoint])),
        }
    }
    let line = |e: &&Endpoint| format!("{} {}: {}", e.method, e.route, e.text);
    let of_resource = |(name, list): (String, Vec<&Endpoint>)| {
        let (name, title, text) = match list.as_slice() {
            [only] => (
                format!("{} {}", only.method.to_lowercase(), only.route),
                format!("Add {} {}", only.method, only.route),
                only.text.clone(),
            ),
            several => {
                let title = format!("Add the endpoints of /{name}");
                (name, title, several.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
        };
        part(name, title, text, "routes", list[0].span)
    };
    resources.into_iter().map(of_resource).collect()
}

/// Whether the name of a model is only what its section is called.
fn is_generic(name: &str) -> bool {
    matches!(
        name.to_lowercase().as_str(),
        "data" | "data model" | "model" | "models" | "schema" | "database" | "entities" | "types" | "fields"
    )
}

/// The first segment of a route that names something: `items` of `/api/v1/items/{id}`.
fn resource(route: &str) -> String {
    let is_version =
        |part: &str| part.starts_with('v') && part[1..].chars().all(|c| c.is_ascii_digit()) && part.len() > 1;
    let mut parts = route.split('/').filter(|p| !p.is_empty() && *p != "api" && !is_version(p));
    parts.next().unwrap_or(route).trim_matches(['{', '}', ':', '<', '>']).to_owned()
}

/// One deliverable per story, and one for what none of them covers; endpoints and models are added to the story that shares most words with them.
fn stories(spec: &Spec, options: &DeriveOptions) -> Vec<Deliverable> {
    let mut things: Vec<Deliverable> = spec
        .stories
        .iter()
        .map(|story| (story, headline(&story.title, 72)))
        .map(|(story, headline)| Deliverable {
            // `The system shall export carts` is the order to export them.
            title: if wanted(&story.title).is_some() { headline.clone() } else { titled(&headline) },
            name: headline,
            text: story.text.clone(),
            folder: "",
            story: Some(story.id.clone()),
            whole: false,
            rest: false,
            span: story.span,
        })
        .collect();
    // A criterion says it already.
    let is_said = |e: &Endpoint| {
        let holds = |c: &SpecCriterion| {
            c.span.file == e.span.file && c.span.start <= e.span.start && e.span.start < c.span.end
        };
        spec.criteria.iter().any(|c| holds(c) || (!e.text.is_empty() && c.text == e.text))
    };
    let endpoints = spec
        .endpoints
        .iter()
        .filter(|e| !is_said(e))
        .map(|e| (format!("{} {}", e.method, e.route), e.text.clone()));
    let models = spec.models.iter().map(|m| (format!("the model {}", m.name), m.fields.join(", ")));
    for (what, text) in endpoints.chain(models) {
        if let Some(at) = closest(&spec.stories, &format!("{what} {text}")) {
            let colon = if text.is_empty() { "" } else { ": " };
            let thing: &mut Deliverable = &mut things[at];
            thing.text = format!("{}\n\nWith {what}{colon}{text}", thing.text.trim_end());
        }
    }
    if let Some(first) = criteria_links::loose(spec).first() {
        things.push(rest(spec, options, first.span));
    }
    things
}

/// The deliverable of what no other one covers.
fn rest(spec: &Spec, options: &DeriveOptions, span: Span) -> Deliverable {
    let name = subject(spec, options);
    let is_titled = spec.title.as_ref().is_some_and(|title| !names_only_the_document(title));
    let title = format!("Common behaviour of {}", if is_titled { name.as_str() } else { "the whole" });
    Deliverable { name, title, text: String::new(), folder: "", story: None, whole: false, rest: true, span }
}

/// The story that shares most words with a text.
fn closest(stories: &[Story], text: &str) -> Option<usize> {
    let own = words(text);
    let score = |story: &Story| {
        let theirs = words(&format!("{} {}", story.title, story.text));
        own.iter().filter(|word| theirs.contains(word)).count()
    };
    let scores: Vec<usize> = stories.iter().map(score).collect();
    let at = (0..stories.len()).max_by_key(|n| (scores[*n], std::cmp::Reverse(*n)))?;
    (scores[at] > 0).then_some(at)
}

/// A title with a verb: unchanged where it has one, else with `Build` in front.
fn titled(name: &str) -> String {
    let name = name.trim();
    let words: Vec<&str> = name.split_whitespace().collect();
    let capitals = words.iter().filter(|w| w.starts_with(|c: char| c.is_uppercase())).count();
    // A sentence needs no verb in front; a capitalised name stays capitalised.
    let does = words.len() == 4 && capitals < 2 && words[1].ends_with('s') && !words[1].ends_with("ss");
    let sentence = (words.len() > 4 && capitals < 3) || does;
    // `Build` in front of a title in another script would be two languages.
    let letters = || name.chars().filter(|c| c.is_alphabetic());
    let is_foreign = letters().filter(|c| !c.is_ascii()).count() * 2 > letters().count();
    if begins_with_verb(name) || sentence || is_foreign || is_order(name) {
        let mut chars = name.chars();
        return chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default();
    }
    if capitals > 1 { format!("Build {name}") } else { format!("Build {}", lower_first(name)) }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let second_upper = text.chars().nth(1).is_some_and(char::is_uppercase);
    match chars.next() {
        Some(first) if !second_upper => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_say_what_is_done() {
        let table = [
            ("Properly Sized UFO", "Build Properly Sized UFO"),
            ("Start New Feature in a Worktree", "Start New Feature in a Worktree"),
            ("semantic search", "Build semantic search"),
            ("Add a cart", "Add a cart"),
            ("API", "Build API"),
            ("lend a book", "Lend a book"),
            ("регистрация и вход", "Регистрация и вход"),
            ("Disconnecting removes cursors instantly", "Disconnecting removes cursors instantly"),
            ("active shape drag shows a border", "Active shape drag shows a border"),
        ];
        for (name, expected) in table {
            assert_eq!(titled(name), expected);
        }
    }
}
