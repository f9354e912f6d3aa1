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
        ("a.py", "\"\"\"Opens, inspects: open, sys.\"\"\"\nimport re\n\nWORD = re.compile('a')\n"),
        (
            "h11/a.py",
            "from h11.b import C\n\n\nclass D(C, metaclass=C):\n    def __call__(self, event):\n        return type(event) is D or isinstance(event, type) or event.type or getattr(event, 'end', None)\n",
        ),
        ("a.py", "from urllib.parse import quote\nimport base64, struct\n"),
        (
            "a.js",
            "const path = require('node:path');\nfunction A() {}\nA.prototype.b = function () {\n  return Object.prototype.hasOwnProperty.call(arguments[0], 'c');\n};\n",
        ),
        (
            "a.js",
            "Object.defineProperty(exports, \"__esModule\", { value: true });\nexports.f = function* () {\n  const stack = [];\n  stack.push(this[Symbol.iterator]);\n};\n",
        ),
        ("src/a.rs", "use std::io;\n\npub fn f(a: &mut dyn io::Read) {\n    panic!(\"not yet\")\n}\n"),
        (
            "a.js",
            "exports.f = (g) => {\n  try {\n    g();\n  } catch (e) {\n    if (e.a) { b(); }\n    throw e;\n  }\n};\n",
        ),
        ("a.rb", "require 'set'\nrequire_relative 'b'\n\nVERSION = '1'\n"),
        ("a.php", "<?php\nfunction profile() { return 1; }\n"),
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
        ("a.go", "package a\n\nfunc (e failed) Is(other error) bool { return other != nil }\n"),
        ("a.py", "from unittest import mock\n"),
        ("a.js", "exports.f = () => Object.values(require.cache);\n"),
        ("a.js", "exports.f = (g) => {\n  try {\n    g();\n  } catch (e) {\n    // goes on\n  }\n};\n"),
        ("a.js", "exports.f = () => require('./test/cases.js');\n"),
        ("a.py", "import math, sys\n"),
        ("a.py", "import dataclasses\n\n\ndef f():\n    return dataclasses.sys._getframe(1)\n"),
        ("a.py", "if True: import\tnumpy\n"),
        ("os/a.py", "import os\n"),
        ("a.py", "def f(a, b):\n    return getattr(a, '_' + b)\n"),
        ("a.py", "def f(a, b):\n    return getattr(a, f'{b}')\n"),
        ("a.py", "B = type(int)('A', (int,), {})\n"),
        ("a.py", "import abc\n\nB = abc.ABCMeta('A', (int,), {})\n"),
        ("a.py", "class A(type):\n    pass\n"),
        ("a.py", "M = type\n"),
        ("a.py", "def f(a, of=getattr):\n    return a\n"),
        ("a.py", "F = [compile]\n"),
        ("a.py", "def f(g):\n    return g.gi_frame.f_back\n"),
        ("a.js", "exports.f = () => new Error().stack;\n"),
        ("a.js", "const { stack } = new Error();\n"),
        ("a.js", "Array.prototype.equal = () => true;\n"),
        ("a.js", "exports.f = { [Symbol.toPrimitive]: () => 1 };\n"),
        ("a.js", "Object.defineProperty(a, 'b', { get() {} });\n"),
        ("src/a.rs", "use std::{fs, io};\n"),
        ("src/a.rs", "impl std::ops::Sub<i64> for A {}\n"),
        ("a.rb", "require 'tracer'\n"),
        ("a.php", "<?php\nreturn file_get_contents('a');\n"),
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
