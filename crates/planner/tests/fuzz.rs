//! The seeds of the fuzz targets keep their promises, and what the targets call still builds. `scripts/fuzz` goes on from here.

#![expect(clippy::disallowed_methods, reason = "the seeds are files")]

#[expect(unreachable_pub, reason = "another crate's library")]
#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;

use std::path::Path;

use windlass_formats::Dialect;

#[test]
fn seeds_keep_their_promises() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for dialect in Dialect::ALL {
        let files = std::fs::read_dir(seeds.join(dialect.as_str())).expect("every reader has seeds");
        let mut count = 0;
        for file in files {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            // Also cut off in the middle, as a killed program leaves it.
            for end in [bytes.len(), bytes.len() / 2, 0] {
                fuzz::plan(dialect, &bytes[..end]);
            }
            count += 1;
        }
        assert!(count > 0, "{dialect} has no seed");
    }
}
