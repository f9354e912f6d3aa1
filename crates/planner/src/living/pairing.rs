//! Which task and which criterion of one derivation is which of another, by content.

use crate::words::is_listed;
use std::collections::{BTreeSet, HashMap};

use super::lines::plain_text;
use windlass_core::plan::{Criterion, Plan, Task};

/// Tasks that are less alike than this are different work.
const SAME_WORK: f64 = 0.3;
/// Criteria of the same task that are less alike than this are different sentences.
const SAME_SENTENCE: f64 = 0.3;
/// Criteria of different tasks that are less alike than this are different sentences.
const SAME_ELSEWHERE: f64 = 0.6;

/// For each task of `now`, its place in `before`.
pub(super) fn pair_tasks(before: &[Task], now: &[Task]) -> Vec<Option<usize>> {
    let old: Vec<TaskTraits> = before.iter().map(TaskTraits::of).collect();
    let new: Vec<TaskTraits> = now.iter().map(TaskTraits::of).collect();
    let mut scored = Vec::new();
    for (n, new) in new.iter().enumerate() {
        for (o, old) in old.iter().enumerate() {
            let score = old.likeness(new);
            if score >= SAME_WORK {
                scored.push((score, n, o));
            }
        }
    }
    // Of equal pairs the one that stands closer: a task that did not move.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.abs_diff(a.2).cmp(&b.1.abs_diff(b.2))));
    let mut pairs = vec![None; now.len()];
    let mut taken = vec![false; before.len()];
    for (_, n, o) in scored {
        if pairs[n].is_none() && !taken[o] {
            pairs[n] = Some(o);
            taken[o] = true;
        }
    }
    pairs
}

/// What a task is recognised by.
struct TaskTraits {
    files: BTreeSet<String>,
    criteria: Vec<BTreeSet<String>>,
    heading: BTreeSet<String>,
    prose: BTreeSet<String>,
    is_parent: bool,
}

impl TaskTraits {
    fn of(task: &Task) -> Self {
        let mut prose = words(&task.objective);
        prose.extend(words(&task.description));
        Self {
            files: task.owned().map(str::to_owned).collect(),
            criteria: task.criteria.iter().map(|c| words(&c.text)).collect(),
            heading: words(&task.title),
            prose,
            is_parent: task.sub_plan.is_some(),
        }
    }

    /// From 0 to 1: by what both have, so that a task without criteria is not unlike itself.
    fn likeness(&self, other: &Self) -> f64 {
        if self.is_parent != other.is_parent {
            return 0.0;
        }
        let mut sum = 0.0;
        let mut weight = 0.0;
        let mut add = |share: f64, score: f64| {
            sum += share * score;
            weight += share;
        };
        if !(self.files.is_empty() && other.files.is_empty()) {
            add(3.0, overlap(&self.files, &other.files));
        }
        if !(self.criteria.is_empty() && other.criteria.is_empty()) {
            add(4.0, sentences_alike(&self.criteria, &other.criteria));
        }
        if !(self.prose.is_empty() && other.prose.is_empty()) {
            add(2.0, overlap(&self.prose, &other.prose));
        }
        add(2.0, overlap(&self.heading, &other.heading));
        sum / weight
    }
}

/// How many sentences of either side have one on the other that is much like them.
fn sentences_alike(one: &[BTreeSet<String>], other: &[BTreeSet<String>]) -> f64 {
    let best = |words: &BTreeSet<String>, among: &[BTreeSet<String>]| {
        among.iter().map(|a| overlap(words, a)).fold(0.0, f64::max)
    };
    let sum: f64 = one
        .iter()
        .map(|w| best(w, other))
        .chain(other.iter().map(|w| best(w, one)))
        .filter(|s| *s >= 0.5)
        .sum();
    sum / count(one.len() + other.len())
}

/// For each criterion of `now`, its place in `before`. `pairs` are the tasks that are the same.
pub(super) fn pair_criteria(
    before: &Plan,
    now: &Plan,
    pairs: &[Option<usize>],
    given: &dyn Fn(&str) -> bool,
) -> Vec<Option<usize>> {
    let mut pairing = CriterionPairing::between(before, now, pairs);
    pairing.take(&|p, o, n| yes(p.is_same_text(o, n) && p.is_paired(o, n)), 1.0);
    pairing.take(&|p, o, n| yes(p.is_same_text(o, n)), 1.0);
    pairing.take(&|p, o, n| yes(p.old[o].id == p.new[n].id && given(&p.new[n].id)), 1.0);
    pairing.take(&|p, o, n| if p.is_paired(o, n) { p.alike(o, n) } else { 0.0 }, SAME_SENTENCE);
    pairing.take(&CriterionPairing::alike, SAME_ELSEWHERE);
    pairing.found
}

fn yes(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

struct CriterionPairing<'a> {
    old: &'a [Criterion],
    new: &'a [Criterion],
    old_text: Vec<String>,
    new_text: Vec<String>,
    old_words: Vec<BTreeSet<String>>,
    new_words: Vec<BTreeSet<String>>,
    /// The tasks of each criterion, by the place of the old one.
    old_tasks: HashMap<&'a str, BTreeSet<usize>>,
    new_tasks: HashMap<&'a str, BTreeSet<usize>>,
    found: Vec<Option<usize>>,
    taken: BTreeSet<usize>,
}

impl<'a> CriterionPairing<'a> {
    fn between(before: &'a Plan, now: &'a Plan, pairs: &[Option<usize>]) -> Self {
        let mut old_tasks: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (at, task) in before.tasks.iter().enumerate() {
            for criterion in &task.criteria {
                old_tasks.entry(&criterion.id).or_default().insert(at);
            }
        }
        let mut new_tasks: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (task, pair) in now.tasks.iter().zip(pairs) {
            for criterion in &task.criteria {
                new_tasks.entry(&criterion.id).or_default().extend(*pair);
            }
        }
        Self {
            old: &before.criteria,
            new: &now.criteria,
            old_text: before.criteria.iter().map(|c| plain_text(&c.text)).collect(),
            new_text: now.criteria.iter().map(|c| plain_text(&c.text)).collect(),
            old_words: before.criteria.iter().map(|c| words(&c.text)).collect(),
            new_words: now.criteria.iter().map(|c| words(&c.text)).collect(),
            old_tasks,
            new_tasks,
            found: vec![None; now.criteria.len()],
            taken: BTreeSet::new(),
        }
    }

    fn is_same_text(&self, old: usize, new: usize) -> bool {
        self.old_text[old] == self.new_text[new]
    }

    fn alike(&self, old: usize, new: usize) -> f64 {
        overlap(&self.old_words[old], &self.new_words[new])
    }

    /// Whether both are criteria of the same task.
    fn is_paired(&self, old: usize, new: usize) -> bool {
        let old = self.old_tasks.get(self.old[old].id.as_str());
        let new = self.new_tasks.get(self.new[new].id.as_str());
        old.zip(new).is_some_and(|(old, new)| !old.is_disjoint(new))
    }

    /// Pairs what is left, the most alike first, down to a score.
    fn take(&mut self, score: &dyn Fn(&Self, usize, usize) -> f64, least: f64) {
        let mut scored = Vec::new();
        for n in (0..self.new.len()).filter(|n| self.found[*n].is_none()) {
            for o in (0..self.old.len()).filter(|o| !self.taken.contains(o)) {
                let score = score(self, o, n);
                if score >= least {
                    scored.push((score, n, o));
                }
            }
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        for (_, n, o) in scored {
            if self.found[n].is_none() && self.taken.insert(o) {
                self.found[n] = Some(o);
            }
        }
    }
}

/// The words of a text that carry meaning, with how they are written.
fn words(text: &str) -> BTreeSet<String> {
    let split = |c: char| !(c.is_alphanumeric() || c == '-' || c == '.');
    let plain = text.to_lowercase();
    let words = plain.split(split).map(|w| w.trim_matches(['.', '-']));
    words.filter(|w| !w.is_empty() && !is_listed(EMPTY, w)).map(str::to_owned).collect()
}

/// Words that every sentence has.
const EMPTY: &str = include_str!("../words/of_every_sentence.txt");

/// Twice what both have, by what each has.
fn overlap(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    2.0 * count(one.intersection(other).count()) / count(one.len() + other.len())
}

fn count(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// The places of `order` that are not part of its longest rising run: what moved.
pub(super) fn out_of_order(order: &[usize]) -> BTreeSet<usize> {
    // The length of the best run that ends at each place, and the place before it there.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(order.len());
    for (at, value) in order.iter().enumerate() {
        let before =
            (0..at).filter(|b| order[*b] < *value).max_by_key(|b| (best[*b].0, std::cmp::Reverse(*b)));
        best.push((before.map_or(0, |b| best[b].0) + 1, before));
    }
    let mut kept = BTreeSet::new();
    let mut at = (0..order.len()).max_by_key(|at| (best[*at].0, std::cmp::Reverse(*at)));
    while let Some(place) = at {
        kept.insert(place);
        at = best[place].1;
    }
    (0..order.len()).filter(|at| !kept.contains(at)).collect()
}

/// The next free id like this one: `T007` after `T006`.
pub(super) fn fresh_id(like: &str, taken: &BTreeSet<String>) -> String {
    if !taken.contains(like) {
        return like.to_owned();
    }
    let digits = like.len() - like.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (stem, number) = like.split_at(like.len() - digits);
    if number.is_empty() {
        let numbered = (2_u64..).map(|n| format!("{like}-{n}"));
        return numbered.into_iter().find(|id| !taken.contains(id)).unwrap_or_else(|| like.to_owned());
    }
    let width = number.len();
    let used = taken.iter().filter_map(|id| id.strip_prefix(stem)?.parse::<u64>().ok());
    let next = used.max().unwrap_or(0).max(number.parse().unwrap_or(0)) + 1;
    format!("{stem}{next:0width$}")
}
