//! Requests for permission, answered by the turn's own; no person is asked.

use std::path::Path;

use serde_json::{Value, json};

use super::files::is_inside;
use crate::agent::cli::Permission;

/// Whether the agent may do what it asks for.
pub(super) fn allows(permission: Permission, call: &Value, roots: &[&Path]) -> bool {
    let kind = call["kind"].as_str().unwrap_or("other");
    let places =
        call["locations"].as_array().into_iter().flatten().filter_map(|place| place["path"].as_str());
    let diffs = call["content"].as_array().into_iter().flatten().filter_map(|part| part["path"].as_str());
    // Some name files from where they stand.
    let full = |path: &str| roots.first().map_or_else(|| path.into(), |dir| dir.join(path));
    let inside = || places.clone().chain(diffs.clone()).all(|path| is_inside(&full(path), roots));
    match permission {
        Permission::Full => true,
        Permission::Edit => {
            matches!(kind, "read" | "search" | "think" | "edit" | "delete" | "move" | "switch_mode")
                && inside()
        }
        Permission::Read => matches!(kind, "read" | "search" | "think") && inside(),
    }
}

/// The answer: one of the options offered, once rather than for ever.
pub(super) fn outcome(options: &Value, allowed: bool) -> Value {
    let kinds: [&str; 2] =
        if allowed { ["allow_once", "allow_always"] } else { ["reject_once", "reject_always"] };
    let offered = |kind: &&str| {
        let options = options.as_array().into_iter().flatten();
        options.clone().find(|option| option["kind"] == **kind).map(|option| option["optionId"].clone())
    };
    match kinds.iter().find_map(offered) {
        Some(id) => json!({ "outcome": { "outcome": "selected", "optionId": id } }),
        None => json!({ "outcome": { "outcome": "cancelled" } }),
    }
}

/// The modes of a session that fit a permission, the best first. What an agent calls them differs.
pub(super) fn modes(permission: Permission) -> &'static [&'static str] {
    match permission {
        Permission::Full => &["bypassPermissions", "yolo", "full-access", "agent-full-access", "build"],
        Permission::Edit => &["acceptEdits", "autoEdit", "auto-edit", "auto", "build"],
        Permission::Read => &["plan", "read-only"],
    }
}
