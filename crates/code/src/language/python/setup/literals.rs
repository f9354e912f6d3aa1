//! What `setup.py` and `noxfile.py` say in literals, read without running them.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::needs::NamedLists;
use crate::language::Language;
use crate::syntax::source::ParsedText;

/// What sessions of nox install whose name has `test` in it: texts that stand there, and no computed ones.
pub(super) fn nox_installs(text: &str) -> Vec<String> {
    let Some(source) = ParsedText::parse(Language::Python, text.as_bytes()) else { return Vec::new() };
    let reading = ScriptReading { source: &source, names: BTreeMap::new(), call: SetupCall::default() };
    let mut found = Vec::new();
    reading.sessions(source.root(), false, &mut found);
    found
}

/// What the call of `setup` in a `setup.py` is given, as far as that follows from literals and the names that stand for them.
#[derive(Debug, Default)]
pub(super) struct SetupCall(BTreeMap<String, PythonLiteral>);

impl SetupCall {
    pub(super) fn read(script: &str) -> Self {
        let Some(source) = ParsedText::parse(Language::Python, script.as_bytes()) else {
            return Self::default();
        };
        let mut reading = ScriptReading { source: &source, names: BTreeMap::new(), call: Self::default() };
        reading.walk(source.root());
        reading.call
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        match self.0.get(key)? {
            PythonLiteral::Text(text) => Some(text.clone()),
            PythonLiteral::List(_) | PythonLiteral::Lists(_) => None,
        }
    }

    pub(super) fn list(&self, key: &str) -> Vec<String> {
        self.0.get(key).map(PythonLiteral::items).unwrap_or_default()
    }

    pub(super) fn lists(&self, key: &str) -> NamedLists {
        match self.0.get(key) {
            Some(PythonLiteral::Lists(lists)) => lists.clone(),
            Some(PythonLiteral::Text(_) | PythonLiteral::List(_)) | None => NamedLists::new(),
        }
    }
}

/// A value that a script says in literals.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PythonLiteral {
    Text(String),
    List(Vec<String>),
    Lists(NamedLists),
}

impl PythonLiteral {
    /// The texts of a value; a text by itself is a list of one, or of its lines.
    fn items(&self) -> Vec<String> {
        match self {
            PythonLiteral::Text(text) => text.lines().map(str::trim).map(str::to_owned).collect(),
            PythonLiteral::List(items) => items.clone(),
            PythonLiteral::Lists(_) => Vec::new(),
        }
    }

    /// `self + other`, `self | other`, `self.update(other)`.
    fn joined(self, other: Self) -> Self {
        match (self, other) {
            (PythonLiteral::Text(a), PythonLiteral::Text(b)) => PythonLiteral::Text(a + &b),
            (PythonLiteral::Lists(mut a), PythonLiteral::Lists(b)) => {
                for (name, list) in b {
                    put(&mut a, name, list);
                }
                PythonLiteral::Lists(a)
            }
            (a, b) => PythonLiteral::List(a.items().into_iter().chain(b.items()).collect()),
        }
    }
}

fn put(lists: &mut NamedLists, name: String, list: Vec<String>) {
    lists.retain(|(known, _)| *known != name);
    lists.push((name, list));
}

/// A script being read from top to bottom.
struct ScriptReading<'a> {
    source: &'a ParsedText<'a>,
    names: BTreeMap<String, PythonLiteral>,
    call: SetupCall,
}

impl ScriptReading<'_> {
    /// Gathers what the calls of `install` in functions for tests are given.
    fn sessions(&self, node: Node<'_>, for_tests: bool, found: &mut Vec<String>) {
        let for_tests = if node.kind() == "function_definition" {
            self.source.field(node, "name").is_some_and(|name| name.contains("test"))
        } else {
            for_tests
        };
        let called = self.source.field(node, "function").filter(|_| for_tests && node.kind() == "call");
        if called.is_some_and(|name| name.ends_with(".install"))
            && let Some(arguments) = node.child_by_field_name("arguments")
        {
            let words = arguments.named_children(&mut arguments.walk()).collect::<Vec<_>>();
            let words = words.into_iter().filter(|word| word.kind() != "keyword_argument");
            let mut words = words.map(|word| match self.value(word) {
                Some(PythonLiteral::Text(text)) => Some(text),
                Some(PythonLiteral::List(_) | PythonLiteral::Lists(_)) | None => None,
            });
            while let Some(word) = words.next() {
                match word.as_deref() {
                    Some("-r") => found.extend(words.next().flatten().map(|list| format!("-r {list}"))),
                    Some("-e") | None => {}
                    Some(word) => found.push(word.to_owned()),
                }
            }
        }
        for child in node.named_children(&mut node.walk()) {
            self.sessions(child, for_tests, found);
        }
    }

    fn walk(&mut self, node: Node<'_>) {
        match node.kind() {
            "assignment" | "augmented_assignment" => self.assign(node),
            "call" => self.read_call(node),
            _ => {}
        }
        for child in node.named_children(&mut node.walk()) {
            self.walk(child);
        }
    }

    fn assign(&mut self, node: Node<'_>) {
        let fields = (node.child_by_field_name("left"), node.child_by_field_name("right"));
        let (Some(left), Some(right)) = fields else { return };
        let Some(value) = self.value(right) else { return };
        if left.kind() == "identifier" {
            let name = self.source.text(left);
            let before = self.names.remove(&name).filter(|_| node.kind() == "augmented_assignment");
            let value = match before {
                Some(before) => before.joined(value),
                None => value,
            };
            self.names.insert(name, value);
        } else if let Some((name, key)) = self.subscript(left)
            && let Some(PythonLiteral::Lists(lists)) = self.names.get_mut(&name)
        {
            put(lists, key, value.items());
        }
    }

    /// `setup(key=value)` and `name.update(value)`.
    fn read_call(&mut self, node: Node<'_>) {
        let fields = (node.child_by_field_name("function"), node.child_by_field_name("arguments"));
        let (Some(function), Some(arguments)) = fields else { return };
        let called = self.source.text(function);
        if called.rsplit('.').next() == Some("setup") {
            let given = self.keywords(arguments);
            self.call.0.extend(given);
        } else if let Some(name) = called.strip_suffix(".update")
            && let Some(value) = arguments.named_child(0).and_then(|first| self.value(first))
            && let Some(before) = self.names.remove(name)
        {
            self.names.insert(name.to_owned(), before.joined(value));
        }
    }

    fn keywords(&self, arguments: Node<'_>) -> Vec<(String, PythonLiteral)> {
        let words = arguments.named_children(&mut arguments.walk()).collect::<Vec<_>>();
        let words = words.into_iter().filter(|word| word.kind() == "keyword_argument");
        let read = |word: Node<'_>| {
            Some((self.source.field(word, "name")?, self.value(word.child_by_field_name("value")?)?))
        };
        words.filter_map(read).collect()
    }

    /// `name["key"]`
    fn subscript(&self, node: Node<'_>) -> Option<(String, String)> {
        let key = self.value(node.child_by_field_name("subscript")?)?;
        let PythonLiteral::Text(key) = key else { return None };
        Some((self.source.field(node, "value")?, key))
    }

    /// The value of an expression; `None` if it does not follow from literals.
    fn value(&self, node: Node<'_>) -> Option<PythonLiteral> {
        let inner = || node.named_children(&mut node.walk()).collect::<Vec<_>>();
        match node.kind() {
            "string" => {
                let parts = inner();
                let is_plain = parts.iter().all(|part| part.kind() != "interpolation");
                let text = parts.iter().filter(|part| part.kind() == "string_content");
                is_plain.then(|| PythonLiteral::Text(text.map(|part| self.source.text(*part)).collect()))
            }
            "concatenated_string" => {
                inner().into_iter().filter_map(|part| self.value(part)).reduce(PythonLiteral::joined)
            }
            "list" | "tuple" | "set" => {
                let items = inner().into_iter().filter_map(|item| self.value(item));
                Some(PythonLiteral::List(items.flat_map(|item| item.items()).collect()))
            }
            "dictionary" => {
                let entries = inner().into_iter().filter_map(|entry| self.entry(entry));
                Some(entries.fold(PythonLiteral::Lists(NamedLists::new()), PythonLiteral::joined))
            }
            "binary_operator" => {
                let side = |name: &str| self.value(node.child_by_field_name(name)?);
                Some(side("left")?.joined(side("right")?))
            }
            "parenthesized_expression" | "list_splat" => self.value(*inner().first()?),
            "identifier" => self.names.get(&self.source.text(node)).cloned(),
            "subscript" => {
                let (name, key) = self.subscript(node)?;
                let PythonLiteral::Lists(lists) = self.names.get(&name)? else { return None };
                lists
                    .iter()
                    .find(|(known, _)| *known == key)
                    .map(|(_, list)| PythonLiteral::List(list.clone()))
            }
            "call" => {
                let arguments = node.child_by_field_name("arguments")?;
                match self.source.field(node, "function")?.as_str() {
                    "dict" => {
                        let lists =
                            self.keywords(arguments).into_iter().map(|(name, value)| (name, value.items()));
                        Some(PythonLiteral::Lists(lists.collect()))
                    }
                    "list" | "set" | "sorted" | "tuple" => self.value(arguments.named_child(0)?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// An entry of a dictionary, or a dictionary whose entries it takes over.
    fn entry(&self, node: Node<'_>) -> Option<PythonLiteral> {
        if node.kind() == "dictionary_splat" {
            return self.value(node.named_child(0)?);
        }
        let PythonLiteral::Text(key) = self.value(node.child_by_field_name("key")?)? else { return None };
        let list = self.value(node.child_by_field_name("value")?)?.items();
        Some(PythonLiteral::Lists(vec![(key, list)]))
    }
}

#[cfg(test)]
mod tests {
    use super::{SetupCall, nox_installs};

    #[test]
    fn sessions_for_tests_install_what_stands_there() {
        let script = r#"
LISTS = dict(tests=ROOT / "test-requirements.txt")
@nox.session
def tests(session):
    session.install("-r", LISTS["tests"])
    session.install("-r", "dev.txt", "-e", ".[qa]", "hypothesis", silent="x")
    if session.posargs:
        session.install(f"a{version}", "coverage[toml]")
@nox.session
def docs(session):
    session.install("sphinx")
"#;
        assert_eq!(nox_installs(script), ["-r dev.txt", ".[qa]", "hypothesis", "coverage[toml]"]);
    }

    #[test]
    fn names_that_stand_for_literals_are_followed() {
        let script = r#"
import setuptools
FRAMEWORKS = ["flask>=1", "bottle"]
VERSION = "1" + ".2"
EXTRAS = {"frameworks": FRAMEWORKS, "tests": ["pytest", *FRAMEWORKS] + ["webtest"], "one": "x"}
EXTRAS["dev"] = EXTRAS["tests"] + ["tox"]
EXTRAS.update({"docs": ("sphinx",)})
NEEDS = ["a"]
NEEDS += ["b"]

if __name__ == "__main__":
    setuptools.setup(name="shop", version=VERSION, install_requires=NEEDS, extras_require=EXTRAS,
                     tests_require="c\nd", long_description=open("README").read(), **more())
"#;
        let call = SetupCall::read(script);
        assert_eq!((call.text("name"), call.text("version")), (Some("shop".into()), Some("1.2".into())));
        assert_eq!(call.list("install_requires"), ["a", "b"]);
        assert_eq!(call.text("long_description"), None);
        let shown: Vec<String> = call
            .lists("extras_require")
            .iter()
            .map(|(name, list)| format!("{name}: {}", list.join(" ")))
            .collect();
        assert_eq!(
            shown,
            [
                "frameworks: flask>=1 bottle",
                "tests: pytest flask>=1 bottle webtest",
                "one: x",
                "dev: pytest flask>=1 bottle webtest tox",
                "docs: sphinx"
            ]
        );
    }
}
