//! Tests of what Python projects need.

use super::*;
use crate::repo::MemoryTree;

fn of(files: &[(&str, &str)]) -> PythonNeeds {
    let tree = MemoryTree::new(files.iter().copied());
    needs(&DirTree { tree: &tree, dir: "" }).unwrap_or_default()
}

/// Requirements besides pytest, and lists.
fn requirements(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let mut found = of(files);
    found.requirements.retain(|one| one != "pytest");
    (found.requirements, found.lists)
}

#[test]
fn extras_for_tests_come_before_those_for_development() {
    let project = "[project]\nname = 'a'\ndependencies = ['x']\n[project.optional-dependencies]\n";
    let cases = [
        ("test = ['t']\ndev = ['d']\ndocs = ['sphinx']", vec!["test"]),
        ("dev = ['d']\ndocs = ['sphinx']\nlint = ['l']", vec!["dev"]),
        ("docs = ['sphinx']", vec![]),
        ("tests-full = ['t']\ntesting = ['u']", vec!["testing", "tests-full"]),
    ];
    for (extras, wanted) in cases {
        let found = of(&[("pyproject.toml", &format!("{project}{extras}\n"))]);
        assert_eq!(found.project.unwrap().extras, wanted, "{extras}");
    }
}

#[test]
fn an_extra_whose_package_is_imported_is_needed() {
    let manifest = "[project]\nname = 'jot'\n[project.optional-dependencies]\n\
                    crypto = ['cryptography>=3']\nweb = ['aiohttp']\ntests = ['pytest']\n";
    let found = of(&[
        ("pyproject.toml", manifest),
        ("jot/keys.py", "try:\n    from cryptography import x509\nexcept ImportError:\n    pass\n"),
        ("tests/test_keys.py", "import jot\n"),
    ]);
    let project = found.project.unwrap();
    assert_eq!(project.extras, ["tests", "crypto"]);
    assert_eq!(project.dependencies, ["pytest", "cryptography>=3"]);
}

#[test]
fn groups_of_every_tool() {
    let project = "[project]\nname = 'a'\n";
    let cases = [
        (
            "[dependency-groups]\ntests = ['t', {include-group = 'more'}]\nmore = ['m']\ndev = ['d']\n",
            vec!["t", "m"],
        ),
        ("[dependency-groups]\ndev = ['d']\ndocs = ['s']\n", vec!["d"]),
        (
            "[tool.poetry.group.test.dependencies]\nt = '^1.2'\nu = {version = '~2', extras = ['e']}\npython = '^3.9'\n",
            vec!["t>=1.2", "u[e]>=2"],
        ),
        ("[tool.poetry.dev-dependencies]\nt = '*'\nv = '1.0'\n", vec!["t", "v==1.0"]),
        ("[tool.pdm.dev-dependencies]\ntest = ['t']\nlint = ['l']\n", vec!["t"]),
        ("[tool.uv]\ndev-dependencies = ['t']\n", vec!["t"]),
        ("[tool.hatch.envs.default]\ndependencies = ['t']\n", vec!["t"]),
        ("[tool.hatch.envs.hatch-test]\nextra-dependencies = ['t']\n", vec!["t"]),
        ("[tool.tox.env_run_base]\ndeps = ['t']\n", vec!["t"]),
    ];
    for (text, wanted) in cases {
        let (mut found, _) = requirements(&[("pyproject.toml", &format!("{project}{text}"))]);
        found.sort();
        let mut wanted = wanted.clone();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn lists_of_requirements_by_their_names() {
    let project = ("pyproject.toml", "[project]\nname = 'a'\n");
    let cases: [(&[&str], &[&str]); 7] = [
        (&["requirements.txt", "requirements-dev.txt"], &["requirements.txt", "requirements-dev.txt"]),
        (&["requirements-dev.txt", "requirements-test.txt"], &["requirements-test.txt"]),
        (&["docs/requirements.txt", "doc/requirements.txt", "requirements-docs.txt"], &[]),
        (
            &["requirements/tests.txt", "requirements/tests.in", "requirements/docs.txt"],
            &["requirements/tests.txt"],
        ),
        (
            &["requirements/tests.in", "requirements/base.txt"],
            &["requirements/base.txt", "requirements/tests.in"],
        ),
        (&["tests/requirements.txt"], &["tests/requirements.txt"]),
        (&["dev_requirements.txt", "examples/requirements.txt"], &["dev_requirements.txt"]),
    ];
    for (files, wanted) in cases {
        let all: Vec<(&str, &str)> = files.iter().map(|path| (*path, "x\n")).chain([project]).collect();
        let (_, lists) = requirements(&all);
        assert_eq!(lists, wanted, "{files:?}");
    }
}

#[test]
fn environments_of_tox_and_nox_are_hints() {
    let setup = ("setup.py", "setup(name='a')\n");
    let tox = "[testenv]\nextras =\n    tests\n    crypto: crypto\ndeps =\n    t>=1\n    py27: mock\n    {env:X}\n    -r{toxinidir}/more.txt\n";
    assert_eq!(requirements(&[setup, ("tox.ini", tox)]), (vec!["t>=1".into()], vec!["more.txt".into()]));
    let refers =
        "[core]\ndeps =\n    t\n    git+https://host/x\n[testenv]\ndeps =\n    {[core]deps}\n    u\n";
    assert_eq!(requirements(&[setup, ("tox.ini", refers)]).0, ["t", "u"]);
    let nox = "@nox.session\ndef tests(session):\n    session.install('-r', 'tests/needs.txt')\n    session.install('t', \".[x]\", '-e', '.')\n\ndef lint(session):\n    session.install('flake8')\n";
    assert_eq!(
        requirements(&[setup, ("noxfile.py", nox)]),
        (vec!["t".into()], vec!["tests/needs.txt".into()])
    );
}

/// A list for each environment of tox: that which they were made from, or the newest; one that is not there asks for nothing.
#[test]
fn lists_of_tox_may_be_named_by_the_environment() {
    let tox = "[testenv]\ndeps =\n    -r tests/needs/{envname}.txt\n";
    let old = ("tests/needs/py39.txt", "t==1\n");
    let new = ("tests/needs/py312.txt", "t==2\n");
    let source = ("tests/needs/needs.in", "t\n");
    let cases = [
        (vec![old, new, source], vec!["tests/needs/needs.in"]),
        (vec![old, new], vec!["tests/needs/py312.txt"]),
        (vec![], vec![]),
    ];
    for (files, wanted) in cases {
        let all = [vec![("setup.py", "setup(name='a')\n"), ("tox.ini", tox)], files].concat();
        assert_eq!(requirements(&all).1, wanted);
    }
}

#[test]
fn options_of_pytest_need_their_plug_ins() {
    let cases = [
        ("addopts = '--cov=a -n auto'", vec!["pytest-cov", "pytest-xdist"]),
        (
            "addopts = ['--timeout=5']\nrequired_plugins = ['pytest-mock']",
            vec!["pytest-mock", "pytest-timeout"],
        ),
        ("asyncio_mode = 'auto'", vec!["pytest-asyncio"]),
        ("addopts = '-v --asyncio-mode=strict'", vec!["pytest-asyncio"]),
        ("addopts = '-ra --no-header'", vec![]),
    ];
    for (text, wanted) in cases {
        let manifest = format!("[project]\nname = 'a'\n[tool.pytest.ini_options]\n{text}\n");
        assert_eq!(requirements(&[("pyproject.toml", &manifest)]).0, wanted, "{text}");
    }
}

#[test]
fn a_project_by_setup_py_or_setup_cfg() {
    let script = "from setuptools import setup\nsetup(\n    name='six',\n    install_requires=['x', \"y>=1\"],\n    extras_require={'test': ['t'], 'docs': ['s']},\n    use_scm_version=True, setup_requires=['setuptools_scm'],\n)\n";
    let project = of(&[("setup.py", script), ("src/six.py", "")]).project.unwrap();
    assert_eq!((project.name.as_str(), project.source.as_str()), ("six", "src"));
    assert_eq!(project.dependencies, ["x", "y>=1", "t"]);
    assert_eq!(project.extras, ["test"]);
    assert_eq!(project.version_variables, ["SETUPTOOLS_SCM_PRETEND_VERSION"]);
    let cfg = "[metadata]\nname = b\nversion = 1.2\n[options]\ninstall_requires =\n    x\n[options.entry_points]\npytest11 =\n    b = b.plugin\n";
    let project = of(&[("setup.cfg", cfg)]).project.unwrap();
    assert_eq!(
        (project.version.as_deref(), project.entry_points.as_str()),
        (Some("1.2"), "[pytest11]\nb = b.plugin\n")
    );
}

#[test]
fn versions_that_a_backend_asks_git_for() {
    let cases = [
        ("hatchling\", \"hatch-vcs", vec!["SETUPTOOLS_SCM_PRETEND_VERSION"]),
        ("setuptools_scm[toml]>=8", vec!["SETUPTOOLS_SCM_PRETEND_VERSION"]),
        ("pbr>=5", vec!["PBR_VERSION"]),
        ("flit_core", vec![]),
    ];
    for (requires, wanted) in cases {
        let text = format!("[build-system]\nrequires = [\"{requires}\"]\n[project]\nname = 'a'\n");
        assert_eq!(of(&[("pyproject.toml", &text)]).project.unwrap().version_variables, wanted, "{requires}");
    }
}

#[test]
fn settings_of_tools_alone_are_no_project() {
    let tree = MemoryTree::new([
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n"),
        ("setup.cfg", "[flake8]\n"),
    ]);
    assert_eq!(needs(&DirTree { tree: &tree, dir: "" }), None);
}

#[test]
fn words_that_are_no_requirements() {
    for word in ["-e", "-r x", "{posargs}", "./pkg", "py27: mock", "$X", ""] {
        assert!(!is_requirement(word), "{word}");
    }
    for word in ["a", "a>=1,<2", "a[b]", "a ; python_version < '3.9'", "a @ https://x/y.whl"] {
        assert!(is_requirement(word), "{word}");
    }
}
