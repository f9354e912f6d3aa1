//! Outcomes of criteria, by their form.

use super::*;

/// An outcome in one line.
fn shown(text: &str) -> String {
    match outcome(text) {
        Some(ExpectedOutcome::Compares { subject, sign, number }) => format!("{subject} {sign} {number}"),
        Some(ExpectedOutcome::Scenario { given, when, then }) => format!("{given} / {when} / {then}"),
        Some(ExpectedOutcome::Validates { subject, sample }) => format!("validates {subject} {sample}"),
        Some(ExpectedOutcome::Alerts { about }) => format!("alerts {about}"),
        Some(ExpectedOutcome::Sees { text }) => format!("sees {text}"),
        Some(ExpectedOutcome::Shows { text }) => format!("shows {text}"),
        Some(ExpectedOutcome::Answers { value }) => format!("answers {value}"),
        Some(ExpectedOutcome::Status { code }) => format!("status {code}"),
        Some(ExpectedOutcome::Returns { value }) => format!("returns {value}"),
        Some(ExpectedOutcome::Rejects { error }) => format!("rejects {error}"),
        None => "-".to_owned(),
    }
}

#[test]
fn forms_of_criteria() {
    let table = [
        // Comparisons: signs, words, and the subject as an identifier.
        ("Response time < 200ms", "responseTime < 200"),
        ("The cart total is >= 0.5 EUR", "cartTotal >= 0.5"),
        ("Pages ≤ 3.", "pages <= 3"),
        ("must be fast (< 200 ms)", "duration < 200"),
        ("API response < 200ms", "responseTime < 200"),
        // The length of a text is validated: the sample is one character off.
        ("Names have at least 2 letters", "validates names 1"),
        ("Password must be >= 8 characters", "validates password 1234567"),
        ("Titles have at most 3 characters", "validates titles 1234"),
        ("User must see error message on invalid email", "alerts invalid email"),
        ("Uploads take less than 5 s", "uploadsTake < 5"),
        ("More than 10 results are paged", "-"),
        ("5 retries at most 3 times", "-"),
        // A comparison in a condition is not what is promised.
        ("A discount of 10% is applied when total > 100", "-"),
        (
            "Given a total > 100, when it is paid, then 10% are off",
            "given a total > 100 / when it is paid / 10% are off",
        ),
        // A sign without a number compares nothing.
        ("a < b", "-"),
        ("a -> b", "-"),
        // Scenarios need `when` before `then`; `given` is optional.
        (
            "Given a cart, when it is paid, then it is closed.",
            "given a cart / when it is paid / it is closed",
        ),
        ("When it is paid, then it's closed", "it / when it is paid / it\\'s closed"),
        ("Then it is closed when it is paid", "-"),
        // Visible text: quoted, or the rest without its article.
        ("User must see \"Saved\" in green", "shows Saved"),
        ("The page shows the cart.", "sees cart"),
        ("A list is shown below", "sees below"),
        // Statuses are three digits; other values are quoted.
        ("API returns 201", "status 201"),
        ("The server responds with status 404", "status 404"),
        ("It answers HTTP 500", "status 500"),
        ("`slug` returns `a-b`", "returns 'a-b'"),
        ("`name` returns \"it's\"", "returns 'it\\'s'"),
        ("It returns 20", "-"),
        // What answers requests has a body.
        ("API returns {\"ok\": true}", "answers {\"ok\":true}"),
        ("GET /carts returns [] for a new user", "answers []"),
        ("The endpoint returns \"done\"", "answers 'done'"),
        ("API returns 20 rows", "-"),
        ("It returns the sum", "-"),
        // Errors keep their case up to the end of the clause.
        ("The parser throws SyntaxError, always", "rejects SyntaxError"),
        ("It rejects an empty name.", "rejects an empty name"),
        ("It refuses ; nothing", "-"),
        ("", "-"),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn outcomes_as_assertions() {
    let table = [
        ("a < 1", "expect(a).toBeLessThan(1)"),
        ("a <= 1", "expect(a).toBeLessThanOrEqual(1)"),
        ("a > 1", "expect(a).toBeGreaterThan(1)"),
        ("a >= 1", "expect(a).toBeGreaterThanOrEqual(1)"),
        // A slash would end the regular expression.
        ("it shows `a/b`", "expect(screen.getByText('a/b')).toBeVisible()"),
        ("it shows a/b", "expect(screen.getByText(/a\\/b/i)).toBeVisible()"),
        ("API returns null", "expect(response.body).toEqual(null)"),
        ("it rejects an unknown path/file", "expect(() => act()).toThrow(/an unknown path\\/file/i)"),
        ("it raises a `CartFull` at 50", "expect(() => act()).toThrow(CartFull)"),
        ("it returns `x`", "expect(result).toEqual('x')"),
    ];
    for (text, expected) in table {
        assert_eq!(outcome(text).map(|o| as_expect(&o)).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn names_of_errors() {
    let table = [
        ("ValueError", Some("ValueError")),
        ("a ValueError with a message", Some("ValueError")),
        ("an `http.NotFound`", None),
        ("`NotFound`", Some("NotFound")),
        ("`App.NotFound`", Some("App.NotFound")),
        ("java.lang.Exception", None),
        // A word of prose is no class, and a class without quotes needs its ending.
        ("NotFound", None),
        ("an error", None),
        ("`", None),
        ("", None),
    ];
    for (error, expected) in table {
        assert_eq!(error_class(error), expected, "{error}");
    }
}

#[test]
fn quotes() {
    let table = [
        ("say \"a `b` c\" now", Some("a `b` c")),
        ("say `a \"b\"`", Some("a \"b\"")),
        ("one ` only", None),
        ("``", Some("")),
        ("none", None),
    ];
    for (text, expected) in table {
        assert_eq!(quoted(text).as_deref(), expected, "{text}");
    }
}
