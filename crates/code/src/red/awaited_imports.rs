//! The files that tests import and that could be written: what a task is going to make that names no files of its own.

use crate::detect::ManifestRow;
use crate::language::Language;
use crate::repo::Tree;
use crate::syntax::imports;

/// The places of the modules that a test file imports, as paths that a source file of its language could have. Packages
/// that a manifest of the repository declares come from elsewhere and are left out.
pub fn awaited_imports(tree: &dyn Tree, test: &str, bytes: &[u8]) -> Vec<String> {
    let (dir, name) = test.rsplit_once('/').unwrap_or(("", test));
    let Some((_, ending)) = name.rsplit_once('.') else { return Vec::new() };
    let Some(language) = Language::of_ending(ending) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for import in imports(test, bytes) {
        // `./a`, `../a` of scripts and `.a`, `..a.b` of Python.
        let places = if import.module.starts_with('.') {
            (language.row().relative_module)(dir, &import.module).filter(|place| !place.is_empty())
        } else if is_declared(tree, &import.module) {
            None
        } else {
            absolute(&import.module)
        };
        let Some(place) = places else { continue };
        let inner = import.names.iter().filter(|name| is_word(name)).map(|name| format!("{place}/{name}"));
        for path in std::iter::once(place.clone()).chain(inner) {
            let path = if path.ends_with(&format!(".{ending}")) { path } else { format!("{path}.{ending}") };
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// `a.b`, `a::b` and `a/b` of a language whose modules are named by their place. A scoped or bare package of scripts is
/// never a file of the repository.
fn absolute(module: &str) -> Option<String> {
    let path = module.replace("::", "/").replace('.', "/");
    let is_plain = path.split('/').all(is_word);
    is_plain.then_some(path)
}

fn is_word(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a manifest names the package that a module belongs to.
fn is_declared(tree: &dyn Tree, module: &str) -> bool {
    let plain = |text: &str| text.to_ascii_lowercase().replace('-', "_");
    let top = plain(module.split(['.', ':', '/']).next().unwrap_or(module));
    let names = |text: &str| {
        let text = plain(text);
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == top)
    };
    let stands_here = tree
        .paths()
        .iter()
        .any(|path| path.split('/').any(|part| plain(part.split('.').next().unwrap_or(part)) == top));
    let mut manifests =
        ManifestRow::all().filter(|row| row.lists_imports).filter_map(|row| tree.read(row.name));
    !stands_here && manifests.any(|bytes| names(&String::from_utf8_lossy(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    #[test]
    fn imports_are_turned_into_the_files_they_could_be() {
        let tree = MemoryTree::new([
            ("pyproject.toml", "dependencies = [\"requests\"]\n"),
            ("package.json", "{\"devDependencies\": {\"vitest\": \"1\"}}"),
        ]);
        let table = [
            (
                "tests/test_buffer.py",
                "import requests\nfrom vi.buffer import Buffer\n",
                vec!["vi/buffer.py", "vi/buffer/Buffer.py"],
            ),
            ("tests/test_a.py", "from . import helper\n", vec!["tests.py", "tests/helper.py"]),
            (
                "tests/unit/user.test.ts",
                "import { it } from 'vitest';\nimport { UserSchema } from '../../src/schema/user';\n",
                vec!["src/schema/user.ts", "src/schema/user/UserSchema.ts"],
            ),
            ("src/a.test.js", "const { a } = require('./a.js');\n", vec!["src/a.js"]),
        ];
        for (test, text, expected) in table {
            let found = awaited_imports(&tree, test, text.as_bytes());
            for path in expected {
                assert!(found.iter().any(|f| f == path), "{test}: {found:?} lacks {path}");
            }
            assert!(!found.iter().any(|f| f.contains("requests") || f.contains("vitest")), "{found:?}");
        }
    }
}
