//! Rust: the files that imports mean, and how imports are written.

use crate::survey::{
    Import, ImportRequest, ImportTerms, ImportedFile, Survey, WorkspaceMember, below, join, split, words,
};

/// The files that an import means.
pub(crate) fn resolve(survey: &Survey, path: &str, import: &Import) -> Vec<String> {
    let mut parts: Vec<&str> = import.module.split("::").collect();
    let Some((root, base)) = base_of(survey, path, &mut parts) else { return Vec::new() };
    let file = |segments: &[&str]| {
        let inner = join(&base, &segments.join("/"));
        if segments.is_empty() {
            let (dir, name) = split(&base);
            let own = join(dir, &format!("{name}.rs"));
            survey
                .first([join(&root, "lib.rs"), join(&root, "main.rs")].into_iter().filter(|_| base == root))
                .or_else(|| survey.first([format!("{base}/mod.rs"), own]))
        } else {
            survey.first([format!("{inner}.rs"), format!("{inner}/mod.rs")])
        }
    };
    let mut found: Vec<String> = import
        .names
        .iter()
        .filter_map(|name| {
            let mut segments = parts.clone();
            segments.push(name);
            file(&segments)
        })
        .collect();
    if found.len() < import.names.len() || import.names.is_empty() {
        // An item rather than a module: the module it is in.
        found.extend((0..=parts.len()).rev().find_map(|n| file(&parts[..n])));
    }
    found
}

/// The source root of the crate and the directory the remaining segments are relative to.
fn base_of(survey: &Survey, path: &str, parts: &mut Vec<&str>) -> Option<(String, String)> {
    let member = survey.member(path).map_or("", |m| m.dir.as_str());
    let src = join(member, "src");
    let first = *parts.first()?;
    match first {
        "crate" => {
            parts.remove(0);
            Some((src.clone(), src))
        }
        "self" | "super" => {
            let mut base = module_dir(path);
            while parts.first().is_some_and(|part| *part == "self" || *part == "super") {
                if parts.remove(0) == "super" {
                    split(&base).0.to_owned().clone_into(&mut base);
                }
            }
            below(&src, &base)?;
            Some((src, base))
        }
        name => {
            let named =
                |m: &&WorkspaceMember| m.name.as_deref().is_some_and(|known| known.replace('-', "_") == name);
            let other = survey.members.iter().find(named)?;
            parts.remove(0);
            let src = join(&other.dir, "src");
            Some((src.clone(), src))
        }
    }
}

/// The directory of the submodules of a Rust file.
fn module_dir(path: &str) -> String {
    let (dir, name) = split(path);
    match name {
        "mod.rs" | "lib.rs" | "main.rs" => dir.to_owned(),
        _ => join(dir, name.trim_end_matches(".rs")),
    }
}

/// A module is imported by its name, and from below its directory also by the words of the language.
pub(crate) fn terms(file: &ImportedFile<'_>) -> ImportTerms {
    let own = if file.stem == "mod" { file.folder() } else { words(file.stem) };
    ImportTerms {
        far: [own].into_iter().chain(file.member()).collect(),
        near: ["super", "self", "crate"].map(|word| vec![word.to_owned()]).to_vec(),
    }
}

/// The line by which a file imports names.
pub(crate) fn import_line(request: &ImportRequest<'_>) -> Option<String> {
    let ImportRequest { survey, path, uses, names, .. } = request;
    let list = if names.len() == 1 { names[0].to_owned() } else { format!("{{{}}}", names.join(", ")) };
    let member = survey.member(path).map_or("", |m| m.dir.as_str());
    let inner = |path: &str| below(member, path).map(str::to_owned);
    let (from, to) = (inner(request.seeker.file)?, inner(path)?);
    if let (Some(own), true) = (to.strip_prefix("src/"), from.starts_with("src/")) {
        let module = own.strip_suffix(".rs")?.trim_end_matches("/mod").replace('/', "::");
        return match module.as_str() {
            "lib" | "main" => Some(format!("use crate::{list};")),
            module => Some(format!("use crate::{module}::{list};")),
        };
    }
    // Integration tests share a module that each of them declares.
    let shared = to.strip_prefix("tests/")?.split(['/', '.']).next()?;
    let declared =
        uses.written.iter().any(|(_, import)| import.module.split("::").any(|part| part == shared));
    declared.then(|| format!("mod {shared};"))
}
