//! Bugs on purpose. Each is a way in which the scheduler, the dispatcher or the recovery could be wrong, and each must be
//! noticed by the invariants. A bug changes what the scheduler hears, what it decides, or what the coordinator does about
//! it; the scheduler's own code stays as it is.

use windlass_core::event::{AttemptEnd, Event, RunEnd, RunEvent, Stamped, TaskEvent, Usage};
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, Oid, TaskId};
use windlass_core::policy::Rung;
use windlass_core::schedule::{Command, Scheduler};
use windlass_core::state::TaskState;
use windlass_core::team::IssueSeverity;

macro_rules! bugs {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// What is wrong in a world.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Bug { $($(#[$about])* $name,)* }

        impl Bug {
            /// Every bug.
            pub(crate) const ALL: &[Bug] = &[$(Bug::$name,)*];
        }
    };
}

bugs! {
    /// One job more than allowed runs here.
    OneJobMore,
    /// One attempt more than allowed runs at every place.
    OneSlotMore,
    /// The reviewer of the team is not asked.
    ReviewerForgotten,
    /// The limit of tokens is not held.
    LimitForgotten,
    /// The use of a turn is not counted.
    UsageForgotten,
    /// What a task needs of its place does not matter.
    NeedsForgotten,
    /// A pool has one place too many.
    PoolTooDeep,
    /// Tasks do not wait for what they depend on.
    DependenciesForgotten,
    /// One dependant starts early.
    StartsEarly,
    /// A change is merged without the person who must approve it.
    ApprovalForgotten,
    /// The integrator's order does not matter.
    EdgesForgotten,
    /// A place that rests is used.
    RestOfPlaceForgotten,
    /// A provider that rests is used.
    RestOfProviderForgotten,
    /// A pause starts nothing less.
    PauseUnheard,
    /// Work begins after a request to stop.
    StopUnheard,
    /// Commits of other people are not seen.
    TipUnheard,
    /// The branch is moved while it must not be.
    MergingPauseUnheard,
    /// A loss uses up an attempt.
    LossUsesUp,
    /// Something grave that a reviewer found does not hold the others up.
    GraveForgotten,
    /// Tasks that cannot be carried out any more are not skipped.
    SkipForgotten,
    /// A used-up ladder does not end its task.
    FailForgotten,
    /// A question for a person is not asked.
    BlockForgotten,
    /// A verification on the wrong commit goes on.
    AbandonForgotten,
    /// A task that could start does not.
    OneTaskIdle,
    /// Every attempt runs here.
    AlwaysHere,
    /// The run ends while work is under way.
    FinishesEarly,
    /// A merge is ordered twice.
    MergesTwice,
    /// A review is ordered twice.
    ReviewsTwice,
    /// Recovery leaves attempts of the life before as they are.
    AttemptsForgotten,
    /// Recovery leaves reviews as they are.
    ReviewsForgotten,
    /// Recovery leaves verifications as they are.
    VerificationsForgotten,
    /// Recovery does not see that the branch was moved before the crash.
    MoveForgotten,
    /// The last event before a crash is lost.
    LastEventLost,
    /// The branch is moved although it is not where it was.
    MovesBlindly,
    /// The end of an attempt is taken in twice.
    DoneTwice,
    /// A lost place answers late and is believed.
    StaleLease,
    /// The loss of a place is told, that of its attempt is not.
    LossUntold,
    /// A red verification is taken for a green one.
    RedTakenForGreen,
    /// The end of a rest wakes nothing.
    SleepsThrough,
    /// Every place verifies.
    TrustForgotten,
    /// A lost place sends a verdict late and is believed.
    StaleVerdict,
    /// The loss of a place is told, that of its verification is not.
    LostVerdictUntold,
    /// A verification that begins again uses up an attempt.
    LostVerdictUsesUp,
    /// Verifications at places take no slot there.
    VerifierWithoutSlot,
    /// This machine takes what needs something that only places have.
    HereHasEverything,
    /// What this machine has does not matter.
    HereHasNothing,
    /// Which files a place has does not matter.
    FilesForgotten,
    /// Which place is near does not matter.
    NearnessForgotten,
    /// Another attempt does not go where the files of the last one are.
    LastPlaceForgotten,
}

impl Bug {
    /// What the scheduler hears of an event; nothing if it does not hear it.
    pub(crate) fn heard(self, stamped: &Stamped) -> Option<Stamped> {
        let mut heard = stamped.clone();
        let hears = match &mut heard.event {
            Event::Run(event) => self.hears_run(event),
            Event::Task { event, .. } => {
                self.bends_task(event);
                true
            }
        };
        hears.then_some(heard)
    }

    fn hears_run(self, event: &mut RunEvent) -> bool {
        match (self, event) {
            (Bug::OneJobMore, RunEvent::RunStarted(run)) => run.settings.jobs += 1,
            (Bug::OneSlotMore, RunEvent::RunStarted(run)) => {
                run.settings.places.values_mut().for_each(|place| place.slots += 1);
            }
            (Bug::TrustForgotten, RunEvent::RunStarted(run)) => {
                run.settings.places.values_mut().for_each(|place| place.verify = true);
            }
            (Bug::HereHasEverything, RunEvent::RunStarted(run)) => {
                run.settings.here.extend(["gpu".to_owned(), "arm64".to_owned()]);
            }
            (Bug::HereHasNothing, RunEvent::RunStarted(run)) => run.settings.here.clear(),
            (Bug::ReviewerForgotten, RunEvent::RunStarted(run)) => run.settings.team.clear(),
            (Bug::LimitForgotten, RunEvent::RunStarted(run)) => run.settings.max_tokens = None,
            (Bug::NeedsForgotten, RunEvent::PlanSealed { tasks, .. }) => {
                for task in tasks {
                    task.needs.clear();
                }
            }
            (Bug::DependenciesForgotten, RunEvent::PlanSealed { tasks, .. }) => {
                for task in tasks {
                    task.deps.clear();
                }
            }
            (Bug::ApprovalForgotten, RunEvent::PlanSealed { tasks, .. }) => {
                for task in tasks {
                    task.needs_approval = false;
                }
            }
            (Bug::PoolTooDeep, RunEvent::PlanSealed { pools, .. }) => {
                for pool in pools {
                    pool.depth += 1;
                }
            }
            (Bug::EdgesForgotten, RunEvent::QueueFormed { edges, .. }) => edges.clear(),
            (Bug::RestOfPlaceForgotten, RunEvent::PlaceLost { until, .. }) => *until = None,
            (Bug::RestOfProviderForgotten, RunEvent::AgentPaused { .. })
            | (Bug::PauseUnheard, RunEvent::Paused)
            | (Bug::StopUnheard, RunEvent::StopRequested { .. })
            | (Bug::TipUnheard, RunEvent::TipMoved { .. })
            | (Bug::MergingPauseUnheard, RunEvent::MergingPaused { .. }) => return false,
            _ => {}
        }
        true
    }

    fn bends_task(self, event: &mut TaskEvent) {
        match (self, event) {
            (Bug::LossUsesUp, TaskEvent::AttemptEnded { end: end @ AttemptEnd::Lost, .. }) => {
                *end = AttemptEnd::Failed { failure: Failure::NoChange };
            }
            (Bug::LostVerdictUsesUp, event @ TaskEvent::VerifyAbandoned { .. }) => {
                let TaskEvent::VerifyAbandoned { attempt } = *event else { return };
                let end = AttemptEnd::Failed { failure: Failure::NoChange };
                *event = TaskEvent::AttemptEnded { attempt, end, output: None };
            }
            (Bug::VerifierWithoutSlot, TaskEvent::VerifyIntended { place, .. }) => *place = None,
            (Bug::FilesForgotten, TaskEvent::AttemptStarted(started)) => {
                started.base = Oid::new(&"f".repeat(40)).expect("an id");
            }
            (Bug::UsageForgotten, TaskEvent::TurnEnded(turn)) => turn.usage = Usage::default(),
            (
                Bug::GraveForgotten,
                TaskEvent::AttemptEnded {
                    end: AttemptEnd::Failed { failure: Failure::Rejected { issues } },
                    ..
                },
            ) => issues.iter_mut().for_each(|issue| issue.severity = IssueSeverity::Low),
            _ => {}
        }
    }

    /// What becomes of the commands of one `decide`.
    pub(crate) fn decided(self, mut commands: Vec<Command>, scheduler: &Scheduler) -> Vec<Command> {
        match self {
            Bug::SkipForgotten => commands.retain(|c| !matches!(c, Command::Skip { .. })),
            Bug::FailForgotten => commands.retain(|c| !matches!(c, Command::Fail { .. })),
            Bug::BlockForgotten => commands.retain(|c| !matches!(c, Command::Block { .. })),
            Bug::AbandonForgotten => commands.retain(|c| !matches!(c, Command::Abandon { .. })),
            Bug::OneTaskIdle => {
                commands.retain(|c| !matches!(c, Command::Start { task, .. } if task.as_str() == "t1"));
            }
            Bug::AlwaysHere => {
                for command in &mut commands {
                    if let Command::Start { place, .. } = command {
                        *place = None;
                    }
                }
            }
            Bug::FinishesEarly if commands.is_empty() => commands.push(Command::Finish(RunEnd::Completed)),
            Bug::MergesTwice => twice(&mut commands, |c| matches!(c, Command::Merge { .. })),
            Bug::ReviewsTwice => twice(&mut commands, |c| matches!(c, Command::Review { .. })),
            Bug::NearnessForgotten => swap_places(&mut commands, scheduler),
            Bug::LastPlaceForgotten => move_away(&mut commands, scheduler),
            Bug::StartsEarly => commands.extend(early_start(scheduler)),
            _ => {}
        }
        commands
    }
}

fn twice(commands: &mut Vec<Command>, which: fn(&Command) -> bool) {
    *commands = commands
        .drain(..)
        .flat_map(|command| if which(&command) { vec![command.clone(), command] } else { vec![command] })
        .collect();
}

/// Two first attempts that could run at either place swap their places.
fn swap_places(commands: &mut [Command], scheduler: &Scheduler) {
    let anywhere = |task: &TaskId| scheduler.task(task).is_some_and(|t| t.sealed().needs.is_empty());
    let placed = commands.iter_mut().filter_map(|command| match command {
        Command::Start { task, attempt: AttemptNo(1), place: Some(place), .. } if anywhere(task) => {
            Some(place)
        }
        _ => None,
    });
    if let [first, .., last] = placed.collect::<Vec<_>>().as_mut_slice() {
        std::mem::swap(*first, *last);
    }
}

/// Another attempt at a task goes to a place that was never used.
fn move_away(commands: &mut [Command], scheduler: &Scheduler) {
    let used = |name: &String| {
        let known = |t: &windlass_core::schedule::TaskRecord| [t.place(), t.verifier()].contains(&Some(name));
        let there = |command: &Command| match command {
            Command::Start { place, .. } | Command::Verify { place, .. } => place.as_ref() == Some(name),
            _ => false,
        };
        scheduler.tasks().iter().any(known) || commands.iter().any(there)
    };
    let unused: Vec<String> =
        scheduler.settings().places.keys().filter(|name| !used(name)).cloned().collect();
    let again = commands.iter_mut().find_map(|command| match command {
        Command::Start { task, attempt, place: Some(place), .. } if attempt.0 > 1 => Some((task, place)),
        _ => None,
    });
    if let (Some((task, place)), Some(other)) = (again, unused.first())
        && scheduler.task(task).is_some_and(|t| t.sealed().needs.is_empty())
    {
        place.clone_from(other);
    }
}

/// The start of a task that waits for another.
fn early_start(scheduler: &Scheduler) -> Option<Command> {
    let open = |id| scheduler.task(id).is_some_and(|dep| dep.state() != TaskState::Completed);
    let waits = |state| state == TaskState::Pending;
    let task =
        scheduler.tasks().iter().find(|t| waits(t.state()) && t.sealed().deps.iter().any(open))?.sealed();
    Some(Command::Start {
        task: task.id.clone(),
        attempt: AttemptNo(1),
        rung: Rung::First,
        agent: "mechanical".into(),
        tier: task.tier,
        test_writer: None,
        place: None,
    })
}
