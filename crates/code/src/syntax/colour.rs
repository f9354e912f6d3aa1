//! Which parts of a source text are comments, strings, numbers, keywords and names: for people who read a change.
//!
//! Grammars agree on the words in the names of their nodes, so one walk serves all languages.

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::source::{MAX_DEPTH, ParsedText};
use crate::language::Language;

/// What a part of a source text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A comment.
    Comment,
    /// A string or a character.
    Text,
    /// A number.
    Number,
    /// A word of the language itself.
    Keyword,
    /// The name of a type.
    Type,
    /// The name of a function that is called or defined.
    Function,
}

/// The parts of a text that have a kind, in their order. A text that does not parse has as many as were understood.
pub fn colours(language: Language, bytes: &[u8]) -> Vec<(Range<usize>, TokenKind)> {
    let Some(source) = ParsedText::parse(language, bytes) else { return Vec::new() };
    let mut found = Vec::new();
    let mut cursor = source.root().walk();
    walk(&mut cursor, &source, 0, &mut found);
    found
}

fn walk(
    cursor: &mut TreeCursor<'_>,
    source: &ParsedText<'_>,
    depth: usize,
    found: &mut Vec<(Range<usize>, TokenKind)>,
) {
    let node = cursor.node();
    if let Some(kind) = kind_of(node, cursor.field_name(), source) {
        found.push((node.byte_range(), kind));
        return;
    }
    if depth > MAX_DEPTH || !cursor.goto_first_child() {
        return;
    }
    loop {
        walk(cursor, source, depth + 1, found);
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    cursor.goto_parent();
}

fn kind_of(node: Node<'_>, field: Option<&str>, source: &ParsedText<'_>) -> Option<TokenKind> {
    let name = node.kind();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if node.is_named() {
        if has(&["comment"]) {
            return Some(TokenKind::Comment);
        }
        if has(&["string", "char_literal", "character_literal", "heredoc_body"]) && !has(&["concatenated"]) {
            return Some(TokenKind::Text);
        }
    }
    if node.child_count() > 0 {
        return None;
    }
    if !node.is_named() {
        let word = source.slice(node.byte_range());
        let is_word = word.len() > 1 && word.iter().all(|b| b.is_ascii_alphabetic() || *b == b'_');
        return is_word.then_some(TokenKind::Keyword);
    }
    if has(&["integer", "float", "number", "decimal"]) {
        return Some(TokenKind::Number);
    }
    if matches!(name, "true" | "false" | "none" | "null" | "nil" | "self" | "this" | "boolean_literal") {
        return Some(TokenKind::Keyword);
    }
    if has(&["type_identifier", "primitive_type", "predefined_type", "integral_type"]) {
        return Some(TokenKind::Type);
    }
    is_function(node, field).then_some(TokenKind::Function)
}

/// Whether a name is that of a function: called, or defined.
fn is_function(node: Node<'_>, field: Option<&str>) -> bool {
    let Some(parent) = node.parent().filter(|_| node.kind().contains("identifier")) else { return false };
    let above = parent.kind();
    match field {
        Some("function" | "method") => above.contains("call") || above.contains("invocation"),
        Some("name") => ["function", "method"].iter().any(|word| above.contains(word)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(language: Language, text: &str) -> String {
        let words = colours(language, text.as_bytes()).into_iter();
        words.map(|(range, kind)| format!("{kind:?} {}", &text[range])).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_parts_of_a_text_have_their_kinds() {
        insta::assert_snapshot!(
            told(Language::Python, "# add\ndef add(a):\n    return f('x', 12) if a else None\n"),
            @"
        Comment # add
        Keyword def
        Function add
        Keyword return
        Function f
        Text 'x'
        Number 12
        Keyword if
        Keyword else
        Keyword None
        "
        );
        insta::assert_snapshot!(
            told(Language::Rust, "// add\nfn add(a: u8) -> Sum { let s = \"x\"; add(1) }\n"),
            @r#"
        Comment // add
        Keyword fn
        Function add
        Type u8
        Type Sum
        Keyword let
        Text "x"
        Function add
        Number 1
        "#
        );
    }

    #[test]
    fn every_language_has_comments_strings_and_keywords() {
        let table = [
            (Language::JavaScript, "// c\nreturn 'x';"),
            (Language::TypeScript, "// c\nconst a: string = 'x';"),
            (Language::Go, "// c\npackage x\nvar a = \"x\"\n"),
            (Language::Java, "// c\nclass X { String a = \"x\"; }"),
            (Language::C, "// c\nint f() { return *\"x\"; }"),
            (Language::Cpp, "// c\nint f() { return *\"x\"; }"),
            (Language::Ruby, "# c\ndef f\n  \"x\"\nend\n"),
            (Language::CSharp, "// c\nclass X { string a = \"x\"; }"),
            (Language::Php, "<?php // c\nfunction f() { return 'x'; }"),
        ];
        for (language, text) in table {
            let kinds: Vec<TokenKind> =
                colours(language, text.as_bytes()).into_iter().map(|(_, k)| k).collect();
            for kind in [TokenKind::Comment, TokenKind::Text, TokenKind::Keyword] {
                assert!(kinds.contains(&kind), "{language:?}: {kind:?} in {}", told(language, text));
            }
        }
    }

    #[test]
    fn broken_and_hostile_texts_end() {
        assert!(colours(Language::Rust, &[0xff; 200]).len() < 200);
        let deep = "(".repeat(20_000);
        colours(Language::Python, deep.as_bytes());
        assert!(colours(Language::Rust, b"").is_empty());
    }
}
