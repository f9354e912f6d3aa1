//! The set-up of Python projects: scripts around uv, poetry, pdm, pipenv and pip.
//!
//! A project may not build while files of it are missing: its own build imports it, or lists a module that is not there. Then
//! its dependencies are installed without it, and its source directory and its metadata are laid where an editable install
//! would put them.

use super::DirTree;
use super::python_needs::{PythonNeeds, PythonProject, needs};
use crate::script::quote;

/// Makes a tool available that is not installed, in a directory that is thrown away.
fn with_tool(tool: &str) -> String {
    format!(
        "tool={tool}\n\
         if ! command -v {tool} >/dev/null; then\n\
         \x20 {{ python3 -m venv \"$TMPDIR/tool\" && \"$TMPDIR/tool/bin/python\" -m pip install -q {tool}; }} || {{\n\
         \x20   echo 'error: `{tool}` is not installed, and pip could not fetch it; install the package `{tool}`' >&2; exit 1; }}\n\
         \x20 tool=\"$TMPDIR/tool/bin/{tool}\"\n\
         fi\n"
    )
}

/// `uv sync` with what the tests need.
pub(super) fn uv_command(here: &DirTree<'_>) -> String {
    let needs = needs(here).unwrap_or_default();
    let groups = needs.groups.iter().map(|name| format!(" --group {}", quote(name)));
    let extras = needs.project.iter().flat_map(|p| &p.extras).map(|name| format!(" --extra {}", quote(name)));
    format!("uv sync --frozen{}", groups.chain(extras).collect::<String>())
}

pub(super) fn uv_script(here: &DirTree<'_>, command: &str) -> String {
    let needs = needs(here).unwrap_or_default();
    let sync = command.trim_start_matches("uv ");
    let lay = lay_source(&needs);
    format!(
        "{}\"$tool\" {sync} || {{\n\"$tool\" {sync} --no-install-project\n{lay}}}\n\
         {HAS_PYTEST} || \"$tool\" pip install --python .venv/bin/python pytest\n",
        with_tool("uv")
    )
}

pub(super) fn poetry_script(here: &DirTree<'_>, command: &str) -> String {
    let needs = needs(here).unwrap_or_default();
    let install = command.trim_start_matches("poetry ");
    format!(
        "{}export POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_VIRTUALENVS_CREATE=true\n\
         \"$tool\" {install} || {{\n\"$tool\" {install} --no-root\n{}}}\n{}",
        with_tool("poetry"),
        lay_source(&needs),
        ensure_pytest()
    )
}

pub(super) fn pdm_script(here: &DirTree<'_>, command: &str) -> String {
    let needs = needs(here).unwrap_or_default();
    let install = command.trim_start_matches("pdm ");
    format!(
        "{}export PDM_VENV_IN_PROJECT=1 PDM_CHECK_UPDATE=0\n\
         \"$tool\" {install} || {{\n\"$tool\" {install} --no-self\n{}}}\n{}",
        with_tool("pdm"),
        lay_source(&needs),
        ensure_pytest()
    )
}

pub(super) fn pipenv_script(_: &DirTree<'_>, command: &str) -> String {
    let sync = command.trim_start_matches("pipenv ");
    let pytest = ensure_pytest();
    format!("{}export PIPENV_VENV_IN_PROJECT=1\n\"$tool\" {sync}\n{pytest}", with_tool("pipenv"))
}

/// By its metadata: pytest itself may not start while a file of the project is missing.
const HAS_PYTEST: &str =
    ".venv/bin/python -c 'import importlib.metadata as m; m.version(\"pytest\")' >/dev/null 2>&1";

fn ensure_pytest() -> String {
    format!(
        "{HAS_PYTEST} || {{ .venv/bin/python -m ensurepip >/dev/null && .venv/bin/python -m pip install -q pytest; }}\n"
    )
}

/// Says so where the reason for everything that follows is that the index cannot be reached.
const UNREACHABLE: &str = "if ! PIP_RETRIES=1 .venv/bin/python -m pip download -q --no-deps -d \"$TMPDIR/reach\" pip >/dev/null 2>&1; then\n\
     \x20 echo 'error: the package index cannot be reached: no network, or a proxy or certificate is missing' >&2; exit 1\n\
     fi\n";

/// What pip is asked for, as a person would write it.
pub(super) fn pip_command(here: &DirTree<'_>) -> String {
    let needs = needs(here).unwrap_or_default();
    let words = project_words(&needs).into_iter().chain(test_words(&needs));
    format!("pip install {}", words.collect::<Vec<_>>().join(" "))
}

/// The whole in one resolution; where that fails, part by part: the project or what it needs, its own lists, and of the
/// requirements for tests those that can be had.
pub(super) fn pip_script(here: &DirTree<'_>, command: &str) -> String {
    let needs = needs(here).unwrap_or_default();
    if declares_nothing(here, &needs) {
        return "python3 -c 'import pytest' 2>/dev/null || { python3 -m venv .venv && \
                .venv/bin/python -m pip install -q --no-input --disable-pip-version-check pytest; }\n"
            .to_owned();
    }
    let all = command.trim_start_matches("pip install ");
    let project = project_words(&needs).join(" ");
    let parts: String = test_parts(&needs)
        .iter()
        .map(|part| {
            format!("install {part} || echo {} >&2\n", quote(&format!("warning: not installed: {part}")))
        })
        .collect();
    let alone = if project.is_empty() {
        String::new()
    } else {
        format!("install {project} || {{\n{}{}}}\n", dependencies(&needs), lay_source(&needs))
    };
    format!(
        "python3 -m venv .venv\n\
         install() {{ .venv/bin/python -m pip install -q --no-input --disable-pip-version-check \"$@\"; }}\n\
         if install {all}; then exit 0; fi\n\
         {UNREACHABLE}{alone}{parts}install pytest\n"
    )
}

/// Whether there is nothing to install but pytest, which the machine may have: the code is found without being installed.
fn declares_nothing(here: &DirTree<'_>, needs: &PythonNeeds) -> bool {
    let plain = |project: &PythonProject| {
        let lists = [project.extras.len(), project.dependencies.len(), project.version_variables.len()];
        lists == [0; 3] && project.source == "." && project.entry_points.is_empty()
    };
    needs.project.as_ref().is_none_or(plain)
        && needs.lists.is_empty()
        && needs.requirements == ["pytest"]
        && !here.has("setup.py")
}

fn dependencies(needs: &PythonNeeds) -> String {
    let all: Vec<String> = needs.project.iter().flat_map(|p| &p.dependencies).map(|one| quote(one)).collect();
    if all.is_empty() { String::new() } else { format!("install {}\n", all.join(" ")) }
}

/// `-e '.[tests]'`
fn project_words(needs: &PythonNeeds) -> Vec<String> {
    let Some(project) = &needs.project else { return Vec::new() };
    let extras = project.extras.join(",");
    let what = if extras.is_empty() { ".".to_owned() } else { format!(".[{extras}]") };
    vec!["-e".to_owned(), quote(&what)]
}

fn test_words(needs: &PythonNeeds) -> Vec<String> {
    let lists = needs.lists.iter().flat_map(|path| ["-r".to_owned(), quote(path)]);
    needs.requirements.iter().map(|one| quote(one)).chain(lists).collect()
}

fn test_parts(needs: &PythonNeeds) -> Vec<String> {
    let lists = needs.lists.iter().map(|path| format!("-r {}", quote(path)));
    lists.chain(needs.requirements.iter().map(|one| quote(one))).collect()
}

/// Puts the source directory on Python's path and writes the metadata that an editable install would leave.
fn lay_source(needs: &PythonNeeds) -> String {
    let Some(PythonProject { name, version, source, entry_points, .. }) = &needs.project else {
        return String::new();
    };
    let name = if name.is_empty() { "project" } else { name.as_str() };
    let file = name.replace('-', "_");
    let version = version.as_deref().map_or_else(|| "${WINDLASS_VERSION:-0.0.0}".to_owned(), quote);
    format!(
        "site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))')\n\
         echo \"$PWD/{source}\" >\"$site/windlass-source.pth\"\n\
         version={version}\n\
         info=\"$site/{file}-$version.dist-info\"\n\
         mkdir -p \"$info\"\n\
         printf 'Metadata-Version: 2.1\\nName: %s\\nVersion: %s\\n' {} \"$version\" >\"$info/METADATA\"\n\
         printf '%s' {} >\"$info/entry_points.txt\"\n\
         echo windlass >\"$info/INSTALLER\"\n",
        quote(name),
        quote(entry_points),
    )
}
