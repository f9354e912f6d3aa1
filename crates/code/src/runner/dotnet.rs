//! dotnet test, judged by its exit code

use super::row::{BASE, Detection, RunnerRow};
use crate::language::csharp_project;
use crate::script::quote;
use windlass_core::path_text::name_stem;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "dotnet test",
    detect: Detection {
        endings: &["cs"],
        applies: |_, _| true,
        command: |tree, file| {
            let project = csharp_project(tree, file)?;
            let filter = format!("FullyQualifiedName~{}", quote(name_stem(file)));
            // Without the last words a run that finds no test passes.
            let strict = "-- RunConfiguration.TreatNoTestsAsError=true";
            Some((format!("dotnet test {} --filter {filter} {strict}", quote(&project)), project))
        },
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
