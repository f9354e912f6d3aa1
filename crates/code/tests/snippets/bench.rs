//! A repository on disk in which a generated test is run by the real runner.

use std::path::{Path, PathBuf};
use std::process::Command;

use windlass_code::red::{Red, RedInput, RunExit, classify};
use windlass_code::repo::MemoryTree;
use windlass_code::report::read_any;
use windlass_code::script::instrument_in;
use windlass_code::survey::{Repository, survey};
use windlass_core::survey::Ground;

/// What a run came to.
pub(crate) struct Run {
    pub(crate) red: Red,
    pub(crate) output: String,
    pub(crate) passed: bool,
}

/// Runs a test file with the command the repository asks for. `laid` are files besides those of the repository, and
/// `owned` those that the task is still to write.
pub(crate) fn run(
    files: &[(&str, &str)],
    laid: &[(&str, &str)],
    test: (&str, &str),
    owned: &[String],
) -> Run {
    let dir = tempfile::tempdir().unwrap();
    let tree = MemoryTree::new(files.iter().copied());
    let put = |path: &str, text: &str| {
        let path = dir.path().join("repo").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    files.iter().chain(laid).chain([&test]).for_each(|(path, text)| put(path, text));
    let ground = Repository::new(&tree, survey(&tree));
    let script = ground.test_command(test.0).unwrap().script;
    let reports = dir.path().join("reports");
    std::fs::create_dir_all(&reports).unwrap();
    let run = instrument_in(&tree, &script, reports.to_str().unwrap());
    let done = Command::new("bash")
        .args(["-c", &format!("{{ {}\n}} 2>&1", run.script)])
        .current_dir(dir.path().join("repo"))
        .env("PATH", path())
        .env("CARGO_TARGET_DIR", dir.path().join("target"))
        .envs(run.env.iter().cloned())
        .output()
        .unwrap();
    let read = |path: &str| std::fs::read(path).ok();
    let report = read_any(&run.expects, &read, &done.stdout).unwrap();
    let red = classify(&RedInput {
        exit: RunExit::Code(done.status.code().unwrap()),
        report: report.as_ref(),
        runner: run.runner(),
        output: &done.stdout,
        test_files: &[(test.0.to_owned(), test.1.as_bytes().to_vec())],
        owned,
        provides: &[],
    });
    Run { red, output: String::from_utf8_lossy(&done.stdout).into_owned(), passed: done.status.success() }
}

fn path() -> std::ffi::OsString {
    // What `scripts/test` installs: pytest, and a node that knows TypeScript.
    let target: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let own = ["venv/bin", "agents/bin"].map(|dir| target.join(dir));
    let rest = std::env::var_os("PATH").unwrap();
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&rest))).unwrap()
}
