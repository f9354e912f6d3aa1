//! Tables whose keys are the user's own: pools, lint rules, patterns.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::DeValue;

use super::reader::TableReader;
use super::shape::KeyShape;
use super::value::Value;

/// A table from names of the user's own to values.
pub(crate) type Map<T> = BTreeMap<String, T>;

impl<T: Value> Value for Map<T> {
    fn shape() -> KeyShape {
        KeyShape::Each("NAME", Box::new(T::shape()))
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let table = reader.table(value, &Self::shape())?;
        let mut map = Map::new();
        for (key, value) in table {
            let key = key.get_ref().to_string();
            if let Some(value) = reader.inside(&key, |r| T::read(value, r)) {
                map.insert(key, value);
            }
        }
        Some(map)
    }

    fn show(&self) -> Option<String> {
        None
    }
}
