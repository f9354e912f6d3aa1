//! Tests of `place/machine`.

use super::*;

#[test]
fn a_scratch_directory_is_gone_with_its_value() {
    let temp = tempfile::tempdir().unwrap();
    let queue = Arc::new(RemovalQueue::default());
    let scratch = ScratchDir::create(temp.path().join("a/b"), Arc::clone(&queue)).unwrap();
    let sub = scratch.sub("reports").unwrap();
    std::fs::write(sub.join("x"), "").unwrap();
    assert_eq!(scratch.sub("reports").unwrap(), sub, "it may exist already");
    assert_eq!(scratch.path(), temp.path().join("a/b"));
    drop(scratch);
    drop(queue);
    assert!(!temp.path().join("a/b").exists() && temp.path().join("a").exists());
}

#[test]
fn directories_and_tokens_of_a_run_are_its_own() {
    let temp = tempfile::tempdir().unwrap();
    let paths = Paths::new(&temp.path().join("state"), &temp.path().join("cache"));
    let machine = LocalMachine::open(&paths, Sandbox::default(), "windlass.r.plan".into()).unwrap();
    let (one, two) = (machine.scratch("verify").unwrap(), machine.scratch("verify").unwrap());
    assert_ne!(one.path(), two.path());
    assert!(one.path().starts_with(paths.cache()));
    let token = machine.token_of(&TaskId::new("T1").unwrap(), AttemptNo(2));
    assert_eq!(token.as_str(), "windlass.r.plan.T1.2");
}
