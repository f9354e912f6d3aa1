//! Tables of cases: a list that a file binds to a name once and that one place goes through.

use tree_sitter::Node;

use super::flow::{ValueFlow, all_nodes, alone};
use super::rules::ExpectationRules;
use crate::syntax::source::{ParsedText, named_children};

/// The table that a name stands for, if the file binds it once and uses it in one place only.
pub(crate) fn own_table<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    name: Node<'t>,
) -> Option<Node<'t>> {
    let text = source.text(name);
    table_named(source, rules, name, text.rsplit('.').next()?)
}

/// The table that `cases.CASES` or `cases::CASES` stands for: one that the file of that module binds.
pub(super) fn table_of_module<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    member: Node<'t>,
) -> Option<Node<'t>> {
    let text = source.text(member);
    let name = text.rsplit(['.', ':']).next()?;
    table_named(source, rules, member, name)
}

fn table_named<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    within: Node<'t>,
    text: &str,
) -> Option<Node<'t>> {
    let root = std::iter::successors(Some(within), Node::parent).last()?;
    let nodes = all_nodes(root);
    // A member of a module is a name as well.
    let is_name = |node: &Node<'_>| {
        (rules.names.contains(&node.kind()) || node.kind() == "property_identifier")
            && source.text(*node) == text
    };
    let uses = nodes.iter().filter(|node| is_name(node) && !is_handed_on(source, **node)).count();
    // `from cases import ROWS as rows`
    if let Some(other) = nodes.iter().find_map(|node| renamed(source, *node, text)).filter(|_| uses == 1) {
        let is_other = |node: &&Node<'t>| source.text(**node) == other && rules.names.contains(&node.kind());
        let known = nodes.iter().filter(is_other).filter(|node| !is_handed_on(source, **node)).count();
        let mut values = nodes.iter().filter_map(|node| bound_value(source, rules, *node, &other));
        return values.next().filter(|_| known == 1 && values.next().is_none()).map(alone);
    }
    let mut values = nodes.iter().filter_map(|node| bound_value(source, rules, *node, text));
    match (values.next(), values.next()) {
        (Some(value), None) if uses == 2 => Some(alone(value)),
        // All that a module exports has the name that it is given where it is imported.
        (None, None) if uses == 1 => {
            let mut exported = nodes.iter().filter_map(|node| exported_value(source, *node));
            exported.next().filter(|_| exported.next().is_none())
        }
        _ => None,
    }
}

/// The name that something has where it comes from, if a node imports it under this one.
fn renamed(source: &ParsedText<'_>, node: Node<'_>, text: &str) -> Option<String> {
    let alias = source.field(node, "alias").filter(|alias| alias == text)?;
    let name = source.field(node, "name").or_else(|| source.field(node, "path"))?;
    name.rsplit([':', '.']).next().filter(|name| *name != alias).map(str::to_owned)
}

/// The value that a node binds to a name.
fn bound_value<'t>(
    source: &ParsedText<'_>,
    rules: &ExpectationRules,
    node: Node<'t>,
    text: &str,
) -> Option<Node<'t>> {
    let (_, names, value) = rules.bindings.iter().find(|(kind, ..)| *kind == node.kind())?;
    let pattern = source.text(alone(node.child_by_field_name(names)?));
    let own =
        pattern.strip_prefix("module.").unwrap_or(&pattern).strip_prefix("exports.").unwrap_or(&pattern);
    node.child_by_field_name(value).filter(|value| own == text && !is_required(source, *value))
}

/// `module.exports = […]`, `export default […]`
fn exported_value<'t>(source: &ParsedText<'_>, node: Node<'t>) -> Option<Node<'t>> {
    match node.kind() {
        "assignment_expression" if source.field(node, "left").as_deref() == Some("module.exports") => {
            node.child_by_field_name("right")
        }
        "export_statement" => node.child_by_field_name("value"),
        _ => None,
    }
}

fn is_required(source: &ParsedText<'_>, value: Node<'_>) -> bool {
    source.text(value).contains("require(")
}

/// Whether a name stands where it is imported or exported, which is no use of what it means.
pub(super) fn is_handed_on(source: &ParsedText<'_>, name: Node<'_>) -> bool {
    let above = std::iter::successors(name.parent(), Node::parent);
    above.take(4).any(|node| {
        node.kind().contains("import")
            || matches!(node.kind(), "use_declaration" | "export_specifier")
            // pytest's names of cases.
            || (node.kind() == "keyword_argument" && source.field(node, "name").as_deref() == Some("ids"))
            || (node.kind() == "variable_declarator"
                && node.child_by_field_name("value").is_some_and(|value| is_required(source, value)))
    })
}

/// The values of a column of a table in a template: ``each`a | b ${1} | ${2}` ``. Its first line names the columns.
pub(crate) fn template_column<'t>(
    source: &ParsedText<'_>,
    list: Node<'t>,
    name: &str,
) -> Option<Vec<Node<'t>>> {
    let template = list.child_by_field_name("arguments").filter(|text| text.kind() == "template_string")?;
    let parts = named_children(template);
    let head = source.text(*parts.first()?);
    let columns: Vec<&str> = head.trim_start().lines().next()?.split('|').map(str::trim).collect();
    let at = columns.iter().position(|column| *column == name)?;
    let cells = parts.into_iter().filter(|part| part.kind() == "template_substitution");
    let values = cells.filter_map(|cell| named_children(cell).first().copied());
    Some(values.enumerate().filter(|(nth, _)| nth % columns.len() == at).map(|(_, value)| value).collect())
}

impl<'t> ValueFlow<'_, '_, 't> {
    /// The value that a row gives a field of the record that it makes: `Case([1], 3)`, `new Case(a, 3)`, or a function of the file that
    /// gives one, `case(1, gives=3)`.
    pub(super) fn entry_of_record(&self, row: Node<'t>, name: &str) -> Option<Node<'t>> {
        let maker = self.source.field(row, "type").or_else(|| self.source.field(row, "function"))?;
        let nodes = all_nodes(self.source.root());
        let mut found = nodes.into_iter().filter(|node| {
            matches!(node.kind(), "record_declaration" | "class_definition" | "function_definition")
                && self.source.field(*node, "name").as_deref() == Some(&maker)
        });
        let declared = found.next().filter(|_| found.next().is_none())?;
        if declared.kind() == "function_definition" {
            let last = named_children(declared.child_by_field_name("body")?).pop()?;
            let given =
                named_children(last).first().copied().filter(|_| last.kind() == "return_statement")?;
            let value =
                self.entry_of_record(given, name).or_else(|| argument_named(self.source, given, name))?;
            return argument_named(self.source, row, &self.source.text(value));
        }
        let at = self.fields_of(declared).iter().position(|field| field == name)?;
        let cells = named_children(row.child_by_field_name("arguments")?);
        let by_position =
            |node: &&Node<'_>| node.kind() != "keyword_argument" && !node.kind().contains("splat");
        let cell = cells.get(at).filter(by_position).copied();
        cell.or_else(|| argument_named(self.source, row, name))
    }

    /// The fields of a record, or of a class whose constructor is made from its fields.
    fn fields_of(&self, declared: Node<'t>) -> Vec<String> {
        if let Some(parameters) = declared.child_by_field_name("parameters") {
            return named_children(parameters)
                .iter()
                .filter_map(|field| self.source.field(*field, "name"))
                .collect();
        }
        let whole =
            declared.parent().filter(|parent| parent.kind() == "decorated_definition").unwrap_or(declared);
        let text = self.source.text(whole);
        let head = text.split_once(":\n").map_or("", |(head, _)| head);
        let makes = ["NamedTuple", "dataclass", "@define", "@frozen"].iter().any(|word| head.contains(word));
        // Another order, or fields that the text does not show.
        let moved = ["init=False", "ClassVar", "kw_only", "attrib(", "attr.ib("]
            .iter()
            .any(|word| text.contains(word));
        let bases = declared.child_by_field_name("superclasses").map(named_children).unwrap_or_default();
        let plain = bases.iter().all(|base| self.source.text(*base).ends_with("NamedTuple"));
        if !makes || moved || !plain {
            return Vec::new();
        }
        let members = declared.child_by_field_name("body").map(named_children).unwrap_or_default();
        let typed = members
            .into_iter()
            .flat_map(named_children)
            .filter(|node| node.kind() == "assignment" && node.child_by_field_name("type").is_some());
        typed.filter_map(|field| self.source.field(field, "left")).collect()
    }
}

/// The value of an argument that is given by name.
fn argument_named<'t>(source: &ParsedText<'_>, call: Node<'t>, name: &str) -> Option<Node<'t>> {
    let given = named_children(call.child_by_field_name("arguments")?).into_iter();
    let mut named = given.filter(|argument| argument.kind() == "keyword_argument");
    named
        .find(|argument| source.field(*argument, "name").as_deref() == Some(name))?
        .child_by_field_name("value")
}
