//! The mutants of a test file, for measuring them on suites that exist: `cargo run -p windlass-code --example
//! expectation_mutants -- FILE SEED OUT`.
//!
//! Writes to the directory `OUT` the file with one mutant of every test (`all`), and for the test number N the file with its mutant
//! alone (`N.mutant`), with its assertion denied (`N.denial`) and with a failure as its first step (`N.entry`), as far as
//! they exist. Prints a line per test: number, kind, straight or not, marked or not, line, name, old and new value.
#![expect(clippy::disallowed_methods, reason = "reads and writes the files it is given")]
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use std::path::Path;

use windlass_code::expectation::{SourceEdit, TestExpectations, expectations, with_edits};

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, seed, out] = args.as_slice() else {
        return Err(std::io::Error::other("expected FILE SEED OUT"));
    };
    let bytes = std::fs::read(file)?;
    let tests = expectations(file, &bytes, &|_| true, seed.parse().unwrap_or_default());
    let out = Path::new(out);
    std::fs::create_dir_all(out)?;
    let changes = tests.iter().filter_map(|test| test.mutants.first()).flat_map(|mutant| &mutant.change);
    if let Some(all) = with_edits(&bytes, &changes.collect::<Vec<_>>()) {
        std::fs::write(out.join("all"), all)?;
    }
    for (number, test) in tests.iter().enumerate() {
        one(number, test, &bytes, out)?;
    }
    Ok(())
}

fn one(number: usize, test: &TestExpectations, bytes: &[u8], out: &Path) -> std::io::Result<()> {
    let Some(mutant) = test.mutants.first() else {
        println!("{number}\tnone\t-\t-\t0\t{}\t\t", test.test);
        return Ok(());
    };
    let files = [
        ("mutant", Some(&mutant.change)),
        ("denial", mutant.denial.as_ref()),
        ("entry", test.entry.as_ref()),
    ];
    for (name, change) in files {
        let edits: Vec<&SourceEdit> = change.into_iter().flatten().collect();
        if let (false, Some(changed)) = (edits.is_empty(), with_edits(bytes, &edits)) {
            std::fs::write(out.join(format!("{number}.{name}")), changed)?;
        }
    }
    let straight = if mutant.straight { "straight" } else { "-" };
    let marked = if test.marked { "marked" } else { "-" };
    let (kind, line) = (mutant.kind.as_str(), mutant.line);
    println!("{number}\t{kind}\t{straight}\t{marked}\t{line}\t{}\t{}\t{}", test.test, mutant.was, mutant.now);
    Ok(())
}
