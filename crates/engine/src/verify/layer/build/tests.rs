//! Tests: reading lock files.

use super::*;

#[test]
fn packages_of_the_repository_have_no_source() {
    let lock = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"serde\"\nsource = \"registry+x\"\n";
    assert_eq!(own_packages(lock), ["app"]);
}
