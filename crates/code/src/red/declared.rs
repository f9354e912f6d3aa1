//! The names that files declare, and the types that they add to.
//!
//! A use that does not fit such a name is code that is still to be written there. `impl PartialEq for Money` may stand in another
//! file than `Money`: whoever owns that file can write the implementation that a test misses.

use std::collections::BTreeSet;

use super::wrong_test::has_word;
use crate::repo::Tree;
use crate::survey::ExportKind;
use crate::syntax::{exports, language_of};

/// Words that declare a type, in any language that lets other files add to it.
const TYPE_WORDS: [&str; 8] = ["struct", "enum", "union", "trait", "type", "class", "interface", "record"];

/// The names that files declare, without their owners, and the types of the repository that they have methods of.
pub fn declared_names<'f>(tree: &dyn Tree, files: impl IntoIterator<Item = &'f str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in files {
        let Some(bytes) = tree.read(path) else { continue };
        let mut owners = BTreeSet::new();
        for export in exports(path, &bytes) {
            let mut parts = export.name.rsplit(['.', ':']).filter(|part| !part.is_empty());
            names.extend(parts.next().map(str::to_owned));
            if export.kind == ExportKind::Method {
                owners.extend(parts.next().and_then(last_word).map(str::to_owned));
            }
        }
        owners.retain(|owner| !names.contains(owner) && declares_type(tree, path, owner));
        names.extend(owners);
    }
    names
}

/// The name in a type: `Money` in `&'a Money`.
fn last_word(text: &str) -> Option<&str> {
    text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty())
}

/// Whether a file in the language of another one declares a type. What comes from elsewhere, such as a vector, fits or does not fit
/// whatever the task writes.
fn declares_type(tree: &dyn Tree, beside: &str, name: &str) -> bool {
    let is_own = |path: &&String| language_of(path).is_some() && language_of(path) == language_of(beside);
    let declares = |line: &str| {
        let front = line.find(name).map(|at| &line[..at]);
        has_word(line, name)
            && front
                .is_some_and(|front| TYPE_WORDS.contains(&front.split_whitespace().next_back().unwrap_or("")))
    };
    let texts = tree.paths().iter().filter(is_own).filter_map(|path| tree.read(path));
    texts.into_iter().any(|bytes| String::from_utf8_lossy(&bytes).lines().any(declares))
}

#[cfg(test)]
mod tests {
    use super::declared_names;
    use crate::repo::MemoryTree;

    #[test]
    fn a_file_that_adds_to_a_type_of_the_repository_has_its_name() {
        let rust = "impl PartialEq for Money {\n    fn eq(&self, other: &Self) -> bool { true }\n}\n\
                    impl<'a> PartialEq<u8> for &'a Money {\n    fn eq(&self, other: &u8) -> bool { true }\n}\n\
                    impl Amount for Vec<u8> {\n    fn amount(&self) -> u8 { 0 }\n}\n\
                    impl Amount for u8 {\n    fn amount(&self) -> u8 { 0 }\n}\n\
                    pub fn half(m: Money) -> Money { m }\n";
        let go = "package a\n\nfunc (m *Money) Half() int { return 0 }\n";
        let tree = MemoryTree::new([
            (
                "src/lib.rs",
                "mod cmp;\n/// Not a struct Monetary.\npub struct Money(u8);\npub trait Amount {}\n",
            ),
            ("src/cmp.rs", rust),
            ("money.go", "package a\n\ntype Money struct{ n int }\n"),
            ("half.go", go),
        ]);
        let names = |path: &str| {
            let mut names = declared_names(&tree, [path]);
            names.sort_unstable();
            names.dedup();
            names
        };
        assert_eq!(names("src/cmp.rs"), ["Money", "amount", "eq", "half"]);
        assert_eq!(names("half.go"), ["Half", "Money"]);
        assert_eq!(names("src/none.rs"), Vec::<String>::new());
    }
}
