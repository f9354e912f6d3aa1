//! Orders from what the documents say builds on what: sentences, diagrams, types of members, imports in code blocks.
//!
//! The documents name classes, components and files; a [`CodeMap`] says which unit makes the thing of a name.

use std::collections::{BTreeSet, HashMap};
use windlass_code::survey::Language;

use super::name;
use super::unit::Unit;
use crate::file_kind::FileKind;
use crate::spec::{Spec, StatedUse, UseStrength};
use windlass_code::syntax::imports;

/// A use between two units: the first builds on the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct UnitUse {
    pub(super) plainness: Plainness,
    pub(super) user: usize,
    pub(super) used: usize,
}

/// How plainly a use follows from the documents, the plainest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Plainness {
    /// A list of what is made one after the other.
    Ordered,
    /// A sentence, an import or inheritance.
    Said,
    /// The type of a member.
    Typed,
    /// A line of a diagram, by its strength.
    Drawn(UseStrength),
}

/// Every use between two different units, the plainest first.
pub(super) fn unit_uses(units: &[Unit], spec: &Spec) -> Vec<UnitUse> {
    let map = CodeMap::of(units, spec);
    let mut found: BTreeSet<UnitUse> = BTreeSet::new();
    let mut add = |plainness, user: Option<usize>, used: Option<usize>| {
        if let (Some(user), Some(used)) = (user, used)
            && user != used
        {
            found.insert(UnitUse { plainness, user, used });
        }
    };
    for stated in &spec.uses {
        add(plainness(stated), map.unit(&stated.user), map.unit(&stated.used));
    }
    for class in &spec.classes {
        let user = map.unit(&class.name);
        for word in class.members.iter().flat_map(|member| type_words(member)) {
            add(Plainness::Typed, user, map.declared(word));
        }
    }
    for (user, path) in map.imports(units, spec) {
        add(Plainness::Said, Some(user), Some(path));
    }
    found.into_iter().collect()
}

fn plainness(stated: &StatedUse) -> Plainness {
    match stated.strength {
        UseStrength::Ordered => Plainness::Ordered,
        UseStrength::Said | UseStrength::Inherited => Plainness::Said,
        drawn @ (UseStrength::Drawn | UseStrength::Called | UseStrength::Told | UseStrength::Charted) => {
            Plainness::Drawn(drawn)
        }
    }
}

/// The words of a member that may be types; the name of the member itself may be one too, which does no harm.
fn type_words(member: &str) -> impl Iterator<Item = &str> {
    member.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| word.len() > 2)
}

/// Joins units that plainly build on each other: neither can be made and tested before the other.
pub(super) fn join_mutual(units: &mut Vec<Unit>, spec: &Spec) {
    let uses = unit_uses(units, spec);
    let plain = |u: &&UnitUse| matches!(u.plainness, Plainness::Said | Plainness::Typed);
    let pairs: BTreeSet<(usize, usize)> = uses.iter().filter(plain).map(|u| (u.user, u.used)).collect();
    // What a list makes one after the other is made apart.
    let ordered: BTreeSet<usize> =
        uses.iter().filter(|u| u.plainness == Plainness::Ordered).flat_map(|u| [u.user, u.used]).collect();
    let alone = |at: usize| {
        let makes_code = units[at].makes_code();
        units[at].stated.is_empty() && makes_code && !ordered.contains(&at)
    };
    let mutual: Vec<(usize, usize)> = pairs
        .iter()
        .filter(|(a, b)| a < b && pairs.contains(&(*b, *a)) && alone(*a) && alone(*b))
        .copied()
        .collect();
    // From the back, so that earlier indices stay valid; a unit that was joined already is left alone.
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for (keep, other) in mutual.into_iter().rev() {
        if gone.contains(&keep) || !gone.insert(other) {
            continue;
        }
        let joined = std::mem::take(&mut units[other]);
        let unit = &mut units[keep];
        unit.files.extend(joined.files);
        if !joined.text.is_empty() && !unit.text.contains(&joined.text) {
            let sep = if unit.text.is_empty() { "" } else { "; " };
            unit.text = format!("{}{sep}{}", unit.text, joined.text);
        }
    }
    let mut at = 0;
    units.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
}

/// Which unit makes the thing of a name.
struct CodeMap {
    /// Files by path, with their unit.
    paths: Vec<(String, usize)>,
    /// Names in lower case without marks; `None` if several units have it.
    by_file: HashMap<String, Option<usize>>,
    by_home: HashMap<String, usize>,
    by_component: HashMap<String, Option<usize>>,
}

impl CodeMap {
    fn of(units: &[Unit], spec: &Spec) -> CodeMap {
        let mut map = CodeMap {
            paths: Vec::new(),
            by_file: HashMap::new(),
            by_home: HashMap::new(),
            by_component: HashMap::new(),
        };
        let made = |unit: &Unit| -> Vec<String> {
            let kinds = [FileKind::Code, FileKind::Types];
            unit.owned().filter(|f| kinds.contains(&f.kind)).map(|f| f.path.clone()).collect()
        };
        for (at, unit) in units.iter().enumerate().filter(|(_, u)| !u.prepares()) {
            for path in made(unit) {
                put(&mut map.by_file, flat(subject(&path)), at);
                map.paths.push((path, at));
            }
        }
        for home in &spec.homes {
            if let Some(unit) = map.owner(&home.path) {
                map.by_home.entry(flat(&home.name)).or_insert(unit);
            }
        }
        for component in &spec.components {
            let owners: Vec<usize> = component.files.iter().filter_map(|file| map.owner(file)).collect();
            for unit in owners {
                put(&mut map.by_component, flat(&component.name), unit);
            }
        }
        map
    }

    fn owner(&self, path: &str) -> Option<usize> {
        let exact = self.paths.iter().find(|(known, _)| known == path);
        let by_end = || {
            let ends = |known: &str| known.strip_suffix(path).is_some_and(|head| head.ends_with('/'));
            let mut fitting = self.paths.iter().filter(|(known, _)| ends(known));
            let first = fitting.next()?;
            fitting.all(|other| other.1 == first.1).then_some(first)
        };
        exact.or_else(by_end).map(|(_, unit)| *unit)
    }

    /// The unit of a name of any kind.
    fn unit(&self, name: &str) -> Option<usize> {
        let name = name.trim_end_matches("()");
        self.owner(name).or_else(|| self.declared(name)).or_else(|| {
            let whole = self.by_component.get(&flat(name)).copied().flatten();
            // `workbook.write`: the object before the dot.
            let object = || name.split_once('.').and_then(|(object, _)| self.declared(object));
            // `Cart service`: what it is called, without what it is.
            let bare =
                || name.split_once(' ').filter(|(_, kind)| is_kind(kind)).and_then(|(n, _)| self.declared(n));
            whole.or_else(object).or_else(bare)
        })
    }

    /// The unit of a class, module or function.
    fn declared(&self, name: &str) -> Option<usize> {
        let name = flat(name);
        let by_file = self.by_file.get(&name).copied();
        by_file.flatten().or_else(|| self.by_home.get(&name).copied())
    }

    /// The imports in code blocks that documents show for a file.
    fn imports(&self, units: &[Unit], spec: &Spec) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for detail in &spec.details {
            for code in &detail.code {
                let path = code.path.as_deref().or(detail.subject.as_deref());
                let Some((path, user)) = path.and_then(|p| Some((p, self.owner(p)?))) else { continue };
                for import in imports(path, code.text.as_bytes()) {
                    found.extend(self.imported(&import.module).map(|used| (user, used)));
                }
            }
        }
        found.retain(|(user, used)| user != used && *user < units.len());
        found
    }

    /// The unit of an imported module: `./store`, `shop.cart`, `crate::cart`, `cart.h`.
    fn imported(&self, module: &str) -> Option<usize> {
        let module = module.trim_matches(['"', '\'', '<', '>']).replace("::", "/");
        let module = if module.contains('/') || Language::is_header(&module) {
            module
        } else {
            module.replace('.', "/")
        };
        let parts: Vec<&str> = module
            .split('/')
            .filter(|p| !matches!(*p, "" | "." | ".." | "crate" | "self" | "super" | "@"))
            .collect();
        let wanted = parts.join("/");
        let without_end = |path: &str| {
            let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            stem.trim_end_matches("/index").trim_end_matches("/__init__").trim_end_matches("/mod").to_owned()
        };
        let fits = |path: &str| {
            let stem = without_end(path);
            let full = [stem.as_str(), path].into_iter().any(|known| {
                known == wanted || known.strip_suffix(wanted.as_str()).is_some_and(|head| head.ends_with('/'))
            });
            full && !wanted.is_empty()
        };
        let mut fitting = self.paths.iter().filter(|(path, _)| fits(path));
        let first = fitting.next()?;
        fitting.all(|other| other.1 == first.1).then_some(first.1)
    }
}

fn put(map: &mut HashMap<String, Option<usize>>, key: String, unit: usize) {
    map.entry(key).and_modify(|known| *known = known.filter(|at| *at == unit)).or_insert(Some(unit));
}

/// What a file is about: its name, or its folder's where the name says nothing.
fn subject(path: &str) -> &str {
    let stem = name::stem(path);
    let folder = || path.rsplit('/').nth(1);
    match stem {
        "index" | "mod" | "__init__" => folder().unwrap_or(stem),
        "__main__" => "main",
        _ => stem,
    }
}

/// A name in lower case, letters and digits only: `CSVUtils`, `csv_utils` and `csv-utils` are the same.
fn flat(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_kind(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "class"
            | "module"
            | "service"
            | "component"
            | "file"
            | "script"
            | "layer"
            | "handler"
            | "store"
            | "api"
    )
}
