//! Where attempts run: slots, labels, what is near, places that are lost.

use std::collections::BTreeMap;

use windlass_core::policy::{PlaceRules, Settings, architecture_labels};

use super::story::Story;

/// A run with so many jobs here, and places as `name slots label…`; `trusted` is no label.
fn with_places(jobs: u32, places: &[&str], plan: &str) -> Story {
    let place = |text: &&str| {
        let mut words = text.split_whitespace().map(str::to_owned);
        let (name, slots) = (words.next().unwrap(), words.next().unwrap().parse().unwrap());
        let (trusted, labels): (Vec<String>, Vec<String>) = words.partition(|word| word == "trusted");
        (name, PlaceRules { slots, labels, verify: !trusted.is_empty() })
    };
    let places = places.iter().map(place).collect();
    Story::of(Settings { jobs, places, ..Settings::default() }, plan)
}

#[test]
fn every_place_has_its_own_slots_and_the_emptiest_is_taken() {
    with_places(1, &["big 2"], "a\nb\nc\nd").play(
        "? start a (first try) at big; start b (first try); start c (first try) at big
         start a at big
         start b
         ? start c (first try) at big
         start c at big
         ? -
         candidate a
         ? start d (first try) at big",
    );
}

#[test]
fn verifications_are_here_and_take_jobs_of_this_machine_only() {
    with_places(1, &["big 1"], "a\nb\nc").play(
        "start a at big
         start b
         candidate a
         ? start c (first try) at big
         candidate b
         ? verify a onto 0; start c (first try) at big
         verify a onto 0 as 1
         ? start c (first try) at big",
    );
}

#[test]
fn a_trusted_place_verifies_what_it_made_and_takes_a_slot_for_it() {
    with_places(1, &["big 1 trusted", "near 1"], "a\nb\nc\nd").play(
        "start a at big
         start b at near
         start c
         candidate a
         ? verify a onto 0 at big
         verify a onto 0 as 1 at big
         candidate b
         ? start d (first try) at near
         green a
         ? merge a; verify b onto 1 at big; start d (first try) at near",
    );
}

#[test]
fn a_verification_that_is_lost_with_its_place_begins_again_and_uses_up_nothing() {
    with_places(1, &["big 1 trusted"], "a").play(
        "start a at big
         candidate a
         verify a onto 0 as 1 at big
         gone big
         abandon a
         ? verify a onto 0 at big
         verify a onto 0 as 2 at big
         gone big
         gone big
         abandon a
         ? verify a onto 0",
    );
}

#[test]
fn what_only_a_trusted_place_has_is_verified_there_or_waits() {
    let mut story = with_places(4, &["big 1 trusted gpu", "near 1 gpu"], "a +gpu\nb +here");
    story.play(
        "start a at near
         start b
         candidate a
         candidate b
         ? verify a onto 0 at big
         verify a onto 0 as 1 at big
         ? verify b onto 1
         gone big
         gone big
         gone big
         abandon a
         ? -",
    );
    assert_eq!(story.scheduler.wake_at(0), Some(30_000));
    story.play("at 30000\n ? verify a onto 0 at big");
}

#[test]
fn a_task_runs_where_everything_is_that_it_needs() {
    with_places(1, &["big 5 gpu", "near 5"], "a +gpu\nb +here\nc +gpu +arm\nd").play(
        "? start a (first try) at big; start b (first try); start d (first try) at near
         start a at big
         start b
         start d at near
         ? -",
    );
}

#[test]
fn another_try_goes_where_the_last_one_was() {
    with_places(2, &["big 4", "near 9"], "a").play(
        "start a at big
         fail a tests x
         ? start a (bug-hunter 1) at big",
    );
}

#[test]
fn a_loss_uses_up_nothing_and_the_third_in_a_row_rests_the_place() {
    with_places(1, &["big 2"], "a").play(
        "start a at big
         gone big
         lose a
         ? start a (first try) at big
         start a at big
         gone big
         lose a
         ? start a (first try) at big
         start a at big
         gone big
         lose a
         ? start a (first try)",
    );
}

#[test]
fn what_only_a_resting_place_can_do_waits_and_one_attempt_tries_it() {
    let mut story = with_places(1, &["big 2 gpu"], "a +gpu\nb +gpu");
    story.play(
        "gone big
         gone big
         gone big
         ? -",
    );
    assert_eq!(story.scheduler.wake_at(0), Some(30_000));
    story.play(
        "at 30000
         ? start a (first try) at big
         start a at big
         ? -
         candidate a
         ? verify a onto 0; start b (first try) at big",
    );
    let mut still = with_places(1, &["big 1 gpu"], "a +gpu");
    still.play("gone big\n gone big\n gone big\n gone big\n at 59999\n ? -\n at 60000\n ? start a (first try) at big");
}

/// The rest of the provider ends first and nothing is journaled then: the run still wakes for the place.
#[test]
fn a_rest_that_ended_does_not_hide_a_longer_one() {
    let mut story = with_places(1, &["big 1 gpu"], "a +gpu");
    story.play("gone big\n gone big\n gone big\n rest mechanical until 500\n ? -");
    assert_eq!(story.scheduler.wake_at(0), Some(500));
    story.play("at 500\n ? -");
    assert_eq!(story.scheduler.wake_at(500), Some(30_000));
    story.play("at 30000\n ? start a (first try) at big");
    assert_eq!(story.scheduler.wake_at(30_000), None);
}

#[test]
fn an_answer_of_any_kind_ends_the_row_of_losses() {
    with_places(1, &["big 2"], "a\nb").play(
        "gone big
         gone big
         start a at big
         fail a no-change
         gone big
         start b at big
         ? start a (same agent again 1) at big",
    );
}

#[test]
fn a_provider_is_driven_as_hard_as_all_places_allow() {
    with_places(1, &["big 3"], "a\nb\nc\nd\ne").play(
        "? start a (first try) at big; start b (first try) at big; start c (first try); start d (first try) at big",
    );
}

#[test]
fn what_this_machine_has_is_needed_here_too() {
    let here = architecture_labels("x86_64");
    let places = BTreeMap::from([
        ("arm".to_owned(), PlaceRules { slots: 3, labels: architecture_labels("aarch64"), verify: false }),
        ("big".to_owned(), PlaceRules { slots: 2, labels: vec!["gpu".into()], verify: false }),
    ]);
    let settings = Settings { jobs: 3, here, places, ..Settings::default() };
    Story::of(settings, "a +arm64\nb +amd64\nc +aarch64 +gpu\nd +x86_64 +here")
        .play("? start a (first try) at arm; start b (first try); start d (first try)");
}

#[test]
fn of_the_places_the_one_that_has_the_files_is_taken() {
    with_places(1, &["big 2", "far 9", "near 2"], "a\nb\nc\nd\ne").play(
        "start a at near
         start b at big
         start e
         fail b no-change
         ? start b (same agent again 1) at big; start c (first try) at big; start d (first try) at far
         candidate a
         ? start b (same agent again 1) at big; start c (first try) at near; start d (first try) at big",
    );
}

#[test]
fn a_place_with_the_files_of_the_tip_is_nearer_than_one_with_older_files() {
    with_places(1, &["big 9", "near 2 trusted"], "a\nb\nc\nd\ne").play(
        "start a at big
         start b at near
         start e
         candidate a
         candidate b
         ? verify a onto 0 at near; start c (first try) at big; start d (first try) at big
         verify a onto 0 as 1 at near
         green a
         merge a as 1
         ? verify b onto 1 at near; start c (first try) at near; start d (first try) at big",
    );
}

#[test]
fn a_lost_place_is_a_strange_one() {
    with_places(1, &["big 2", "near 2"], "a\nb\nc\nd").play(
        "start a at near
         start d
         candidate a
         ? start b (first try) at near; start c (first try) at near
         gone near
         ? start b (first try) at big; start c (first try) at near",
    );
}
