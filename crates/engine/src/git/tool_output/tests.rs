//! Tests: files and directories that tools leave behind.

use super::*;

#[test]
fn files_are_told_by_their_names() {
    for (name, left) in [
        ("a.pyc", true),
        (".coverage", true),
        (".coverage.host.123", true),
        ("lcov.info", true),
        (".DS_Store", true),
        ("coverage.py", false),
        (".coveragerc", false),
        ("module.py", false),
        ("notes.txt", false),
    ] {
        assert_eq!(is_left_by_a_tool(name), left, "{name}");
    }
}

#[test]
fn directories_are_told_by_name_or_by_what_they_say_of_themselves() {
    let top = tempfile::tempdir().unwrap();
    let made = |name: &str, files: &[(&str, &str)]| {
        let dir = top.path().join(name);
        fs::create_dir_all(&dir).unwrap();
        for (file, text) in files {
            fs::write(dir.join(file), text).unwrap();
        }
        is_a_tools_directory(name.rsplit('/').next().unwrap(), &dir)
    };
    assert!(made("__pycache__", &[]));
    assert!(made("pkg.egg-info", &[]));
    assert!(made("target", &[("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55")]));
    assert!(made("odd-cache", &[(".gitignore", "# created by a tool\n*\n")]));
    assert!(made("coverage", &[("lcov.info", "")]));
    assert!(!made("src/coverage", &[("mod.rs", "")]));
    assert!(!made("src", &[("a.py", "")]));
    assert!(!made("assets", &[(".gitignore", "*.tmp\n")]));
    assert!(!made("kept", &[(".gitignore", "*\n!important.txt\n")]));
}
