//! Repeats tests that may be flaky: three passes in a row are required.

use windlass_code::script::instrument_in;
use windlass_core::failure::Gate;

use super::gates::{Bench, refused};
use super::proof::RepeatRecord;
use super::script::{NamedResults, task_script};
use crate::early_end::EarlyEnd;

/// How often tests must pass when one pass is not believed.
const TIMES: u32 = 3;

impl Bench<'_> {
    /// Repeats the task's tests if there is a reason.
    pub(super) async fn repeat(&mut self) -> Result<(), EarlyEnd> {
        let Some(why) = self.input.doubt else { return Ok(()) };
        let Some(script) = task_script(self.task, &self.tree) else { return Ok(()) };
        let script = self.named_script(&script);
        let known = instrument_in(&self.tree, &script, "/").runner().is_some();
        for nth in 2..=TIMES {
            let run = self.script(&script, NamedResults::Wanted).await?;
            if let Err(stop) = self.judge_by_base(Gate::Tests, &script, &run, self.input.required).await {
                return Err(match stop {
                    EarlyEnd::Failed { .. } => {
                        let named = if known { "the tests" } else { "the command" };
                        let summary =
                            format!("flaky: {named} passed at first and failed in run {nth} ({why})");
                        refused(Gate::Tests, Vec::new(), summary, &run)
                    }
                    EarlyEnd::Interrupted | EarlyEnd::Broken(_) => stop,
                });
            }
        }
        self.seen.repeated = Some(RepeatRecord { times: TIMES, why: why.to_owned() });
        Ok(())
    }
}
