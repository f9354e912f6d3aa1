//! Words of a command line: wrappers in front of a program, options with and without values.

use crate::script::ShellWord;
use windlass_core::path_text::file_name;

/// The index of the first word that is the program itself, behind `env`, `timeout`, `uv run`, `npx` and the like.
pub(crate) fn past_wrappers(words: &[ShellWord], from: usize) -> usize {
    let mut at = from;
    loop {
        let before = at;
        while words.get(at).is_some_and(ShellWord::is_assignment) {
            at += 1;
        }
        let Some(word) = words.get(at) else { return at };
        at = past_wrapper(words, at, base_name(word));
        if at == before {
            return at;
        }
    }
}

fn past_wrapper(words: &[ShellWord], at: usize, program: &str) -> usize {
    let next = text(words, at + 1);
    match program {
        "env" | "cross-env" | "nohup" | "command" | "exec" | "time" | "xvfb-run" | "stdbuf" => {
            past_options(words, at + 1, &["-u", "--unset", "-C", "--chdir"])
        }
        "nyc" | "c8" => past_options(words, at + 1, &COVERAGE_VALUES),
        // `node node_modules/.bin/jest`
        "node" => {
            let file = past_options(words, at + 1, &["-r", "--require", "--import", "--loader"]);
            if text(words, file).contains("node_modules/") { file } else { at }
        }
        "nice" => past_options(words, at + 1, &["-n", "--adjustment"]),
        // The duration follows the options.
        "timeout" => past_options(words, at + 1, &["-k", "--kill-after", "-s", "--signal"]) + 1,
        "npx" | "bunx" | "uvx" => past_options(words, at + 1, &["-p", "--package", "--from", "--with"]),
        "uv" | "poetry" | "pipenv" | "pdm" | "rye" | "hatch" | "mise" | "pixi"
            if matches!(next, "run" | "exec" | "x") =>
        {
            past_options(words, at + 2, &UV_VALUES)
        }
        "pnpm" | "yarn" | "npm" | "bun" if matches!(next, "exec" | "dlx" | "x") => {
            past_options(words, at + 2, &["-p", "--package"])
        }
        "bundle" if next == "exec" => at + 2,
        "pnpm" | "yarn" | "bun"
            if matches!(
                next,
                "vitest" | "jest" | "mocha" | "tsx" | "uvu" | "ava" | "tap" | "tape" | "c8" | "nyc"
            ) =>
        {
            at + 1
        }
        _ => at,
    }
}

/// Options of nyc and c8 that take a value.
const COVERAGE_VALUES: [&str; 21] = [
    "-r",
    "--reporter",
    "--report-dir",
    "--reports-dir",
    "-o",
    "-t",
    "--temp-dir",
    "--temp-directory",
    "-x",
    "--exclude",
    "-n",
    "--include",
    "-e",
    "--extension",
    "--src",
    "--cwd",
    "--lines",
    "--branches",
    "--functions",
    "--statements",
    "--require",
];

/// Where an option of nyc or c8 goes that is to win over all others, and the option that ends their thresholds: they are
/// about all code, which one test file of many never reaches.
pub(crate) fn without_threshold(words: &[ShellWord], runner: usize) -> Option<(usize, &'static str)> {
    let at = words[..runner].iter().position(|word| matches!(base_name(word), "nyc" | "c8"))?;
    let option = if base_name(&words[at]) == "c8" {
        "--100=false --check-coverage=false "
    } else {
        "--check-coverage=false "
    };
    let command = words.get(past_options(words, at + 1, &COVERAGE_VALUES))?;
    Some((command.range.start, option))
}

/// Options of `uv run` and its relatives that take a value.
const UV_VALUES: [&str; 14] = [
    "--with",
    "--extra",
    "--group",
    "--only-group",
    "--python",
    "-p",
    "--package",
    "--directory",
    "--project",
    "--env-file",
    "--index",
    "--with-requirements",
    "--with-editable",
    "-e",
];

/// The index of the first word that is no option; `with_value` are the options that take the next word.
pub(super) fn past_options(words: &[ShellWord], from: usize, with_value: &[&str]) -> usize {
    let mut at = from;
    while let Some(word) = words.get(at) {
        if word.text == "--" {
            return at + 1;
        }
        if !word.text.starts_with('-') {
            return at;
        }
        at += if with_value.contains(&word.text.as_str()) { 2 } else { 1 };
    }
    at
}

/// Whether an option is given, by itself or with a value behind `=`.
pub(super) fn has_option(args: &[ShellWord], name: &str) -> bool {
    args.iter().any(|word| {
        word.text == name || word.text.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))
    })
}

/// Whether one of these options is given.
pub(super) fn has_any(args: &[ShellWord], names: &[&str]) -> bool {
    names.iter().any(|name| has_option(args, name))
}

/// Whether one of these options has a pattern that ends with `$`.
pub(super) fn is_anchored(args: &[ShellWord], names: &[&str]) -> bool {
    args.iter().enumerate().any(|(at, option)| {
        let value = args.get(at + 1).filter(|_| names.contains(&option.text.as_str()));
        let inline = names.iter().any(|name| option.text.starts_with(name)) && option.text.contains('$');
        inline || value.is_some_and(|value| value.text.contains('$'))
    })
}

/// The file name of a program word; of a file below `node_modules` without its ending.
pub(crate) fn base_name(word: &ShellWord) -> &str {
    let name = file_name(&word.text);
    if !word.text.contains("node_modules/") {
        return name;
    }
    let bare = [".js", ".mjs", ".cjs"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    bare.trim_start_matches('_')
}

/// The text of a word, empty where there is none.
pub(super) fn text(words: &[ShellWord], at: usize) -> &str {
    words.get(at).map_or("", |word| word.text.as_str())
}

#[cfg(test)]
mod tests;
