//! Events that cannot have happened are refused, whatever wrote them.

use super::story::{Story, reviewed};

#[test]
fn an_event_out_of_turn_is_refused() {
    let table = [
        ("nothing is verified before it was made", "", "verify a onto 0 as 1"),
        ("an attempt starts once", "start a", "start a"),
        ("a candidate comes from an attempt", "", "candidate a"),
        ("green needs a verification", "start a\ncandidate a", "green a"),
        ("green needs a merge", "start a\ncandidate a\nintend a onto 0", "green a"),
        ("only green is merged", "start a\ncandidate a\nverify a onto 0 as 1", "merge a as 2"),
        ("a running task is not skipped", "start a", "skipped a"),
        ("a running task is not reset", "start a", "reset a"),
        ("only a blocked task is approved", "", "approve a"),
        ("an end comes once", "failed a", "failed a"),
        ("a failed task is not started", "failed a", "start a"),
        ("an attempt that did not start does not end", "", "fail a no-change"),
        ("a task of no plan", "", "start z"),
    ];
    for (what, before, refused) in table {
        let mut story = Story::new(2, "a\nb");
        story.play(before);
        let untouched = story.scheduler.clone();
        story.play(&format!("! {refused}"));
        assert_eq!(
            story.commands(),
            {
                let mut again = Story::new(2, "a\nb");
                again.scheduler = untouched;
                again.commands()
            },
            "{what}: a refused event decides nothing"
        );
    }
}

#[test]
fn a_review_out_of_turn_is_refused() {
    let green = "start a\ncandidate a\nverify a onto 0 as 1\ngreen a";
    let table = [
        ("start a\ncandidate a", "review a"),
        (green, "reviewed a yes"),
        ("start a\ncandidate a\nverify a onto 0 as 1\ngreen a\nreview a", "review a"),
    ];
    for (before, refused) in table {
        Story::of(reviewed(2), "a").play(before).play(&format!("! {refused}"));
    }
}
