//! Tables for the scheduler: each reads like a small story of events and the commands that must follow.

use super::{Command, Scheduler};
use crate::event::{
    AttemptEnd, AttemptStarted, BlockReason, Event, Millis, PersonAnswer, RedKind, RedTests, RunEvent,
    RunStarted, SealedTask, Stamped, TaskEvent, TestAuthor,
};
use crate::failure::{Failure, Gate};
use crate::ids::{AttemptNo, BlobName, Oid, TaskId};
use crate::plan::{Mode, Tier};
use crate::policy::{Rung, Settings};
use crate::state::TaskState;

struct Story {
    scheduler: Scheduler,
    seq: u64,
    now: Millis,
}

fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

fn oid(n: u32) -> Oid {
    Oid::new(&format!("{n:040x}")).unwrap()
}

fn sealed(name: &str, deps: &[&str]) -> SealedTask {
    SealedTask {
        id: id(name),
        title: name.into(),
        hash: name.into(),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps: deps.iter().map(|d| id(d)).collect(),
        parents: Vec::new(),
        priority: 1,
        steps: Vec::new(),
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    }
}

impl Story {
    fn new(jobs: u32, tasks: Vec<SealedTask>) -> Self {
        let mut story = Self { scheduler: Scheduler::default(), seq: 0, now: 0 };
        story.tell(Event::Run(RunEvent::RunStarted(RunStarted {
            version: "0".into(),
            pid: 1,
            pid_started: 0,
            branch: "windlass/x".into(),
            tip: oid(0),
            base: oid(0),
            settings: Box::new(Settings { jobs, ..Settings::default() }),
            only: Vec::new(),
            sandbox: String::new(),
            source: String::new(),
        })));
        story.tell(Event::Run(RunEvent::PlanSealed {
            hash: "h".into(),
            text: None,
            tasks,
            pools: Vec::new(),
        }));
        story
    }

    fn tell(&mut self, event: Event) {
        self.seq += 1;
        self.scheduler.apply(&Stamped { seq: self.seq, at: self.now, event }).unwrap();
    }

    fn commands(&self) -> Vec<String> {
        self.scheduler.decide(self.now).iter().map(brief).collect()
    }

    fn start(&mut self, name: &str, n: u32, rung: Rung) {
        let (task, attempt) = (id(name), AttemptNo(n));
        self.tell(
            TaskEvent::AttemptStarted(AttemptStarted {
                attempt,
                rung,
                agent: "a".into(),
                tier: Tier::Small,
                test_writer: None,
                place: None,
                base: oid(0),
            })
            .of(task),
        );
    }

    fn candidate(&mut self, name: &str, n: u32) {
        let (task, attempt) = (id(name), AttemptNo(n));
        self.tell(TaskEvent::CandidateMade { attempt, commit: oid(900), added: 1, removed: 0 }.of(task));
    }

    fn verify(&mut self, name: &str, n: u32, onto: u32, merge: u32) {
        let attempt = AttemptNo(n);
        self.tell(TaskEvent::VerifyIntended { attempt, onto: oid(onto), place: None }.of(id(name)));
        self.tell(
            TaskEvent::VerifyStarted { attempt, merge: oid(merge), tree: oid(merge + 1000) }.of(id(name)),
        );
    }

    fn green(&mut self, name: &str, n: u32, merge: u32) {
        let (task, attempt) = (id(name), AttemptNo(n));
        self.tell(
            TaskEvent::Verified { attempt, tree: oid(merge + 1000), proof: BlobName::of(b"p") }.of(task),
        );
    }

    fn merged(&mut self, name: &str, n: u32, commit: u32) {
        let attempt = AttemptNo(n);
        self.tell(TaskEvent::MergeIntended { attempt, commit: oid(commit) }.of(id(name)));
        self.tell(
            TaskEvent::Merged {
                attempt,
                commit: oid(commit),
                tree: oid(commit),
                evidence: oid(1),
                criteria: Vec::new(),
                weak: Vec::new(),
            }
            .of(id(name)),
        );
    }

    fn fails(&mut self, name: &str, n: u32, failure: Failure) {
        let (task, attempt) = (id(name), AttemptNo(n));
        self.tell(
            TaskEvent::AttemptEnded { attempt, end: AttemptEnd::Failed { failure }, output: None }.of(task),
        );
    }
}

fn brief(command: &Command) -> String {
    match command {
        Command::Start { task, rung, .. } => format!("start {task} ({})", rung.label()),
        Command::Verify { task, onto, .. } => {
            format!("verify {task} onto {}", onto.as_str().trim_start_matches('0'))
        }
        Command::Abandon { task, .. } => format!("abandon {task}"),
        Command::Merge { task, .. } => format!("merge {task}"),
        Command::Review { task, .. } => format!("review {task}"),
        Command::Fail { task, .. } => format!("fail {task}"),
        Command::Block { task, .. } => format!("block {task}"),
        Command::Skip { task, because } => format!("skip {task} because {because}"),
        Command::Finish(end) => format!("finish {end:?}"),
    }
}

fn tests_failed(test: &str) -> Failure {
    Failure::TestsFailed {
        gate: Gate::Tests,
        failed: vec![test.into()],
        summary: String::new(),
        excerpt: String::new(),
    }
}

#[test]
fn a_dependant_waits_until_its_dependency_is_merged() {
    let mut s = Story::new(4, vec![sealed("a", &[]), sealed("b", &["a"])]);
    assert_eq!(s.commands(), ["start a (first try)"]);
    s.start("a", 1, Rung::First);
    assert!(s.commands().is_empty());
    s.candidate("a", 1);
    assert_eq!(s.commands(), ["verify a onto "]);
    s.verify("a", 1, 0, 10);
    s.green("a", 1, 10);
    assert_eq!(s.commands(), ["merge a"]);
    s.merged("a", 1, 11);
    assert_eq!(s.commands(), ["start b (first try)"]);
}

#[test]
fn the_train_verifies_each_car_on_the_one_before_it() {
    let mut s = Story::new(4, vec![sealed("a", &[]), sealed("b", &[])]);
    for name in ["a", "b"] {
        s.start(name, 1, Rung::First);
        s.candidate(name, 1);
    }
    s.verify("a", 1, 0, 10);
    assert_eq!(s.commands(), ["verify b onto a"]); // 10 in hexadecimal
    s.verify("b", 1, 10, 20);
    s.green("b", 1, 20);
    assert!(s.commands().is_empty(), "b is green but not at the head");
    s.green("a", 1, 10);
    assert_eq!(s.commands(), ["merge a"]);
    s.merged("a", 1, 11);
    assert_eq!(s.commands(), ["merge b"], "b was verified on exactly the tree that a became");
}

#[test]
fn a_car_that_fails_makes_those_behind_it_begin_again() {
    let mut s = Story::new(4, vec![sealed("a", &[]), sealed("b", &[])]);
    for name in ["a", "b"] {
        s.start(name, 1, Rung::First);
        s.candidate(name, 1);
    }
    s.verify("a", 1, 0, 10);
    s.verify("b", 1, 10, 20);
    s.fails("a", 1, tests_failed("t"));
    assert_eq!(s.scheduler.task(&id("a")).unwrap().state(), TaskState::TestFailed);
    assert_eq!(s.commands(), ["abandon b", "start a (bug-hunter 1)"]);
    s.tell(TaskEvent::VerifyAbandoned { attempt: AttemptNo(1) }.of(id("b")));
    assert_eq!(s.commands(), ["verify b onto ", "start a (bug-hunter 1)"]);
}

#[test]
fn a_failed_task_takes_its_dependants_with_it_and_a_retry_brings_them_back() {
    let mut s = Story::new(1, vec![sealed("a", &[]), sealed("b", &["a"]), sealed("c", &["b"])]);
    s.start("a", 1, Rung::First);
    s.fails("a", 1, Failure::NoChange);
    s.tell(TaskEvent::TaskFailed { reason: "no".into() }.of(id("a")));
    assert_eq!(s.commands(), ["skip b because a"]);
    s.tell(TaskEvent::TaskSkipped { because: Some(id("a")) }.of(id("b")));
    assert_eq!(s.commands(), ["skip c because b"]);
    s.tell(TaskEvent::TaskSkipped { because: Some(id("b")) }.of(id("c")));
    assert_eq!(s.commands(), ["finish Stuck"]);
    let back = s.scheduler.brought_back_by(&id("a"));
    assert_eq!(back, [id("a"), id("b"), id("c")]);
    for task in back {
        s.tell(TaskEvent::TaskReset.of(task));
    }
    assert_eq!(s.commands(), ["start a (first try)"]);
}

#[test]
fn a_rate_limit_costs_no_try_and_only_its_agent_rests() {
    let mut s = Story::new(4, vec![sealed("a", &[])]);
    s.start("a", 1, Rung::First);
    s.tell(Event::Run(RunEvent::AgentPaused {
        agent: "mechanical".into(),
        until: 500,
        reason: "429".into(),
    }));
    s.fails(
        "a",
        1,
        Failure::RateLimited { agent: "mechanical".into(), retry_after_seconds: None, outage: None },
    );
    assert!(s.commands().is_empty(), "neither a start nor an end");
    assert_eq!(s.scheduler.wake_at(0), Some(500));
    s.now = 500;
    assert_eq!(s.commands(), ["start a (first try)"]);
}

#[test]
fn pools_and_jobs_bound_what_starts() {
    let mut tasks = vec![sealed("a", &[]), sealed("b", &[]), sealed("c", &[])];
    for task in &mut tasks[..2] {
        task.pools = vec!["db".into()];
    }
    let mut s = Story::new(2, Vec::new());
    let pools = vec![crate::event::PoolLimit { name: "db".into(), depth: 1 }];
    s.tell(Event::Run(RunEvent::PlanSealed { hash: "h2".into(), text: None, tasks, pools }));
    assert_eq!(s.commands(), ["start a (first try)", "start c (first try)"]);
    s.start("a", 1, Rung::First);
    assert_eq!(s.commands(), ["start c (first try)"], "one place in `db`");
    s.start("c", 1, Rung::First);
    assert!(s.commands().is_empty(), "two jobs");
}

#[test]
fn documentation_waits_for_a_person_and_goes_on_after_approval() {
    let mut doc = sealed("a", &[]);
    doc.needs_approval = true;
    let mut s = Story::new(1, vec![doc]);
    s.start("a", 1, Rung::First);
    s.candidate("a", 1);
    s.verify("a", 1, 0, 10);
    s.green("a", 1, 10);
    assert_eq!(s.commands(), ["block a"]);
    s.tell(TaskEvent::TaskBlocked { block: crate::event::BlockReason::AwaitingApproval }.of(id("a")));
    assert_eq!(s.commands(), ["finish Stuck"]);
    s.tell(TaskEvent::Approved.of(id("a")));
    assert_eq!(s.commands(), ["verify a onto "]);
    s.verify("a", 1, 0, 12);
    s.green("a", 1, 12);
    assert_eq!(s.commands(), ["merge a"]);
}

#[test]
fn an_edited_pending_task_begins_anew_and_an_edited_completed_one_stays() {
    let mut s = Story::new(1, vec![sealed("a", &[]), sealed("b", &[])]);
    s.start("a", 1, Rung::First);
    s.candidate("a", 1);
    s.verify("a", 1, 0, 10);
    s.green("a", 1, 10);
    s.merged("a", 1, 11);
    s.start("b", 1, Rung::First);
    s.tell(
        TaskEvent::AttemptEnded { attempt: AttemptNo(1), end: AttemptEnd::Lost, output: None }.of(id("b")),
    );
    let mut edited = vec![sealed("a", &[]), sealed("b", &[])];
    for task in &mut edited {
        task.hash = "new".into();
    }
    s.tell(Event::Run(RunEvent::PlanSealed {
        hash: "h2".into(),
        text: None,
        tasks: edited,
        pools: Vec::new(),
    }));
    assert_eq!(s.scheduler.task(&id("a")).unwrap().state(), TaskState::Completed);
    assert_eq!(s.commands(), ["start b (first try)"]);
}

#[test]
fn what_is_carried_out_again_has_its_files_to_itself() {
    let mut s =
        Story::new(3, vec![sealed("a", &[]), sealed("b", &["a"]), sealed("c", &["b"]), sealed("d", &["b"])]);
    let done = |s: &mut Story, name: &str, merge: u32, onto: u32| {
        s.start(name, 1, Rung::First);
        s.candidate(name, 1);
        s.verify(name, 1, onto, merge);
        s.green(name, 1, merge);
        s.merged(name, 1, merge + 1);
    };
    done(&mut s, "a", 10, 0);
    done(&mut s, "b", 20, 11);
    s.start("c", 1, Rung::First);
    s.tell(TaskEvent::TaskReset.of(id("a")));
    assert_eq!(s.commands(), [""; 0], "`c` is under way, and `d` would follow `a`");
    s.tell(
        TaskEvent::AttemptEnded { attempt: AttemptNo(1), end: AttemptEnd::Lost, output: None }.of(id("c")),
    );
    assert_eq!(s.commands(), ["start a (first try)"]);
    done(&mut s, "a", 30, 21);
    assert_eq!(s.scheduler.task(&id("a")).unwrap().merges().count(), 2);
    assert_eq!(s.commands(), ["start c (first try)", "start d (first try)"]);
}

#[test]
fn impossible_events_are_refused() {
    let mut s = Story::new(1, vec![sealed("a", &[])]);
    let event =
        TaskEvent::Verified { attempt: AttemptNo(1), tree: oid(1), proof: BlobName::of(b"") }.of(id("a"));
    assert!(s.scheduler.apply(&Stamped { seq: 9, at: 0, event }).is_err());
    s.start("a", 1, Rung::First);
    s.candidate("a", 1);
    let event = TaskEvent::MergeIntended { attempt: AttemptNo(1), commit: oid(1) }.of(id("a"));
    assert!(s.scheduler.apply(&Stamped { seq: 9, at: 0, event }).is_err(), "not verified");
}

#[test]
fn a_full_tier_holds_up_its_own_tasks_and_no_others() {
    let mut tasks: Vec<SealedTask> = ["l1", "l2", "s1"].iter().map(|n| sealed(n, &[])).collect();
    for task in &mut tasks[..2] {
        (task.tier, task.pools) = (Tier::Large, vec!["tier:large".into()]);
    }
    let mut s = Story::new(4, tasks.clone());
    let pools = vec![crate::event::PoolLimit { name: "tier:large".into(), depth: 1 }];
    s.tell(Event::Run(RunEvent::PlanSealed { hash: "h2".into(), text: None, tasks, pools }));
    assert_eq!(s.commands(), ["start l1 (first try)", "start s1 (first try)"]);
}

#[test]
fn a_change_is_verified_again_on_new_ground_and_not_reviewed_again() {
    let mut s = Story::new(2, vec![sealed("a", &[])]);
    let team = [(crate::event::Role::Reviewer, "r".to_owned())].into();
    let settings = Box::new(Settings { jobs: 2, team, ..Settings::default() });
    s.tell(Event::Run(RunEvent::RunStarted(RunStarted {
        version: "0".into(),
        pid: 1,
        pid_started: 0,
        branch: "windlass/x".into(),
        tip: oid(0),
        base: oid(0),
        settings,
        only: Vec::new(),
        sandbox: String::new(),
        source: String::new(),
    })));
    s.start("a", 1, Rung::First);
    s.candidate("a", 1);
    s.verify("a", 1, 0, 10);
    s.green("a", 1, 10);
    assert_eq!(s.commands(), ["review a"]);
    let (task, attempt) = (id("a"), AttemptNo(1));
    s.tell(TaskEvent::ReviewStarted { attempt, agent: "r".into() }.of(task.clone()));
    assert!(s.commands().is_empty(), "a green change waits for its review");
    s.tell(Event::Run(RunEvent::TipMoved { tip: oid(5) }));
    assert_eq!(s.commands(), ["abandon a"]);
    s.tell(TaskEvent::VerifyAbandoned { attempt }.of(task.clone()));
    s.tell(
        TaskEvent::Reviewed { attempt, verdict: crate::team::Verdict::Approved { issues: vec![] } }.of(task),
    );
    s.verify("a", 1, 5, 11);
    s.green("a", 1, 11);
    assert_eq!(s.commands(), ["merge a"], "the review was about the change, not about the ground");
}

#[test]
fn an_answer_keeps_the_frozen_tests_and_begins_the_ladder_again() {
    let mut story = Story::new(1, vec![sealed("a", &[])]);
    story.start("a", 1, Rung::First);
    let frozen = TaskEvent::TestsFrozen {
        attempt: AttemptNo(1),
        commit: oid(7),
        red: RedKind::Assertion,
        tests: vec!["t".into()],
        conditional: Vec::new(),
        seen: RedTests::default(),
        files: Vec::new(),
        author: TestAuthor::default(),
    };
    story.tell(frozen.of(id("a")));
    let failure = Failure::SpecContradiction { reason: "which port?".into() };
    let end = AttemptEnd::Failed { failure };
    story.tell(TaskEvent::AttemptEnded { attempt: AttemptNo(1), end, output: None }.of(id("a")));
    let block = BlockReason::AgentBlocked { reason: "which port?".into() };
    story.tell(TaskEvent::TaskBlocked { block: block.clone() }.of(id("a")));
    assert_eq!(story.scheduler.task(&id("a")).unwrap().blocked(), Some(&block));
    let answer = PersonAnswer { question: "which port?".into(), answer: "8080".into() };
    story.tell(TaskEvent::Answered(answer.clone()).of(id("a")));
    let record = story.scheduler.task(&id("a")).unwrap();
    assert_eq!((record.state(), record.blocked()), (TaskState::Pending, None));
    assert_eq!(record.work().answers, std::slice::from_ref(&answer));
    assert!(record.work().frozen.is_some(), "the tests were seen red");
    assert!(record.history().is_empty(), "the ladder begins again");
    assert_eq!(story.commands().len(), 1, "it starts");
    // A retry from the start keeps the answers of people, and nothing else.
    story.start("a", 2, Rung::First);
    let end = AttemptEnd::Interrupted;
    story.tell(TaskEvent::AttemptEnded { attempt: AttemptNo(2), end, output: None }.of(id("a")));
    story.tell(TaskEvent::TaskFailed { reason: "r".into() }.of(id("a")));
    story.tell(TaskEvent::TaskReset.of(id("a")));
    let work = story.scheduler.task(&id("a")).unwrap().work();
    assert_eq!((&work.answers[..], work.frozen.is_some()), (&[answer][..], false));
}
