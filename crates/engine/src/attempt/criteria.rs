//! Tests and criteria: which test stands for which, and the test-writer asked again for what has none.

use std::collections::BTreeMap;

use serde_json::Value;
use windlass_code::red::{LinkInput, LinkedTests, linked};
use windlass_code::repo::Tree as _;
use windlass_code::syntax::tests;
use windlass_core::criteria::criteria_of;
use windlass_core::event::{StepResult, TaskEvent, TestAuthor};
use windlass_core::failure::Failure;
use windlass_core::ids::Oid;
use windlass_core::plan::Action;

use super::red::{self, RedRun};
use super::review::answer;
use super::steps::{Attempt, TestsAtStart};
use super::turn::{TurnOutcome, take_turn};
use crate::agent::{TurnOver, TurnStep};
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::worker_channel::StepChoice;

/// What a test-writer said of its tests: names by criterion.
pub(super) type TestAnswer = BTreeMap<String, Vec<String>>;

/// Reads which tests stand for which criterion from a turn's answer. Anything of another form says nothing.
pub(super) fn read_answer(over: &TurnOver) -> TestAnswer {
    let Some(Value::Object(said)) = answer(over, "criteria").and_then(|v| v.get("criteria").cloned()) else {
        return TestAnswer::new();
    };
    let names = |value: &Value| -> Vec<String> {
        let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    said.iter().map(|(criterion, value)| (criterion.clone(), names(value))).collect()
}

impl Attempt<'_> {
    /// The verdict on tests that an agent wrote. If criteria are left without a test, it is asked once more.
    pub(super) async fn agent_tests(&mut self, tree: &Oid) -> Result<TestsAtStart, EarlyEnd> {
        let run = red::look(self, tree, TestAuthor::Agent).await?;
        let untested = match &run {
            RedRun::Red { tests, .. } if !tests.is_empty() => self.link(tree, tests)?.untested,
            RedRun::Red { .. } | RedRun::Not { .. } => Vec::new(),
        };
        if !untested.is_empty()
            && let Some(more) = self.ask_for_tests(tree, untested).await?
        {
            let again = red::look(self, &more, TestAuthor::Agent).await?;
            match &again {
                RedRun::Red { .. } => return self.red_ground(&more, again, TestAuthor::Agent).await,
                RedRun::Not { why, .. } => {
                    let message = format!("further tests of the test-writer are not taken: {why}");
                    self.channel.finding(message);
                }
            }
        }
        self.red_ground(tree, run, TestAuthor::Agent).await
    }

    async fn red_ground(
        &mut self,
        tree: &Oid,
        run: RedRun,
        author: TestAuthor,
    ) -> Result<TestsAtStart, EarlyEnd> {
        match &run {
            RedRun::Red { .. } => self.freeze_seen(tree, run, author).await.map(TestsAtStart::Red),
            RedRun::Not { .. } => Err(red::not_red(self, run, author)),
        }
    }

    /// A further turn of the test-writer, for criteria without a test. `None` if it changed no test.
    async fn ask_for_tests(&mut self, tree: &Oid, untested: Vec<String>) -> Result<Option<Oid>, EarlyEnd> {
        let subject = format!("{}: tests", self.job.task);
        let start = self.ctx.keep(tree, &[&self.job.base], &subject)?;
        let step = self.channel.step(Action::WriteTest, StepChoice::First);
        self.untested = untested;
        let turn = take_turn(self, &start, TurnStep::WriteTest, None).await;
        self.untested.clear();
        let result = if turn.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&step, result, None);
        self.tests_of(turn, tree).await
    }

    /// The tree with the tests of a further turn of the test-writer; `None` if it changed no test. The tests that are there
    /// stand either way.
    pub(super) async fn tests_of(
        &mut self,
        turn: Result<TurnOutcome, EarlyEnd>,
        tree: &Oid,
    ) -> Result<Option<Oid>, EarlyEnd> {
        let more = match turn {
            Ok(turn) if turn.ingested.tree == *tree => Ok(tree.clone()),
            Ok(turn) => self.cut(tree, &turn.ingested, &|path| self.owner.is_test(path), &[]),
            Err(end) => Err(end),
        };
        match more {
            Ok(more) if more == *tree => Ok(None),
            Ok(more) => self.format_tests(&more, &[]).await.map(Some),
            // A provider that cannot serve now is asked again later.
            Err(
                end @ (EarlyEnd::Interrupted
                | EarlyEnd::Broken(_)
                | EarlyEnd::Failed {
                    failure: Failure::RateLimited { .. } | Failure::ProviderRefused { .. },
                    ..
                }),
            ) => Err(end),
            Err(EarlyEnd::Failed { failure: Failure::NoChange | Failure::OnlyWords { .. }, .. }) => Ok(None),
            Err(EarlyEnd::Failed { failure, .. }) => {
                self.channel.finding(format!("no further tests: {}", failure.summary()));
                Ok(None)
            }
        }
    }

    /// Links tests that exist with the criteria of the task.
    fn link(&self, tree: &Oid, known: &[String]) -> Result<LinkedTests, EngineError> {
        let task = self.ctx.task(&self.job.task);
        let view = GitTree::open(&self.ctx.repo, tree)?;
        let criteria = criteria_of(&self.ctx.plan, task);
        let files: Vec<(String, Vec<u8>)> = task
            .test_files()
            .into_iter()
            .filter_map(|path| Some((path.to_owned(), view.read(path)?)))
            .collect();
        let input = LinkInput { criteria: &criteria, known, files: &files, answer: &self.answers };
        Ok(linked(&input))
    }

    /// Records which tests stand for which criterion, and reports the criteria that have none.
    pub(super) fn record_links(&self, tree: &Oid, known: &[String]) -> Result<(), EngineError> {
        let LinkedTests { links, untested, unknown, overclaimed } = self.link(tree, known)?;
        for (test, criteria) in overclaimed {
            let list = criteria.join(", ");
            self.channel.finding(format!(
                "`{test}` is also said to stand for {list}, and asserts fewer things than it has criteria"
            ));
        }
        for (criterion, name) in unknown {
            self.channel
                .finding(format!("`{name}` is said to stand for {criterion}, and there is no such test"));
        }
        if !untested.is_empty() {
            self.channel.finding(format!("no test is known to stand for {}", untested.join(", ")));
        }
        if !links.is_empty() {
            let attempt = self.job.attempt;
            self.channel.event(TaskEvent::TestsLinked { attempt, links }.of(self.job.task.clone()));
        }
        Ok(())
    }

    /// The names of the tests in the task's test files, as their text has them.
    pub(super) fn tests_in(&self, tree: &Oid) -> Result<Vec<String>, EngineError> {
        let view = GitTree::open(&self.ctx.repo, tree)?;
        let mut names = Vec::new();
        for path in self.ctx.task(&self.job.task).test_files() {
            let bytes = view.read(path).unwrap_or_default();
            names.extend(tests(path, &bytes).iter().map(|item| item.name_in(path)));
        }
        Ok(names)
    }
}

#[cfg(test)]
mod answer_tests {
    use super::*;
    use crate::agent::TurnEnd;

    #[test]
    fn answers_name_tests_by_criterion_and_anything_else_says_nothing() {
        let read = |structured: Value| {
            let over = TurnOver { structured: Some(structured), ..TurnOver::silent(TurnEnd::Cancelled) };
            read_answer(&over).into_iter().map(|(c, t)| format!("{c}: {}", t.join(" "))).collect::<Vec<_>>()
        };
        let said = serde_json::json!({"criteria": {"AC-1": ["a", "b"], "AC-2": "c", "AC-3": 7}});
        assert_eq!(read(said), ["AC-1: a b", "AC-2: c", "AC-3: "]);
        assert!(read(serde_json::json!({"criteria": ["AC-1"]})).is_empty());
        assert!(read(serde_json::json!({"other": {}})).is_empty());
    }
}
