//! Which unit a text names: by an id, a file, a name of code, a route or a component. The index is built once for all
//! criteria of a specification.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use windlass_core::path_text::file_name;

use super::contracts;
use super::name::stem;
use super::unit::Unit;
use super::words::words;
use crate::file_kind::{self, FileKind};
use crate::lint::outcome::{ExpectedOutcome, outcome};
use crate::spec::Spec;

/// The units of a plan by what documents call them.
pub(super) struct NamedUnits {
    /// The first unit in whose description an id is named.
    ids: HashMap<String, usize>,
    tasks: HashMap<String, usize>,
    slices: HashMap<String, usize>,
    /// The only unit that is no preparation.
    only: Option<usize>,
    /// The owned files of units, in the order of the units.
    files: Vec<(usize, String)>,
    /// Names that contracts declare, and words of file names; `None` if several units have it.
    declared: HashMap<String, Option<usize>>,
    modules: HashMap<Vec<String>, Option<usize>>,
    /// Words that begin the examples of a story's criteria: `complete` of `complete 1`.
    commands: HashMap<String, Option<usize>>,
    /// The units that answer requests, with the words of their file names.
    endpoints: Vec<(usize, HashSet<String>)>,
    /// What units make, without marks; `None` if several make it.
    things: HashMap<String, Option<usize>>,
    /// Components by the first word of their name.
    components: HashMap<String, Vec<NamedComponent>>,
}

struct NamedComponent {
    parts: Vec<String>,
    unit: usize,
}

impl NamedUnits {
    pub(super) fn of(units: &[Unit], spec: &Spec) -> NamedUnits {
        let mut named = NamedUnits {
            ids: HashMap::new(),
            tasks: HashMap::new(),
            slices: HashMap::new(),
            only: None,
            files: Vec::new(),
            declared: HashMap::new(),
            modules: HashMap::new(),
            commands: HashMap::new(),
            endpoints: Vec::new(),
            things: HashMap::new(),
            components: HashMap::new(),
        };
        let mut working = (0..units.len()).filter(|at| !units[*at].prepares());
        named.only = working.next().filter(|_| working.next().is_none());
        let given: HashSet<&str> =
            spec.criteria.iter().filter(|c| c.given_id).map(|c| c.id.as_str()).collect();
        // A task that only prepares is named beside many criteria; those that make code serve them.
        let mut order: Vec<usize> = (0..units.len()).collect();
        order.sort_by_key(|at| units[*at].of_kind(FileKind::Code).next().is_none());
        for (at, unit) in order.into_iter().map(|at| (at, &units[at])) {
            if !unit.stated.is_empty() {
                named.tasks.entry(unit.stated.clone()).or_insert(at);
            }
            if let Some(slice) = &unit.slice {
                named.slices.entry(slice.clone()).or_insert(at);
            }
            if !unit.prepares() {
                named.add_ids(at, unit, spec, &given);
                named.files.extend(unit.owned().map(|f| (at, f.path.clone())));
            }
            if let Some(thing) = &unit.thing {
                put(&mut named.things, flat(thing), at);
            }
            for name in contracts::declared(unit) {
                put(&mut named.declared, name, at);
            }
            for file in unit.of_kind(FileKind::Code) {
                put(&mut named.modules, words(stem(&file.path)), at);
            }
            let surface =
                |path: &str| file_kind::layer(path) == Some(file_kind::ENDPOINTS) && !calls_endpoints(path);
            if unit.of_kind(FileKind::Code).any(|f| surface(&f.path)) {
                let own = unit.of_kind(FileKind::Code).flat_map(|f| words(stem(&f.path)));
                named.endpoints.push((at, own.collect()));
            }
        }
        named.add_components(spec);
        named.add_commands(spec);
        named
    }

    /// Adds the commands that the criteria of stories show.
    fn add_commands(&mut self, spec: &Spec) {
        for criterion in &spec.criteria {
            let unit = criterion.story.as_ref().and_then(|story| self.slices.get(story)).copied();
            for (unit, word) in
                unit.into_iter().flat_map(|unit| commands(&criterion.text).map(move |w| (unit, w)))
            {
                put(&mut self.commands, word.to_owned(), unit);
            }
        }
    }

    /// The only unit whose criteria show a command that a text names.
    pub(super) fn by_command(&self, text: &str) -> Option<usize> {
        let mut found = commands(text).filter_map(|word| self.commands.get(word).copied().flatten());
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// Adds the ids that the documents name where they describe a unit.
    fn add_ids(&mut self, at: usize, unit: &Unit, spec: &Spec, given: &HashSet<&str>) {
        let texts = [&unit.title, &unit.text].into_iter().chain(unit.files.iter().map(|f| &f.note));
        for text in texts {
            let spoken = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')));
            for id in spoken.map(|w| w.trim_end_matches('.')).filter(|w| given.contains(w)) {
                self.ids.entry(id.to_owned()).or_insert(at);
            }
        }
        let components = spec.components.iter().filter(|c| !c.serves.is_empty());
        let served = components.filter(|c| c.files.iter().any(|f| unit.owns(f))).flat_map(|c| &c.serves);
        let details = unit.details.iter().filter_map(|d| spec.details.get(*d)).flat_map(|d| &d.ids);
        for id in served.chain(details) {
            self.ids.entry(id.clone()).or_insert(at);
        }
    }

    fn add_components(&mut self, spec: &Spec) {
        let mut owners: HashMap<&str, Vec<usize>> = HashMap::new();
        for (unit, path) in &self.files {
            owners.entry(path).or_default().push(*unit);
        }
        for component in &spec.components {
            let own: HashSet<usize> =
                component.files.iter().filter_map(|f| owners.get(f.as_str())).flatten().copied().collect();
            let name = component.name.to_lowercase();
            let parts: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
            let telling = parts.len() > 1 || (name.len() > 4 && !words(&name).is_empty());
            if let (Some(first), Some(unit), 1, true) = (parts.first(), own.iter().next(), own.len(), telling)
            {
                let named = NamedComponent { parts: parts.clone(), unit: *unit };
                self.components.entry(first.clone()).or_default().push(named);
            }
        }
    }

    /// The unit whose thing has a heading of its own: `internal/init - the first request`.
    pub(super) fn by_heading(&self, heading: &str) -> Option<usize> {
        let names = || heading_forms(heading).map(|name| flat(&name)).filter(|name| name.len() > 2);
        names().find_map(|name| self.things.get(&name).copied().flatten())
    }

    /// The only unit whose thing, file or component has exactly this name.
    pub(super) fn by_name(&self, name: &str) -> Option<usize> {
        let own = words(name);
        let of_module = || self.modules.get(&own).copied().flatten().filter(|_| !own.is_empty());
        let lower = name.to_lowercase();
        let parts: Vec<&str> = lower.split_whitespace().collect();
        let of_component = || {
            let alike = self.components.get(*parts.first()?)?.iter().find(|c| c.parts == parts)?;
            Some(alike.unit)
        };
        self.by_heading(name).or_else(of_module).or_else(of_component)
    }

    /// The unit in whose description an id is named.
    pub(super) fn by_id(&self, id: &str) -> Option<usize> {
        self.ids.get(id).copied()
    }

    /// The unit of a task of the documents.
    pub(super) fn by_task(&self, task: &str) -> Option<usize> {
        self.tasks.get(task).copied()
    }

    /// The unit of a story.
    pub(super) fn by_story(&self, story: &str) -> Option<usize> {
        self.slices.get(story).copied()
    }

    /// The only unit that is no preparation.
    pub(super) fn only(&self) -> Option<usize> {
        self.only
    }

    /// The first unit of which a text names a file.
    pub(super) fn by_file(&self, text: &str) -> Option<usize> {
        let may_name = text.contains(['.', '/']);
        let named = || self.files.iter().find(|(_, path)| names_path(path, text));
        may_name.then(named).flatten().map(|(unit, _)| *unit)
    }

    /// The unit that the first name of code in a text belongs to: the only one whose contract declares it, or the only
    /// one with a file called so (`OrderService` is in `order-service.ts`).
    pub(super) fn by_code(&self, text: &str) -> Option<usize> {
        let code = text.split('`').skip(1).step_by(2);
        let named = code.flat_map(|c| c.split(|c: char| !(c.is_alphanumeric() || c == '_')));
        named.filter(|name| name.len() > 2).find_map(|name| {
            let module = || Some(words(name)).filter(|own| name.len() > 3 && !own.is_empty());
            let of_module = || self.modules.get(&module()?).copied().flatten();
            self.declared.get(name).copied().flatten().or_else(of_module)
        })
    }

    /// The only unit with a file that is called like a heading: `Markdown Preprocessor` is `markdown-preprocessor.ts`.
    pub(super) fn by_module(&self, heading: &str) -> Option<usize> {
        self.modules.get(&words(heading)).copied().flatten()
    }

    /// The only unit with a file that is called like the thing that a heading announces: `Entity: Task`, `Order service`.
    pub(super) fn by_subject(&self, heading: &str) -> Option<usize> {
        const KINDS: [&str; 10] = [
            "entity",
            "model",
            "class",
            "module",
            "component",
            "service",
            "table",
            "type",
            "interface",
            "struct",
        ];
        let plain = heading.split('(').next().unwrap_or(heading).replace('`', "");
        let is_kind = |word: &str| KINDS.contains(&word.trim().to_lowercase().as_str());
        let announced = plain.split_once(':').filter(|(kind, _)| is_kind(kind)).map(|(_, name)| name);
        let behind = || plain.trim().rsplit_once(' ').filter(|(_, kind)| is_kind(kind)).map(|(name, _)| name);
        let name = words(announced.or_else(behind)?);
        if name.is_empty() { None } else { self.modules.get(&name).copied().flatten() }
    }

    /// The unit that handles a request named in a text, such as `POST /orders`: among the units with endpoint files,
    /// the one named like the route, else the only one.
    pub(super) fn by_route(&self, text: &str) -> Option<usize> {
        const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];
        let plain = text.replace('`', " ");
        let spoken: Vec<&str> = plain.split_whitespace().collect();
        let pair = spoken.windows(2).find(|w| METHODS.contains(&w[0]) && w[1].starts_with('/'))?;
        let route = words(pair[1]);
        let called = |own: &HashSet<String>| route.iter().any(|word| own.contains(word));
        let mut like = self.endpoints.iter().filter(|(_, own)| called(own));
        match (like.next(), like.next(), self.endpoints.as_slice()) {
            (Some((one, _)), None, _) | (None, _, [(one, _)]) => Some(*one),
            _ => None,
        }
    }

    /// The only unit with endpoint files, for a text about an answer: `API returns 402 when payment fails`.
    pub(super) fn by_answer(&self, text: &str) -> Option<usize> {
        let [(one, _)] = self.endpoints.as_slice() else { return None };
        matches!(outcome(text), Some(ExpectedOutcome::Status { .. })).then_some(*one)
    }

    /// The unit of the first component that a text names: `Login endpoint returns 401`, `User can log out` for `Logout`.
    pub(super) fn by_component(&self, text: &str) -> Option<usize> {
        let lower = text.to_lowercase();
        let spoken: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        let mut found: Vec<(usize, Reverse<usize>, usize)> = Vec::new();
        for at in 0..spoken.len() {
            let here = self.components.get(spoken[at]).into_iter().flatten();
            let here = here.filter(|c| spoken[at..].iter().take(c.parts.len()).eq(c.parts.iter()));
            let both = spoken.get(at..at + 2).map(<[&str]>::concat);
            let joined = both.and_then(|both| self.components.get(&both)).into_iter().flatten();
            let joined = joined.filter(|c| c.parts.len() == 1);
            found.extend(here.chain(joined).map(|c| (at, Reverse(c.parts.join(" ").len()), c.unit)));
        }
        found.into_iter().min().map(|(_, _, unit)| unit)
    }
}

/// Whether a heading is the name of a thing, alone or with a remark behind it.
pub(super) fn heading_names(heading: &str, name: &str) -> bool {
    let name = flat(name);
    name.len() > 2 && heading_forms(heading).any(|form| flat(&form) == name)
}

/// A heading without its number, as a whole and up to a dash, a colon or a bracket.
fn heading_forms(heading: &str) -> impl Iterator<Item = String> {
    let plain = heading.replace('`', "");
    let plain =
        plain.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ')).to_owned();
    let cut = |at: &str| plain.split_once(at).map(|(name, _)| name.to_owned());
    let forms = [cut(" - "), cut(" — "), cut(" – "), cut(":"), cut("(")];
    std::iter::once(plain.clone()).chain(forms.into_iter().flatten())
}

/// A text without anything but its letters, digits and slashes, in lower case.
fn flat(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || *c == '/').flat_map(char::to_lowercase).collect()
}

/// Whether a file calls what others answer: `lib/api.ts`, `services/client.ts`.
fn calls_endpoints(path: &str) -> bool {
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    let in_part = matches!(folder, "lib" | "utils" | "services" | "helpers" | "hooks" | "client");
    in_part && matches!(stem(path), "api" | "client" | "http" | "apiClient" | "api-client" | "api_client")
}

/// The first words of the code spans of a text that are written like a command.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    let spans = text.split('`').skip(1).step_by(2);
    let first = spans.filter_map(|code| code.split_whitespace().next());
    first.filter(|word| word.len() > 2 && word.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
}

fn put<K: std::hash::Hash + Eq>(map: &mut HashMap<K, Option<usize>>, key: K, unit: usize) {
    map.entry(key).and_modify(|known| *known = known.filter(|at| *at == unit)).or_insert(Some(unit));
}

/// Whether a text names a file of a unit.
pub(super) fn names_file(unit: &Unit, text: &str) -> bool {
    text.contains(['.', '/']) && unit.owned().any(|f| names_path(&f.path, text))
}

/// Whether a text names a file: its path, or its name with the ending.
fn names_path(path: &str, text: &str) -> bool {
    let name = file_name(path);
    let whole = path.contains('/') && has_word(text, path);
    whole || (name.contains('.') && name.len() > 4 && has_word(text, name))
}

/// Whether a text contains a whole word.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
    text.match_indices(word)
        .any(|(at, _)| edge(text[..at].chars().next_back()) && edge(text[at + word.len()..].chars().next()))
}
