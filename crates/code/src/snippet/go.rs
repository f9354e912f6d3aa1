//! Go tests in the package of the code; a table where the project's tests are tables.

use windlass_core::survey::TestShape;

use super::Ask;
use super::case::{TestCase, quoted};
use super::example::Check;
use crate::detect::dir_of;

pub(super) fn write(ask: &Ask<'_>) -> Option<String> {
    let subject = ask.wanted.subject;
    let dir = dir_of(subject);
    if dir_of(ask.wanted.file) != dir {
        return None;
    }
    let mut neighbours = ask
        .survey
        .sources()
        .filter(|path| dir_of(path) == dir && path.ends_with(".go") && !path.ends_with("_test.go"));
    let stated = neighbours.find_map(|path| ask.survey.facts(path)?.package.clone());
    let package = stated.or_else(|| {
        let name = dir.rsplit('/').next().filter(|name| !name.is_empty())?;
        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()).then(|| name.to_owned())
    })?;
    let table = ask.survey.conventions_for(ask.wanted.file).and_then(|c| c.style);
    let table = table.is_some_and(|style| style.shape == TestShape::Table);
    let mut out = format!("package {package}\n\nimport \"testing\"\n");
    let checked = ask.frame.cases.iter().all(|case| one_equals(case).is_some());
    let callee = |case: &TestCase| {
        one_equals(case).map(|(call, _)| call.split('(').next().unwrap_or_default().to_owned())
    };
    let first = ask.frame.cases.first().and_then(callee);
    if table && checked && ask.frame.cases.iter().all(|case| callee(case) == first) {
        out.push_str(&as_table(ask, &first?));
        return Some(out);
    }
    for case in &ask.frame.cases {
        out.push_str(&single(case, &ask.frame.hint()));
    }
    Some(out)
}

fn one_equals(case: &TestCase) -> Option<(&str, &str)> {
    match case.checks.as_slice() {
        [Check::Equals { call, value }] => Some((call, value)),
        _ => None,
    }
}

/// Values of one kind in one table.
fn as_table(ask: &Ask<'_>, function: &str) -> String {
    let mut out = format!(
        "\nfunc Test{function}(t *testing.T) {{\n\ttests := []struct {{\n\t\tname string\n\t\tok   bool\n\t}}{{\n"
    );
    for case in &ask.frame.cases {
        if let Some((call, value)) = one_equals(case) {
            out.push_str(&format!("\t\t{{{}, {call} == {value}}},\n", quoted(&case.says)));
        }
    }
    out.push_str(
        "\t}\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tif !tt.ok {\n",
    );
    out.push_str("\t\t\t\tt.Error(\"it does not hold\")\n\t\t\t}\n\t\t})\n\t}\n}\n");
    out
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
