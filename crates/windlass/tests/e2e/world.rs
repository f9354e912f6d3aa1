//! Shorthands the stories share: the program under test, small plans, what must hold after any run.

use windlass_engine::integrate::Evidence;
use windlass_testkit::{PlanTask, TestRepo};

/// An agent that writes what its task is about.
pub(crate) const HONEST: &str = "write {task}.sh echo {task}\n";

/// No second chances: what a story wants to see is seen at once.
pub(crate) const STRICT: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";

/// The program under test: the one that was built for the tests, or the one that `WINDLASS_TEST_PROGRAM` names. Long forms run with
/// a release build.
pub(crate) fn program() -> String {
    std::env::var("WINDLASS_TEST_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_windlass").to_owned())
}

/// An empty repository and the program under test.
pub(crate) fn empty() -> TestRepo {
    TestRepo::new(&program())
}

/// A repository with a read-me, the plan `demo` of these tasks, and an honest agent.
pub(crate) fn with_plan(tasks: &[PlanTask]) -> TestRepo {
    empty().file("README.md", "hello\n").plan("demo", tasks).committed().agent(HONEST)
}

/// A repository with a plan of one task, `a`.
pub(crate) fn one_task() -> TestRepo {
    with_plan(&[PlanTask::shell("a")])
}

/// A repository with a plan of two tasks, `b` after `a`.
pub(crate) fn two_tasks() -> TestRepo {
    with_plan(&[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])])
}

/// What belongs to the user alone: their checkout, index, configuration and refs.
pub(crate) fn users_own(repo: &TestRepo) -> Vec<String> {
    let refs = repo.git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    let foreign =
        |line: &&str| !line.starts_with("refs/windlass/") && !line.starts_with("refs/heads/windlass/");
    vec![
        repo.git(&["symbolic-ref", "HEAD"]),
        refs.lines().filter(foreign).collect::<Vec<_>>().join("\n"),
        repo.git(&["ls-files", "--stage"]),
        repo.git(&["status", "--porcelain", "--ignored"]),
        repo.git(&["config", "--local", "--list"]),
        repo.git(&["stash", "list"]),
    ]
}

/// The state of every task, as `status --json` tells it.
pub(crate) fn states(repo: &TestRepo) -> Vec<(String, String)> {
    let out = repo.windlass(&["status", "--json", "--all"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    let tasks = json["tasks"].as_array().unwrap().iter();
    tasks.map(|t| (t["id"].as_str().unwrap().to_owned(), t["state"].as_str().unwrap().to_owned())).collect()
}

/// The state of one task.
pub(crate) fn state(repo: &TestRepo, task: &str) -> String {
    states(repo).into_iter().find(|(id, _)| id == task).unwrap().1
}

/// The evidence of every commit of a branch that `main` does not have, oldest first, each checked against its commit.
pub(crate) fn evidence(repo: &TestRepo, branch: &str) -> Vec<Evidence> {
    let format = "--format=%T %(trailers:key=Windlass-Task,valueonly,separator=) \
                  %(trailers:key=Windlass-Evidence,valueonly,separator=)";
    let log = repo.git(&["log", "--reverse", format, &format!("main..{branch}")]);
    let read = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let [tree, task, blob] = words[..] else { panic!("a commit without trailers: {line}") };
        let record: Evidence = serde_json::from_str(&repo.git(&["cat-file", "blob", blob])).unwrap();
        assert_eq!((record.task.as_str(), record.green.tree.as_str()), (task, tree), "{record:?}");
        record
    };
    log.lines().map(read).collect()
}
