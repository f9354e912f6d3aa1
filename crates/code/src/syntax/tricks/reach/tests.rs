//! Which code is plain, and which could deceive a test.

use super::*;

#[test]
fn plain_code_is_plain() {
    for (path, text) in [
        (
            "a.py",
            "import math\nfrom .b import c\n\n\nclass A:\n    def __init__(self):\n        self.b = math.pi\n",
        ),
        ("a.py", "# open the file\ndef f(a):\n    return sorted(a)\n"),
        ("a.js", "const { b } = require('./b');\nexports.f = (a) => a.map((c) => c + b);\n"),
        (
            "a.ts",
            "import { b } from './b';\n\nexport class A {\n  constructor(private c: number) {}\n  d() {\n    return this.c.toString();\n  }\n}\n",
        ),
        (
            "src/a.rs",
            "use std::collections::BTreeMap;\n\npub fn f(a: &[i64]) -> i64 {\n    a.iter().sum()\n}\n\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n",
        ),
        (
            "a.go",
            "package a\n\nimport \"strings\"\n\nfunc F(a string) string {\n\treturn strings.ToUpper(a)\n}\n",
        ),
        ("README.md", "open"),
        ("tests/test_a.py", "import os\n"),
    ] {
        assert!(!reaches_out(path, text.as_bytes()), "{path}\n{text}");
    }
}

#[test]
fn code_that_could_deceive_is_not() {
    for (path, text) in [
        ("a.py", "from unittest import mock\n"),
        ("a.py", "import math, sys\n"),
        ("a.py", "class A(int):\n    def __eq__(self, other):\n        return True\n"),
        ("a.py", "B = type('A', (int,), {})\n"),
        ("a.py", "def f():\n    return open('a').read()\n"),
        ("a.js", "const fs = require('node:fs');\n"),
        ("a.mjs", "import fs from 'fs';\n"),
        ("a.js", "exports.f = () => new Proxy({}, {});\n"),
        ("a.js", "exports.f = () => (() => 0).constructor('return 1')();\n"),
        ("src/a.rs", "impl<T> PartialEq<T> for A {}\n"),
        ("src/a.rs", "#[track_caller]\nfn f() {}\n"),
        ("a.go", "package a\n\nimport \"runtime\"\n"),
        ("a.sh", "echo 1\n"),
    ] {
        assert!(reaches_out(path, text.as_bytes()), "{path}\n{text}");
    }
}
