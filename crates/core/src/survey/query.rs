//! The survey as a whole, and what can be asked of it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::facts::{Export, ExportKind, FileFacts, Language};
use super::place::{TestFile, below, places, split, subject_stem, test_file_for};
use super::resolve::Resolver;
use super::style::Conventions;

/// A part of the repository with a manifest of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its directory, empty for the root.
    pub dir: String,
    /// The manifest that makes it one.
    pub manifest: String,
    /// The name other members import it by: a crate's, a Go module's, a package's.
    pub name: Option<String>,
}

/// What was found in a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// Every file, sorted.
    pub paths: Vec<String>,
    /// What the source files say, by path.
    pub files: BTreeMap<String, Arc<FileFacts>>,
    /// Its members, sorted by directory.
    pub members: Vec<Member>,
    /// What the files of a member and a language have in common.
    pub conventions: Vec<Conventions>,
    /// Files that were not read, and why.
    pub unread: Vec<(String, String)>,
}

impl Survey {
    /// Whether the tree has this file.
    pub fn has(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// Whether the tree has files below this directory.
    pub fn has_dir(&self, dir: &str) -> bool {
        let start = format!("{}/", dir.trim_end_matches('/'));
        let at = self.paths.partition_point(|known| known.as_str() < start.as_str());
        self.paths.get(at).is_some_and(|path| path.starts_with(&start))
    }

    /// What a source file says.
    pub fn facts(&self, path: &str) -> Option<&FileFacts> {
        self.files.get(path).map(AsRef::as_ref)
    }

    /// The member a path belongs to: the deepest above it.
    pub fn member(&self, path: &str) -> Option<&Member> {
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
        let alike = self.files.iter().filter(|(_, facts)| facts.language.same_family(language));
        let (tests, sources): (Vec<&str>, Vec<&str>) =
            alike.map(|(path, _)| path.as_str()).partition(|path| subject_stem(path).is_some());
        test_file_for(source, &places(sources.into_iter(), &tests), root)
    }

    /// The files of the repository that a file imports, in order.
    pub fn imported_by(&self, path: &str) -> Vec<String> {
        let Some(facts) = self.facts(path) else { return Vec::new() };
        let resolver = Resolver::new(self);
        let mut out: Vec<String> = Vec::new();
        for found in facts.imports.iter().flat_map(|import| resolver.resolve(path, facts, import)) {
            if found != path && !out.contains(&found) {
                out.push(found);
            }
        }
        out
    }

    /// For every file that others import, the files that import it.
    pub fn importers(&self) -> HashMap<String, Vec<&str>> {
        let mut out: HashMap<String, Vec<&str>> = HashMap::new();
        for path in self.files.keys() {
            for imported in self.imported_by(path) {
                out.entry(imported).or_default().push(path);
            }
        }
        out
    }

    /// The interface of a file: its types and signatures, one per line, methods below their type. At most `limit`
    /// lines; a last line says how many were left out.
    pub fn interface(&self, path: &str, limit: usize) -> Vec<String> {
        self.facts(path).map_or_else(Vec::new, |facts| interface_lines(&facts.exports, limit))
    }

    /// The file most like one that is to be written: same language, same directory or same kind of name, not a test
    /// unless the other is one.
    pub fn similar_to(&self, path: &str, is_test: &dyn Fn(&str) -> bool) -> Option<&str> {
        let language = Language::of_path(path)?;
        let wants_test = is_test(path);
        let candidates = self.files.iter().filter(|(known, facts)| {
            known.as_str() != path
                && facts.language.same_family(language)
                && facts.broken.is_none()
                && is_test(known) == wants_test
                && (!facts.exports.is_empty() || !facts.tests.is_empty())
        });
        let scored = candidates.map(|(known, facts)| (likeness(path, known, facts), known));
        let best = scored.filter(|(score, _)| *score > 0).max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(a.1)))?;
        Some(best.1)
    }

    /// Files that at least three others import and that export functions: where one looks before writing a helper.
    pub fn utilities(&self) -> Vec<&str> {
        let importers = self.importers();
        let offers = |facts: &FileFacts| facts.exports.iter().any(|e| e.kind == ExportKind::Function);
        let mut found: Vec<(&str, usize)> = self
            .files
            .iter()
            .filter(|(_, facts)| offers(facts))
            .filter_map(|(path, _)| Some((path.as_str(), importers.get(path)?.len())))
            .filter(|(_, count)| *count >= 3)
            .collect();
        found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        found.into_iter().map(|(path, _)| path).collect()
    }
}

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
fn likeness(wanted: &str, known: &str, facts: &FileFacts) -> usize {
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
    if score == 0 { 0 } else { score + usize::from(facts.exports.len() + facts.tests.len() > 1) }
}

/// The words of a file name without its ending, lower case.
fn words_of(name: &str) -> Vec<String> {
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
