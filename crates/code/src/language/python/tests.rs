//! Python: what is read of source code, contracts and output, one table per question.

use windlass_core::report::Runner;

use super::errors;
use crate::language::Language;
use crate::language::tests::{
    assert_rules, canary_names, cut, errors_in, export_lines, findings, frozen_names, import_list, imported,
    promised, rules_broken, stub_of, style_of, test_names,
};
use crate::red::OwnedFiles;
use crate::syntax::{facts, parses, same_test};

#[test]
fn functions_and_classes_that_pytest_collects() {
    let table = [
        ("", ""),
        ("def test_a(): ...\n", "test_a"),
        ("async def test_a(): ...\n", "test_a"),
        ("def check_test(): ...\n", ""),
        ("def test_größe(): ...\n", "test_größe"),
        ("def test_a():\r\n    assert True\r\n", "test_a"),
        // A second definition hides the first at run time; both are in the text.
        ("def test_a(): ...\ndef test_a(): ...\n", "test_a, test_a"),
        // A function inside a test is not collected.
        ("def test_a():\n    def test_inner(): ...\n", "test_a"),
        ("class TestCart:\n    def test_a(self): ...\n    def total(self): ...\n", "TestCart::test_a"),
        ("class TestA:\n    class TestB:\n        def test_c(self): ...\n", "TestA::TestB::test_c"),
        ("class Cart:\n    def test_a(self): ...\n", ""),
        ("class CartCase(django.test.TestCase):\n    def test_a(self): ...\n", "CartCase::test_a"),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("tests/test_a.py", text), expected, "{text}");
    }
}

#[test]
fn only_unconditional_marks_skip() {
    let table = [
        ("@pytest.mark.skip\n", "test_a (skipped)"),
        ("@pytest.mark.skip(reason='slow')\n", "test_a (skipped)"),
        ("@pytest.mark.xfail\n", "test_a (skipped)"),
        ("@unittest.skip('slow')\n", "test_a (skipped)"),
        ("@mark.skip\n", "test_a (skipped)"),
        ("@pytest.mark.skipif(sys.platform == 'win32', reason='x')\n", "test_a"),
        ("@pytest.mark.slow\n", "test_a"),
        ("@skipper\n", "test_a"),
    ];
    for (mark, expected) in table {
        assert_eq!(test_names("tests/test_a.py", &format!("{mark}def test_a(): ...\n")), expected, "{mark}");
    }
    let class = "@pytest.mark.skip\nclass TestA:\n    def test_a(self): ...\n    def test_b(self): ...\n";
    assert_eq!(test_names("tests/test_a.py", class), "TestA::test_a (skipped), TestA::test_b (skipped)");
}

/// What pytest and unittest do not run is no test, and what may not run has a condition.
#[test]
fn fixtures_and_conditions() {
    let text = "import sys, unittest, pytest\n\n@pytest.fixture\ndef test_url():\n    return 1\n\n\
        @pytest.fixture(scope='module')\ndef test_client():\n    return 1\n\n\
        @pytest.mark.parametrize('a', [1])\ndef test_plain(a):\n    pass\n\n\
        @pytest.mark.skipif(sys.platform == 'win32', reason='')\ndef test_marked():\n    pass\n\n\
        if sys.version_info > (3, 9):\n    def test_new():\n        pass\nelse:\n    def test_old():\n        pass\n\n\
        try:\n    import numpy\nexcept ImportError:\n    pass\nelse:\n    class TestArrays:\n        def test_array(self):\n            pass\n\n\
        def test_inside():\n    pytest.importorskip('numpy')\n\n\
        class TestHelper:\n    __test__ = False\n    def test_no(self):\n        pass\n\n\
        class TestBuilt:\n    def __init__(self):\n        pass\n    def test_no(self):\n        pass\n\n\
        class Case(unittest.TestCase):\n    def setUp(self):\n        self.skipTest('x')\n    def test_case(self):\n        pass\n";
    let found: Vec<String> = crate::syntax::tests("tests/test_a.py", text.as_bytes())
        .into_iter()
        .map(|item| format!("{}{}", item.name, if item.condition.is_some() { " ?" } else { "" }))
        .collect();
    assert_eq!(
        found,
        [
            "test_plain",
            "test_marked ?",
            "test_new ?",
            "test_old ?",
            "TestArrays::test_array ?",
            "test_inside ?",
            "Case::test_case ?",
        ]
    );
    let module =
        "import pytest\npytestmark = pytest.mark.skipif(True, reason='')\n\ndef test_a():\n    pass\n";
    assert!(crate::syntax::tests("tests/test_a.py", module.as_bytes())[0].condition.is_some());
}

#[test]
fn exports_are_public_names_at_the_top_level() {
    let table: [(&str, &[&str]); 10] = [
        ("def add(a, b=1, *rest, **more): ...\n", &["Function add | def add(a, b=1, *rest, **more)"]),
        ("@cached\nasync def load(): ...\n", &["Function load | async def load()"]),
        ("def _own(): ...\nclass _Own: ...\n_own = 1\n__all__ = ['a']\n", &[]),
        (
            "class Cart(Base):\n    size: int = 0\n    @property\n    def total(self) -> int: ...\n    def _own(self): ...\n    def __init__(self): ...\n    def __repr__(self): ...\n",
            &[
                "Type Cart | class Cart(Base)",
                "Method Cart.total | def total(self) -> int",
                "Method Cart.__init__ | def __init__(self)",
            ],
        ),
        ("LIMIT: Final = 3\n", &["Value LIMIT | LIMIT: Final"]),
        ("limit = 3\n", &["Value limit | limit"]),
        ("a, b = 1, 2\nx.y = 1\nx[0] = 1\n", &[]),
        ("type Price = int\n", &["Type Price | type Price = int"]),
        ("def f():\n    def inner(): ...\n    class Inner: ...\n", &["Function f | def f()"]),
        ("if True:\n    def late(): ...\n", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("a.py", text), expected, "{text}");
    }
}

#[test]
fn imports_stand_anywhere() {
    let table = [
        ("import a, b.c\n", "a; b.c"),
        ("import a.b as c\n", "a.b"),
        ("from .. import (a,\n    b)\n", "..: a, b"),
        ("from . import *\n", ".: *"),
        ("try:\n    import fast\nexcept ImportError:\n    import slow\n", "fast; slow"),
        ("if TYPE_CHECKING:\n    from m import T as U\n", "m: T"),
        ("def f():\n    import late\n", "late"),
        ("# import a\nx = 'import b'\n", ""),
    ];
    for (text, expected) in table {
        assert_eq!(import_list("a.py", text), expected, "{text}");
    }
}

#[test]
fn contracts_need_no_bodies() {
    let table = [
        ("", ""),
        ("def add(a: int) -> int", "add"),
        ("def add(a: int) -> int:", "add"),
        ("def add(a): ...", "add"),
        ("async def wait()", "wait"),
        ("class Cart", "Cart"),
        ("class Cart:\n    def add(self, price)\n    def _own(self)", "Cart, Cart.add"),
        ("LIMIT: int = 3", "LIMIT"),
        ("def add(a)\r\ndef sub(a)\r\n", "add, sub"),
    ];
    for (contract, expected) in table {
        assert_eq!(promised(contract, "shop/cart.py"), expected, "{contract}");
    }
}

#[test]
fn code_that_fits_its_contract() {
    let table = [
        ("def f(a)", "def f(a): ...\n"),
        ("def f(a)", "def f(a: int, b=1): ...\n"),
        ("def f(a: Optional[int])", "def f(a: int | None): ...\n"),
        ("def f(a: Union[int, str])", "def f(a: str | int): ...\n"),
        ("def f() -> typing.List[int]", "def f() -> list[int]: ...\n"),
        ("def f(a, b)", "def f(*args): ...\n"),
        ("def f(a, *, b)", "def f(a, b): ...\n"),
        // The name may come from elsewhere.
        ("def f(a)", "from .x import f\n"),
        ("def f(a)", "from .x import *\n"),
        ("def f(a)", "def __getattr__(name): ...\n"),
        ("class Cart:\n    def add(self): ...", "class Cart(Base): ...\n"),
        // A file that does not parse proves nothing.
        ("def f(a)", "def g(:\n"),
    ];
    for (contract, code) in table {
        assert_eq!(findings(contract, "shop/cart.py", code), "", "{contract} / {code}");
    }
}

#[test]
fn code_that_breaks_its_contract() {
    let table = [
        ("def f(a)", "def g(a): ...\n", "missing f"),
        ("def f(a)", "def _f(a): ...\n", "missing f"),
        ("def f(a, b=1)", "def f(a): ...\n", "different f"),
        ("def f(a)", "def f(a, b): ...\n", "different f"),
        ("def f(price)", "def f(amount): ...\n", "different f"),
        ("def f() -> int", "def f() -> str: ...\n", "different f"),
        ("class Cart:\n    def add(self): ...", "class Cart: ...\n", "missing Cart.add"),
        // A missing class is reported once, not once per method.
        ("class Cart:\n    def add(self): ...", "x = 1\n", "missing Cart"),
    ];
    for (contract, code, expected) in table {
        assert_eq!(findings(contract, "shop/cart.py", code), expected, "{contract} / {code}");
    }
}

#[test]
fn stubs_raise_until_the_code_is_written() {
    let table = [
        ("def add(a: int) -> int", "def add(a: int) -> int:\n    raise NotImplementedError"),
        (
            "class Cart:\n    def add(self, price)\n    def size(self)",
            "class Cart:\n    def add(self, price):\n        raise NotImplementedError\n    def size(self):\n        raise NotImplementedError",
        ),
        ("LIMIT: int = 3", "LIMIT: int = 3"),
    ];
    for (contract, expected) in table {
        let stub = stub_of(Language::Python, contract).unwrap();
        assert_eq!(stub, expected, "{contract}");
        assert_eq!(parses(Language::Python, stub.as_bytes()), Ok(()));
    }
}

#[test]
fn bodies_are_cut_out_and_lines_stay() {
    let table = [
        ("def f(a):\n    return 1\nx = 2\n", "def f(a): ...\n\nx = 2\n"),
        ("def f(a): return 1\n", "def f(a): return 1\n"),
        (
            "class A:\n    y = 1\n    def m(self):\n        z = 1\n",
            "class A:\n    y = 1\n    def m(self): ...\n\n",
        ),
        ("x = (1,\n    2)\n", "x = (1,\n    2)\n"),
        ("x = (1\n", "none"),
        ("x = '''open\n", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(cut("a.py", text), expected, "{text}");
    }
}

#[test]
fn fixtures_bases_and_style() {
    let text = "@pytest.fixture\ndef a(): ...\n@pytest.fixture(scope='module')\nasync def b(): ...\n@fixture\ndef c(): ...\n@other\ndef d(): ...\n";
    assert_eq!(facts("tests/conftest.py", text.as_bytes()).unwrap().fixtures, ["a", "b", "c"]);
    let bases =
        facts("a.py", b"class A(Base, Mixin, metaclass=Meta): ...\nclass B(Base): ...\n").unwrap().bases;
    assert_eq!(bases, ["Base", "Mixin"]);
    let case = "class A(unittest.TestCase):\n    def test_a(self): ...\n";
    let table = [
        ("def test_a(): ...\n".to_owned(), "pytest in functions"),
        ("class TestA:\n    def test_a(self): ...\n".to_owned(), "pytest in classes"),
        (case.to_owned(), "unittest in classes"),
        // Cases that import pytest are run by it.
        (format!("import pytest\n{case}"), "pytest in classes"),
        ("x = 1\n".to_owned(), "none"),
    ];
    for (text, expected) in table {
        assert_eq!(style_of("tests/test_a.py", &text), expected, "{text}");
    }
}

#[test]
fn tests_are_frozen_by_name() {
    assert_eq!(frozen_names("tests/test_a.py", "def test_b(): ...\ndef test_a(): ...\n"), "test_a, test_b");
    assert_eq!(frozen_names("tests/conftest.py", "x = 1\n"), "");
}

#[test]
fn names_in_reports() {
    let item = "tests/test_a.py::test_a";
    let table = [
        ("tests/test_a.py::test_a[1-x]", true),
        ("./tests/test_a.py::test_a", true),
        ("pkg.tests.test_a::test_a", true),
        ("tests.test_a::test_a", true),
        ("xtests.test_a::test_a", false),
        ("tests/test_a.py::TestA::test_a", false),
        ("test_a", false),
    ];
    for (report, expected) in table {
        assert_eq!(same_test(report, item), expected, "{report}");
    }
}

#[test]
fn canaries_follow_the_runner() {
    let function = "def test_a(): ...";
    let class = "class TestA(TestCase):\n    def test_a(self):\n        pass\n";
    let table = [
        (function, Runner::Pytest, "tests/test_a.py::test_a_qx1, tests/test_a.py::test_a_qx2"),
        (class, Runner::Pytest, "tests/test_a.py::test_a_qx1, tests/test_a.py::test_a_qx2"),
        (class, Runner::Unittest, "tests/test_a.py::TestA::test_a_qx1, tests/test_a.py::TestA::test_a_qx2"),
        // unittest runs no functions.
        (function, Runner::Unittest, "none"),
        (function, Runner::Jest, "none"),
    ];
    for (text, runner, expected) in table {
        assert_eq!(canary_names("tests/test_a.py", text, runner), expected, "{runner:?} {text}");
    }
}

#[test]
fn errors_of_a_failed_collection() {
    let own: &[&str] = &["src/shop/cart.py"];
    let table: [(&str, &[&str], &str); 19] = [
        ("", own, ""),
        (
            "E   ImportError: cannot import name 'cart' from partially initialized module 'shop' (most likely due to a circular import) (/w/shop/__init__.py)",
            own,
            "missing shop.cart",
        ),
        ("E   ModuleNotFoundError: No module named 'shop'", own, "missing shop"),
        ("E   ModuleNotFoundError: No module named 'shop.cart'", own, "missing shop.cart"),
        ("E   ModuleNotFoundError: No module named 'numpy'", own, "foreign"),
        // The owner of a manifest can install anything.
        ("E   ModuleNotFoundError: No module named 'numpy'", &["pyproject.toml"], "missing numpy"),
        (
            "E   ImportError: cannot import name 'a' from partially initialized module 'shop' (most likely due to a circular import) (/w/shop.py)",
            own,
            "other",
        ),
        ("E   AttributeError: 'Cart' object has no attribute 'add'", own, "missing add"),
        ("E   AttributeError: module 'shop.cart' has no attribute 'add'", own, "missing shop.cart.add"),
        ("E   AttributeError: module 'os' has no attribute 'nope'", own, "foreign"),
        ("E       fixture 'client' not found", own, "other"),
        ("E       fixture 'client' not found", &["tests/conftest.py"], "missing fixture client"),
        ("E   IndentationError: unexpected indent", own, "syntax"),
        ("E   TabError: inconsistent use of tabs and spaces", own, "syntax"),
        ("ERROR: usage: pytest [options]", own, "other"),
        ("a ValueError: in the middle of a sentence", own, ""),
        // The heading of unittest; the real error follows.
        ("ImportError: Failed to import test module: test_cart", own, ""),
        // The summary repeats what was printed above it.
        ("==== short test summary info ====\nModuleNotFoundError: No module named 'numpy'\n", own, ""),
        (
            "____ ERROR collecting tests/test_a.py ____\nE   ModuleNotFoundError: No module named 'shop'\n____ ERROR collecting tests/test_b.py ____\nE   SyntaxError: invalid syntax\n",
            own,
            "missing shop, syntax",
        ),
    ];
    for (output, files, expected) in table {
        assert_eq!(errors_in(Language::Python, output, files, &[]), expected, "{output}");
    }
}

#[test]
fn an_undefined_name_is_missing_only_where_the_task_can_provide_it() {
    let output = "E   NameError: name 'total' is not defined";
    assert_eq!(errors_in(Language::Python, output, &["shop/cart.py"], &[]), "other");
    assert_eq!(errors_in(Language::Python, output, &["shop/cart.py"], &["total"]), "missing total");
    assert_eq!(errors_in(Language::Python, output, &["shop/cart.py"], &["Cart.total"]), "missing total");
    // With a star import any module could have provided the name.
    let star = [("tests/test_a.py".to_owned(), b"from shop import *\n".to_vec())];
    let files = ["shop/cart.py".to_owned()];
    let read = errors::read(output, OwnedFiles { files: &files, names: &[], present: &[] }, &star);
    assert_eq!((read.missing, read.wrong), (vec!["total".to_owned()], Vec::new()));
}

#[test]
fn each_rule_and_what_only_looks_like_it() {
    assert_rules(
        "src/shop.py",
        &[
            ("exit", "import os\nos._exit(0)\n", "import os\nos._exit(1)\n"),
            (
                "soft-exit",
                "import sys\ndef total():\n    sys.exit(0)\n",
                "import sys\ndef main():\n    sys.exit(0)\n",
            ),
            ("soft-exit", "raise SystemExit\n", "raise SystemExit(2)\n"),
            ("soft-exit", "quit()\n", "quitting()\n"),
            ("at-exit", "import atexit\natexit.register(f)\n", "registry.register(f)\n"),
            ("skip", "self.skipTest('x')\n", "self.skip_line('x')\n"),
            ("redirects", "import sys\nsys.stdout = buffer\n", "import sys\nkept = sys.stdout\n"),
            ("sniffs-place", "import sys\nsys.settrace(f)\n", "import sys\nsys.setrecursionlimit(9)\n"),
            ("sniffs-place", "import gc\ngc.get_objects()\n", "import gc\ngc.collect()\n"),
            ("patches", "import builtins\nbuiltins.print = f\n", "import builtins\nshow = builtins.print\n"),
            ("patches", "import time\ntime.time = f\n", "import time\nclock.time = time.time\n"),
            ("patches", "import random as r\nr.choice = f\n", "import math\nrandom.choice = f\n"),
            ("sniffs-place", "import inspect\ninspect.stack()\n", "import inspect\ninspect.signature(f)\n"),
            ("sniffs-place", "x = os.environ.get('CI')\n", "x = os.environ.get('CITY')\n"),
            (
                "sniffs-test",
                "import sys\nx = 'pytest' in sys.modules\n",
                "import sys\nx = 'numpy' in sys.modules\n",
            ),
            (
                "catches-all",
                "try:\n    f()\nexcept BaseException:\n    pass\n",
                "try:\n    f()\nexcept BaseException:\n    close()\n    raise\n",
            ),
            (
                "catches-all",
                "try:\n    f()\nexcept:\n    pass\n",
                "try:\n    f()\nexcept Exception:\n    pass\n",
            ),
            ("uses-runner", "import unittest\n", "from unittest.mock import Mock\n"),
            (
                "always-equal",
                "class A:\n    def __contains__(self, item):\n        return True\n",
                "class A:\n    def __contains__(self, item):\n        return item in self.items\n",
            ),
            (
                "dynamic-code",
                "import importlib\nimportlib.import_module('os')\n",
                "import importlib\nimportlib.import_module('shop.plugins')\n",
            ),
            ("forges-report", "print('test result: ok')\n", "print('the result is ok')\n"),
            ("reads-golden", "open('tests/golden/a.txt')\n", "open('data/golden/a b.txt')\n"),
        ],
    );
}

#[test]
fn a_program_may_end_itself() {
    let text = "import sys\ndef total():\n    sys.exit(0)\n";
    for path in ["src/shop/cli.py", "manage.py", "scripts/total.py", "shop/__main__.py"] {
        assert_eq!(rules_broken(path, text), "", "{path}");
    }
    assert_eq!(rules_broken("tests/test_shop.py", "import os\nos._exit(0)\n"), "", "tests are frozen anyway");
}

#[test]
fn imports_and_the_files_they_mean() {
    let tree = |path, text| {
        [
            ("src/shop/__init__.py", ""),
            ("src/shop/money.py", ""),
            ("src/shop/api/__init__.py", ""),
            ("src/shop/api/line.py", ""),
            (path, text),
        ]
    };
    let table = [
        ("tests/test_a.py", "import shop.money\n", "src/shop/money.py"),
        ("tests/test_a.py", "from shop import money\n", "src/shop/money.py"),
        ("tests/test_a.py", "from shop import total\n", "src/shop/__init__.py"),
        ("tests/test_a.py", "from shop import money, total\n", "src/shop/money.py src/shop/__init__.py"),
        ("src/shop/api/cart.py", "from ..money import tax\n", "src/shop/money.py"),
        ("src/shop/api/cart.py", "from . import line\n", "src/shop/api/line.py"),
        ("src/shop/api/cart.py", "from ..... import nothing\n", ""),
        ("src/shop/cart.py", "import numpy\nimport os\n", ""),
    ];
    for (path, text, expected) in table {
        assert_eq!(imported(&tree(path, text), path), expected, "{path}: {text}");
    }
}

/// A skip inside a test is decided by the conditions around it, and by what is tried before it.
#[test]
fn what_decides_on_a_skip_inside() {
    let text = "def test_platform():\n    if sys.platform == 'win32':\n        pytest.skip('x')\n    core.a()\n\n\n\
        def test_tried():\n    try:\n        core.a()\n    except ImportError:\n        if deep:\n            pytest.skip('x')\n\n\n\
        def test_always():\n    core.a()\n    pytest.skip('x')\n\n\n\
        class TestA:\n    def setup_method(self):\n        if not have:\n            pytest.skip('x')\n\n    def test_b(self): ...\n";
    let found: Vec<String> = crate::syntax::tests("tests/test_a.py", text.as_bytes())
        .into_iter()
        .map(|item| format!("{}: {}", item.name, item.condition.unwrap_or_default().replace('\n', " ")))
        .collect();
    insta::assert_debug_snapshot!(found, @r#"
    [
        "test_platform: sys.platform == 'win32'",
        "test_tried: deep and core.a()",
        "test_always: def test_always():     core.a()     pytest.skip('x')",
        "TestA::test_b: not have",
    ]
    "#);
}
