//! Python.

mod caught;
mod django;
mod errors;
mod expectation;
mod idle;
mod imports;
mod manifests;
mod mutation;
mod reach;
mod setup;
mod skeleton;
mod syntax;
mod test_faults;
#[cfg(test)]
mod tests;
mod titles;
mod tooling;
mod tricks;

use std::fmt::Write as _;

pub(crate) use django::django_settings;

use windlass_core::report::Runner;

use super::beside_canary;
use super::row::{BASE, LanguageRow, NewProjectFiles, TypeLayout};
use crate::detect::Folder;
use crate::language::Language;
use crate::survey::{Framework, ImportForm, TestShape, TestStyle, subject_stem};
use crate::syntax::reformatted::FormRules;
use crate::syntax::same_test::{same_path, without_parameters};
use crate::syntax::signature::{NAME_FIRST, SignatureRules, normal_union, split};
use crate::syntax::style::TestFileText;
use crate::syntax::{CanaryRequest, Export, ExportKind};
use windlass_core::path_text::file_name;

pub(crate) const ROW: LanguageRow = LanguageRow {
    fence: "python",
    extensions: &["py", "pyi"],
    names: &["python3"],
    family: Language::Python,
    comment: "#",
    source_folder: "src/{name}",
    new_project: NewProjectFiles {
        folder: "{name}",
        setup: &["pyproject.toml"],
        package: Some("{name}/__init__.py"),
        entry: Some("{name}/__main__.py"),
        about: "The package `{name}` is at the top of the repository, so that `python3 -m pytest` there finds it; \
                tests import it as `{name}`.",
    },
    manifests: &["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"],
    manifest_rank: 3,
    package_mark: Some("__init__.py"),
    index_files: &["__init__.py"],
    fixture_file: Some("conftest.py"),
    helper_endings: &["conftest.py"],
    generated: &["_pb2.py"],
    test_names_clash: true,
    relative_module: imports::relative_module,
    prose_names: &["Python", "Django", "Flask", "FastAPI", "pytest"],
    runners: &[Runner::Pytest, Runner::Unittest],
    is_test: |stem, folder| {
        stem.starts_with("test_")
            || stem.ends_with("_test")
            || matches!(stem, "test" | "tests")
            || (stem != "__init__" && folder() != Folder::Plain)
    },
    is_collected: |path| {
        !matches!(file_name(path), "conftest.py" | "__init__.py") && subject_stem(path).is_some()
    },
    tooling: tooling::TOOLING,
    single_quotes: true,
    literal_words: &["True", "False", "None"],
    list_literals: true,
    map_literals: true,
    type_layout: TypeLayout::Indented,
    attribute_mark: Some('@'),
    declaration: |signature| format!("{signature}: ..."),
    stub: |code| Some(indented(&with_bodies(code).replace(": ...", ":\n    raise NotImplementedError"))),
    grammar: || tree_sitter_python::LANGUAGE.into(),
    exports: syntax::exports,
    imports: syntax::imports,
    tests: syntax::tests,
    bases: |_, exports| bases(exports),
    style: |file| Some(style(file)),
    fixtures,
    skeleton: skeleton::skeleton,
    signature: SignatureRules {
        result: |after| after.strip_prefix("->"),
        normal_type,
        star_takes_rest: true,
        ..NAME_FIRST
    },
    contract: with_bodies,
    hides_exports: |text, imports| {
        imports.iter().any(|import| import.names.iter().any(|name| name == "*"))
            || ["__getattr__", "globals()", "setattr("].iter().any(|word| text.contains(word))
    },
    passes_imports_on: true,
    same_test,
    canaries,
    tricks: tricks::look,
    reaches_out: reach::reaches_out,
    debug_switch: Some(("__debug__", "PYTHONOPTIMIZE=1")),
    errors: Some(errors::read),
    test_faults: test_faults::read,
    mutation: mutation::RULES,
    expectation: expectation::RULES,
    form: FormRules {
        imports: &["import_statement", "import_from_statement"],
        // The names of `from m import a, b` are its own parts.
        import_lists: &["import_from_statement"],
        strings: &["string"],
        groups: &["parenthesized_expression"],
        telling_commas: &["tuple"],
        idle_places: Some(idle::first_steps),
        ..FormRules::NONE
    },
    resolve: imports::resolve,
    import_words: &[(b"import", ImportForm::PythonImport)],
    names_are_files: true,
    import_terms: imports::terms,
    import_line: imports::import_line,
    absolute_imports: Some(|modules| !modules.iter().any(|module| module.starts_with('.'))),
    usual_test: |file| file.below_root(&format!("tests/test_{}.py", file.stem)),
    ..BASE
};

fn bases(exports: &[Export]) -> Vec<String> {
    exports
        .iter()
        .filter(|export| export.kind == ExportKind::Type)
        .filter_map(|export| export.signature.split_once('(')?.1.strip_suffix(')'))
        .flat_map(|list| list.split(", ").filter(|base| !base.contains('=')))
        .map(str::to_owned)
        .collect()
}

fn style(file: &TestFileText<'_>) -> TestStyle {
    let cases = file.bases.iter().any(|base| base.ends_with("TestCase"));
    let unittest = cases && !file.imports("pytest");
    TestStyle {
        framework: if unittest { Framework::Unittest } else { Framework::Pytest },
        shape: file.shape("::", TestShape::Classes),
    }
}

/// The fixtures of pytest.
fn fixtures(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut marked = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("@pytest.fixture") || line == "@fixture" {
            marked = true;
        } else if marked && let Some(rest) = line.strip_prefix("async ").unwrap_or(line).strip_prefix("def ")
        {
            out.extend(rest.split('(').next().map(str::to_owned));
            marked = false;
        }
    }
    out
}

/// Contracts write `def f(a: int) -> str` without a body: give each one.
fn with_bodies(contract: &str) -> String {
    let lines: Vec<&str> = contract.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        out.push_str(line);
        let text = line.trim();
        let opens = ["def ", "async def ", "class "].iter().any(|word| text.starts_with(word));
        let complete = text.matches('(').count() == text.matches(')').count();
        let next = lines[index + 1..].iter().find(|next| !next.trim().is_empty());
        let has_body = next.is_some_and(|next| indent(next) > indent(line));
        if opens && complete && !has_body {
            if text.ends_with(':') {
                out.push_str(" ...");
            } else if !text.contains("...") && !text.contains(": ")
                || text.starts_with("def") && !text.ends_with("...")
            {
                out.push_str(": ...");
            }
        }
        out.push('\n');
    }
    out
}

/// Bodies of methods stand one level further in than `with_bodies` knows.
fn indented(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for line in text.lines() {
        let own = line.len() - line.trim_start().len();
        if line.trim() == "raise NotImplementedError" {
            out.push_str(&format!("{}raise NotImplementedError\n", " ".repeat(depth + 4)));
        } else {
            depth = own;
            out.push_str(line);
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

/// One spelling for the generic types of `typing` and of the language.
fn normal_type(text: &str) -> String {
    let mut text = text.replace("typing.", "");
    for (old, new) in
        [("List[", "list["), ("Dict[", "dict["), ("Tuple[", "tuple["), ("Set[", "set["), ("Type[", "type[")]
    {
        text = text.replace(old, new);
    }
    if let Some(inner) = text.strip_prefix("Optional[").and_then(|rest| rest.strip_suffix(']')) {
        text = format!("{inner}|None");
    } else if let Some(inner) = text.strip_prefix("Union[").and_then(|rest| rest.strip_suffix(']')) {
        text = split(inner, ',').join("|");
    }
    normal_union(&text)
}

/// pytest gives a file or a dotted module, and parameters in brackets.
fn same_test(report: &str, path: &str, name: &str) -> bool {
    let report = without_parameters(report);
    if let Some((file, rest)) = report.split_once("::")
        && Language::of_path(file) == Some(Language::Python)
    {
        return same_path(file, path) && rest == name;
    }
    // Without a file pytest's class name has the dotted module in front of the classes.
    let Some((class, function)) = report.rsplit_once("::") else { return false };
    let (classes, wanted) = name.rsplit_once("::").unwrap_or(("", name));
    let module = path.trim_end_matches(".py").replace('/', ".");
    let full = if classes.is_empty() { module } else { format!("{module}.{}", classes.replace("::", ".")) };
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    function == wanted && (ends(&full, class) || ends(class, &full))
}

fn canaries(request: &CanaryRequest<'_>) -> Option<(String, Vec<String>)> {
    if request.runner == Runner::Unittest {
        return beside_canary::in_class(request, unittest_canary);
    }
    if request.runner != Runner::Pytest {
        return None;
    }
    let word = request.word;
    let name = |n: u8| format!("{}_{word}{n}", request.stem());
    let mut out = request.ended_text();
    let _ = write!(out, "\n\ndef {}():\n    value = {word:?}\n    assert value == value[1:]\n", name(1));
    let _ = write!(out, "\n\ndef {}():\n    raise ValueError({word:?})\n", name(2));
    Some((out, vec![name(1), name(2)]))
}

fn unittest_canary(name: &str, word: &str, n: u8) -> String {
    let body = if n == 1 {
        format!("self.assertEqual(\"{word}\", \"\")")
    } else {
        format!("raise ValueError(\"{word}\")")
    };
    format!("def {name}(self):\n    {body}")
}
