//! A target of a Makefile, judged by its exit code

use super::row::{BASE, Detection, RunnerRow};
use crate::detect::{dir_of, first_in, from_dir, in_dir, text, upwards};
use crate::repo::Tree;
use crate::script::quote;
use windlass_core::path_text::name_stem;

/// The names of a Makefile, as make looks for them.
pub(crate) const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "make",
    detect: Detection {
        endings: &["c", "cc", "cpp", "cxx"],
        applies: |_, _| true,
        command: |tree, file| {
            let mut makefiles = upwards(file).filter_map(|dir| first_in(tree, dir, &MAKEFILES));
            makefiles.find_map(|path| Some((target_command(tree, file, &path)?, path)))
        },
        ..BASE.detect
    },
    ..BASE
};

/// `test-<name>` for one file, else `test` or `check`.
fn target_command(tree: &dyn Tree, file: &str, makefile: &str) -> Option<String> {
    let stem = name_stem(file);
    // `tests/test_cart.c` and `cart_test.c` are the tests of `cart`.
    let bare = stem.strip_prefix("test_").or_else(|| stem.strip_suffix("_test")).unwrap_or(stem);
    let own = [stem, bare]
        .into_iter()
        .flat_map(|name| [format!("test-{name}"), format!("test_{name}"), format!("check-{name}")]);
    let recipes = text(tree, makefile)?;
    let mut targets = own.chain([stem, "test", "check"].map(str::to_owned));
    let target = targets.find(|target| !recipe(&recipes, target).is_empty())?;
    // A file or directory of that name would always be up to date.
    let is_phony = recipes.lines().any(|line| {
        line.strip_prefix(".PHONY:").is_some_and(|names| names.split_whitespace().any(|name| name == target))
    });
    let dir = dir_of(makefile);
    let same_name = in_dir(dir, &target);
    let below = format!("{same_name}/");
    let stands = tree.has(&same_name) || tree.paths().iter().any(|path| path.starts_with(&below));
    let again = if stands && !is_phony { " -B" } else { "" };
    Some(from_dir(dir, &format!("make{again} {}", quote(&target))))
}

/// The recipe lines of one target.
pub(crate) fn recipe<'a>(makefile: &'a str, target: &str) -> Vec<&'a str> {
    let mut lines = makefile.lines();
    let is_rule = |line: &str| {
        line.split_once(':').is_some_and(|(names, after)| {
            !line.starts_with('\t')
                && !after.starts_with('=')
                && names.split_whitespace().any(|name| name == target)
        })
    };
    if !lines.any(is_rule) {
        return Vec::new();
    }
    lines.take_while(|line| line.starts_with('\t') || line.trim().is_empty()).map(str::trim).collect()
}

#[cfg(test)]
mod tests;
