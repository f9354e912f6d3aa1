//! Spans of time for people.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_for_people() {
        let table = [(0, "0s"), (300, "<1s"), (41_000, "41s"), (62_000, "1m 02s"), (7_500_000, "2h 05m")];
        for (millis, expected) in table {
            assert_eq!(time(millis), expected);
        }
    }
}
