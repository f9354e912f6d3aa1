//! Compares the code with its contract.
//!
//! Reports only what is certain: a name that nothing could provide, a signature that cannot be read as the contract's.

use super::export::{Export, ExportKind, exports_of};
use super::import::imports;
use super::parses::parses;
use super::signature::{SignatureRules, shape, split};
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

/// What came of comparing code with its contract.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContractReport {
    /// The certain differences.
    pub findings: Vec<ContractFinding>,
    /// The names that are there and whose declarations could not be compared.
    pub not_compared: Vec<String>,
}

/// Compares the exports of a contract block with those of the owned files (`path`, bytes).
///
/// Without a language hint the contract is read in the language of the files. A contract that does not parse, or files
/// in another language, give no finding: the whole block is not compared.
pub fn contract_report(
    contract_code: &str,
    contract_lang_hint: Option<&str>,
    files: &[(String, Vec<u8>)],
) -> ContractReport {
    let mut report = ContractReport::default();
    let whole = || "the contract".to_owned();
    let Some(language) = contract_language(contract_lang_hint, files) else {
        report.not_compared.push(whole());
        return report;
    };
    let code = OfferedCode::read(language, files);
    let wanted = contract_exports(language, contract_code);
    if code.files == 0 || wanted.is_empty() {
        report.not_compared.push(whole());
        return report;
    }
    for export in &wanted {
        let candidates: Vec<&(String, Export)> =
            code.exports.iter().filter(|(_, found)| same_name(&export.name, &found.name)).collect();
        if candidates.is_empty() {
            let known = code.certain && !code.passed_on.contains(&export.name);
            if known && owner_is_plain(export, &wanted, &code) {
                report.findings.push(ContractFinding::Missing { name: export.name.clone() });
            } else if !wanted.iter().any(|other| is_member_of(export, other)) {
                report.not_compared.push(export.name.clone());
            }
            continue;
        }
        match compare(language, export, &candidates, &wanted) {
            Compared::Fits => {}
            Compared::Differs(finding) => report.findings.push(finding),
            Compared::Unknown => report.not_compared.push(export.name.clone()),
        }
    }
    report
}

fn is_member_of(export: &Export, owner: &Export) -> bool {
    export.name.strip_prefix(owner.name.as_str()).is_some_and(|rest| rest.starts_with(['.', ':']))
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
    /// Whether objects may take members from others: `{ ...base }`.
    spreads: bool,
}

impl OfferedCode {
    fn read(language: Language, files: &[(String, Vec<u8>)]) -> Self {
        let mut code =
            Self { files: 0, exports: Vec::new(), passed_on: Vec::new(), certain: true, spreads: false };
        for (path, bytes) in files {
            let Some(own) = language_of(path).filter(|own| own.same_family(language)) else { continue };
            code.files += 1;
            code.certain &= is_certain(own, path, bytes);
            code.spreads |= bytes.windows(3).any(|w| w == b"...");
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
        // An object literal says all its members, unless it takes some from others.
        Some((_, found)) if found.kind == ExportKind::Value => {
            let member = |(_, other): &(String, Export)| is_member_of(other, found);
            !code.spreads && code.exports.iter().any(member)
        }
        Some((_, found)) => {
            let header = found.signature.split('{').next().unwrap_or_default();
            let inherits =
                [" extends ", "(", " with ", " < ", " : "].iter().any(|mark| header.contains(mark));
            !inherits
        }
    }
}

/// What a comparison of one declaration says.
enum Compared {
    Fits,
    Differs(ContractFinding),
    Unknown,
}

fn compare(
    language: Language,
    wanted: &Export,
    candidates: &[&(String, Export)],
    all: &[Export],
) -> Compared {
    let mut first = None;
    let mut unknown = false;
    for (path, found) in candidates {
        let own = language_of(path).unwrap_or(language);
        match differs(language, wanted, own, found, all) {
            // One that fits is enough.
            Some(false) => return Compared::Fits,
            Some(true) => {
                first.get_or_insert((path, found));
            }
            None => unknown = true,
        }
    }
    match first.filter(|_| !unknown) {
        Some((path, found)) => Compared::Differs(ContractFinding::Different {
            name: wanted.name.clone(),
            expected: wanted.signature.clone(),
            found: found.signature.clone(),
            path: path.clone(),
            line: found.line,
        }),
        None => Compared::Unknown,
    }
}

/// Whether two declarations certainly differ; `None` where they cannot be compared.
fn differs(
    language: Language,
    wanted: &Export,
    own: Language,
    found: &Export,
    all: &[Export],
) -> Option<bool> {
    let callable = |export: &Export| is_function(export.kind) || export.signature.contains("=>");
    if callable(wanted) && is_function(found.kind) {
        return Some(shape(language, &wanted.signature)?.differs_from(&shape(own, &found.signature)?));
    }
    if is_function(wanted.kind) {
        return None;
    }
    match wanted.kind {
        ExportKind::Interface | ExportKind::Type | ExportKind::Value => {
            let rules = &language.row().signature;
            match (declared(&wanted.signature), declared(&found.signature)) {
                (Some(a), Some(b)) => same_members(rules, a, b),
                // Members of the contract are compared one by one.
                (Some(_), None) if all.iter().any(|other| is_member_of(other, wanted)) => Some(false),
                (None, None) if wanted.kind == ExportKind::Value => None,
                // A class is compared by its methods.
                (None, None) => Some(false),
                _ => None,
            }
        }
        ExportKind::Module | ExportKind::Macro | ExportKind::Function | ExportKind::Method => None,
    }
}

/// What a declaration says its thing is: the type behind `:` or `=`, or the members in braces.
fn declared(signature: &str) -> Option<&str> {
    let open = signature.find('{');
    let mark = signature.find(['=', ':']).filter(|at| open.is_none_or(|open| *at < open));
    let text = match (mark, open) {
        (Some(at), _) => signature[at + 1..].trim_start_matches([':', ' ']),
        (None, Some(open)) => &signature[open..],
        (None, None) => return None,
    };
    let text = text.trim().trim_end_matches(';').trim();
    (!text.is_empty()).then_some(text)
}

/// Whether two declared types differ: by members where both list them, else as one text.
fn same_members(rules: &SignatureRules, a: &str, b: &str) -> Option<bool> {
    let listed = |text: &str| -> Option<Vec<String>> {
        let inside = text.strip_prefix('{')?.strip_suffix('}')?;
        let parts = split(&inside.replace(',', ";"), ';');
        Some(parts.iter().map(|part| rules.type_name(part)).collect())
    };
    match (listed(a), listed(b)) {
        // Type parameters hold commas; a list that was cut there says nothing.
        (Some(_), Some(_)) if a.contains('<') && a.contains(',') => {
            (rules.type_name(a) == rules.type_name(b)).then_some(false)
        }
        (Some(a), Some(b)) => Some(!a.iter().all(|member| b.contains(member))),
        (None, None) => Some(rules.type_name(a) != rules.type_name(b)),
        _ => None,
    }
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
