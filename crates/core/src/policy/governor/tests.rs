//! Limits, rests and recovery of one provider.

use proptest::prelude::*;

use super::*;

const RULES: fn() -> GovernorRules = GovernorRules::default;

#[test]
fn a_refusal_halves_and_success_brings_it_back_one_by_one() {
    let mut governor = Governor::new(8);
    let until = governor.rest_after(&RULES(), 0, None).unwrap();
    assert_eq!(until, 30_000);
    governor.refused(0, until, 8);
    assert_eq!((governor.limit(), governor.room(29_999, 0), governor.room(30_000, 0)), (4, 0, 1));
    assert_eq!(governor.room(30_000, 1), 0, "half-open: one at a time");
    // Stragglers of the same crowd neither halve again nor prolong, unless the provider asks for longer.
    assert_eq!(governor.rest_after(&RULES(), 10, None), None);
    assert_eq!(governor.rest_after(&RULES(), 10, Some(5)), None);
    assert_eq!(governor.rest_after(&RULES(), 10, Some(60)), Some(60_010));
    governor.refused(10, 60_010, 7);
    assert_eq!(governor.limit(), 4);
    governor.succeeded(20);
    assert_eq!(governor.resting(20), Some(60_010), "a turn from before says nothing");
    governor.succeeded(60_010);
    assert_eq!((governor.breaker, governor.room(60_010, 0)), (Breaker::Closed, 4));
    for _ in 0..4 {
        governor.succeeded(60_011);
    }
    assert_eq!(governor.limit(), 5);
}

#[test]
fn each_refused_probe_doubles_the_rest_up_to_the_longest() {
    let mut governor = Governor::new(4);
    let mut now = 0;
    let mut rests = Vec::new();
    for _ in 0..7 {
        let until = governor.rest_after(&RULES(), now, None).unwrap();
        rests.push((until - now) / 1000);
        governor.refused(now, until, 1);
        now = until;
    }
    assert_eq!(rests, [30, 60, 120, 240, 480, 900, 900]);
    governor.succeeded(now);
    assert_eq!(governor.rest_after(&RULES(), now, None), Some(now + 30_000), "a success forgets");
    assert_eq!(governor.rest_after(&RULES(), now, Some(7)), Some(now + 7_000), "Retry-After is honoured");
}

/// One turn of a simulated provider.
#[derive(Debug, Clone)]
struct Turn {
    lasts: i64,
    refused: bool,
    told: Option<u64>,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = (1..90_000_i64, any::<bool>(), proptest::option::of(0..200_u64))
        .prop_map(|(lasts, refused, told)| Turn { lasts, refused, told });
    proptest::collection::vec(turn, 1..60)
}

/// Drives a governor with a provider that refuses as it likes, then with one that never does.
fn drive(ceiling: u32, turns: &[Turn]) -> (Governor, i64) {
    let mut governor = Governor::new(ceiling);
    let mut now = 0_i64;
    let mut running: Vec<(i64, Turn)> = Vec::new();
    let mut left = turns.iter().cloned();
    let mut next = left.next();
    let mut steps = 0;
    while next.is_some() || !running.is_empty() {
        steps += 1;
        assert!(steps < 10_000, "it goes in circles");
        let under_way = u32::try_from(running.len()).unwrap();
        if let Some(turn) = next.take_if(|_| governor.room(now, under_way) > 0) {
            running.push((now + turn.lasts, turn));
            assert!(running.len() <= ceiling as usize, "more than the ceiling");
            assert!(governor.resting(now).is_none(), "a turn began during a rest");
            next = left.next();
            continue;
        }
        let ends = running.iter().map(|(at, _)| *at).min();
        let wakes = governor.resting(now);
        now = match (ends, wakes) {
            (Some(a), Some(b)) => a.min(b),
            (Some(a), None) => a,
            (None, Some(b)) => b,
            (None, None) => panic!("nothing runs, nothing rests, and nothing may begin"),
        };
        if let Some(at) = running.iter().position(|(end, _)| *end == now) {
            let under_way = u32::try_from(running.len()).unwrap();
            let (_, turn) = running.swap_remove(at);
            if turn.refused {
                if let Some(until) = governor.rest_after(&GovernorRules::default(), now, turn.told) {
                    assert!(until > now);
                    governor.refused(now, until, under_way);
                }
            } else {
                governor.succeeded(now);
            }
        }
    }
    (governor, now)
}

proptest! {
    #[test]
    fn the_limit_holds_and_nothing_hangs(ceiling in 1..20_u32, turns in turns()) {
        let (governor, _) = drive(ceiling, &turns);
        prop_assert!(governor.limit() >= 1 && governor.limit() <= ceiling);
    }

    #[test]
    fn it_recovers_once_the_provider_does(ceiling in 1..20_u32, turns in turns()) {
        let (mut governor, now) = drive(ceiling, &turns);
        let mut now = governor.resting(now).unwrap_or(now);
        for _ in 0..=ceiling * ceiling {
            now += 1;
            prop_assert!(governor.room(now, 0) > 0);
            governor.succeeded(now);
        }
        prop_assert_eq!(governor, Governor::new(ceiling));
    }
}

#[test]
fn the_ceiling_is_the_smaller_of_the_rule_and_the_jobs() {
    let table = [
        // at once, for this provider, jobs, ceiling
        (0, None, 4, 4),
        (2, None, 4, 2),
        (9, None, 4, 4),
        (2, Some(3), 4, 3),
        (2, Some(0), 4, 4),
        (2, Some(9), 4, 4),
        (0, None, 0, 1),
    ];
    for (at_once, own, jobs, expected) in table {
        let each = own.map(|n| ("anthropic".to_owned(), n)).into_iter().collect();
        let rules = GovernorRules { at_once, each, ..RULES() };
        assert_eq!(rules.ceiling("anthropic", jobs), expected, "{rules:?}, {jobs} jobs");
    }
}

#[test]
fn a_refusal_halves_what_was_under_way() {
    // ceiling, turns under way, limit afterwards
    for (ceiling, running, limit) in
        [(8, 8, 4), (8, 3, 1), (8, 1, 1), (8, 0, 1), (5, 5, 2), (1, 1, 1), (0, 0, 1)]
    {
        let mut governor = Governor::new(ceiling);
        governor.refused(0, 1_000, running);
        assert_eq!((governor.limit(), governor.strikes()), (limit, 1), "{ceiling}, {running} under way");
        assert_eq!(governor.breaker, Breaker::Open { until: 1_000 });
    }
}

#[test]
fn the_rest_is_the_provider_s_wish_or_the_rule() {
    let rules =
        |rest_seconds, longest_rest_seconds| GovernorRules { rest_seconds, longest_rest_seconds, ..RULES() };
    let table = [
        // rules, told, seconds of rest
        (rules(30, 900), None, 30),
        (rules(30, 900), Some(5), 5),
        (rules(30, 900), Some(0), 1),
        (rules(30, 900), Some(3_600), 3_600),
        (rules(30, 900), Some(u64::MAX), 86_400),
        (rules(30, 10), None, 10),
        (rules(0, 900), None, 1),
        (rules(30, 0), None, 1),
    ];
    for (rules, told, seconds) in table {
        let until = Governor::new(4).rest_after(&rules, 500, told);
        assert_eq!(until, Some(500 + seconds * 1_000), "{rules:?} {told:?}");
    }
}

#[test]
fn very_many_refusals_do_not_overflow() {
    let mut governor = Governor::new(4);
    for n in 0..100_i64 {
        let now = n * 10_000_000;
        let until = governor.rest_after(&RULES(), now, None).unwrap();
        assert!(until - now <= 900_000);
        governor.refused(now, until, 1);
    }
    assert_eq!((governor.strikes(), governor.limit()), (100, 1));
}

#[test]
fn how_many_turns_may_begin() {
    let closed = Governor::new(3);
    let mut open = Governor::new(3);
    open.refused(0, 100, 3);
    let table = [
        // governor, now, under way, room
        (&closed, 0, 0, 3),
        (&closed, 0, 2, 1),
        (&closed, 0, 5, 0),
        (&open, 99, 0, 0),
        (&open, 100, 0, 1),
        (&open, 100, 1, 0),
        (&open, 100, 2, 0),
    ];
    for (governor, now, running, room) in table {
        assert_eq!(governor.room(now, running), room, "{governor:?} at {now}, {running} under way");
    }
    assert_eq!((open.resting(99), open.resting(100), closed.resting(0)), (Some(100), None, None));
}

#[test]
fn the_limit_grows_by_one_after_as_many_successes_as_it_allows() {
    let mut governor = Governor::new(4);
    governor.refused(0, 10, 2);
    governor.succeeded(10);
    let limits: Vec<u32> = (0..7)
        .map(|_| {
            governor.succeeded(11);
            governor.limit()
        })
        .collect();
    // One success at limit 1, two at 2, three at 3; at the ceiling it stays.
    assert_eq!(limits, [2, 2, 3, 3, 3, 4, 4]);
}

#[test]
fn a_refused_probe_leaves_one_turn_at_once() {
    let mut governor = Governor::new(16);
    governor.refused(0, 10, 16);
    assert_eq!(governor.limit(), 8);
    governor.refused(10, 30, 1);
    assert_eq!((governor.limit(), governor.strikes()), (1, 2));
}

#[test]
fn another_number_of_jobs_changes_the_ceiling() {
    let mut free = Governor::new(4);
    free.set_ceiling(8);
    assert_eq!(free.limit(), 8, "one that was never slowed down follows");
    let mut slow = Governor::new(8);
    slow.refused(0, 10, 8);
    for (ceiling, limit) in [(16, 4), (2, 2), (0, 1)] {
        let mut governor = slow.clone();
        governor.set_ceiling(ceiling);
        assert_eq!(governor.limit(), limit, "{ceiling}");
    }
}
