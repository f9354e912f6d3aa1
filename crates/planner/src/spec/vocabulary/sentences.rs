//! Sentences of a fixed form: user stories, EARS, Given/When/Then, statements about dependencies.

/// The first clause of a sentence in a script whose words have no spaces between them.
pub(crate) fn first_clause(text: &str) -> &str {
    text.split(['，', '。', '；', '：', '！', '？', '、']).next().unwrap_or(text)
}

/// How a user story begins.
const STORY_OPENINGS: [&str; 3] = ["As a ", "As an ", "As the "];

/// Whether a line begins a user story.
pub(in crate::spec) fn opens_story(line: &str) -> bool {
    STORY_OPENINGS.iter().any(|opening| line.starts_with(opening))
}

/// Whether a text is the sentence of a user story: `As a … I want … so that …`.
pub(in crate::spec) fn is_story(text: &str) -> bool {
    const WANTS: [&str; 3] = ["i want", "i need", "i can"];
    const WIDE_WANTS: [&str; 5] = ["我想", "我希望", "我需要", "我要", "我可以"];
    let label = text.split_once(':').filter(|(label, _)| label.to_lowercase().ends_with("user story"));
    let text = label.map_or(text, |(_, rest)| rest.trim_start_matches(['*', ' ']));
    let lower = text.to_lowercase();
    let opens = STORY_OPENINGS.iter().any(|opening| lower.starts_with(&opening.to_lowercase()));
    (opens && WANTS.iter().any(|want| lower.contains(want)))
        || (text.starts_with("作为") && WIDE_WANTS.iter().any(|want| text.contains(want)))
}

/// The text behind `AC:` or `Acceptance:`.
pub(in crate::spec) fn marked_criterion(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('*');
    ["AC:", "AC -", "Acceptance:", "Acceptance criteria:", "Acceptance Criteria:"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .map(str::trim)
        .filter(|rest| !rest.is_empty())
}

/// Whether a sentence follows the EARS pattern: `WHEN … THE SYSTEM SHALL …`.
pub(in crate::spec) fn is_ears(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().trim_matches(['*', '`']);
    let opens = matches!(
        first.to_ascii_uppercase().as_str(),
        "WHEN" | "WHILE" | "IF" | "WHERE" | "THE" | "SYSTEM" | "EACH" | "EVERY" | "ALL"
    );
    opens && text.split_whitespace().any(|w| w.trim_matches(['*', ',']) == "SHALL" || w == "shall")
}

/// Whether a text is a whole scenario: `Given … then …`.
pub(in crate::spec) fn is_scenario(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let opens = lower.starts_with("given ") || lower.starts_with("when ");
    opens && (lower.contains(" then ") || lower.contains(", then"))
}

/// Whether a line is the first step of a scenario.
pub(in crate::spec) fn is_scenario_start(line: &str) -> bool {
    line.starts_with("Given ")
}

/// Whether a line is a further step of a scenario.
pub(in crate::spec) fn is_scenario_step(line: &str) -> bool {
    ["When ", "Then ", "And ", "But "].iter().any(|w| line.starts_with(w))
}

/// Phrases behind which a text names what something waits for.
const DEPENDENCY_PHRASES: [&str; 12] = [
    "depends on",
    "depend on",
    "depends:",
    "dependencies:",
    "deps:",
    "blocked by",
    "requires",
    "must run after",
    "needs",
    "waits for",
    "wait for",
    "waiting for",
];

/// The first dependency phrase in a text: where it begins and ends.
pub(in crate::spec) fn dependency_phrase(text: &str) -> Option<(usize, usize)> {
    let lower = text.to_ascii_lowercase();
    let found = DEPENDENCY_PHRASES.iter().filter_map(|p| lower.find(p).map(|at| (at, at + p.len())));
    found.min()
}

/// Whether a sentence about tasks says that they wait for nothing.
pub(in crate::spec) fn says_standalone(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let nothing =
        ["depends: none", "depends on: none", "dependencies: none", "deps: none", "depends on nothing"];
    lower.contains("no dependenc")
        || lower.contains("standalone")
        || nothing.iter().any(|n| lower.contains(n))
}

/// Whether the heading of a level says that its tasks wait for nothing.
pub(in crate::spec) fn says_independent(heading: &str) -> bool {
    let lower = heading.to_ascii_lowercase();
    lower.contains("no hard dep") || lower.contains("no dep") || lower.contains("independent")
}

/// Verbs behind which a description of a file names what the file builds on.
const USE_VERBS: [&str; 22] = [
    "inherits",
    "inherit",
    "extends",
    "implements",
    "uses",
    "using",
    "calls",
    "call",
    "imports",
    "includes",
    "instantiates",
    "wraps",
    "depends on",
    "derived from",
    "subclass of",
    "built on",
    "defined in",
    "delegates to",
    "re-exports",
    "relies on",
    "reads from",
    "combines",
];

/// The names that a sentence says something builds on: ``(inherits `Shape`)``, `calls workbook.write()`.
pub(in crate::spec) fn used_names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for sentence in text.split(". ").flat_map(|part| part.split([';', ')'])) {
        let lower = sentence.to_ascii_lowercase();
        let verbs = USE_VERBS.iter().filter_map(|verb| {
            let at = lower.find(verb)?;
            let starts = !lower[..at].ends_with(char::is_alphanumeric);
            let ends = !lower[at + verb.len()..].starts_with(char::is_alphanumeric);
            (starts && ends).then_some((at, at + verb.len()))
        });
        let Some((start, end)) = verbs.min() else { continue };
        let denied = lower[..start].split_whitespace().rev().take(3);
        if denied.into_iter().any(|word| matches!(word, "not" | "never" | "without" | "no")) {
            continue;
        }
        // Behind `for` and `to` stands the purpose.
        let rest = &sentence[end..];
        let stop = [" for ", " to ", " so that ", " by "].iter().filter_map(|w| rest.find(w)).min();
        found.extend(code_names(&rest[..stop.unwrap_or(rest.len())]));
    }
    found
}

/// The words of a text that can only be names of code: quoted, with an ending, in mixed case or with an underscore.
fn code_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, piece) in text.split('`').enumerate() {
        let quoted = at % 2 == 1;
        for word in piece.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | '/' | ':')) {
            let word = word.trim_matches(['*', '.', '"', '\'', '~', '<', '>']);
            let mut inner = word.chars().skip(1);
            let mixed = word.starts_with(char::is_uppercase) && inner.any(char::is_uppercase);
            let is_name = word.len() > 2
                && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
                && (quoted || mixed || word.contains('_') || word.contains('.'));
            if is_name {
                names.push(word.to_owned());
            }
        }
    }
    names
}
