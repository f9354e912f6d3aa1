//! Whether two texts differ only in their form, as a formatter leaves it.
//!
//! The syntax trees are compared, so that no change of meaning hides in blanks or parentheses. Ignored are blanks, the
//! quotes of a string on one line, parentheses around an expression, commas before a closing bracket, and the order of
//! imports that stand together. Everything else must be equal, comments and strings over several lines byte by byte:
//! documentation, inline snapshots and directives such as `noqa` are among them.

use tree_sitter::Node;

use super::language_of;
use super::source::{MAX_DEPTH, ParsedText, children};

/// Lines and columns of a text where values that nothing uses may stand.
type IdlePlaces = fn(&ParsedText<'_>) -> Vec<(usize, usize)>;

/// What formatters may reorder in a language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormRules {
    /// Statements that import: those that stand together are a set.
    pub(crate) imports: &'static [&'static str],
    /// Lists of imported names: their items are a set.
    pub(crate) import_lists: &'static [&'static str],
    /// Strings.
    pub(crate) strings: &'static [&'static str],
    /// Parentheses around an expression.
    pub(crate) groups: &'static [&'static str],
    /// Brackets in which a last comma means something, such as a tuple of one.
    pub(crate) telling_commas: &'static [&'static str],
    /// Whether a statement may end without its semicolon.
    pub(crate) optional_semicolons: bool,
    /// Where values that nothing uses may stand, with their columns, when a file is written in another style; `None` where more
    /// blanks between words may mean something.
    pub(crate) idle_places: Option<IdlePlaces>,
}

impl FormRules {
    /// A language of which nothing is known: only blanks may differ.
    pub(crate) const NONE: Self = Self {
        imports: &[],
        import_lists: &[],
        strings: &[],
        groups: &[],
        telling_commas: &[],
        optional_semicolons: false,
        idle_places: None,
    };
}

/// Whether `after` is `before` in another form. Never for a text that does not parse or whose language is not known.
pub fn is_reformatted(path: &str, before: &[u8], after: &[u8]) -> bool {
    let Some(language) = language_of(path) else { return false };
    let rules = &language.row().form;
    let form = |bytes: &[u8]| {
        let source = ParsedText::parse(language, bytes)?;
        if source.first_error().is_some() {
            return None;
        }
        FormReader { source: &source, rules }.of(source.root(), 0)
    };
    match (form(before), form(after)) {
        (Some(before), Some(after)) => before == after,
        (Some(_) | None, None) | (None, Some(_)) => false,
    }
}

/// A text without its form.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FormlessTree {
    /// A word, a mark, a comment.
    Leaf(String),
    /// A string by its value, with what stands before its quotes.
    Text(String, String),
    /// Anything that has parts.
    Parts(String, Vec<FormlessTree>),
}

struct FormReader<'a> {
    source: &'a ParsedText<'a>,
    rules: &'a FormRules,
}

impl FormReader<'_> {
    /// `None` for a tree that is too deep to be compared.
    fn of(&self, node: Node<'_>, depth: usize) -> Option<FormlessTree> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.rules.strings.contains(&node.kind())
            && let Some(text) = self.string(node)
        {
            return Some(text);
        }
        let all = children(node);
        if all.is_empty() {
            return Some(FormlessTree::Leaf(self.source.text(node)));
        }
        if self.rules.groups.contains(&node.kind())
            && let [open, inner, close] = all[..]
            && (self.source.text(open).as_str(), self.source.text(close).as_str()) == ("(", ")")
        {
            return self.of(inner, depth + 1);
        }
        let mut parts = Vec::new();
        let mut run = Vec::new();
        for (at, child) in all.iter().enumerate() {
            if self.is_form_only(node, &all, at) {
                continue;
            }
            let form = self.of(*child, depth + 1)?;
            if self.rules.imports.contains(&child.kind()) {
                run.push(form);
                continue;
            }
            settle(&mut run, &mut parts);
            parts.push(form);
        }
        settle(&mut run, &mut parts);
        if self.rules.import_lists.contains(&node.kind()) {
            // What stands before the word is the module that the names come from.
            let names = parts
                .iter()
                .position(|part| *part == FormlessTree::Leaf("import".into()))
                .map_or(0, |at| at + 1);
            let mut sorted = parts.split_off(names);
            sorted.retain(
                |part| !matches!(part, FormlessTree::Leaf(mark) if matches!(mark.as_str(), "," | "(" | ")")),
            );
            sorted.sort();
            parts.append(&mut sorted);
        }
        Some(FormlessTree::Parts(node.kind().to_owned(), parts))
    }

    /// Whether a mark says nothing: a comma before a closing bracket, or a semicolon that may be left out.
    fn is_form_only(&self, node: Node<'_>, all: &[Node<'_>], at: usize) -> bool {
        let text = |n: Node<'_>| self.source.slice(n.byte_range());
        match text(all[at]) {
            b"," => {
                let closes = all.get(at + 1).is_some_and(|next| matches!(text(*next), b")" | b"]" | b"}"));
                closes && !self.rules.telling_commas.contains(&node.kind())
            }
            b";" => self.rules.optional_semicolons,
            _ => false,
        }
    }

    /// A string on one line by its value.
    fn string(&self, node: Node<'_>) -> Option<FormlessTree> {
        let text = self.source.text(node);
        let open = text.find(['"', '\''])?;
        let (prefix, quoted) = text.split_at(open);
        let quote = quoted.chars().next()?;
        let plain = !text.contains('\n')
            && prefix.chars().all(char::is_alphabetic)
            && !prefix.contains(['f', 'F', 't', 'T'])
            && !quoted.starts_with("\"\"\"")
            && !quoted.starts_with("'''");
        let inner = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
        plain.then(|| {
            FormlessTree::Text(prefix.to_lowercase(), inner.replace("\\\"", "\"").replace("\\'", "'"))
        })
    }
}

/// Imports that stood together, in one order.
fn settle(run: &mut Vec<FormlessTree>, parts: &mut Vec<FormlessTree>) {
    run.sort();
    parts.append(run);
}

#[cfg(test)]
mod tests;
