//! Diagrams in code blocks, Mermaid and PlantUML: classes, sequences, components and flows. They say what builds on what.
//!
//! A diagram names things, not files; which file a thing is in is settled when the plan is derived.

mod class;
mod graph;
mod lines;
mod sequence;

use crate::spec::document::{BlockContent, CodeListing, DocumentBlock};
use crate::spec::model::StatedUse;
use crate::spec::reading::DocumentReading;

/// The kind of a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DiagramKind {
    Class,
    Sequence,
    Graph,
}

/// Adds what the diagrams of a document say about the order of things.
pub(in crate::spec) fn collect_diagrams(reading: &mut DocumentReading<'_>) {
    for block in reading.tree.wanted_blocks() {
        if let BlockContent::Code(code) = &block.content
            && let Some(kind) = kind_of(code)
        {
            collect(reading, block, code, kind);
        }
    }
}

fn collect(reading: &mut DocumentReading<'_>, block: &DocumentBlock, code: &CodeListing, kind: DiagramKind) {
    let span = reading.span(&code.at);
    let uses = match kind {
        DiagramKind::Class => {
            let (classes, uses) = class::read(&code.text);
            for class in classes {
                if !reading.spec.classes.iter().any(|known| known.name == class.name) {
                    reading.spec.classes.push(class);
                }
            }
            uses
        }
        DiagramKind::Sequence => sequence::read(&code.text),
        DiagramKind::Graph => graph::read(&code.text),
    };
    reading.claim(block);
    for use_ in uses {
        let stated = StatedUse { user: use_.user, used: use_.used, strength: use_.strength, span };
        let is_same =
            |u: &StatedUse| (&u.user, &u.used, u.strength) == (&stated.user, &stated.used, stated.strength);
        if stated.user != stated.used && !reading.spec.uses.iter().any(is_same) {
            reading.spec.uses.push(stated);
        }
    }
}

/// The kind of a diagram, by the word it begins with; PlantUML has none, so its lines decide.
fn kind_of(code: &CodeListing) -> Option<DiagramKind> {
    let is_comment = |line: &&str| line.is_empty() || line.starts_with("%%") || line.starts_with("---");
    let mut lines = code.text.lines().map(str::trim).filter(|line| !is_comment(line));
    let first = lines.next()?;
    let word = first.split([' ', '-', ';']).next().unwrap_or_default();
    match word {
        "classDiagram" => return Some(DiagramKind::Class),
        "sequenceDiagram" => return Some(DiagramKind::Sequence),
        "graph" | "flowchart" | "C4Component" | "C4Container" => return Some(DiagramKind::Graph),
        _ => {}
    }
    let info = code.info.trim().to_lowercase();
    if !(first.starts_with("@start") || matches!(info.as_str(), "plantuml" | "puml" | "uml")) {
        return None;
    }
    let has = |words: &[&str]| code.text.lines().any(|l| words.iter().any(|w| l.trim_start().starts_with(w)));
    if has(&["participant ", "actor ", "activate "]) {
        Some(DiagramKind::Sequence)
    } else if has(&["class ", "interface ", "abstract ", "enum "]) {
        Some(DiagramKind::Class)
    } else if has(&["component ", "package ", "node ", "[", "database "]) {
        Some(DiagramKind::Graph)
    } else {
        Some(DiagramKind::Sequence)
    }
}
