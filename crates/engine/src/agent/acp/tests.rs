//! Tests of `agent/acp`.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::files::{is_inside, read, write};
use super::permission::{allows, outcome};
use super::terminals::Terminals;
use super::wire::FromAgent;
use crate::agent::cli::Permission;

#[test]
fn no_path_leads_out_of_the_slot() {
    let temp = tempfile::tempdir().unwrap();
    let top = temp.path().canonicalize().unwrap();
    let (slot, outside) = (top.join("slot"), top.join("outside"));
    fs::create_dir_all(slot.join("src")).unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "s").unwrap();
    std::os::unix::fs::symlink(&outside, slot.join("link")).unwrap();
    std::os::unix::fs::symlink(outside.join("new"), slot.join("dangling")).unwrap();
    let roots: [&Path; 1] = [&slot];
    for good in ["src/new.rs", "src", "deep/er/new.rs"] {
        assert!(is_inside(&slot.join(good), &roots), "{good}");
    }
    for bad in ["link/secret", "link/new", "dangling", "src/../../outside/secret", "link"] {
        assert!(!is_inside(&slot.join(bad), &roots), "{bad}");
    }
    for bad in ["/etc/passwd", "src/a.rs", "", "/"] {
        assert!(!is_inside(Path::new(bad), &roots), "{bad}");
    }
    let at = |path: &Path| json!({ "path": path, "content": "x" });
    assert!(write(&at(&slot.join("link/new")), &roots).is_err() && !outside.join("new").exists());
    assert!(write(&at(&slot.join("dangling")), &roots).is_err() && !outside.join("new").exists());
    assert!(read(&at(&outside.join("secret")), &roots).is_err());
    write(&json!({ "path": slot.join("a/b.txt"), "content": "1\n2\n3\n" }), &roots).unwrap();
    let part = read(&json!({ "path": slot.join("a/b.txt"), "line": 2, "limit": 1 }), &roots).unwrap();
    assert_eq!(part["content"], "2\n");
}

#[test]
fn permission_follows_the_turn_and_the_option_offered() {
    let temp = tempfile::tempdir().unwrap();
    let slot = temp.path().canonicalize().unwrap();
    let roots: [&Path; 1] = [&slot];
    let call = |kind: &str, path: &Path| json!({ "kind": kind, "locations": [{ "path": path }] });
    let inside = slot.join("a.rs");
    for (permission, kind, allowed) in [
        (Permission::Full, "execute", true),
        (Permission::Edit, "edit", true),
        (Permission::Edit, "execute", false),
        (Permission::Edit, "fetch", false),
        (Permission::Read, "read", true),
        (Permission::Read, "edit", false),
    ] {
        assert_eq!(allows(permission, &call(kind, &inside), &roots), allowed, "{permission:?} {kind}");
    }
    assert!(!allows(Permission::Edit, &call("edit", Path::new("/etc/passwd")), &roots));
    assert!(!allows(Permission::Edit, &json!({}), &roots));
    let options = json!([{ "optionId": "a", "kind": "allow_always" }, { "optionId": "b", "kind": "allow_once" },
        { "optionId": "c", "kind": "reject_once" }]);
    assert_eq!(outcome(&options, true)["outcome"]["optionId"], "b");
    assert_eq!(outcome(&options, false)["outcome"]["optionId"], "c");
    assert_eq!(outcome(&json!([]), true)["outcome"]["outcome"], "cancelled");
}

#[test]
fn a_terminal_runs_in_the_slot_and_nowhere_else() {
    let temp = tempfile::tempdir().unwrap();
    let slot = temp.path().canonicalize().unwrap();
    let roots: [&Path; 1] = [&slot];
    let mut terminals = Terminals::default();
    assert!(terminals.create(&json!({ "command": "ls", "cwd": "/" }), &slot, &roots).is_err());
    let made = terminals.create(
        &json!({ "command": "pwd; echo x$A; exit 3", "env": [{ "name": "A", "value": "1" }] }),
        &slot,
        &roots,
    );
    let id = made.unwrap();
    let exit = loop {
        if let Some(exit) = terminals.exit(&id) {
            break exit.unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert_eq!(exit["exitCode"], 3);
    // The reader of its output may still be at work.
    std::thread::sleep(std::time::Duration::from_millis(100));
    let output = terminals.output(&id).unwrap();
    assert_eq!(output["output"], format!("{}\nx1\n", slot.display()), "{output}");
    let asleep = terminals.create(&json!({ "command": "sleep", "args": ["60"] }), &slot, &roots).unwrap();
    assert!(terminals.exit(&asleep).is_none());
    terminals.end(&asleep, true).unwrap();
    assert!(terminals.output(&asleep).is_err());
}

#[test]
fn what_is_no_message_is_passed_over() {
    for line in ["", "log: started", "[]", "{}", "{\"id\":null}", "{\"id\":\"text\",\"result\":1}"] {
        assert!(FromAgent::read(line.as_bytes()).is_none(), "{line}");
    }
    let error = json!({ "id": 3, "error": { "code": -32603, "message": "Internal error", "data": { "details": "401 Unauthorized" } } });
    let Some(FromAgent::Answer { id: 3, result: Err(refusal) }) =
        FromAgent::read(error.to_string().as_bytes())
    else {
        panic!()
    };
    assert_eq!(refusal.message, "Internal error: 401 Unauthorized");
}
