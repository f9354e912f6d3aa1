//! Files that the criteria of a unit name: the unit with the criterion changes the file, unless another unit has it already.

use super::note::CriterionPlacement;
use super::unit::{Unit, UnitFile};
use crate::file_kind::FileKind;
use crate::repository::Repository;
use crate::spec::{Authority, FileRow, Operation, Spec, SpecCriterion};

/// Gives units the files that their criteria name.
pub(super) fn own_named_files(
    units: &mut [Unit],
    spec: &Spec,
    repository: &Repository<'_>,
    links: &[CriterionPlacement],
) {
    // Trees and tables of files are complete.
    let is_listed =
        |row: &FileRow| matches!(row.authority, Authority::Ownership | Authority::Task | Authority::Tree);
    if spec.files.iter().any(is_listed) {
        return;
    }
    for link in links {
        let Some(criterion) = spec.criteria.iter().find(|c| c.id == link.criterion) else { continue };
        for row in spec.mentions.iter().filter(|row| is_named(criterion, row)) {
            let is_planned = units.iter().any(|unit| unit.files.iter().any(|file| file.path == row.path));
            if is_planned || is_document(spec, &row.path) {
                continue;
            }
            let exists = repository.survey().has(&row.path);
            let unit = &mut units[link.unit];
            unit.files.push(UnitFile {
                path: row.path.clone(),
                operation: if exists { Operation::Modify } else { Operation::Create },
                kind: FileKind::of(&row.path),
                note: String::new(),
                lines: None,
            });
        }
    }
}

/// Whether a criterion names the file of a row.
fn is_named(criterion: &SpecCriterion, row: &FileRow) -> bool {
    let (one, other) = (criterion.span, row.span);
    let overlap = one.file == other.file && one.start < other.end && other.start < one.end;
    overlap && criterion.text.contains(&row.path)
}

/// Whether a file is one of the documents that are planned from.
fn is_document(spec: &Spec, path: &str) -> bool {
    spec.documents
        .iter()
        .any(|d| d.path.strip_suffix(path).is_some_and(|head| head.is_empty() || head.ends_with('/')))
}
