//! What models cost. Data, dated, and overridden by the user; a model that is not in it has no price.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::usage::Usage;

/// The built-in list.
const LIST: &str = include_str!("prices.toml");

/// The price of a model, in US dollars per million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Price {
    /// Of tokens read.
    pub input: f64,
    /// Of tokens written.
    pub output: f64,
    /// Of tokens read from the cache; `input` by default.
    pub cache_read: Option<f64>,
    /// Of tokens put into the cache; `input` by default.
    pub cache_write: Option<f64>,
}

impl Price {
    /// What this usage costs.
    pub fn of(&self, usage: &Usage) -> f64 {
        const MILLION: f64 = 1_000_000.0;
        #[expect(clippy::cast_precision_loss, reason = "no turn has 2^52 tokens")]
        let cost = |tokens: u64, price: f64| tokens as f64 * price / MILLION;
        cost(usage.fresh_tokens(), self.input)
            + cost(usage.output_tokens, self.output)
            + cost(usage.cache_read_tokens, self.cache_read.unwrap_or(self.input))
            + cost(usage.cache_write_tokens, self.cache_write.unwrap_or(self.input))
    }

    /// The most that so many tokens can cost, whatever kind they are.
    pub fn at_most(&self, tokens: u64) -> f64 {
        let kinds =
            [self.input, self.output, self.cache_read.unwrap_or(0.0), self.cache_write.unwrap_or(0.0)];
        let dearest = kinds.into_iter().fold(0.0, f64::max);
        Price { input: dearest, ..Price::default() }.of(&Usage { input_tokens: tokens, ..Usage::default() })
    }
}

/// A list that cannot be read: a defect of the program, found by its tests.
#[derive(Debug, thiserror::Error)]
#[error("the list of prices cannot be read")]
pub struct PriceError(#[from] toml::de::Error);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceList {
    as_of: String,
    source: String,
    sources: BTreeMap<String, String>,
    models: BTreeMap<String, PriceRow>,
}

/// A price and where it was read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceRow {
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
    source: String,
}

impl PriceRow {
    fn price(&self) -> Price {
        let PriceRow { input, output, cache_read, cache_write, source: _ } = *self;
        Price { input, output, cache_read, cache_write }
    }
}

/// Prices by model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices {
    /// When the built-in list was made, and what it is.
    pub remark: String,
    models: BTreeMap<String, Price>,
}

impl Prices {
    /// The built-in list, with the user's own prices over it.
    pub fn with(own: impl IntoIterator<Item = (String, Price)>) -> Result<Self, PriceError> {
        let list: PriceList = toml::from_str(LIST)?;
        let remark = format!("{}, as of {}", list.source, list.as_of);
        // A price without a source is ignored.
        let read = list.models.iter().filter(|(_, row)| list.sources.contains_key(&row.source));
        let mut models: BTreeMap<String, Price> =
            read.map(|(name, row)| (name.clone(), row.price())).collect();
        models.extend(own);
        Ok(Self { remark, models })
    }

    /// The price of a model, by its exact name or by that name without its provider and its date. Similar names do not
    /// match.
    pub fn of(&self, model: &str) -> Option<&Price> {
        let bare = model.rsplit_once('/').map_or(model, |(_, name)| name);
        [model, bare, undated(model), undated(bare)].into_iter().find_map(|name| self.models.get(name))
    }

    /// The usage with its cost, if the agent did not report it and the model's price is known.
    pub fn price(&self, usage: Usage, model: Option<&str>) -> Usage {
        if usage.cost_usd.is_some() || usage.tokens() == 0 {
            return usage;
        }
        let cost_usd = model.and_then(|m| self.of(m)).map(|p| p.of(&usage));
        Usage { cost_usd, ..usage }
    }
}

/// The name without `-20250929`, `@20250929`, `-2025-09-29` or `-latest` at its end.
fn undated(model: &str) -> &str {
    if let Some(name) = model.strip_suffix("-latest") {
        return name;
    }
    for (sign, digits) in [('-', 8), ('@', 8), ('-', 10)] {
        let Some(at) = model.len().checked_sub(digits + 1) else { continue };
        let Some((name, date)) = model.split_at_checked(at) else { continue };
        let is_date = date.strip_prefix(sign).is_some_and(|d| {
            d.starts_with("20") && d.chars().all(|c| c.is_ascii_digit() || (digits == 10 && c == '-'))
        });
        if is_date {
            return name;
        }
    }
    model
}

#[cfg(test)]
mod tests;
