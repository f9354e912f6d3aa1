//! A plan in the CCW session it belongs to: its files lie in the session's folder, and what is there stays.

use std::fs;
use std::path::Path;

use serde_json::Value;
use windlass_formats::TextFile;

use super::request::Request;
use crate::cli::CliError;

/// The file that says what a session is about.
const SESSION_FILE: &str = "workflow-session.json";

/// Puts the files where the session is: directly into a folder that is one, and `workflow-session.json` only with what
/// the file there does not say.
pub(super) fn settle(root: &Path, request: &Request, files: &mut Vec<TextFile>) -> Result<(), CliError> {
    let named = |name: &str| root.file_name().is_some_and(|own| own == name);
    let is_session = root.join(SESSION_FILE).is_file() || request.session.as_deref().is_some_and(named);
    let folder = files.iter().find_map(|f| f.path.strip_suffix(SESSION_FILE)).unwrap_or_default().to_owned();
    if is_session && !folder.is_empty() {
        for file in files.iter_mut() {
            if let Some(own) = file.path.strip_prefix(&folder) {
                file.path = own.to_owned();
            }
        }
    }
    let Some(at) = files.iter().position(|f| f.path.ends_with(SESSION_FILE)) else { return Ok(()) };
    let path = root.join(&files[at].path);
    let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
    let there: Value = serde_json::from_str(&text).map_err(|e| {
        CliError::usage(format!("`{}` is not JSON", path.display()))
            .because_of(Some(&e))
            .hint("the session's own file is added to, never replaced: correct or remove it first")
    })?;
    let new: Value = serde_json::from_slice(&files[at].bytes)?;
    if let Some(added) = with_missing(there, &new) {
        let text = serde_json::to_string_pretty(&added)? + "\n";
        fs::write(&path, text).map_err(|e| CliError::file("cannot write", &path, &e))?;
    }
    files.remove(at);
    Ok(())
}

/// The object with the keys that it lacks; `None` where it lacks none.
fn with_missing(there: Value, new: &Value) -> Option<Value> {
    let (Value::Object(mut there), Value::Object(new)) = (there, new) else { return None };
    let missing: Vec<_> = new.iter().filter(|(key, _)| !there.contains_key(*key)).collect();
    if missing.is_empty() {
        return None;
    }
    there.extend(missing.into_iter().map(|(key, value)| (key.clone(), value.clone())));
    Some(Value::Object(there))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_session_file_keeps_what_it_says() {
        let there = json!({ "session_id": "WFS-1", "created_at": "2025-01-01", "status": "planning" });
        let new = json!({ "session_id": "WFS-2", "status": "active", "type": "tdd" });
        let joined = with_missing(there, &new).unwrap_or_default();
        let expected =
            json!({ "session_id": "WFS-1", "created_at": "2025-01-01", "status": "planning", "type": "tdd" });
        assert_eq!(joined, expected);
        assert_eq!(with_missing(joined, &new), None);
    }
}
