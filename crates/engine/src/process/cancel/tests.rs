//! Tests of `process/cancel`.

use super::*;

#[test]
fn levels_only_rise() {
    let signal = CancellationSignal::new();
    for (raised, wanted) in [
        (CancelLevel::Run, CancelLevel::Run),
        (CancelLevel::Now, CancelLevel::Now),
        (CancelLevel::Stop, CancelLevel::Now),
    ] {
        signal.raise(raised);
        assert_eq!(signal.level(), wanted);
    }
}

#[test]
fn a_child_hears_its_parent_and_not_the_other_way_round() {
    let parent = CancellationSignal::new();
    let (one, two) = (parent.child(), parent.child());
    one.raise(CancelLevel::Now);
    assert_eq!((parent.level(), two.level()), (CancelLevel::Run, CancelLevel::Run));
    parent.raise(CancelLevel::Stop);
    assert_eq!((one.level(), two.level()), (CancelLevel::Now, CancelLevel::Stop));
    assert_eq!(two.child().level(), CancelLevel::Stop, "a grandchild, too");
}

#[tokio::test]
async fn a_wait_ends_at_the_level_or_above() {
    let parent = CancellationSignal::new();
    let child = parent.child();
    let waiting = tokio::spawn(async move { child.reached(CancelLevel::Stop).await });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    parent.raise(CancelLevel::Now);
    waiting.await.unwrap();
}
