//! Tests of `src/worker_channel`.

use super::*;

fn channel(steps: &[Action]) -> (WorkerChannel, mpsc::UnboundedReceiver<Message>) {
    let (to, from) = mpsc::unbounded_channel();
    (WorkerChannel::new(to, TaskId::new("T1").unwrap(), AttemptNo(3), steps), from)
}

#[test]
fn a_step_is_the_first_or_last_with_its_action() {
    let steps = [Action::VerifyPass, Action::Implement, Action::VerifyPass];
    let (channel, _from) = channel(&steps);
    for (action, choice, wanted) in [
        (Action::VerifyPass, StepChoice::First, 0),
        (Action::VerifyPass, StepChoice::Last, 2),
        (Action::Implement, StepChoice::Last, 1),
        (Action::Commit, StepChoice::First, 3),
    ] {
        assert_eq!(channel.begin(action, choice).0.step, wanted, "{action:?}");
    }
}

#[test]
fn events_arrive_and_a_dispatcher_that_is_gone_is_no_error() {
    let (channel, mut from) = channel(&[]);
    channel.finding("odd".into());
    assert!(matches!(from.try_recv(), Ok(Message::Event(_))));
    drop(from);
    channel.finding("late".into());
}

#[tokio::test]
async fn files_are_refused_if_no_answer_comes() {
    let (channel, from) = channel(&[]);
    drop(from);
    let refused = channel.ask_for(vec!["a".into()]).await;
    assert_eq!(refused, Err(vec![("a".to_owned(), "unknown".to_owned())]));
}

#[test]
fn long_messages_lose_their_middle() {
    assert_eq!(of_bearable_length("a".repeat(1_000)), "a".repeat(1_000));
    let long = format!("weak test: `t_{}ü`: why", "ä".repeat(40_000));
    let told = of_bearable_length(long);
    assert!(told.len() < 900 && told.starts_with("weak test: `t_ä") && told.ends_with("äü`: why"), "{told}");
}
