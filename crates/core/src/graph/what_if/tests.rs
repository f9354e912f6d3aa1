//! How long small plans take, and what limits them.

use super::super::tests::{options, plan};
use super::super::{SealOptions, seal};
use super::*;

fn graph(lines: &[&str], pools: &[(&str, u32)]) -> Graph {
    let mut plan = plan(lines);
    for task in &mut plan.tasks {
        task.resources = pools.iter().map(|(name, _)| (*name).to_owned()).collect();
    }
    let pools = pools.iter().map(|(name, depth)| ((*name).to_owned(), *depth)).collect();
    seal(&plan, &SealOptions { pools, ..options() }).unwrap().graph
}

#[test]
fn the_number_of_workers_counts_until_something_else_does() {
    let four: &[&str] = &["a #10", "b #10", "c #10", "d #10"];
    let chain: &[&str] = &["a #10", "b a #10", "c b #10"];
    let fork: &[&str] = &["a #10", "b a #10", "c a #20"];
    let db = Limit::Pool("db".into());
    let table = [
        // plan, pools, workers, minutes, limit
        (four, &[][..], 1, 40, Limit::Workers),
        (four, &[], 2, 20, Limit::Workers),
        (four, &[], 3, 20, Limit::Workers),
        (four, &[], 4, 10, Limit::CriticalPath),
        (four, &[], u32::MAX, 10, Limit::CriticalPath),
        (chain, &[], 1, 30, Limit::CriticalPath),
        (chain, &[], 9, 30, Limit::CriticalPath),
        (fork, &[], 1, 40, Limit::Workers),
        (fork, &[], 2, 30, Limit::CriticalPath),
        // Two at a time in one pool.
        (four, &[("db", 2)], 1, 40, Limit::Workers),
        (four, &[("db", 2)], 2, 20, db.clone()),
        (four, &[("db", 2)], 4, 20, db.clone()),
        (four, &[("db", 4)], 4, 10, Limit::CriticalPath),
        // Of two pools the tighter one is named.
        (four, &[("cpu", 3), ("db", 2)], 4, 20, db),
        (&[][..], &[], 3, 0, Limit::CriticalPath),
    ];
    for (lines, pools, workers, minutes, limit) in table {
        let expected = WhatIf { workers, makespan: minutes * 60, limited_by: limit };
        assert_eq!(what_if(&graph(lines, pools), workers), expected, "{lines:?} {pools:?}");
    }
}

#[test]
fn the_longest_chain_starts_first() {
    // In the order written, the two workers would end at 40 minutes.
    let graph = graph(&["a #10", "b #10", "c #30"], &[]);
    assert_eq!(what_if(&graph, 2).makespan, 30 * 60);
}

#[test]
fn the_outlook_ends_where_more_workers_change_nothing() {
    type Pools = &'static [(&'static str, u32)];
    let table: [(&[&str], Pools, &str); 5] = [
        (&[], &[], "no tasks"),
        (&["a #10"], &[], "with 1 worker 10 min, limited by the critical path"),
        (
            &["a #10", "b #10", "c #10", "d #10"],
            &[],
            "with 1 worker 40 min, with 3 workers 20 min, with 8 workers 10 min, limited by the critical path",
        ),
        (&["a #10", "b #10"], &[("db", 1)], "with 1 worker 20 min, limited by `db`"),
        (&["a #0.5", "b a #0.5"], &[], "with 1 worker 60 s, limited by the critical path"),
    ];
    for (lines, pools, expected) in table {
        assert_eq!(outlook(&graph(lines, pools)), expected, "{lines:?}");
    }
}

#[test]
fn durations_are_rounded_for_people() {
    let table = [
        (0, "0 s"),
        (1, "1 s"),
        (89, "89 s"),
        (90, "2 min"),
        (149, "2 min"),
        (150, "3 min"),
        (7_199, "120 min"),
        (7_200, "2 h"),
        (7_229, "2 h"),
        (7_230, "2 h 1 min"),
        (30 * 86_400, "720 h"),
    ];
    for (seconds, expected) in table {
        assert_eq!(duration(seconds), expected, "{seconds}");
    }
}
