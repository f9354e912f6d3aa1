//! Sums of usage and its JSON.

use super::Usage;

#[test]
fn old_records_are_read_and_sums_keep_every_part() {
    let old: Usage = serde_json::from_str(r#"{"input_tokens":10,"output_tokens":2}"#).unwrap();
    assert_eq!(old.tokens(), 12);
    assert_eq!(serde_json::to_string(&old).unwrap(), r#"{"input_tokens":10,"output_tokens":2}"#);
    let mut sum = Usage { cache_read_tokens: 5, cost_usd: Some(0.5), ..old };
    sum.add(&Usage { cache_write_tokens: 1, ..old });
    assert_eq!((sum.tokens(), sum.fresh_tokens(), sum.cost_usd), (24, 14, Some(0.5)));
}

#[test]
fn fresh_tokens_are_what_no_cache_took_part_in() {
    let table = [
        // input, read from the cache, written to it, fresh
        (100, 0, 0, 100),
        (100, 60, 0, 40),
        (100, 60, 40, 0),
        (100, 0, 100, 0),
        // An agent that counts cached tokens apart from its input.
        (100, 900, 0, 0),
        (0, 0, 0, 0),
    ];
    for (input_tokens, cache_read_tokens, cache_write_tokens, fresh) in table {
        let usage = Usage { input_tokens, cache_read_tokens, cache_write_tokens, ..Usage::default() };
        assert_eq!(usage.fresh_tokens(), fresh, "{usage:?}");
    }
}

#[test]
fn unpriced_means_tokens_without_money() {
    let tokens = |n, cost_usd| Usage { output_tokens: n, cost_usd, ..Usage::default() };
    let table = [
        // usage, unpriced, nothing
        (tokens(0, None), false, true),
        (tokens(5, None), true, false),
        (tokens(5, Some(0.0)), false, false),
        (tokens(0, Some(0.1)), false, false),
    ];
    for (usage, unpriced, nothing) in table {
        assert_eq!((usage.is_unpriced(), usage.is_nothing()), (unpriced, nothing), "{usage:?}");
    }
}

#[test]
fn a_sum_has_a_cost_as_soon_as_one_part_has() {
    let costs = |cost_usd| Usage { cost_usd, ..Usage::default() };
    let table = [
        (None, None, None),
        (Some(0.25), None, Some(0.25)),
        (None, Some(0.25), Some(0.25)),
        (Some(0.25), Some(0.5), Some(0.75)),
        (Some(0.0), None, Some(0.0)),
    ];
    for (a, b, expected) in table {
        let mut sum = costs(a);
        sum.add(&costs(b));
        assert_eq!(sum.cost_usd, expected, "{a:?} + {b:?}");
    }
}

#[test]
fn fields_of_a_later_version_are_ignored_and_wrong_types_refused() {
    let later: Usage = serde_json::from_str(r#"{"output_tokens":3,"reasoning_tokens":9}"#).unwrap();
    assert_eq!(later, Usage { output_tokens: 3, ..Usage::default() });
    for bad in [r#"{"input_tokens":-1}"#, r#"{"input_tokens":"7"}"#, r#"{"cost_usd":"free"}"#] {
        assert!(serde_json::from_str::<Usage>(bad).is_err(), "{bad}");
    }
}
