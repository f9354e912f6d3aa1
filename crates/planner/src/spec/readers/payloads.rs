//! Bodies of requests and answers in a fence: `Error response — 400` and the JSON below it say what the program takes and gives.

use crate::spec::document::{
    BlockContent, CodeListing, DocumentBlock, DocumentForm, RunningText, SectionTree,
};

/// The longest body that is one statement.
const WHOLE: usize = 280;

/// A line of a body that says more than a name and a type.
const SPEAKS: usize = 4;

/// What a body says: all of it where it is short, else its fields, and each line that describes one.
pub(super) fn statements(tree: &SectionTree, block: &DocumentBlock, code: &CodeListing) -> Vec<String> {
    let text = code.text.trim();
    let Some(name) = body_name(tree, block).filter(|_| text.starts_with(['{', '['])) else {
        return Vec::new();
    };
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let whole = lines.join(" ");
    if whole.len() <= WHOLE {
        return vec![format!("{name}: {whole}")];
    }
    let fields: Vec<&str> = lines.iter().filter_map(|line| field(line)).collect();
    let described = |line: &&&str| {
        let value = line.split_once(':').map_or("", |(_, value)| value);
        value.split_whitespace().filter(|w| w.chars().any(char::is_alphanumeric)).count() >= SPEAKS
    };
    let listed = (!fields.is_empty()).then(|| format!("{name}: {}", fields.join(", ")));
    let told = lines.iter().filter(described).map(|line| format!("{name}: {}", line.trim_end_matches(',')));
    listed.into_iter().chain(told).collect()
}

/// The name of the field that a line begins with.
fn field(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix('"')?.split_once('"')?;
    rest.trim_start().starts_with(':').then_some(name)
}

/// What a body is called: its label, the line above it, or its heading, if that speaks of a request or an answer.
fn body_name<'t>(tree: &'t SectionTree, block: &'t DocumentBlock) -> Option<&'t str> {
    const SIGNS: [&str; 11] = [
        "request", "response", "body", "payload", "error", "returns", "answer", "input", "output", "reply",
        "accepts",
    ];
    let is_body = |name: &&str| {
        let lower = name.to_lowercase();
        name.split_whitespace().count() <= 12 && SIGNS.iter().any(|sign| lower.contains(sign))
    };
    let before = block.index.checked_sub(1).and_then(|at| tree.blocks.get(at));
    let above = before.filter(|b| b.section == block.section).and_then(|b| match &b.content {
        BlockContent::Paragraph(text) => Some(text.text.as_str()).filter(|text| !text.ends_with('.')),
        BlockContent::Item(item) => Some(item.text.text.as_str()).filter(|text| !text.ends_with('.')),
        BlockContent::Table(_) | BlockContent::Code(_) => None,
    });
    // `or`, and another body of the same answer.
    let earlier =
        tree.own_blocks(block.section).iter().filter(|b| b.index < block.index && b.index + 4 > block.index);
    let earlier = earlier.rev().filter_map(|b| b.label.as_deref());
    let names = [above, block.label.as_deref()].into_iter().flatten().chain(earlier);
    let heading = tree.heading(block.section);
    // Where headings have nothing but a body below them, it is what they name: a list of messages.
    const SEVERAL: usize = 3;
    let holds_body = |at: usize| {
        let own = tree.own_blocks(at);
        let says_nothing = |b: &DocumentBlock| b.running_text().is_none_or(RunningText::is_label);
        let is_body = |b: &DocumentBlock| matches!(&b.content, BlockContent::Code(code) if code.text.trim_start().starts_with('{'));
        tree.sections[at].is_part() && own.iter().any(is_body) && own.iter().all(says_nothing)
    };
    let lists_bodies = tree.form == DocumentForm::Text
        && holds_body(block.section)
        && (0..tree.sections.len()).filter(|at| holds_body(*at)).count() >= SEVERAL;
    let name = names.chain([heading]).find(is_body).or(Some(heading).filter(|_| lists_bodies))?;
    Some(name.trim_matches(['*', ':', '：', ' ']))
}
