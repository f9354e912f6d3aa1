//! What the files of one language in one member have in common.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use windlass_core::path_text::name_stem;

use crate::survey::{
    Conventions, FileFacts, Framework, Naming, Quotes, Survey, TestLocation, TestPlace, TestShape, TestStyle,
    places,
};

use crate::detect::{Folder, dir_of, is_test_name, test_command, text};
use crate::language::Language;
use crate::repo::Tree;

/// How many files of a group are looked at for quotes and the like.
const SAMPLE: usize = 8;

/// How many tests of a group, and how many of its other files, are parsed to see how tests are written. Taken evenly:
/// the habits of a large repository show in a part of it.
const PARSED: usize = 32;

/// How many names of files are looked at to see how files are named.
const NAMED: usize = 1024;

/// Files of one language in one member.
#[derive(Default)]
struct FileGroup<'a> {
    tests: Vec<&'a str>,
    sources: Vec<&'a str>,
}

/// The conventions of every member and language, in the order of their directories.
pub(super) fn conventions(tree: &dyn Tree, survey: &Survey) -> Vec<Conventions> {
    let groups = groups(survey);
    let asked: Vec<&str> = groups.iter().flat_map(|((_, language), group)| group.parsed(*language)).collect();
    survey.prepare(&asked);
    groups.iter().map(|((dir, language), group)| of_group(tree, survey, dir, *language, group)).collect()
}

/// The source files by member and language. There may be a hundred thousand of them, so each directory is examined only
/// once.
fn groups(survey: &Survey) -> BTreeMap<(&str, Language), FileGroup<'_>> {
    let known: HashSet<&str> = survey.members.iter().map(|member| member.dir.as_str()).collect();
    let mut found: BTreeMap<(&str, Language), FileGroup<'_>> = BTreeMap::new();
    let mut own: Vec<(Language, FileGroup<'_>)> = Vec::new();
    let mut last: Option<(&str, &str, Folder)> = None;
    for path in survey.sources() {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(language) = Language::of_path(name) else { continue };
        let folder = match last {
            Some((before, _, folder)) if before == dir => folder,
            Some(_) | None => {
                let member = member_of(dir, &known);
                if let Some((_, before, _)) = last.filter(|(_, before, _)| *before != member) {
                    settle(&mut found, before, &mut own);
                }
                let folder = Folder::of(dir);
                last = Some((dir, member, folder));
                folder
            }
        };
        let at = own.iter().position(|(known, _)| *known == language).unwrap_or_else(|| {
            own.push((language, FileGroup::default()));
            own.len() - 1
        });
        let group = &mut own[at].1;
        if is_test_name(name, || folder) { group.tests.push(path) } else { group.sources.push(path) }
    }
    if let Some((_, member, _)) = last {
        settle(&mut found, member, &mut own);
    }
    found
}

/// Adds what was found of a member to what was found of it before.
fn settle<'a>(
    found: &mut BTreeMap<(&'a str, Language), FileGroup<'a>>,
    member: &'a str,
    own: &mut Vec<(Language, FileGroup<'a>)>,
) {
    for (language, mut group) in own.drain(..) {
        let all = found.entry((member, language)).or_default();
        all.tests.append(&mut group.tests);
        all.sources.append(&mut group.sources);
    }
}

impl<'a> FileGroup<'a> {
    /// The files that are parsed: tests, and where tests can stand in the sources, some of those.
    fn parsed(&self, language: Language) -> Vec<&'a str> {
        let mut files = evenly(&self.tests, PARSED);
        files.extend(self.inline(language));
        files.extend(self.helpers());
        files
    }

    fn inline(&self, language: Language) -> Vec<&'a str> {
        if language.row().inline_tests || self.tests.is_empty() {
            evenly(&self.sources, PARSED)
        } else {
            Vec::new()
        }
    }

    /// Files whose fixtures all tests can use.
    fn helpers(&self) -> Vec<&'a str> {
        let known = |path: &str| Language::row_of(path).helper_endings;
        let helper = |path: &&str| known(path).iter().any(|ending| path.ends_with(ending));
        self.tests.iter().copied().filter(helper).take(PARSED).collect()
    }
}

/// At most `count` of them, spread evenly.
fn evenly<'a>(all: &[&'a str], count: usize) -> Vec<&'a str> {
    if all.len() <= count {
        return all.to_vec();
    }
    (0..count).map(|n| all[n * all.len() / count]).collect()
}

fn member_of<'a>(dir: &'a str, known: &HashSet<&str>) -> &'a str {
    let mut current = dir;
    loop {
        if current.is_empty() || known.contains(current) {
            return current;
        }
        current = dir_of(current);
    }
}

fn of_group(
    tree: &dyn Tree,
    survey: &Survey,
    dir: &str,
    language: Language,
    group: &FileGroup<'_>,
) -> Conventions {
    let read = |paths: &[&str]| -> Vec<Arc<FileFacts>> {
        paths.iter().filter_map(|path| survey.facts(path)).collect()
    };
    let tests = read(&evenly(&group.tests, PARSED));
    let style = style_of(tree, group, &tests, &read(&group.inline(language)));
    // Files that are too large or not text show no conventions, so they are not read.
    let sample: Vec<String> = group
        .sources
        .iter()
        .chain(&group.tests)
        .take(4 * SAMPLE)
        .filter(|path| survey.facts(path).is_some())
        .take(SAMPLE)
        .filter_map(|path| text(tree, path))
        .collect();
    let named = evenly(&group.sources, NAMED);
    let fixtures = read(&group.helpers()).iter().flat_map(|facts| facts.fixtures.clone()).collect();
    Conventions {
        dir: dir.to_owned(),
        language,
        style,
        places: places_of(group, style),
        file_names: most(named.iter().filter_map(|path| Some((Naming::of(name_stem(path))?, 1)))),
        quotes: quotes(language, &sample),
        semicolons: semicolons(language, &sample),
        indent: most(sample.iter().filter_map(|text| Some((indent(text)?, 1)))),
        absolute_imports: absolute(language, &tests),
        fixtures,
    }
}

/// The value with the most weight; of equal ones the smallest.
fn most<T: Hash + Eq + Ord>(all: impl Iterator<Item = (T, usize)>) -> Option<T> {
    let mut counts: HashMap<T, usize> = HashMap::new();
    for (one, weight) in all {
        *counts.entry(one).or_default() += weight;
    }
    counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0))).map(|(one, _)| one)
}

fn style_of(
    tree: &dyn Tree,
    group: &FileGroup<'_>,
    tests: &[Arc<FileFacts>],
    sources: &[Arc<FileFacts>],
) -> Option<TestStyle> {
    // Each file that was read has the weight of the files that were not.
    let styles = |some: &[Arc<FileFacts>], all: usize| {
        let weight = all.div_ceil(some.len().max(1));
        some.iter().filter_map(|facts| Some((facts.style?, weight))).collect::<Vec<_>>()
    };
    let stated = styles(tests, group.tests.len()).into_iter().chain(styles(sources, group.sources.len()));
    most(stated).or_else(|| {
        // The tests use global names; the manifest names the framework.
        let read = evenly(&group.tests, PARSED);
        let (path, facts) = read.iter().zip(tests).find(|(_, facts)| !facts.tests.is_empty())?;
        let framework = Framework::with_global_names(test_command(tree, path)?.runner?)?;
        let nested = facts.tests.iter().any(|name| name.contains(" > "));
        Some(TestStyle { framework, shape: if nested { TestShape::Suites } else { TestShape::Functions } })
    })
}

fn places_of(group: &FileGroup<'_>, style: Option<TestStyle>) -> Vec<TestPlace> {
    if style.is_some_and(|style| style.shape == TestShape::Inline) {
        return vec![TestPlace { at: TestLocation::Inline, prefix: String::new(), suffix: String::new() }];
    }
    places(group.sources.iter().copied(), &group.tests)
}

fn quotes(language: Language, sample: &[String]) -> Option<Quotes> {
    let count = |quote| sample.iter().map(|text| text.matches(quote).count()).sum::<usize>();
    let (single, double) = (count('\''), count('"'));
    match single.cmp(&double) {
        _ if !language.row().single_quotes => None,
        std::cmp::Ordering::Greater => Some(Quotes::Single),
        std::cmp::Ordering::Less => Some(Quotes::Double),
        std::cmp::Ordering::Equal => None,
    }
}

fn semicolons(language: Language, sample: &[String]) -> Option<bool> {
    if !language.row().optional_semicolons {
        return None;
    }
    let lines = || sample.iter().flat_map(|text| text.lines()).map(str::trim_end);
    let with = lines().filter(|line| line.ends_with(';')).count();
    let without = lines().filter(|line| line.ends_with(')') || line.ends_with(['\'', '"'])).count();
    (with + without > 0).then_some(with > without)
}

/// The first indentation of a text.
fn indent(text: &str) -> Option<String> {
    let line =
        text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim_start().starts_with('*'))?;
    let spaces = &line[..line.len() - line.trim_start().len()];
    if spaces.starts_with('\t') {
        Some("\t".to_owned())
    } else {
        Some(spaces.to_owned()).filter(|s| s.len() <= 8)
    }
}

/// Whether tests import the code by its package.
fn absolute(language: Language, tests: &[Arc<FileFacts>]) -> Option<bool> {
    let is_absolute = language.row().absolute_imports?;
    let modules: Vec<&str> =
        tests.iter().flat_map(|facts| &facts.imports).map(|import| import.module.as_str()).collect();
    (!modules.is_empty()).then(|| is_absolute(&modules))
}

#[cfg(test)]
mod tests;
