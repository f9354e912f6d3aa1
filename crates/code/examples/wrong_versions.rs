//! Wrong versions of a source file, for measuring test suites that exist: `cargo run -p windlass-code --example wrong_versions --
//! FILE COUNT OUT [TEST]`.
//!
//! Writes at most `COUNT` mutants of the file to the directory `OUT`, named by their number, and prints a line for each: number,
//! what is wrong, and where. What the file `TEST` names comes first.
#![expect(clippy::disallowed_methods, reason = "reads and writes the files it is given")]
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use std::path::Path;

use windlass_code::mutant::{MutantNames, mutants_of_named};

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, count, out, tests @ ..] = args.as_slice() else {
        return Err(std::io::Error::other("expected FILE COUNT OUT [TEST]"));
    };
    let tests = tests.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let names = MutantNames::of(tests.iter().map(Vec::as_slice));
    let bytes = std::fs::read(file)?;
    std::fs::create_dir_all(out)?;
    let all = mutants_of_named(file, &bytes, &|_| true, &names, count.parse().unwrap_or(20));
    for (number, mutant) in all.iter().enumerate() {
        std::fs::write(Path::new(out).join(number.to_string()), mutant.apply(&bytes))?;
        println!("{number}\t{mutant}");
    }
    Ok(())
}
