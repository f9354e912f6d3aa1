//! The graph of a run with places for everything, phases folded or open.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use crate::graph::draw::plot;
use crate::state::TaskState;
use crate::view::{TaskView, View};

/// A drawing with more boxes than this has no titles; they are asked for where they are looked at.
const TITLED: usize = 1_500;
/// A plan with phases and more tasks than this begins folded.
const FOLDED: usize = 60;

/// The graph with places. Lists of the same length describe the boxes: folded phases first, then tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MapDoc {
    /// `windlass.map/1`.
    pub schema: &'static str,
    /// The number of the last event.
    pub seq: u64,
    /// Width and height of a box.
    #[serde(rename = "box")]
    pub size: (i64, i64),
    /// The distance between two columns.
    pub column: i64,
    /// The phases that are open, as places in the list of phases.
    pub open: Vec<usize>,
    /// The folded phases, as places in the list of phases: the first boxes.
    pub phases: Vec<usize>,
    /// The names of all boxes: ids of phases, then of tasks.
    pub names: Vec<String>,
    /// Titles of the tasks, if there are not very many boxes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    /// The state of each box, as a letter.
    pub states: String,
    /// The column of each box.
    pub x: Vec<usize>,
    /// The middle of each box, downwards.
    pub y: Vec<i64>,
    /// The links, two numbers each, sorted by the second box: how far the second box is behind that of the link before
    /// it, and how far the first box is before the second. Numbers are small so that they are short.
    pub links: Vec<i64>,
    /// Links that pass columns: the number of the link, and the places where it passes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<(usize, Vec<i64>)>,
    /// The boxes of the longest chain of tasks, where they are not folded.
    pub critical: Vec<usize>,
}

/// What a task is drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum MapBox {
    Phase(usize),
    Task(usize),
}

/// The graph with some phases open. `None` leaves the choice: a large plan begins folded.
pub fn map(view: &View, open: Option<&BTreeSet<usize>>) -> MapDoc {
    let all: BTreeSet<usize> = (0..view.parents.len()).collect();
    let none = BTreeSet::new();
    let open = open.unwrap_or(if view.tasks.len() > FOLDED { &none } else { &all });
    let drawn: Vec<MapBox> = (0..view.tasks.len()).map(|at| drawn_as(view, at, open)).collect();
    let boxes = boxes(&drawn);
    let place: HashMap<MapBox, usize> = boxes.iter().copied().zip(0..).collect();
    let at = |task: usize| place[&drawn[task]];
    let links: BTreeSet<(usize, usize)> = view
        .tasks
        .iter()
        .enumerate()
        .flat_map(|(then, task)| task.deps.iter().map(move |first| (*first as usize, then)))
        .filter(|(first, _)| *first < view.tasks.len())
        .map(|(first, then)| (at(first), at(then)))
        .filter(|(first, then)| first != then)
        .collect();
    let plotted = plot(boxes.len(), &links);
    let states = view.parent_states();
    let folded: Vec<usize> = boxes
        .iter()
        .filter_map(|b| match b {
            MapBox::Phase(at) => Some(*at),
            MapBox::Task(_) => None,
        })
        .collect();
    let (flat, passes) = flat_links(plotted.links);
    MapDoc {
        schema: "windlass.map/1",
        seq: view.seq,
        size: plotted.size,
        column: plotted.column,
        open: open.iter().copied().filter(|at| *at < view.parents.len()).collect(),
        names: boxes.iter().map(|b| name(view, *b)).collect(),
        titles: titles(view, &boxes, folded.len()),
        phases: folded,
        states: boxes.iter().map(|b| letter(state(view, &states, *b))).collect(),
        x: plotted.columns,
        y: plotted.middles,
        links: flat,
        passes,
        critical: critical(view).into_iter().filter_map(|at| place.get(&MapBox::Task(at)).copied()).collect(),
    }
}

/// The outermost phase that is folded, or the task itself.
fn drawn_as(view: &View, task: usize, open: &BTreeSet<usize>) -> MapBox {
    let chain = view.places_of(&view.tasks[task]);
    chain.into_iter().find(|phase| !open.contains(phase)).map_or(MapBox::Task(task), MapBox::Phase)
}

/// Folded phases first, then tasks, each in the order of the plan.
fn boxes(drawn: &[MapBox]) -> Vec<MapBox> {
    let folded: BTreeSet<usize> = drawn
        .iter()
        .filter_map(|d| match d {
            MapBox::Phase(at) => Some(*at),
            MapBox::Task(_) => None,
        })
        .collect();
    let tasks = (0..drawn.len()).map(MapBox::Task).zip(drawn).filter(|(own, drawn)| own == *drawn);
    folded.into_iter().map(MapBox::Phase).chain(tasks.map(|(own, _)| own)).collect()
}

fn name(view: &View, one: MapBox) -> String {
    match one {
        MapBox::Phase(at) => view.parents[at].id.clone(),
        MapBox::Task(at) => view.tasks[at].id.to_string(),
    }
}

fn titles(view: &View, boxes: &[MapBox], folded: usize) -> Vec<String> {
    if boxes.len() > TITLED {
        return Vec::new();
    }
    let title = |b: &MapBox| match b {
        MapBox::Task(at) => view.tasks[*at].title.clone(),
        MapBox::Phase(_) => String::new(),
    };
    boxes.iter().skip(folded).map(title).collect()
}

fn state(view: &View, parents: &[TaskState], one: MapBox) -> TaskState {
    match one {
        MapBox::Phase(at) => parents[at],
        MapBox::Task(at) => view.tasks[at].state,
    }
}

/// A state as a letter.
fn letter(state: TaskState) -> char {
    match state {
        TaskState::Pending => 'p',
        TaskState::InProgress => 'i',
        TaskState::Testing => 't',
        TaskState::TestFailed => 'r',
        TaskState::Completed => 'c',
        TaskState::Failed => 'f',
        TaskState::Blocked => 'b',
        TaskState::Skipped => 's',
    }
}

type FlatLinks = (Vec<i64>, Vec<(usize, Vec<i64>)>);

/// The links in short numbers.
fn flat_links(mut links: Vec<(usize, usize, Vec<i64>)>) -> FlatLinks {
    let whole = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    links.sort_by_key(|(first, then, _)| (*then, *first));
    let (mut flat, mut passes, mut before) = (Vec::with_capacity(links.len() * 2), Vec::new(), 0);
    for (at, (first, then, passed)) in links.into_iter().enumerate() {
        flat.extend([whole(then) - before, whole(then) - whole(first)]);
        before = whole(then);
        if !passed.is_empty() {
            passes.push((at, passed));
        }
    }
    (flat, passes)
}

/// The longest chain of tasks, by the cost that the seal gave each.
fn critical(view: &View) -> Vec<usize> {
    let mut then: Vec<Vec<usize>> = vec![Vec::new(); view.tasks.len()];
    for (at, task) in view.tasks.iter().enumerate() {
        for dep in &task.deps {
            if let Some(list) = then.get_mut(*dep as usize) {
                list.push(at);
            }
        }
    }
    let longest = |of: &mut dyn Iterator<Item = usize>| {
        of.max_by_key(|at| (view.tasks[*at].priority, std::cmp::Reverse(*at)))
    };
    let first = |task: &TaskView| task.deps.is_empty();
    let mut chain = Vec::new();
    let mut next = longest(&mut (0..view.tasks.len()).filter(|at| first(&view.tasks[*at])));
    while let Some(at) = next.filter(|_| chain.len() < view.tasks.len()) {
        chain.push(at);
        next = longest(&mut then[at].iter().copied());
    }
    chain
}
