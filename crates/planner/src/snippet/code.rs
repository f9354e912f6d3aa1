//! The frame of a file: the contract's declarations with bodies that refuse to work, below the imports that the files
//! beside it share and those of the names it uses. Without a contract, the class that most files beside it have.

use crate::snippet::CodeWanted;
use windlass_code::survey::Survey;
use windlass_core::path_text::name_stem;

use super::go::package_of;
use crate::lint::outcome::capital;
use windlass_code::detect::{dir_of, is_test_path, text};
use windlass_code::repo::Tree;
use windlass_code::syntax::{language_of, of_hint, parses};

/// The frame of a file that does not exist yet; `None` when unsure.
pub(crate) fn code_snippet(tree: &dyn Tree, survey: &Survey, wanted: &CodeWanted<'_>) -> Option<String> {
    let language = language_of(wanted.file)?;
    if survey.has(wanted.file) {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    for block in wanted.contract {
        let stated = block.language.as_deref().filter(|l| !l.is_empty()).and_then(of_hint);
        if stated.is_some_and(|stated| !stated.same_family(language))
            || block.path.as_deref().is_some_and(|path| path != wanted.file)
        {
            continue;
        }
        parts.push((language.row().stub)(without_path(&block.code))?);
    }
    let beside = beside(tree, survey, wanted.file);
    if parts.is_empty() {
        let like = class_like(&beside, wanted)?;
        let bare = like.ends_with("\n    pass") || like.ends_with("{\n}");
        parts.push(if bare { like } else { (language.row().stub)(&like)? });
    }
    let shared = imports(&beside, &parts.join("\n"));
    let head = if shared.is_empty() { String::new() } else { format!("{}\n\n", shared.join("\n")) };
    let clause = language.row().package_clause && !parts.iter().any(|part| part.starts_with("package "));
    let head = if clause { format!("package {}\n\n{head}", package_of(survey, wanted.file)?) } else { head };
    let code = format!("{head}{}\n", parts.join("\n\n").trim_end());
    parses(language, code.as_bytes()).ok()?;
    Some(code)
}

/// The first line of a block may be a comment with the path of its file.
pub(super) fn without_path(code: &str) -> &str {
    let (first, rest) = code.split_once('\n').unwrap_or((code, ""));
    if windlass_code::detect::comment_path(first).is_some() { rest } else { code }
}

/// A file in the same directory.
struct NeighbourFile {
    path: String,
    text: String,
    /// Its import lines.
    imports: Vec<String>,
}

/// The sources beside a file, in its language.
fn beside(tree: &dyn Tree, survey: &Survey, file: &str) -> Vec<NeighbourFile> {
    let language = language_of(file);
    survey
        .sources()
        .filter(|path| dir_of(path) == dir_of(file) && language_of(path) == language && !is_test_path(path))
        .take(12)
        .filter_map(|path| {
            let facts = survey.facts(path)?;
            let text = text(tree, path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let own = facts.imports.iter().filter_map(|import| lines.get(import.line.checked_sub(1)?));
            let imports = own.map(|line| line.trim().to_owned()).collect();
            Some(NeighbourFile { path: path.to_owned(), text, imports })
        })
        .filter(|neighbour| !neighbour.text.trim().is_empty())
        .collect()
}

/// Import lines that more than half of several siblings have, and those of names that the code uses.
fn imports(beside: &[NeighbourFile], code: &str) -> Vec<String> {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let used: Vec<&str> = code.split(word).filter(|w| w.len() > 2).collect();
    let brings = |line: &str| {
        // What stands before `from` in a script, and after `import` elsewhere.
        let names = line.rsplit_once("import ").map_or(line, |(_, names)| names);
        let names = names.split(" from ").next().unwrap_or(names);
        names.split(word).any(|name| name.starts_with(char::is_uppercase) && used.contains(&name))
    };
    let mut shared: Vec<String> = Vec::new();
    for line in beside.iter().flat_map(|neighbour| &neighbour.imports) {
        let count = beside.iter().filter(|neighbour| neighbour.imports.contains(line)).count();
        let usual = count > 1 && count * 2 > beside.len();
        if (usual || brings(line)) && !shared.contains(line) {
            shared.push(line.clone());
        }
    }
    shared
}

/// The interface that a file would have if it were like those beside it; `None` where they have nothing in common.
pub(crate) fn implied_contract(tree: &dyn Tree, survey: &Survey, wanted: &CodeWanted<'_>) -> Option<String> {
    if survey.has(wanted.file) || !wanted.contract.is_empty() {
        return None;
    }
    class_like(&beside(tree, survey, wanted.file), wanted)
}

/// A class of a file beside, with the file's own name taken out of it.
struct ClassShape {
    /// `class \0Gateway(BaseGateway):`
    head: String,
    /// The declarations of its methods.
    methods: Vec<String>,
}

/// Stands for the words of the file's name.
const NAME: &str = "\0";

/// The class of a file whose siblings mostly have one that is called after the file and declared in the same way:
/// `class OrderService(BaseService):` in `order_service.py`, `class StripeGateway(Gateway):` in `stripe.py`. Methods that
/// all of them have are part of it.
fn class_like(beside: &[NeighbourFile], wanted: &CodeWanted<'_>) -> Option<String> {
    let shapes: Vec<ClassShape> = beside.iter().filter_map(class_shape).collect();
    let alike = |head: &str| shapes.iter().filter(|shape| shape.head == head).collect::<Vec<_>>();
    let usual = shapes.iter().map(|shape| alike(&shape.head)).max_by_key(Vec::len)?;
    if usual.len() < 2 || usual.len() * 2 < beside.len() {
        return None;
    }
    let mut methods = usual[0].methods.clone();
    methods.retain(|method| usual.iter().all(|shape| shape.methods.contains(method)));
    let own = class_name(wanted.file);
    let named = |text: &str| text.replace(NAME, &own);
    let head = named(&usual[0].head);
    // A file may hold something else than its neighbours, unless it is called like the class or the plan names it.
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let class = head.split(word).skip_while(|w| *w != "class").nth(1)?;
    if class != own && !wanted.said.split(word).any(|w| w == class) {
        return None;
    }
    let body: String = methods.iter().map(|method| format!("{}\n", named(method))).collect();
    match head.chars().next_back()? {
        '{' => Some(format!("{head}\n{body}}}")),
        ':' if body.is_empty() => Some(format!("{head}\n    pass")),
        ':' => Some(format!("{head}\n{}", body.trim_end())),
        _ => None,
    }
}

/// The one class at the left edge of a file whose name begins with the file's.
fn class_shape(neighbour: &NeighbourFile) -> Option<ClassShape> {
    let called = class_name(&neighbour.path);
    let class = |line: &&str| {
        let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let own = words.windows(2).any(|w| w[0] == "class" && w[1].starts_with(&called));
        own && !line.starts_with([' ', '\t'])
    };
    let mut lines = neighbour.text.lines().skip_while(|line| !class(line));
    let head = lines.next()?.trim_end().replacen(&called, NAME, 1);
    let inside = lines.take_while(|line| line.is_empty() || line.starts_with([' ', '\t']));
    let methods = inside.filter_map(declaration).map(|line| line.replace(&called, NAME)).collect();
    Some(ClassShape { head, methods })
}

/// A line one level deep that begins a method, as a declaration: `    def charge(self) -> str: ...`, `  charge(): string;`.
fn declaration(line: &str) -> Option<String> {
    let text = line.trim_start();
    let depth = line.len() - text.len();
    let nested = depth > 4 || line.starts_with("\t\t");
    let text = text.trim_end();
    let special =
        text.starts_with("def __") || text.starts_with("constructor") || text.starts_with("private");
    let statement =
        ["if", "for", "while", "switch", "return", "@", "//", "#"].iter().any(|w| text.starts_with(w));
    if nested || special || statement || !text.contains('(') {
        return None;
    }
    if text.starts_with("def ") || text.starts_with("async def ") {
        return text.ends_with(':').then(|| format!("{line} ..."));
    }
    text.strip_suffix('{').map(|open| format!("{}{};", &line[..depth], open.trim_end()))
}

/// `OrderService` for `order_service.py` and `OrderService.ts`.
fn class_name(path: &str) -> String {
    name_stem(path).split(['_', '-']).map(capital).collect()
}

#[cfg(test)]
mod tests;
