//! Paths as texts: `/` between folders, as plans and repositories write them.

/// Endings that make a word of a text a file, whatever the project.
#[rustfmt::skip]
pub const FILE_ENDINGS: [&str; 97] = [
    "py", "pyi", "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts", "go", "java", "kt", "c", "h", "cc",
    "cpp", "cxx", "hpp", "hh", "hxx", "rb", "cs", "php", "swift", "scala", "sh", "bash", "bats", "sql", "md", "mdx",
    "txt", "rst", "json", "jsonc", "yaml", "yml", "toml", "ini", "cfg", "env", "lock", "xml", "html", "css", "scss",
    "less", "vue", "svelte", "astro", "png", "svg", "jpg", "jpeg", "ico", "webp", "proto", "graphql", "prisma",
    "tf", "gradle", "csproj", "ipynb", "dart", "ex", "exs", "hs", "lua", "zig", "jl", "clj", "erl", "nim", "sol",
    "ps1", "bat", "fs", "ml", "gd", "kts", "cmake", "csv", "tsv", "jsonl", "sass", "tex", "hcl", "glsl", "wgsl",
    "cu", "proj", "sln", "xaml", "properties", "http",
];

/// The name of a file, without its folders.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of a file without its folders and its last ending.
pub fn file_stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The name of a file without its folders and any of its endings.
pub fn name_stem(path: &str) -> &str {
    let name = file_name(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// The folder of a path; empty at the top.
pub fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_taken_apart() {
        for (path, name, stem, short, dir) in [
            ("src/a/b.test.ts", "b.test.ts", "b.test", "b", "src/a"),
            ("b.rs", "b.rs", "b", "b", ""),
            ("src/Makefile", "Makefile", "Makefile", "Makefile", "src"),
            ("a.b/.env", ".env", "", "", "a.b"),
            ("", "", "", "", ""),
        ] {
            assert_eq!((file_name(path), file_stem(path), dir_of(path)), (name, stem, dir), "{path}");
            assert_eq!(name_stem(path), short, "{path}");
        }
    }

    #[test]
    fn no_ending_is_listed_twice() {
        let all: std::collections::BTreeSet<&str> = FILE_ENDINGS.into_iter().collect();
        assert_eq!(all.len(), FILE_ENDINGS.len());
    }
}
