//! What a path alone says: test, runner configuration, lock file; and paths written in comments.

/// The lock files that belong to a manifest, by its file name.
pub fn lockfiles_of(manifest: &str) -> &'static [&'static str] {
    let _ = manifest;
    &[]
}

/// Whether the path is where tests live by the conventions of its language.
pub fn is_test_path(path: &str) -> bool {
    let _ = path;
    false
}

/// Whether the file configures a test runner or a build.
pub fn runner_config(path: &str) -> bool {
    let _ = path;
    false
}

/// The path named by the first comment line of a code block.
pub fn comment_path(first_line: &str) -> Option<String> {
    let _ = first_line;
    None
}
