//! Go tests in the package of the code; a table where the project's tests are tables.

use windlass_code::survey::{Survey, TestShape};

use super::Ask;
use super::case::{TestCase, quoted};
use super::example::Check;
use windlass_code::detect::dir_of;

pub(super) fn write(ask: &Ask<'_>) -> Option<String> {
    if dir_of(ask.wanted.file) != dir_of(ask.wanted.subject) {
        return None;
    }
    let package = package_of(ask.survey, ask.wanted.subject)?;
    let table = ask.survey.conventions_for(ask.wanted.file).and_then(|c| c.style);
    let table = table.is_some_and(|style| style.shape == TestShape::Table);
    let mut out = format!("package {package}\n\nimport \"testing\"\n");
    let checked = ask.frame.cases.iter().all(|case| one_equals(case).is_some());
    let callee = |case: &TestCase| {
        one_equals(case).map(|(call, _)| call.split('(').next().unwrap_or_default().to_owned())
    };
    let first = ask.frame.cases.first().and_then(callee);
    let kind = first.as_deref().and_then(|function| result_kind(ask, function));
    if let (true, true, Some(function), Some(kind)) = (table, checked, &first, kind)
        && ask.frame.cases.iter().all(|case| callee(case) == first)
    {
        out.push_str(&as_table(ask, function, kind));
        return Some(out);
    }
    for case in &ask.frame.cases {
        out.push_str(&single(case, &ask.frame.hint()));
    }
    Some(out)
}

/// The package of a file: that of its neighbours, or else the name of its directory where that can be one.
pub(super) fn package_of(survey: &Survey, file: &str) -> Option<String> {
    let dir = dir_of(file);
    let mut neighbours = survey
        .sources()
        .filter(|path| dir_of(path) == dir && path.ends_with(".go") && !path.ends_with("_test.go"));
    let stated = neighbours.find_map(|path| survey.facts(path)?.package.clone());
    stated.or_else(|| {
        let name = dir.rsplit('/').next().filter(|name| !name.is_empty())?;
        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()).then(|| name.to_owned())
    })
}

fn one_equals(case: &TestCase) -> Option<(&str, &str)> {
    match case.checks.as_slice() {
        [Check::Equals { call, value }] => Some((call, value)),
        _ => None,
    }
}

/// Values of one kind in one table.
fn as_table(ask: &Ask<'_>, function: &str, kind: &str) -> String {
    let mut out = format!(
        "\nfunc Test{function}(t *testing.T) {{\n\ttests := []struct {{\n\t\tname string\n\t\tgot  {kind}\n\t\twant {kind}\n\t}}{{\n"
    );
    for case in &ask.frame.cases {
        if let Some((call, value)) = one_equals(case) {
            out.push_str(&format!("\t\t{{{}, {call}, {value}}},\n", quoted(&case.says)));
        }
    }
    out.push_str(
        "\t}\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tif tt.got != tt.want {\n",
    );
    out.push_str("\t\t\t\tt.Errorf(\"got %v, want %v\", tt.got, tt.want)\n\t\t\t}\n\t\t})\n\t}\n}\n");
    out
}

/// The type of a function's one result, where that is a plain word: `string` in `func Slug(text string) string`.
fn result_kind<'a>(ask: &'a Ask<'_>, function: &str) -> Option<&'a str> {
    let (_, signature) = ask.frame.calls.iter().find(|(name, _)| name == function)?;
    let (_, kind) = signature.rsplit_once(") ")?;
    let kind = kind.trim().trim_end_matches('{').trim();
    (!kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric())).then_some(kind)
}

fn single(case: &TestCase, hint: &str) -> String {
    let mut out = format!("\nfunc Test{}(t *testing.T) {{\n", case.pascal());
    for check in &case.checks {
        match check {
            Check::Equals { call, value } => {
                out.push_str(&format!("\tif got := {call}; got != {value} {{\n"));
                out.push_str(&format!("\t\tt.Errorf(\"%s = %v\", {}, got)\n\t}}\n", quoted(call)));
            }
            Check::Raises { call, .. } => {
                out.push_str(&format!("\tif _, err := {call}; err == nil {{\n"));
                out.push_str("\t\tt.Error(\"an error was expected\")\n\t}\n");
            }
        }
    }
    if case.checks.is_empty() {
        out.push_str(&format!("\t// {hint}\n\tt.Fatal({})\n", quoted(&case.says)));
    }
    out.push_str("}\n");
    out
}
