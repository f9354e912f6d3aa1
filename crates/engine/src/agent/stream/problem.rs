//! Classifies errors by HTTP status where one is reported, else by words.

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// Not logged in, or the key is not accepted. Retrying does not help.
    Login,
    /// The provider wants it slower, or a quota is used up.
    RateLimit {
        /// Seconds to wait, where it says so.
        retry_after: Option<u64>,
        /// When it is over, in seconds since 1970, where it says so.
        resets_at: Option<u64>,
    },
    /// The account has no money left. Retrying does not help.
    Payment,
    /// The model cannot be reached.
    Unreachable,
    /// The model's answer broke off.
    Cut,
    /// It took as many turns as it may.
    TurnLimit,
    /// It spent as much as it may.
    MoneyLimit,
    /// The conversation it was to go on with is not there.
    NoSession,
    /// The model declines the work.
    Declined,
    /// The provider does not take what it was sent.
    Refused,
    /// The provider has an error of its own.
    Server,
    /// It was told to stop.
    Stopped,
    /// Something else.
    Other,
}

/// Phrases by kind of problem, in lower case, most specific first. The first match decides.
const WORDS: &[(&str, Problem)] = &[
    ("maximum number of turns", Problem::TurnLimit),
    ("max session turns", Problem::TurnLimit),
    ("maximum budget", Problem::MoneyLimit),
    ("no conversation found", Problem::NoSession),
    ("session not found", Problem::NoSession),
    ("no saved session found", Problem::NoSession),
    ("no rollout found", Problem::NoSession),
    ("too many requests", LIMIT),
    ("rate limit", LIMIT),
    ("rate_limit", LIMIT),
    ("usage limit", LIMIT),
    ("hit your limit", LIMIT),
    ("resource_exhausted", LIMIT),
    ("insufficient_quota", LIMIT),
    ("quota", LIMIT),
    ("overloaded", LIMIT),
    ("unauthorized", Problem::Login),
    ("unauthenticated", Problem::Login),
    ("authentication_failed", Problem::Login),
    ("authentication_error", Problem::Login),
    ("invalid api key", Problem::Login),
    ("api key not valid", Problem::Login),
    ("invalid_api_key", Problem::Login),
    ("api key expired", Problem::Login),
    ("not logged in", Problem::Login),
    ("please run /login", Problem::Login),
    ("run /auth", Problem::Login),
    ("please set an auth method", Problem::Login),
    ("no auth type is selected", Problem::Login),
    ("api key is missing", Problem::Login),
    ("missing api key", Problem::Login),
    ("api_key environment variable", Problem::Login),
    ("missing environment variable", Problem::Login),
    ("stream disconnected", Problem::Cut),
    ("without a finish reason", Problem::Cut),
    ("idle timeout", Problem::Cut),
    ("terminated", Problem::Cut),
    ("econnreset", Problem::Cut),
    ("econnaborted", Problem::Cut),
    ("epipe", Problem::Cut),
    ("connection reset", Problem::Cut),
    ("connection dropped", Problem::Cut),
    ("connection closed", Problem::Cut),
    ("connection lost", Problem::Cut),
    ("socket hang up", Problem::Cut),
    ("connection failed", Problem::Unreachable),
    ("connection refused", Problem::Unreachable),
    ("connection error", Problem::Unreachable),
    ("econnrefused", Problem::Unreachable),
    ("unable to connect", Problem::Unreachable),
    ("cannot connect", Problem::Unreachable),
    ("connect to api", Problem::Unreachable),
    ("fetch failed", Problem::Unreachable),
    ("enotfound", Problem::Unreachable),
    ("eai_again", Problem::Unreachable),
    ("ehostunreach", Problem::Unreachable),
    ("enetunreach", Problem::Unreachable),
    ("etimedout", Problem::Unreachable),
    ("waiting for network", Problem::Unreachable),
    ("high demand", Problem::Server),
    ("internal server error", Problem::Server),
    ("bad request", Problem::Refused),
];

const LIMIT: Problem = Problem::RateLimit { retry_after: None, resets_at: None };

impl Problem {
    /// The kind of a problem with this status and these words.
    pub fn of(status: Option<u64>, words: &str) -> Self {
        let words = words.to_lowercase();
        let told = status.or_else(|| status_in(&words)).and_then(by_status);
        let said = || WORDS.iter().find(|(w, _)| words.contains(w)).map(|(_, p)| *p);
        // A key that is not valid is answered with 400 by some.
        let found = match told {
            Some(Problem::Refused) => said().or(told),
            Some(_) => told,
            None => said(),
        };
        found.unwrap_or(Problem::Other).with_waiting(&words)
    }

    /// The waiting time that the words tell, for a limit.
    fn with_waiting(mut self, words: &str) -> Self {
        if let Problem::RateLimit { retry_after, resets_at } = &mut self {
            (*retry_after, *resets_at) = (waiting(words), moment(words));
        }
        self
    }
}

fn by_status(status: u64) -> Option<Problem> {
    match status {
        401 | 403 => Some(Problem::Login),
        402 => Some(Problem::Payment),
        429 | 503 | 529 => Some(LIMIT),
        400 | 404 | 405 | 413 | 422 => Some(Problem::Refused),
        500..=599 => Some(Problem::Server),
        _ => None,
    }
}

/// A status that stands in the words as a number of its own: `status 401`, `(429)`, `"code":500`.
fn status_in(words: &str) -> Option<u64> {
    const BEFORE: [&str; 8] =
        ["status ", "status: ", "status code ", "\"code\":", "\"code\": ", "\"code\": \"", "(", "error: "];
    BEFORE.iter().find_map(|before| {
        words.match_indices(before).find_map(|(at, found)| {
            let rest = &words[at + found.len()..];
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let ends = !rest[digits.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '.');
            (digits.len() == 3 && ends).then(|| digits.parse().ok()).flatten()
        })
    })
}

/// The seconds after `try again in`, `retry in`, `retry after` and their like.
fn waiting(words: &str) -> Option<u64> {
    const BEFORE: [&str; 7] =
        ["try again in", "retry in", "retry after", "retry-after", "retrydelay", "wait for", "available in"];
    let after = BEFORE.iter().find_map(|w| words.split_once(w)).map(|(_, after)| after)?;
    let after = after.trim_start_matches(|c: char| !c.is_ascii_digit() && !c.is_ascii_alphabetic());
    let mut seconds = 0.0;
    let mut found = false;
    let mut rest = after;
    while let Some((number, unit, more)) = quantity(rest) {
        seconds += number * unit;
        found = true;
        rest = more;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a waiting time, rounded up")]
    found.then(|| (seconds.ceil().clamp(0.0, 1e9)) as u64)
}

/// A number with a unit at the beginning of a text, in seconds, and what follows.
fn quantity(text: &str) -> Option<(f64, f64, &str)> {
    let text = text.trim_start_matches([' ', ',', '~']).trim_start_matches("and ");
    let digits = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    let number: f64 = text[..digits].trim_end_matches('.').parse().ok()?;
    let rest = text[digits..].trim_start();
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let unit = match &rest[..letters] {
        "ms" => 0.001,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        // A bare number is seconds.
        "" | "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        _ => return None,
    };
    Some((number, unit, &rest[letters..]))
}

/// A moment after a bar, as in `usage limit reached|1794765768`.
fn moment(words: &str) -> Option<u64> {
    let (_, after) = words.split_once("reached|")?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(retry_after: Option<u64>) -> Problem {
        Problem::RateLimit { retry_after, resets_at: None }
    }

    #[test]
    fn a_status_says_more_than_words() {
        let table = [
            (Some(401), "whatever", Problem::Login),
            (Some(429), "slow down, try again in 20s", limit(Some(20))),
            (Some(529), "", limit(None)),
            (Some(402), "credits used up", Problem::Payment),
            (Some(502), "", Problem::Server),
            (Some(500), "try again in 5 minutes", Problem::Server),
            (Some(400), "prompt too long", Problem::Refused),
            (Some(400), "API key not valid. Please pass a valid API key.", Problem::Login),
            (Some(200), "", Problem::Other),
        ];
        for (status, words, problem) in table {
            assert_eq!(Problem::of(status, words), problem, "{status:?} {words}");
        }
    }

    #[test]
    fn words_tell_where_no_status_does() {
        let table = [
            ("unexpected status 401 Unauthorized: no", Problem::Login),
            ("exceeded retry limit, last status: 429 Too Many Requests", limit(None)),
            ("API Error: Request rejected (429)", limit(None)),
            ("[API Error: {\"error\":{\"code\":500,\"message\":\"x\"}}]", Problem::Server),
            ("[API Error: 401 no such key]", Problem::Login),
            ("You've hit your usage limit. Try again in 2 days 3 hours.", limit(Some(183_600))),
            ("Please retry in 34.07s.", Problem::Other),
            ("Quota exceeded. Please retry in 34.07s.", limit(Some(35))),
            ("\"RESOURCE_EXHAUSTED\" … \"retryDelay\": \"7s\"", limit(Some(7))),
            ("stream disconnected before completion", Problem::Cut),
            ("connection failed: error sending request", Problem::Unreachable),
            ("API Error: Connection dropped (ECONNRESET). Check the gateway, then try again.", Problem::Cut),
            ("request to https://x failed, reason: socket hang up", Problem::Cut),
            ("getaddrinfo EAI_AGAIN api.example.com", Problem::Unreachable),
            ("Reached maximum number of turns (3)", Problem::TurnLimit),
            ("wrote 401 lines", Problem::Other),
            ("error 4011", Problem::Other),
            ("", Problem::Other),
        ];
        for (words, problem) in table {
            assert_eq!(Problem::of(None, words), problem, "{words}");
        }
        let until = Problem::RateLimit { retry_after: None, resets_at: Some(1_794_765_768) };
        assert_eq!(Problem::of(None, "usage limit reached|1794765768"), until);
    }
}
