//! What a key may hold: plain values and lists of them.

use toml::Spanned;
use toml::de::DeValue;

use super::reader::TableReader;
use super::shape::KeyShape;

/// Something a key can hold.
pub(super) trait Value: Sized {
    /// What it looks like.
    fn shape() -> KeyShape;

    /// Reads it, or reports why not.
    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self>;

    /// How it is written in TOML; `None` where there is nothing to write.
    fn show(&self) -> Option<String>;
}

impl Value for bool {
    fn shape() -> KeyShape {
        KeyShape::Plain("`true` or `false`")
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let read = value.get_ref().as_bool();
        if read.is_none() {
            reader.wrong_kind(value, &Self::shape());
        }
        read
    }

    fn show(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Value for String {
    fn shape() -> KeyShape {
        KeyShape::Plain("a string")
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let read = value.get_ref().as_str().map(str::to_owned);
        if read.is_none() {
            reader.wrong_kind(value, &Self::shape());
        }
        read
    }

    fn show(&self) -> Option<String> {
        Some(quoted(self))
    }
}

impl Value for u64 {
    fn shape() -> KeyShape {
        KeyShape::Plain("a whole number")
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let Some(integer) = value.get_ref().as_integer() else {
            reader.wrong_kind(value, &Self::shape());
            return None;
        };
        let read = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        if read.is_none() {
            reader.bad_value(value, "must not be negative or beyond 64 bits", None);
        }
        read
    }

    fn show(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Value for u32 {
    fn shape() -> KeyShape {
        u64::shape()
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let read = u32::try_from(u64::read(value, reader)?).ok();
        if read.is_none() {
            reader.bad_value(value, "is too large", None);
        }
        read
    }

    fn show(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Value for f64 {
    fn shape() -> KeyShape {
        KeyShape::Plain("a number")
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let read = match value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) => integer.as_str().parse().ok(),
            DeValue::String(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => {
                reader.wrong_kind(value, &Self::shape());
                return None;
            }
        };
        let read = read.filter(|n: &f64| n.is_finite() && *n >= 0.0);
        if read.is_none() {
            reader.bad_value(value, "must be a number that is not negative", None);
        }
        read
    }

    fn show(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl<T: Value> Value for Option<T> {
    fn shape() -> KeyShape {
        T::shape()
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        T::read(value, reader).map(Some)
    }

    fn show(&self) -> Option<String> {
        self.as_ref().and_then(Value::show)
    }
}

impl<T: Value> Value for Vec<T> {
    fn shape() -> KeyShape {
        KeyShape::List(Box::new(T::shape()))
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let Some(items) = value.get_ref().as_array() else {
            reader.wrong_kind(value, &Self::shape());
            return None;
        };
        Some(items.iter().filter_map(|item| T::read(item, reader)).collect())
    }

    fn show(&self) -> Option<String> {
        let items: Vec<String> = self.iter().filter_map(Value::show).collect();
        Some(format!("[{}]", items.join(", ")))
    }
}

/// The text as a TOML string.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
