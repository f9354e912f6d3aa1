//! Existing functions that a new file could use: those of modules that are named for being shared, or that the files
//! around it import.
//!
//! Looks at some files near the new one, never at all of them. Unused functions that match no word of the task are left out.

use crate::detect::is_test_path;
use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::facts::{Export, ExportKind, FileFacts, Import};
use super::import_line::import_line;
use super::place::{below, split};
use super::query::{Survey, words_of};
use crate::language::Language;

/// How many files around the new one are asked what they import, and how many of all others.
const NEAR: usize = 32;
const FAR: usize = 24;
/// How many modules are opened because of their names.
const NAMED: usize = 16;
/// How many modules are shown, how many functions of one, and how many in all.
const MODULES: usize = 4;
const OF_ONE: usize = 5;
const IN_ALL: usize = 12;
/// How much of a signature is shown.
const WIDE: usize = 160;

/// A module with something to use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReusableHelpers {
    /// The file.
    pub path: String,
    /// The word for its language behind a fence.
    pub fence: &'static str,
    /// How it is imported, as the project writes it; nothing where that is not sure or not needed.
    pub import: Option<String>,
    /// Signatures, the most fitting first.
    pub functions: Vec<String>,
}

/// The file that looks for something to use.
pub struct Seeker<'a> {
    /// The file to be written, which need not exist.
    pub file: &'a str,
    /// What it is about, as [`subjects`] gives it.
    pub about: &'a HashSet<String>,
    /// Files that are the task's own or shown already.
    pub known: &'a HashSet<&'a str>,
    /// The text of a file.
    pub read: &'a dyn Fn(&str) -> Option<String>,
}

/// How nearby files use a module.
#[derive(Default)]
pub(crate) struct Uses {
    /// The files, the nearest first, and what each writes.
    pub(crate) written: Vec<(String, Import)>,
    /// How many take each name.
    names: BTreeMap<String, usize>,
    /// How many take the module as a whole.
    whole: usize,
}

/// The subject words of a text, lower case, in the singular.
pub fn subjects(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric()).flat_map(words_of).filter_map(|word| subject(&word)).collect()
}

/// Words that occur in any name.
const EMPTY: [&str; 62] = [
    "the", "and", "for", "with", "from", "into", "that", "this", "when", "then", "than", "has", "have",
    "are", "was", "not", "can", "must", "should", "will", "may", "its", "all", "any", "each", "one", "two",
    "get", "set", "make", "create", "new", "add", "update", "delete", "remove", "list", "test", "file",
    "data", "value", "type", "code", "function", "return", "use", "using", "run", "main", "init", "def",
    "class", "string", "str", "int", "bool", "none", "null", "true", "false", "self", "name",
];

fn subject(word: &str) -> Option<String> {
    let single = word.strip_suffix('s').filter(|bare| bare.len() > 2 && !bare.ends_with('s')).unwrap_or(word);
    (single.len() > 2 && !EMPTY.contains(&single) && !EMPTY.contains(&word)).then(|| single.to_owned())
}

impl Survey {
    /// Existing functions that a file could use, the most fitting first.
    pub fn reusable(&self, seeker: &Seeker<'_>) -> Vec<ReusableHelpers> {
        let Some(language) = Language::of_path(seeker.file) else { return Vec::new() };
        let kin = self.kin(seeker.file, language);
        let uses = self.uses(&kin, seeker);
        let named = named(&kin, seeker);
        let often = uses.iter().filter(|(_, used)| used.written.len() > 2).map(|(path, _)| path.as_str());
        let mut paths: Vec<&str> = named.iter().copied().chain(often).collect();
        paths.sort_unstable();
        paths.dedup();
        paths.retain(|path| *path != seeker.file && !seeker.known.contains(path) && seeker.could_use(path));
        self.prepare(&paths);
        let mut found: Vec<(usize, ReusableHelpers)> = paths
            .into_iter()
            .filter_map(|path| self.module(path, named.contains(&path), uses.get(path), seeker))
            .collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
        let mut room = IN_ALL;
        let mut out: Vec<ReusableHelpers> =
            found.into_iter().take(MODULES).map(|(_, reusable)| reusable).collect();
        for reusable in &mut out {
            reusable.functions.truncate(room);
            room -= reusable.functions.len();
        }
        out.retain(|reusable| !reusable.functions.is_empty());
        out
    }

    /// The source files of the same member that share its symbols.
    fn kin(&self, file: &str, language: Language) -> Vec<&str> {
        let member = self.member(file).map_or("", |m| m.dir.as_str());
        let inner: Vec<&str> = self
            .members
            .iter()
            .map(|m| m.dir.as_str())
            .filter(|dir| *dir != member && below(member, dir).is_some())
            .collect();
        let own = |path: &&str| {
            below(member, path).is_some() && !inner.iter().any(|dir| below(dir, path).is_some())
        };
        // What is compiled can use what is not, never the other way round.
        let alike = |path: &&str| {
            Language::of_path(path).is_some_and(|other| {
                other == language || (other.same_family(language) && language.row().uses_family)
            })
        };
        self.sources().filter(own).filter(alike).collect()
    }

    /// The imports of the files around the new one.
    fn uses(&self, kin: &[&str], seeker: &Seeker<'_>) -> BTreeMap<String, Uses> {
        let test = is_test_path(seeker.file);
        let peers: Vec<&str> =
            kin.iter().copied().filter(|path| *path != seeker.file && is_test_path(path) == test).collect();
        let asked = nearest(&peers, seeker.file);
        self.prepare(&asked);
        let mut uses: BTreeMap<String, Uses> = BTreeMap::new();
        for path in asked {
            let Some(facts) = self.facts(path) else { continue };
            let mut met: HashSet<String> = HashSet::new();
            for import in &facts.imports {
                for found in self.resolve(path, &facts, import).into_iter().filter(|found| found != path) {
                    let used = uses.entry(found.clone()).or_default();
                    for name in &import.names {
                        *used.names.entry(name.clone()).or_default() += 1;
                    }
                    used.whole += usize::from(takes_whole(&found, import));
                    if met.insert(found) {
                        used.written.push((path.to_owned(), import.clone()));
                    }
                }
            }
        }
        uses
    }

    fn module(
        &self,
        path: &str,
        is_named: bool,
        used: Option<&Uses>,
        seeker: &Seeker<'_>,
    ) -> Option<(usize, ReusableHelpers)> {
        let facts = self.facts(path).filter(|facts| facts.broken.is_none())?;
        let users = used.map_or(0, |used| used.written.len());
        let mut ranked: Vec<(usize, &Export)> = callable(path, &facts)
            .filter_map(|export| {
                let asked = asked_for(&export.name, seeker.about);
                let taken = used.and_then(|used| used.names.get(bare(&export.name))).copied().unwrap_or(0);
                let fixture = facts.fixtures.contains(&export.name);
                let whole = is_named && used.is_some_and(|used| used.whole > 3);
                let worth = taken > 1 || fixture || (is_named && asked > 0) || whole;
                worth.then(|| (3 * asked + taken.min(5), export))
            })
            .collect();
        // Stable: of equal ones, in the order of the file.
        ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        // An overloaded function is one.
        let mut met = HashSet::new();
        ranked.retain(|(_, export)| met.insert(export.name.as_str()));
        ranked.truncate(OF_ONE);
        let best = ranked.first()?.0;
        let names: Vec<&str> = ranked.iter().map(|(_, export)| bare(&export.name)).collect();
        let import = used.and_then(|used| import_line(self, seeker, path, used, &names));
        let functions = ranked.iter().map(|(_, export)| short(&export.signature)).collect();
        let score = best + users.min(5) + usize::from(is_named);
        Some((
            score,
            ReusableHelpers { path: path.to_owned(), fence: facts.language.fence(), import, functions },
        ))
    }
}

impl Seeker<'_> {
    /// Whether the file could use a module: code does not use tests, and a test looks for test helpers.
    fn could_use(&self, path: &str) -> bool {
        let here = is_test_path(path) || words_of(split(path).1).iter().any(|word| word.starts_with("test"));
        let headers_only = Language::of_path(path).is_some_and(|language| !language.row().headers.is_empty());
        let header = !headers_only || Language::is_header(path);
        here == is_test_path(self.file) && header && self.reaches(path)
    }

    /// The fixtures of a directory are those of the tests below it.
    fn reaches(&self, path: &str) -> bool {
        let (dir, _) = split(path);
        !Language::holds_fixtures(path) || below(dir, split(self.file).0).is_some()
    }
}

/// A signature that is too long to help loses its end.
fn short(signature: &str) -> String {
    match signature.char_indices().nth(WIDE) {
        Some((end, _)) => format!("{}…", signature[..end].trim_end()),
        None => signature.to_owned(),
    }
}

fn bare(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// Whether an import takes the whole module.
fn takes_whole(path: &str, import: &Import) -> bool {
    let stem = split(path).1.split('.').next().unwrap_or_default();
    import.names.is_empty() || import.names.iter().any(|name| name == "*" || name == stem)
}

/// The functions that can be called without an object of the module.
fn callable<'a>(path: &str, facts: &'a FileFacts) -> impl Iterator<Item = &'a Export> {
    let conftest = Language::holds_fixtures(path);
    let own_test = is_test_path(path);
    facts.exports.iter().filter(move |export| match export.kind {
        ExportKind::Function | ExportKind::Macro => {
            let hidden = export.name.starts_with('_') || export.signature.starts_with("pub(super)");
            let test = own_test && facts.tests.contains(&export.name);
            let hook = conftest && !facts.fixtures.contains(&export.name);
            !hidden && !test && !hook && export.name != "main"
        }
        ExportKind::Method => {
            let word = facts.language.row().static_word;
            word.is_some_and(|word| export.signature.split_whitespace().any(|own| own == word))
        }
        ExportKind::Type | ExportKind::Interface | ExportKind::Value | ExportKind::Module => false,
    })
}

/// How many words of a name match the subject.
fn asked_for(name: &str, about: &HashSet<String>) -> usize {
    let words: HashSet<String> = words_of(bare(name)).iter().filter_map(|word| subject(word)).collect();
    words.intersection(about).count()
}

/// The nearest of these files, and some of the others.
fn nearest<'a>(peers: &[&'a str], file: &str) -> Vec<&'a str> {
    let dir: Vec<&str> = split(file).0.split('/').collect();
    let far = |path: &str| {
        let own = split(path).0.split('/');
        let same = own.clone().zip(&dir).take_while(|(a, b)| a == *b).count();
        own.count() + dir.len() - 2 * same
    };
    let mut ranked: Vec<(usize, &str)> = peers.iter().map(|path| (far(path), *path)).collect();
    ranked.sort_unstable();
    let near = ranked.iter().take(NEAR).map(|(_, path)| *path);
    let rest: Vec<&str> = ranked.iter().skip(NEAR).map(|(_, path)| *path).collect();
    let step = rest.len().div_ceil(FAR).max(1);
    near.chain(rest.iter().step_by(step).copied()).collect()
}

const MARKS: [&str; 14] = [
    "util",
    "utils",
    "utility",
    "utilities",
    "helper",
    "helpers",
    "common",
    "shared",
    "support",
    "toolkit",
    "testutil",
    "testutils",
    "conftest",
    "testing",
];
/// Marks among tests only.
const TEST_MARKS: [&str; 4] = ["factory", "factories", "fixtures", "mocks"];

/// The files that are named for being shared, the nearest first: by their own name, or by a directory that does not
/// hold most of the code.
fn named<'a>(kin: &[&'a str], seeker: &Seeker<'_>) -> Vec<&'a str> {
    let test = is_test_path(seeker.file);
    let marks = |word: &str| MARKS.contains(&word) || (test && TEST_MARKS.contains(&word));
    let mut below_mark: BTreeMap<&str, usize> = BTreeMap::new();
    let marked_dir = |path: &'a str| {
        let mut end = 0;
        split(path).0.split('/').find_map(|part| {
            let dir = &path[..end + part.len()];
            end += part.len() + 1;
            words_of(part).iter().any(|word| marks(word)).then_some(dir)
        })
    };
    for dir in kin.iter().filter_map(|path| marked_dir(path)) {
        *below_mark.entry(dir).or_default() += 1;
    }
    let few = |dir: &str| below_mark.get(dir).is_some_and(|count| 3 * count <= 2 * kin.len());
    let by_name = |path: &str| words_of(split(path).1).iter().any(|word| marks(word));
    let found: Vec<&str> = kin
        .iter()
        .copied()
        .filter(|path| seeker.could_use(path) && (by_name(path) || marked_dir(path).is_some_and(few)))
        .collect();
    let mut near = nearest(&found, seeker.file);
    near.truncate(NAMED);
    near
}

impl Uses {
    /// What a file in this directory writes, if one was looked at.
    pub(crate) fn by(&self, dir: &str) -> Option<&(String, Import)> {
        self.written.iter().find(|(path, _)| split(path).0 == dir)
    }
}

#[cfg(test)]
mod tests;
