//! homerun's input: what its discovery leaves for planning.

use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;

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
}

#[derive(Debug, Deserialize)]
struct SpecPaths {
    prd: String,
    adr: String,
    technical_design: String,
    #[serde(default)]
    wireframes: Option<String>,
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
        serde_json::from_str(&text).map_err(|e| {
            CliError::usage("the input does not have the form that planning expects")
                .because_of(Some(&e))
                .hint("it needs `worktree_path`, and `spec_paths` with `prd`, `adr` and `technical_design`")
        })
    }

    /// The documents it names.
    pub(super) fn documents(&self) -> impl Iterator<Item = &str> {
        let paths = &self.spec_paths;
        let needed = [&paths.prd, &paths.adr, &paths.technical_design].into_iter();
        needed.chain(&paths.wireframes).map(String::as_str)
    }
}
