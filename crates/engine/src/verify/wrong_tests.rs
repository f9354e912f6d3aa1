//! Frozen tests that do not pass because they are wrong in themselves: the test-writer, not the code, must change.

use windlass_code::red::{WrongTestInput, wrong_test};
use windlass_code::repo::Tree as _;
use windlass_core::event::TestAuthor;
use windlass_core::failure::Failure;

use super::contract::contract_findings;
use super::gates::{Bench, contract_names};
use super::script::ScriptRun;
use super::unfinished_need::unfinished_need;
use crate::early_end::EarlyEnd;

/// The end of a verification whose tests failed, by its true cause if the tests are proved to be wrong or wait for
/// another task.
pub(super) fn named(bench: &Bench<'_>, run: &ScriptRun, end: EarlyEnd) -> EarlyEnd {
    let (EarlyEnd::Failed { failure: Failure::TestsFailed { .. }, output }, Some(author)) =
        (&end, bench.input.author)
    else {
        return end;
    };
    let task = bench.task;
    if author != TestAuthor::Agent
        && let Some(failure) = unfinished_need(bench.ctx, &bench.input.channel.task, &bench.tree, run, author)
    {
        return EarlyEnd::Failed { failure, output: output.clone() };
    }
    let text = |path: &str| Some((path.to_owned(), bench.tree.read(path)?));
    let test_files: Vec<_> = task.test_files().into_iter().filter_map(text).collect();
    let owned = &bench.ctx.info(&bench.input.channel.task).owned;
    let present: Vec<String> = owned
        .iter()
        .filter(|p| bench.tree.blob(p).is_some() && !task.test_files().contains(&p.as_str()))
        .cloned()
        .collect();
    // Code may go beyond its contract to satisfy a person's tests; an agent's tests have to follow the contract.
    let names = contract_names(task);
    let kept = author == TestAuthor::Agent && contract_findings(task, owned, &bench.tree).is_empty();
    let reason = wrong_test(&WrongTestInput {
        report: run.report.as_ref().ok().and_then(Option::as_ref),
        runner: run.runner,
        output: &run.raw,
        test_files: &test_files,
        present: &present,
        kept_contract: kept.then_some(names.as_slice()),
    });
    let Some(reason) = reason else { return end };
    let by_agent = author == TestAuthor::Agent;
    let failure = Failure::WrongTest { reason, excerpt: run.excerpt.clone(), by_agent };
    EarlyEnd::Failed { failure, output: output.clone() }
}
