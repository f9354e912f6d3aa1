//! Contracts of JavaScript and TypeScript: additions to existing objects as declarations, and the file by which the
//! compiler compares code with its contract.

use crate::language::Language;
use crate::syntax::source::{ParsedText, named_children};
use crate::syntax::{ComparedName, ContractFile, ContractFileRequest, Export, ExportKind, contract_exports};

/// The contract as declarations: members below `// ADD to existing shop object:` become `export const shop: { … };`.
pub(super) fn as_declarations(contract: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut open: Option<AddedTo> = None;
    for line in contract.lines() {
        if let Some(owner) = added_to(line) {
            out.extend(open.take().map(|_| "};".to_owned()));
            // One line stays one line: places in the contract do not move.
            out.push(owner.opening());
            open = Some(owner);
        } else if open.is_some() && line.trim_start().starts_with("export ") {
            open = None;
            let last = out.len().saturating_sub(1);
            if let Some(line) = out.get_mut(last) {
                line.push_str(" };");
            }
            out.push(line.to_owned());
        } else {
            out.push(line.to_owned());
        }
    }
    if open.is_some() {
        match out.iter().rposition(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//")) {
            Some(at) => out[at].push_str(" };"),
            None => out.push("};".to_owned()),
        }
    }
    out.join("\n")
}

/// What members are added to.
struct AddedTo {
    name: String,
    word: &'static str,
}

impl AddedTo {
    fn opening(&self) -> String {
        match self.word {
            "object" => format!("export const {}: {{", self.name),
            word => format!("export {word} {} {{", self.name),
        }
    }
}

/// `// ADD to existing contentRepository object:`.
fn added_to(line: &str) -> Option<AddedTo> {
    let comment = line.trim().strip_prefix("//")?.trim();
    let words: Vec<&str> =
        comment.split_whitespace().map(|word| word.trim_matches(['`', '\'', '"', ':', '.'])).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let begins =
        lower.first().is_some_and(|word| word == "add") && lower.get(1).is_some_and(|word| word == "to");
    let mut rest =
        (2..words.len()).filter(|at| !matches!(lower[*at].as_str(), "the" | "existing" | "an" | "a"));
    let name = words[rest.next().filter(|_| begins)?];
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let kind = rest.next().map(|at| lower[at].as_str());
    let word = match kind {
        Some("class") => "class",
        Some("interface" | "type") => "interface",
        Some("object" | "const" | "constant" | "service" | "repository") | None => "object",
        Some(_) => return None,
    };
    (!name.is_empty() && name.chars().all(is_name) && !name.contains('/'))
        .then(|| AddedTo { name: name.to_owned(), word })
}

/// The code with its contract behind it, in a namespace, and a line for each name that the compiler accepts only if the
/// code fits. Types that the code does not name are taken from the interfaces the task relies on.
pub(super) fn check_file(language: Language, request: &ContractFileRequest<'_>) -> Option<ContractFile> {
    let contract = as_declarations(request.contract);
    let exports = contract_exports(language, request.contract);
    let own: Vec<&Export> =
        exports.iter().filter(|export| !export.name.contains('.') && export.name != "default").collect();
    if own.is_empty() {
        return None;
    }
    let mut text = request.source.trim_end().to_owned();
    text.push('\n');
    let first_line = text.lines().count() + 1;
    text.push_str("declare namespace WindlassContract {\n");
    text.push_str(STRICT);
    let names: Vec<&str> = own.iter().map(|export| export.name.as_str()).collect();
    for (name, declaration) in request.known.iter().flat_map(|known| type_declarations(language, known)) {
        let has = |text: &str| {
            text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).any(|w| w == name)
        };
        if !has(request.source) && !names.contains(&name.as_str()) && has(&contract) {
            text.push_str(&declaration);
            text.push('\n');
        }
    }
    let before = text.lines().count();
    let imports = |line: &str| line.trim_start().starts_with("import ");
    for line in contract.lines() {
        text.push_str(if imports(line) { "" } else { line });
        text.push('\n');
    }
    text.push_str("}\n");
    let mut compared = Vec::new();
    for export in own {
        let Some(line) = comparison(export) else { continue };
        text.push_str(&line);
        text.push('\n');
        let at = text.lines().count();
        compared.push(ComparedName {
            name: export.name.clone(),
            declared: before + export.line,
            compared: at,
        });
    }
    (!compared.is_empty()).then_some(ContractFile { text, first_line, names: compared })
}

/// Parameters of methods are compared in both directions by the compiler, those of function types in one. As function
/// types, methods with narrower parameters are told from what the contract promises.
const STRICT: &str = "export type Strict<T> = T extends (...a: infer A) => infer R ? (...a: A) => R : \
    { [K in keyof T]: T[K] extends (...a: infer A) => infer R ? (...a: A) => R : T[K] };\n";

/// A line that is right only if the code's own thing is what the contract says; `any` never is.
fn comparison(export: &Export) -> Option<String> {
    let name = &export.name;
    let is_type = |word: &str| export.signature.split_whitespace().take(3).any(|own| own == word);
    let generic = export.signature.split(['=', '{']).next().unwrap_or_default().contains('<');
    if export.kind == ExportKind::Interface || is_type("type") {
        // Types with parameters would need arguments that fit their bounds.
        return (!generic).then(|| {
            format!(
                "const windlass_{name}: [{name}] extends [WindlassContract.{name}] ? \
                 [WindlassContract.{name}] extends [{name}] ? true : false : false = true; void windlass_{name};"
            )
        });
    }
    if is_type("enum") || export.kind == ExportKind::Module {
        return None;
    }
    // Inference forgets type parameters, and a class is more than its members.
    let plain = generic_call(&export.signature) || is_type("class");
    let wanted = if plain {
        format!("typeof WindlassContract.{name}")
    } else {
        format!("WindlassContract.Strict<typeof WindlassContract.{name}>")
    };
    Some(format!(
        "const windlass_{name}: 0 extends 1 & typeof {name} ? never : {wanted} = {name}; void windlass_{name};"
    ))
}

/// Whether a function in a signature has type parameters: `pick<T>(`.
fn generic_call(signature: &str) -> bool {
    signature.contains(">(") || signature.contains("> (")
}

/// The types that a text declares, with their texts.
fn type_declarations(language: Language, text: &str) -> Vec<(String, String)> {
    let Some(source) = ParsedText::parse(language, text.as_bytes()) else { return Vec::new() };
    let mut found = Vec::new();
    for node in named_children(source.root()) {
        let inner = node.child_by_field_name("declaration").unwrap_or(node);
        if matches!(inner.kind(), "type_alias_declaration" | "interface_declaration")
            && let Some(name) = source.field(inner, "name")
        {
            found.push((name, source.text(inner)));
        }
    }
    found
}

/// The project of the check file alone, with the settings of the repository's own.
pub fn contract_project(check: &str) -> String {
    let settings = serde_json::json!({
        "extends": "./tsconfig.json",
        "files": [check],
        "include": [],
        "compilerOptions": {
            "noEmit": true,
            "composite": false,
            "incremental": false,
            "noUnusedLocals": false,
            "noUnusedParameters": false,
        },
    });
    settings.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_become_declarations() {
        let contract =
            "// src/shop.ts\n// ADD to existing shop object:\n\nfind(id: string): Promise<Item[]>;\n";
        insta::assert_snapshot!(as_declarations(contract), @r"
        // src/shop.ts
        export const shop: {

        find(id: string): Promise<Item[]>; };
        ");
        let plain = "// add to the basket what was bought\nexport function add(a: number): void;";
        assert_eq!(as_declarations(plain), plain);
        let class = as_declarations("// ADD to existing Cart class:\nclear(): void;");
        assert_eq!(class, "export class Cart {\nclear(): void; };");
    }

    #[test]
    fn a_check_file_holds_code_and_contract() {
        let request = ContractFileRequest {
            path: "src/shop.ts",
            source: "import { Item } from './item.js';\nexport const shop = { find: async (id: string) => [] as Item[] };\n",
            contract: "// src/shop.ts\nexport const shop: {\n  find(id: string): Promise<Item[]>;\n  by(state: State): void;\n};\nexport type Id = string;\n",
            hint: Some("typescript"),
            known: &["type State = 'a' | 'b';\ntype Other = number;".to_owned()],
        };
        let file = check_file(Language::TypeScript, &request).unwrap();
        insta::assert_snapshot!(file.text, @"
        import { Item } from './item.js';
        export const shop = { find: async (id: string) => [] as Item[] };
        declare namespace WindlassContract {
        export type Strict<T> = T extends (...a: infer A) => infer R ? (...a: A) => R : { [K in keyof T]: T[K] extends (...a: infer A) => infer R ? (...a: A) => R : T[K] };
        type State = 'a' | 'b';
        // src/shop.ts
        export const shop: {
          find(id: string): Promise<Item[]>;
          by(state: State): void;
        };
        export type Id = string;
        }
        const windlass_shop: 0 extends 1 & typeof shop ? never : WindlassContract.Strict<typeof WindlassContract.shop> = shop; void windlass_shop;
        const windlass_Id: [Id] extends [WindlassContract.Id] ? [WindlassContract.Id] extends [Id] ? true : false : false = true; void windlass_Id;
        ");
        assert_eq!(file.first_line, 3);
        let at = |line: usize| file.name_at(line).map(|name| name.name.as_str());
        assert_eq!((at(7), at(11), at(14)), (Some("shop"), Some("Id"), Some("Id")));
    }
}
