//! How a file would import a module, as the files around it write it; nothing where that is not sure.

use super::facts::{Import, Language};
use super::place::{below, split};
use super::query::Survey;
use super::reusable_helpers::{Seeker, Uses};
use super::style::Quotes;

/// The line by which the seeker's file imports these names of a module.
pub(super) fn import_line(
    survey: &Survey,
    seeker: &Seeker<'_>,
    path: &str,
    uses: &Uses,
    names: &[&str],
) -> Option<String> {
    let here = split(seeker.file).0;
    let relative = |module: &str| module.starts_with('.');
    // What is written in the same directory holds here too; elsewhere only what does not begin there.
    let as_written =
        uses.written.iter().find(|(_, import)| !relative(&import.module)).or_else(|| uses.by(here));
    match Language::of_path(path)? {
        Language::Python => python(seeker.file, path, as_written, names),
        Language::Rust => rust(survey, seeker.file, path, uses, names),
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            script(survey, seeker, path, uses, names)
        }
        Language::Go if split(path).0 == here => None,
        Language::Go => Some(format!("import \"{}\"", as_written?.1.module)),
        Language::Java => {
            let import = &as_written?.1;
            let name = import.names.first().map_or_else(String::new, |name| format!(".{name}"));
            Some(format!("import {}{name};", import.module))
        }
        Language::CSharp => Some(format!("using {};", as_written?.1.module)),
        Language::Php => {
            let module = &as_written?.1.module;
            (!module.contains('/')).then(|| format!("use {module};"))
        }
        Language::C | Language::Cpp => {
            let (importer, import) = uses.by(here).or(uses.written.first())?;
            // Beside the file that includes it, or below a root of all.
            let beside =
                super::resolve::resolve_dots(split(importer).0, &import.module).as_deref() == Some(path);
            (!beside || split(importer).0 == here).then(|| format!("#include \"{}\"", import.module))
        }
        Language::Ruby => {
            let (importer, import) = as_written?;
            match import.names.first().map(String::as_str) {
                Some("relative") if split(importer).0 == here => {
                    Some(format!("require_relative \"{}\"", import.module))
                }
                Some("relative") => None,
                Some(_) | None => Some(format!("require \"{}\"", import.module)),
            }
        }
    }
}

fn python(file: &str, path: &str, written: Option<&(String, Import)>, names: &[&str]) -> Option<String> {
    // Fixtures are handed over by name.
    if split(path).1 == "conftest.py" {
        return None;
    }
    let stem = split(path).1.strip_suffix(".py")?;
    let taken = |module: &str, import: &Import| {
        let whole = import.names.iter().any(|name| name == stem);
        if whole {
            format!("from {module} import {stem}")
        } else if import.names.is_empty() {
            format!("import {module}")
        } else {
            format!("from {module} import {}", names.join(", "))
        }
    };
    if let Some((_, import)) = written {
        return Some(taken(&import.module, import));
    }
    // Relative imports elsewhere: the same package, seen from here.
    let (mut up, mut dots) = (split(file).0, 1);
    loop {
        if let Some(rest) = below(up, path).filter(|_| !up.is_empty()) {
            let module = rest.strip_suffix(".py")?.replace('/', ".");
            let module = module.strip_suffix(".__init__").unwrap_or(&module);
            return Some(format!("from {}{module} import {}", ".".repeat(dots), names.join(", ")));
        }
        if up.is_empty() {
            return None;
        }
        up = split(up).0;
        dots += 1;
    }
}

fn rust(survey: &Survey, file: &str, path: &str, uses: &Uses, names: &[&str]) -> Option<String> {
    let list = if names.len() == 1 { names[0].to_owned() } else { format!("{{{}}}", names.join(", ")) };
    let member = survey.member(path).map_or("", |m| m.dir.as_str());
    let inner = |path: &str| below(member, path).map(str::to_owned);
    let (from, to) = (inner(file)?, inner(path)?);
    if let (Some(own), true) = (to.strip_prefix("src/"), from.starts_with("src/")) {
        let module = own.strip_suffix(".rs")?.trim_end_matches("/mod").replace('/', "::");
        return match module.as_str() {
            "lib" | "main" => Some(format!("use crate::{list};")),
            module => Some(format!("use crate::{module}::{list};")),
        };
    }
    // Integration tests share a module that each of them declares.
    let shared = to.strip_prefix("tests/")?.split(['/', '.']).next()?;
    let declared =
        uses.written.iter().any(|(_, import)| import.module.split("::").any(|part| part == shared));
    declared.then(|| format!("mod {shared};"))
}

fn script(survey: &Survey, seeker: &Seeker<'_>, path: &str, uses: &Uses, names: &[&str]) -> Option<String> {
    let here = split(seeker.file).0;
    let far = uses.written.iter().find(|(_, import)| !import.module.starts_with('.'));
    let (importer, import) = uses.by(here).or(far).or(uses.written.first())?;
    let module = if import.module.starts_with('.') && split(importer).0 != here {
        from_here(here, path, &import.module)
    } else {
        import.module.clone()
    };
    let conventions = survey.conventions_for(seeker.file);
    let quote = match conventions.and_then(|found| found.quotes) {
        Some(Quotes::Double) => '"',
        Some(Quotes::Single) | None => '\'',
    };
    let end = if conventions.and_then(|found| found.semicolons) == Some(false) { "" } else { ";" };
    let text = (seeker.read)(importer)?;
    let line = text.lines().nth(import.line.saturating_sub(1))?;
    let names = names.join(", ");
    if line.contains("require(") {
        Some(format!("const {{ {names} }} = require({quote}{module}{quote}){end}"))
    } else {
        Some(format!("import {{ {names} }} from {quote}{module}{quote}{end}"))
    }
}

/// A path relative to a directory, with the ending that others write, or none.
fn from_here(here: &str, path: &str, written: &str) -> String {
    let (mut up, mut climbed) = (here, 0);
    // Everything is below the root.
    while below(up, path).is_none() {
        up = split(up).0;
        climbed += 1;
    }
    let rest = below(up, path).unwrap_or(path);
    let start = if climbed == 0 { "./".to_owned() } else { "../".repeat(climbed) };
    let (bare, _) = rest.rsplit_once('.').unwrap_or((rest, ""));
    let ending = written.rsplit('/').next().and_then(|last| last.rsplit_once('.')).map(|(_, ending)| ending);
    match ending.filter(|ending| matches!(*ending, "js" | "mjs" | "cjs" | "jsx" | "ts" | "tsx")) {
        Some(ending) => format!("{start}{bare}.{ending}"),
        None => format!("{start}{}", bare.strip_suffix("/index").unwrap_or(bare)),
    }
}
