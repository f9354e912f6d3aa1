//! Tests: the tools that a set-up command names.

use super::*;

#[test]
fn the_tools_of_a_command_are_known_by_their_words() {
    assert_eq!(tools("npm ci"), ["npm", "node"]);
    assert_eq!(
        tools("python3 -m venv .venv && .venv/bin/python -m pip install -r r.txt"),
        ["python3", "python3"]
    );
    assert_eq!(tools("make golang-things"), Vec::<&str>::new());
}
