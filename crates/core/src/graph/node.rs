//! What a sealed graph is made of: indices, nodes, edges, parents and pools. Data only.

use crate::ids::TaskId;
use crate::plan::{Mode, Tier};

macro_rules! dense_index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The place in an array that has one entry for each.
            pub fn at(self) -> usize {
                self.0 as usize
            }

            /// The index of the entry at `place`.
            #[expect(clippy::cast_possible_truncation, reason = "4 G tasks do not fit into memory")]
            pub(crate) fn new(place: usize) -> Self {
                debug_assert!(u32::try_from(place).is_ok());
                Self(place as u32)
            }
        }
    };
}

dense_index! {
    /// A leaf of the plan: the only thing that is ever carried out. Dense, in the plan's order.
    TaskIx
}
dense_index! {
    /// A pool of something that only so many tasks may use at once.
    PoolIx
}
dense_index! {
    /// A task that has parts.
    ParentIx
}

/// A leaf of the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its checked id.
    pub id: TaskId,
    /// Its place in `plan.tasks`.
    pub task: usize,
    /// The shape of its proof.
    pub mode: Mode,
    /// The size of model it asks for.
    pub tier: Option<Tier>,
    /// What must be merged before it starts; ascending.
    pub deps: Vec<TaskIx>,
    /// What waits for it; ascending.
    pub dependants: Vec<TaskIx>,
    /// Its own estimate in seconds; never 0.
    pub cost: u64,
    /// Its own cost and that of the most expensive chain of dependants.
    pub priority: u64,
    /// The pools it needs one place of, its tier's included; ascending.
    pub resources: Vec<PoolIx>,
    /// The task it is a part of. A parent's own work is a part of that parent.
    pub parent: Option<ParentIx>,
    /// The paths it may change, without `./` and doubled slashes.
    pub owned: Vec<String>,
}

/// Something only so many tasks may use at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// Its name: a resource as written, or `tier:large`.
    pub name: String,
    /// How many may use it at once; never 0.
    pub depth: u32,
}

/// A task that has parts. It is never carried out itself; work of its own is a leaf with the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// Its checked id.
    pub id: TaskId,
    /// Its place in `plan.tasks`.
    pub task: usize,
    /// The task it is a part of.
    pub parent: Option<ParentIx>,
    /// Every leaf below it, its own work included; ascending.
    pub leaves: Vec<TaskIx>,
}

/// Why one leaf waits for another; of several reasons, the first of these.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeReason {
    /// The plan says so, leaf to leaf.
    Stated,
    /// The plan says so of a parent of one of them. Links run from the last leaves of one side to the first of the
    /// other; the order of those between them follows.
    FromParent,
    /// A parent's own work comes after its parts.
    Barrier,
    /// Both change this path, or the later one reads what the earlier one creates.
    FileOrder {
        /// The path; the first one where there are several.
        path: String,
    },
}

/// One link: `then` starts only when `first` is merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// What comes first.
    pub first: TaskIx,
    /// What waits for it.
    pub then: TaskIx,
    /// Where the link comes from.
    pub why: EdgeReason,
}
