//! Compares the code with its contract.
//!
//! Reports only what is certain: a name that nothing could provide, a signature that cannot be read as the contract's.

use super::export::{Export, ExportKind, exports_of};
use super::import::imports;
use super::parses::parses;
use super::signature::shape;
use super::{language_of, of_hint};
use crate::language::Language;

/// One certain difference between a contract and the code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContractFinding {
    /// No owned file exports the name.
    #[error("`{name}` is in the contract but no owned file exports it")]
    Missing {
        /// The name.
        name: String,
    },
    /// The signatures differ.
    #[error("`{name}` differs from its contract: expected `{expected}`, found `{found}` in {path}:{line}")]
    Different {
        /// The name.
        name: String,
        /// The contract's signature.
        expected: String,
        /// The code's signature.
        found: String,
        /// Where it was found.
        path: String,
        /// Its line.
        line: usize,
    },
}

/// Compares the exports of a contract block with those of the owned files (`path`, bytes).
///
/// Without a language hint the contract is read in the language of the files. A contract that does not parse, or files
/// in another language, give no finding.
pub fn contract_check(
    contract_code: &str,
    contract_lang_hint: Option<&str>,
    files: &[(String, Vec<u8>)],
) -> Vec<ContractFinding> {
    let Some(language) = contract_language(contract_lang_hint, files) else { return Vec::new() };
    let code = OfferedCode::read(language, files);
    let wanted = contract_exports(language, contract_code);
    if code.files == 0 {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for export in &wanted {
        let candidates: Vec<&(String, Export)> =
            code.exports.iter().filter(|(_, found)| same_name(&export.name, &found.name)).collect();
        if candidates.is_empty() {
            if code.certain
                && !code.passed_on.contains(&export.name)
                && owner_is_plain(export, &wanted, &code)
            {
                findings.push(ContractFinding::Missing { name: export.name.clone() });
            }
        } else {
            findings.extend(compare(language, export, &candidates));
        }
    }
    findings
}

/// The symbols that a contract asks for; none when it does not parse.
pub fn contract_exports(language: Language, contract: &str) -> Vec<Export> {
    let contract = (language.row().contract)(contract);
    if parses(language, contract.as_bytes()).is_err() {
        return Vec::new();
    }
    exports_of(language, contract.as_bytes())
}

/// The names that a contract block promises, read as far as it parses. The language is the one of the hint, else that of
/// the first of these files whose language is known.
pub fn promised_names<'a>(
    contract: &str,
    hint: Option<&str>,
    files: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let stated = hint.map(str::trim).filter(|hint| !hint.is_empty());
    let language = match stated {
        Some(hint) => of_hint(hint),
        None => files.into_iter().find_map(language_of),
    };
    let Some(language) = language else { return Vec::new() };
    let contract = (language.row().contract)(contract);
    exports_of(language, contract.as_bytes()).into_iter().map(|export| export.name).collect()
}

/// How many lines are put before a contract so that it can be parsed.
pub fn contract_offset(language: Language, contract: &str) -> usize {
    let parsed = (language.row().contract)(contract);
    parsed.lines().count().saturating_sub(contract.lines().count())
}

fn contract_language(hint: Option<&str>, files: &[(String, Vec<u8>)]) -> Option<Language> {
    if let Some(hint) = hint.map(str::trim).filter(|hint| !hint.is_empty()) {
        return of_hint(hint);
    }
    let mut languages = files.iter().filter_map(|(path, _)| language_of(path));
    let first = languages.next()?;
    languages.all(|language| language.same_family(first)).then_some(first)
}

struct OfferedCode {
    /// How many files of the contract's language there are.
    files: usize,
    exports: Vec<(String, Export)>,
    /// Names that a file passes on from elsewhere.
    passed_on: Vec<String>,
    /// Whether what is not listed is certainly not there.
    certain: bool,
}

impl OfferedCode {
    fn read(language: Language, files: &[(String, Vec<u8>)]) -> Self {
        let mut code = Self { files: 0, exports: Vec::new(), passed_on: Vec::new(), certain: true };
        for (path, bytes) in files {
            let Some(own) = language_of(path).filter(|own| own.same_family(language)) else { continue };
            code.files += 1;
            code.certain &= is_certain(own, path, bytes);
            if own.row().passes_imports_on {
                code.passed_on.extend(imports(path, bytes).into_iter().flat_map(|import| import.names));
            }
            code.exports.extend(exports_of(own, bytes).into_iter().map(|export| (path.clone(), export)));
        }
        code
    }
}

/// Whether the exports of a file can be told from its text: no wildcard, no macro at item level, no definition inside
/// a condition.
fn is_certain(language: Language, path: &str, bytes: &[u8]) -> bool {
    if parses(language, bytes).is_err() {
        return false;
    }
    let text = String::from_utf8_lossy(bytes);
    !(language.row().hides_exports)(&text, &imports(path, bytes))
}

/// A contract may name an item without the inline module that the code puts it in.
fn same_name(contract: &str, code: &str) -> bool {
    code == contract || code.strip_suffix(contract).is_some_and(|rest| rest.ends_with("::"))
}

/// A method can come from a base class, a derive or another file's impl: only a plain owner that is itself in the code
/// can be said to lack one, and an owner that is missing altogether is reported once, not once per method.
fn owner_is_plain(export: &Export, wanted: &[Export], code: &OfferedCode) -> bool {
    if export.kind != ExportKind::Method {
        return true;
    }
    let Some((owner, _)) = export.name.rsplit_once("::").or_else(|| export.name.rsplit_once('.')) else {
        return true;
    };
    let declared = code.exports.iter().find(|(_, found)| same_name(owner, &found.name));
    match declared {
        None => !wanted.iter().any(|other| other.name == owner),
        Some((_, found)) => {
            let header = found.signature.split('{').next().unwrap_or_default();
            // An object is compared by the methods that are written in it.
            let inherits =
                [" extends ", "(", " with ", " < ", " : "].iter().any(|mark| header.contains(mark));
            found.kind != ExportKind::Value && !inherits
        }
    }
}

fn compare(language: Language, wanted: &Export, candidates: &[&(String, Export)]) -> Option<ContractFinding> {
    let expected = shape(language, &wanted.signature).filter(|_| is_function(wanted.kind))?;
    let mut first = None;
    for (path, found) in candidates {
        let own = language_of(path).unwrap_or(language);
        let actual = shape(own, &found.signature).filter(|_| is_function(found.kind));
        match actual {
            Some(actual) if expected.differs_from(&actual) => {
                first.get_or_insert((path, found));
            }
            // One that fits, or that cannot be compared, is enough.
            _ => return None,
        }
    }
    let (path, found) = first?;
    Some(ContractFinding::Different {
        name: wanted.name.clone(),
        expected: wanted.signature.clone(),
        found: found.signature.clone(),
        path: path.clone(),
        line: found.line,
    })
}

fn is_function(kind: ExportKind) -> bool {
    match kind {
        ExportKind::Function | ExportKind::Method => true,
        ExportKind::Type
        | ExportKind::Interface
        | ExportKind::Value
        | ExportKind::Module
        | ExportKind::Macro => false,
    }
}

#[cfg(test)]
mod tests;
