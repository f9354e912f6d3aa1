//! The limits of a run: defaults, their form in the journal, and when they are used up.

use super::*;

#[test]
fn a_budget_is_spent_when_money_or_tokens_reach_it() {
    let table = [
        // limits of money and tokens, money and tokens spent
        (None, None, Some(1e9), 1_000_000_000, false),
        (Some(5.0), None, Some(4.99), 0, false),
        (Some(5.0), None, Some(5.0), 0, true),
        (Some(5.0), None, None, 1_000_000, false),
        (Some(0.0), None, None, 0, true),
        (None, Some(100), None, 99, false),
        (None, Some(100), None, 100, true),
        (Some(5.0), Some(100), Some(1.0), 100, true),
        (Some(5.0), Some(100), Some(6.0), 1, true),
    ];
    for (max_cost_usd, max_tokens, cost_usd, output_tokens, expected) in table {
        let settings = Settings { max_cost_usd, max_tokens, ..Settings::default() };
        let spent = Usage { output_tokens, cost_usd, ..Usage::default() };
        assert_eq!(settings.is_spent(&spent), expected, "{max_cost_usd:?} {max_tokens:?} {spent:?}");
    }
}

#[test]
fn settings_of_old_and_later_journals_are_read() {
    let read = |text: &str| serde_json::from_str::<Settings>(text);
    assert_eq!(read("{}").unwrap(), Settings::default());
    assert_eq!(
        read(r#"{"jobs":5,"from_the_future":1}"#).unwrap(),
        Settings { jobs: 5, ..Settings::default() }
    );
    let written = serde_json::to_string(&Settings::default()).unwrap();
    assert_eq!(read(&written).unwrap(), Settings::default());
    for bad in
        [r#"{"jobs":-1}"#, r#"{"agents":{"huge":"a"}}"#, r#"{"team":{"boss":"a"}}"#, r#"{"max_tokens":1.5}"#]
    {
        assert!(read(bad).is_err(), "{bad}");
    }
}
