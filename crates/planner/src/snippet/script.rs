//! JavaScript and TypeScript tests: vitest, jest, mocha or node:test, in the quotes and with the imports in use.

use windlass_code::survey::{Conventions, Framework, Language, Quotes, TestShape};

use super::case::TestCase;
use super::example::Check;
use super::{Ask, near};
use windlass_code::detect::{dir_of, test_command};

/// How this project writes.
struct Hand {
    quote: char,
    end: &'static str,
    indent: String,
    framework: Framework,
    suites: bool,
    require: bool,
}

pub(super) fn write(ask: &Ask<'_>) -> Option<String> {
    let conventions = ask.survey.conventions_for(ask.wanted.file);
    let hand = hand(ask, conventions)?;
    let mut out = head(&hand);
    let path = specifier(ask, conventions);
    out.push_str(&hand.import(&ask.frame.used().join(", "), &path));
    out.push('\n');
    let hint = ask.frame.hint();
    let stem = ask.wanted.subject.rsplit('/').next()?.split('.').next()?;
    if hand.suites {
        out.push_str(&format!("describe({}, () => {{\n", hand.text(stem)));
    }
    let shift = if hand.suites { hand.indent.as_str() } else { "" };
    let bodies: Vec<String> = ask.frame.cases.iter().map(|case| hand.case(case, shift, &hint)).collect();
    out.push_str(&bodies.join("\n"));
    if hand.suites {
        out.push_str(&format!("}}){}\n", hand.end));
    }
    Some(out)
}

fn hand(ask: &Ask<'_>, conventions: Option<&Conventions>) -> Option<Hand> {
    let style = conventions.and_then(|c| c.style);
    let framework = match style {
        Some(style) => style.framework,
        None => match test_command(ask.tree, ask.wanted.file)?.runner? {
            windlass_core::report::Runner::Vitest => Framework::Vitest,
            windlass_core::report::Runner::Jest => Framework::Jest,
            windlass_core::report::Runner::NodeTest => Framework::NodeTest,
            _ => return None,
        },
    };
    let module = ask.wanted.contract.iter().any(|block| block.code.contains("export "));
    let file = ask.wanted.file;
    let is_plain = matches!(windlass_code::syntax::language_of(file), Some(Language::JavaScript));
    let require = is_plain && !file.ends_with(".mjs") && (file.ends_with(".cjs") || !module);
    Some(Hand {
        quote: if conventions.and_then(|c| c.quotes) == Some(Quotes::Double) { '"' } else { '\'' },
        end: if conventions.and_then(|c| c.semicolons) == Some(false) { "" } else { ";" },
        indent: conventions.and_then(|c| c.indent.clone()).unwrap_or_else(|| "  ".to_owned()),
        suites: style.is_some_and(|style| style.shape == TestShape::Suites) || framework == Framework::Mocha,
        framework,
        require,
    })
}

fn head(hand: &Hand) -> String {
    match hand.framework {
        Framework::Vitest if hand.suites => hand.import("describe, expect, it", "vitest"),
        Framework::Vitest => hand.import("expect, test", "vitest"),
        Framework::NodeTest => {
            let assert = hand.whole("assert", "node:assert/strict");
            let names = if hand.suites { "describe, it" } else { "test" };
            format!("{}{}", hand.import(names, "node:test"), assert)
        }
        Framework::Mocha => hand.whole("assert", "node:assert/strict"),
        _ => String::new(),
    }
}

impl Hand {
    fn text(&self, text: &str) -> String {
        let text = text.replace('\\', "\\\\").replace(self.quote, &format!("\\{}", self.quote));
        format!("{0}{text}{0}", self.quote)
    }

    fn import(&self, names: &str, from: &str) -> String {
        if self.require {
            format!("const {{ {names} }} = require({}){}\n", self.text(from), self.end)
        } else {
            format!("import {{ {names} }} from {}{}\n", self.text(from), self.end)
        }
    }

    fn whole(&self, name: &str, from: &str) -> String {
        if self.require {
            format!("const {name} = require({}){}\n", self.text(from), self.end)
        } else {
            format!("import {name} from {}{}\n", self.text(from), self.end)
        }
    }

    fn asserts(&self) -> bool {
        matches!(self.framework, Framework::NodeTest | Framework::Mocha)
    }

    fn case(&self, case: &TestCase, shift: &str, hint: &str) -> String {
        let word = if self.suites { "it" } else { "test" };
        let mut out = format!("{shift}{word}({}, () => {{\n", self.text(&case.title()));
        let mut line = |text: String| out.push_str(&format!("{shift}{}{text}\n", self.indent));
        for check in &case.checks {
            line(match check {
                Check::Equals { call, value } if self.asserts() => {
                    format!("assert.deepEqual({call}, {value}){}", self.end)
                }
                Check::Equals { call, value } => format!("expect({call}).toEqual({value}){}", self.end),
                Check::Raises { call, error } if self.asserts() => {
                    format!("assert.throws(() => {call}, {{ name: {} }}){}", self.text(error), self.end)
                }
                Check::Raises { call, error } => {
                    format!(
                        "expect(() => {call}).toThrow(expect.objectContaining({{ name: {} }})){}",
                        self.text(error),
                        self.end
                    )
                }
            });
        }
        if case.checks.is_empty() {
            line(format!("// {hint}"));
            line(format!("throw new Error({}){}", self.text(&case.title()), self.end));
        }
        out.push_str(&format!("{shift}}}){}\n", self.end));
        out
    }
}

/// The subject as seen from the test, with the ending that the project's own imports have.
fn specifier(ask: &Ask<'_>, conventions: Option<&Conventions>) -> String {
    let (test, subject) = (ask.wanted.file, ask.wanted.subject);
    let bare = subject.rsplit_once('.').map_or(subject, |(bare, _)| bare);
    let absolute = conventions.and_then(|c| c.absolute_imports) == Some(true);
    let member = ask.survey.member(subject).map_or("", |m| m.dir.as_str());
    let src = if member.is_empty() { "src/".to_owned() } else { format!("{member}/src/") };
    let path = match bare.strip_prefix(&src) {
        Some(inner) if absolute => format!("@/{inner}"),
        _ => relative(dir_of(test), bare),
    };
    format!("{path}{}", ending(ask, subject))
}

/// `.js`, `.ts` or nothing: as most relative imports of the project have it; node itself needs the real one.
fn ending(ask: &Ask<'_>, subject: &str) -> String {
    let own = subject.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = |module: &str| {
        ["js", "mjs", "cjs", "ts", "tsx", "jsx"]
            .iter()
            .find(|ending| module.ends_with(&format!(".{ending}")))
            .copied()
    };
    let scripts = |path: &str| Language::of_path(path).is_some_and(Language::is_script);
    let imports = near(ask.survey, subject, &scripts)
        .into_iter()
        .filter_map(|path| ask.survey.facts(path))
        .flat_map(|facts| facts.imports.iter().map(|import| import.module.clone()).collect::<Vec<_>>())
        .filter(|module| module.starts_with('.'));
    let (mut with, mut without, mut last) = (0usize, 0usize, "js");
    for module in imports.take(500) {
        match known(&module) {
            Some(ending) => {
                with += 1;
                last = ending;
            }
            None => without += 1,
        }
    }
    let by_node = test_command(ask.tree, ask.wanted.file)
        .is_some_and(|found| found.runner == Some(windlass_core::report::Runner::NodeTest));
    if by_node && with == 0 {
        return format!(".{own}");
    }
    if with <= without {
        return String::new();
    }
    let typed = own.contains("ts");
    format!(".{}", if typed && last == "js" { "js" } else { own })
}

/// A path as seen from a directory: `./x`, `../y/x`.
fn relative(from: &str, to: &str) -> String {
    let parts = |path: &str| path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (from, to) = (parts(from), parts(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(from.len() - shared);
    let down = to[shared..].join("/");
    if up.is_empty() { format!("./{down}") } else { format!("{up}{down}") }
}
