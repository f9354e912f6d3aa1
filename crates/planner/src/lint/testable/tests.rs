//! Testable criteria and suggested assertions.

use super::*;

#[test]
fn only_what_plainly_cannot_be_tested_is_said_so() {
    let table = [
        ("The page should be user-friendly", Some(Trouble::Adjective)),
        ("Login should work correctly", Some(Trouble::Vague)),
        ("Search must be fast", Some(Trouble::NoThreshold)),
        ("Errors are handled", Some(Trouble::Passive)),
        ("", Some(Trouble::Vague)),
        ("Response time < 500ms", None),
        ("Search is fast: 200 ms at most", None),
        ("Given a user, when they log in, then a session is created", None),
        ("User must see an error message on invalid email", None),
        ("Users table has id, email, created_at", None),
        ("Email has a unique constraint", None),
        ("`greet('')` raises ValueError", None),
        ("Errors are handled by returning 400", None),
        ("Password is hashed on creation", None),
        ("Export as CSV", None),
    ];
    for (text, expected) in table {
        assert_eq!(trouble(text), expected, "{text}");
    }
}

#[test]
fn assertions_are_suggested_where_the_shape_is_known() {
    let table = [
        ("API response < 200ms", Some("expect(responseTime).toBeLessThan(200)")),
        ("Password must be at least 8 characters", Some("expect(validatePassword('1234567')).toBe(false)")),
        ("API returns 201", Some("expect(response.status).toBe(201)")),
        ("User must see \"Saved\"", Some("expect(screen.getByText('Saved')).toBeVisible()")),
        (
            "Given a user, when they log in, then a session is created",
            Some("describe('given a user', () => { it('when they log in, a session is created', …) })"),
        ),
        ("The parser throws SyntaxError", Some("expect(() => act()).toThrow(SyntaxError)")),
        ("Users table has an id", None),
    ];
    for (text, expected) in table {
        assert_eq!(assertion(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn the_subject_of_a_criterion_ends_at_its_verb() {
    let table = [
        ("The search page must be fast", "The search page"),
        ("Errors are handled", "Errors"),
        ("`Login` works", "Login"),
        ("Must be fast", "it"),
        ("", "it"),
        ("one two three four five six seven", "one two three four five"),
    ];
    for (text, expected) in table {
        assert_eq!(subject(text), expected, "{text}");
    }
}

#[test]
fn advice_names_the_subject() {
    let table = [
        (Trouble::Adjective, "`The page shows …`"),
        (Trouble::Vague, "then The page returns …`"),
        (Trouble::NoThreshold, "`The page < 200 ms`"),
        (Trouble::Passive, "`The page: the response is 400 with a message`"),
    ];
    for (trouble, expected) in table {
        let said = advice("The page is nice", trouble);
        assert!(said.contains(expected), "{said}");
    }
}

/// A number, a quotation or an observable verb makes a criterion testable; a vague verb needs more than the latter.
#[test]
fn what_makes_a_criterion_testable() {
    let table = [
        ("The list is clean", Some(Trouble::Adjective)),
        ("The list is clean within 3 days", None),
        ("The list is `clean`", None),
        ("The list isn't clean", Some(Trouble::Adjective)),
        ("The list contains good names", None),
        ("It works well when paid", Some(Trouble::Vague)),
        ("It works well with 3 users", None),
        ("Requests are processed", Some(Trouble::Passive)),
        ("Requests of every customer are processed in the order of arrival", None),
        ("It is low latency", Some(Trouble::NoThreshold)),
        ("BREAKFAST IS SERVED", None),
    ];
    for (text, expected) in table {
        assert_eq!(trouble(text), expected, "{text}");
    }
}
