//! Tests in classes and suites: JUnit, rspec and minitest, PHPUnit, xUnit and NUnit.

use windlass_code::survey::{Framework, Import, Language};

use super::Ask;
use super::case::{TestCase, quoted};
use super::example::Check;
use windlass_code::detect::{dir_of, is_test_path, text};

fn stem(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.split('.').next()
}

fn framework(ask: &Ask<'_>) -> Option<Framework> {
    ask.survey.conventions_for(ask.wanted.file).and_then(|c| c.style).map(|style| style.framework)
}

/// The package or namespace of the subject's directory, by its neighbours.
fn package(ask: &Ask<'_>, language: Language) -> Option<String> {
    let dir = dir_of(ask.wanted.subject);
    ask.survey
        .sources()
        .filter(|path| Language::of_path(path) == Some(language) && dir_of(path) == dir)
        .find_map(|path| ask.survey.facts(path)?.package.clone())
}

/// JUnit 5, or 4 where the project has it.
pub(super) fn java(ask: &Ask<'_>) -> Option<String> {
    let four = framework(ask) == Some(Framework::Junit4);
    let from_path = || {
        let inner = ask.wanted.subject.split("src/main/java/").nth(1)?;
        Some(dir_of(inner).replace('/', "."))
    };
    let package = package(ask, Language::Java).or_else(from_path)?;
    let class = stem(ask.wanted.file)?;
    let (test, asserts) = if four {
        ("org.junit.Test", "org.junit.Assert")
    } else {
        ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions")
    };
    let mut out = String::new();
    if !package.is_empty() {
        out.push_str(&format!("package {package};\n\n"));
    }
    out.push_str(&format!("import static {asserts}.*;\n\nimport {test};\n\n"));
    let public = if four { "public " } else { "" };
    out.push_str(&format!("{public}class {class} {{\n"));
    let bodies: Vec<String> = ask
        .frame
        .cases
        .iter()
        .map(|case| {
            let mut lines = checks(case, |check| match check {
                Check::Equals { call, value } => format!("assertEquals({value}, {call});"),
                Check::Raises { call, error } => {
                    format!("assertThrows({error}.class, () -> {call});")
                }
            });
            if lines.is_empty() {
                lines = vec![format!("// {}", ask.frame.hint()), format!("fail({});", quoted(&case.says))];
            }
            let body: String = lines.iter().map(|line| format!("        {line}\n")).collect();
            format!("    @Test\n    {public}void {}() {{\n{body}    }}\n", case.camel())
        })
        .collect();
    out.push_str(&bodies.join("\n"));
    out.push_str("}\n");
    Some(out)
}

fn checks(case: &TestCase, one: impl Fn(&Check) -> String) -> Vec<String> {
    case.checks.iter().map(one).collect()
}

/// The tests in the directory of the wanted one and in those above it, the nearest first.
pub(super) fn beside<'a>(ask: &Ask<'a>, endings: &[&str]) -> Vec<&'a str> {
    let dir = dir_of(ask.wanted.file);
    let is_test = |path: &&str| {
        let helper = stem(path).is_none_or(|name| name.ends_with("_helper"));
        endings.iter().any(|ending| path.ends_with(ending)) && is_test_path(path) && !helper
    };
    let above = |path: &&str| dir.starts_with(dir_of(path));
    let mut found: Vec<&str> = ask.survey.sources().filter(is_test).filter(above).collect();
    found.sort_by_key(|path| std::cmp::Reverse(dir_of(path).len()));
    found
}

/// rspec, or minitest where the project has it.
pub(super) fn ruby(ask: &Ask<'_>) -> Option<String> {
    let minitest = framework(ask) == Some(Framework::Minitest) || !ask.wanted.file.ends_with("_spec.rb");
    let constant = ask.frame.names.first()?;
    let mut out = ruby_head(ask, minitest);
    if minitest {
        let class: String = stem(ask.wanted.subject)?.split('_').map(capital).collect();
        out.push_str(&format!("class {class}Test < Minitest::Test\n"));
    } else {
        out.push_str(&format!("RSpec.describe {} do\n", quoted(constant)));
    }
    let bodies: Vec<String> =
        ask.frame.cases.iter().map(|case| ruby_case(case, minitest, &ask.frame.hint())).collect();
    out.push_str(&bodies.join("\n"));
    out.push_str("end\n");
    Some(out)
}

/// The lines that load the code, as the tests beside have them: a helper first, then the file by its place in `lib` or by
/// the way to it.
fn ruby_head(ask: &Ask<'_>, minitest: bool) -> String {
    let (test, subject) = (ask.wanted.file, ask.wanted.subject.trim_end_matches(".rb"));
    let facts = beside(ask, &[".rb"]).first().and_then(|path| ask.survey.facts(path));
    let imports = facts.as_ref().map(|facts| facts.imports.as_slice()).unwrap_or_default();
    let helper = imports.iter().find(|import| import.module.ends_with("_helper"));
    let mut out = String::new();
    if let Some(helper) = helper {
        let word = if helper.names.is_empty() { "require" } else { "require_relative" };
        out.push_str(&format!("{word} {}\n", quoted(&helper.module)));
    } else if minitest {
        out.push_str("require \"minitest/autorun\"\n");
    }
    let inner = subject.split_once("lib/").filter(|(before, _)| before.is_empty() || before.ends_with('/'));
    let by_name = |import: &Import| {
        import.names.is_empty()
            && ask.survey.has(&format!("{}lib/{}.rb", inner.map_or("", |(before, _)| before), import.module))
    };
    match inner {
        Some((_, inner)) if imports.iter().any(by_name) => {
            out.push_str(&format!("require {}\n\n", quoted(inner)));
        }
        _ => out.push_str(&format!("require_relative {}\n\n", quoted(&from(dir_of(test), subject)))),
    }
    out
}

/// A file as seen from a directory.
pub(super) fn from(dir: &str, file: &str) -> String {
    let parts = |path: &str| path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (dir, file) = (parts(dir), parts(file));
    let shared = dir.iter().zip(&file).take_while(|(a, b)| a == b).count();
    format!("{}{}", "../".repeat(dir.len() - shared), file[shared..].join("/"))
}

fn ruby_case(case: &TestCase, minitest: bool, hint: &str) -> String {
    let mut lines = checks(case, |check| match (check, minitest) {
        (Check::Equals { call, value }, true) => format!("assert_equal {value}, {call}"),
        (Check::Equals { call, value }, false) => format!("expect({call}).to eq({value})"),
        (Check::Raises { call, error }, true) => format!("assert_raises({error}) {{ {call} }}"),
        (Check::Raises { call, error }, false) => format!("expect {{ {call} }}.to raise_error({error})"),
    });
    if lines.is_empty() {
        lines = vec![format!("# {hint}"), format!("raise {}", quoted(&case.says))];
    }
    let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    if minitest {
        format!("  def test_{}\n{body}  end\n", case.snake())
    } else {
        format!("  it {} do\n{body}  end\n", quoted(&case.title()))
    }
}

pub(super) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}

/// PHPUnit, where a neighbour shows the namespace.
pub(super) fn php(ask: &Ask<'_>) -> Option<String> {
    let namespace = package(ask, Language::Php)?;
    let class = stem(ask.wanted.file)?;
    let subject = stem(ask.wanted.subject)?;
    let beside = beside(ask, &[".php"]).first().copied();
    let strict =
        beside.is_none_or(|path| text(ask.tree, path).is_some_and(|text| text.contains("strict_types=1")));
    let mut out = "<?php\n\n".to_owned();
    if strict {
        out.push_str("declare(strict_types=1);\n\n");
    }
    if let Some(own) = beside.and_then(|path| ask.survey.facts(path)?.package.clone()) {
        out.push_str(&format!("namespace {own};\n\n"));
    }
    out.push_str(&format!("use PHPUnit\\Framework\\TestCase;\nuse {namespace}\\{subject};\n\n"));
    out.push_str(&format!("final class {class} extends TestCase\n{{\n"));
    let bodies: Vec<String> = ask
        .frame
        .cases
        .iter()
        .map(|case| {
            let mut lines = checks(case, |check| match check {
                Check::Equals { call, value } => format!("self::assertSame({value}, {call});"),
                Check::Raises { call, error } => {
                    format!("$this->expectException({error}::class);\n        {call};")
                }
            });
            if lines.is_empty() {
                let says = quoted(&case.says.replace('$', ""));
                lines = vec![format!("// {}", ask.frame.hint()), format!("self::fail({says});")];
            }
            let body: String = lines.iter().map(|line| format!("        {line}\n")).collect();
            format!("    public function test{}(): void\n    {{\n{body}    }}\n", case.pascal())
        })
        .collect();
    out.push_str(&bodies.join("\n"));
    out.push_str("}\n");
    Some(out)
}

/// xUnit or NUnit, where the project has one of them.
pub(super) fn csharp(ask: &Ask<'_>) -> Option<String> {
    let (using, mark) = match framework(ask)? {
        Framework::Xunit => ("Xunit", "Fact"),
        Framework::Nunit => ("NUnit.Framework", "Test"),
        _ => return None,
    };
    let namespace = package(ask, Language::CSharp)?;
    let class = stem(ask.wanted.file)?;
    let mut out = format!("using {using};\nusing {namespace};\n\npublic class {class}\n{{\n");
    let bodies: Vec<String> = ask
        .frame
        .cases
        .iter()
        .map(|case| {
            let equal = if using == "Xunit" { "Equal" } else { "AreEqual" };
            let mut lines = checks(case, |check| match check {
                Check::Equals { call, value } => format!("Assert.{equal}({value}, {call});"),
                Check::Raises { call, error } => format!("Assert.Throws<{error}>(() => {call});"),
            });
            if lines.is_empty() {
                lines =
                    vec![format!("// {}", ask.frame.hint()), format!("Assert.Fail({});", quoted(&case.says))];
            }
            let body: String = lines.iter().map(|line| format!("        {line}\n")).collect();
            format!("    [{mark}]\n    public void {}()\n    {{\n{body}    }}\n", case.pascal())
        })
        .collect();
    out.push_str(&bodies.join("\n"));
    out.push_str("}\n");
    Some(out)
}
