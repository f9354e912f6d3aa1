//! What the files of one language in one member have in common.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::path::Path;

use windlass_core::report::Runner;
use windlass_core::survey::{
    Conventions, FileFacts, Framework, Language, Naming, Quotes, Spot, Survey, TestPlace, TestShape,
    TestStyle, places,
};

use crate::detect::{dir_of, is_test_path, test_command, text};
use crate::repo::{Indexed, Tree};

/// How many files of a group are looked at for quotes and the like.
const SAMPLE: usize = 8;

type Group<'a> = Vec<(&'a str, &'a FileFacts)>;

/// The conventions of every member and language, in the order of their directories.
pub(super) fn conventions(tree: &dyn Tree, survey: &Survey) -> Vec<Conventions> {
    let tree = &Indexed::new(tree);
    let known: HashSet<&str> = survey.members.iter().map(|member| member.dir.as_str()).collect();
    let mut groups: BTreeMap<(&str, Language), Group<'_>> = BTreeMap::new();
    // The files of a directory belong to one member, and come one after the other.
    let mut last: Option<(&str, &str)> = None;
    for (path, facts) in &survey.files {
        let dir = dir_of(path);
        let member = match last {
            Some((known_dir, member)) if known_dir == dir => member,
            _ => member_of(dir, &known),
        };
        last = Some((dir, member));
        groups.entry((member, facts.language)).or_default().push((path, facts));
    }
    groups.into_iter().map(|((dir, language), group)| of_group(tree, dir, language, &group)).collect()
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

fn of_group(tree: &dyn Tree, dir: &str, language: Language, group: &Group<'_>) -> Conventions {
    let (tests, sources): (Group<'_>, Group<'_>) =
        group.iter().copied().partition(|(path, _)| is_test_path(path));
    let style = style_of(tree, group, &tests);
    let sample: Vec<String> =
        sources.iter().chain(&tests).take(SAMPLE).filter_map(|(path, _)| text(tree, path)).collect();
    let fixtures = tests
        .iter()
        .filter(|(path, _)| path.ends_with("conftest.py") || path.ends_with("_helper.rb"))
        .flat_map(|(_, facts)| facts.fixtures.iter().cloned())
        .collect();
    Conventions {
        dir: dir.to_owned(),
        language,
        style,
        places: places_of(&sources, &tests, style),
        file_names: most(sources.iter().filter_map(|(path, _)| Naming::of(stem(path)))),
        quotes: quotes(language, &sample),
        semicolons: semicolons(language, &sample),
        indent: most(sample.iter().filter_map(|text| indent(text))),
        absolute_imports: absolute(language, &tests),
        fixtures,
    }
}

fn stem(path: &str) -> &str {
    Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.split('.').next())
        .unwrap_or("")
}

/// What most say; of equal ones the smallest.
fn most<T: Hash + Eq + Ord>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: HashMap<T, usize> = HashMap::new();
    for one in all {
        *counts.entry(one).or_default() += 1;
    }
    counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0))).map(|(one, _)| one)
}

fn style_of(tree: &dyn Tree, group: &Group<'_>, tests: &Group<'_>) -> Option<TestStyle> {
    let stated = most(group.iter().filter_map(|(_, facts)| facts.style));
    stated.or_else(|| {
        // The tests use global names: the manifest says whose they are.
        let (path, facts) = tests.iter().find(|(_, facts)| !facts.tests.is_empty())?;
        let framework = match test_command(tree, path)?.runner? {
            Runner::Vitest => Framework::Vitest,
            Runner::Jest => Framework::Jest,
            Runner::NodeTest => Framework::NodeTest,
            Runner::Tap => Framework::Mocha,
            Runner::Pytest | Runner::CargoTest | Runner::Nextest | Runner::GoTest | Runner::Junit => {
                return None;
            }
        };
        let nested = facts.tests.iter().any(|name| name.contains(" > "));
        Some(TestStyle { framework, shape: if nested { TestShape::Suites } else { TestShape::Functions } })
    })
}

fn places_of(sources: &Group<'_>, tests: &Group<'_>, style: Option<TestStyle>) -> Vec<TestPlace> {
    if style.is_some_and(|style| style.shape == TestShape::Inline) {
        return vec![TestPlace { at: Spot::Inline, prefix: String::new(), suffix: String::new() }];
    }
    let tests: Vec<&str> = tests.iter().map(|(path, _)| *path).collect();
    places(sources.iter().map(|(path, _)| *path), &tests)
}

fn quotes(language: Language, sample: &[String]) -> Option<Quotes> {
    let open = language.is_script() || matches!(language, Language::Python | Language::Ruby | Language::Php);
    let count = |quote| sample.iter().map(|text| text.matches(quote).count()).sum::<usize>();
    let (single, double) = (count('\''), count('"'));
    match single.cmp(&double) {
        _ if !open => None,
        std::cmp::Ordering::Greater => Some(Quotes::Single),
        std::cmp::Ordering::Less => Some(Quotes::Double),
        std::cmp::Ordering::Equal => None,
    }
}

fn semicolons(language: Language, sample: &[String]) -> Option<bool> {
    if !language.is_script() {
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
fn absolute(language: Language, tests: &Group<'_>) -> Option<bool> {
    let relative = |module: &str| module.starts_with('.');
    let mut imports = tests.iter().flat_map(|(_, facts)| &facts.imports).peekable();
    match language {
        Language::Python => {
            imports.peek()?;
            Some(!imports.any(|import| relative(&import.module)))
        }
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            imports.peek()?;
            Some(imports.any(|import| import.module.starts_with("@/") || import.module.starts_with("~/")))
        }
        Language::Rust
        | Language::Go
        | Language::Java
        | Language::C
        | Language::Cpp
        | Language::Ruby
        | Language::CSharp
        | Language::Php => None,
    }
}
