//! The kind of a file by its path (code, test, documentation, configuration), its stack, and its architectural layer.

use windlass_code::detect::is_test_path;
use windlass_code::survey::Language;
use windlass_core::path_text::file_name;

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum FileKind {
    Code,
    /// Types without behaviour.
    Types,
    Test,
    Documentation,
    Configuration,
    /// The dependencies of a project.
    Manifest,
    /// Images, pages, style sheets, data.
    Asset,
}

impl FileKind {
    /// The kind of a file.
    pub(crate) fn of(path: &str) -> FileKind {
        let name = file_name(path);
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let language = Language::of_path(path);
        // No runner collects a module that is just called `test`.
        if language == Some(Language::Python) && !path.contains('/') && stem == "test" {
            return FileKind::Code;
        }
        let package =
            Language::marks_package(path) && path.split('/').any(|part| matches!(part, "tests" | "test"));
        if is_test_path(path) || package {
            return FileKind::Test;
        }
        if Language::is_manifest(path) {
            return FileKind::Manifest;
        }
        if let Some(language) = language {
            if stem.ends_with(".config") || stem.ends_with(".setup") || name.starts_with(".eslintrc") {
                return FileKind::Configuration;
            }
            return if (language.row().holds_types)(name) { FileKind::Types } else { FileKind::Code };
        }
        if other_code(name).is_some() {
            return FileKind::Code;
        }
        match ending.to_ascii_lowercase().as_str() {
            "md" | "mdx" | "rst" | "adoc" => FileKind::Documentation,
            "txt"
                if path.split('/').any(|part| matches!(part, "assets" | "data" | "resources" | "static")) =>
            {
                FileKind::Asset
            }
            "txt" if !name.starts_with("CMake") => FileKind::Documentation,
            "html" | "css" | "scss" | "less" | "png" | "svg" | "jpg" | "jpeg" | "ico" | "webp" | "csv" => {
                FileKind::Asset
            }
            "" if matches!(name, "LICENSE" | "NOTICE" | "CODEOWNERS") => FileKind::Documentation,
            _ => FileKind::Configuration,
        }
    }
}

/// Endings of code without a grammar that counts to the stack of another language.
const OTHER_CODE: [(&str, &str); 4] =
    [("kt", "java"), ("vue", "typescript"), ("svelte", "typescript"), ("astro", "typescript")];

/// Endings of code without a grammar that is a stack of its own.
const OWN_STACKS: &str =
    "swift scala dart lua gd ex exs erl hs ml clj zig nim jl pl pm groovy sol fs vb pas f90 cr elm mm";

/// Endings of scripts, which belong to no stack.
const SCRIPTS: &str = "sh bash zsh fish ps1";

/// The stack of code without a grammar; that of a script is empty.
fn other_code(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit_once('.')?;
    let among = |list: &'static str| list.split(' ').find(|known| ending.eq_ignore_ascii_case(known));
    let of_another = OTHER_CODE.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known));
    of_another.map(|(_, stack)| *stack).or_else(|| among(OWN_STACKS)).or_else(|| among(SCRIPTS).map(|_| ""))
}

/// Whether a file holds source code, by its ending.
pub fn is_source(path: &str) -> bool {
    Language::of_path(path).is_some() || other_code(path).is_some()
}

/// The stack a source file belongs to: languages of one family share it.
pub(crate) fn stack(path: &str) -> Option<&'static str> {
    match Language::of_path(path) {
        Some(language) => Some(language.row().family.fence()),
        None => other_code(path).filter(|stack| !stack.is_empty()),
    }
}

/// The layer of endpoints.
pub(crate) const ENDPOINTS: u32 = 4;

/// The layer of routers that lead to pages.
pub(crate) const ROUTERS: u32 = 6;

/// The layer of tests of the whole.
const WHOLE: u32 = 6;

/// Whether a file is a makefile.
pub(crate) fn is_makefile(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("makefile" | "Makefile" | "GNUmakefile"))
}

/// Whether a file holds the schema of stored data, by a word of its path.
pub(crate) fn is_schema(path: &str) -> bool {
    path.split(['/', '.', '_', '-'])
        .any(|word| matches!(word, "schema" | "schemas" | "migration" | "migrations"))
}

/// The architectural layer of a file, lowest first; `None` if no word of its path names one.
pub(crate) fn layer(path: &str) -> Option<u32> {
    const LAYERS: [(u32, &[&str]); 6] = [
        (1, &["schema", "schemas", "migration", "migrations", "types", "constants", "config", "errors"]),
        (2, &["model", "models", "entity", "entities", "repository", "repositories", "dao"]),
        (3, &["service", "services", "usecase", "usecases", "domain", "core", "lib", "utils", "hooks"]),
        (
            ENDPOINTS,
            &[
                "api",
                "route",
                "routes",
                "router",
                "controller",
                "controllers",
                "endpoint",
                "endpoints",
                "handler",
                "handlers",
                "middleware",
                "middlewares",
            ],
        ),
        (
            5,
            &[
                "component",
                "components",
                "view",
                "views",
                "page",
                "pages",
                "screen",
                "screens",
                "ui",
                "cli",
                "commands",
                "app",
            ],
        ),
        (WHOLE, &["e2e", "integration"]),
    ];
    let words = path.rsplit('/').flat_map(|part| part.split(['.', '_', '-']));
    // `pdf_integration.py` is no test of the whole.
    let is_test = FileKind::of(path) == FileKind::Test;
    words.into_iter().find_map(|word| {
        let lower = word.to_ascii_lowercase();
        let named = LAYERS.iter().find(|(_, names)| names.contains(&lower.as_str())).map(|(layer, _)| *layer);
        named.filter(|layer| *layer != WHOLE || is_test)
    })
}

#[cfg(test)]
mod tests;
