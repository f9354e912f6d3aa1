//! Spans of time for people.

use windlass_core::calendar::time_of_day;
use windlass_core::event::Millis;

/// `41s`, `1m 02s`, `2h 05m`.
pub(crate) fn time(millis: Millis) -> String {
    let seconds = millis.max(0) / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) if millis > 0 => "<1s".into(),
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m {s:02}s"),
        (h, m, _) => format!("{h}h {m:02}m"),
    }
}

/// A time of day in UTC: `14:05:30 UTC`.
pub(crate) fn clock_time(at: Millis) -> String {
    time_of_day(at / 1000).map_or_else(|| "later".into(), |time| format!("{time} UTC"))
}

/// The same for what is mostly short: `340ms`, `2.3s`, then as above.
pub(crate) fn precise(millis: u64) -> String {
    match millis {
        0..1_000 => format!("{millis}ms"),
        1_000..10_000 => format!("{}.{}s", millis / 1_000, millis % 1_000 / 100),
        _ => time(Millis::try_from(millis).unwrap_or(Millis::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_for_people() {
        let table = [(0, "0s"), (300, "<1s"), (41_000, "41s"), (62_000, "1m 02s"), (7_500_000, "2h 05m")];
        for (millis, expected) in table {
            assert_eq!(time(millis), expected);
        }
        assert_eq!(clock_time(951_827_696_789), "12:34:56 UTC");
        assert_eq!(clock_time(Millis::MAX), "later");
        let table = [(0, "0ms"), (340, "340ms"), (2_345, "2.3s"), (62_000, "1m 02s")];
        for (millis, expected) in table {
            assert_eq!(precise(millis), expected);
        }
    }
}
