//! Whether a criterion can be tested, and how its test could look.
//!
//! Recognition is wide: a criterion is testable unless it plainly is not. Real specifications say the same in many
//! ways, and a rule that calls most of them untestable is not read.

use std::sync::LazyLock;

use super::phrase::Finder;

/// Why a criterion cannot be tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Only a quality is named.
    Adjective,
    /// The outcome is not one.
    Vague,
    /// More or less of something, without a number.
    NoThreshold,
    /// Something happens to something, nobody says what.
    Passive,
}

impl Trouble {
    /// What is wrong, as the end of a sentence.
    pub(super) fn said(self) -> &'static str {
        match self {
            Trouble::Adjective => "it names a quality and nothing that can be seen",
            Trouble::Vague => "its outcome is not one that can be checked",
            Trouble::NoThreshold => "it names no number",
            Trouble::Passive => "it does not say what happens",
        }
    }
}

const QUALITIES: [&str; 18] = [
    "user-friendly",
    "user friendly",
    "intuitive",
    "easy to use",
    "simple to use",
    "clean",
    "nice",
    "beautiful",
    "modern",
    "robust",
    "reliable",
    "flexible",
    "maintainable",
    "elegant",
    "seamless",
    "professional",
    "good",
    "great",
];

const VAGUE: [&str; 14] = [
    "works correctly",
    "work correctly",
    "works properly",
    "work properly",
    "works as expected",
    "work as expected",
    "functions correctly",
    "function correctly",
    "behaves correctly",
    "behave correctly",
    "works well",
    "work well",
    "is correct",
    "works fine",
];

const COMPARATIVE: [&str; 12] = [
    "fast",
    "quick",
    "quickly",
    "slow",
    "efficient",
    "efficiently",
    "performant",
    "scalable",
    "scales",
    "responsive",
    "lightweight",
    "low latency",
];

const PASSIVE: [&str; 12] = [
    "is handled",
    "are handled",
    "is managed",
    "are managed",
    "is processed",
    "are processed",
    "is supported",
    "are supported",
    "is dealt with",
    "are dealt with",
    "is considered",
    "are considered",
];

/// Words that name something to be seen, so that a quality beside them does no harm.
const OBSERVABLE: [&str; 34] = [
    "given",
    "when",
    "then",
    "returns",
    "return",
    "shows",
    "show",
    "displays",
    "display",
    "sees",
    "see",
    "contains",
    "contain",
    "includes",
    "include",
    "rejects",
    "reject",
    "accepts",
    "accept",
    "raises",
    "throws",
    "exits",
    "prints",
    "creates",
    "create",
    "saves",
    "save",
    "sends",
    "redirects",
    "responds",
    "equals",
    "matches",
    "exists",
    "writes",
];

static FINDER: LazyLock<Finder> =
    LazyLock::new(|| Finder::new(&[&VAGUE, &COMPARATIVE, &PASSIVE, &QUALITIES, &OBSERVABLE]));

/// What keeps a criterion from being tested, if anything does.
pub(super) fn trouble(text: &str) -> Option<Trouble> {
    if text.trim().is_empty() {
        return Some(Trouble::Vague);
    }
    let [vague, comparative, passive, quality, observable, ..] = FINDER.find(text).map(|hit| hit.is_some());
    if !(vague || comparative || passive || quality) {
        return None;
    }
    let number = text.contains(|c: char| c.is_ascii_digit());
    let quoted = text.contains(['`', '"', '\u{201c}', '\'']) && !text.contains("n't");
    let seen = number || quoted || observable;
    if vague && !number && !quoted {
        Some(Trouble::Vague)
    } else if comparative && !seen {
        Some(Trouble::NoThreshold)
    } else if passive && !seen && text.split_whitespace().count() <= 8 {
        Some(Trouble::Passive)
    } else if quality && !seen {
        Some(Trouble::Adjective)
    } else {
        None
    }
}

/// What to write instead.
pub(super) fn advice(text: &str, trouble: Trouble) -> String {
    let subject = subject(text);
    match trouble {
        Trouble::Adjective => {
            format!("say what is seen, as in `{subject} shows …` or `{subject} contains …`")
        }
        Trouble::Vague => format!("say the outcome, as in `given …, when …, then {subject} returns …`"),
        Trouble::NoThreshold => {
            format!("name a limit, as in `{subject} < 200 ms`; then `expect(duration).toBeLessThan(200)`")
        }
        Trouble::Passive => {
            format!("say what happens, as in `{subject}: the response is 400 with a message`")
        }
    }
}

/// The first words of a criterion, up to its verb.
fn subject(text: &str) -> String {
    let stop = ["should", "must", "will", "can", "is", "are", "shall", "has", "have", "works", "work", "be"];
    let words = text.split_whitespace().take_while(|w| !stop.contains(&w.to_lowercase().as_str()));
    let subject = words.take(5).collect::<Vec<_>>().join(" ").replace('`', "");
    if subject.is_empty() { "it".to_owned() } else { subject }
}

/// An assertion that would show a criterion, where its shape is known.
pub(super) fn assertion(text: &str) -> Option<String> {
    comparison(text)
        .or_else(|| given(text))
        .or_else(|| sees(text))
        .or_else(|| returns(text))
        .or_else(|| rejects(text))
}

/// `X < 200` or `X is at most 200`.
fn comparison(text: &str) -> Option<String> {
    const SIGNS: [(&str, &str); 10] = [
        ("<=", "toBeLessThanOrEqual"),
        (">=", "toBeGreaterThanOrEqual"),
        ("≤", "toBeLessThanOrEqual"),
        ("≥", "toBeGreaterThanOrEqual"),
        ("<", "toBeLessThan"),
        (">", "toBeGreaterThan"),
        ("at least", "toBeGreaterThanOrEqual"),
        ("at most", "toBeLessThanOrEqual"),
        ("less than", "toBeLessThan"),
        ("more than", "toBeGreaterThan"),
    ];
    let lower = text.to_lowercase();
    let (at, sign, method) =
        SIGNS.iter().find_map(|(sign, method)| Some((lower.find(sign)?, *sign, *method)))?;
    let number: String = lower[at + sign.len()..]
        .trim_start()
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let number = number.trim_end_matches('.');
    if number.is_empty() {
        return None;
    }
    Some(format!("expect({}).{method}({number})", identifier(&subject(&lower[..at]))))
}

fn identifier(words: &str) -> String {
    let mut name = String::new();
    for word in words.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty() && *w != "the") {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if !name.is_empty() => name.extend(first.to_uppercase()),
            Some(first) => name.push(first),
            None => {}
        }
        name.extend(chars);
    }
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) { "value".to_owned() } else { name }
}

fn given(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let (when, then) = (lower.find("when ")?, lower.find("then ")?);
    let given = lower.find("given ").filter(|g| *g < when).unwrap_or(when);
    if then < when {
        return None;
    }
    let piece = |from: usize, to: usize| {
        let cut = lower.get(from..to).unwrap_or_default();
        cut.trim().trim_end_matches([',', '.', ';']).replace('\'', "\\'")
    };
    let (setting, act) = (piece(given, when), piece(when, then));
    let outcome = piece(then + 5, lower.len());
    let setting = if setting.is_empty() { "it".to_owned() } else { setting };
    Some(format!("describe('{setting}', () => {{ it('{act}, {outcome}', …) }})"))
}

/// `User sees "X"`.
fn sees(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let verb = ["must see ", "sees ", "should see ", "can see ", "displays ", "shows ", "is shown "];
    let at = verb.iter().find_map(|v| lower.find(v).map(|i| i + v.len()))?;
    let shown = quoted(&lower[at..]).unwrap_or_else(|| lower[at..].trim().trim_end_matches('.').to_owned());
    let shown =
        shown.trim_start_matches("an ").trim_start_matches("a ").trim_start_matches("the ").to_owned();
    Some(format!("expect(screen.getByText(/{}/i)).toBeVisible()", shown.replace('/', "\\/")))
}

/// `API returns 201`.
fn returns(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let at = ["returns ", "responds with "].iter().find_map(|v| lower.find(v).map(|i| i + v.len()))?;
    let rest = lower[at..].trim();
    let status: String =
        rest.trim_start_matches("http ").trim_start_matches("status ").chars().take(3).collect();
    if status.len() == 3 && status.chars().all(|c| c.is_ascii_digit()) {
        return Some(format!("expect(response.status).toBe({status})"));
    }
    let value = quoted(rest)?;
    Some(format!("expect(result).toEqual('{}')", value.replace('\'', "\\'")))
}

fn rejects(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let found = ["rejects ", "raises ", "throws ", "refuses "]
        .iter()
        .find_map(|v| lower.find(v).map(|i| i + v.len()))?;
    let what = lower[found..].split([',', '.', ';']).next().unwrap_or_default().trim();
    (!what.is_empty()).then(|| format!("expect(() => act()).toThrow(/{}/i)", what.replace('/', "\\/")))
}

/// The first text in quotes or backticks.
fn quoted(text: &str) -> Option<String> {
    let (at, mark) = text.char_indices().find(|(_, c)| matches!(c, '`' | '"'))?;
    let rest = &text[at + mark.len_utf8()..];
    rest.find(mark).map(|end| rest[..end].to_owned())
}

#[cfg(test)]
mod tests {
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
            ("API response < 200ms", Some("expect(apiResponse).toBeLessThan(200)")),
            ("Password must be at least 8 characters", Some("expect(password).toBeGreaterThanOrEqual(8)")),
            ("API returns 201", Some("expect(response.status).toBe(201)")),
            ("User must see \"Saved\"", Some("expect(screen.getByText(/saved/i)).toBeVisible()")),
            (
                "Given a user, when they log in, then a session is created",
                Some("describe('given a user', () => { it('when they log in, a session is created', …) })"),
            ),
            ("The parser throws SyntaxError", Some("expect(() => act()).toThrow(/syntaxerror/i)")),
            ("Users table has an id", None),
        ];
        for (text, expected) in table {
            assert_eq!(assertion(text).as_deref(), expected, "{text}");
        }
    }
}
