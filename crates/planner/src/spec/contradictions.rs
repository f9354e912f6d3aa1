//! The same thing said with other values in two places is a question to a person: which one holds?

use std::collections::{BTreeSet, HashMap};

use super::model::{Remark, Spec, SpecCriterion};

/// Names of formats. They are values like numbers: dates are kept as one of them.
const FORMATS: [&str; 22] = [
    "json",
    "jsonl",
    "ndjson",
    "yaml",
    "toml",
    "xml",
    "csv",
    "tsv",
    "ini",
    "sqlite",
    "postgresql",
    "postgres",
    "mysql",
    "mongodb",
    "redis",
    "html",
    "markdown",
    "pdf",
    "protobuf",
    "unix",
    "utc",
    "iso",
];

/// Adds a question for each contradiction.
pub(super) fn ask(spec: &mut Spec) {
    let mut asked = by_id(spec);
    asked.extend(in_other_words(spec));
    spec.questions.extend(asked);
}

/// The same criterion with other numbers in two documents, or twice in one.
fn by_id(spec: &Spec) -> Vec<Remark> {
    let mut first: HashMap<&str, &SpecCriterion> = HashMap::new();
    let mut asked = Vec::new();
    for criterion in spec.criteria.iter().filter(|c| c.given_id) {
        let known = *first.entry(criterion.id.as_str()).or_insert(criterion);
        if contradict(&known.text, &criterion.text) {
            let (one, other) = (path_of(spec, known), path_of(spec, criterion));
            let text = format!(
                "`{}` says \"{}\" in `{one}` and \"{}\" in `{other}`: which one holds?",
                criterion.id, known.text, criterion.text
            );
            asked.push(Remark { text, heading: String::new(), span: criterion.span });
        }
    }
    asked
}

/// Sentences without an id that say the same in the same words, except for a value.
fn in_other_words(spec: &Spec) -> Vec<Remark> {
    const FEWEST: usize = 4;
    let mut first: HashMap<Vec<String>, (&SpecCriterion, Vec<String>)> = HashMap::new();
    let mut asked = Vec::new();
    for criterion in spec.criteria.iter().filter(|c| !c.given_id) {
        let (values, words) = taken_apart(&criterion.text);
        if values.is_empty() || words.len() < FEWEST {
            continue;
        }
        let (known, others) = first.entry(words).or_insert_with(|| (criterion, values.clone()));
        if *others == values || others.len() != values.len() || are_parallel(known, criterion) {
            continue;
        }
        let (one, other) = (path_of(spec, known), path_of(spec, criterion));
        let text = if one == other {
            format!("`{one}` says \"{}\" and \"{}\": which one holds?", known.text, criterion.text)
        } else {
            format!(
                "`{one}` says \"{}\" and `{other}` says \"{}\": which one holds?",
                known.text, criterion.text
            )
        };
        asked.push(Remark { text, heading: String::new(), span: criterion.span });
    }
    asked
}

/// Whether two statements of a document may be about different things: lines of one section, and sections that stand side by side.
fn are_parallel(one: &SpecCriterion, other: &SpecCriterion) -> bool {
    let around = |c: &SpecCriterion| c.headings.iter().skip(1).cloned().collect::<Vec<_>>();
    one.span.file == other.span.file && (one.headings == other.headings || around(one) == around(other))
}

/// The values of a text, and its other words.
fn taken_apart(text: &str) -> (Vec<String>, Vec<String>) {
    let lower = text.to_lowercase();
    let words =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned);
    words.partition(|word| word.starts_with(|c: char| c.is_ascii_digit()) || FORMATS.contains(&word.as_str()))
}

/// Whether two texts say the same of different numbers.
fn contradict(one: &str, other: &str) -> bool {
    let sets = |text: &str| -> (BTreeSet<String>, BTreeSet<String>) {
        let (values, words) = taken_apart(text);
        (values.into_iter().collect(), words.into_iter().collect())
    };
    let ((values, words), (others, said)) = (sets(one), sets(other));
    let shared = words.intersection(&said).count();
    let differ = !values.is_empty() && values.len() == others.len() && values != others;
    differ && 3 * shared >= 2 * words.len().max(said.len())
}

fn path_of(spec: &Spec, criterion: &SpecCriterion) -> String {
    spec.sources.file(criterion.span.file).path.clone()
}
