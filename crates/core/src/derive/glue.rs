//! Files that tie others together: a Rust module is seen by nobody until the file above it declares it, so whoever
//! creates the one changes the other.

use super::kind::FileKind;
use super::name;
use super::unit::{Unit, UnitFile};
use crate::spec::Operation;
use crate::survey::{ExportKind, Ground};

/// Gives units the files that declare what they create; units that would only do that are taken into those.
pub(super) fn glue(units: &mut Vec<Unit>, ground: &dyn Ground) {
    take_in(units);
    for at in 0..units.len() {
        let created: Vec<String> =
            units[at].files.iter().filter(|f| is_module(f)).map(|f| f.path.clone()).collect();
        for path in created {
            let Some(above) = declaring(&path, units, ground) else { continue };
            if !units[at].files.iter().any(|f| f.path == above) {
                // Not code that anybody would test.
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

/// Whether a file is a Rust module that is new.
fn is_module(file: &UnitFile) -> bool {
    let apart = ["tests/", "benches/", "examples/", "src/bin/"];
    let root = matches!(name::stem(&file.path), "main" | "lib" | "build");
    file.operation == Operation::Create
        && file.kind == FileKind::Code
        && file.path.ends_with(".rs")
        && !root
        && !apart.iter().any(|dir| file.path.starts_with(dir) || file.path.contains(&format!("/{dir}")))
}

/// Whether a file's use is to declare others.
pub(super) fn is_glue(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("mod.rs" | "lib.rs"))
}

/// The name a module is declared by.
fn module_name(path: &str) -> &str {
    let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
    if file == "mod.rs" { dir.rsplit('/').next().unwrap_or(dir) } else { name::stem(file) }
}

/// The files that could declare a module, the likeliest first.
fn above(path: &str) -> Vec<String> {
    let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
    let dir = if file == "mod.rs" { dir.rsplit_once('/').map_or("", |(up, _)| up) } else { dir };
    if dir.rsplit('/').next() == Some("src") {
        return vec![format!("{dir}/lib.rs"), format!("{dir}/main.rs")];
    }
    if dir.is_empty() { Vec::new() } else { vec![format!("{dir}/mod.rs"), format!("{dir}.rs")] }
}

/// The file that is to declare a module, if it is there or is made, and does not do so yet.
fn declaring(path: &str, units: &[Unit], ground: &dyn Ground) -> Option<String> {
    let survey = ground.survey();
    let found = above(path).into_iter().find(|a| survey.has(a) || units.iter().any(|u| u.owns(a)))?;
    let known = survey.facts(&found).is_some_and(|facts| {
        facts.exports.iter().any(|e| e.kind == ExportKind::Module && e.name == module_name(path))
    });
    (!known).then_some(found)
}

/// A unit that owns nothing but such a file, and was not asked for as a task, belongs to who creates the first module.
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
