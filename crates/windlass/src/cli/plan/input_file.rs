//! homerun's input: what its discovery leaves for planning.

use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::cli::CliError;
use crate::world::World;

/// The input, as its schema has it.
#[derive(Debug, Deserialize)]
pub(super) struct InputFile {
    /// Where the work is done.
    pub(super) worktree_path: String,
    #[serde(default)]
    pub(super) session_id: Option<String>,
    #[serde(default)]
    pub(super) branch: Option<String>,
    spec_paths: SpecPaths,
    #[serde(default)]
    pub(super) config: InputSettings,
}

/// What the person chose.
#[derive(Debug, Default, Deserialize)]
pub(super) struct InputSettings {
    /// Whether warnings are accepted without asking.
    #[serde(default)]
    pub(super) auto_mode: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct SpecPaths {
    prd: String,
    adr: String,
    technical_design: String,
    #[serde(default)]
    wireframes: Option<String>,
}

/// A key of the input: where it is, what it takes, and whether it must be there.
type InputKey = (&'static str, &'static str, fn(&Value) -> bool, bool);

/// Every key of the schema. A key that may be missing may also be null.
const KEYS: [InputKey; 10] = [
    ("/worktree_path", "a text", Value::is_string, true),
    ("/session_id", "a text", Value::is_string, false),
    ("/branch", "a text", Value::is_string, false),
    ("/spec_paths", "an object", Value::is_object, true),
    ("/spec_paths/prd", "a text", Value::is_string, true),
    ("/spec_paths/adr", "a text", Value::is_string, true),
    ("/spec_paths/technical_design", "a text", Value::is_string, true),
    ("/spec_paths/wireframes", "a text or null", Value::is_string, false),
    ("/config", "an object", Value::is_object, false),
    ("/config/auto_mode", "`true` or `false`", Value::is_boolean, false),
];

/// Everything that the input lacks or has in another type.
fn misfits(input: &Value) -> Vec<String> {
    let misfit = |(at, takes, fits, required): &InputKey| {
        let name = at.trim_start_matches('/').replace('/', ".");
        match input.pointer(at) {
            None | Some(Value::Null) if !*required => None,
            None => Some(format!("`{name}` is missing: it takes {takes}")),
            Some(value) if fits(value) => None,
            Some(_) => Some(format!("`{name}` takes {takes}")),
        }
    };
    KEYS.iter().filter_map(misfit).collect()
}

impl InputFile {
    /// Reads it from a file or standard input.
    pub(super) fn read(world: &World, path: &Path) -> Result<InputFile, CliError> {
        let mut text = String::new();
        if path == Path::new("-") {
            let read = std::io::stdin().lock().take(1024 * 1024).read_to_string(&mut text);
            read.map_err(|e| CliError::usage("cannot read standard input").because_of(Some(&e)))?;
        } else {
            let full = world.cwd.join(path);
            text = std::fs::read_to_string(&full).map_err(|e| CliError::file("cannot read", &full, &e))?;
        }
        let unfit = || CliError::usage("the input does not have the form that planning expects");
        let wrong = serde_json::from_str(&text).map(|value| misfits(&value)).unwrap_or_default();
        if !wrong.is_empty() {
            return Err(wrong.iter().fold(unfit(), |error, misfit| error.hint(misfit.as_str())));
        }
        serde_json::from_str(&text).map_err(|e| {
            unfit()
                .because_of(Some(&e))
                .hint("it needs `worktree_path`, and `spec_paths` with `prd`, `adr` and `technical_design`")
        })
    }

    /// The documents it names, by their keys.
    pub(super) fn documents(&self) -> Vec<(&'static str, &str)> {
        let paths = &self.spec_paths;
        let mut named: Vec<(&str, &str)> =
            vec![("prd", &paths.prd), ("adr", &paths.adr), ("technical_design", &paths.technical_design)];
        named.extend(paths.wireframes.as_deref().map(|path| ("wireframes", path)));
        named
    }
}
