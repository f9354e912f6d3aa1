//! The code in a plan: declared functions, exported names and tests by the grammars of `code`; placeholders, error
//! cases and statements by their words.
//!
//! A block that names no known language, or does not parse, declares nothing.

use windlass_code::survey::Language;
use windlass_code::syntax::{self, Export, ExportKind, contract_exports, of_hint};
use windlass_core::plan::{CodeBlock, Interface};

/// A function that a block declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeclaredFunction {
    /// Its name without its owner.
    pub(super) name: String,
    /// Its declaration without spaces, final marks and visibility.
    pub(super) declaration: String,
}

fn language_of(block: &CodeBlock) -> Option<Language> {
    let named = block.language.as_deref().and_then(of_hint);
    named.or_else(|| block.path.as_deref().and_then(Language::of_path))
}

/// What a block of a contract declares.
pub(crate) fn exports_of(block: &CodeBlock) -> Vec<Export> {
    language_of(block).map_or_else(Vec::new, |language| contract_exports(language, &block.code))
}

/// The functions and methods of a contract.
pub(super) fn functions(block: &CodeBlock) -> Vec<DeclaredFunction> {
    exports_of(block).iter().filter_map(function).collect()
}

/// The functions of an interface; its language is that of the contract it comes from where it names none.
pub(super) fn interface_functions(interface: &Interface, contract: &[CodeBlock]) -> Vec<DeclaredFunction> {
    let named = interface.language.as_deref().and_then(of_hint);
    let Some(language) = named.or_else(|| contract.iter().find_map(language_of)) else { return Vec::new() };
    contract_exports(language, &interface.code).iter().filter_map(function).collect()
}

/// The name of a declaration without its owner.
pub(crate) fn short_name(export: &Export) -> &str {
    export.name.rsplit(['.', ':']).next().unwrap_or(&export.name)
}

fn function(export: &Export) -> Option<DeclaredFunction> {
    let callable = matches!(export.kind, ExportKind::Function | ExportKind::Method);
    let name = short_name(export).to_owned();
    callable.then(|| DeclaredFunction { name, declaration: normal(&export.signature) })
}

/// The names a contract exports, without the members of types and objects; those of the members where it only adds some.
pub(super) fn exported_names(block: &CodeBlock) -> Vec<String> {
    let exports = exports_of(block);
    let own = |export: &&Export| !export.name.contains(['.', ':']);
    let names: Vec<String> = exports.iter().filter(own).map(|export| export.name.clone()).collect();
    if names.is_empty() { exports.iter().map(|e| short_name(e).to_owned()).collect() } else { names }
}

/// How many tests a block of test code holds.
pub(super) fn tests(block: &CodeBlock) -> usize {
    block.path.as_deref().map_or(0, |path| syntax::tests(path, block.code.as_bytes()).len())
}

/// A trimmed line; `None` for comments and empty lines.
fn code_line(line: &str) -> Option<&str> {
    let line = line.trim();
    let comment =
        ["//", "#", "--", "*", "/*", "\"\"\""].iter().any(|c| line.starts_with(c)) && !line.starts_with("#[");
    (!comment && !line.is_empty()).then_some(line)
}

/// A line of a contract that is a sentence, not code: words and nothing that a declaration needs.
pub(super) fn prose(code: &str) -> Option<&str> {
    let is_sentence = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let plain = |word: &&str| {
            let bare = word.trim_end_matches(['.', ',', '!', '?', ':']);
            bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '-'))
        };
        words.len() >= 4 && words.iter().all(|word| plain(&word.trim_matches(['`', '"', '(', ')'])))
    };
    code.lines().filter_map(code_line).find(is_sentence)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A declaration without spaces, final marks and visibility.
fn normal(line: &str) -> String {
    let mut text: String =
        line.trim_end_matches("...").trim_end_matches([';', ',', '{', ':', ' ']).to_owned();
    for word in ["export ", "pub ", "public ", "async ", "default "] {
        text = text.replacen(word, "", 1);
    }
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Whether test code has an error case. Signs without their first letter match both cases.
pub(super) fn has_error_case(code: &str) -> bool {
    include_str!("../words/error_signs.txt").lines().any(|sign| code.contains(sign))
}

/// Words in place of code.
const PLACEHOLDERS: [&str; 5] =
    ["code here", "mplementation here", "mplement me", "est of the code", "existing code"];

/// The first line with a placeholder.
pub(super) fn placeholder(code: &str) -> Option<&str> {
    let has_words = |text: &str| PLACEHOLDERS.iter().any(|w| text.contains(w));
    let dotted = code.contains("...") || code.contains('…');
    let marked = ["TODO", "FIXME", "XXX"].iter().any(|w| code.contains(w));
    if !(dotted || marked || has_words(code)) {
        return None;
    }
    code.lines().map(str::trim).find(|line| {
        let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let bare = squeezed.trim_start_matches(['/', '#', '-', '*']);
        let dots = matches!(squeezed.as_str(), "..." | "…")
            || (bare.len() < squeezed.len() && (bare.starts_with("...") || bare.starts_with('…')));
        let todo = line.split(|c: char| !is_name(c)).any(|w| matches!(w, "TODO" | "FIXME" | "XXX"));
        squeezed.contains("/*...*/") || dots || todo || has_words(line)
    })
}

/// The first line of a contract that is a statement, not a declaration.
pub(super) fn does_work(code: &str) -> Option<&str> {
    let works = |part: &str| {
        ["return ", "if (", "if ", "for ", "for(", "while ", "await ", "throw ", "raise "]
            .iter()
            .any(|w| part.trim_start().starts_with(w))
    };
    // A body may stand on the line of its declaration.
    let is_body = |line: &&str| line.split(['{', ';', ':']).any(works) || is_arrow(line);
    code.lines().filter_map(code_line).find(is_body)
}

/// Whether a line gives a constant a function: `const f = (a) => a`. In a type the arrow is before the equals sign.
fn is_arrow(line: &str) -> bool {
    let line = line.strip_prefix("export ").unwrap_or(line);
    let constant = ["const ", "let ", "var "].iter().any(|word| line.starts_with(word));
    constant && line.split_once(" = ").is_some_and(|(_, value)| value.contains("=>"))
}

#[cfg(test)]
mod tests;
