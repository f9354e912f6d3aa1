//! Expectations that go through a file: a table of cases beside the test, and a file that the test writes and compares with.

use tree_sitter::Node;

use super::condition::call_parts;
use super::flow::{ValueFlow, all_nodes};
use super::golden::GoldenFile;
use crate::syntax::source::named_children;

/// Files with cases by key, and with cases in columns.
const KEYED: [&str; 6] = [".json", ".csv", ".tsv", ".yaml", ".yml", ".toml"];
const COLUMNS: [&str; 5] = [".csv", ".tsv", ".txt", ".dat", ".psv"];
/// Functions and methods that give the same value in another form.
const CONVERTS: [&str; 18] = [
    "int",
    "float",
    "str",
    "Number",
    "parseInt",
    "parseFloat",
    "String",
    "BigInt",
    "parse",
    "unwrap",
    "trim",
    "strip",
    "rstrip",
    "to_owned",
    "to_string",
    "toString",
    "expect",
    "clone",
];

impl<'t> ValueFlow<'_, '_, 't> {
    /// The file that holds the cases of a test whose expected value is an entry of each: `case["sum"]` of what is loaded from
    /// the only file of cases that the test file names, or a column of its lines.
    pub(super) fn case_file(&self, side: Node<'t>) -> Option<GoldenFile> {
        let inner = self.unconverted(side);
        if let Some((row, key)) = self.member(inner) {
            let text = self.source.text(row);
            let other = |node: &Node<'t>| {
                let member = node.parent().and_then(|parent| self.member(parent));
                member.is_some_and(|(_, other)| other != key)
            };
            return (self.bound(inner).is_empty() && self.goes_nowhere_else(self.body, &text, &other))
                .then(|| self.only_file(&KEYED).map(|file| GoldenFile::Keyed(file, key)))
                .flatten();
        }
        let file = self.is_name(inner).then(|| self.only_file(&COLUMNS)).flatten()?;
        let (separator, at) = self.column(inner)?;
        let separator = separator.unwrap_or(if file.ends_with(".tsv") { '\t' } else { ',' });
        self.goes_nowhere_else(self.source.root(), &self.source.text(inner), &|_| false)
            .then_some(GoldenFile::Column(file, separator, at))
    }

    /// A value without the calls that only give it another form.
    fn unconverted(&self, side: Node<'t>) -> Node<'t> {
        let Some(call) = call_parts(self.source, side) else { return side };
        // `x.parse::<i64>()`
        let generic = side.child_by_field_name("function").and_then(|f| f.child_by_field_name("function"));
        if let Some(method) = generic.filter(|method| self.source.text(*method).ends_with(".parse")) {
            return method.child_by_field_name("value").map_or(side, |object| self.unconverted(object));
        }
        let converts = CONVERTS.contains(&call.name.as_str());
        match (call.object, call.arguments.as_slice()) {
            _ if !converts => side,
            (None, [one]) => self.unconverted(*one),
            (Some(object), [] | [_]) => self.unconverted(object),
            _ => side,
        }
    }

    /// Whether a name is used for nothing but comparisons and messages, apart from uses that are of something else.
    fn goes_nowhere_else(&self, area: Node<'t>, name: &str, other: &dyn Fn(&Node<'t>) -> bool) -> bool {
        let own = |node: &Node<'t>| self.is_name(*node) && self.source.text(*node) == name;
        let inside = |outer: Node<'t>, node: Node<'t>| {
            outer.start_byte() <= node.start_byte() && node.end_byte() <= outer.end_byte()
        };
        let compared = |node: Node<'t>| {
            self.sides.iter().any(|side| inside(self.unconverted(*side), node) && self.is_bare(*side, node))
        };
        let uses = all_nodes(area).into_iter().filter(own).filter(|node| !self.is_bound_here(*node));
        let mut uses = uses.filter(|node| !other(node)).peekable();
        uses.peek().is_some()
            && uses.all(|node| compared(node) || self.messages.iter().any(|message| inside(*message, node)))
    }

    /// Whether a side is this name, or an entry of it, and nothing else.
    fn is_bare(&self, side: Node<'t>, name: Node<'t>) -> bool {
        let inner = self.unconverted(side);
        inner == name || self.member(inner).is_some_and(|(object, _)| object == name)
    }

    /// The only file with one of these endings that the test file names, if nothing but the test reads it: what is given to the
    /// code as well is an input.
    fn only_file(&self, endings: &[&str]) -> Option<String> {
        // Asked for every assertion: most test files name none.
        let text = self.source.bytes;
        if !endings.iter().any(|ending| text.windows(ending.len()).any(|part| part == ending.as_bytes())) {
            return None;
        }
        let nodes = all_nodes(self.source.root());
        let name = |node: &Node<'t>| self.source.text(*node).trim_matches(['"', '\'', '`']).to_owned();
        let mut files = nodes.iter().filter(|node| {
            self.rules.literals.strings.contains(&node.kind())
                && endings.iter().any(|ending| name(node).ends_with(ending))
        });
        let file = files.next().filter(|_| files.next().is_none())?;
        let bound = std::iter::successors(file.parent(), Node::parent).find_map(|node| {
            let (_, names, _) = self.rules.bindings.iter().find(|(kind, ..)| *kind == node.kind())?;
            self.source.field(node, names)
        });
        let uses = |bound: &String| {
            nodes.iter().filter(|node| self.is_name(**node) && self.source.text(**node) == *bound).count()
        };
        let file = name(file).trim_start_matches("./").trim_start_matches("../").to_owned();
        bound.is_none_or(|bound| uses(&bound) <= 2).then_some(file)
    }

    /// The separator and the number of the column that a name is bound to, where the file binds it once:
    /// `prices, want = line.split(",")`, `for prices, want in csv.reader(file)`.
    fn column(&self, name: Node<'t>) -> Option<(Option<char>, usize)> {
        let text = self.source.text(name);
        let kinds = || self.rules.bindings.iter().chain(self.rules.loops);
        let mut found = all_nodes(self.source.root()).into_iter().filter_map(|node| {
            let (_, names, value) = kinds().find(|(kind, ..)| *kind == node.kind())?;
            let pattern = node.child_by_field_name(names)?;
            let parts = named_children(pattern);
            let at = parts.iter().position(|part| self.is_name(*part) && self.source.text(*part) == text)?;
            Some((at, parts.len(), node.child_by_field_name(value)?))
        });
        let (at, size, value) = found.next()?;
        if size < 2 || found.next().is_some() {
            return None;
        }
        let words = self.source.text(value);
        if words.contains("reader(") {
            return Some((None, at));
        }
        let literal = all_nodes(value)
            .into_iter()
            .find(|node| self.rules.literals.strings.contains(&node.kind()) && words.contains("split"))?;
        let literal = self.source.text(literal);
        let mark = literal.trim_matches(['"', '\'', '`']);
        let mark = if mark == "\\t" { "\t" } else { mark };
        let mut marks = mark.chars();
        marks.next().filter(|_| marks.next().is_none()).map(|mark| (Some(mark), at))
    }

    /// The text of a file that the test writes for nothing but this comparison: `want.write_text("6")`, then `want.read_text()`. Code
    /// that reads it there has not computed it.
    pub(super) fn laid_in_file(&self, side: Node<'t>) -> Option<Node<'t>> {
        let path = self.read_path(self.unconverted(side))?;
        let text = self.source.text(path);
        let nodes = all_nodes(self.body);
        let mut written = nodes.iter().filter_map(|node| {
            let call = call_parts(self.source, *node)?;
            match (call.name.as_str(), call.object, call.arguments.as_slice()) {
                ("write_text" | "write_bytes", Some(object), [value, ..])
                    if self.source.text(object) == text =>
                {
                    Some(*value)
                }
                ("writeFileSync", _, [path, value, ..]) if self.source.text(*path) == text => Some(*value),
                _ => None,
            }
        });
        let value = written.next()?;
        // The name of the file, what writes it and what reads it: whatever else has to do with it may change it.
        let same = nodes.iter().filter(|node| node.kind() == path.kind() && self.source.text(**node) == text);
        let (same, bound) = (same.count(), usize::from(self.is_name(path)));
        // Where the directory goes to the code, the file is an input of it.
        let names: Vec<String> = self.directory_names(path);
        let given = nodes.iter().any(|node| {
            call_parts(self.source, *node).is_some_and(|call| {
                call.arguments.iter().any(|argument| names.contains(&self.source.text(*argument)))
            })
        });
        let pure = self.rules.literals.is_pure(self.source, value);
        (same == 2 + bound && !given && pure).then_some(value)
    }

    fn read_path(&self, side: Node<'t>) -> Option<Node<'t>> {
        let call = call_parts(self.source, side)?;
        match (call.name.as_str(), call.object, call.arguments.as_slice()) {
            ("read_text" | "read_bytes", Some(object), _) => Some(object),
            ("readFileSync", _, [path, ..]) => Some(*path),
            _ => None,
        }
    }

    /// The names that a path is made of.
    fn directory_names(&self, path: Node<'t>) -> Vec<String> {
        let mut parts = vec![path];
        if self.is_name(path) {
            let text = self.source.text(path);
            parts = all_nodes(self.body)
                .into_iter()
                .filter_map(|node| {
                    let (_, names, value) =
                        self.rules.bindings.iter().find(|(kind, ..)| *kind == node.kind())?;
                    (self.source.field(node, names)? == text).then(|| node.child_by_field_name(value))?
                })
                .collect();
        }
        let nodes = parts.into_iter().flat_map(all_nodes);
        nodes.filter(|node| self.is_name(*node)).map(|node| self.source.text(node)).collect()
    }
}
