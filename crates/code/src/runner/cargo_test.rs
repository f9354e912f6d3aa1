//! cargo test

use windlass_core::report::Runner;

use super::command_line::{base_name, has_any, past_options, text};
use super::row::{BASE, Behind, BuildFacts, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::coverage::{CoverageFacts, CoverageFormat, MeasuringScript};
use crate::detect::automation::runs_with;
use crate::detect::{from_dir, in_dir, relative, toml};
use crate::language::{CargoPackage, cargo_package, cargo_root};
use crate::repo::Tree;
use crate::report::ReportFormat;
use crate::script::{ScriptEdits, ShellWord, quote};

use super::RunnerCall;

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "cargo test",
    find: |words, start| {
        let at = cargo_command(words, start)?;
        matches!(text(words, at), "test" | "t").then_some(at)
    },
    idle: Idle {
        commands: &[],
        list: &["--list"],
        build: &["--no-run", "--build-plan"],
        other: &["--help", "-h"],
    },
    selects_by_name: selects_exactly,
    build: Some(BuildFacts {
        only: |edits, call| {
            edits.insert_behind_runner(call, " --no-run");
            if let Some((name, value)) = edits.tree().and_then(lint_cap) {
                edits.set_env(name, value);
            }
        },
        fails_alike: true,
    }),
    // What an incremental build writes down helps only the next build in the same place.
    fresh_build: &[("CARGO_INCREMENTAL", "0")],
    starts_by: RUNNER_VARIABLES,
    report: Some(ReportFacts {
        runner: Runner::CargoTest,
        format: ReportFormat::Libtest,
        instrument,
        behind: Behind::Output {
            env: &[("CARGO_TERM_COLOR", "never")],
            works: |words| !words.iter().any(|word| matches!(word.text.as_str(), "-q" | "--quiet")),
        },
        junit: JunitNames::PLAIN,
    }),
    coverage: Some(CoverageFacts {
        measure: |script, _, report| llvm_cov(script, ("cargo test", "cargo llvm-cov test"), report),
        ..LLVM_COV
    }),
    detect: Detection {
        endings: &["rs"],
        applies: |_, _| true,
        command: |tree, file| cargo_command_for(tree, file, "cargo test"),
        ..BASE.detect
    },
    ..BASE
};

/// The variable of every machine that this program is built for; cargo reads that of its own.
pub(super) const RUNNER_VARIABLES: &[(&str, &str)] = &[
    ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", "{}"),
    ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUNNER", "{}"),
    ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", "{}"),
    ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", "{}"),
    ("CARGO_TARGET_X86_64_APPLE_DARWIN_RUNNER", "{}"),
    ("CARGO_TARGET_AARCH64_APPLE_DARWIN_RUNNER", "{}"),
];

/// Roots of crates that deny every warning.
const DENIES: [&str; 3] = ["deny(warnings", "deny( warnings", "forbid(warnings"];

/// The variable that lets warnings be warnings while tests are built, where the repository denies them: a newer compiler finds more
/// of them, and whether there are new ones is asked apart. Flags of the user's own are kept.
pub fn lint_cap(tree: &dyn Tree) -> Option<(&'static str, &'static str)> {
    let is_root = |path: &&String| path.ends_with("lib.rs") || path.ends_with("main.rs");
    let denies = |text: &str| DENIES.iter().any(|words| text.contains(words));
    let mut roots = tree.paths().iter().filter(is_root);
    let any = roots.any(|path| crate::detect::text(tree, path).is_some_and(|text| denies(&text)));
    any.then_some(("CARGO_BUILD_RUSTFLAGS", "--cap-lints=warn"))
}

/// Quiet output has no names, and uncaptured output breaks into the lines that have them.
fn instrument(edits: &mut ScriptEdits<'_>, call: &RunnerCall<'_>) {
    if !edits.copy_output(call) {
        return;
    }
    let mut harness = false;
    let mut drop_next = false;
    for (index, word) in call.command.words.iter().enumerate() {
        let text = word.text.as_str();
        let value = std::mem::take(&mut drop_next);
        let quiet = matches!(text, "-q" | "--quiet");
        let loud = harness && matches!(text, "--nocapture" | "--no-capture");
        let format = harness && (text == "--format" || text.starts_with("--format="));
        drop_next = format && text == "--format";
        if value || quiet || loud || format {
            edits.replace(word.range.clone(), String::new());
        }
        harness |= index > call.at && text == "--";
    }
    // Without it the targets behind the first one that fails do not run.
    if !call.has("--no-fail-fast") {
        edits.insert_behind_runner(call, " --no-fail-fast");
    }
    let cap = edits.tree().and_then(lint_cap);
    for (key, value) in [("CARGO_TERM_QUIET", "false"), ("CARGO_TERM_COLOR", "never")].into_iter().chain(cap)
    {
        edits.set_env(key, value);
    }
}

/// The index of cargo's subcommand.
pub(super) fn cargo_command(words: &[ShellWord], start: usize) -> Option<usize> {
    if !matches!(base_name(&words[start]), "cargo" | "cargo-nextest") {
        return None;
    }
    let toolchain = usize::from(text(words, start + 1).starts_with('+'));
    Some(past_options(words, start + 1 + toolchain, &["--color", "-C", "--config", "-Z", "--manifest-path"]))
}

pub(super) fn selects_exactly(args: &[ShellWord]) -> bool {
    has_any(args, &["--exact", "-E", "--filter-expr"])
}

pub(super) const LLVM_COV: CoverageFacts = CoverageFacts {
    tool: "cargo-llvm-cov",
    format: CoverageFormat::Lcov,
    file: "lcov.info",
    measure: |_, _, _| None,
};

/// The script with the command under `cargo llvm-cov`.
pub(super) fn llvm_cov(script: &str, (from, to): (&str, &str), report: &str) -> Option<MeasuringScript> {
    let (before, after) = script.split_once(from)?;
    Some((format!("{before}{to} --lcov --output-path {}{after}", quote(report)), Vec::new()))
}

/// The command for a Rust file, from the root of its workspace.
pub(super) fn cargo_command_for(tree: &dyn Tree, file: &str, program: &str) -> Option<(String, String)> {
    let root = cargo_root(tree, file)?;
    let package = coming_package(tree, &root, file).or_else(|| cargo_package(tree, file))?;
    let is_workspace =
        toml(tree, &in_dir(&root, "Cargo.toml")).is_some_and(|table| table.contains_key("workspace"));
    let select = if package.dir == root && !is_workspace {
        String::new()
    } else {
        format!(" -p {}", quote(&package.name))
    };
    let mut target = target_options(tree, &package, relative(&package.dir, file));
    if !target.contains(" --features ") && wants_all_features(tree, &package, file) {
        target.push_str(" --all-features");
    }
    Some((from_dir(&root, &format!("{program}{select}{target}")), in_dir(&package.dir, "Cargo.toml")))
}

/// The package of a file whose manifest is still to be written, as where a task adds a crate to a workspace. It is named like its
/// directory, until the manifest says otherwise.
fn coming_package(tree: &dyn Tree, root: &str, file: &str) -> Option<CargoPackage> {
    let inner = relative(root, file);
    let mut parts = inner.split('/');
    let own: Vec<&str> = parts.by_ref().take_while(|part| !matches!(*part, "src" | "tests")).collect();
    let name = (*own.last()?).to_owned();
    let dir = in_dir(root, &own.join("/"));
    let workspace = toml(tree, &in_dir(root, "Cargo.toml"))?;
    // Without such a directory, the whole path was taken.
    let is_coming = own.join("/").len() < inner.len()
        && workspace.contains_key("workspace")
        && !own.iter().enumerate().any(|(at, _)| {
            let above = in_dir(root, &own[..=at].join("/"));
            tree.has(&in_dir(&above, "Cargo.toml"))
        });
    let (edition, manifest) = ("2021".to_owned(), toml::Table::new());
    is_coming.then_some(CargoPackage { dir, name, edition, manifest })
}

/// The options that select the target, and the module inside it, for a file of the package.
fn target_options(tree: &dyn Tree, package: &CargoPackage, inner: &str) -> String {
    if let Some((name, features)) = named_test(package, inner) {
        return format!(" --test {}{features}", quote(&name));
    }
    let stem = inner.trim_end_matches(".rs");
    if let Some(rest) = stem.strip_prefix("tests/") {
        let name = rest.strip_suffix("/main").unwrap_or(rest);
        return match name.split_once('/') {
            None if finds_no_tests(package) => of_module(tree, package, name),
            None => format!(" --test {}", quote(name)),
            // A module of `tests/name/main.rs`, or else shared code of all of them.
            Some((target, _)) if tree.has(&in_dir(&package.dir, &format!("tests/{target}/main.rs"))) => {
                format!(" --test {}", quote(target))
            }
            Some(_) => " --tests".to_owned(),
        };
    }
    if let Some(name) = stem.strip_prefix("src/bin/") {
        return format!(" --bin {}", quote(name.split('/').next().unwrap_or(name)));
    }
    let Some(module) = stem.strip_prefix("src/") else { return String::new() };
    let has = |name: &str| tree.has(&in_dir(&package.dir, name));
    if module == "main" || (has("src/main.rs") && !has("src/lib.rs") && module != "lib") {
        let filter = if module == "main" { String::new() } else { module_filter(module) };
        return format!(" --bin {}{filter}", quote(&package.name));
    }
    if module == "lib" { " --lib".to_owned() } else { format!(" --lib{}", module_filter(module)) }
}

/// Whether a file has parts for features that are off by default, and the repository runs its tests with all of them.
fn wants_all_features(tree: &dyn Tree, package: &CargoPackage, file: &str) -> bool {
    let table = package.manifest.get("features").and_then(toml::Value::as_table);
    let on = |feature: &str| {
        let listed = table.and_then(|all| all.get("default")).and_then(toml::Value::as_array);
        listed.is_some_and(|list| list.iter().any(|name| name.as_str() == Some(feature)))
    };
    let source = crate::detect::text(tree, file).unwrap_or_default();
    let names = |feature: &str| source.contains(&format!("feature = \"{feature}\""));
    let off = |feature: &&String| feature.as_str() != "default" && !on(feature) && names(feature);
    table.is_some_and(|all| all.keys().any(|feature| off(&feature)))
        && runs_with(tree, &["cargo", "test", "--all-features"])
}

/// Whether only the tests are targets that the manifest names.
fn finds_no_tests(package: &CargoPackage) -> bool {
    let own = package.manifest.get("package").and_then(|table| table.get("autotests"));
    own.and_then(toml::Value::as_bool) == Some(false)
}

/// The option for the named test whose file has a module, or for all of them.
fn of_module(tree: &dyn Tree, package: &CargoPackage, module: &str) -> String {
    let tests = package.manifest.get("test").and_then(toml::Value::as_array);
    let text = |test: &toml::Value, key: &str| test.get(key).and_then(|v| v.as_str()).map(str::to_owned);
    let holder = tests.into_iter().flatten().find_map(|test| {
        let name = text(test, "name")?;
        let path = text(test, "path").unwrap_or_else(|| format!("tests/{name}.rs"));
        let source = crate::detect::text(tree, &in_dir(&package.dir, &path))?;
        let declares = |line: &str| line.trim().trim_start_matches("pub ") == format!("mod {module};");
        source.lines().any(declares).then_some(name)
    });
    holder.map_or_else(|| " --tests".to_owned(), |name| format!(" --test {}", quote(&name)))
}

/// The name of a `[[test]]` that is this file, and the option for the features without which cargo leaves it out.
fn named_test(package: &CargoPackage, inner: &str) -> Option<(String, String)> {
    let tests = package.manifest.get("test")?.as_array()?;
    let text = |test: &toml::Value, key: &str| test.get(key).and_then(|v| v.as_str()).map(str::to_owned);
    let is_own = |test: &&toml::Value| match (text(test, "path"), text(test, "name")) {
        (Some(path), _) => path == inner,
        (None, Some(name)) => inner == format!("tests/{name}.rs") || inner == format!("tests/{name}/main.rs"),
        (None, None) => false,
    };
    let own = tests.iter().find(is_own)?;
    let wanted = own.get("required-features").and_then(|list| list.as_array());
    let wanted: Vec<&str> = wanted.into_iter().flatten().filter_map(|feature| feature.as_str()).collect();
    let features =
        if wanted.is_empty() { String::new() } else { format!(" --features {}", quote(&wanted.join(","))) };
    Some((text(own, "name")?, features))
}

/// ` a::b::` out of `a/b` and `a/b/mod`.
fn module_filter(module: &str) -> String {
    let path = module.strip_suffix("/mod").unwrap_or(module).replace('/', "::");
    format!(" {}", quote(&format!("{path}::")))
}

#[cfg(test)]
mod tests;
