//! Compiles the grammars with large tables anew, without the largest table, and packs that table for the program.
//!
//! `ts_parse_table` of a generated parser has a row per state and a column per symbol, and most of it is empty: 4.3 MB for C#,
//! where 0.5 MB say the same. The sources are those that Cargo unpacked for the grammar crates. Where they are not found or
//! do not look as expected, the program gets the grammar crates as they are.

#[path = "src/pack.rs"]
#[expect(dead_code, reason = "the program unpacks")]
mod pack;

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the grammars, and the names of their functions without `tree_sitter_`.
const GRAMMARS: [(&str, &str); 3] =
    [("tree-sitter-c-sharp", "c_sharp"), ("tree-sitter-cpp", "cpp"), ("tree-sitter-ruby", "ruby")];

const TABLE: &str = "static const uint16_t ts_parse_table[LARGE_STATE_COUNT][SYMBOL_COUNT] = {\n";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(packed)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/pack.rs");
    match build() {
        Ok(()) => println!("cargo::rustc-cfg=packed"),
        Err(why) => println!("cargo::warning=three grammars stay unpacked, 7 MB more: {why}"),
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut compiler = cc::Build::new();
    compiler.std("c11").warnings(false);
    for (package, name) in GRAMMARS {
        let dir = source_of(package)?.join("src");
        let path = dir.join("parser.c");
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path)?;
        let (code, table) =
            taken_apart(&text, name).ok_or_else(|| format!("{} looks strange", path.display()))?;
        let file = out.join(format!("{name}.c"));
        fs::write(&file, code)?;
        fs::write(out.join(format!("{name}.table")), pack::pack(&table))?;
        // All of them call their header by the same name, and theirs may differ.
        compiler.clone().include(&dir).file(&file).try_compile(&format!("windlass-grammar-{name}"))?;
    }
    Ok(())
}

/// Where Cargo has the source of a package: beside that of `tree-sitter`, which says where it stands. Unpacked packages have
/// their version in the name, vendored ones have not.
fn source_of(package: &str) -> Result<PathBuf, Box<dyn Error>> {
    let include = PathBuf::from(env::var("DEP_TREE_SITTER_INCLUDE")?);
    let all = include.ancestors().nth(2).ok_or("`tree-sitter` stands nowhere")?;
    let manifest = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../Cargo.toml");
    println!("cargo::rerun-if-changed={}", manifest.display());
    let pins = fs::read_to_string(manifest)?;
    let pin = pins.split_once(&format!("\n{package} = \"=")).and_then(|(_, rest)| rest.split('"').next());
    let version = pin.ok_or_else(|| format!("`{package}` is not pinned to one version"))?;
    let places = [all.join(format!("{package}-{version}")), all.join(package)];
    let found = places.into_iter().find(|place| place.is_dir());
    found.ok_or_else(|| format!("the source of `{package}` {version} is not in {}", all.display()).into())
}

/// The parser with an empty table, and the table.
fn taken_apart(text: &str, name: &str) -> Option<(String, Vec<Vec<u16>>)> {
    let (head, rest) = text.split_once(TABLE)?;
    let (body, tail) = rest.split_once("\n};\n")?;
    let rows = defined(head, "LARGE_STATE_COUNT")?;
    let columns = defined(head, "SYMBOL_COUNT")?;
    let table = read_table(body, &symbols(head)?, rows, columns)?;
    let tail = tail.replacen(&format!("*tree_sitter_{name}(void)"), &format!("*windlass_{name}(void)"), 1);
    let code = format!(
        "{head}static uint16_t ts_parse_table[LARGE_STATE_COUNT][SYMBOL_COUNT];\n\
         uint16_t *windlass_{name}_table(unsigned *rows, unsigned *columns) {{\n  \
         *rows = LARGE_STATE_COUNT;\n  *columns = SYMBOL_COUNT;\n  return &ts_parse_table[0][0];\n}}\n{tail}"
    );
    code.contains(&format!("*windlass_{name}(void)")).then_some((code, table))
}

fn defined(text: &str, name: &str) -> Option<usize> {
    let (_, rest) = text.split_once(&format!("#define {name} "))?;
    rest.lines().next()?.trim().parse().ok()
}

/// The numbers of the symbols, which the table calls by name.
fn symbols(text: &str) -> Option<HashMap<&str, usize>> {
    let (_, rest) = text.split_once("enum ts_symbol_identifiers {\n")?;
    let (body, _) = rest.split_once("\n};")?;
    let mut found = HashMap::from([("ts_builtin_sym_end", 0)]);
    for line in body.lines() {
        let (name, number) = line.trim().trim_end_matches(',').split_once(" = ")?;
        found.insert(name, number.parse().ok()?);
    }
    Some(found)
}

/// Reads `[STATE(7)] = {`, then lines like `[sym_block] = STATE(12),` and `[anon_sym_SEMI] = ACTIONS(5),`.
fn read_table(
    body: &str,
    symbols: &HashMap<&str, usize>,
    rows: usize,
    columns: usize,
) -> Option<Vec<Vec<u16>>> {
    let mut table = vec![vec![0; columns]; rows];
    let mut row = None;
    for line in body.lines().map(str::trim) {
        if matches!(line, "}," | "}") {
            continue;
        }
        let (left, right) = line.strip_prefix('[')?.split_once("] = ")?;
        if right == "{" {
            row = Some(inner(left).unwrap_or(left).parse::<usize>().ok()?);
        } else {
            let value = inner(right.strip_suffix(',')?)?.parse().ok()?;
            *table.get_mut(row?)?.get_mut(*symbols.get(left)?)? = value;
        }
    }
    Some(table)
}

/// `12` of `STATE(12)`.
fn inner(text: &str) -> Option<&str> {
    let text = text.strip_prefix("STATE(").or_else(|| text.strip_prefix("ACTIONS("))?;
    text.strip_suffix(')')
}
