//! Which files are taken for code that could deceive a test: `cargo run -p windlass-code --example reaching -- FILE…`.
#![expect(clippy::disallowed_methods, reason = "reads the files it is given")]
#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use windlass_code::syntax::tricks::reaches_out;

fn main() {
    let (mut all, mut reaching) = (0usize, 0usize);
    for path in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let reaches = reaches_out(&path, &bytes);
        (all, reaching) = (all + 1, reaching + usize::from(reaches));
        if reaches {
            println!("{path}");
        }
    }
    println!("{reaching} of {all} files");
}
