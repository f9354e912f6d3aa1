//! Prices by name and the cost of usage.

use super::*;

#[test]
fn a_model_is_known_by_its_name_and_never_by_likeness() {
    let prices = Prices::with([]).unwrap();
    let known = [
        "claude-sonnet-4-5",
        "claude-sonnet-4-5-20250929",
        "claude-haiku-4-5@20251001",
        "anthropic/claude-opus-4-5",
        "openrouter/openai/gpt-5-mini",
        "gpt-5-2025-08-07",
        "claude-3-5-haiku-latest",
    ];
    for model in known {
        assert!(prices.of(model).is_some(), "{model}");
    }
    for model in ["claude-sonnet-4-5x", "gpt-5-turbo", "sonnet", "", "/", "-20250929", "é20250929"] {
        assert!(prices.of(model).is_none(), "{model}");
    }
}

#[test]
fn cached_tokens_have_prices_of_their_own_and_the_agents_word_counts_more() {
    let own = Price { input: 1.0, output: 10.0, cache_read: Some(0.1), cache_write: None };
    let prices = Prices::with([("m".to_owned(), own)]).unwrap();
    let usage = Usage {
        input_tokens: 4_000_000,
        output_tokens: 100_000,
        cache_read_tokens: 2_000_000,
        cache_write_tokens: 1_000_000,
        cost_usd: None,
    };
    let cost = prices.price(usage, Some("m")).cost_usd.unwrap();
    assert!((cost - (1.0 + 1.0 + 0.2 + 1.0)).abs() < 1e-9, "{cost}");
    assert_eq!(prices.price(usage, Some("unheard-of")).cost_usd, None);
    assert_eq!(prices.price(usage, None).cost_usd, None);
    let told = Usage { cost_usd: Some(0.5), ..usage };
    assert_eq!(prices.price(told, Some("m")).cost_usd, Some(0.5));
    assert!((own.at_most(1_000_000) - 10.0).abs() < 1e-9);
}

#[test]
fn the_list_is_dated_and_says_what_it_is() {
    assert_eq!(Prices::with([]).unwrap().remark, "list prices, check yours, as of 2026-11");
    let list: PriceList = toml::from_str(LIST).unwrap();
    for (model, row) in &list.models {
        assert!(list.sources.contains_key(&row.source), "{model}: `{}`", row.source);
        assert!(row.cache_read.is_none_or(|c| c <= row.input) && row.output >= row.input, "{model}");
    }
    for (name, text) in &list.sources {
        assert!(
            text.contains("read 20") && list.models.values().any(|r| r.source == *name),
            "{name}: {text}"
        );
    }
}

#[test]
fn a_date_at_the_end_of_a_name_does_not_count() {
    let table = [
        ("m-20250929", "m"),
        ("m@20250929", "m"),
        ("m-2025-09-29", "m"),
        ("m-latest", "m"),
        ("m", "m"),
        ("", ""),
        // Not dates.
        ("m-2025", "m-2025"),
        ("m-19991231", "m-19991231"),
        ("m_20250929", "m_20250929"),
        ("m-2025092x", "m-2025092x"),
        ("m20250929", "m20250929"),
        ("latest", "latest"),
        ("m-20250929-preview", "m-20250929-preview"),
    ];
    for (model, expected) in table {
        assert_eq!(undated(model), expected, "{model}");
    }
}

#[test]
fn every_kind_of_token_has_its_price() {
    let price = Price { input: 2.0, output: 8.0, cache_read: Some(0.5), cache_write: Some(4.0) };
    let plain = Price { cache_read: None, cache_write: None, ..price };
    let tokens = |input_tokens, output_tokens, cache_read_tokens, cache_write_tokens| Usage {
        input_tokens,
        output_tokens,
        cache_read_tokens,
        cache_write_tokens,
        cost_usd: None,
    };
    let table = [
        // usage, with prices for the cache, without
        (tokens(0, 0, 0, 0), 0.0, 0.0),
        (tokens(1_000_000, 0, 0, 0), 2.0, 2.0),
        (tokens(0, 250_000, 0, 0), 2.0, 2.0),
        (tokens(1_000_000, 0, 1_000_000, 0), 0.5, 2.0),
        (tokens(1_000_000, 0, 0, 1_000_000), 4.0, 2.0),
        (tokens(1_000_000, 0, 400_000, 100_000), 1.6, 2.0),
        // Cached tokens that the agent counts apart.
        (tokens(100_000, 0, 1_000_000, 0), 0.5, 2.0),
    ];
    for (usage, cached, uncached) in table {
        assert!((price.of(&usage) - cached).abs() < 1e-9, "{usage:?}: {}", price.of(&usage));
        assert!((plain.of(&usage) - uncached).abs() < 1e-9, "{usage:?}: {}", plain.of(&usage));
    }
}

#[test]
fn the_most_that_tokens_can_cost_is_the_dearest_kind() {
    let price = |input, output, cache_write| Price { input, output, cache_read: Some(0.1), cache_write };
    for (price, expected) in
        [(price(1.0, 5.0, None), 5.0), (price(1.0, 1.0, Some(9.0)), 9.0), (price(3.0, 1.0, None), 3.0)]
    {
        assert!((price.at_most(1_000_000) - expected).abs() < 1e-9, "{price:?}");
    }
    assert!(Price::default().at_most(u64::from(u32::MAX)).abs() < 1e-9);
}

#[test]
fn own_prices_are_added_and_override_the_list() {
    let own = Price { input: 7.0, ..Price::default() };
    let prices = Prices::with([("gpt-5".to_owned(), own), ("local/llama".to_owned(), own)]).unwrap();
    for model in ["gpt-5", "openai/gpt-5", "gpt-5-2025-08-07", "local/llama"] {
        assert_eq!(prices.of(model), Some(&own), "{model}");
    }
    assert_eq!(prices.of("llama"), None, "the provider is part of the name as it was given");
    assert_ne!(prices.of("gpt-5-mini"), Some(&own));
}

#[test]
fn a_turn_without_tokens_is_not_priced() {
    let prices = Prices::with([]).unwrap();
    assert_eq!(prices.price(Usage::default(), Some("gpt-5")).cost_usd, None);
    let free = Usage { input_tokens: 5, cost_usd: Some(0.0), ..Usage::default() };
    assert_eq!(prices.price(free, Some("gpt-5")).cost_usd, Some(0.0), "the agent says that it was free");
}
