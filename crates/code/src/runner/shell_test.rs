//! A shell script, judged by its exit code

use super::row::{BASE, Detection, RunnerRow};
use crate::detect::text;
use crate::script::quote;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "sh",
    detect: Detection {
        endings: &["sh", "bash"],
        applies: |_, _| true,
        command: |tree, file| {
            let text = text(tree, file).unwrap_or_default();
            let first = text.lines().next().unwrap_or_default();
            let plain = first.starts_with("#!") && !first.contains("bash");
            let shell = if plain { "sh" } else { "bash" };
            Some((format!("{shell} {}", quote(file)), "a shell script".to_owned()))
        },
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
