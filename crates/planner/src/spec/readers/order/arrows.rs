//! Arrows drawn with characters: lines are followed from the text they leave to the text their heads point at.
//!
//! The drawing is a grid. Adjacent cells that open towards each other form one line, whatever its turns; every text at an
//! open end is a source, every text at an arrow's head a target.

use super::TaskPair;
use super::names::TaskNames;

/// The width and height up to which a drawing is read.
const MAX_SIZE: usize = 400;

/// The orders of a drawing between tasks that are known.
pub(super) fn task_pairs(text: &str, names: &mut TaskNames) -> Vec<TaskPair> {
    let grid = Grid::from_text(text);
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

/// A text in a row of the drawing that names tasks.
#[derive(Debug)]
struct TextRun {
    row: usize,
    start: usize,
    end: usize,
    ids: Vec<String>,
}

/// Whether an arrow of this direction can lead from one text to the other. One line may join several drawings.
fn leads(source: &TextRun, target: &TextRun, way: usize) -> bool {
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

/// The sides on which a cell is open: left, right, up, down.
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
    fn from_text(text: &str) -> Grid {
        let cells: Vec<Vec<char>> =
            text.lines().take(MAX_SIZE).map(|l| drawn_cells(l.chars().take(MAX_SIZE).collect())).collect();
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

    /// The neighbour that a cell is joined with in a direction: one of them opens towards the other.
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

    /// Drawings are often off by one column: a line that continues one column beside is still the same line.
    fn askew(&self, (row, column): At, back: usize) -> Option<At> {
        let beside = [column.checked_sub(1), Some(column + 1)].into_iter().flatten().map(|c| (row, c));
        let open = |at: &At| opening(self.get(*at)).is_some_and(|o| o[back]);
        // The line ends at a text.
        if self.get((row, column)).is_whitespace() { beside.into_iter().find(open) } else { None }
    }

    /// The lines: connected cells.
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
    fn runs(&self, names: &mut TaskNames) -> Vec<TextRun> {
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
                    names.set_title(only, &text[at + only.len()..]);
                }
                let lead = text.len() - text.trim_start().len();
                let shown = text.trim().chars().count();
                if !ids.is_empty() {
                    let from = start + lead;
                    runs.push(TextRun { row, start: from, end: from + shown, ids });
                }
                start = end + 1;
            }
        }
        runs
    }

    /// Adds the texts that the open ends of a cell touch.
    fn ends(&self, at: At, runs: &[TextRun], sources: &mut Vec<usize>, targets: &mut Vec<(usize, usize)>) {
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

    /// The text next to a cell in a direction, across at most 12 spaces or 2 rows.
    fn beside(&self, (row, column): At, way: usize, runs: &[TextRun]) -> Option<usize> {
        let gap = |from: usize, to: usize| {
            to.saturating_sub(from) <= 12 && (from..to).all(|c| self.get((row, c)).is_whitespace())
        };
        let position = |fits: &dyn Fn(&TextRun) -> bool| runs.iter().position(fits);
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

/// Replaces `-->`, `->` and `=>` by drawn arrows, and single `|` and `v` by lines, cell by cell.
fn drawn_cells(mut cells: Vec<char>) -> Vec<char> {
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
