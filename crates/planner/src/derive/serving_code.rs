//! The code of a repository that serves what a text names: the handler of a route, the file of a command line, the
//! module of a symbol, a file by its name.

use std::collections::BTreeSet;

use crate::repository::Repository;
use windlass_code::detect::is_test_path;
use windlass_code::survey::{Language, Survey};

/// The most source files that are searched for routes and commands.
const SEARCHED: usize = 2_000;
/// The most modules of a handler that a task may change with it.
const HELPERS: usize = 2;

/// What a search in the code found for one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ServingCode {
    /// The files, the most telling first.
    pub(super) files: Vec<String>,
    /// What was found there, for a note.
    pub(super) reason: String,
}

/// The code that serves what a text names.
pub(super) fn serving_code(text: &str, repository: &Repository<'_>) -> Option<ServingCode> {
    let survey = repository.survey();
    let sources: Vec<&str> = survey.sources().filter(|path| !is_test_path(path)).take(SEARCHED).collect();
    let mut found = named_files(text, survey);
    let mut reason = "the documents name it".to_owned();
    let routes = routes_in(text);
    if let Some(handler) = best_handler(&routes, &sources, repository) {
        reason = format!("it answers `{}`", handler.1);
        let helpers = survey.imported_by(&handler.0);
        let helpers: Vec<String> = helpers.into_iter().filter(|path| !is_test_path(path)).collect();
        push(&mut found, handler.0);
        // The data behind a route is usually kept by a module that the handler imports.
        if helpers.len() <= HELPERS {
            helpers
                .into_iter()
                .filter(|path| !Language::marks_package(path))
                .for_each(|path| push(&mut found, path));
        }
    }
    if let Some(path) = command_line(text, &sources, repository) {
        if found.is_empty() {
            "it reads the command line".clone_into(&mut reason);
        }
        push(&mut found, path);
    }
    if found.is_empty()
        && let Some((path, symbol)) = symbol_file(text, &sources, survey)
    {
        reason = format!("`{symbol}` is in it");
        push(&mut found, path);
    }
    (!found.is_empty()).then_some(ServingCode { files: found, reason })
}

fn push(found: &mut Vec<String>, path: String) {
    if !found.contains(&path) {
        found.push(path);
    }
}

/// The source files of the repository that a text names.
fn named_files(text: &str, survey: &Survey) -> Vec<String> {
    let mut found = Vec::new();
    for word in
        text.split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | ';' | '(' | ')' | '"' | '\''))
    {
        let word = word.trim_end_matches(['.', ':']).trim_start_matches("./");
        let is_source = crate::file_kind::is_source(word);
        if word.contains('.') && is_source && survey.has(word) {
            push(&mut found, word.to_owned());
        } else if word.contains('.') && is_source && word.len() > 4 {
            let ends = |path: &&str| path.strip_suffix(word).is_some_and(|head| head.ends_with('/'));
            let mut fitting = survey.sources().filter(ends);
            if let (Some(only), None) = (fitting.next(), fitting.next()) {
                push(&mut found, only.to_owned());
            }
        }
    }
    found
}

/// The routes that a text names: `POST /todos`, `` `/todos/{id}` ``.
pub(super) fn routes_in(text: &str) -> Vec<String> {
    const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];
    let mut found: Vec<String> = Vec::new();
    let mut before = "";
    for word in
        text.split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | ';' | '(' | ')' | '"' | '\''))
    {
        let route = word.trim_end_matches(['.', ':', '?']).split('?').next().unwrap_or_default();
        let is_route = route.len() > 1 && route.starts_with('/') && !route.starts_with("//");
        if is_route && METHODS.contains(&before) && !found.iter().any(|known| known == route) {
            found.push(route.to_owned());
        }
        if !word.is_empty() {
            before = word;
        }
    }
    found
}

/// The file whose routes are most like the wanted ones, and the route.
fn best_handler(
    routes: &[String],
    sources: &[&str],
    repository: &Repository<'_>,
) -> Option<(String, String)> {
    if routes.is_empty() {
        return None;
    }
    let mut best: Option<(usize, usize, &str, &String)> = None;
    for path in sources {
        let Some(text) = repository.text(path).filter(|text| text.len() < 200_000) else { continue };
        let known: Vec<Vec<String>> = route_literals(&text).iter().map(|route| segments(route)).collect();
        for route in routes {
            let wanted = segments(route);
            let common = |own: &Vec<String>| own.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
            let score =
                known.iter().map(|own| common(own) * 2 + usize::from(*own == wanted)).max().unwrap_or(0);
            let better = best.is_none_or(|(most, count, _, _)| (score, known.len()) > (most, count));
            if score > 0 && better {
                best = Some((score, known.len(), path, route));
            }
        }
    }
    best.map(|(_, _, path, route)| (path.to_owned(), route.clone()))
}

/// The strings in a source that look like routes.
fn route_literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for quote in ['"', '\'', '`'] {
        for (at, piece) in text.split(quote).enumerate() {
            let is_route = at % 2 == 1 && piece.len() > 1 && piece.len() < 80 && piece.starts_with('/');
            if is_route && !piece.contains(char::is_whitespace) {
                found.push(piece.to_owned());
            }
        }
    }
    found
}

/// The segments of a route; a parameter is `*` however it is written.
fn segments(route: &str) -> Vec<String> {
    let plain = |part: &str| {
        if part.starts_with([':', '{', '<', '[', '*', '$']) { "*".to_owned() } else { part.to_lowercase() }
    };
    route.split('/').filter(|part| !part.is_empty()).map(plain).collect()
}

/// The file that reads the command line, if a text names a command or an option of the program.
fn command_line(text: &str, sources: &[&str], repository: &Repository<'_>) -> Option<String> {
    let names: BTreeSet<String> = repository
        .survey()
        .members
        .iter()
        .filter_map(|member| member.name.clone())
        .flat_map(|name| [name.replace('_', "-"), name.replace('-', "_"), name])
        .collect();
    let quoted: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    let is_command = |code: &&str| {
        let mut words = code.split_whitespace();
        let first = words.next().unwrap_or_default().trim_start_matches("./");
        names.contains(first) && words.next().is_some()
    };
    let has_option = |code: &&str| code.split_whitespace().any(|w| w.starts_with("--") && w.len() > 3);
    if !quoted.iter().any(|code| is_command(code) || has_option(code)) {
        return None;
    }
    const MARKS: [&str; 14] = [
        "argparse",
        "click.command",
        "click.group",
        "typer",
        "clap::",
        "Subcommand",
        "structopt",
        "commander",
        "yargs",
        "cobra.Command",
        "flag.Parse",
        "process.argv",
        "sys.argv",
        "OptionParser",
    ];
    let reads =
        |path: &&&str| repository.text(path).is_some_and(|text| MARKS.iter().any(|mark| text.contains(mark)));
    let mut reading: Vec<&str> = sources.iter().filter(reads).copied().collect();
    let rank = |path: &str| match super::name::stem(path) {
        "cli" | "commands" | "command" => 0,
        "main" | "__main__" => 1,
        _ => 2,
    };
    reading.sort_by_key(|path| (rank(path), path.len()));
    reading.first().map(|path| (*path).to_owned())
}

/// The only file that exports a symbol which a text names in backticks.
fn symbol_file(text: &str, sources: &[&str], survey: &Survey) -> Option<(String, String)> {
    let quoted = text.split('`').skip(1).step_by(2);
    for code in quoted {
        let name = code.split('(').next().unwrap_or(code).trim();
        let parts: Vec<&str> = name.split(['.', ':']).filter(|part| !part.is_empty()).collect();
        let is_name = |part: &&str| part.len() > 2 && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if parts.is_empty() || !parts.iter().all(is_name) {
            continue;
        }
        let exports = |path: &&&str| {
            survey.facts(path).is_some_and(|facts| {
                facts.exports.iter().any(|e| {
                    let own = e.name.split(['.', ':']).next().unwrap_or(&e.name);
                    own == parts[0]
                        // `cart.apply(code)` is said of a `Cart`.
                        || (parts.len() > 1 && own.eq_ignore_ascii_case(&parts[0].replace('_', "")))
                        || (parts.len() == 1 && e.name.rsplit(['.', ':']).next() == Some(parts[0]))
                })
            })
        };
        let mut fitting = sources.iter().filter(exports);
        if let (Some(only), None) = (fitting.next(), fitting.next()) {
            return Some(((*only).to_owned(), name.to_owned()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_code::repo::MemoryTree;
    use windlass_code::survey::survey;

    #[test]
    fn the_code_that_serves_a_text() {
        let files = [
            ("pyproject.toml", "[project]\nname = \"shop\"\n"),
            ("README.md", "# shop\n"),
            (
                "shop/api.py",
                "from shop.store import Store\n@app.get('/carts/<id>')\ndef cart(id): ...\n@app.post(\"/carts\")\ndef add(): ...\n",
            ),
            ("shop/users.py", "@app.get('/users')\ndef users(): ...\n"),
            ("shop/store.py", "class Store:\n    def put(self): ...\n"),
            ("shop/cli.py", "import argparse\n"),
            ("tests/test_api.py", "'/carts'\n"),
        ];
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let tree = MemoryTree::new(files.collect::<Vec<(String, String)>>());
        let repository = Repository::new(&tree, survey(&tree));
        let table = [
            ("`POST /carts` accepts a name", Some("shop/api.py, shop/store.py")),
            ("GET /carts/{id}/lines lists them", Some("shop/api.py, shop/store.py")),
            ("`GET /users/:id` answers", Some("shop/users.py")),
            ("`shop export` writes CSV", Some("shop/cli.py")),
            ("with `--json` the output is JSON", Some("shop/cli.py")),
            ("`Store.put` refuses empty lines", Some("shop/store.py")),
            ("The README mentions it", None),
            ("`store.py` locks its file", Some("shop/store.py")),
            ("GET /orders lists orders", None),
            ("Users can sort", None),
        ];
        for (text, expected) in table {
            let found = serving_code(text, &repository).map(|code| code.files.join(", "));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
