//! Collects the documents of a plan: files, folders, and those that a `state.json` or a session folder names.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use windlass_planner::spec::{SpecFile, decoded_bytes};

use crate::cli::CliError;
use crate::world::World;

/// A document larger than this is no specification.
const LARGEST: u64 = 8 * 1024 * 1024;
/// How deep below a folder documents are looked for.
const DEEPEST: usize = 4;
/// The most documents of one plan.
const MOST: usize = 400;
/// Folders that hold no specification and may hold very much.
const NEVER: [&str; 8] = [".git", "node_modules", "target", ".venv", "venv", "dist", "tasks", "checklists"];
/// Folders with what is done.
const DONE: [&str; 4] = ["archive", "archived", "_archive", "_archived"];

/// The documents, and the files that were not read.
#[derive(Debug, Default)]
pub(crate) struct GatheredSpecs {
    /// The documents, each once.
    pub(crate) files: Vec<SpecFile>,
    /// What was not read, and why.
    pub(crate) skipped: Vec<String>,
    /// The state files that named documents.
    pub(crate) states: Vec<PathBuf>,
    seen: Vec<PathBuf>,
}

/// Reads what the arguments name.
pub(crate) fn gather(world: &World, arguments: &[PathBuf]) -> Result<GatheredSpecs, CliError> {
    let mut gathered = GatheredSpecs::default();
    for argument in arguments {
        let path = world.cwd.join(argument);
        if !path.exists() {
            return Err(CliError::usage(format!("`{}` does not exist", argument.display()))
                .hint("name documents, a folder of them, a `state.json`, or a session folder"));
        }
        gathered.take(world, &path)?;
    }
    Ok(gathered)
}

/// Whether a document is a list of tasks already, as Spec Kit writes it.
fn is_plan(path: &Path, text: &str) -> bool {
    let marks = ["- [ ] T", "- [x] T", "- [X] T"];
    let number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let is_task = |line: &str| marks.iter().any(|m| line.trim_start().strip_prefix(m).is_some_and(number));
    path.file_name().is_some_and(|name| name == "tasks.md") && text.lines().any(is_task)
}

impl GatheredSpecs {
    /// One document that is in no file.
    pub(crate) fn of(file: SpecFile) -> Self {
        Self { files: vec![file], ..Self::default() }
    }

    fn take(&mut self, world: &World, path: &Path) -> Result<(), CliError> {
        if path.is_dir() {
            let session = path.join("workflow-session.json");
            if session.is_file() {
                return self.session(world, path);
            }
            self.folder(world, path, 0)
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) && !is_interface(path) {
            self.state(world, path)
        } else {
            self.file(world, path)
        }
    }

    /// The documents of a folder; a `state.json` beside them is kept for its traces.
    fn folder(&mut self, world: &World, dir: &Path, depth: usize) -> Result<(), CliError> {
        let failed = |e: std::io::Error| CliError::file("cannot read", dir, &e);
        let mut entries: Vec<PathBuf> =
            fs::read_dir(dir).map_err(failed)?.flatten().map(|e| e.path()).collect();
        entries.sort();
        for path in entries {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() && DONE.contains(&name.as_str()) {
                self.skipped.push(format!("`{}` holds what is done", world.shown(&path)));
            } else if path.is_dir()
                && depth < DEEPEST
                && !NEVER.contains(&name.as_str())
                && !name.starts_with('.')
            {
                self.folder(world, &path, depth + 1)?;
            } else if is_document(&name) || (may_be_interface(&name) && is_interface(&path)) {
                self.file(world, &path)?;
            } else if name == "state.json" {
                self.states.push(path);
            }
            if self.files.len() > MOST {
                return Err(CliError::usage(format!(
                    "`{}` holds more than {MOST} documents",
                    world.shown(dir)
                ))
                .hint("name the ones the plan is to be made from"));
            }
        }
        Ok(())
    }

    /// Reads one document.
    pub(crate) fn file(&mut self, world: &World, path: &Path) -> Result<(), CliError> {
        let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.seen.contains(&full) {
            return Ok(());
        }
        self.seen.push(full);
        let shown = world.shown(path);
        let failed = |e: std::io::Error| CliError::file("cannot read", path, &e);
        let file = fs::File::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LARGEST {
            self.skipped.push(format!("`{shown}` is larger than {} MB", LARGEST / (1024 * 1024)));
        } else if let Some(text) = decoded(&bytes) {
            if is_plan(path, &text) {
                let dir = path.parent().map_or_else(|| shown.clone(), |dir| world.shown(dir));
                self.skipped.push(format!("`{shown}` is a plan already: see `windlass check {dir}`"));
            } else {
                self.files.push(SpecFile { path: shown, text });
            }
        } else {
            self.skipped.push(format!("`{shown}` is not text"));
        }
        Ok(())
    }

    /// The documents a `state.json` names; its paths are relative to it, or to the worktree it names.
    fn state(&mut self, world: &World, path: &Path) -> Result<(), CliError> {
        let failed = |e: std::io::Error| CliError::file("cannot read", path, &e);
        let text = fs::read_to_string(path).map_err(failed)?;
        let value: Value = serde_json::from_str(&text).map_err(|e| {
            CliError::usage(format!("`{}` is not JSON", world.shown(path))).because_of(Some(&e))
        })?;
        let Some(paths) = value.get("spec_paths").and_then(Value::as_object) else {
            return Err(CliError::usage(format!("`{}` names no documents", world.shown(path)))
                .hint("a `state.json` names them under `spec_paths`"));
        };
        let dir = path.parent().unwrap_or(&world.cwd);
        let worktree = value.get("worktree").and_then(Value::as_str).map(|w| dir.join(w));
        for named in paths.values().filter_map(Value::as_str) {
            self.named(world, named, &[Some(dir), worktree.as_deref(), Some(&world.cwd)])?;
        }
        self.states.push(path.to_owned());
        Ok(())
    }

    /// Reads a document by a name in another file, looked for in these folders in turn.
    pub(crate) fn named(
        &mut self,
        world: &World,
        named: &str,
        dirs: &[Option<&Path>],
    ) -> Result<(), CliError> {
        let found = dirs.iter().flatten().map(|d| d.join(named)).find(|p| p.is_file());
        if let Some(path) = found {
            self.file(world, &path)
        } else {
            self.skipped.push(format!("`{named}` does not exist"));
            Ok(())
        }
    }

    /// The analyses of the roles that say something about what the session is for. Without a word in common, all of them.
    fn roles(
        &mut self,
        world: &World,
        dir: &Path,
        artifacts: &Value,
        places: &[Option<&Path>],
    ) -> Result<(), CliError> {
        let session = fs::read_to_string(dir.join("workflow-session.json")).unwrap_or_default();
        let session: Value = serde_json::from_str(&session).unwrap_or_default();
        let about = ["project", "description", "topic"].iter().filter_map(|key| session[*key].as_str());
        let about: Vec<String> = about.flat_map(telling).collect();
        let mut kept: Vec<String> = Vec::new();
        let mut passed_over: Vec<(String, String)> = Vec::new();
        for role in artifacts["role_analyses"].as_array().into_iter().flatten() {
            let name = role["role"].as_str().unwrap_or("role");
            let stated = role["relevant"].as_bool().unwrap_or(role["relevance"] != "low");
            for path in role["files"].as_array().into_iter().flatten().filter_map(existing) {
                let found = places.iter().flatten().map(|place| place.join(&path)).find(|p| p.is_file());
                let text = found.and_then(|p| fs::read_to_string(p).ok());
                let own = text.as_deref().map(telling).unwrap_or_default();
                let shares =
                    about.is_empty() || text.is_none() || about.iter().any(|word| own.contains(word));
                if stated && shares { kept.push(path) } else { passed_over.push((path, name.to_owned())) }
            }
        }
        if kept.is_empty() {
            kept.extend(passed_over.drain(..).map(|(path, _)| path));
        }
        for path in kept {
            self.named(world, &path, places)?;
        }
        for (path, role) in passed_over {
            self.skipped.push(format!("`{path}`: the role {role} says nothing about this session"));
        }
        Ok(())
    }

    /// The documents of a CCW session: those its context package names, and those that lie in it.
    fn session(&mut self, world: &World, dir: &Path) -> Result<(), CliError> {
        let package = dir.join(".process/context-package.json");
        let value: Option<Value> =
            fs::read_to_string(&package).ok().and_then(|t| serde_json::from_str(&t).ok());
        let root = dir.ancestors().find(|d| d.join(".workflow").is_dir());
        let places = [Some(dir), root, Some(world.cwd.as_path())];
        let artifacts = value.as_ref().map(|v| &v["brainstorm_artifacts"]);
        let there = |named: &String| places.iter().flatten().any(|place| place.join(named).is_file());
        let synthesis = artifacts.and_then(|a| existing(&a["synthesis_output"])).filter(there);
        if let Some(synthesis) = &synthesis {
            self.named(world, synthesis, &places)?;
        } else if let Some(artifacts) = artifacts {
            if let Some(guidance) = existing(&artifacts["guidance_specification"]) {
                self.named(world, &guidance, &places)?;
            }
            self.roles(world, dir, artifacts, &places)?;
        }
        let before = self.files.len();
        let own = |name: &str| is_document(name) && !matches!(name, "IMPL_PLAN.md" | "TODO_LIST.md");
        // A synthesis stands for the documents it was made from.
        let brainstorming = Some(dir.join(".brainstorming")).filter(|_| synthesis.is_none());
        for folder in std::iter::once(dir.to_owned()).chain(brainstorming) {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
            paths.sort();
            for path in paths {
                if path.file_name().is_some_and(|n| own(&n.to_string_lossy())) {
                    self.file(world, &path)?;
                }
            }
        }
        if self.files.len() == before && dir.join("IMPL_PLAN.md").is_file() {
            let shown = world.shown(dir);
            self.skipped.push(format!("`{shown}` holds a plan already: see `windlass check {shown}`"));
        }
        Ok(())
    }
}

/// The path of an artifact: a text, or an object that does not say that it does not exist.
fn existing(artifact: &Value) -> Option<String> {
    let path =
        artifact.as_str().or_else(|| artifact["path"].as_str().filter(|_| artifact["exists"] != false));
    path.map(str::to_owned)
}

/// The words of a text that say what it is about.
fn telling(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 3);
    words.map(str::to_lowercase).collect()
}

/// The text of a file: UTF-8, UTF-16 with the mark that says so, or Windows-1252. `None` where it is not text.
fn decoded(bytes: &[u8]) -> Option<String> {
    let wide = |of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| of([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, ..] => Some(wide(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => Some(wide(u16::from_be_bytes)),
        _ if bytes.iter().take(8_000).any(|b| *b == 0) => None,
        _ => Some(decoded_bytes(bytes)),
    }
}

/// Whether a file in a folder is a document by its name. Plain text is one where the name says what it is for: there are
/// too many other lists that end so.
fn is_document(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let stem = stem.to_ascii_lowercase();
    let says = ["prd", "spec", "design", "stories", "story", "features", "brief", "adr", "architecture"];
    match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" | "mdx" | "feature" | "adoc" | "asciidoc" | "rst" => true,
        "txt" | "text" => stem.split(['-', '_', ' ', '.']).any(|word| says.contains(&word)),
        _ => false,
    }
}

/// Whether a file in a folder may describe an HTTP interface, by its name.
fn may_be_interface(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let stem = stem.to_ascii_lowercase();
    matches!(ending, "yaml" | "yml" | "json")
        && ["openapi", "swagger", "api"]
            .iter()
            .any(|word| stem.split(['-', '_', '.']).any(|part| part == *word))
}

/// Whether a file describes an HTTP interface: its first bytes say so.
fn is_interface(path: &Path) -> bool {
    let Ok(file) = fs::File::open(path) else { return false };
    let mut head = Vec::new();
    let read = file.take(LARGEST).read_to_end(&mut head).is_ok();
    read && windlass_planner::spec::is_interface_description(&String::from_utf8_lossy(&head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_from_other_bytes() {
        let le: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("# Ä".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let be: Vec<u8> =
            [0xfe, 0xff].into_iter().chain("# Ä".encode_utf16().flat_map(u16::to_be_bytes)).collect();
        let table: [(&[u8], Option<&str>); 5] = [
            (b"# A", Some("# A")),
            (&le, Some("# Ä")),
            (&be, Some("# Ä")),
            (b"PK\0\x03", None),
            (b"Gr\xf6\xdfe", Some("Größe")),
        ];
        for (bytes, expected) in table {
            assert_eq!(decoded(bytes).as_deref(), expected, "{bytes:?}");
        }
    }

    #[test]
    fn documents_are_told_by_their_names() {
        for yes in ["PRD.md", "prd.txt", "shop-spec.TXT", "notes.markdown", "a.feature", "a.adoc", "a.rst"] {
            assert!(is_document(yes), "{yes}");
        }
        for no in ["requirements.txt", "LICENSE", "robots.txt", "a.json", "specific.txt"] {
            assert!(!is_document(no), "{no}");
        }
    }
}
