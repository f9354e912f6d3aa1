//! The set-up of Python projects: scripts around uv, poetry, pdm, pipenv and pip.
//!
//! A project may not build while files of it are missing: its own build imports it, or lists a module that is not there. Then
//! its dependencies are installed without it, and its source directory and its metadata are laid where an editable install
//! would put them.

mod literals;
mod needs;
mod workspace;

use crate::detect::is_test_path;
use crate::detect::setup::{DirTree, MANAGER, ManagerRow, PathPlace, is_foreign};
use crate::detect::{dir_of, in_dir, text};
use crate::script::quote;
use needs::{
    HINTS, MANIFESTS, PythonNeeds, PythonProject, imported_modules, inputs, needs, requirement_name,
    same_package,
};

const PYTHON: ManagerRow = ManagerRow {
    tool: Some(("python3", "python3-venv")),
    outputs: &[".venv"],
    bins: &[(".venv/bin", PathPlace::Front)],
    version_variables: |here| {
        let project = needs(here).and_then(|needs| needs.project);
        project.map(|project| project.version_variables).unwrap_or_default()
    },
    ..MANAGER
};

/// Tests of pytest in a repository without any manifest of Python.
pub(crate) const BARE: ManagerRow = ManagerRow {
    name: "pip without a manifest",
    program: "python3",
    versions: &[("python3", "--version")],
    command: |_, _| "pip install pytest".to_owned(),
    script: bare_script,
    applies: has_bare_tests,
    ..PYTHON
};

/// The package managers of Python; the first with a lock file is used.
pub(crate) const MANAGERS: &[ManagerRow] = &[
    ManagerRow {
        name: "uv",
        program: "uv",
        versions: &[("uv", "--version"), ("python3", "--version")],
        locks: &["uv.lock"],
        command: |here, _| uv_command(here),
        script: uv_script,
        inputs: &["pyproject.toml", "uv.toml", ".python-version"],
        ..PYTHON
    },
    ManagerRow {
        name: "poetry",
        program: "poetry",
        versions: &[("poetry", "--version"), ("python3", "--version")],
        locks: &["poetry.lock"],
        command: |_, _| "poetry install --no-interaction".to_owned(),
        script: poetry_script,
        inputs: &["pyproject.toml"],
        ..PYTHON
    },
    ManagerRow {
        name: "pdm",
        program: "pdm",
        versions: &[("pdm", "--version"), ("python3", "--version")],
        locks: &["pdm.lock"],
        command: |_, _| "pdm install --frozen-lockfile".to_owned(),
        script: pdm_script,
        inputs: &["pyproject.toml"],
        ..PYTHON
    },
    ManagerRow {
        name: "pipenv",
        program: "pipenv",
        versions: &[("pipenv", "--version"), ("python3", "--version")],
        locks: &["Pipfile.lock"],
        command: |_, _| "pipenv sync --dev".to_owned(),
        script: pipenv_script,
        inputs: &["Pipfile"],
        ..PYTHON
    },
    ManagerRow {
        name: "pip",
        program: "python3",
        versions: &[("python3", "--version")],
        locks: &MANIFESTS,
        by_manifest: true,
        command: |here, _| pip_command(here),
        script: pip_script,
        applies: |here| needs(here).is_some(),
        read_inputs: Some(|here| inputs(here, &needs(here).unwrap_or_default())),
        ..PYTHON
    },
];

/// Makes a tool available that is not installed, in a directory that is thrown away.
fn with_tool(tool: &str) -> String {
    format!(
        "tool={tool} fetched=''\n\
         if ! command -v {tool} >/dev/null; then\n\
         \x20 {{ python3 -m venv \"$TMPDIR/tool\" && \"$TMPDIR/tool/bin/python\" -m pip install -q {tool}; }} || {{\n\
         \x20   echo 'error: `{tool}` is not installed, and pip could not fetch it; install the package `{tool}`' >&2; exit 1; }}\n\
         \x20 tool=\"$TMPDIR/tool/bin/{tool}\" fetched=yes\n\
         fi\n"
    )
}

/// The last resort where the tool of a lock file is not installed and a fetched one fails: pip installs the versions of the lock
/// file. What the user's own tool complains about stands.
fn by_pip(here: &DirTree<'_>, tool: &str, lock: &str) -> String {
    by_pip_with(tool, lock, &pip_script(here, &pip_command(here)))
}

fn by_pip_with(tool: &str, lock: &str, script: &str) -> String {
    format!(
        "by_pip() {{\n\
         [ -n \"$fetched\" ] || return 1\n\
         python3 -c '{LOCKED}' {lock} >\"$TMPDIR/locked.txt\" || return 1\n\
         echo 'warning: `{tool}` is not installed, and a fetched one fails; pip installs the versions of `{lock}`' >&2\n\
         locked=\"$TMPDIR/locked.txt\"\n\
         rm -rf .venv\n\
         {script}}}\n"
    )
}

/// Prints the packages of a lock file that come from an index, as constraints of pip. Of one that is there in several versions
/// the right one is not known. pipenv writes JSON, the others TOML.
const LOCKED: &str = r#"
import json, sys, tomllib
text = open(sys.argv[1], encoding="utf-8").read()
if text.lstrip().startswith("{"):
    groups = json.loads(text)
    named = {**groups.get("develop", {}), **groups.get("default", {})}
    packages = [{**package, "name": name, "version": package.get("version", "")[2:]} for name, package in named.items()]
else:
    packages = tomllib.loads(text).get("package", [])
versions = {}
for package in packages:
    source = package.get("source", {})
    elsewhere = [key for key in ("git", "path", "file", "url", "editable") if key in package or key in source]
    if package.get("version") and not elsewhere and source.get("type", "legacy") == "legacy" and "virtual" not in source:
        versions.setdefault(package["name"], set()).add(package["version"])
for name, found in sorted(versions.items()):
    if len(found) == 1:
        print(name + "==" + found.pop())
"#;

/// Says so where a lock file is no TOML: tools answer that with a place and without the name of the file.
fn readable(lock: &str) -> String {
    format!(
        "if python3 -c 'import tomllib' 2>/dev/null; then\n\
         \x20 python3 -c 'import sys, tomllib; tomllib.load(open(sys.argv[1], \"rb\"))' {lock} 2>/dev/null || {{\n\
         \x20   echo 'error: `{lock}` cannot be read; its tool makes it anew' >&2; exit 1; }}\n\
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
        "{}{}{}lay() {{ :\n{lay}}}\n\
         \"$tool\" {sync} || {{ \"$tool\" {sync} --no-install-project && lay; }} || by_pip\n\
         {HAS_PYTEST} || \"$tool\" pip install --python .venv/bin/python pytest\n{COMPILE}",
        readable("uv.lock"),
        with_tool("uv"),
        by_pip(here, "uv", "uv.lock")
    )
}

pub(super) fn poetry_script(here: &DirTree<'_>, command: &str) -> String {
    let needs = needs(here).unwrap_or_default();
    let install = command.trim_start_matches("poetry ");
    format!(
        "{}{}export POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_VIRTUALENVS_CREATE=true\n\
         {}lay() {{ :\n{}}}\n\
         \"$tool\" {install} || {{ \"$tool\" {install} --no-root && lay; }} || by_pip\n{}",
        readable("poetry.lock"),
        with_tool("poetry"),
        by_pip(here, "poetry", "poetry.lock"),
        lay_source(&needs),
        ensure_pytest()
    )
}

pub(super) fn pdm_script(here: &DirTree<'_>, command: &str) -> String {
    let needs = needs(here).unwrap_or_default();
    let install = command.trim_start_matches("pdm ");
    format!(
        "{}{}export PDM_VENV_IN_PROJECT=1 PDM_CHECK_UPDATE=0\n\
         {}lay() {{ :\n{}}}\n\
         \"$tool\" {install} || {{ \"$tool\" {install} --no-self && lay; }} || by_pip\n{}",
        readable("pdm.lock"),
        with_tool("pdm"),
        by_pip(here, "pdm", "pdm.lock"),
        lay_source(&needs),
        ensure_pytest()
    )
}

/// A lock file of pipenv names everything that is installed. It may name directories that only its author has.
pub(super) fn pipenv_script(here: &DirTree<'_>, command: &str) -> String {
    let sync = command.trim_start_matches("pipenv ");
    let words = pip_command(here);
    let words = words.trim_start_matches("pip install");
    let by_pip = by_pip_with(
        "pipenv",
        "Pipfile.lock",
        &pip_script(here, &format!("pip install -r \"$locked\"{words} pytest")),
    );
    format!(
        "{}export PIPENV_VENV_IN_PROJECT=1\n{by_pip}\"$tool\" {sync} || by_pip\n{}",
        with_tool("pipenv"),
        ensure_pytest()
    )
}

/// What pip does by itself: without byte code every command would compile the packages anew.
const COMPILE: &str = ".venv/bin/python -m compileall -q .venv >/dev/null 2>&1 || true\n";

/// By its metadata: pytest itself may not start while a file of the project is missing.
const HAS_PYTEST: &str =
    ".venv/bin/python -c 'import importlib.metadata as m; m.version(\"pytest\")' >/dev/null 2>&1";

fn ensure_pytest() -> String {
    format!(
        "{HAS_PYTEST} || {{ .venv/bin/python -m ensurepip >/dev/null && .venv/bin/python -m pip install -q pytest; }}\n{COMPILE}"
    )
}

/// Says so where the reason for everything that follows is that the index cannot be reached.
const UNREACHABLE: &str = "if ! PIP_RETRIES=1 .venv/bin/python -m pip download -q --no-deps -d \"$TMPDIR/reach\" pip >/dev/null 2>&1; then\n\
     \x20 echo 'error: the package index cannot be reached: no network, or a proxy or certificate is missing' >&2; exit 1\n\
     fi\n";

/// Tries pytest on a test of one line. One that is pinned may be too old for this Python, and a plug-in of today's index may not
/// fit the newest pytest: then another pytest is taken, if that runs. A project that is a plug-in itself may lack a file of its own,
/// which no other version of pytest corrects.
const FITTING: &str = "runs() {\n\
     \x20 mkdir -p \"$TMPDIR/probe\" && echo 'def test_one(): assert 1' >\"$TMPDIR/probe/test_one.py\"\n\
     \x20 ! (cd \"$TMPDIR/probe\" && \"$OLDPWD/.venv/bin/python\" -m pytest -c /dev/null --rootdir . test_one.py 2>&1) |\n\
     \x20   grep -q 'PluginValidationError\\|_pytest/assertion/rewrite.py'\n\
     }\n\
     fitting() {\n\
     \x20 if runs; then return; fi\n\
     \x20 had=$(.venv/bin/python -c 'import importlib.metadata as m; print(m.version(\"pytest\"))')\n\
     \x20 for next in 9 8 7; do\n\
     \x20   if install --upgrade \"pytest<$next\" && runs; then\n\
     \x20     echo \"warning: pytest $had does not run here; a version below $next is used\" >&2; return\n\
     \x20   fi\n\
     \x20 done\n\
     \x20 install \"pytest==$had\" || true\n\
     }\n";

/// Installs nothing but pytest, where the machine lacks it. What else the machine has stays in reach.
const PYTEST_ALONE: &str = "python3 -c 'import pytest' 2>/dev/null || { python3 -m venv --system-site-packages .venv && \
     .venv/bin/python -m pip install -q --no-input --disable-pip-version-check pytest; }\n";

/// Whether a directory without a manifest has tests that only pytest runs: functions at the outermost level, or its own module.
pub(super) fn has_bare_tests(here: &DirTree<'_>) -> bool {
    let is_pytest = |text: String| {
        text.lines().any(|line| {
            ["def test_", "async def test_", "import pytest", "from pytest import"]
                .iter()
                .any(|start| line.starts_with(start))
        })
    };
    let is_test = |path: &&String| path.ends_with(".py") && is_test_path(path) && !is_foreign(dir_of(path));
    here.tree.paths().iter().filter(is_test).filter_map(|path| text(here.tree, path)).any(is_pytest)
}

pub(super) fn bare_script(here: &DirTree<'_>, _: &str) -> String {
    pytest_alone(here)
}

/// Nothing but pytest. Without a manifest nothing is installed, so a source directory is only found on the path, where its authors
/// have it by a variable or an editor.
fn pytest_alone(here: &DirTree<'_>) -> String {
    if !has_loose_source(here) {
        return PYTEST_ALONE.to_owned();
    }
    format!(
        "python3 -m venv --system-site-packages .venv\n\
         .venv/bin/python -c 'import pytest' 2>/dev/null || \
         .venv/bin/python -m pip install -q --no-input --disable-pip-version-check pytest\n\
         {LAY_LOOSE_SOURCE}"
    )
}

const LAY_LOOSE_SOURCE: &str = "site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))')\n\
     echo \"$PWD/src\" >\"$site/windlass-source.pth\"\n";

/// Whether `src` holds modules and is none itself.
fn has_loose_source(here: &DirTree<'_>) -> bool {
    let below = in_dir(here.dir, "src/");
    let is_module = |path: &&String| path.starts_with(&below) && path.ends_with(".py");
    !here.has("src/__init__.py") && here.tree.paths().iter().any(|path| is_module(&path))
}

/// What pip is asked for, as a person would write it.
pub(super) fn pip_command(here: &DirTree<'_>) -> String {
    let needs = needs(here).unwrap_or_default();
    let words = project_words(&needs).into_iter().chain(test_words(&needs));
    format!("pip install {}", words.collect::<Vec<_>>().join(" "))
}

/// The whole in one resolution; where that fails, part by part: the project or what it needs, its own lists, and the
/// requirements for tests, line by line. One that cannot be had ends the set-up with its place, unless it is a tool that the
/// tests do not use.
pub(super) fn pip_script(here: &DirTree<'_>, command: &str) -> String {
    let needs = needs(here).unwrap_or_default();
    if declares_nothing(here, &needs) {
        return pytest_alone(here);
    }
    let all = command.trim_start_matches("pip install ");
    let project = project_words(&needs).join(" ");
    let parts: String = test_parts(here, &needs);
    let alone = if project.is_empty() {
        String::new()
    } else {
        let laid = lay_source(&needs);
        format!("own=yes\ninstall {project} || {{\nown=''\n{}{laid}}}\n", dependencies(&needs))
    };
    // A requirement of the tests may bring a copy of the project, or of a member of its workspace, from the index.
    let last = if project.is_empty() {
        String::new()
    } else {
        format!("[ -z \"$own\" ] || install --no-deps {project}\n")
    };
    let coming = match needs.project {
        None if has_loose_source(here) => format!("coming() {{\n{LAY_LOOSE_SOURCE}}}\n"),
        None | Some(_) => coming_source(&needs),
    };
    let come = if coming.is_empty() { "" } else { "coming; " };
    format!(
        "python3 -m venv .venv\n\
         locked=${{locked-}}\n\
         install() {{ .venv/bin/python -m pip install -q --no-input --disable-pip-version-check ${{locked:+-c \"$locked\"}} \"$@\"; }}\n\
         {FITTING}{coming}if install {all}; then {come}fitting; exit 0; fi\n\
         {UNREACHABLE}{alone}{WANT}{parts}install pytest\n{come}fitting\n{last}[ -z \"$lacking\" ] || {{ printf '%s' \"$lacking\" >&2; exit 1; }}\n"
    )
}

/// A task may bring the first package of a project: the environment is made on the branch, where its directory is not there yet, and an
/// editable install leads nowhere.
fn coming_source(needs: &PythonNeeds) -> String {
    let Some(PythonProject { source, .. }) = needs.project.as_ref().filter(|project| project.source != ".")
    else {
        return String::new();
    };
    format!(
        "coming() {{\n\
         \x20 if [ -d {source} ]; then return; fi\n\
         \x20 site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))')\n\
         \x20 echo \"$PWD/{source}\" >\"$site/windlass-coming.pth\"\n\
         }}\n"
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

/// `-e '.[tests]'`, and the other projects of the workspace.
fn project_words(needs: &PythonNeeds) -> Vec<String> {
    let Some(project) = &needs.project else { return Vec::new() };
    let extras = project.extras.join(",");
    let what = if extras.is_empty() { ".".to_owned() } else { format!(".[{extras}]") };
    let members = project.members.iter().flat_map(|member| ["-e".to_owned(), quote(&format!("./{member}"))]);
    ["-e".to_owned(), quote(&what)].into_iter().chain(members).collect()
}

fn test_words(needs: &PythonNeeds) -> Vec<String> {
    let lists = needs.lists.iter().flat_map(|path| ["-r".to_owned(), quote(path)]);
    needs.requirements.iter().map(|one| quote(one)).chain(lists).collect()
}

/// Installs one requirement by a list beside the one that it stands in, so that paths in it lead to the same files. What
/// cannot be had is remembered with its place.
const WANT: &str = "lacking=''\n\
     want() {\n\
     \x20 printf '%s\\n' \"$3\" >\"$2.windlass-line.txt\"\n\
     \x20 install -r \"$2.windlass-line.txt\" 2>\"$TMPDIR/said\" && rm -f \"$2.windlass-line.txt\" && return\n\
     \x20 rm -f \"$2.windlass-line.txt\"; cat \"$TMPDIR/said\" >&2\n\
     \x20 why=$(sed -n 's/^ERROR: //p' \"$TMPDIR/said\" | head -n 1)\n\
     \x20 lacking=\"${lacking}error: $1 cannot be installed: ${why:-pip failed}; correct it there\n\"\n\
     }\n";

/// The commands for the requirements of tests: lists as a whole and, where that fails, line by line.
fn test_parts(here: &DirTree<'_>, needs: &PythonNeeds) -> String {
    let used = imported_modules(here);
    let aside = |requirement: &str| {
        let name = requirement_name(requirement);
        is_aside(name) && !used.iter().any(|module| same_package(module, name))
    };
    let one = |place: &str, folder: &str, options: &str, line: &str| {
        if is_own_directory(line) {
            return String::new();
        }
        if aside(line) {
            return optional(line);
        }
        let what = quote(&format!("`{line}` ({place})"));
        format!("want {what} {} {}\n", quote(folder), quote(&format!("{options}{line}")))
    };
    let mut script = String::new();
    for path in &needs.lists {
        let folder = path.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
        let Some(lines) = list_lines(here, path) else {
            script.push_str(&one(path, "", "", &format!("-r {path}")));
            continue;
        };
        let lines: String = lines
            .iter()
            .map(|(number, options, line)| one(&format!("{path}:{number}"), &folder, options, line))
            .collect();
        let whole = quote(path);
        script.push_str(&format!("install -r {whole} || {{\n{lines}:; }}\n"));
    }
    // A group or an environment may be for one of several databases or platforms: what cannot be had and nothing imports is
    // told, and the tests say whether they need it. Plug-ins of pytest appear in no import.
    let unused = |line: &str| {
        let name = requirement_name(line);
        !name.to_ascii_lowercase().starts_with("pytest")
            && !used.iter().any(|module| same_package(module, name))
    };
    let own = needs
        .requirements
        .iter()
        .map(|line| if unused(line) { optional(line) } else { one(&place_of(here, line), "", "", line) });
    script.extend(own);
    script
}

/// Installs a requirement, or says that it is not there.
fn optional(line: &str) -> String {
    let told = quote(&format!("warning: not installed: {line}"));
    format!("install {} || echo {told} >&2\n", quote(line))
}

/// Whether a requirement is the project itself, as `uv pip compile` writes it down and pip does not read it: `name @ file:.#egg=name`.
/// It is installed before the lists.
fn is_own_directory(line: &str) -> bool {
    let target = line.split_once(" @ ").map_or(line, |(_, target)| target).trim();
    target.strip_prefix("file:.").is_some_and(|rest| rest.is_empty() || rest.starts_with(['#', '[', ' ']))
}

/// The requirements of a list: the number of the line, the options that stand before it, and its text. `None` if the list
/// is not there.
fn list_lines(here: &DirTree<'_>, path: &str) -> Option<Vec<(usize, String, String)>> {
    let content = text(here.tree, &in_dir(here.dir, path))?;
    let (mut found, mut options, mut begun) = (Vec::new(), String::new(), String::new());
    for (line, number) in content.lines().zip(1..) {
        if let Some(part) = line.trim_end().strip_suffix('\\') {
            begun.push_str(part);
            continue;
        }
        let whole = std::mem::take(&mut begun) + line;
        let plain = whole.split(" #").next().unwrap_or_default().trim();
        let installs = ["-e", "--editable", "-r", "--requirement"].iter().any(|word| plain.starts_with(word));
        let says_nothing = plain.is_empty() || plain.starts_with('#');
        if plain.starts_with('-') && !installs {
            options.push_str(&format!("{plain}\n"));
        } else if !says_nothing {
            found.push((number, options.clone(), plain.to_owned()));
        }
    }
    Some(found)
}

/// Where a requirement is stated, as far as one line holds it.
fn place_of(here: &DirTree<'_>, requirement: &str) -> String {
    for name in MANIFESTS.iter().chain(&HINTS) {
        let content = text(here.tree, &in_dir(here.dir, name)).unwrap_or_default();
        let holds = |line: &str| line.contains(requirement);
        if let Some(at) = content.lines().position(holds) {
            return format!("{name}:{}", at + 1);
        }
    }
    "needed for the tests".to_owned()
}

/// Tools that check, document or release a project, by the names of their packages.
fn is_aside(package: &str) -> bool {
    const TOOLS: [&str; 26] = [
        "black",
        "ruff",
        "flake8",
        "isort",
        "pylint",
        "pycodestyle",
        "pydocstyle",
        "autopep8",
        "mypy",
        "pyright",
        "pyre-check",
        "bandit",
        "sphinx",
        "furo",
        "mkdocs",
        "towncrier",
        "reno",
        "twine",
        "build",
        "wheel",
        "bumpversion",
        "tox",
        "nox",
        "pre-commit",
        "coveralls",
        "codecov",
    ];
    const FAMILIES: [&str; 5] = ["flake8-", "sphinx-", "sphinxcontrib-", "mkdocs-", "types-"];
    let name = package.to_ascii_lowercase().replace('_', "-");
    TOOLS.contains(&name.as_str()) || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Puts the source directory on Python's path and writes the metadata that an editable install would leave.
fn lay_source(needs: &PythonNeeds) -> String {
    let Some(PythonProject { name, version, source, entry_points, members, .. }) = &needs.project else {
        return String::new();
    };
    let members: String = members.iter().map(|member| format!(" {}", quote(member))).collect();
    let name = if name.is_empty() { "project" } else { name.as_str() };
    let file = name.replace('-', "_");
    let version = version.as_deref().map_or_else(|| "${WINDLASS_VERSION:-0.0.0}".to_owned(), quote);
    format!(
        "site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))')\n\
         echo \"$PWD/{source}\" >\"$site/windlass-source.pth\"\n\
         for member in{members}; do\n\
         \x20 if [ -d \"$member/src\" ]; then member=\"$member/src\"; fi\n\
         \x20 echo \"import sys; sys.path.insert(sys.path.index('$site'), '$PWD/$member')\" >>\"$site/windlass-source.pth\"\n\
         done\n\
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    #[test]
    fn code_below_src_without_a_manifest_is_laid_on_the_path() {
        for (paths, is_laid) in [
            (&["src/calc/__init__.py", "tests/test_calc.py"][..], true),
            (&["src/calc.py", "tests/test_calc.py"], true),
            (&["src/__init__.py", "src/calc.py", "tests/test_calc.py"], false),
            (&["calc.py", "tests/test_calc.py"], false),
        ] {
            let tree = MemoryTree::new(paths.iter().map(|path| (*path, "")).collect::<Vec<_>>());
            let here = DirTree { tree: &tree, dir: "" };
            let script = pip_script(&here, "pip install pytest");
            assert_eq!(script.contains("windlass-source.pth"), is_laid, "{paths:?}: {script}");
        }
    }
}
