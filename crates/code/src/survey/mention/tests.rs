//! The words that imports are indexed by.

use super::*;

/// Every way to import that the grammars know, and some that only look like one.
const TEXTS: [(&str, &str); 12] = [
    (
        "a.py",
        "import os, a.b as c\nfrom .x import y, z as w\nfrom m import *\nfrom . import pkg_one\nfrom .. import (  # :)\n    two,\n    three as four,\n)\nfrom long_one \\\n    import five\ndef f():\n    import late; import later\ntry: import quick\nexcept ImportError: pass\n",
    ),
    (
        "a.rs",
        "//! We use things; here.\nuse std::fmt;\npub use a::{self, b, c::{d, // no; end\n e as f}};\nmod m { use super::*; fn g() { use crate::deep::One; } }\n#[cfg(x)] use cfg_one::two;\npub(crate) use near::here;\nextern crate x_crate;\nextern \"C\" { fn q(); }\n",
    ),
    (
        "a.js",
        "import d, { a } from './x-one.view.js';\nimport * as n from\n  \"y\";\nimport 'side';\nconst { r } = require('z');\nconst u = await import(/* name: \"v\" */ './v');\nexport * from '..';\nconst w = require( './w' );\n",
    ),
    (
        "a.ts",
        "import type { A } from '../types/a';\nimport b = require('./b');\nexport { q } from './q';\nimport c // why\n  from './c';\nimport e from '.';\nlet t: import('./t').T;\n",
    ),
    (
        "a.tsx",
        "import React from 'react';\nimport { Cart } from '@/cart/Cart';\nexport const A = () => <b>from 'x'</b>;\n",
    ),
    ("a.go", "package a\nimport \"fmt\"\nimport (\n  x \"a/b\" // (why)\n  _ \"c\"\n)\nimport y \"d/e\"\n"),
    (
        "A.java",
        "package a;\nimport java.util.List; import a.one.Two;\nimport a.b.*;\nimport static org.junit.Assert.assertEquals;\n",
    ),
    ("a.c", "#include \"a/b.h\"\n#ifdef X\n#  include <sys/x.h>\n#endif\n"),
    ("a.hpp", "#pragma once\n#include \"shop/cart-line.hpp\"\n"),
    ("a.rb", "require 'json'\nrequire_relative \"../lib/cart\"\nrequire('set')\n"),
    (
        "A.cs",
        "global using System;\nusing Shop.Core;\nusing static Shop.Math;\nusing X = Shop.Y;\nnamespace A.B\n{\n    using In.Side;\n}\n",
    ),
    (
        "a.php",
        "<?php\nnamespace N;\nuse Shop\\Cart;\nuse Shop\\Db\\{Conn, Pool as P};\nuse function Shop\\f;\nrequire_once __DIR__ . '/x.php';\ninclude('y.php');\n",
    ),
];

#[test]
fn nothing_that_a_grammar_finds_is_missed() {
    for (path, text) in TEXTS {
        let imports = imports(path, text.as_bytes());
        assert!(!imports.is_empty(), "{path}");
        assert_eq!(missed(path, text.as_bytes()), [""; 0], "{path}");
    }
}

#[test]
fn words_elsewhere_are_not_taken() {
    let table = [
        ("a.py", "x = 'from_import'\nimportant = one\n", 0),
        ("a.rs", "// use other things;\nfn f() { because(); }\n", 0),
        ("a.ts", "const from = one;\nimportant('x');\n", 0),
        ("a.go", "package a\n// import (x)\nfunc important() {}\n", 0),
    ];
    for (path, text, count) in table {
        let found = mentions(Language::of_path(path).unwrap(), text.as_bytes());
        assert_eq!(found.len(), count, "{path}: {text}");
    }
}

#[test]
fn words_of_imports() {
    let table: [(&str, &str, &[&str]); 9] = [
        ("a.py", "from shop.cart_line import total\r\n", &["shop", "cart", "line", "total"]),
        ("a.py", "from .. import money\n", &[".", "money"]),
        ("a.rs", "use crate::money::{Tax,\n    Rate};\n", &["money", "Tax", "Rate"]),
        ("a.ts", "import { t } from '../money/tax.js';\n", &["money", "tax"]),
        ("a.ts", "import x from '..';\n", &["."]),
        ("a.go", "package a\nimport (\n\tm \"shop/money\"\n)\n", &["shop", "money"]),
        ("a.c", "#include <shop/money.h>\n", &["shop", "money"]),
        ("A.cs", "namespace Shop.Core;\n", &["Shop", "Core"]),
        ("a.py", "from größe import x\n", &["größe"]),
    ];
    for (path, text, expected) in table {
        let found = mentions(Language::of_path(path).unwrap(), text.as_bytes());
        for word in expected {
            assert!(found.contains(&word_hash(word)), "{word} in {text}");
        }
        assert!(!found.contains(&word_hash("elsewhere")), "{text}");
        assert!(found.is_sorted(), "{text}");
    }
    assert_eq!(missed("notes.txt", b"import a"), [""; 0]);
}

#[test]
fn names_as_words() {
    let table: [(&str, &[&str]); 5] = [
        ("shop.cart-line", &["shop", "cart", "line"]),
        ("Shop\\Cart", &["Shop", "Cart"]),
        ("..", &["."]),
        ("größe/maß", &["größe", "maß"]),
        ("", &["."]),
    ];
    for (name, expected) in table {
        assert_eq!(words(name), expected, "{name}");
    }
}
