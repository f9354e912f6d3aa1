//! Tests: the repository that an agent sees.

use super::*;

#[test]
fn a_path_in_a_list_is_quoted() {
    for (path, wanted) in [
        ("/a/b", "\"/a/b\""),
        ("/a:b c", "\"/a:b c\""),
        ("/a\"b\\c", "\"/a\\\"b\\\\c\""),
        ("/a\nb", "\"/a\\nb\""),
    ] {
        assert_eq!(quoted(Path::new(path)), OsString::from(wanted));
    }
}

#[test]
fn the_object_format_is_stated_only_where_git_needs_it() {
    let sha1 = private_config(ObjectFormat::Sha1);
    assert!(sha1.contains("repositoryformatversion = 0") && !sha1.contains("extensions"), "{sha1}");
    let sha256 = private_config(ObjectFormat::Sha256);
    assert!(
        sha256.contains("repositoryformatversion = 1") && sha256.contains("objectFormat = sha256"),
        "{sha256}"
    );
}
