//! Tests: the tools that a set-up command names.

use super::*;

#[test]
fn the_tools_of_a_command_are_known_by_their_words() {
    let table: [(&str, &[&str]); 4] = [
        ("npm ci", &["npm", "node"]),
        ("python3 -m venv .venv && .venv/bin/python -m pip install -r r.txt", &["python3"]),
        ("sh ./mvnw -B test", &[]),
        ("make golang-things", &[]),
    ];
    for (command, programs) in table {
        let found: Vec<&str> = tools(command).into_iter().map(|(program, _)| program).collect();
        assert_eq!(found, programs, "{command}");
    }
    assert_eq!(tools("go mod download"), [("go", "version")]);
}
