//! Reads a plan in any format and prints it: `read_plan PATH [--detect] [--from D] [--to D]`.
//!
//! Without `--to` the plan is printed as JSON, with the findings on stderr; with it, every file of the plan in that
//! format follows a line `=== path`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example that prints")]
#![expect(clippy::disallowed_methods, reason = "the purity wall is for the library; this is a program")]

use std::path::Path;
use std::process::ExitCode;

use windlass_core::dialect::{self, Dialect, Input, TextFile};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (mut path, mut from, mut to, mut detect_only) = (None, None, None, false);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--detect" => detect_only = true,
            "--from" => from = args.next().and_then(|d| d.parse::<Dialect>().ok()),
            "--to" => to = args.next().and_then(|d| d.parse::<Dialect>().ok()),
            _ => path = Some(arg),
        }
    }
    let Some(path) = path else {
        eprintln!("usage: read_plan PATH [--detect] [--from FORMAT] [--to FORMAT]");
        return ExitCode::from(2);
    };
    let input = input(&path);
    let found = dialect::detect(&input);
    if detect_only {
        let names: Vec<&str> = found.iter().map(|d| d.as_str()).collect();
        println!("{}", names.join(" "));
        return ExitCode::SUCCESS;
    }
    let Some(from) = from.or_else(|| found.first().copied()) else {
        eprintln!("error: `{path}` is no plan of a known format");
        return ExitCode::from(2);
    };
    let loaded = dialect::read(from, &input);
    for d in &loaded.diagnostics {
        let at = d.span.map_or_else(String::new, |s| {
            let p = loaded.sources.position(s);
            format!("{}:{}:{}: ", loaded.sources.file(s.file).path, p.line, p.column)
        });
        eprintln!("{at}{:?} {}: {}", d.severity, d.code, d.message);
    }
    match to {
        None => println!("{}", serde_json::to_string_pretty(&loaded.plan).unwrap_or_default()),
        Some(to) => {
            for file in dialect::write(to, &loaded.plan, &|_| None) {
                println!("=== {}\n{}", file.path, String::from_utf8_lossy(&file.bytes));
            }
        }
    }
    ExitCode::SUCCESS
}

fn input(path: &str) -> Input {
    let mut files = Vec::new();
    let root = Path::new(path);
    if root.is_file() {
        let name = root.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        files.push(TextFile { path: name, bytes: std::fs::read(root).unwrap_or_default() });
    } else {
        collect(root, root, &mut files);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Input { root: path.to_owned(), files }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<TextFile>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(root, &path, files);
        } else if let Ok(relative) = path.strip_prefix(root) {
            let bytes = std::fs::read(&path).unwrap_or_default();
            files.push(TextFile { path: relative.to_string_lossy().replace('\\', "/"), bytes });
        }
    }
}
