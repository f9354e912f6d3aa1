//! Spans of time: `"30m"`, `"1h 30m"`, `"120s"`, or a whole number of seconds.

use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;

use super::reader::TableReader;
use super::shape::KeyShape;
use super::value::Value;

const UNITS: [(&str, u64); 6] =
    [("ms", 1), ("s", 1_000), ("min", 60_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

impl Value for Duration {
    fn shape() -> KeyShape {
        KeyShape::Plain("a time such as `\"30m\"`, `\"120s\"` or a number of seconds")
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let read = match value.get_ref() {
            DeValue::String(text) => parse(text),
            DeValue::Integer(_) => u64::read(value, reader).map(Duration::from_secs),
            DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => {
                reader.wrong_kind(value, &Self::shape());
                return None;
            }
        };
        let read = read.filter(|time| !time.is_zero());
        if read.is_none() {
            let help = "write `\"90s\"`, `\"30m\"`, `\"1h 30m\"`, or a number of seconds above 0".to_owned();
            reader.bad_value(value, "is not a time", Some(help));
        }
        read
    }

    fn show(&self) -> Option<String> {
        Some(format!("\"{}\"", written(*self)))
    }
}

/// Reads a time on the command line.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    parse(text).ok_or_else(|| "write `90s`, `30m`, `12h` or `7d`".to_owned())
}

/// Reads `1h 30m` and the like; numbers without a unit are seconds.
pub(super) fn parse(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut millis = 0u64;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = rest[..digits].parse().ok()?;
        let after = rest[digits..].trim_start();
        let letters = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        let unit = match &after[..letters] {
            "" if after.is_empty() => 1_000,
            unit => UNITS.iter().find(|(name, _)| *name == unit)?.1,
        };
        millis = millis.checked_add(number.checked_mul(unit)?)?;
        rest = after[letters..].trim_start();
    }
    Some(Duration::from_millis(millis))
}

/// The time in the largest unit that keeps it whole.
fn written(time: Duration) -> String {
    let millis = time.as_millis();
    let unit =
        [("h", 3_600_000), ("m", 60_000), ("s", 1_000)].into_iter().find(|(_, n)| millis.is_multiple_of(*n));
    unit.map_or_else(|| format!("{millis}ms"), |(name, n)| format!("{}{name}", millis / n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_write_them() {
        let table = [
            ("30m", Some(1_800_000)),
            ("120s", Some(120_000)),
            ("1h 30m", Some(5_400_000)),
            ("1h30m", Some(5_400_000)),
            ("250 ms", Some(250)),
            ("90", Some(90_000)),
            (" 5min ", Some(300_000)),
            ("", None),
            ("m", None),
            ("5 weeks", None),
            ("-5s", None),
            ("1.5h", None),
            ("99999999999999999999s", None),
            ("18446744073709551615d", None),
        ];
        for (text, millis) in table {
            assert_eq!(parse(text), millis.map(Duration::from_millis), "{text}");
        }
        assert_eq!(written(Duration::from_mins(2)), "2m");
        assert_eq!(written(Duration::from_millis(1500)), "1500ms");
    }
}
