//! What is found to be used in small trees of several languages.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::survey::{Seeker, subjects};

use super::survey;
use crate::repo::{MemoryTree, Tree as _};

/// What a file that is about something could use, as text.
fn found(files: &[(&str, &str)], file: &str, about: &str, known: &[&str]) -> String {
    let tree = MemoryTree::new(files.iter().map(|(path, text)| (*path, *text)));
    let survey = survey(&tree);
    let read = |path: &str| tree.read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let seeker = Seeker {
        file,
        about: &subjects(about),
        known: &known.iter().copied().collect::<HashSet<_>>(),
        read: &read,
    };
    let mut out = String::new();
    for module in survey.reusable(&seeker) {
        let _ = writeln!(out, "{}: {}", module.path, module.import.unwrap_or_default());
        for line in module.functions {
            let _ = writeln!(out, "    {line}");
        }
    }
    out
}

const PYTHON: [(&str, &str); 9] = [
    ("pyproject.toml", "[project]\nname = \"shop\"\n"),
    (
        "shop/text_utils.py",
        "def slugify(text: str) -> str: ...\ndef shorten(text, limit=9): ...\ndef pad(text): ...\ndef _own(): ...\n",
    ),
    ("shop/db.py", "def session(): ...\ndef migrate(): ...\n"),
    ("shop/cart.py", "from shop.text_utils import pad\nfrom shop.db import session\n"),
    ("shop/page.py", "from shop.text_utils import slugify\nfrom shop.db import session\n"),
    ("shop/mail.py", "from shop.db import session\nfrom shop import text_utils\n"),
    (
        "tests/conftest.py",
        "import pytest\n@pytest.fixture\ndef client(app): ...\ndef pytest_configure(config): ...\n",
    ),
    ("tests/api/conftest.py", "import pytest\n@pytest.fixture\ndef token(): ...\n"),
    ("tests/test_cart.py", "from shop.cart import total\ndef test_total(client): ...\n"),
];

#[test]
fn what_others_use_and_what_the_task_is_about() {
    let about = "Titles become slugs: slugify gives the slug of an article";
    insta::assert_snapshot!(found(&PYTHON, "shop/article.py", about, &[]), @"
    shop/text_utils.py: from shop.text_utils import slugify
        def slugify(text: str) -> str
    shop/db.py: from shop.db import session
        def session()
    ");
    // What the task has already is not named again.
    assert!(!found(&PYTHON, "shop/article.py", about, &["shop/text_utils.py"]).contains("text_utils"));
    // A test gets what was made for tests, from its own directory upwards.
    insta::assert_snapshot!(found(&PYTHON, "tests/test_article.py", about, &[]), @"
    tests/conftest.py: 
        def client(app)
    ");
}

#[test]
fn nothing_where_nothing_shows_use_or_need() {
    let lone = [("a/util.py", "def slugify(text): ...\n"), ("a/b.py", "x = 1\n"), ("a/c.py", "y = 1\n")];
    assert_eq!(found(&lone, "a/d.py", "Send mail to somebody", &[]), "");
    assert_eq!(found(&lone, "a/d.md", "slugify", &[]), "");
    let broken = [("a/util.py", "def slugify(text: ...\n"), ("a/b.py", "x = 1\n"), ("a/c.py", "y = 1\n")];
    assert_eq!(found(&broken, "a/d.py", "slugify a title", &[]), "");
    // A directory that holds most of the code says nothing by its name.
    let most = [
        ("common/a.py", "def total(): ...\n"),
        ("common/b.py", "def sum(): ...\n"),
        ("common/c.py", "def count(): ...\n"),
        ("x.py", ""),
    ];
    assert_eq!(found(&most, "common/d.py", "the total of a cart", &[]), "");
}

#[test]
fn imports_are_written_as_the_project_writes_them() {
    let rust = [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/lib.rs", "mod util;\nmod cart;\n"),
        ("src/util/mod.rs", "pub mod text;\n"),
        ("src/util/text.rs", "pub fn slug(text: &str) -> String { String::new() }\npub(super) fn own() {}\n"),
        ("src/cart.rs", "use crate::util::text::slug;\n"),
    ];
    let script = [
        ("package.json", "{\"name\": \"shop\"}"),
        ("src/lib/format.ts", "export function formatPrice(cents: number): string { return '' }\n"),
        ("src/lib/helpers/slug.ts", "export const slug = (text: string): string => text;\n"),
        ("src/cart/cart.ts", "import { slug } from '../lib/helpers/slug.js';\n"),
        ("src/cart/line.ts", "import { slug } from '../lib/helpers/slug.js';\n"),
        ("src/page.ts", "import { formatPrice } from './lib/format.js';\n"),
    ];
    let node = [
        ("package.json", "{\"name\": \"shop\"}"),
        ("lib/util.js", "function slug(text) {}\nmodule.exports = { slug };\nexports.slug = slug;\n"),
        ("lib/a.js", "const { slug } = require('./util');\n"),
        ("lib/b.js", "const { slug } = require('./util');\n"),
    ];
    let go = [
        ("go.mod", "module example.com/shop\n"),
        (
            "internal/util/text.go",
            "package util\nfunc Slug(text string) string { return text }\nfunc own() {}\n",
        ),
        ("cart/cart.go", "package cart\nimport \"example.com/shop/internal/util\"\n"),
        ("page/page.go", "package page\nimport \"example.com/shop/internal/util\"\n"),
    ];
    let java = [
        ("pom.xml", "<project/>"),
        (
            "src/main/java/shop/TextUtils.java",
            "package shop;\npublic class TextUtils { public static String slug(String t) { return t; } public int size() { return 1; } }\n",
        ),
        (
            "src/main/java/shop/cart/Cart.java",
            "package shop.cart;\nimport shop.TextUtils;\npublic class Cart {}\n",
        ),
        (
            "src/main/java/shop/cart/Line.java",
            "package shop.cart;\nimport shop.TextUtils;\npublic class Line {}\n",
        ),
    ];
    let c = [
        ("CMakeLists.txt", "project(shop)\n"),
        ("include/shop/util.h", "char *slug(const char *text);\n"),
        ("src/util.c", "#include \"shop/util.h\"\nchar *slug(const char *text) { return 0; }\n"),
        ("src/cart.c", "#include \"shop/util.h\"\n"),
    ];
    let about = "the slug of a title";
    let mut out = String::new();
    out += &found(&rust, "src/article.rs", about, &[]);
    out += &found(&script, "src/blog/article.ts", about, &[]);
    out += &found(&node, "lib/article.js", about, &[]);
    out += &found(&go, "blog/article.go", about, &[]);
    out += &found(&java, "src/main/java/shop/blog/Article.java", about, &[]);
    out += &found(&c, "src/article.c", about, &[]);
    insta::assert_snapshot!(out, @r#"
    src/util/text.rs: use crate::util::text::slug;
        pub fn slug(text: &str) -> String
    src/lib/helpers/slug.ts: import { slug } from '../lib/helpers/slug.js';
        export const slug = (text: string): string
    lib/util.js: const { slug } = require('./util');
        function slug(text)
    internal/util/text.go: import "example.com/shop/internal/util"
        func Slug(text string) string
    src/main/java/shop/TextUtils.java: import shop.TextUtils;
        public static String slug(String t)
    include/shop/util.h: #include "shop/util.h"
        char *slug(const char *text)
    "#);
}

/// In a package, `import json` is Python's own, whatever stands beside.
#[test]
fn a_module_named_like_one_of_pythons_own_is_imported_by_its_package() {
    let tree = MemoryTree::new([
        ("shop/__init__.py", ""),
        ("shop/json.py", "def dump(): ...\n"),
        ("shop/tool.py", "def run(): ...\n"),
        ("shop/a.py", "import json\nimport tool\n"),
        ("shop/b.py", "from shop import json\n"),
        ("shop/c.py", "from .json import dump\n"),
        ("scripts/json.py", ""),
        ("scripts/d.py", "import json\n"),
    ]);
    let survey = survey(&tree);
    assert_eq!(survey.imported_by("shop/a.py"), ["shop/tool.py"]);
    assert_eq!(survey.imported_by("shop/b.py"), ["shop/json.py"]);
    assert_eq!(survey.imported_by("shop/c.py"), ["shop/json.py"]);
    // A directory that is no package is where its programs look first.
    assert_eq!(survey.imported_by("scripts/d.py"), ["scripts/json.py"]);
}
