//! The imports of each language.

use super::*;

fn shown(path: &str, text: &str) -> String {
    imports(path, text.as_bytes())
        .iter()
        .map(|import| format!("{} {} {:?}\n", import.line, import.module, import.names))
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn imports_of_every_language() {
    insta::assert_snapshot!(shown("a.py", "import os, a.b as c\nfrom .x import y, z as w\nfrom m import *\ndef f():\n    import late\n"), @r#"
        1 os []
        1 a.b []
        2 .x ["y", "z"]
        3 m ["*"]
        5 late []
        "#);
    insta::assert_snapshot!(shown("a.rs", "use std::fmt;\nuse a::{self, b, c::{d, e as f}};\nmod m { use super::*; }\nextern crate x;"), @r#"
        1 std ["fmt"]
        2 a ["self", "b"]
        2 a::c ["d", "f"]
        3 super ["*"]
        4 x []
        "#);
    insta::assert_snapshot!(shown("a.ts", "import d, { a, type B } from './x';\nimport * as n from 'y';\nimport 'side';\nexport { q } from './q';\nexport * from './all';\nconst { r, s: t } = require('z');\nconst u = await import('v');"), @r#"
        1 ./x ["default", "a", "B"]
        2 y ["*"]
        3 side []
        4 ./q ["q"]
        5 ./all ["*"]
        6 z ["r", "s"]
        7 v []
        "#);
    insta::assert_snapshot!(shown("a.go", "package a\nimport \"fmt\"\nimport (\n  x \"a/b\"\n  _ \"c\"\n)\n"), @r"
        2 fmt []
        4 a/b []
        5 c []
        ");
    insta::assert_snapshot!(shown("A.java", "package a;\nimport java.util.List;\nimport a.b.*;\nimport static org.junit.Assert.assertEquals;\n"), @r#"
        2 java.util ["List"]
        3 a.b ["*"]
        4 org.junit.Assert ["assertEquals"]
        "#);
    insta::assert_snapshot!(shown("a.cpp", "#ifdef X\n#include \"a/b.h\"\n#endif\n#include <vector>\n"), @"
        2 a/b.h []
        4 vector []
        ");
    insta::assert_snapshot!(shown("a.rb", "require 'json'\nrequire_relative \"../lib/cart\"\nputs 1\n"), @r#"
        1 json []
        2 ../lib/cart ["relative"]
        "#);
    insta::assert_snapshot!(shown("A.cs", "using System;\nusing Shop.Core;\nnamespace A;\n"), @"
        1 System []
        2 Shop.Core []
        ");
    insta::assert_snapshot!(shown("a.php", "<?php\nuse Shop\\Cart;\nuse Shop\\Db\\{Conn, Pool as P};\nrequire_once __DIR__ . '/x.php';\n"), @r"
        2 Shop\Cart []
        3 Shop\Db\Conn []
        3 Shop\Db\Pool []
        4 /x.php []
        ");
}
