//! Which conversation an attempt continues, from the graph or from the plan, and what its brief says of earlier ones.

use serde::{Deserialize, Serialize};

use super::task_record::{Scheduler, TaskRecord};
use crate::ids::TaskId;
use crate::plan::{Session, Strategy};
use crate::policy::Rung;

/// A conversation to go on with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Conversation {
    /// None: a new one.
    #[default]
    New,
    /// This one.
    Resume(String),
    /// A copy of this one.
    Fork(String),
}

/// How an attempt begins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beginning {
    /// The conversation it goes on with, if its agent can.
    pub conversation: Conversation,
    /// What came of the tasks it builds on, in their agents' words. Always given: an agent that cannot continue a
    /// conversation knows at least its result.
    pub before: Vec<(TaskId, String)>,
}

/// So many characters of a summary are passed on.
const SUMMARY: usize = 600;

impl Scheduler {
    /// How an attempt at a task by an agent begins. `stated` is what the plan says of its session, and `named` finds
    /// the task a session of the plan belongs to.
    pub fn beginning(
        &self,
        task: &TaskId,
        agent: &str,
        rung: Rung,
        stated: Option<&Session>,
        named: impl Fn(&str) -> Option<TaskId>,
    ) -> Beginning {
        let Some(record) = self.task(task) else { return Beginning::default() };
        let stated_from = stated.into_iter().flat_map(|s| &s.from).filter_map(|name| named(name));
        let from: Vec<&TaskRecord> =
            stated_from.filter_map(|id| self.index.get(&id)).map(|ix| &self.tasks[*ix]).collect();
        let parents: Vec<&TaskRecord> = record.deps.iter().map(|ix| &self.tasks[*ix]).collect();
        let before = parents
            .iter()
            .filter_map(|p| Some((p.sealed.id.clone(), short(p.work.summary.as_deref()?))))
            .collect();
        let parents = if from.is_empty() { parents } else { from };
        let conversation = match rung {
            Rung::BugHunter(_) => self.own(record, agent),
            // The question was asked in a conversation of its own.
            Rung::First if !record.work.answers.is_empty() && record.work.session.is_some() => {
                self.own(record, agent)
            }
            Rung::First => self.of_parents(&parents, agent, stated, Again::No),
            Rung::SameAgent(_) => self.of_parents(&parents, agent, stated, Again::Yes),
            Rung::FreshAgent(_) | Rung::TierUp(_) => Conversation::New,
        };
        Beginning { conversation, before }
    }

    /// A bug-hunter goes on where the work was done.
    fn own(&self, record: &TaskRecord, agent: &str) -> Conversation {
        self.session_of(record, agent).map_or(Conversation::New, |s| Conversation::Resume(s.to_owned()))
    }

    fn of_parents(
        &self,
        parents: &[&TaskRecord],
        agent: &str,
        stated: Option<&Session>,
        again: Again,
    ) -> Conversation {
        if stated.is_some_and(|s| s.enable_resume == Some(false)) {
            return Conversation::New;
        }
        let strategy = stated.and_then(|s| s.strategy).unwrap_or_else(|| follows_from(parents));
        let first = parents.iter().find_map(|p| self.session_of(p, agent));
        let Some(session) = first.map(str::to_owned) else { return Conversation::New };
        match (strategy, again) {
            (Strategy::New, _) => Conversation::New,
            (Strategy::Resume, Again::No) => Conversation::Resume(session),
            // The session contains the mistakes of the first attempt; a copy from before does not.
            (Strategy::Resume, Again::Yes) | (Strategy::Fork | Strategy::MergeFork, _) => {
                Conversation::Fork(session)
            }
        }
    }

    /// The session that a task left, if it is one of the same provider.
    fn session_of<'a>(&self, record: &'a TaskRecord, agent: &str) -> Option<&'a str> {
        let (of, session) = record.work.session.as_ref()?;
        (self.settings.provider(of) == self.settings.provider(agent)).then_some(session)
    }
}

/// Whether an attempt is the first from where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    No,
    Yes,
}

/// No dependency: new. An only child: resume. One of several: fork. Several parents: fork the first.
fn follows_from(parents: &[&TaskRecord]) -> Strategy {
    match parents {
        [] => Strategy::New,
        [only] if only.dependants.len() == 1 => Strategy::Resume,
        [_] => Strategy::Fork,
        _ => Strategy::MergeFork,
    }
}

fn short(summary: &str) -> String {
    let line = summary.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SUMMARY) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
