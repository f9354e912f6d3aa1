//! Arrows drawn with characters: lines are followed from the text they leave to the text their heads point at.
//!
//! Works on a grid. Cells that touch and open towards each other are one line, whatever its turns; every text at an
//! open end is a source, every text at an arrow's head a target.

use super::{Edge, Names};

/// Lines longer or drawings higher than this are not drawings.
const MOST: usize = 400;

/// The orders of a drawing between tasks that are known.
pub(super) fn edges(text: &str, names: &mut Names) -> Vec<Edge> {
    let grid = Grid::of(text);
    let runs = grid.runs(names);
    if runs.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for line in grid.lines() {
        let (mut sources, mut targets): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
        for at in line {
            grid.ends(at, &runs, &mut sources, &mut targets);
        }
        for source in &sources {
            for (target, _) in
                targets.iter().filter(|(target, way)| leads(&runs[*source], &runs[*target], *way))
            {
                let pairs =
                    runs[*source].ids.iter().flat_map(|b| runs[*target].ids.iter().map(move |a| (b, a)));
                found.extend(pairs.filter(|(b, a)| b != a).map(|(b, a)| (b.clone(), a.clone())));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A piece of text in a row that names tasks.
#[derive(Debug)]
struct Run {
    row: usize,
    start: usize,
    end: usize,
    ids: Vec<String>,
}

/// Whether a text stands where an arrow of this direction could come from: one line may join several drawings.
fn leads(source: &Run, target: &Run, way: usize) -> bool {
    match way {
        RIGHT => source.start < target.start,
        LEFT => source.start > target.start,
        DOWN => source.row < target.row,
        _ => source.row > target.row,
    }
}

#[derive(Debug)]
struct Grid {
    cells: Vec<Vec<char>>,
}

/// Which way a cell opens: left, right, up, down.
type Open = [bool; 4];
const LEFT: usize = 0;
const RIGHT: usize = 1;
const UP: usize = 2;
const DOWN: usize = 3;

fn opening(c: char) -> Option<Open> {
    let open = |l, r, u, d| Some([l, r, u, d]);
    match c {
        '─' | '━' | '═' | '╌' | '┄' => open(true, true, false, false),
        '│' | '┃' | '║' | '╎' | '┆' => open(false, false, true, true),
        '┌' | '╭' | '┏' => open(false, true, false, true),
        '┐' | '╮' | '┓' => open(true, false, false, true),
        '└' | '╰' | '┗' => open(false, true, true, false),
        '┘' | '╯' | '┛' => open(true, false, true, false),
        '├' | '┣' => open(false, true, true, true),
        '┤' | '┫' => open(true, false, true, true),
        '┬' | '┳' => open(true, true, false, true),
        '┴' | '┻' => open(true, true, true, false),
        '┼' | '╋' => open(true, true, true, true),
        '▶' | '►' | '▷' | '→' => open(true, false, false, false),
        '◀' | '◄' | '←' => open(false, true, false, false),
        '▼' | '▽' | '↓' => open(false, false, true, false),
        '▲' | '↑' => open(false, false, false, true),
        _ => None,
    }
}

fn head(c: char) -> Option<usize> {
    match c {
        '▶' | '►' | '▷' | '→' => Some(RIGHT),
        '◀' | '◄' | '←' => Some(LEFT),
        '▼' | '▽' | '↓' => Some(DOWN),
        '▲' | '↑' => Some(UP),
        _ => None,
    }
}

type At = (usize, usize);

impl Grid {
    fn of(text: &str) -> Grid {
        let cells: Vec<Vec<char>> =
            text.lines().take(MOST).map(|l| arrows(l.chars().take(MOST).collect())).collect();
        Grid { cells }
    }

    fn get(&self, (row, column): At) -> char {
        self.cells.get(row).and_then(|r| r.get(column)).copied().unwrap_or(' ')
    }

    fn step((row, column): At, way: usize) -> Option<At> {
        match way {
            LEFT => Some((row, column.checked_sub(1)?)),
            RIGHT => Some((row, column + 1)),
            UP => Some((row.checked_sub(1)?, column)),
            _ => Some((row + 1, column)),
        }
    }

    /// The neighbour that a cell is joined with in a direction: either opens towards the other.
    fn joined(&self, at: At, way: usize) -> Option<At> {
        let back = way ^ 1;
        let next = Self::step(at, way)?;
        let here = opening(self.get(at))?;
        let Some(there) = opening(self.get(next)) else {
            return if way >= UP && here[way] { self.askew(next, back) } else { None };
        };
        let pointing = head(self.get(at)) == Some(way) || head(self.get(next)) == Some(back);
        (here[way] || there[back] || pointing).then_some(next)
    }

    /// People and models draw by eye: a line that goes on one column beside is still meant.
    fn askew(&self, (row, column): At, back: usize) -> Option<At> {
        let beside = [column.checked_sub(1), Some(column + 1)].into_iter().flatten().map(|c| (row, c));
        let open = |at: &At| opening(self.get(*at)).is_some_and(|o| o[back]);
        // Text in between is where the line ends.
        if self.get((row, column)).is_whitespace() { beside.into_iter().find(open) } else { None }
    }

    /// The lines: cells that hang together.
    fn lines(&self) -> Vec<Vec<At>> {
        let mut seen: Vec<Vec<bool>> = self.cells.iter().map(|r| vec![false; r.len()]).collect();
        let mut lines = Vec::new();
        for row in 0..self.cells.len() {
            for column in 0..self.cells[row].len() {
                if seen[row][column] || opening(self.cells[row][column]).is_none() {
                    continue;
                }
                let mut line = Vec::new();
                let mut open = vec![(row, column)];
                seen[row][column] = true;
                while let Some(at) = open.pop() {
                    line.push(at);
                    for next in (0..4).filter_map(|way| self.joined(at, way)) {
                        if !std::mem::replace(&mut seen[next.0][next.1], true) {
                            open.push(next);
                        }
                    }
                }
                lines.push(line);
            }
        }
        lines
    }

    /// The texts between lines that name a task.
    fn runs(&self, names: &mut Names) -> Vec<Run> {
        let mut runs = Vec::new();
        for (row, cells) in self.cells.iter().enumerate() {
            let mut start = 0;
            for end in 0..=cells.len() {
                if end < cells.len() && opening(cells[end]).is_none() {
                    continue;
                }
                let text: String = cells[start..end].iter().collect();
                let ids = names.ids(&text);
                if let [only] = ids.as_slice()
                    && let Some(at) = text.find(only.as_str())
                {
                    names.title(only, &text[at + only.len()..]);
                }
                let lead = text.len() - text.trim_start().len();
                let shown = text.trim().chars().count();
                if !ids.is_empty() {
                    let from = start + lead;
                    runs.push(Run { row, start: from, end: from + shown, ids });
                }
                start = end + 1;
            }
        }
        runs
    }

    /// What a cell's open ends touch.
    fn ends(&self, at: At, runs: &[Run], sources: &mut Vec<usize>, targets: &mut Vec<(usize, usize)>) {
        let c = self.get(at);
        let Some(open) = opening(c) else { return };
        let pointing = head(c);
        for (way, opens) in open.into_iter().enumerate() {
            let points = pointing == Some(way);
            if !(opens || points) || self.joined(at, way).is_some() {
                continue;
            }
            if let Some(run) = self.beside(at, way, runs) {
                if points {
                    targets.push((run, way));
                } else if !sources.contains(&run) {
                    sources.push(run);
                }
            }
        }
    }

    /// The text next to a cell in a direction, across a little space.
    fn beside(&self, (row, column): At, way: usize, runs: &[Run]) -> Option<usize> {
        let gap = |from: usize, to: usize| {
            to.saturating_sub(from) <= 12 && (from..to).all(|c| self.get((row, c)).is_whitespace())
        };
        let position = |fits: &dyn Fn(&Run) -> bool| runs.iter().position(fits);
        match way {
            LEFT => position(&|r| r.row == row && r.end <= column && gap(r.end, column)),
            RIGHT => position(&|r| r.row == row && r.start > column && gap(column + 1, r.start)),
            UP | DOWN => (1..=2).find_map(|far| {
                let other = if way == UP { row.checked_sub(far)? } else { row + far };
                position(&|r| r.row == other && r.start <= column + 1 && column <= r.end + 1)
            }),
            _ => None,
        }
    }
}

/// Turns `-->`, `->` and `=>` into drawn arrows, and lone `|` and `v` into lines, cell by cell.
fn arrows(mut cells: Vec<char>) -> Vec<char> {
    let mut at = 0;
    while at < cells.len() {
        let dashes = cells[at..].iter().take_while(|c| matches!(c, '-' | '=')).count();
        let spaced = at == 0 || !cells[at - 1].is_alphanumeric();
        let pointed = cells.get(at + dashes) == Some(&'>');
        if dashes > 0 && pointed && spaced {
            cells[at..at + dashes].fill('─');
            cells[at + dashes] = '▶';
            at += dashes + 1;
        } else if dashes >= 2 && spaced {
            cells[at..at + dashes].fill('─');
            at += dashes;
        } else {
            // `─>` mixes both.
            if cells[at] == '>' && at > 0 && cells[at - 1] == '─' {
                cells[at] = '▶';
            }
            let alone = |i: Option<usize>| i.and_then(|i| cells.get(i)).is_none_or(|c| c.is_whitespace());
            let lone = alone(at.checked_sub(1)) && alone(Some(at + 1));
            match cells[at] {
                '|' if lone => cells[at] = '│',
                'v' | 'V' if lone => cells[at] = '▼',
                _ => {}
            }
            at += 1;
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let known: Vec<String> = (1..=6).map(|n| format!("T-00{n}")).collect();
        let mut names =
            Names { known, shapes: vec![("T".to_owned(), 2)], titles: Vec::new(), free: Vec::new() };
        edges(text, &mut names).iter().map(|(b, a)| format!("{}>{}", &b[4..], &a[4..])).collect()
    }

    #[test]
    fn joins_chains_and_falls_are_followed() {
        let joined = "T-001 (quick) ──┐\nT-002 (wiki)  ──┼──► T-004 (push) ──► T-005\nT-003 (deep)  ──┘\n";
        assert_eq!(shown(joined), ["1>4", "2>4", "3>4", "4>5"]);
        assert_eq!(shown("T-001 (a)\n    │\n    ▼\nT-002 (b)\n"), ["1>2"]);
        assert_eq!(shown("L3: T-001 → T-002  [in order]"), ["1>2"]);
        assert_eq!(shown("T-001 --> T-002\n"), ["1>2"]);
        let forks = "T-001 ──┬──▶ T-002\n        │\n        └──▶ T-003\n";
        assert_eq!(shown(forks), ["1>2", "1>3"]);
        assert_eq!(shown("T-001\nT-002\n"), Vec::<String>::new());
    }
}
