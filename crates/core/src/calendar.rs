//! The date and the time of day of a moment in UTC, as other tools write them. A moment is a number of seconds since 1970; it is
//! always passed in.

/// The last second of the year 9999, the last one with a date of four digits.
const LAST: i64 = 253_402_300_799;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `2026-01-02T03:04:05Z`. A moment before 1970 or after 9999 counts as the beginning of 1970.
pub fn rfc3339(seconds: i64) -> String {
    let seconds = if (0..=LAST).contains(&seconds) { seconds } else { 0 };
    format!("{}T{}Z", date(seconds), time_of_day(seconds).unwrap_or_default())
}

/// `03:04:05`, if the moment is between 1970 and 9999.
pub fn time_of_day(seconds: i64) -> Option<String> {
    let of_day = (0..=LAST).contains(&seconds).then_some(seconds % 86_400)?;
    Some(format!("{:02}:{:02}:{:02}", of_day / 3_600, of_day / 60 % 60, of_day % 60))
}

/// `2026-01-02`.
pub fn date(seconds: i64) -> String {
    let (year, month, day) = day_of(seconds.clamp(0, LAST) / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The moment of an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`.
pub fn http_date(text: &str) -> Option<i64> {
    let text = text.split_once(',').map_or(text, |(_, rest)| rest);
    let words: Vec<&str> = text.split_whitespace().collect();
    let [day, month, year, time, "GMT" | "UTC" | "UT" | "Z" | "+0000" | "-0000"] = words[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| name.eq_ignore_ascii_case(month))?;
    let days = days_until(number(year, 1970..=9999)?, i64::try_from(month).ok()? + 1, number(day, 1..=31)?);
    let mut parts = time.split(':');
    let hours = number(parts.next()?, 0..=23)?;
    let minutes = number(parts.next()?, 0..=59)?;
    let seconds = parts.next().map_or(Some(0), |part| number(part, 0..=60))?;
    parts.next().is_none().then_some(days * 86_400 + hours * 3_600 + minutes * 60 + seconds)
}

fn number(text: &str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// Years are counted from March, so that the day of a leap year is their last; 146,097 days later everything repeats.
fn day_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

/// The days from the beginning of 1970 to a date.
fn days_until(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year / 400, year % 400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_dates() {
        let table = [
            (0, "1970-01-01T00:00:00Z"),
            (68_169_599, "1972-02-28T23:59:59Z"),
            (68_169_600, "1972-02-29T00:00:00Z"),
            (784_111_777, "1994-11-06T08:49:37Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
            (LAST + 1, "1970-01-01T00:00:00Z"),
            (-1, "1970-01-01T00:00:00Z"),
        ];
        for (seconds, expected) in table {
            assert_eq!(rfc3339(seconds), expected);
        }
        assert_eq!(time_of_day(i64::MAX), None);
    }

    #[test]
    fn every_day_of_a_thousand_years_is_the_day_after_the_one_before() {
        let mut before = (1969, 12, 31);
        for days in 0..365_250 {
            let (year, month, day) = day_of(days);
            assert_eq!(days_until(year, month, day), days);
            assert!((year, month, day) > before && (1..=12).contains(&month) && (1..=31).contains(&day));
            let next = day == before.2 + 1 || (day == 1 && before.2 >= 28);
            assert!(next, "{year}-{month}-{day}");
            before = (year, month, day);
        }
    }

    #[test]
    fn dates_of_http_are_moments() {
        let table = [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("6 Nov 1994 08:49:37 +0000", Some(784_111_777)),
            ("Tue, 29 Feb 2000 12:34 GMT", Some(951_827_640)),
            ("Sun, 06 Nov 1994 08:49:37", None),
            ("Sun, 06 Nov 1994 08:49:37 EST", None),
            ("Sun, 32 Nov 1994 08:49:37 GMT", None),
            ("Sun, 06 Foo 1994 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 24:49:37 GMT", None),
            ("soon", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(http_date(text), expected, "{text}");
        }
    }
}
