//! The survey as a whole, and what can be asked of it.

use crate::detect::is_test_path;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::facts::{Export, ExportKind, FileFacts};
use super::place::{TestFile, below, places, split, subject_stem, test_file_for};
use super::style::Conventions;
use super::terms::{terms, words};
use crate::language::Language;

/// A part of the repository with a manifest of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceMember {
    /// Its directory, empty for the root.
    pub dir: String,
    /// The manifest that makes it one.
    pub manifest: String,
    /// The name other members import it by: a crate's, a Go module's, a package's.
    pub name: Option<String>,
}

/// The source of facts. They are read on demand, because most files are never asked about.
pub trait FactReader: Send + Sync {
    /// The facts of a source file; `None` where it cannot be read.
    fn facts(&self, path: &str) -> Option<Arc<FileFacts>>;

    /// The source files whose imports may have all words of one of these terms in them: more than really do, never
    /// fewer. `None` when only reading them all would tell.
    fn mentioning(&self, terms: &[Vec<String>]) -> Option<Vec<String>> {
        let _ = terms;
        None
    }

    /// Announces files that will be asked for, so that they can be read together.
    fn prepare(&self, paths: &[&str]) {
        let _ = paths;
    }
}

/// Facts that are all there already.
impl FactReader for BTreeMap<String, Arc<FileFacts>> {
    fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        self.get(path).cloned()
    }
}

/// The findings about a repository.
#[derive(Clone, Default)]
pub struct Survey {
    /// Every file, sorted.
    pub paths: Arc<Vec<String>>,
    /// Which of them are source files of its own, by position.
    pub sources: Vec<u32>,
    /// Its members, sorted by directory.
    pub members: Vec<WorkspaceMember>,
    /// What the files of a member and a language have in common.
    pub conventions: Vec<Conventions>,
    /// The facts of the source files.
    pub reader: Option<Arc<dyn FactReader>>,
}

impl fmt::Debug for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Survey")
            .field("paths", &self.paths)
            .field("members", &self.members)
            .field("conventions", &self.conventions)
            .finish_non_exhaustive()
    }
}

/// Whether a directory above a file is called after tests, as `Shop.Tests/` is.
fn stands_with_tests(path: &str) -> bool {
    let dirs = split(path).0.to_lowercase();
    dirs.split('/').any(|dir| dir.contains("test") || dir.contains("spec"))
}

impl Survey {
    /// A survey of these files, of which those with facts are the source files.
    pub fn of(mut paths: Vec<String>, facts: BTreeMap<String, Arc<FileFacts>>) -> Self {
        paths.sort_unstable();
        let at = |path: &String| paths.binary_search(path).ok().and_then(|at| u32::try_from(at).ok());
        let sources = facts.keys().filter_map(at).collect();
        Self { paths: Arc::new(paths), sources, reader: Some(Arc::new(facts)), ..Self::default() }
    }

    /// The source files, sorted.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().filter_map(|at| self.paths.get(*at as usize)).map(String::as_str)
    }

    /// Announces files that will be asked for.
    pub fn prepare(&self, paths: &[&str]) {
        if let Some(reader) = &self.reader {
            reader.prepare(paths);
        }
    }

    /// Whether the tree has this file.
    pub fn has(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// The facts of a source file.
    pub fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        self.reader.as_ref()?.facts(path)
    }

    /// The member a path belongs to: the deepest above it.
    pub fn member(&self, path: &str) -> Option<&WorkspaceMember> {
        let dir = split(path).0;
        self.members.iter().filter(|m| below(&m.dir, dir).is_some()).max_by_key(|m| m.dir.len())
    }

    /// The conventions for a path, which need not exist: those of its language in the deepest member above it that
    /// has any.
    pub fn conventions_for(&self, path: &str) -> Option<&Conventions> {
        let language = Language::of_path(path)?;
        let dir = split(path).0;
        let near = |c: &&Conventions| below(&c.dir, dir).is_some();
        let exact = self.conventions.iter().filter(near).filter(|c| c.language == language);
        let family = self.conventions.iter().filter(near).filter(|c| c.language.same_family(language));
        // A new kind of file in a member follows its relatives there rather than strangers elsewhere.
        exact.max_by_key(|c| c.dir.len()).or_else(|| family.max_by_key(|c| c.dir.len()))
    }

    /// The test file for a source file, which need not exist.
    pub fn test_file_for(&self, source: &str) -> Option<TestFile> {
        let root = self.member(source).map_or("", |m| m.dir.as_str());
        let own = self.conventions_for(source).map_or(&[][..], |c| c.places.as_slice());
        if !own.is_empty() {
            return test_file_for(source, own, root);
        }
        // A project of tests beside the project of the code: both together show the way.
        let language = Language::of_path(source)?;
        let is_test = |path: &&str| subject_stem(path).is_some() && stands_with_tests(path);
        let (tests, sources): (Vec<&str>, Vec<&str>) = self.alike(language).partition(is_test);
        test_file_for(source, &places(sources.into_iter(), &tests), root)
    }

    /// The files of the repository that a file imports, in order.
    pub fn imported_by(&self, path: &str) -> Vec<String> {
        let Some(facts) = self.facts(path) else { return Vec::new() };
        let mut out: Vec<String> = Vec::new();
        for found in facts.imports.iter().flat_map(|import| self.resolve(path, &facts, import)) {
            if found != path && !out.contains(&found) {
                out.push(found);
            }
        }
        out
    }

    /// The files that import a file, sorted; at most `limit`.
    pub fn importers_of(&self, path: &str, limit: usize) -> Vec<String> {
        let Some(language) = Language::of_path(path) else { return Vec::new() };
        let asked = self.reader.as_deref().and_then(|r| terms(self, path, language).likely(r, path));
        let likely: Vec<String> = asked
            .unwrap_or_else(|| self.alike(language).map(str::to_owned).collect())
            .into_iter()
            .filter(|other| other != path)
            .collect();
        let mut out = Vec::new();
        for some in likely.chunks(AT_ONCE) {
            self.prepare(&some.iter().map(String::as_str).collect::<Vec<_>>());
            let users = some.iter().filter(|other| self.imported_by(other).iter().any(|found| found == path));
            out.extend(users.take(limit - out.len()).cloned());
            if out.len() == limit {
                break;
            }
        }
        out
    }

    /// The source files that declare this package or namespace, sorted.
    pub(crate) fn declaring(&self, package: &str, language: Language) -> Vec<String> {
        let asked = self.reader.as_ref().and_then(|r| r.mentioning(&[words(package)]));
        let likely = asked.unwrap_or_else(|| self.alike(language).map(str::to_owned).collect());
        let likely: Vec<String> =
            likely.into_iter().filter(|path| Language::of_path(path) == Some(language)).collect();
        self.prepare(&likely.iter().map(String::as_str).collect::<Vec<_>>());
        let declares =
            |path: &String| self.facts(path).is_some_and(|f| f.package.as_deref() == Some(package));
        likely.into_iter().filter(declares).collect()
    }

    /// The source files in languages that share their symbols with this one.
    fn alike(&self, language: Language) -> impl Iterator<Item = &str> {
        self.sources().filter(move |path| Language::of_path(path).is_some_and(|l| l.same_family(language)))
    }

    /// The interface of a file: its types and signatures, one per line, methods below their type. At most `limit`
    /// lines; a last line says how many were left out.
    pub fn interface(&self, path: &str, limit: usize) -> Vec<String> {
        self.facts(path).map_or_else(Vec::new, |facts| interface_lines(&facts.exports, limit))
    }

    /// The file most like one that is to be written: same language, same directory or same kind of name, not a test
    /// unless the other is one.
    pub fn similar_to(&self, path: &str) -> Option<&str> {
        let language = Language::of_path(path)?;
        let wants_test = is_test_path(path);
        let kin = self.alike(language).filter(|known| *known != path && is_test_path(known) == wants_test);
        let mut ranked: Vec<(usize, &str)> =
            kin.map(|known| (likeness(path, known), known)).filter(|(score, _)| *score > 0).collect();
        ranked.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        ranked.truncate(COMPARED);
        let mut best: Option<(usize, &str)> = None;
        for some in ranked.chunks(8) {
            self.prepare(&some.iter().map(|(_, known)| *known).collect::<Vec<_>>());
            for (score, known) in some {
                // Files with more than one thing in them show more; that is worth as much as one point of likeness.
                if best.is_some_and(|(most, _)| most > *score) {
                    return best.map(|(_, known)| known);
                }
                let Some(facts) = self.facts(known).filter(|facts| facts.broken.is_none()) else { continue };
                let things = facts.exports.len() + facts.tests.len();
                let total = score + usize::from(things > 1);
                let better = |(most, other): (usize, &str)| total > most || (total == most && *known < other);
                if things > 0 && best.is_none_or(better) {
                    best = Some((total, known));
                }
            }
        }
        best.map(|(_, known)| known)
    }
}

/// How many files are read at once while looking for some of them.
const AT_ONCE: usize = 64;
/// How many files are looked at for the one most like another.
const COMPARED: usize = 64;

/// Signatures for people: a method stands indented below its type, what a type passes on is left as written.
fn interface_lines(exports: &[Export], limit: usize) -> Vec<String> {
    let mut lines: Vec<String> = exports
        .iter()
        .map(|export| match export.kind {
            ExportKind::Method => format!("    {}", export.signature),
            ExportKind::Function
            | ExportKind::Type
            | ExportKind::Interface
            | ExportKind::Value
            | ExportKind::Module
            | ExportKind::Macro => export.signature.clone(),
        })
        .collect();
    if lines.len() > limit {
        let left = lines.len() - limit.saturating_sub(1);
        lines.truncate(limit.saturating_sub(1));
        lines.push(format!("… and {left} more"));
    }
    lines
}

/// How alike two paths are: the directory counts most, then a shared word at the end of the name (`order_service` and
/// `cart_service`), then the directory above.
fn likeness(wanted: &str, known: &str) -> usize {
    let ((dir, name), (other_dir, other_name)) = (split(wanted), split(known));
    let mut score = 0;
    if dir == other_dir {
        score += 8;
    } else if split(dir).0 == split(other_dir).0 && !dir.is_empty() {
        score += 2;
    }
    let (words, others) = (words_of(name), words_of(other_name));
    if words.len() > 1 && others.len() > 1 && words.last() == others.last() {
        score += 10;
    }
    if words.len() > 1 && others.len() > 1 && words.first() == others.first() {
        score += 1;
    }
    score
}

/// The words of a name, of a file without its ending, in small letters.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let stem = name.split('.').next().unwrap_or(name);
    let mut words: Vec<String> = Vec::new();
    let mut previous_lower = false;
    for c in stem.chars() {
        if !c.is_alphanumeric() {
            words.push(String::new());
        } else if (c.is_uppercase() && previous_lower) || words.is_empty() {
            words.push(c.to_lowercase().collect());
        } else if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
        previous_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests;
