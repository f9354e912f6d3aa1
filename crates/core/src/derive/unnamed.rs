//! Units where the documents name no file: a unit per component, model, endpoint, story or requirement, in a file that
//! is assumed from the habits of the repository.

use std::collections::BTreeMap;

use super::DeriveOptions;
use super::kind::{self, FileKind};
use super::note::{Note, NoteKind};
use super::unit::{Unit, UnitFile};
use crate::diagnostic::Span;
use crate::spec::{Operation, Spec};
use crate::survey::{Ground, Language, Naming};

/// Units with assumed files.
pub(super) fn units(
    spec: &Spec,
    ground: &dyn Ground,
    options: &DeriveOptions<'_>,
    notes: &mut Vec<Note>,
) -> Vec<Unit> {
    let things = things(spec);
    let Some(language) = language(spec, ground) else { return Vec::new() };
    let mut units: Vec<Unit> = Vec::new();
    for thing in things {
        let path = assumed(&thing, language, ground);
        if units.iter().any(|u| u.owns(&path)) {
            continue;
        }
        let text = format!("the documents name no file for {}; `{path}` is assumed", thing.name);
        notes.push(
            Note::new(NoteKind::Assumed, text).at(thing.span).help("name it in a file ownership table"),
        );
        let file = UnitFile {
            kind: kind::of(&path, options.is_test),
            path,
            operation: Operation::Unsaid,
            note: String::new(),
            lines: None,
        };
        units.push(Unit {
            title: thing.title,
            text: thing.text,
            files: if file.kind == FileKind::Test { Vec::new() } else { vec![file] },
            span: Some(thing.span),
            phase: thing.phase,
            ..Unit::default()
        });
    }
    units
}

/// Something to be made.
struct Thing {
    name: String,
    title: String,
    text: String,
    /// A folder name that says what it is.
    folder: &'static str,
    phase: Option<String>,
    span: Span,
}

/// What is to be made: components; with them models and endpoints; else stories; else requirements.
fn things(spec: &Spec) -> Vec<Thing> {
    let mut things: Vec<Thing> = Vec::new();
    for model in &spec.models {
        let fields = if model.fields.is_empty() {
            String::new()
        } else {
            format!(" with {}", model.fields.join(", "))
        };
        let (name, title) = (model.name.clone(), format!("Create {} model", model.name));
        let text = format!("Define {}{fields}", model.name);
        things.push(Thing { name, title, text, folder: "models", phase: None, span: model.span });
    }
    for component in &spec.components {
        let title = format!("Create {}", component.name);
        let (name, text) = (component.name.clone(), component.responsibility.clone());
        things.push(Thing { name, title, text, folder: "services", phase: None, span: component.span });
    }
    for endpoint in &spec.endpoints {
        let title = format!("Add {} {}", endpoint.method, endpoint.route);
        let name = format!("{} {}", endpoint.method.to_lowercase(), endpoint.route);
        things.push(Thing {
            name,
            title,
            text: endpoint.text.clone(),
            folder: "routes",
            phase: None,
            span: endpoint.span,
        });
    }
    if !things.is_empty() {
        return things;
    }
    for story in &spec.stories {
        let name = story.title.clone();
        let title = format!("Build {}", lower_first(&story.title));
        things.push(Thing {
            name,
            title,
            text: story.text.clone(),
            folder: "",
            phase: None,
            span: story.span,
        });
    }
    if things.is_empty() {
        for criterion in spec.criteria.iter().filter(|c| c.given_id) {
            let title = criterion.text.chars().take(70).collect();
            let (name, text) = (short(&criterion.text), criterion.detail.clone());
            things.push(Thing { name, title, text, folder: "", phase: None, span: criterion.span });
        }
    }
    if things.is_empty() {
        let first = spec.criteria.first();
        things.extend(first.map(|c| {
            let name = spec.title.clone().unwrap_or_else(|| "feature".to_owned());
            let title = format!("Build {}", lower_first(&name));
            Thing { name, title, text: spec.summary.clone(), folder: "", phase: None, span: c.span }
        }));
    }
    things
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let second_upper = text.chars().nth(1).is_some_and(char::is_uppercase);
    match chars.next() {
        Some(first) if !second_upper => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// The first words of a text, for a name.
fn short(text: &str) -> String {
    text.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

/// The language of the repository, else the one the documents show code in.
fn language(spec: &Spec, ground: &dyn Ground) -> Option<Language> {
    let mut votes: BTreeMap<Language, usize> = BTreeMap::new();
    for language in ground.survey().sources().filter_map(Language::of_path) {
        *votes.entry(language).or_default() += 1;
    }
    if votes.is_empty() {
        for code in spec.details.iter().flat_map(|d| &d.code) {
            if let Some(language) = kind::fenced(&code.language) {
                *votes.entry(language).or_default() += 1;
            }
        }
    }
    votes.into_iter().max_by_key(|(_, count)| *count).map(|(language, _)| language)
}

/// Where a new thing would stand: the folder of things of its kind, else where most code is.
fn assumed(thing: &Thing, language: Language, ground: &dyn Ground) -> String {
    let survey = ground.survey();
    let sources: Vec<&str> = survey
        .sources()
        .filter(|path| {
            Language::of_path(path).is_some_and(|l| l.same_family(language)) && !path.contains("test")
        })
        .collect();
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for path in &sources {
        *folders.entry(path.rsplit_once('/').map_or("", |(dir, _)| dir)).or_default() += 1;
    }
    let alike =
        folders.keys().find(|d| !thing.folder.is_empty() && d.rsplit('/').next() == Some(thing.folder));
    let most = || {
        folders.iter().max_by_key(|(dir, count)| (**count, std::cmp::Reverse(dir.len()))).map(|(dir, _)| dir)
    };
    let dir = alike.or_else(most).copied().unwrap_or("src");
    let naming = survey.conventions.iter().find(|c| c.language == language).and_then(|c| c.file_names);
    let ending = sources.first().and_then(|p| p.rsplit_once('.')).map_or_else(|| usual(language), |(_, e)| e);
    let name = file_name(&thing.name, naming.unwrap_or(habit(language)));
    if dir.is_empty() { format!("{name}.{ending}") } else { format!("{dir}/{name}.{ending}") }
}

fn usual(language: Language) -> &'static str {
    match language {
        Language::Python => "py",
        Language::Rust => "rs",
        Language::JavaScript => "js",
        Language::TypeScript => "ts",
        Language::Tsx => "tsx",
        Language::Go => "go",
        Language::Java => "java",
        Language::C => "c",
        Language::Cpp => "cpp",
        Language::Ruby => "rb",
        Language::CSharp => "cs",
        Language::Php => "php",
    }
}

fn habit(language: Language) -> Naming {
    match language {
        Language::Python | Language::Rust | Language::Go | Language::C | Language::Cpp | Language::Ruby => {
            Naming::Snake
        }
        Language::JavaScript | Language::TypeScript => Naming::Kebab,
        Language::Tsx | Language::Java | Language::CSharp | Language::Php => Naming::Pascal,
    }
}

fn file_name(name: &str, naming: Naming) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    for c in name.chars().chain([' ']) {
        let splits = !c.is_ascii_alphanumeric() || (c.is_uppercase() && lower_before);
        if splits && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        lower_before = c.is_lowercase();
    }
    words.truncate(5);
    if words.is_empty() {
        words.push("feature".to_owned());
    }
    let capital = |w: &String| w[..1].to_ascii_uppercase() + &w[1..];
    match naming {
        Naming::Snake => words.join("_"),
        Naming::Kebab => words.join("-"),
        Naming::Pascal => words.iter().map(capital).collect(),
        Naming::Camel => words[0].clone() + &words[1..].iter().map(capital).collect::<String>(),
    }
}
