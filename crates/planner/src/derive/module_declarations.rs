//! Rust module declarations: a module is compiled only when the file above it declares it, so a unit that creates a
//! module also owns that file. Where several units would, one unit before them declares all modules and creates each
//! as an empty file; the units then share no file, and each has a test that fails because its code is missing.

use super::DeriveOptions;
use super::name;
use super::note::{Note, NoteKind};
use super::unit::{Unit, UnitFile};
use crate::file_kind::FileKind;
use crate::lint::Profile;
use crate::repository::Repository;
use crate::spec::Operation;
use windlass_code::script::quote;
use windlass_code::survey::{ExportKind, Language};
use windlass_core::path_text::{dir_of, file_name};

/// Gives units the files that declare their modules, and merges units that only own such a file.
pub(super) fn glue(
    units: &mut Vec<Unit>,
    repository: &Repository<'_>,
    options: &DeriveOptions,
    notes: &mut Vec<Note>,
) {
    declare_at_once(units, repository, options, notes);
    take_in(units);
    for at in 0..units.len() {
        let created: Vec<String> =
            units[at].files.iter().filter(|f| is_module(f)).map(|f| f.path.clone()).collect();
        for path in created {
            let Some(above) = declaring(&path, units, repository) else { continue };
            if !units[at].files.iter().any(|f| f.path == above) {
                // A declaration needs no test.
                let kind = FileKind::Configuration;
                let note = format!("declare the module `{}`", module_name(&path));
                units[at].files.push(UnitFile {
                    path: above,
                    operation: Operation::Modify,
                    kind,
                    note,
                    lines: None,
                });
            }
        }
    }
}

/// Adds a unit for each file that declares modules of several units.
fn declare_at_once(
    units: &mut Vec<Unit>,
    repository: &Repository<'_>,
    options: &DeriveOptions,
    notes: &mut Vec<Note>,
) {
    let mut wanted: Vec<(String, Vec<(usize, String)>)> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        for path in unit.files.iter().filter(|f| is_module(f)).map(|f| f.path.clone()) {
            let Some(above) = declaring(&path, units, repository) else { continue };
            match wanted.iter_mut().find(|(file, _)| *file == above) {
                Some((_, modules)) => modules.push((at, path)),
                None => wanted.push((above, vec![(at, path)])),
            }
        }
    }
    // A task that the documents assign the file to declares the modules itself.
    let taken = |file: &str| units.iter().any(|u| !u.stated.is_empty() && u.owns(file));
    wanted.retain(|(file, modules)| {
        let apart = modules.iter().any(|(at, _)| *at != modules[0].0);
        apart && !taken(file)
    });
    // A declaring file that is itself a new module must be created by another declaration unit.
    let declared: Vec<String> =
        wanted.iter().flat_map(|(_, m)| m.iter().map(|(_, path)| path.clone())).collect();
    let made = |file: &str| units.iter().flat_map(|u| &u.files).any(|f| f.path == file && is_module(f));
    wanted.retain(|(file, _)| !made(file) || declared.contains(file));
    wanted.sort_by_key(|(file, _)| file.matches('/').count());
    for (file, modules) in wanted.into_iter().rev() {
        let paths: Vec<String> = modules.into_iter().map(|(_, path)| path).collect();
        notes.push(Note::new(
            NoteKind::Assumed,
            format!("`{file}` has to declare {} modules; a task of its own does it first", paths.len()),
        ));
        declare(units, &file, &paths, options.profile);
    }
}

/// Inserts the units that declare these modules in front of all others.
fn declare(units: &mut Vec<Unit>, file: &str, paths: &[String], profile: Profile) {
    for own in units.iter_mut().flat_map(|u| &mut u.files).filter(|f| paths.contains(&f.path)) {
        own.operation = Operation::Modify;
    }
    let only =
        |u: &Unit| u.stated.is_empty() && !u.files.is_empty() && u.files.iter().all(|f| f.path == file);
    let rows: Vec<UnitFile> =
        units.iter().filter(|u| is_glue(file) && only(u)).flat_map(|u| u.files.clone()).collect();
    units.retain(|u| !(is_glue(file) && only(u)));
    // A new `main.rs` begins with its modules; what the program does comes after them.
    let mut begun = false;
    for own in units.iter_mut().flat_map(|u| &mut u.files).filter(|f| f.path == file && !is_glue(file)) {
        begun |= own.operation == Operation::Create;
        own.operation = Operation::Modify;
    }
    let mut operation = if begun || rows.iter().any(|f| f.operation == Operation::Create) {
        Operation::Create
    } else {
        Operation::Modify
    };
    let said = rows.first().map(|f| f.note.clone()).unwrap_or_default();
    let most = match profile {
        Profile::Homerun => 3,
        Profile::Ccw => 5,
        Profile::Default | Profile::Zerg | Profile::Superplanner | Profile::Contract => usize::MAX,
    };
    let mut before = Vec::new();
    for some in paths.chunks(most.min(paths.len()).max(1)) {
        before.push(declaration(file, some, operation, &said));
        operation = Operation::Modify;
    }
    units.splice(0..0, before);
}

/// The unit that declares modules and creates each as an empty file.
fn declaration(file: &str, modules: &[String], operation: Operation, said: &str) -> Unit {
    let of = |path: &str, operation, note: String| UnitFile {
        path: path.to_owned(),
        operation,
        // An empty module needs no test.
        kind: FileKind::Types,
        note,
        lines: None,
    };
    let names: Vec<&str> = modules.iter().map(|path| module_name(path)).collect();
    let listed = match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    };
    let colon = if said.is_empty() { "" } else { "; " };
    let begins = !is_glue(file) && operation == Operation::Create;
    let said = if begins { "an empty `fn main() {}`" } else { said };
    let colon = if begins { "; " } else { colon };
    let mut files = vec![of(file, operation, format!("declare {listed}{colon}{said}"))];
    files.extend(modules.iter().map(|path| of(path, Operation::Create, "an empty module".to_owned())));
    let root = file.split_once("src/").map_or("", |(root, _)| root);
    let check = if root.is_empty() {
        "cargo check".to_owned()
    } else {
        format!("cargo check --manifest-path {}", quote(&format!("{root}Cargo.toml")))
    };
    let plural = if names.len() == 1 { "module" } else { "modules" };
    Unit {
        title: format!("Declare the {plural} {} in {file}", super::words::cut(&listed, 60)),
        text: format!(
            "`{file}` declares {listed} as public modules. Each module is a new file with one comment line that states \
             its purpose. Later tasks write the modules without changing `{file}`."
        ),
        files,
        check: Some(check),
        ..Unit::default()
    }
}

/// Whether a file is a new Rust module.
fn is_module(file: &UnitFile) -> bool {
    let apart = ["tests/", "benches/", "examples/", "src/bin/"];
    let root = matches!(name::stem(&file.path), "main" | "lib" | "build");
    file.operation == Operation::Create
        && file.kind == FileKind::Code
        && file.path.ends_with(".rs")
        && !root
        && !apart.iter().any(|dir| file.path.starts_with(dir) || file.path.contains(&format!("/{dir}")))
}

/// Whether a file only declares modules.
pub(super) fn is_glue(path: &str) -> bool {
    Language::declares_modules(path)
}

/// Whether a file declares the modules of a program and does nothing that a later part goes on with.
pub(super) fn is_program(path: &str) -> bool {
    file_name(path) == "main.rs"
}

/// A separate test file for a new Rust module: an inline test is not compiled before the module is declared, so it
/// could not fail. `None` if the file exists, or no library exports the module.
pub(super) fn apart(
    source: &str,
    repository: &Repository<'_>,
    planned: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let survey = repository.survey();
    let (root, module) = match source.strip_prefix("src/") {
        Some(module) => ("", module),
        None => source.split_once("/src/")?,
    };
    let below = |path: &str| if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") };
    let library = below("src/lib.rs");
    let offered = survey.has(&library) || planned(&library);
    let is_root = matches!(module, "main.rs" | "lib.rs") || module.starts_with("bin/");
    if survey.has(source) || !offered || is_root {
        return None;
    }
    let name = module.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "_");
    Some(below(&format!("tests/{name}.rs")))
}

/// The name of a module in its declaration.
fn module_name(path: &str) -> &str {
    let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
    if file == "mod.rs" { file_name(dir) } else { name::stem(file) }
}

/// The files that could declare a module, the most likely first.
fn above(path: &str) -> Vec<String> {
    let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
    let dir = if file == "mod.rs" { dir_of(dir) } else { dir };
    if dir.rsplit('/').next() == Some("src") {
        return vec![format!("{dir}/lib.rs"), format!("{dir}/main.rs")];
    }
    if dir.is_empty() { Vec::new() } else { vec![format!("{dir}/mod.rs"), format!("{dir}.rs")] }
}

/// The file that has to declare a module; `None` if no such file exists or is planned, or it declares the module already.
fn declaring(path: &str, units: &[Unit], repository: &Repository<'_>) -> Option<String> {
    let survey = repository.survey();
    let found = above(path).into_iter().find(|a| survey.has(a) || units.iter().any(|u| u.owns(a)))?;
    let known = survey.facts(&found).is_some_and(|facts| {
        facts.exports.iter().any(|e| e.kind == ExportKind::Module && e.name == module_name(path))
    });
    (!known).then_some(found)
}

/// Merges a unit that only owns a declaring file into the unit that creates its first module.
fn take_in(units: &mut Vec<Unit>) {
    let mut at = 0;
    while at < units.len() {
        let unit = &units[at];
        let only =
            unit.stated.is_empty() && unit.files.len() == 1 && unit.files.iter().all(|f| is_glue(&f.path));
        let heir = || {
            let path = &units[at].files[0].path;
            units.iter().enumerate().position(|(other, u)| {
                other != at && u.files.iter().any(|f| is_module(f) && above(&f.path).contains(path))
            })
        };
        match only.then(heir).flatten() {
            Some(heir) => {
                let files = std::mem::take(&mut units[at].files);
                units[heir].files.extend(files);
                units.remove(at);
            }
            None => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_declared_above_it() {
        let table = [
            ("src/cart.rs", "src/lib.rs src/main.rs"),
            ("crates/a/src/cart/line.rs", "crates/a/src/cart/mod.rs crates/a/src/cart.rs"),
            ("src/cart/mod.rs", "src/lib.rs src/main.rs"),
            ("build.rs", ""),
        ];
        for (path, expected) in table {
            assert_eq!(above(path).join(" "), expected, "{path}");
        }
        assert_eq!(module_name("src/cart/mod.rs"), "cart");
    }
}
