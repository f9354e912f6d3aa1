//! Where the project's test runner looks for tests: `testpaths` of pytest, `testMatch` and `roots` of jest, `include` of
//! vitest. A new test goes where it is found, and never among examples.

use crate::repository::Repository;
use crate::spec::fits_pattern;
use windlass_code::runner::{SearchedPlaces, test_searches};
use windlass_core::path_text::file_name;

/// The path of a new test file, moved to where the runner looks for it.
pub(super) fn searched(path: String, repository: &Repository<'_>) -> String {
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let found = test_searches(&path).find_map(|search| {
        let mut texts = search.files.iter().filter_map(|file| repository.text(file));
        Some((search.lists, texts.find_map(|text| listed(&text, search.key))?))
    });
    let Some((lists, places)) = found.filter(|(_, places)| !places.is_empty()) else { return usual(&path) };
    match lists {
        SearchedPlaces::Folders => in_folders(&path, name, &places),
        SearchedPlaces::Patterns => {
            let alternatives: Vec<String> =
                places.iter().flat_map(|pattern| spread(&pattern.replace("<rootDir>/", ""))).collect();
            if alternatives.iter().any(|pattern| fits_pattern(pattern, &path)) {
                return path;
            }
            let stem = name.split('.').next().unwrap_or(name);
            let ending = name.rsplit('.').next().unwrap_or_default();
            let same = alternatives.iter().find(|p| p.ends_with(&format!(".{ending}")));
            same.or(alternatives.first()).map_or_else(|| path.clone(), |pattern| placed(pattern, dir, stem))
        }
    }
}

/// The path, or one of the same name in the first of the folders where it lies in none of them.
fn in_folders(path: &str, name: &str, folders: &[String]) -> String {
    let inside = |folder: &String| path.starts_with(&format!("{}/", folder.trim_end_matches('/')));
    if folders.iter().any(|folder| inside(folder) || folder == "." || folder.contains('*')) {
        return usual(path);
    }
    format!("{}/{name}", folders[0].trim_end_matches('/'))
}

/// A path outside examples.
fn usual(path: &str) -> String {
    let shown = path.split('/').any(|part| matches!(part, "example" | "examples" | "demo" | "demos"));
    let name = file_name(path);
    if shown { format!("tests/{name}") } else { path.to_owned() }
}

/// The strings that a setting lists: in brackets, or on the lines below it in an ini file.
fn listed(text: &str, key: &str) -> Option<Vec<String>> {
    let at = text.match_indices(key).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + key.len()..].trim_start_matches(['"', '\'', ' ']);
        before.is_none_or(|c| !c.is_alphanumeric()) && after.starts_with(['=', ':'])
    })?;
    let rest = text[at + key.len()..].trim_start_matches(['"', '\'', ' ', '=', ':']);
    if let Some(inner) = rest.strip_prefix('[') {
        let inner = inner.split(']').next().unwrap_or_default();
        // Brackets inside a pattern (`[jt]s`) end the list early: quotes say where a string ends.
        let whole = rest[1..].split(['\n']).next().unwrap_or(inner);
        let source = if inner.matches(['"', '\'']).count() % 2 == 1 { whole } else { inner };
        let strings = source.split(['"', '\'']).skip(1).step_by(2);
        return Some(strings.map(str::to_owned).filter(|s| !s.is_empty()).collect());
    }
    let mut lines = rest.lines();
    let first = lines.next().unwrap_or_default();
    let below = lines.take_while(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
    let words = first.split_whitespace().map(str::to_owned).chain(below.map(|line| line.trim().to_owned()));
    Some(words.map(|word| word.trim_matches(['"', '\'', ',']).to_owned()).collect())
}

/// A pattern without alternatives: `*.{test,spec}.[jt]s?(x)` is eight patterns.
fn spread(pattern: &str) -> Vec<String> {
    let mut plain =
        pattern.replace("?([mc])", "{,c,m}").replace("?([cm])", "{,c,m}").replace("[jt]", "{j,t}");
    for (mark, open) in [("+(", "{"), ("@(", "{"), ("?(", "{,")] {
        while let Some((head, rest)) = plain.split_once(mark) {
            let (group, tail) = rest.split_once(')').unwrap_or((rest, ""));
            plain = format!("{head}{open}{}}}{tail}", group.replace('|', ","));
        }
    }
    let Some((head, rest)) = plain.split_once('{') else { return vec![plain] };
    let Some((choices, tail)) = rest.split_once('}') else { return vec![plain] };
    choices.split(',').flat_map(|choice| spread(&format!("{head}{choice}{tail}"))).collect()
}

/// A path that fits a pattern, for a source in a folder.
fn placed(pattern: &str, dir: &str, stem: &str) -> String {
    let (folders, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let name = name.replacen('*', stem, 1).replace('*', "test");
    let parts: Vec<&str> = folders.split('/').filter(|part| !part.is_empty()).collect();
    // `**` at the beginning is the folder of the source, elsewhere nothing.
    let mut path: Vec<String> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match *part {
            "**" if at == 0 => path.extend((!dir.is_empty()).then(|| dir.to_owned())),
            "**" | "*" => {}
            part => path.push(part.to_owned()),
        }
    }
    path.push(name);
    path.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_code::repo::MemoryTree;
    use windlass_code::survey::Survey;

    #[test]
    fn tests_go_where_the_runner_looks() {
        let table = [
            (
                "pyproject.toml",
                "[tool.pytest.ini_options]\ntestpaths = [\"checks\"]\n",
                "tests/test_a.py",
                "checks/test_a.py",
            ),
            ("pytest.ini", "[pytest]\ntestpaths = tests checks\n", "tests/test_a.py", "tests/test_a.py"),
            (
                "tox.ini",
                "[pytest]\ntestpaths =\n    checks\n    more\n",
                "tests/test_a.py",
                "checks/test_a.py",
            ),
            ("setup.cfg", "[metadata]\nname = a\n", "examples/test_a.py", "tests/test_a.py"),
            (
                "jest.config.js",
                "module.exports = { testMatch: ['**/__tests__/**/*.js'] };",
                "src/a.test.js",
                "src/__tests__/a.js",
            ),
            (
                "package.json",
                "{\"jest\": {\"testMatch\": [\"<rootDir>/test/**/*.spec.js\"]}}",
                "src/a.test.js",
                "test/a.spec.js",
            ),
            (
                "jest.config.js",
                "testMatch: ['**/?(*.)+(spec|test).[jt]s?(x)']",
                "src/a.test.js",
                "src/a.test.js",
            ),
            (
                "vitest.config.ts",
                "test: { include: ['tests/**/*.{test,spec}.ts'] }",
                "src/a.test.ts",
                "tests/a.test.ts",
            ),
            ("vitest.config.ts", "test: { globals: true }", "src/a.test.ts", "src/a.test.ts"),
        ];
        for (file, text, path, expected) in table {
            let tree = MemoryTree::new(vec![(file.to_owned(), text.to_owned())]);
            let repository = Repository::new(&tree, Survey::default());
            assert_eq!(searched(path.to_owned(), &repository), expected, "{file} {text}");
        }
    }
}
