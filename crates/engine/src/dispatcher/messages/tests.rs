//! Tests: the paths that an agent may ask for.

use super::*;

const ODD: &str = "not a path inside the repository";
const PLAN: &str = "the plan itself is out of reach";

#[test]
fn only_plain_paths_inside_the_repository_can_be_asked_for() {
    let hidden = ["plans/".to_owned(), "docs/secret.md".to_owned()];
    let table = [
        ("src/lib.rs", Ok(())),
        ("a b/ü.txt", Ok(())),
        (".github/workflows/x.yml", Ok(())),
        (".gitignore", Ok(())),
        ("planning/x.md", Ok(())),
        ("", Err(ODD)),
        ("/etc/passwd", Err(ODD)),
        ("..", Err(ODD)),
        ("../x", Err(ODD)),
        ("a/../../x", Err(ODD)),
        ("./a", Err(ODD)),
        ("a//b", Err(ODD)),
        ("a/", Err(ODD)),
        (".git/config", Err(ODD)),
        ("sub/.git/hooks/x", Err(ODD)),
        ("line\nbreak", Err(ODD)),
        ("nul\0", Err(ODD)),
        ("plans/demo/plan.toml", Err(PLAN)),
        ("docs/secret.md", Err(PLAN)),
    ];
    for (path, expected) in table {
        assert_eq!(askable(path, &hidden), expected, "{path:?}");
    }
    assert_eq!(askable("plans/x", &[]), Ok(()), "nothing is hidden without a list");
}
