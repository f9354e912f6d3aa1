//! Projects whose tests are run by Django itself: `django-admin test`, `manage.py test`, a `runtests.py`.
//!
//! pytest runs them too, with its plug-in for Django and the module of settings that the project names.

use crate::detect::{in_dir, text};
use crate::repo::Tree;

const VARIABLE: &str = "DJANGO_SETTINGS_MODULE";

/// Where a project says which settings its tests have; scripts for tests come before the one for everything.
const FILES: [&str; 11] = [
    "tox.ini",
    "tox.toml",
    "Makefile",
    "noxfile.py",
    "runtests.py",
    "run_tests.py",
    "runtest.py",
    "quicktest.py",
    "tests/runtests.py",
    "manage.py",
    "tests/manage.py",
];

/// Where pytest's plug-in reads the settings by itself.
const CONFIGS: [&str; 5] = ["pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"];

/// The module of settings that the tests of a directory need and pytest does not find by itself.
pub(crate) fn django_settings(tree: &dyn Tree, dir: &str) -> Option<String> {
    let read = |name: &&str| text(tree, &in_dir(dir, name));
    if CONFIGS.iter().filter_map(read).any(|config| configures_pytest(&config)) {
        return None;
    }
    let mut modules = FILES.iter().filter_map(read).flat_map(|text| named_settings(&text));
    modules.find(|module| is_module(tree, dir, module))
}

/// Whether a configuration gives pytest its settings of Django.
fn configures_pytest(config: &str) -> bool {
    let mut section = "";
    config.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        }
        let of_pytest =
            matches!(section, "pytest" | "tool:pytest" | "tool.pytest" | "tool.pytest.ini_options");
        of_pytest && (line.starts_with(VARIABLE) || line.contains("--ds"))
    })
}

/// The modules that a file gives to the variable or to the option of Django's programs.
fn named_settings(text: &str) -> Vec<String> {
    let after = |sign: &'static str| text.match_indices(sign).map(move |(at, _)| &text[at + sign.len()..]);
    let module = |rest: &str| {
        let rest = rest.trim_start_matches([' ', '"', '\'', '=', ':', ',', ']', '?']);
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        rest[..end].trim_end_matches('.').to_owned()
    };
    after(VARIABLE).chain(after("--settings")).map(module).filter(|module| !module.is_empty()).collect()
}

fn is_module(tree: &dyn Tree, dir: &str, module: &str) -> bool {
    let path = in_dir(dir, &module.replace('.', "/"));
    [format!("{path}.py"), format!("{path}/__init__.py")].iter().any(|file| tree.has(file))
}

#[cfg(test)]
mod tests {
    use super::django_settings;
    use crate::repo::MemoryTree;

    #[test]
    fn settings_that_a_project_names_for_its_tests() {
        let table = [
            ("Makefile", "export DJANGO_SETTINGS_MODULE = tests.settings\n", Some("tests.settings")),
            ("Makefile", "export DJANGO_SETTINGS_MODULE := none.settings\n", None),
            (
                "tox.ini",
                "[testenv]\nsetenv =\n    DJANGO_SETTINGS_MODULE=tests.settings\n",
                Some("tests.settings"),
            ),
            (
                "tox.ini",
                "[testenv]\ncommands = django-admin test --settings tests.settings\n",
                Some("tests.settings"),
            ),
            ("tox.ini", "[testenv]\ncommands = pytest\n", None),
            (
                "manage.py",
                "os.environ.setdefault(\"DJANGO_SETTINGS_MODULE\", \"shop.conf\")\n",
                Some("shop.conf"),
            ),
            (
                "runtests.py",
                "os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'\n",
                Some("tests.settings"),
            ),
            ("setup.cfg", "[metadata]\nname = DJANGO_SETTINGS_MODULE=tests.settings\n", None),
        ];
        for (name, said, wanted) in table {
            let files = [(name, said), ("tests/settings.py", ""), ("shop/conf/__init__.py", "")];
            let found = django_settings(&MemoryTree::new(files), "");
            assert_eq!(found.as_deref(), wanted, "{name}: {said}");
        }
        let files = [
            ("manage.py", "DJANGO_SETTINGS_MODULE = 'tests.settings'"),
            ("tests/settings.py", ""),
            ("pytest.ini", "[pytest]\nDJANGO_SETTINGS_MODULE = tests.other\n"),
        ];
        assert_eq!(django_settings(&MemoryTree::new(files), ""), None);
    }
}
