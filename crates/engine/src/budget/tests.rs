//! Tests of `budget`: turns at random never pass the limit by more than one answer.

use super::*;

fn usage(usd: f64) -> Usage {
    Usage { input_tokens: 10, cost_usd: Some(usd), ..Usage::default() }
}

fn budget(max: f64) -> Arc<RunBudget> {
    RunBudget::of(&Settings { max_cost_usd: Some(max), ..Settings::default() })
}

fn granted(budget: &Arc<RunBudget>) -> Option<Arc<TurnMeter>> {
    match budget.try_admit() {
        Admission::Granted(meter) => Some(meter),
        Admission::Wait | Admission::Closed => None,
    }
}

#[test]
fn without_a_limit_every_turn_starts_and_goes_on() {
    let free = RunBudget::of(&Settings::default());
    let meters: Vec<_> = (0..9).map(|_| granted(&free).unwrap()).collect();
    assert!(meters.iter().all(|meter| meter.used(&usage(1e6)).is_none()));
    assert_eq!(free.newly_closed(), None);
    assert_eq!(meters[0].remaining(), Remaining { usd: None });
}

#[test]
fn turns_go_one_by_one_until_an_answer_has_come() {
    let budget = budget(10.0);
    let first = granted(&budget).unwrap();
    assert!(granted(&budget).is_none(), "nobody knows what an answer costs");
    assert_eq!(first.used(&usage(1.0)), None);
    assert_eq!(first.remaining(), Remaining { usd: Some(9.0) });
    let second = granted(&budget).unwrap();
    assert!(granted(&budget).is_some());
    drop((first, second));
}

#[test]
fn of_turns_that_ask_at_the_same_moment_one_starts() {
    for _ in 0..200 {
        let (budget, start) = (budget(10.0), std::sync::Barrier::new(4));
        let admitted: Vec<_> = std::thread::scope(|scope| {
            let ask = || {
                start.wait();
                granted(&budget)
            };
            let asking: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            asking.into_iter().filter_map(|asked| asked.join().unwrap()).collect()
        });
        assert_eq!(admitted.len(), 1, "what an answer costs is not known yet");
    }
}

#[test]
fn a_turn_ends_at_the_limit_and_no_other_starts() {
    let budget = budget(1.0);
    let only = granted(&budget).unwrap();
    assert_eq!(only.used(&usage(0.6)), None);
    assert!(only.used(&usage(1.2)).unwrap().starts_with("1.2000 of 1.0000 US dollars are spent"));
    drop(only);
    assert!(granted(&budget).is_none());
    assert!(budget.newly_closed().is_some());
    assert_eq!(budget.newly_closed(), None, "told once");
}

#[test]
fn a_total_that_is_told_again_is_no_further_answer() {
    let budget = budget(1.0);
    let only = granted(&budget).unwrap();
    for _ in 0..50 {
        assert_eq!(only.used(&usage(0.6)), None);
    }
    assert_eq!(only.used(&usage(0.1)), None);
    assert_eq!(only.remaining(), Remaining { usd: Some(0.4) }, "nothing is given back on the way");
    only.settle(&usage(0.5));
    assert_eq!(only.remaining(), Remaining { usd: Some(0.5) }, "the end knows better");
}

#[test]
fn tokens_are_limited_too() {
    let budget = RunBudget::of(&Settings { max_tokens: Some(25), ..Settings::default() });
    let only = granted(&budget).unwrap();
    let tokens = |n| Usage { input_tokens: n, ..Usage::default() };
    assert_eq!(only.used(&tokens(20)), None);
    assert!(only.used(&tokens(25)).unwrap().contains("25 of 25 tokens"));
}

/// A small generator: the same seed gives the same run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn a_thousand_random_runs_pass_the_limit_by_at_most_one_answer() {
    for seed in 0..1000 {
        let mut random = Random(seed);
        let (jobs, max) = (1 + random.below(8), 1.0 + random.below(40) as f64);
        let budget = budget(max);
        let (mut running, mut spent, mut largest): (Vec<(Arc<TurnMeter>, f64)>, f64, f64) =
            (Vec::new(), 0.0, 0.0);
        for _ in 0..2000 {
            if (running.len() as u64) < jobs
                && let Some(meter) = granted(&budget)
            {
                running.push((meter, 0.0));
            }
            if running.is_empty() {
                break;
            }
            let which = usize::try_from(random.below(running.len() as u64)).unwrap();
            // An answer costs between one and two: what is read grows, but not by leaps.
            let answer = (100 + random.below(100)) as f64 / 100.0;
            let (meter, told) = &mut running[which];
            *told += answer;
            (spent, largest) = (spent + answer, largest.max(answer));
            let ends = meter.used(&usage(*told)).is_some();
            if ends || random.below(6) == 0 {
                running.swap_remove(which);
            }
        }
        assert!(spent <= max + largest, "seed {seed}: {spent} of {max}, {jobs} at once");
        assert!(spent >= max - 2.0 * largest * jobs as f64, "seed {seed}: only {spent} of {max}");
    }
}
