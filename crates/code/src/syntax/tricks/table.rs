//! Tricks of languages whose rules are a table: what is called, brought in, defined, caught or written as text.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::{Rule, TrickScan, literal};
use crate::syntax::source::named_children;

/// What a language's tricks look like, by the names of its grammar. The empty one finds none.
pub(crate) struct TrickTable {
    /// Calls: the node, the field of the receiver if it has one of its own, the field of the name, the sign between them.
    pub(crate) calls: &'static [(&'static str, &'static str, &'static str, &'static str)],
    /// Calls that end the process.
    pub(crate) exits: &'static [&'static str],
    /// Whether an exit without a code is a success.
    pub(crate) bare_exit: bool,
    /// Pieces of text that only programs have: there an exit is their own.
    pub(crate) program: &'static [&'static str],
    /// Calls that break a rule by their name.
    pub(crate) called: &'static [(&'static str, Rule)],
    /// Nodes that bring in other code.
    pub(crate) imports: &'static [&'static str],
    /// What must not be brought in.
    pub(crate) imported: &'static [(&'static str, Rule)],
    /// Bindings that make an alias of a name: the node, its name and its value.
    pub(crate) aliases: &'static [(&'static str, &'static str, &'static str)],
    /// String literals.
    pub(crate) strings: &'static [&'static str],
    /// Pieces of text that break a rule in a string literal.
    pub(crate) texts: &'static [(&'static str, Rule)],
    /// Functions: nodes with a name and a body.
    pub(crate) functions: &'static [&'static str],
    /// The names of functions that compare. Their body must look at what it compares with.
    pub(crate) equalities: &'static [&'static str],
    /// Functions of the system and of assertions, which code must not define.
    pub(crate) system: &'static [&'static str],
    /// Blocks that catch exceptions.
    pub(crate) catches: &'static [&'static str],
    /// Exceptions of failed assertions.
    pub(crate) failures: &'static [&'static str],
    /// Rules of the language alone.
    pub(crate) more: fn(&mut TrickScan<'_>, Node<'_>),
}

impl TrickTable {
    /// A language of which nothing is known.
    pub(crate) const NONE: Self = Self {
        calls: &[],
        exits: &[],
        bare_exit: false,
        program: &[],
        called: &[],
        imports: &[],
        imported: &[],
        aliases: &[],
        strings: &[],
        texts: &[],
        functions: &[],
        equalities: &[],
        system: &[],
        catches: &[],
        failures: &[],
        more: |_, _| {},
    };

    /// Looks at a file.
    pub(crate) fn look(&self, look: &mut TrickScan<'_>) {
        let aliases = self.known_aliases(look);
        let program = self.is_program(look);
        for node in look.nodes() {
            self.call(look, &aliases, program, node);
            self.import(look, node);
            self.string(look, node);
            self.function(look, node);
            self.catch(look, node);
            (self.more)(look, node);
        }
    }

    fn is_program(&self, look: &TrickScan<'_>) -> bool {
        let text = String::from_utf8_lossy(look.source.bytes);
        self.program.iter().any(|piece| text.contains(piece))
            || look.path_has(&["bin", "cmd", "exe", "cli", "tools", "scripts", "examples", "example"])
    }

    /// What names stand for: one step back.
    fn known_aliases(&self, look: &TrickScan<'_>) -> BTreeMap<String, String> {
        let mut known = BTreeMap::new();
        for node in look.nodes() {
            for (_, name, value) in self.aliases.iter().filter(|(kind, _, _)| *kind == node.kind()) {
                if let (Some(name), Some(value)) =
                    (look.source.field(node, name), look.source.field(node, value))
                {
                    known.insert(squeezed(&name), squeezed(value.trim_matches('"')));
                }
            }
        }
        known
    }

    /// The full name of what is called, without blanks.
    fn called_name(&self, look: &TrickScan<'_>, known: &BTreeMap<String, String>, node: Node<'_>) -> String {
        let form = self
            .calls
            .iter()
            .find(|(kind, _, name, _)| *kind == node.kind() && node.child_by_field_name(name).is_some());
        let Some((_, receiver, name, sign)) = form else { return String::new() };
        let text = |field: &str| look.source.field(node, field).map(|text| squeezed(&text));
        let name = text(name).unwrap_or_default();
        let full = match text(receiver) {
            Some(receiver) => format!("{receiver}{sign}{name}"),
            None => name,
        };
        let full = full.trim_start_matches('\\').trim_start_matches("::").to_owned();
        let end = full.find(['.', ':']).unwrap_or(full.len());
        match known.get(&full[..end]) {
            Some(behind) => format!("{behind}{}", &full[end..]),
            None => full,
        }
    }

    fn call(
        &self,
        look: &mut TrickScan<'_>,
        known: &BTreeMap<String, String>,
        program: bool,
        node: Node<'_>,
    ) {
        let name = self.called_name(look, known, node);
        if name.is_empty() {
            return;
        }
        if self.exits.contains(&name.as_str()) && !program && self.is_success(look, node) {
            look.add(Rule::Exit, node);
        }
        if let Some((_, rule)) = self.called.iter().find(|(called, _)| *called == name) {
            look.add(*rule, node);
        }
    }

    /// Whether an exit says that all is well: its code is 0, or it has none where that means the same.
    fn is_success(&self, look: &TrickScan<'_>, call: Node<'_>) -> bool {
        let arguments = call.child_by_field_name("arguments").map(named_children).unwrap_or_default();
        match arguments.first() {
            None => self.bare_exit,
            Some(code) => {
                let code = squeezed(&look.source.text(*code));
                matches!(code.trim_matches(['(', ')']), "0" | "EXIT_SUCCESS" | "true" | "0x0")
            }
        }
    }

    fn import(&self, look: &mut TrickScan<'_>, node: Node<'_>) {
        if self.imports.contains(&node.kind()) {
            let text = squeezed(&look.source.text(node));
            if let Some((_, rule)) = self.imported.iter().find(|(module, _)| text.contains(module)) {
                look.add(*rule, node);
            }
        }
    }

    fn string(&self, look: &mut TrickScan<'_>, node: Node<'_>) {
        if !self.strings.contains(&node.kind()) {
            return;
        }
        let text = look.source.text(node);
        let text = text.trim_matches(['"', '\'', '`']);
        let own = self.texts.iter().find(|(piece, _)| text.contains(piece)).map(|(_, rule)| *rule);
        if let Some(rule) = own.or_else(|| literal::rule_of(text, look.golden)) {
            look.add(rule, node);
        }
    }

    fn function(&self, look: &mut TrickScan<'_>, node: Node<'_>) {
        if !self.functions.contains(&node.kind()) {
            return;
        }
        let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("declarator"));
        let Some(name) = name.map(|name| squeezed(&look.source.text(name))) else { return };
        let name = name.split('(').next().unwrap_or_default().trim_start_matches('*');
        let body = node.child_by_field_name("body");
        if self.system.contains(&name) && body.is_some() {
            look.add(Rule::Patches, node);
        }
        let bare = name.rsplit("::").next().unwrap_or(name);
        if self.equalities.contains(&bare) && body.is_some_and(|body| answers_yes(look, body)) {
            look.add(Rule::AlwaysEqual, node);
        }
    }

    fn catch(&self, look: &mut TrickScan<'_>, node: Node<'_>) {
        if !self.catches.contains(&node.kind()) {
            return;
        }
        let text = look.source.text(node);
        let (head, block) = text.split_once('{').unwrap_or((text.as_str(), ""));
        let dropped = block.trim_end_matches('}').trim().is_empty();
        if dropped && self.failures.iter().any(|failure| head.contains(failure)) {
            look.add(Rule::CatchesAssertion, node);
        }
    }
}

/// A body that answers yes whatever it is given.
fn answers_yes(look: &TrickScan<'_>, body: Node<'_>) -> bool {
    let text = squeezed(&look.source.text(body));
    let text = text.trim_matches(['{', '}', ';']).trim_start_matches("=>");
    let text = text.strip_prefix("return").unwrap_or(text);
    matches!(text.trim_matches(['(', ')']), "true" | "1" | "!false" | "!0")
}

/// A text without blanks and line ends.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
