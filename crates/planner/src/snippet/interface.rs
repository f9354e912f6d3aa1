//! The interface that code in a design shows: its public declarations, without bodies. Nothing when unsure.
//!
//! The result is parsed again, and returned only where every declaration is found in it.

use windlass_code::language::{Language, RequiredBodies, TypeLayout};

use super::code::without_path;
use windlass_code::syntax::{Export, ExportKind, contract_exports, contract_offset, language_of};

/// An interface longer than this fits into no brief.
const MOST: usize = 6_000;

/// The public declarations of code that is shown for a file, below a comment with its path.
pub(crate) fn interface_of(path: &str, code: &str) -> Option<String> {
    let language = language_of(path)?;
    let code = without_path(code);
    let all = contract_exports(language, code);
    let wanted: Vec<&Export> = all.iter().filter(|export| is_offered(language, export, &all)).collect();
    if wanted.is_empty() {
        return None;
    }
    let shown = Shown { language, lines: code.lines().collect(), all: &all };
    let mut out = vec![format!("{} {path}", language.row().comment)];
    let mut owners: Vec<&str> = Vec::new();
    for export in &wanted {
        match export.kind {
            ExportKind::Method => {
                let owner = owner(&export.name)?;
                if !owners.contains(&owner) {
                    owners.push(owner);
                    out.extend(shown.owner(owner, None, &wanted)?);
                }
            }
            ExportKind::Type | ExportKind::Interface => {
                owners.push(&export.name);
                out.extend(shown.owner(&export.name, Some(export), &wanted)?);
            }
            ExportKind::Function => out.push((language.row().declaration)(&export.signature)),
            ExportKind::Value | ExportKind::Module | ExportKind::Macro => {}
        }
    }
    let text = out.join("\n");
    let again = contract_exports(language, &text);
    let kept = wanted.iter().all(|export| again.iter().any(|found| found.name == export.name));
    (kept && text.len() <= MOST).then_some(text)
}

/// Whether a declaration is part of the interface: what it holds and not what it computes.
fn is_offered(language: Language, export: &Export, all: &[Export]) -> bool {
    match export.kind {
        // A method of a trait that is only implemented is promised elsewhere.
        ExportKind::Method if language.row().only_own_methods => {
            let of_trait = owner(&export.name)
                .is_some_and(|o| all.iter().any(|e| e.name == o && e.kind == ExportKind::Interface));
            of_trait || export.signature.starts_with("pub")
        }
        ExportKind::Function | ExportKind::Type | ExportKind::Interface | ExportKind::Method => true,
        ExportKind::Value | ExportKind::Module | ExportKind::Macro => false,
    }
}

fn owner(name: &str) -> Option<&str> {
    let at = name.rfind("::").into_iter().chain(name.rfind('.')).max()?;
    Some(&name[..at])
}

/// The code as it was shown.
struct Shown<'a> {
    language: Language,
    lines: Vec<&'a str>,
    all: &'a [Export],
}

impl Shown<'_> {
    /// A type with its methods: unchanged if it has no methods of its own, else its head and their signatures.
    fn owner(&self, name: &str, declared: Option<&Export>, wanted: &[&Export]) -> Option<Vec<String>> {
        let own = || wanted.iter().filter(|e| e.kind == ExportKind::Method && owner(&e.name) == Some(name));
        let methods: Vec<&str> = own().map(|e| e.signature.as_str()).collect();
        match self.language.row().type_layout {
            TypeLayout::Indented => Some(self.python(declared?, &methods)),
            TypeLayout::Ended => {
                // Functions of a module are called by its name, which is not declared to be part of the interface.
                let declared = declared.or_else(|| self.all.iter().find(|e| e.name == name))?;
                let own = name.rsplit("::").next().unwrap_or(name);
                let mut out = vec![declared.signature.replacen(own, name, 1)];
                out.extend(methods.iter().map(|m| format!("  {m}; end")));
                out.push("end".to_owned());
                Some(out)
            }
            TypeLayout::SeparateBlock => {
                let mut out = declared.map(|d| self.whole(d)).unwrap_or_default();
                let of_trait = declared.is_some_and(|d| d.kind == ExportKind::Interface);
                if !methods.is_empty() && !of_trait {
                    out.push(format!("impl {} {{", name.rsplit("::").next().unwrap_or(name)));
                    out.extend(methods.iter().map(|m| format!("    {m};")));
                    out.push("}".to_owned());
                }
                Some(out)
            }
            TypeLayout::TopLevel => {
                let mut out = declared.map(|d| self.whole(d)).unwrap_or_default();
                if declared.is_none_or(|d| d.kind != ExportKind::Interface) {
                    out.extend(methods.iter().map(|m| (*m).to_owned()));
                }
                Some(out)
            }
            TypeLayout::Braces => Some(self.braced(declared?, &own().copied().collect::<Vec<_>>())),
        }
    }

    fn braced(&self, declared: &Export, methods: &[&Export]) -> Vec<String> {
        if declared.signature.contains('{') || methods.is_empty() {
            return self.whole(declared);
        }
        let short = declared.name.rsplit(['.', ':']).next().unwrap_or(&declared.name);
        let mut out = vec![format!("{} {{", declared.signature)];
        let row = self.language.row();
        out.extend(row.public_label.map(str::to_owned));
        out.extend(methods.iter().map(|method| {
            let signature = &method.signature;
            // What is made with the type's own name is read as such only with a body.
            let makes = method.name.ends_with(&format!(".{short}"));
            let needs = match row.bodies {
                RequiredBodies::None => false,
                RequiredBodies::Constructors => makes,
                RequiredBodies::All => true,
            };
            let end = if signature.ends_with('}') {
                ""
            } else if needs {
                " {}"
            } else {
                ";"
            };
            format!("    {signature}{end}")
        }));
        out.push(row.class_end.to_owned());
        out
    }

    fn python(&self, declared: &Export, methods: &[&str]) -> Vec<String> {
        let mut out = self.above(declared, '@');
        out.push(format!("{}:", declared.signature));
        let head = out.len();
        let next = self.all.iter().map(|e| e.line).filter(|line| *line > declared.line).min();
        let until = next.unwrap_or(self.lines.len() + 1).saturating_sub(1).min(self.lines.len());
        for line in self.lines.get(declared.line..until).unwrap_or_default() {
            let text = line.trim();
            let (name, _) = text.split_once(':').unwrap_or(("", ""));
            let field = !name.is_empty()
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
                && line.starts_with(' ');
            if field && text.split(['#', '=']).next().is_some_and(|t| !t.trim_end().ends_with(':')) {
                out.push(format!("    {text}"));
            }
        }
        out.extend(methods.iter().map(|m| format!("    {m}: ...")));
        if out.len() == head {
            out.push("    ...".to_owned());
        }
        out
    }

    /// Lines of attributes right above a declaration.
    fn above(&self, declared: &Export, mark: char) -> Vec<String> {
        let before = self.lines.get(..declared.line.saturating_sub(1)).unwrap_or_default();
        let marked = before.iter().rev().take_while(|line| line.trim_start().starts_with(mark)).count();
        before[before.len() - marked..].iter().map(|line| (*line).to_owned()).collect()
    }

    /// A declaration unchanged, up to the brace that closes it.
    fn whole(&self, declared: &Export) -> Vec<String> {
        // A contract may be parsed with a line before it that it does not have.
        let shift = contract_offset(
            self.language,
            &self.lines.join(
                "
",
            ),
        );
        let from = declared.line.saturating_sub(1 + shift);
        let mut out =
            self.language.row().attribute_mark.map_or_else(Vec::new, |mark| self.above(declared, mark));
        let mut depth = 0i32;
        let mut opened = false;
        for line in self.lines.get(from..).unwrap_or_default() {
            out.push((*line).to_owned());
            let code = line.split("//").next().unwrap_or_default();
            opened |= code.contains('{');
            depth += i32::try_from(code.matches('{').count()).unwrap_or(0);
            depth -= i32::try_from(code.matches('}').count()).unwrap_or(0);
            if depth <= 0 && (opened || code.trim_end().ends_with(';') || !declared.signature.contains('{')) {
                break;
            }
        }
        out
    }
}

#[cfg(test)]
mod tests;
