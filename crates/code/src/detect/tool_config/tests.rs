//! Where tools are configured, for one file.

use super::*;
use crate::repo::MemoryTree;

/// The details that commands are completed with.
#[test]
fn details() {
    let tree = MemoryTree::new([
        ("Cargo.toml", "[workspace]\nmembers = ['a']\n"),
        ("a/Cargo.toml", "[package]\nname = 'a-crate'\nedition = '2018'\n"),
        ("go.mod", ""),
        ("cs/.editorconfig", ""),
        ("cs/app/App.csproj", ""),
        ("php/.php_cs", ""),
    ]);
    let found = cargo(&tree, "a/src/x.rs").unwrap();
    assert_eq!(
        (found.from.as_str(), found.dir.as_str(), found.detail.as_str()),
        ("a/Cargo.toml", "", "a-crate")
    );
    assert_eq!(rustfmt(&tree, "a/src/x.rs").unwrap().detail, "2018");
    assert_eq!(rustfmt(&tree, "loose.rs").unwrap().detail, "2021");
    let table = [("a.go", "."), ("p/a.go", "./p"), ("p/q/a.go", "./p/q")];
    for (file, package) in table {
        assert_eq!(go(&tree, file).unwrap().detail, package);
    }
    assert_eq!(dotnet_format(&tree, "cs/app/x/A.cs").unwrap().detail, "App.csproj");
    assert_eq!(dotnet_format(&tree, "cs/A.cs"), None);
    assert_eq!(php_cs_fixer(&tree, "php/src/A.php").unwrap().detail, ".php_cs");
}

/// Where ruff is nearer to the file, black and isort of the directories above do not apply.
#[test]
fn formatters_of_python() {
    let tree = MemoryTree::new([
        ("pyproject.toml", "[tool.black]\n[tool.isort]\n"),
        ("same/pyproject.toml", "[tool.black]\n[tool.ruff]\n"),
        ("ruff/ruff.toml", ""),
        ("ruff/old/pyproject.toml", "[tool.black]\n"),
    ]);
    // ruff formats, ruff only fixes, black, isort
    let table = [
        ("a.py", [false, false, true, true]),
        ("same/a.py", [false, true, true, false]),
        ("ruff/a.py", [true, false, false, false]),
        ("ruff/old/a.py", [false, true, true, false]),
    ];
    for (file, expected) in table {
        let found =
            [ruff_without_black, ruff_with_black, black, isort].map(|tool| tool(&tree, file).is_some());
        assert_eq!(found, expected, "{file}");
    }
}
