//! What a formatter may do to a frozen test, and what only looks like it.

use super::*;

#[test]
fn the_form_may_change() {
    let table = [
        ("a.py", "import b\nimport a\nx = 'it'\n", "import a\nimport b\n\nx = \"it\"\n"),
        (
            "a.py",
            "from m import b, a\nf(1,\n  2)\n",
            "from m import (\n    a,\n    b,\n)\n\nf(\n    1,\n    2,\n)\n",
        ),
        ("a.py", "assert (a + b) == c\n", "assert ((a + b)) == c\n"),
        ("a.py", "x = 'it\\'s'\n", "x = \"it's\"\n"),
        (
            "a.ts",
            "import { b, a } from 'm'\nexpect(f( 1 )).toBe(2)\n",
            "import { a, b } from \"m\";\n\nexpect(f(1)).toBe(2);\n",
        ),
        (
            "a.rs",
            "use b::c;\nuse a::d;\nfn t(){f(1,2);}\n",
            "use a::d;\nuse b::c;\nfn t() {\n    f(1, 2,);\n}\n",
        ),
        ("a_test.go", "package a\n\nfunc  T( ) { f(1) }\n", "package a\n\nfunc T() { f(1) }\n"),
    ];
    for (path, before, after) in table {
        assert!(is_reformatted(path, before.as_bytes(), after.as_bytes()), "{path}: {before}");
    }
}

#[test]
fn the_meaning_may_not() {
    let table = [
        ("a value", "a.py", "assert f() == 1\n", "assert f() == 2\n"),
        ("a deleted assertion", "a.py", "assert a\nassert b\n", "assert a\n"),
        ("a deleted import", "a.py", "import a\nimport b\n", "import a\n"),
        ("another module", "a.py", "from a import b\n", "from b import a\n"),
        ("precedence", "a.py", "x = (a + b) * c\n", "x = a + b * c\n"),
        ("a tuple of one", "a.py", "x = (1,)\n", "x = (1)\n"),
        ("a string's blanks", "a.py", "x = 'a b'\n", "x = 'a  b'\n"),
        ("a string's prefix", "a.py", "x = 'a'\n", "x = b'a'\n"),
        (
            "documentation",
            "a.py",
            "def f():\n    \"\"\"A.\n\n    B.\"\"\"\n",
            "def f():\n    \"\"\"A.\n\n     B.\"\"\"\n",
        ),
        ("a directive", "a.py", "f()  # noqa: E501\n", "f()\n"),
        (
            "a directive on another statement",
            "a.py",
            "f()  # type: ignore\ng()\n",
            "f()\ng()  # type: ignore\n",
        ),
        ("an import that moved past code", "a.py", "import a\nf()\nimport b\n", "import b\nf()\nimport a\n"),
        ("an indentation that means something", "a.py", "if a:\n    f()\ng()\n", "if a:\n    f()\n    g()\n"),
        ("an inline snapshot", "a.ts", "e(`a\n  b`)\n", "e(`a\n    b`)\n"),
        ("a suppressed error", "a.ts", "// @ts-expect-error\nf()\ng()\n", "f()\n// @ts-expect-error\ng()\n"),
        ("what does not parse", "a.py", "def f(:\n", "def f(:\n"),
        ("an unknown language", "a.txt", "a\n", "a\n"),
    ];
    for (what, path, before, after) in table {
        assert!(!is_reformatted(path, before.as_bytes(), after.as_bytes()), "{what}");
    }
}
