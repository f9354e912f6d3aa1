//! Rust tests of their own, in `tests/`.

use super::Ask;
use super::case::quoted;
use super::example::Check;

pub(super) fn write(ask: &Ask<'_>) -> Option<String> {
    let (test, subject) = (ask.wanted.file, ask.wanted.subject);
    // A test module inside the file is written with the file.
    if test == subject {
        return None;
    }
    let member = ask.survey.member(subject)?;
    let name = member.name.as_ref().filter(|_| member.manifest.ends_with("Cargo.toml"))?.replace('-', "_");
    let inner =
        if member.dir.is_empty() { subject } else { subject.strip_prefix(&member.dir)?.strip_prefix('/')? };
    let module =
        inner.strip_prefix("src/")?.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
    // A binary has no interface that a test could use.
    if module.starts_with("main") || module.starts_with("bin::") {
        return None;
    }
    let path = if module == "lib" { name } else { format!("{name}::{module}") };
    let used = ask.frame.used();
    let names = match used.as_slice() {
        [one] => (*one).to_owned(),
        several => format!("{{{}}}", several.join(", ")),
    };
    let mut out = format!("use {path}::{names};\n");
    for case in &ask.frame.cases {
        out.push_str(&format!("\n#[test]\nfn {}() {{\n", case.snake()));
        for check in &case.checks {
            match check {
                Check::Equals { call, value } if matches!(value.as_str(), "true" | "false") => {
                    let not = if value == "true" { "" } else { "!" };
                    out.push_str(&format!("    assert!({not}{call});\n"));
                }
                Check::Equals { call, value } => out.push_str(&format!("    assert_eq!({call}, {value});\n")),
                Check::Raises { call, .. } => out.push_str(&format!("    assert!({call}.is_err());\n")),
            }
        }
        if case.checks.is_empty() {
            let says = quoted(&case.says.replace('{', "{{").replace('}', "}}"));
            out.push_str(&format!("    // {}\n    panic!({says});\n", ask.frame.hint()));
        }
        out.push_str("}\n");
    }
    Some(out)
}
