//! Parts of a plain text that are not prose: fenced blocks, drawn trees, data in braces, rows separated by tabs.

use super::lines::TextLine;

/// What a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    Prose,
    /// A block with fences.
    Fenced,
    /// A drawing or data without fences.
    Code,
    Table,
}

/// Braces that are not closed within so many lines are prose.
const LONGEST: usize = 400;

/// The region of every line.
pub(super) fn line_regions(lines: &[TextLine<'_>]) -> Vec<Region> {
    let mut regions = vec![Region::Prose; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let (end, region) = region_at(lines, at);
        regions[at..end].fill(region);
        at = end;
    }
    regions
}

/// The region that begins at a line, and where it ends.
fn region_at(lines: &[TextLine<'_>], at: usize) -> (usize, Region) {
    if let Some(mark) = ["```", "~~~"].into_iter().find(|f| lines[at].body.starts_with(f)) {
        let close = lines[at + 1..].iter().position(|l| l.body.starts_with(mark));
        return (close.map_or(lines.len(), |n| at + n + 2), Region::Fenced);
    }
    if lines[at].body.starts_with(">>> ") {
        let length = lines[at..].iter().take_while(|l| !l.is_blank()).count();
        return (at + length, Region::Code);
    }
    let drawn = |n: usize| lines.get(n).is_some_and(TextLine::is_drawn);
    let root = lines[at].body.ends_with('/') && !lines[at].body.contains(' ') && drawn(at + 1);
    if root || (drawn(at) && drawn(at + 1)) {
        let length = lines[at + 1..].iter().take_while(|l| l.is_drawn()).count();
        return (at + 1 + length, Region::Code);
    }
    if matches!(lines[at].body, "{" | "[") {
        let closes = |l: &TextLine<'_>| l.body.starts_with(['}', ']']) && l.indent == lines[at].indent;
        if let Some(close) = lines[at + 1..].iter().take(LONGEST).position(closes) {
            return (at + close + 2, Region::Code);
        }
    }
    let rows = lines[at..].iter().take_while(|l| l.cells().is_some()).count();
    if rows > 1 { (at + rows, Region::Table) } else { (at + 1, Region::Prose) }
}
