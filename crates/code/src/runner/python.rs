//! What pytest and unittest share: how Python starts them, and stand-ins for modules that are missing.

use super::command_line::{base_name, past_options, text};
use super::row::StandInAnswer;
use crate::detect::{dir_of, from_dir, nearest, relative};
use crate::language::django_settings;
use crate::repo::Tree;
use crate::script::{ShellWord, quote};

/// Python's own hook: loaded before anything else, whichever program of Python starts.
const STAND_INS: &str = include_str!("python/stand_ins.py");

/// Lines that put the stand-ins in front of everything Python loads.
pub(super) fn stand_ins(owned: &[String], answer: StandInAnswer) -> String {
    let files = owned.iter().filter(|path| path.ends_with(".py") && !path.contains(':'));
    let files: Vec<&str> = files.map(String::as_str).collect();
    let answer = match answer {
        StandInAnswer::Yes => "1",
        StandInAnswer::No => "0",
    };
    format!(
        "mkdir -p \"$TMPDIR/stand-ins\"\n\
         cat >\"$TMPDIR/stand-ins/sitecustomize.py\" <<'WINDLASS_STAND_INS'\n{STAND_INS}\nWINDLASS_STAND_INS\n\
         export PYTHONPATH=\"$TMPDIR/stand-ins${{PYTHONPATH:+:$PYTHONPATH}}\"\n\
         export PYTHONDONTWRITEBYTECODE=1 WINDLASS_ANSWER={answer} WINDLASS_STAND_INS={}",
        quote(&files.join(":"))
    )
}

/// The index of the module in `python -m MODULE`, also behind `coverage run -m`.
pub(super) fn python_module(words: &[ShellWord], start: usize, module: &str) -> Option<usize> {
    const COVERAGE_VALUES: [&str; 8] = [
        "--source",
        "--rcfile",
        "--include",
        "--omit",
        "--concurrency",
        "--context",
        "--data-file",
        "--debug",
    ];
    let program = base_name(&words[start]);
    if program.starts_with("coverage") && text(words, start + 1) == "run" {
        let at = past_options(words, start + 2, &COVERAGE_VALUES);
        return (text(words, at - 1) == "-m" && text(words, at) == module).then_some(at);
    }
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
        at = past_options(words, at + 2, &COVERAGE_VALUES);
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
    let config = nearest(tree, file, &CONFIGS);
    let dir = config.as_deref().map_or("", dir_of);
    // The programs of the environment that the set-up made are first on the path.
    let django = django_settings(tree, dir).filter(|_| module == "pytest");
    let settings = django.map(|name| format!("DJANGO_SETTINGS_MODULE={name} ")).unwrap_or_default();
    let script = format!("{settings}python3 -m {module} {}", quote(relative(dir, file)));
    (from_dir(dir, &script), config)
}
