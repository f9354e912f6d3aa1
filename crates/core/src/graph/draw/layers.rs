//! Rows and places: which level a leaf is drawn on, in which order, and how far along. Shared by text, svg and the
//! drawing of a page.

use super::super::{Graph, TaskIx};

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    /// A leaf.
    Task(TaskIx),
    /// Something else that is drawn as a box.
    Thing,
    /// A link that passes by on its way to a later row.
    Pass,
}

/// Leaves in rows, with links between neighbouring rows only.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) cells: Vec<Cell>,
    /// Cells by row, from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// For each link drawn, the cells it runs through, first to last.
    pub(super) routes: Vec<Vec<usize>>,
    up: Vec<Vec<usize>>,
    down: Vec<Vec<usize>>,
}

/// The links that do not follow from a longer chain; all of them if the graph is too large to reduce.
pub(super) fn essential(graph: &Graph) -> Vec<(TaskIx, TaskIx)> {
    let all = graph.edges().iter().map(|e| (e.first, e.then));
    if graph.edges().len() > 2_000 {
        return all.collect();
    }
    let implied = |a: TaskIx, b: TaskIx| graph.node(b).deps.iter().any(|d| *d != a && graph.before(a, *d));
    all.filter(|(a, b)| !implied(*a, *b)).collect()
}

impl Layers {
    /// Puts the leaves into rows by level and orders each row so that few links cross.
    pub(super) fn new(graph: &Graph, links: &[(TaskIx, TaskIx)]) -> Layers {
        let rows = graph.levels().iter().map(|level| level.iter().map(|ix| ix.at()).collect()).collect();
        let links: Vec<(usize, usize)> = links.iter().map(|(first, then)| (first.at(), then.at())).collect();
        Layers::of_rows(graph.indices().map(Cell::Task).collect(), rows, &links)
    }

    /// Orders rows that were made elsewhere so that few links cross. Every cell is in one row, and every link leads to a
    /// later one.
    pub(super) fn of_rows(cells: Vec<Cell>, rows: Vec<Vec<usize>>, links: &[(usize, usize)]) -> Layers {
        let mut level = vec![0; cells.len()];
        for (at, row) in rows.iter().enumerate() {
            for cell in row {
                level[*cell] = at;
            }
        }
        let (up, down) = (vec![Vec::new(); cells.len()], vec![Vec::new(); cells.len()]);
        let mut layers = Layers { cells, rows, routes: Vec::new(), up, down };
        for (first, then) in links {
            layers.route(*first, *then, level[*first], level[*then]);
        }
        layers.untangle();
        layers
    }

    fn route(&mut self, first: usize, then: usize, from: usize, to: usize) {
        let mut route = vec![first];
        for row in from + 1..to {
            let pass = self.cells.len();
            self.cells.push(Cell::Pass);
            self.up.push(Vec::new());
            self.down.push(Vec::new());
            self.rows[row].push(pass);
            route.push(pass);
        }
        route.push(then);
        for pair in route.windows(2) {
            self.down[pair[0]].push(pair[1]);
            self.up[pair[1]].push(pair[0]);
        }
        self.routes.push(route);
    }

    /// The cells of the next row a cell is linked to.
    pub(super) fn below(&self, cell: usize) -> &[usize] {
        &self.down[cell]
    }

    /// Sweeps down and up, sorting each row by the positions of its neighbours; keeps the best order.
    fn untangle(&mut self) {
        let mut best = (self.crossings(), self.rows.clone());
        for sweep in 0..12 {
            let place = self.places();
            if best.0 == 0 {
                break;
            }
            let rows: Vec<usize> = if sweep % 2 == 0 {
                (1..self.rows.len()).collect()
            } else {
                (0..self.rows.len()).rev().collect()
            };
            self.sweep(&rows, sweep % 2 == 0, place);
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
        }
        self.rows = best.1;
    }

    fn sweep(&mut self, rows: &[usize], downwards: bool, mut place: Vec<usize>) {
        for row in rows {
            let near = if downwards { &self.up } else { &self.down };
            // Scaled means: whole numbers sort the same everywhere.
            let mean = |cell: &usize| {
                let near = &near[*cell];
                let sum: usize = near.iter().map(|n| place[*n] * 1_000).sum();
                sum.checked_div(near.len()).unwrap_or(place[*cell] * 1_000)
            };
            let mut cells = self.rows[*row].clone();
            cells.sort_by_key(mean);
            for (at, cell) in cells.iter().enumerate() {
                place[*cell] = at;
            }
            self.rows[*row] = cells;
        }
    }

    fn places(&self) -> Vec<usize> {
        let mut place = vec![0; self.cells.len()];
        for row in &self.rows {
            for (at, cell) in row.iter().enumerate() {
                place[*cell] = at;
            }
        }
        place
    }

    /// How many pairs of links cross; rows with very many links are not counted.
    fn crossings(&self) -> usize {
        let place = self.places();
        let mut sum = 0;
        for row in &self.rows {
            let links: Vec<(usize, usize)> =
                row.iter().flat_map(|c| self.down[*c].iter().map(|d| (place[*c], place[*d]))).collect();
            if links.len() > 400 {
                continue;
            }
            for (at, a) in links.iter().enumerate() {
                sum += links[at + 1..]
                    .iter()
                    .filter(|b| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1))
                    .count();
            }
        }
        sum
    }

    /// The middle of each cell along its row: near those it is linked to, never closer to its neighbours than their
    /// halves and the gap.
    pub(super) fn middles(&self, half: impl Fn(Cell) -> i64, gap: i64) -> Vec<i64> {
        let mut middle = vec![0; self.cells.len()];
        let apart = |a: usize, b: usize| half(self.cells[a]) + half(self.cells[b]) + gap;
        for row in &self.rows {
            for pair in row.windows(2) {
                middle[pair[1]] = middle[pair[0]] + apart(pair[0], pair[1]);
            }
        }
        let last = self.rows.len();
        for turn in 0..8 {
            for step in 0..last {
                let (row, near) = if turn % 2 == 0 {
                    (&self.rows[step], &self.up)
                } else {
                    (&self.rows[last - 1 - step], &self.down)
                };
                settle(row, near, apart, &mut middle);
            }
        }
        let left = (0..self.cells.len()).map(|c| middle[c] - half(self.cells[c])).min().unwrap_or(0);
        for m in &mut middle {
            *m -= left;
        }
        middle
    }
}

/// Moves a row's cells towards the mean of their neighbours: packed from the left, packed from the right, and then
/// half-way between, which keeps the distances.
fn settle(row: &[usize], near: &[Vec<usize>], apart: impl Fn(usize, usize) -> i64, middle: &mut [i64]) {
    let wish = |cell: usize| {
        let near = &near[cell];
        let count = i64::try_from(near.len()).unwrap_or(i64::MAX);
        let sum: i64 = near.iter().map(|n| middle[*n]).sum();
        sum.checked_div(count).unwrap_or(middle[cell])
    };
    let wishes: Vec<i64> = row.iter().map(|c| wish(*c)).collect();
    let mut left = wishes.clone();
    for at in 1..row.len() {
        left[at] = left[at].max(left[at - 1] + apart(row[at - 1], row[at]));
    }
    let mut right = wishes;
    for at in (1..row.len()).rev() {
        right[at - 1] = right[at - 1].min(right[at] - apart(row[at - 1], row[at]));
    }
    for (at, cell) in row.iter().enumerate() {
        middle[*cell] = (left[at] + right[at]).div_euclid(2);
    }
}
