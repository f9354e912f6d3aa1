//! What the exit code of a listed command means.

use windlass_core::ids::BlobName;
use windlass_core::plan::Action;

use super::*;

fn run(exit: ProcessExit) -> ScriptRun {
    ScriptRun {
        exit,
        runner: None,
        report: Ok(None),
        raw: Vec::new(),
        output: BlobName::of(b""),
        excerpt: "the output".into(),
        millis: 1,
        build_millis: None,
        build_over: None,
        left: Vec::new(),
        over: None,
    }
}

#[test]
fn the_exit_code_decides_by_what_the_step_says() {
    use Expect::{ExitCode, ExitCodeNonzero, None as Nothing};
    let table = [
        (ExitCode, 0, ""),
        (ExitCode, 7, "steps: step 3 `implement`: exit code 7, and 0 was expected"),
        (
            ExitCode,
            127,
            "steps: nothing could be run: step 3 `implement`: the command cannot be run (exit code 127)",
        ),
        (
            ExitCodeNonzero,
            0,
            "steps: step 3 `implement`: expected failure but got success: the command exited with 0",
        ),
        (ExitCodeNonzero, 1, ""),
        (Nothing, 0, ""),
        (Nothing, 9, ""),
    ];
    for (verify, code, expected) in table {
        let step = Step { verify, ..Step::of(Action::Implement) };
        let said = match judge_step(2, &step, &run(ProcessExit::Code(code)), Duration::from_secs(1)) {
            Ok(()) => String::new(),
            Err(EarlyEnd::Failed { failure, .. }) => failure.summary(),
            Err(end) => panic!("{end:?}"),
        };
        assert_eq!(said, expected);
    }
}
