//! JavaScript and TypeScript: the files that imports mean, and how imports are written.

use crate::survey::{
    Import, ImportRequest, ImportTerms, ImportedFile, Quotes, Survey, below, join, resolve_dots, split, words,
};

/// A path of a module without the ending of its file.
pub(super) fn without_script_ending(path: &str) -> &str {
    [".d.ts", ".tsx", ".mts", ".cts", ".ts", ".jsx", ".mjs", ".cjs", ".js", ".json", ".vue", ".svelte"]
        .iter()
        .find_map(|ending| path.strip_suffix(ending))
        .unwrap_or(path)
}

/// The path of the module that a relative import means.
pub(super) fn relative_module(dir: &str, module: &str) -> Option<String> {
    Some(without_script_ending(&resolve_dots(dir, module)?).to_owned())
}

/// The files that an import means.
pub(crate) fn resolve(survey: &Survey, path: &str, import: &Import) -> Vec<String> {
    const ENDINGS: [&str; 7] = ["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts"];
    let bases: Vec<String> = if import.module.starts_with('.') {
        resolve_dots(split(path).0, &import.module).into_iter().collect()
    } else if let Some(rest) = import.module.strip_prefix("@/").or(import.module.strip_prefix("~/")) {
        let member = survey.member(path).map_or("", |m| m.dir.as_str());
        vec![join(&join(member, "src"), rest), join(member, rest)]
    } else {
        packages(survey, &import.module)
    };
    let found = bases.iter().find_map(|base| {
        // `./x.js` in TypeScript means `./x.ts`.
        let bare = base
            .rsplit_once('.')
            .map_or(base.as_str(), |(bare, ending)| if ENDINGS.contains(&ending) { bare } else { base });
        let exact = [base.clone()].into_iter();
        let files = ENDINGS.iter().map(|ending| format!("{bare}.{ending}"));
        let index = ENDINGS.iter().map(|ending| format!("{base}/index.{ending}"));
        survey.first(exact.chain(files).chain(index))
    });
    found.into_iter().collect()
}

/// Members of a workspace are imported by their names.
fn packages(survey: &Survey, module: &str) -> Vec<String> {
    survey
        .members
        .iter()
        .filter_map(|m| {
            let rest = below(m.name.as_deref().filter(|name| !name.is_empty())?, module)?;
            Some([
                join(&m.dir, rest),
                join(&join(&m.dir, "src"), if rest.is_empty() { "index" } else { rest }),
            ])
        })
        .flatten()
        .collect()
}

/// An index is imported by its directory, or from below it by dots alone.
pub(crate) fn terms(file: &ImportedFile<'_>) -> ImportTerms {
    let own = vec![words(file.stem)];
    let (own, near) = match file.stem {
        "index" => ([own, vec![file.folder()]].concat(), vec![vec![".".to_owned()]]),
        _ => (own, Vec::new()),
    };
    ImportTerms { far: own.into_iter().chain(file.member()).collect(), near }
}

/// The line by which a file imports names.
pub(crate) fn import_line(request: &ImportRequest<'_>) -> Option<String> {
    let ImportRequest { survey, seeker, path, uses, names, here, .. } = request;
    let far = uses.written.iter().find(|(_, import)| !import.module.starts_with('.'));
    let (importer, import) = uses.by(here).or(far).or(uses.written.first())?;
    let module = if import.module.starts_with('.') && split(importer).0 != *here {
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
    // Ends at the root, which is above every path.
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
