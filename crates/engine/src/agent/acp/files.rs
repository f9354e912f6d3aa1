//! Files that an agent has its client read and write: only below the directories of the turn, links followed.

use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

/// The code for something that is not there.
pub(super) const NOT_FOUND: i32 = -32002;
/// The largest file that is read or written.
const LARGEST: u64 = 10 << 20;

/// Whether a path, as the system would resolve it, lies below one of these directories. A path that is not absolute does not.
pub(super) fn is_inside(path: &Path, roots: &[&Path]) -> bool {
    real(path).is_some_and(|real| {
        roots.iter().filter_map(|root| fs::canonicalize(root).ok()).any(|root| real.starts_with(root))
    })
}

/// Where a path leads, if the last part need not exist.
fn real(path: &Path) -> Option<PathBuf> {
    if !path.is_absolute() || path.components().any(|part| part == Component::ParentDir) {
        return None;
    }
    match fs::symlink_metadata(path) {
        // Also a link that leads nowhere yet: writing would create what it names.
        Ok(_) => fs::canonicalize(path).ok(),
        Err(_) => Some(real(path.parent()?)?.join(path.file_name()?)),
    }
}

/// `fs/read_text_file`.
pub(super) fn read(params: &Value, roots: &[&Path]) -> Result<Value, (i32, String)> {
    let path = permitted(params, roots)?;
    let mut text = String::new();
    let file = fs::File::open(&path).map_err(|e| failed(&path, &e))?;
    file.take(LARGEST).read_to_string(&mut text).map_err(|e| failed(&path, &e))?;
    let from = params["line"].as_u64().map_or(0, |line| line.saturating_sub(1));
    let most = params["limit"].as_u64().unwrap_or(u64::MAX);
    if from > 0 || most < u64::MAX {
        let (skip, take) =
            (usize::try_from(from).unwrap_or(usize::MAX), usize::try_from(most).unwrap_or(usize::MAX));
        text = text.split_inclusive('\n').skip(skip).take(take).collect();
    }
    Ok(json!({ "content": text }))
}

/// `fs/write_text_file`.
pub(super) fn write(params: &Value, roots: &[&Path]) -> Result<Value, (i32, String)> {
    let path = permitted(params, roots)?;
    let text = params["content"].as_str().unwrap_or_default();
    if text.len() as u64 > LARGEST {
        return Err((-32602, format!("`{}` would be larger than 10 MiB", path.display())));
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|e| failed(&path, &e))?;
    }
    fs::write(&path, text).map_err(|e| failed(&path, &e))?;
    Ok(json!({}))
}

fn permitted(params: &Value, roots: &[&Path]) -> Result<PathBuf, (i32, String)> {
    let path = Path::new(params["path"].as_str().unwrap_or_default());
    if is_inside(path, roots) {
        Ok(path.to_owned())
    } else {
        Err((-32602, format!("`{}` is not in the directory of this session", path.display())))
    }
}

fn failed(path: &Path, error: &std::io::Error) -> (i32, String) {
    match error.kind() {
        // Agents look before they write, and know a file that is not there by these words.
        std::io::ErrorKind::NotFound => (NOT_FOUND, format!("Resource not found: {}", path.display())),
        _ => (-32603, format!("`{}`: {error}", path.display())),
    }
}
