//! What the files of a Python project say that its tests need: extras, groups, requirement lists, environments of tox,
//! nox and hatch.
//!
//! Reads declarations only. A package that no file of the project names is never asked for, except pytest and the plug-ins
//! that the configuration of pytest gives options to.

mod tox_lists;

use toml::{Table, Value};

use self::tox_lists::{list_of_environment, tox_lines};
use super::literals::{SetupCall, nox_installs};
use super::workspace::workspace_members;
use crate::detect::is_test_path;
use crate::detect::setup::DirTree;
use crate::detect::{dir_of, in_dir, relative, text, toml};
use crate::detect::{ini_lines, ini_section};
use crate::language::django_settings;

/// What is to be installed for the tests of a directory.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PythonNeeds {
    /// The project itself, if the directory has one.
    pub(super) project: Option<PythonProject>,
    /// Requirements for the tests.
    pub(super) requirements: Vec<String>,
    /// Groups of `[dependency-groups]` whose requirements are among them.
    pub(super) groups: Vec<String>,
    /// Requirement lists, relative to the directory: first those that the code needs, then those of the tests.
    pub(super) lists: Vec<String>,
}

/// A project that pip can install.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PythonProject {
    pub(super) name: String,
    /// Its version, if it is stated.
    pub(super) version: Option<String>,
    /// Extras that its tests need.
    pub(super) extras: Vec<String>,
    /// What it needs, with those extras, as far as its files say so without being run.
    pub(super) dependencies: Vec<String>,
    /// Projects of the same workspace, relative to the directory: an index may have them too, and not as they are here.
    pub(super) members: Vec<String>,
    /// Where its packages are, relative to the directory.
    pub(super) source: String,
    /// Its entry points, as in `entry_points.txt`.
    pub(super) entry_points: String,
    /// Variables that its build backend takes the version from in place of git.
    pub(super) version_variables: Vec<&'static str>,
}

/// What an extra, a group or a list is for, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Tests,
    Development,
    /// Documentation, linters, builds, releases.
    Aside,
    Other,
}

fn use_of(name: &str) -> Use {
    let lower = name.to_ascii_lowercase();
    let has =
        |list: &[&str]| lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| list.contains(&word));
    if has(&[
        "docs", "doc", "lint", "linting", "typing", "mypy", "types", "build", "release", "publish", "format",
    ]) || has(&[
        "style",
        "benchmark",
        "benchmarks",
        "bench",
        "profile",
        "pre",
        "precommit",
        "examples",
        "deploy",
    ]) {
        Use::Aside
    } else if has(&["test", "tests", "testing", "pytest", "unittest", "unittests", "ci"]) {
        Use::Tests
    } else if has(&["dev", "develop", "development", "devel", "local", "all"]) {
        Use::Development
    } else {
        Use::Other
    }
}

/// Files that say that a directory is a Python project or lists what one needs.
#[rustfmt::skip]
pub(super) const MANIFESTS: [&str; 9] = [
    "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "requirements-dev.txt", "requirements_dev.txt",
    "dev-requirements.txt", "requirements-test.txt", "test-requirements.txt",
];

/// Files besides that decide the result, if they are there.
pub(super) const HINTS: [&str; 5] = ["tox.ini", "tox.toml", "noxfile.py", "pytest.ini", ".python-version"];

/// The name and the lists of requirements of a kind, such as one extra.
pub(super) type NamedLists = Vec<(String, Vec<String>)>;

/// Everything that decides the result of the set-up, relative to the directory.
pub(super) fn inputs(here: &DirTree<'_>, needs: &PythonNeeds) -> Vec<String> {
    let files = MANIFESTS[..3].iter().chain(&HINTS).map(|name| (*name).to_owned());
    let mut all: Vec<String> = files.filter(|name| here.has(name)).collect();
    all.extend(needs.lists.iter().cloned());
    let members = needs.project.iter().flat_map(|project| &project.members);
    all.extend(members.map(|member| format!("{member}/pyproject.toml")));
    all.dedup();
    all
}

/// What the directory needs; `None` if it is no project and lists nothing.
pub(super) fn needs(here: &DirTree<'_>) -> Option<PythonNeeds> {
    let files = ProjectFiles::read(here);
    let mut project = files.project();
    let (runtime, mut lists) = requirement_lists(here);
    let mut wanted = Wanted::default();
    for (name, requirements) in files.groups() {
        wanted.add(use_of(&name), requirements, Some(&name));
    }
    files.environments(&mut wanted, &mut lists);
    let lists: Vec<(Use, String)> =
        lists.into_iter().filter_map(|(of, path)| Some((of, list_of_environment(here, path)?))).collect();
    let extras = files.extras();
    let has_tests = wanted.has_tests()
        || extras.iter().any(|(name, _)| use_of(name) == Use::Tests)
        || lists.iter().any(|(kind, _)| *kind == Use::Tests);
    let kind = if has_tests { Use::Tests } else { Use::Development };
    if let Some(project) = &mut project {
        project.members = workspace_members(&files.pyproject, here);
        ProjectFiles::choose_extras(here, project, kind, &wanted.extras, &extras);
    }
    let mut found = PythonNeeds { project, ..PythonNeeds::default() };
    found.lists.extend(runtime);
    found.lists.extend(lists.into_iter().filter(|(of, _)| *of == kind).map(|(_, path)| path));
    if found.project.is_none() && found.lists.is_empty() && !wanted.has(kind) {
        return None;
    }
    let (requirements, groups) = wanted.take(kind);
    found.requirements = requirements;
    found.groups = groups;
    found.requirements.extend(files.plugins());
    found.requirements.extend(django_settings(here.tree, here.dir).map(|_| "pytest-django".to_owned()));
    found.requirements.push("pytest".to_owned());
    let mut seen = Vec::new();
    found.requirements.retain(|one| {
        let new = is_requirement(one) && !seen.contains(one);
        seen.push(one.clone());
        new
    });
    Some(found)
}

/// Requirements by what they are for.
#[derive(Default)]
struct Wanted {
    tests: Vec<String>,
    development: Vec<String>,
    test_groups: Vec<String>,
    development_groups: Vec<String>,
    /// Extras that an environment for tests asks for.
    extras: Vec<String>,
}

impl Wanted {
    fn add(&mut self, of: Use, requirements: Vec<String>, group: Option<&str>) {
        let (list, groups) = match of {
            Use::Tests => (&mut self.tests, &mut self.test_groups),
            Use::Development => (&mut self.development, &mut self.development_groups),
            Use::Aside | Use::Other => return,
        };
        list.extend(requirements);
        groups.extend(group.map(str::to_owned));
    }

    fn has_tests(&self) -> bool {
        !self.tests.is_empty()
    }

    fn has(&self, of: Use) -> bool {
        if of == Use::Tests { self.has_tests() } else { !self.development.is_empty() }
    }

    fn take(self, of: Use) -> (Vec<String>, Vec<String>) {
        if of == Use::Tests {
            (self.tests, self.test_groups)
        } else {
            (self.development, self.development_groups)
        }
    }
}

/// The files of a project that are read.
struct ProjectFiles {
    pyproject: Table,
    setup_cfg: String,
    setup_py: Option<SetupCall>,
    tox: String,
    tox_toml: Table,
    nox: String,
    pytest_ini: String,
    has_source_dir: bool,
}

impl ProjectFiles {
    fn read(here: &DirTree<'_>) -> Self {
        let read = |name: &str| text(here.tree, &in_dir(here.dir, name));
        let table = |name: &str| toml(here.tree, &in_dir(here.dir, name)).unwrap_or_default();
        let source = in_dir(here.dir, "src/");
        Self {
            pyproject: table("pyproject.toml"),
            setup_cfg: read("setup.cfg").unwrap_or_default(),
            setup_py: read("setup.py").map(|script| SetupCall::read(&script)),
            tox: read("tox.ini").unwrap_or_default(),
            tox_toml: table("tox.toml"),
            nox: read("noxfile.py").unwrap_or_default(),
            pytest_ini: read("pytest.ini").unwrap_or_default(),
            has_source_dir: here.tree.paths().iter().any(|p| p.starts_with(&source) && p.ends_with(".py")),
        }
    }

    fn at(&self, keys: &[&str]) -> Option<&Value> {
        let (first, rest) = keys.split_first()?;
        rest.iter().try_fold(self.pyproject.get(*first)?, |value, key| value.get(*key))
    }

    fn project(&self) -> Option<PythonProject> {
        let table = self.at(&["project"]).or_else(|| self.at(&["tool", "poetry"]));
        let in_cfg = |key: &str| ini_lines(&self.setup_cfg, "metadata", key).into_iter().next();
        let in_py = |key: &str| self.setup_py.as_ref()?.text(key);
        let of_table = |key: &str| table?.get(key)?.as_str().map(str::to_owned);
        // A `pyproject.toml` with nothing but settings of tools is no project.
        let is_project = table.is_some() || self.setup_py.is_some() || in_cfg("name").is_some();
        if !is_project {
            return None;
        }
        let mut dependencies = strings(self.at(&["project", "dependencies"]));
        dependencies.extend(poetry_list(self.at(&["tool", "poetry", "dependencies"])));
        dependencies.extend(ini_lines(&self.setup_cfg, "options", "install_requires"));
        dependencies.extend(self.setup_py.iter().flat_map(|call| call.list("install_requires")));
        Some(PythonProject {
            name: of_table("name").or_else(|| in_cfg("name")).or_else(|| in_py("name")).unwrap_or_default(),
            version: of_table("version").or_else(|| in_cfg("version")).filter(|v| !v.contains(':')),
            dependencies,
            source: if self.has_source_dir { "src".to_owned() } else { ".".to_owned() },
            entry_points: self.entry_points(),
            version_variables: self.version_variables(),
            extras: Vec::new(),
            members: Vec::new(),
        })
    }

    /// The variables of backends that would ask git for the version.
    fn version_variables(&self) -> Vec<&'static str> {
        const BACKENDS: [(&[&str], &str); 5] = [
            (
                &["setuptools-scm", "setuptools_scm", "hatch-vcs", "vcs-versioning"],
                "SETUPTOOLS_SCM_PRETEND_VERSION",
            ),
            (&["pdm-backend", "pdm-pep517"], "PDM_BUILD_SCM_VERSION"),
            (&["poetry-dynamic-versioning"], "POETRY_DYNAMIC_VERSIONING_BYPASS"),
            (&["pbr"], "PBR_VERSION"),
            (&["uv-dynamic-versioning"], "UV_DYNAMIC_VERSIONING_BYPASS"),
        ];
        let mut asked = strings(self.at(&["build-system", "requires"]));
        asked.extend(ini_lines(&self.setup_cfg, "options", "setup_requires"));
        asked.extend(self.setup_py.iter().flat_map(|call| call.list("setup_requires")));
        let needed = |names: &[&str]| asked.iter().any(|one| names.contains(&requirement_name(one)));
        BACKENDS.iter().filter(|(names, _)| needed(names)).map(|(_, variable)| *variable).collect()
    }

    /// `[project.scripts]`, `[project.entry-points]` and their like as `entry_points.txt`.
    fn entry_points(&self) -> String {
        let mut out = String::new();
        let mut section = |name: &str, table: Option<&Value>| {
            let Some(table) = table.and_then(Value::as_table) else { return };
            out.push_str(&format!("[{name}]\n"));
            for (key, value) in table {
                out.push_str(&value.as_str().map(|value| format!("{key} = {value}\n")).unwrap_or_default());
            }
        };
        section("console_scripts", self.at(&["project", "scripts"]));
        section("console_scripts", self.at(&["tool", "poetry", "scripts"]));
        let groups = [self.at(&["project", "entry-points"]), self.at(&["tool", "poetry", "plugins"])];
        for (name, table) in groups.into_iter().flatten().filter_map(Value::as_table).flatten() {
            section(name, Some(table));
        }
        for (name, lines) in ini_section(&self.setup_cfg, "options.entry_points") {
            out.push_str(&format!("[{name}]\n{}\n", lines.join("\n")));
        }
        out
    }

    /// Extras with what they bring.
    fn extras(&self) -> NamedLists {
        let mut found = named_lists(self.at(&["project", "optional-dependencies"]));
        let poetry = self.at(&["tool", "poetry", "extras"]);
        found.extend(named_lists(poetry));
        found.extend(ini_section(&self.setup_cfg, "options.extras_require"));
        found.extend(self.setup_py.iter().flat_map(|call| call.lists("extras_require")));
        found
    }

    /// The extras for tests, those that an environment asks for, and those whose packages the project imports.
    fn choose_extras(
        here: &DirTree<'_>,
        project: &mut PythonProject,
        kind: Use,
        asked: &[String],
        extras: &[(String, Vec<String>)],
    ) {
        let mut open: Vec<&(String, Vec<String>)> = Vec::new();
        for extra in extras {
            if use_of(&extra.0) == kind || asked.contains(&extra.0) {
                project.extras.push(extra.0.clone());
                project.dependencies.extend(extra.1.iter().cloned());
            } else if use_of(&extra.0) == Use::Other {
                open.push(extra);
            }
        }
        // One that an environment asks for and that is computed elsewhere; pip warns of one that is not there.
        let is_known = |name: &&String| extras.iter().any(|(known, _)| known == *name);
        let is_name = |name: &&String| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
        };
        project.extras.extend(asked.iter().filter(|name| is_name(name) && !is_known(name)).cloned());
        let imported = if open.is_empty() { Vec::new() } else { imported_modules(here) };
        for (name, requirements) in open {
            let used =
                |one: &String| imported.iter().any(|module| same_package(module, requirement_name(one)));
            if requirements.iter().any(used) {
                project.extras.push(name.clone());
                project.dependencies.extend(requirements.iter().cloned());
            }
        }
        // An extra that names other extras of the project is followed by pip, not here.
        let own = project.name.clone();
        project.dependencies.retain(|one| !same_package(requirement_name(one), &own));
        project.dependencies.retain(|one| is_requirement(one));
    }

    /// `[dependency-groups]` and what tools had before them.
    fn groups(&self) -> NamedLists {
        let mut found = NamedLists::new();
        let groups = self.at(&["dependency-groups"]).and_then(Value::as_table);
        for (name, _) in groups.into_iter().flatten() {
            let mut list = Vec::new();
            expand_group(groups, name, &mut list, 0);
            found.push((name.clone(), list));
        }
        found.extend(named_lists(self.at(&["tool", "pdm", "dev-dependencies"])));
        let uv = strings(self.at(&["tool", "uv", "dev-dependencies"]));
        if !uv.is_empty() {
            found.push(("dev".to_owned(), uv));
        }
        let poetry = self.at(&["tool", "poetry", "group"]).and_then(Value::as_table);
        for (name, group) in poetry.into_iter().flatten() {
            found.push((name.clone(), poetry_list(group.get("dependencies"))));
        }
        let old = poetry_list(self.at(&["tool", "poetry", "dev-dependencies"]));
        if !old.is_empty() {
            found.push(("dev".to_owned(), old));
        }
        found
    }

    /// What the environments of tox, nox and hatch install for tests.
    fn environments(&self, wanted: &mut Wanted, lists: &mut Vec<(Use, String)>) {
        let inline = self.at(&["tool", "tox", "legacy_tox_ini"]).and_then(Value::as_str).unwrap_or_default();
        let mut words: Vec<String> = Vec::new();
        for text in [self.tox.as_str(), inline] {
            words.extend(tox_lines(text, "testenv", "deps"));
            let extras = ini_lines(text, "testenv", "extras").join(",");
            wanted.extras.extend(extras.split([',', ' ']).map(|one| last_factor(one).to_owned()));
        }
        let tables = [self.tox_toml.get("env_run_base"), self.at(&["tool", "tox", "env_run_base"])];
        for table in tables.into_iter().flatten() {
            words.extend(strings(table.get("deps")));
            wanted.extras.extend(strings(table.get("extras")));
        }
        words.extend(nox_installs(&self.nox));
        words.extend(self.setup_py.iter().flat_map(|call| call.list("tests_require")));
        let mut environments = Vec::new();
        for name in ["test", "tests", "testing", "hatch-test", "default"] {
            environments.extend(self.at(&["tool", "hatch", "envs", name]));
        }
        for table in environments {
            words.extend(strings(table.get("dependencies")));
            words.extend(strings(table.get("extra-dependencies")));
            wanted.extras.extend(strings(table.get("features")));
        }
        for word in words {
            if let Some(list) = word.strip_prefix("-r").map(str::trim) {
                let path = list.trim_start_matches("{toxinidir}/").trim_start_matches("./").to_owned();
                if !path.is_empty() && !lists.iter().any(|(_, known)| *known == path) {
                    lists.push((Use::Tests, path));
                }
            } else if let Some(extras) = word.strip_prefix('.').and_then(|rest| rest.strip_prefix('[')) {
                wanted
                    .extras
                    .extend(extras.trim_end_matches(']').split(',').map(|one| one.trim().to_owned()));
            } else if is_requirement(&word) {
                wanted.tests.push(word);
            }
        }
    }

    /// Plug-ins without which pytest refuses the options of its own configuration.
    fn plugins(&self) -> Vec<String> {
        const OPTIONS: [(&str, &str); 14] = [
            ("--cov", "pytest-cov"),
            ("--numprocesses", "pytest-xdist"),
            ("--dist", "pytest-xdist"),
            ("-n", "pytest-xdist"),
            ("--timeout", "pytest-timeout"),
            ("--benchmark", "pytest-benchmark"),
            ("--randomly", "pytest-randomly"),
            ("--asyncio-mode", "pytest-asyncio"),
            ("--reruns", "pytest-rerunfailures"),
            ("--disable-socket", "pytest-socket"),
            ("--allow-hosts", "pytest-socket"),
            ("--hypothesis", "hypothesis"),
            ("--doctest-plus", "pytest-doctestplus"),
            ("--ds", "pytest-django"),
        ];
        let configured = self.at(&["tool", "pytest", "ini_options"]);
        let one = |key: &str| -> Vec<String> {
            let value = configured.and_then(|table| table.get(key));
            let mut all = strings(value);
            all.extend(value.and_then(Value::as_str).map(str::to_owned));
            for (text, section) in
                [(&self.setup_cfg, "tool:pytest"), (&self.tox, "pytest"), (&self.pytest_ini, "pytest")]
            {
                all.extend(ini_lines(text, section, key));
            }
            all
        };
        let mut found = one("required_plugins");
        let options = one("addopts").join(" ");
        let given = |name: &str| {
            options.split([' ', '=']).any(|word| word == name || (name.len() > 2 && word.starts_with(name)))
        };
        found.extend(OPTIONS.iter().filter(|(name, _)| given(name)).map(|(_, plugin)| (*plugin).to_owned()));
        for (key, plugin) in [("asyncio_mode", "pytest-asyncio"), ("DJANGO_SETTINGS_MODULE", "pytest-django")]
        {
            found.extend((!one(key).is_empty()).then(|| plugin.to_owned()));
        }
        found
    }
}

/// Requirement lists of the directory: what the code needs, and the others by what they are for.
fn requirement_lists(here: &DirTree<'_>) -> (Vec<String>, Vec<(Use, String)>) {
    let (mut runtime, mut rest) = (Vec::new(), Vec::new());
    for path in here.tree.paths() {
        let own = relative(here.dir, path);
        let Some((stem, ending)) = own.rsplit('/').next().and_then(|name| name.rsplit_once('.')) else {
            continue;
        };
        let dir = dir_of(own);
        if (path == own && !here.dir.is_empty()) || !matches!(ending, "txt" | "in") {
            continue;
        }
        // `tests.in` is what `tests.txt` was made from.
        if ending == "in" && here.has(&format!("{}.txt", own.trim_end_matches(".in"))) {
            continue;
        }
        let in_name = stem.contains("requirements");
        let words = stem.replace("requirements", "");
        let kind = match dir {
            "" if in_name => use_of(&words),
            "requirements" | "reqs" => use_of(stem),
            "tests" | "test" | "testing" if in_name => Use::Tests,
            _ => continue,
        };
        let plain = words.trim_matches(['-', '_', '.']).is_empty()
            || matches!(stem, "base" | "main" | "common" | "prod" | "production" | "install");
        if kind == Use::Other && plain {
            runtime.push(own.to_owned());
        } else {
            rest.push((kind, own.to_owned()));
        }
    }
    (runtime, rest)
}

/// The top-level modules that tests and sources of the directory import.
pub(super) fn imported_modules(here: &DirTree<'_>) -> Vec<String> {
    const MOST: usize = 500;
    let below = |path: &&String| here.dir.is_empty() || relative(here.dir, path) != path.as_str();
    let python = here.tree.paths().iter().filter(|path| path.ends_with(".py")).filter(below);
    let (tests, sources): (Vec<&String>, Vec<&String>) = python.partition(|path| is_test_path(path));
    let mut found: Vec<String> = Vec::new();
    for path in tests.into_iter().chain(sources).take(MOST) {
        for line in text(here.tree, path).unwrap_or_default().lines() {
            let line = line.trim_start();
            let Some(rest) = line.strip_prefix("import ").or_else(|| line.strip_prefix("from ")) else {
                continue;
            };
            let module: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !module.is_empty() && !found.contains(&module) {
                found.push(module);
            }
        }
    }
    found
}

fn expand_group(groups: Option<&Table>, name: &str, list: &mut Vec<String>, depth: usize) {
    let entries = groups.and_then(|groups| groups.get(name)).and_then(Value::as_array);
    for entry in entries.into_iter().flatten().filter(|_| depth < 8) {
        match (entry.as_str(), entry.get("include-group").and_then(Value::as_str)) {
            (Some(requirement), _) => list.push(requirement.to_owned()),
            (None, Some(other)) => expand_group(groups, other, list, depth + 1),
            (None, None) => {}
        }
    }
}

/// Poetry's table of dependencies as requirements. A caret or tilde becomes a lower bound.
fn poetry_list(table: Option<&Value>) -> Vec<String> {
    let table = table.and_then(Value::as_table);
    let one = |(name, value): (&String, &Value)| {
        let optional = value.get("optional").and_then(Value::as_bool) == Some(true);
        let elsewhere = ["path", "git", "url"].iter().any(|key| value.get(*key).is_some());
        if name == "python" || optional || elsewhere {
            return None;
        }
        let version = value.as_str().or_else(|| value.get("version")?.as_str()).unwrap_or("*");
        let extras = strings(value.get("extras")).join(",");
        let extras = if extras.is_empty() { extras } else { format!("[{extras}]") };
        let bound = version.split("||").next().unwrap_or("*").trim();
        let bound = match bound.strip_prefix(['^', '~']) {
            Some(number) => format!(">={}", number.trim_start_matches('=')),
            None if bound == "*" => String::new(),
            None if bound.starts_with(|c: char| c.is_ascii_digit()) => format!("=={bound}"),
            None => bound.to_owned(),
        };
        Some(format!("{name}{extras}{bound}"))
    };
    table.into_iter().flatten().filter_map(one).collect()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|one| one.as_str().map(str::to_owned)).collect()
}

fn named_lists(value: Option<&Value>) -> NamedLists {
    let table = value.and_then(Value::as_table);
    table.into_iter().flatten().map(|(name, list)| (name.clone(), strings(Some(list)))).collect()
}

/// `tests` of `py312: tests`.
fn last_factor(word: &str) -> &str {
    word.rsplit(':').next().unwrap_or(word).trim()
}

/// The name of the package that a requirement is about.
pub(super) fn requirement_name(requirement: &str) -> &str {
    let end = requirement.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)));
    requirement[..end.unwrap_or(requirement.len())].trim_end_matches(['.', '-'])
}

/// Whether a word is a requirement and not an option, a variable or a path.
fn is_requirement(word: &str) -> bool {
    let name = requirement_name(word);
    let rest = word[name.len()..].trim_start();
    word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !word.contains(['{', '$', '\n'])
        && (rest.is_empty() || rest.starts_with(['[', '<', '>', '=', '!', '~', ';', '@', '(']))
}

/// Whether two names of packages or modules are the same but for dashes and case.
pub(super) fn same_package(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '.'], "_");
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests;
