//! pytest

use windlass_core::report::Runner;

use super::command_line::{base_name, has_any, past_options, text};
use super::row::{BASE, Behind, Detection, Idle, JunitNames, ReportFacts, RunnerRow};
use crate::coverage::{CoverageFacts, CoverageFormat};
use crate::detect::{dir_of, from_dir, nearest, relative};
use crate::repo::Tree;
use crate::report::{JunitCase, Need, ReportFormat};
use crate::script::{ShellWord, quote};

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "pytest",
    programs: &["pytest", "py.test"],
    find: |words, start| python_module(words, start, "pytest"),
    idle: Idle {
        commands: &[],
        list: &["--collect-only", "--co"],
        build: &[],
        other: &[
            "--version",
            "-V",
            "--help",
            "-h",
            "--markers",
            "--fixtures",
            "--setup-plan",
            "--cache-show",
            "--funcargs",
        ],
    },
    selects_by_name: |args| {
        args.iter().any(|arg| arg.text.contains("::")) || has_any(args, &["-m", "--deselect", "--lf"])
    },
    report: Some(ReportFacts {
        runner: Runner::Pytest,
        format: ReportFormat::Junit,
        instrument: |edits, call| {
            let file = edits.expect(call.report, Need::Required);
            edits.append(call, &report_options(&file));
        },
        behind: Behind::Variable { name: "PYTEST_ADDOPTS", options: report_options, works: |_| true },
        junit: JunitNames { name: node_id, is_whole_file: |case| case.class.is_empty(), ..JunitNames::PLAIN },
    }),
    coverage: Some(CoverageFacts {
        tool: "pytest-cov",
        format: CoverageFormat::CoveragePy,
        file: "coverage.json",
        measure: |script, dir, report| {
            let options = format!("--cov=. --cov-report={}", quote(&format!("json:{report}")));
            let env = [("PYTEST_ADDOPTS", options), ("COVERAGE_FILE", format!("{dir}/coverage.data"))];
            Some((script.to_owned(), env.map(|(name, value)| (name.to_owned(), value)).to_vec()))
        },
    }),
    builds_first: false,
    detect: Detection {
        endings: &["py"],
        applies: |_, _| true,
        command: |tree, file| {
            let (script, config) = python_command(tree, file, "pytest");
            Some((script, config.unwrap_or_else(|| "a Python test".to_owned())))
        },
        ..BASE.detect
    },
};

/// `xunit1` because it is the family that names the file of a test.
fn report_options(file: &str) -> String {
    format!("--junitxml={} -o junit_family=xunit1", quote(file))
}

/// The node id that pytest itself would print.
fn node_id(case: &JunitCase) -> String {
    let within = |outer: &str| format!("{outer}::{}", case.name);
    let Some(file) = &case.file else {
        return if case.class.is_empty() { case.name.clone() } else { within(&case.class) };
    };
    if case.class.is_empty() {
        return file.clone();
    }
    let module = file.trim_end_matches(".py").replace('/', ".");
    match case.class.strip_prefix(&module) {
        Some("") => within(file),
        Some(classes) => within(&format!("{file}::{}", classes.trim_start_matches('.').replace('.', "::"))),
        None => within(&case.class),
    }
}

/// The index of the module in `python -m MODULE`, also behind `coverage run -m`.
pub(super) fn python_module(words: &[ShellWord], start: usize, module: &str) -> Option<usize> {
    let program = base_name(&words[start]);
    let is_python = ["python", "pypy"].iter().any(|name| {
        program.strip_prefix(name).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    });
    if !is_python {
        return None;
    }
    let mut at = past_options(words, start + 1, &["-W", "-X"]);
    // `past_options` takes `-m` for an option without a value.
    if text(words, at.wrapping_sub(1)) != "-m" {
        return None;
    }
    if text(words, at) == "coverage" && text(words, at + 1) == "run" {
        at = past_options(words, at + 2, &["--source", "--rcfile", "--include", "--omit"]);
    }
    (text(words, at) == module).then_some(at)
}

/// `python -m MODULE FILE` from the directory of the nearest configuration, and that configuration.
pub(super) fn python_command(tree: &dyn Tree, file: &str, module: &str) -> (String, Option<String>) {
    const CONFIGS: [&str; 8] = [
        "pyproject.toml",
        "pytest.ini",
        "tox.ini",
        "setup.cfg",
        "setup.py",
        "uv.lock",
        "poetry.lock",
        "Pipfile",
    ];
    const MANAGERS: [(&str, &str); 3] = [
        ("uv.lock", "uv run --frozen python"),
        ("poetry.lock", "poetry run python"),
        ("Pipfile.lock", "pipenv run python"),
    ];
    let config = nearest(tree, file, &CONFIGS);
    let dir = config.as_deref().map_or("", dir_of);
    let managed = MANAGERS.iter().find(|(lock, _)| nearest(tree, file, &[lock]).is_some());
    let python = managed.map_or("python3", |(_, python)| python);
    let script = format!("{python} -m {module} {}", quote(relative(dir, file)));
    (from_dir(dir, &script), config)
}

#[cfg(test)]
mod tests;
