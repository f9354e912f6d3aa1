//! minitest and test-unit: `ruby test/x_test.rb` or `rails test`

use windlass_core::report::Runner;

use super::command_line::{base_name, has_any, past_options, text};
use super::row::{BASE, Behind, Detection, JunitNames, ReportFacts, RunnerRow};
use crate::detect::{dir_of, from_dir, in_dir, nearest, relative};
use crate::repo::Tree;
use crate::report::ReportFormat;
use crate::script::{ShellWord, quote};

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "minitest",
    find,
    selects_by_name: |args| has_any(args, &["-n", "--name"]),
    report: Some(ReportFacts {
        runner: Runner::Minitest,
        format: ReportFormat::Minitest,
        instrument: |edits, call| {
            if !call.can_copy_output() {
                return;
            }
            // Both print names only with `-v`.
            if !call.has("-v") && !call.has("--verbose") {
                edits.append(call, "-v");
            }
            edits.copy_output(call);
        },
        behind: Behind::Unreachable,
        junit: JunitNames::PLAIN,
    }),
    builds_first: false,
    detect: Detection {
        endings: &["rb"],
        applies: |_, _| true,
        command: |tree, file| {
            Some(bundled(tree, file, |dir, bundle| {
                if tree.has(&in_dir(dir, "bin/rails")) {
                    "bin/rails test".to_owned()
                } else {
                    format!("{bundle}ruby -Ilib -Itest")
                }
            }))
        },
        ..BASE.detect
    },
    ..BASE
};

/// A file that is named like a test; any other may be anything.
fn find(words: &[ShellWord], start: usize) -> Option<usize> {
    match base_name(&words[start]) {
        "rails" => (text(words, start + 1) == "test").then_some(start + 1),
        "ruby" => {
            let file = past_options(words, start + 1, &["-I", "-r"]);
            let stem = base_name(words.get(file).filter(|word| word.fixed)?).strip_suffix(".rb")?;
            (stem.ends_with("_test") || stem.starts_with("test_")).then_some(file)
        }
        _ => None,
    }
}

/// A command with the file, from the directory of the nearest Gemfile. `command` is given that directory and what runs a
/// program of the bundle.
pub(super) fn bundled(
    tree: &dyn Tree,
    file: &str,
    command: impl Fn(&str, &str) -> String,
) -> (String, String) {
    let gemfile = nearest(tree, file, &["Gemfile", "gems.rb"]);
    let dir = gemfile.as_deref().map_or("", dir_of);
    let bundle = if gemfile.is_some() { "bundle exec " } else { "" };
    let script = format!("{} {}", command(dir, bundle), quote(relative(dir, file)));
    (from_dir(dir, &script), gemfile.clone().unwrap_or_else(|| "a Ruby test".to_owned()))
}

#[cfg(test)]
mod tests;
