//! The committed schemas are the ones the types give. After a change of a type:
//! `WINDLASS_BLESS=1 cargo test -p windlass-core --test schemas` writes them anew.
#![expect(clippy::disallowed_methods, reason = "the test compares with files of the repository")]

use std::path::PathBuf;

use windlass_formats::schemas;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas")
}

#[test]
fn committed_schemas_are_current() {
    let bless = std::env::var_os("WINDLASS_BLESS").is_some();
    let answers = windlass_core::team::schemas().map(|(name, schema)| {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        (name, text)
    });
    for (name, text) in schemas().into_iter().chain(answers) {
        if bless {
            std::fs::write(folder().join(name), &text).unwrap();
        }
        let committed = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
        assert!(committed == text, "docs/schemas/{name} is out of date: see the head of this test file");
    }
}
