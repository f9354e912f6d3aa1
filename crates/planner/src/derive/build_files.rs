//! Build files that name the entry point: the task that writes the entry point of a new program also registers it there.

use super::unit::{Unit, UnitFile};
use super::usual_order::is_entry;
use crate::file_kind::FileKind;
use crate::repository::Repository;
use crate::spec::Operation;
use windlass_code::survey::Language;
use windlass_core::path_text::file_name;

/// Lets the unit of a new entry point change the build file that another unit creates.
pub(super) fn wire_entry(units: &mut [Unit], repository: &Repository<'_>) {
    let created = |unit: &Unit| -> Option<String> {
        let names = |path: &str| {
            Language::of_manifest(file_name(path)).is_some_and(|language| language.row().manifest_names_entry)
        };
        let new = |f: &&UnitFile| f.operation == Operation::Create && names(&f.path);
        unit.owned().find(new).map(|f| f.path.clone()).filter(|path| !repository.survey().has(path))
    };
    let build = units.iter().find_map(created);
    let is_named = |f: &UnitFile| Language::row_of(&f.path).manifest_names_entry && is_entry(&f.path);
    let starts = |unit: &Unit| unit.of_kind(FileKind::Code).any(is_named);
    let entry = units.iter().position(starts);
    if let (Some(path), Some(entry)) = (build, entry)
        && !units[entry].owns(&path)
    {
        let note = "names the class that the program starts with".to_owned();
        units[entry].files.push(UnitFile {
            kind: FileKind::of(&path),
            path,
            operation: Operation::Modify,
            note,
            lines: None,
        });
    }
}
