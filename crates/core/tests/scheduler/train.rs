//! The merge train: each car is verified on the one before it, and only the head is merged.

use super::story::Story;

#[test]
fn one_task_goes_through() {
    Story::new(2, "a").play(
        "? start a (first try)
         start a
         ? -
         candidate a
         ? verify a onto 0
         intend a onto 0
         ? -
         verify a onto 0 as 1
         ? -
         green a
         ? merge a
         merge a as 2
         ? finish Completed",
    );
}

#[test]
fn a_dependant_starts_when_its_dependency_is_merged() {
    Story::new(4, "a\nb: a\nc: a b").play(
        "? start a (first try)
         start a
         candidate a
         verify a onto 0 as 1
         green a
         ? merge a
         merge a as 2
         ? start b (first try)
         start b
         candidate b
         verify b onto 2 as 3
         green b
         merge b as 4
         ? start c (first try)",
    );
}

#[test]
fn a_car_stands_on_the_merge_of_the_one_before_it() {
    Story::new(4, "a\nb\nc").play(
        "start a
         start b
         start c
         candidate b
         ? verify b onto 0
         candidate a
         ? verify b onto 0
         verify b onto 0 as 1
         ? verify a onto 1
         verify a onto 1 as 2
         candidate c
         ? verify c onto 2
         verify c onto 2 as 3
         green c
         green a
         ? -
         green b
         ? merge b
         merge b as 4
         ? merge a
         merge a as 5
         ? merge c
         merge c as 6
         ? finish Completed",
    );
}

#[test]
fn a_car_that_fails_sends_those_behind_it_back() {
    Story::new(4, "a\nb").play(
        "start a
         start b
         candidate a
         candidate b
         verify a onto 0 as 1
         verify b onto 1 as 2
         green b
         fail a tests t
         ? abandon b; start a (bug-hunter 1)
         abandon b
         ? verify b onto 0; start a (bug-hunter 1)",
    );
}

#[test]
fn a_branch_moved_by_another_program_is_verified_again() {
    Story::new(2, "a").play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         tip 7
         ? abandon a
         abandon a
         ? verify a onto 7
         verify a onto 7 as 2
         green a
         ? merge a",
    );
}

#[test]
fn nothing_is_merged_while_merging_is_off() {
    Story::new(2, "a\nb: a").play(
        "start a
         candidate a
         verify a onto 0 as 1
         green a
         merging off
         ? finish Stuck
         merging on
         ? merge a",
    );
}

#[test]
fn a_formatted_tree_is_announced_in_the_place_of_the_first() {
    Story::new(2, "a").play(
        "start a
         candidate a
         verify a onto 0 as 1
         verify a onto 0 as 2
         green a
         ? merge a",
    );
}
