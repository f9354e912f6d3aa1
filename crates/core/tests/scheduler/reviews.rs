//! Reviews: a green change waits for its verdict.

use super::story::{Story, reviewed};

#[test]
fn a_green_change_is_reviewed_before_it_is_merged() {
    Story::of(reviewed(2), "a").play(
        "start a
         candidate a
         verify a onto 0 as 1
         ? -
         green a
         ? review a by judge
         review a
         ? -
         reviewed a yes
         ? merge a",
    );
}

#[test]
fn a_review_is_bound_to_the_change_and_not_to_its_base() {
    Story::of(reviewed(2), "a").play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         review a
         tip 5
         ? abandon a
         abandon a
         reviewed a yes
         ? verify a onto 5
         verify a onto 5 as 2
         green a
         ? merge a",
    );
}

#[test]
fn an_abandoned_review_starts_again() {
    Story::of(reviewed(2), "a").play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         review a
         unreview a
         ? review a by judge",
    );
}

#[test]
fn a_rejection_sends_the_bug_hunter_and_the_next_change_is_reviewed_again() {
    Story::of(reviewed(2), "a").play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         review a
         reviewed a no
         fail a rejected
         ? start a (bug-hunter 1)
         start a hunter 1
         candidate a
         verify a onto 0 as 2
         green a
         ? review a by judge",
    );
}

#[test]
fn an_unreadable_verdict_is_asked_for_once_more_and_then_a_person_is() {
    Story::of(reviewed(2), "a").play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         review a
         reviewed a unknown
         ? review a by judge
         review a
         reviewed a unknown
         ? block a (no verdict)
         blocked a
         approve a
         ? verify a onto 0
         verify a onto 0 as 2
         green a
         ? merge a",
    );
}

#[test]
fn a_review_takes_a_job_of_its_own() {
    Story::of(reviewed(1), "a\nb").play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         ? review a by judge
         review a
         ? -
         reviewed a yes
         ? merge a; start b (first try)",
    );
}
