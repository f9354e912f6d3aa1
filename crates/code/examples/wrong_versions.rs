//! Wrong versions of a source file, for measuring test suites that exist: `cargo run -p windlass-code --example wrong_versions --
//! FILE COUNT OUT`.
//!
//! Writes at most `COUNT` mutants of the file to the directory `OUT`, named by their number, and prints a line for each: number,
//! what is wrong, and where.
#![expect(clippy::disallowed_methods, reason = "reads and writes the files it is given")]
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use std::path::Path;

use windlass_code::mutant::mutants;

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, count, out] = args.as_slice() else {
        return Err(std::io::Error::other("expected FILE COUNT OUT"));
    };
    let bytes = std::fs::read(file)?;
    std::fs::create_dir_all(out)?;
    for (number, mutant) in mutants(file, &bytes, &|_| true, count.parse().unwrap_or(20)).iter().enumerate() {
        std::fs::write(Path::new(out).join(number.to_string()), mutant.apply(&bytes))?;
        println!("{number}\t{mutant}");
    }
    Ok(())
}
