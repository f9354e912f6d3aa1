//! The tools around Python: its manifests, package managers, formatters, type checkers and linters.

use serde_json::Value;

use super::manifests::MANIFESTS;
use super::setup;
use crate::checker::CheckerFormat;
use crate::detect::tool_config::ToolConfig;
use crate::detect::{CheckerRow, FormatterRow, first_in, has_key, in_dir, nearest, text, toml, upwards};
use crate::language::Tooling;
use crate::repo::Tree;
use crate::syntax::tricks::package_names;

const ENDINGS: &[&str] = &["py", "pyi"];
const RUFF_FIX: &str = "ruff check --fix --exit-zero --";

#[rustfmt::skip]
const REGISTRIES: &[&str] = &[
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE", "PIP_DEFAULT_TIMEOUT",
    "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS",
];

#[rustfmt::skip]
const BUILD_FILES: &[&str] = &[
    "conftest.py", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "setup.py", "pyproject.toml", "noxfile.py",
    "sitecustomize.py", "usercustomize.py", ".coveragerc", "uv.toml", "*.pth",
];

pub(super) const TOOLING: Tooling = Tooling {
    programs: &["python3", "pytest"],
    homes: &[("PYENV_ROOT", ".pyenv")],
    caches: &[("PIP_CACHE_DIR", ".cache/pip"), ("UV_CACHE_DIR", ".cache/uv")],
    registries: REGISTRIES,
    build_files: BUILD_FILES,
    manifests: MANIFESTS,
    lock_files: &[
        ("pyproject.toml", &["uv.lock", "poetry.lock", "pdm.lock"]),
        ("Pipfile", &["Pipfile.lock"]),
    ],
    managers: setup::MANAGERS,
    without_manifest: Some(&setup::BARE),
    further_endings: &["pyx"],
    built_modules: &[".py", ".so", ".pyd"],
    formatters: &[
        FormatterRow::new("ruff", ENDINGS, ruff_without_black, "ruff format --").fixing(RUFF_FIX),
        FormatterRow::new("ruff", ENDINGS, ruff_with_black, RUFF_FIX),
        FormatterRow::new("isort", ENDINGS, isort, "isort --"),
        FormatterRow::new("black", ENDINGS, black, "black --quiet --"),
    ],
    type_checkers: &[
        CheckerRow::of_files("mypy", ENDINGS, mypy, "mypy")
            .with_report("mypy --output json", CheckerFormat::Mypy)
            .keeping(".mypy_cache"),
        CheckerRow::of_files("pyright", ENDINGS, pyright, "pyright")
            .with_report("pyright --outputjson", CheckerFormat::Pyright),
    ],
    linters: &[CheckerRow::of_files("ruff", ENDINGS, ruff, "ruff check --")
        .with_report("ruff check --output-format json --", CheckerFormat::Ruff)],
    project_name: |tree, path| {
        let table = toml(tree, path).filter(|_| path.ends_with("pyproject.toml"))?;
        let poetry = || table.get("tool")?.get("poetry")?.get("name")?.as_str();
        table
            .get("project")
            .and_then(|project| project.get("name")?.as_str())
            .or_else(poetry)
            .map(str::to_owned)
    },
    packages,
    shadows_runner,
    ..Tooling::NONE
};

fn packages(name: &str, text: &str) -> Vec<String> {
    if name == "pyproject.toml" {
        let table = text.parse::<toml::Table>().ok();
        return table
            .and_then(|table| serde_json::to_value(table).ok())
            .map(|m| in_pyproject(&m))
            .unwrap_or_default();
    }
    if !(name.starts_with("requirements") && name.ends_with(".txt")) {
        return Vec::new();
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '-']));
    lines.filter_map(requirement).collect()
}

/// Whether an import of the runner would find this file first.
fn shadows_runner(path: &str) -> bool {
    const PACKAGES: [&str; 6] = ["pytest", "_pytest", "pluggy", "iniconfig", "unittest", "xdist"];
    let Some(module) = path.strip_suffix(".py") else { return false };
    module.split('/').any(|part| PACKAGES.contains(&part))
}

fn in_pyproject(manifest: &Value) -> Vec<String> {
    let groups = ["/project/optional-dependencies", "/dependency-groups"]
        .iter()
        .filter_map(|place| manifest.pointer(place)?.as_object())
        .flat_map(|map| map.values())
        .flat_map(|list| package_names(Some(list)));
    let listed = package_names(manifest.pointer("/project/dependencies")).into_iter().chain(groups);
    let poetry = package_names(manifest.pointer("/tool/poetry/dependencies"));
    listed
        .filter_map(|line| requirement(&line))
        .chain(poetry.into_iter().filter(|name| name != "python"))
        .collect()
}

/// The name at the beginning of `name[extra]>=1.0; marker`.
fn requirement(line: &str) -> Option<String> {
    let name: String = line
        .trim()
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        .collect();
    (!name.is_empty()).then_some(name)
}

/// The nearest `pyproject.toml` with this tool in it, or a file of the tool's own.
fn python_tool(tree: &dyn Tree, file: &str, tool: &str, own: &[&str]) -> Option<ToolConfig> {
    let found = upwards(file).find_map(|dir| {
        first_in(tree, dir, own).or_else(|| {
            let path = in_dir(dir, "pyproject.toml");
            toml(tree, &path).filter(|table| has_key(table, &["tool", tool])).map(|_| path)
        })
    });
    found.map(ToolConfig::new)
}

fn ruff(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    python_tool(tree, file, "ruff", &["ruff.toml", ".ruff.toml"])
}

/// ruff fixes and formats.
fn ruff_without_black(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    ruff(tree, file).filter(|_| black(tree, file).is_none())
}

/// ruff only fixes, because black formats.
fn ruff_with_black(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    ruff(tree, file).filter(|_| black(tree, file).is_some())
}

/// Where ruff is configured nearer to the file, the other formatters of the directories above do not apply.
fn unless_ruff_is_nearer(tree: &dyn Tree, file: &str, other: ToolConfig) -> Option<ToolConfig> {
    let applies = ruff(tree, file).is_none_or(|ruff| other.dir.len() >= ruff.dir.len());
    applies.then_some(other)
}

fn black(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    unless_ruff_is_nearer(tree, file, python_tool(tree, file, "black", &[])?)
}

fn isort(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    unless_ruff_is_nearer(tree, file, python_tool(tree, file, "isort", &[".isort.cfg"])?)
}

fn mypy(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    python_tool(tree, file, "mypy", &["mypy.ini", ".mypy.ini"]).or_else(|| {
        let config = nearest(tree, file, &["setup.cfg"])?;
        text(tree, &config)?.contains("[mypy]").then(|| ToolConfig::new(config))
    })
}

fn pyright(tree: &dyn Tree, file: &str) -> Option<ToolConfig> {
    python_tool(tree, file, "pyright", &["pyrightconfig.json"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    /// Where ruff is nearer to the file, black and isort of the directories above do not apply.
    #[test]
    fn the_formatter_that_is_nearer_wins() {
        let tree = MemoryTree::new([
            ("pyproject.toml", "[tool.black]\n[tool.isort]\n"),
            ("same/pyproject.toml", "[tool.black]\n[tool.ruff]\n"),
            ("ruff/ruff.toml", ""),
            ("ruff/old/pyproject.toml", "[tool.black]\n"),
        ]);
        // ruff formats, ruff only fixes, black, isort
        let table = [
            ("a.py", [false, false, true, true]),
            ("same/a.py", [false, true, true, false]),
            ("ruff/a.py", [true, false, false, false]),
            ("ruff/old/a.py", [false, true, true, false]),
        ];
        for (file, expected) in table {
            let found =
                [ruff_without_black, ruff_with_black, black, isort].map(|tool| tool(&tree, file).is_some());
            assert_eq!(found, expected, "{file}");
        }
    }
}
