//! The requirements of the five documents that Windlass grew from, each with a case that runs the real program.
//!
//! A row of a document's table names the requirement, how it stood when the documents were first taken apart, and its case.
//! Every case is a test of its own; `report`, which `scripts/source-systems` calls, runs all of them and counts. The answers in words
//! are in `docs/guide/source-systems.md`.

#![expect(clippy::unwrap_used, reason = "a case that cannot be tried must fail, and say where")]

mod bad_input;
mod frame;
mod packages;
mod schemas;
mod seed_000;
mod seed_001;
mod seed_002;
mod seed_003;
mod seed_004;

use std::collections::BTreeMap;

use frame::{Rating, Requirement, judged};

/// The documents with their titles and the numbers of their rows.
const DOCUMENTS: [(&str, &str, std::ops::RangeInclusive<u32>, &[Requirement]); 5] = [
    ("000", "bite-sized task planning", 1..=65, seed_000::ROWS),
    ("001", "planning skill", 66..=153, seed_001::ROWS),
    ("002", "TDD task generation", 1..=61, seed_002::ROWS),
    ("003", "verification loop", 62..=108, seed_003::ROWS),
    ("004", "contract tasks", 109..=156, seed_004::ROWS),
];

fn guide() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/source-systems.md");
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The rows of a document's table in the guide: number → answer.
fn answers(guide: &str, document: &str) -> BTreeMap<u32, String> {
    let section = guide.split("\n## ").find(|s| s.starts_with(document)).unwrap_or_default();
    let cells = section.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        Some((cells.first()?.parse().ok()?, cells.get(2..)?.join(" | ")))
    });
    cells.collect()
}

#[test]
fn every_requirement_is_listed_once() {
    for (document, _, numbers, rows) in DOCUMENTS {
        let listed: Vec<u32> = rows.iter().map(Requirement::number).collect();
        assert_eq!(listed, numbers.collect::<Vec<_>>(), "{document}");
    }
}

/// A deviation counts as better only where the guide says why.
#[test]
fn the_guide_answers_every_requirement() {
    let guide = guide();
    for (document, _, _, rows) in DOCUMENTS {
        let answers = answers(&guide, document);
        if answers.is_empty() {
            continue;
        }
        for row in rows {
            let answer = answers.get(&row.number()).map_or("", String::as_str);
            assert!(!answer.is_empty(), "{document} {}: `{}` has no answer", row.number(), row.sentence);
            let deviates = row.rating_if_held() == Rating::Better;
            assert!(
                !deviates || answer.contains("On purpose:"),
                "{document} {}: `{}` is answered differently, and the guide does not say why",
                row.number(),
                row.sentence
            );
        }
    }
}

/// Runs every case and prints the summary: `scripts/source-systems`.
#[test]
#[ignore = "runs every case again to count them"]
fn report() {
    let only = std::env::var("WINDLASS_SOURCE_SYSTEM").unwrap_or_default();
    println!("| document | requirements | works | better | worse | partly | missing |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let mut all = BTreeMap::new();
    let mut said = String::new();
    for (document, title, _, rows) in DOCUMENTS.into_iter().filter(|(d, ..)| d.contains(&only)) {
        let mut counts = BTreeMap::new();
        for (row, rating, why) in judged(rows) {
            *counts.entry(rating).or_insert(0) += 1;
            *all.entry(rating).or_insert(0) += 1;
            if !why.is_empty() {
                said +=
                    &format!("{document} {:>3} {rating}: {}\n        {why}\n", row.number(), row.sentence);
            }
        }
        println!("| {document} {title} | {} | {}", rows.len(), line(&counts));
    }
    println!("| all | {} | {}", all.values().sum::<usize>(), line(&all));
    print!("\n{said}");
}

fn line(counts: &BTreeMap<Rating, usize>) -> String {
    Rating::ALL.map(|rating| format!("{} |", counts.get(&rating).unwrap_or(&0))).join(" ")
}
