//! Tests of exports: the times of files that are replaced.

use super::*;

#[test]
fn a_replaced_file_is_as_old_as_before_or_newer_by_whole_seconds() {
    let dir = tempfile::tempdir().unwrap();
    let tree = dir.path().join("tree");
    fs::create_dir(&tree).unwrap();
    fs::write(tree.join("calc.py"), "return 1").unwrap();
    let export = ExportedTree {
        dir: tree.clone(),
        below: Below::Here { index: dir.path().join("tree.index") },
        removals: None,
    };
    let time = || fs::metadata(tree.join("calc.py")).unwrap().modified().unwrap();
    let mut before = time();
    // The byte code of a version with the same size must never stand for the next one.
    for version in ["return 2", "return 3", "return 4"] {
        export.replace("calc.py", version.as_bytes(), FileAge::New).unwrap();
        assert_eq!(fs::read_to_string(tree.join("calc.py")).unwrap(), version);
        assert!(time() >= before + APART, "{version}");
        before = time();
    }
    export.replace("calc.py", b"return 5", FileAge::Kept).unwrap();
    assert_eq!(time(), before);
}
