//! Finds dependency cycles, also through parents and parts, and names the shortest cycle of each component.
//!
//! A task with parts is two points here: its start, which its parts inherit, and its end, which comes after theirs.
//! That keeps the work linear in the number of references, however many leaves each of them means.

use std::collections::VecDeque;

use super::family::{TaskFamily, entry_span};
use super::rows::{Adjacency, placed};
use crate::diagnostic::{Diagnostic, Severity, Span};

/// The most cycles that are reported one by one; the rest is counted.
const NAMED: usize = 20;
/// Names shown of one cycle; the middle of a longer one is left out.
const SHOWN: usize = 100;
/// Links looked at, per knot and reach, while searching for a shorter cycle than the first.
const BUDGET: usize = 1_000_000;

/// `a → b → c → a`, with the middle of a very long cycle left out.
pub(super) fn arrows(names: &[&str]) -> String {
    if names.len() <= SHOWN + 1 {
        return names.join(" → ");
    }
    let half = SHOWN / 2;
    let (head, tail) = (&names[..half], &names[names.len() - half..]);
    let between = names.len() - 2 * half;
    format!("{} → … {between} more … → {}", head.join(" → "), tail.join(" → "))
}

/// Reports every knot of tasks that wait for each other.
pub(super) fn report(family: &TaskFamily<'_>, out: &mut Vec<Diagnostic>) {
    let points = Points { family };
    let needs = points.needs();
    let order = placed(&needs, &needs.reversed());
    if order.len() == needs.len() {
        return;
    }
    let mut open = vec![true; needs.len()];
    for point in &order {
        open[*point as usize] = false;
    }
    let mut knots = components(&needs, &open);
    knots.retain(|knot| knot.len() > 1);
    for knot in &mut knots {
        knot.sort_unstable();
    }
    knots.sort_unstable_by_key(|knot| knot[0]);
    for knot in knots.iter().take(NAMED) {
        let cycle = shortest(&needs, knot);
        out.push(points.name(&cycle));
    }
    if knots.len() > NAMED {
        let message = format!("{} more groups of tasks that wait for each other", knots.len() - NAMED);
        out.push(Diagnostic::new("WL0150", Severity::Error, message));
    }
}

/// Tasks as points: `2 i` is the start of task `i`, `2 i + 1` its end; a task without parts has one point.
struct Points<'f, 'a> {
    family: &'f TaskFamily<'a>,
}

impl Points<'_, '_> {
    fn end(&self, task: u32) -> u32 {
        2 * task + u32::from(self.family.has_parts[task as usize])
    }

    fn needs(&self) -> Adjacency {
        let family = self.family;
        let mut pairs = Vec::with_capacity(family.waits.len());
        // A parent that waits for its own part says no more than that it has it.
        let waits = family.waits.iter().filter(|w| !family.contains(w.task, w.on));
        pairs.extend(waits.map(|w| (2 * w.task, self.end(w.on))));
        for (task, parent) in (0_u32..).zip(&family.parent) {
            if let Some(parent) = parent {
                pairs.push((2 * task, 2 * parent));
                pairs.push((self.end(*parent), self.end(task)));
            }
        }
        Adjacency::new(2 * family.parent.len(), &pairs)
    }

    /// One diagnostic for one cycle of points, each needing the next.
    fn name(&self, cycle: &[u32]) -> Diagnostic {
        let first = (0..cycle.len()).min_by_key(|at| cycle[*at]).unwrap_or(0);
        let mut cycle: Vec<u32> = cycle[first..].iter().chain(&cycle[..=first]).copied().collect();
        // From a task's start to its end is all there is to say: that it ends after it starts is known.
        let end = cycle.iter().position(|point| *point == (cycle[0] | 1));
        if let Some(end) = end.filter(|at| *at > 0) {
            cycle.truncate(end + 1);
        }
        let mut names: Vec<&str> = cycle.iter().map(|p| self.family.name(p / 2)).collect();
        names.dedup();
        let message = format!("dependency cycle: {}", arrows(&names));
        let mut links: VecDeque<CycleLink> =
            cycle.windows(2).take(SHOWN).filter_map(|pair| self.link(pair[0], pair[1])).collect();
        let stated = links.iter().position(|link| link.kind == LinkKind::DependsOn).unwrap_or(0);
        links.rotate_left(stated);
        let mut found =
            Diagnostic::new("WL0150", Severity::Error, message).with_task(self.family.name(cycle[0] / 2));
        if let Some(first) = links.pop_front() {
            found = found.at(first.span);
        }
        for link in links {
            found = found.also(link.span, link.label);
        }
        found.with_help("remove one of these dependencies")
    }

    /// Why one point comes after another.
    fn link(&self, from: u32, to: u32) -> Option<CycleLink> {
        let (a, b) = (from / 2, to / 2);
        let family = self.family;
        let (x, y) = (family.name(a), family.name(b));
        if family.parent[a as usize] == Some(b) && to.is_multiple_of(2) {
            let label = format!("`{x}` is a part of `{y}` and waits for what it waits for");
            return Some(CycleLink { kind: LinkKind::PartOf, span: family.task(a).span("parent"), label });
        }
        if family.parent[b as usize] == Some(a) && from % 2 == 1 {
            let label = format!("`{y}` is a part of `{x}`");
            return Some(CycleLink { kind: LinkKind::PartOf, span: family.task(b).span("parent"), label });
        }
        let wait = family.task(a).depends_on.iter().position(|name| name == y)?;
        let span = u32::try_from(wait).ok().and_then(|entry| entry_span(family.task(a), entry));
        Some(CycleLink { kind: LinkKind::DependsOn, span, label: format!("`{x}` depends on `{y}`") })
    }
}

/// One link of a cycle: where it is written, and its wording.
struct CycleLink {
    kind: LinkKind,
    span: Option<Span>,
    label: String,
}

/// What makes one task of a cycle come after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkKind {
    /// A dependency that the plan states.
    DependsOn,
    /// A parent and its part.
    PartOf,
}

/// The strongly connected components among the open points (Tarjan, with its own stack).
fn components(needs: &Adjacency, open: &[bool]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; open.len()];
    let mut low = vec![NEW; open.len()];
    let mut held = vec![false; open.len()];
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0_u32);
    for root in (0_u32..).take(open.len()).filter(|p| open[*p as usize]) {
        if number[root as usize] != NEW {
            continue;
        }
        let mut calls = vec![(root, 0_usize)];
        while let Some((point, at)) = calls.last_mut() {
            let p = *point as usize;
            if *at == 0 {
                (number[p], low[p], held[p]) = (count, count, true);
                count += 1;
                stack.push(*point);
            }
            let next = needs.row(*point).get(*at).copied();
            *at += 1;
            match next {
                Some(to) if !open[to as usize] => {}
                Some(to) if number[to as usize] == NEW => calls.push((to, 0)),
                Some(to) if held[to as usize] => low[p] = low[p].min(number[to as usize]),
                Some(_) => {}
                None => {
                    calls.pop();
                    if let Some((caller, _)) = calls.last() {
                        low[*caller as usize] = low[*caller as usize].min(low[p]);
                    }
                    if low[p] == number[p] {
                        let from = stack.iter().rposition(|s| *s as usize == p).unwrap_or(0);
                        let knot = stack.split_off(from);
                        for point in &knot {
                            held[*point as usize] = false;
                        }
                        found.push(knot);
                    }
                }
            }
        }
    }
    found
}

/// A shortest cycle of a knot: exact unless the knot is so large that the budget ends first. Short reaches are tried
/// first, so that a pair hidden in a large knot is still found.
fn shortest(needs: &Adjacency, knot: &[u32]) -> Vec<u32> {
    let mut search =
        CycleSearch { needs, knot, came: vec![(0, 0); knot.len()], walk: 0, best: Vec::new(), looked: 0 };
    for reach in [4, 16, usize::MAX] {
        search.looked = 0;
        for at in 0..knot.len() {
            let enough = reach < usize::MAX || !search.best.is_empty();
            if search.looked > BUDGET && enough {
                break;
            }
            let bound = if search.best.is_empty() { reach } else { search.best.len() - 1 };
            search.from(at, bound);
        }
        if !search.best.is_empty() {
            break;
        }
    }
    search.best
}

struct CycleSearch<'a> {
    needs: &'a Adjacency,
    knot: &'a [u32],
    /// For each place of the knot, the last walk that reached it and the place it came from.
    came: Vec<(usize, usize)>,
    walk: usize,
    best: Vec<u32>,
    looked: usize,
}

impl CycleSearch<'_> {
    /// Breadth first from one place back to itself, in at most `bound` steps.
    fn from(&mut self, start: usize, bound: usize) {
        self.walk += 1;
        let mut open = VecDeque::from([(start, 0_usize)]);
        while let Some((at, steps)) = open.pop_front() {
            if steps >= bound {
                return;
            }
            for to in self.needs.row(self.knot[at]) {
                self.looked += 1;
                let Ok(to) = self.knot.binary_search(to) else { continue };
                if to == start {
                    self.best = self.trail(start, at);
                    return;
                }
                if self.came[to].0 != self.walk {
                    self.came[to] = (self.walk, at);
                    open.push_back((to, steps + 1));
                }
            }
        }
    }

    fn trail(&self, start: usize, last: usize) -> Vec<u32> {
        let mut trail = vec![self.knot[last]];
        let mut at = last;
        while at != start {
            at = self.came[at].1;
            trail.push(self.knot[at]);
        }
        trail.reverse();
        trail
    }
}

#[cfg(test)]
mod tests;
