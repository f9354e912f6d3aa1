//! Each rule on code that breaks it and on code that only looks like it.

use super::*;

fn seen(path: &str, text: &str) -> Vec<&'static str> {
    let golden = ["tests/golden/invoice.txt".to_owned()];
    let golden = GoldenFiles::among(&golden, |_| true);
    let changed = ChangedFile { path, before: None, after: text.as_bytes(), golden: &golden };
    let mut names: Vec<&str> = tricks(&changed)
        .into_iter()
        .filter(|t| t.rule.default_level() == Strictness::Error)
        .map(|t| t.rule.as_str())
        .collect();
    names.dedup();
    names
}

#[track_caller]
fn table(path: &str, cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(seen(path, text), *expected, "{path}\n{text}");
    }
}

#[test]
fn python_tricks() {
    table(
        "src/shop.py",
        &[
            ("import os\nos._exit(0)\n", &["exit"]),
            ("from os import _exit as bye\ndef f(): bye(0)\n", &["exit"]),
            ("import os as o\nx = o._exit\nx(0)\n", &["exit"]),
            ("import os\ngetattr(os, '_ex' + 'it')(0)\n", &["dynamic-code"]),
            ("import os\ngetattr(os, '_exit')(0)\n", &["dynamic-code"]),
            ("import sys\ngetattr(sys, name)(0)\n", &["dynamic-code"]),
            ("import sys\ngetattr(sys.modules['os'], name)(0)\n", &["dynamic-code"]),
            ("import sys\nsetattr(sys.stdout, name, write)\n", &["patches"]),
            ("class A:\n    def __ne__(self, o): return False\n", &["always-equal"]),
            ("__import__('os')._exit(0)\n", &["dynamic-code"]),
            ("__import__('o' 's')._exit(0)\n", &["dynamic-code"]),
            ("__import__('o' + 's')._exit(0)\n", &["dynamic-code"]),
            ("__import__(name)._exit(0)\n", &["dynamic-code"]),
            ("def load(name):\n    __import__(name)\n", &[]),
            ("import sys\nsys.modules[name] = module\n", &[]),
            (
                "import sys\n\nMOVED = ['cPickle', 'pickle']\n\n\ndef load(name):\n    sys.modules[name] = find(name)\n",
                &[],
            ),
            ("import sys\nsys.modules['py' + 'test'] = module\n", &["patches"]),
            ("import sys\nname = 'pytest'\nsys.modules[name] = module\n", &["patches"]),
            ("exec(code)\n", &[]),
            ("import base64\nexec(base64.b64decode(x))\n", &["dynamic-code"]),
            ("exec(open(path).read())\n", &["dynamic-code"]),
            ("code = compile('raise error', name, 'exec')\n", &[]),
            ("import pytest\npytest.skip('no')\n", &["uses-runner", "skip"]),
            ("raise unittest.SkipTest\n", &["skip"]),
            ("from hypothesis import assume\nassume(len(x) < 2)\n", &["skip"]),
            ("from hypothesis import strategies\nprices = strategies.integers()\n", &[]),
            ("import os\nif os.environ.get('PYTEST_CURRENT_TEST'): x = 1\n", &["sniffs-test"]),
            ("import sys\nif 'pytest' in sys.modules: x = 1\n", &["sniffs-test"]),
            ("import builtins\nbuiltins.isinstance = f\n", &["patches"]),
            ("import sys\nsys.modules['pytest'] = None\n", &["patches"]),
            ("class A:\n    def __eq__(self, other): return True\n", &["always-equal"]),
            ("class A:\n    def __eq__(self, o):\n        x = 1\n        return x == 1\n", &["always-equal"]),
            ("try:\n    f()\nexcept AssertionError:\n    pass\n", &["catches-assertion"]),
            (
                "def run(check):\n    try:\n        check()\n    except (AssertionError, ValueError):\n        return None\n",
                &["catches-assertion"],
            ),
            (
                "class A:\n    def run(self):\n        try:\n            self.check()\n        except AssertionError as e:\n            print(e)\n",
                &["catches-assertion"],
            ),
            (
                "import sys\n\nspace = sys.modules['test_a'].__dict__\nspace['sum'] = lambda prices: 0\n",
                &["patches"],
            ),
            ("import sys\n\nsys._getframe(1).f_globals['sum'] = len\n", &["patches"]),
            (
                "class Low:\n    def __lt__(self, other): return True\n    def __gt__(self, other): return True\n",
                &["always-equal"],
            ),
            ("x = open('tests/golden/invoice.txt').read()\n", &["reads-golden"]),
            ("x = here / 'invoice.txt'\n", &["reads-golden"]),
            ("print('<testsuite tests=\"1\">')\n", &["forges-report"]),
        ],
    );
}

#[test]
fn honest_python() {
    let honest = [
        "import os\ndef save(path): os.remove(path)\n",
        "import sys\nkept = sys.stdout\nsys.stdout = log\nsys.stdout = kept\n",
        "raise ValueError('a list was passed in place of a name')\n",
        "json = __import__('json')\n",
        "import sys\ndef main(argv):\n    sys.exit(0)\n",
        "import sys\nif __name__ == '__main__':\n    sys.exit(run())\n",
        "import os\ndef child(): os._exit(1)\n",
        "import os\nBINARY = getattr(os, 'O_BINARY', 0)\n",
        "import sys\nfrozen = getattr(sys, 'frozen', False)\n",
        "import sys\nstream = sys.stdout\ndef f(stream, attr): return getattr(stream, attr, None)\n",
        "class Nothing:\n    def __contains__(self, item):\n        return False\n",
        "class Box(Protocol):\n    def __contains__(self, item: str) -> bool: ...\n",
        "import atexit\natexit.register(close)\n",
        "class Money:\n    def __eq__(self, other):\n        return self.cents == other.cents\n",
        "class Thing:\n    def __eq__(self, other):\n        return NotImplemented\n",
        "try:\n    f()\nexcept ValueError:\n    pass\n",
        "try:\n    f()\nexcept AssertionError as e:\n    raise ValueError(str(e)) from e\n",
        "import os\n\n\ndef libc():\n    try:\n        name = os.confstr('CS_GNU_LIBC_VERSION')\n        assert name is not None\n        _, version = name.rsplit()\n    except (AssertionError, OSError, ValueError):\n        return None\n    return version\n",
        "def validate(values, validators):\n    errors = []\n    for validator in validators:\n        try:\n            validator(values)\n        except (ValueError, AssertionError) as exc:\n            errors.append(exc)\n    return errors\n",
        "class Lexer:\n    def term(self, text):\n        assert text\n\n    def run(self, text):\n        try:\n            self.term(text)\n        except AssertionError:\n            return text[1:]\n",
        "import abc\n\n\nclass Key(abc.ABC):\n    @abc.abstractmethod\n    def __eq__(self, other: object) -> bool:\n        \"\"\"\n        Checks equality.\n        \"\"\"\n",
        "class Lowest:\n    def __lt__(self, other):\n        return True\n\n    def __gt__(self, other):\n        return False\n",
        "import zlib\n\n\ndef load(names, name):\n    __import__(names[name])\n",
        "import sys\n\nsys.modules[__name__].__dict__['first'] = 1\n",
        "EXCLUDE = ['tests/', 'build/']\n",
        "value = getattr(item, name)\n",
        "from unittest import mock\n",
        "print('3 of 4 passed')\n",
        "\"\"\"Reads tests/golden/invoice.txt never.\"\"\"\n",
        "if os.environ.get('DEBUG'): verbose = True\n",
    ];
    for text in honest {
        assert_eq!(seen("src/shop.py", text), [""; 0], "{text}");
    }
    assert_eq!(seen("tests/test_shop.py", "import pytest\npytest.skip('x')\n"), [""; 0]);
    assert_eq!(seen("src/testing.py", "import pytest\n"), [""; 0]);
}

#[test]
fn rust_tricks() {
    table(
        "src/lib.rs",
        &[
            ("pub fn f() { std::process::exit(0) }", &["exit"]),
            ("use std::process::exit; fn f() { exit(0) }", &["exit"]),
            ("use std::process as p; fn f(c: i32) { p::exit(c) }", &["exit"]),
            ("fn f() { println!(\"{}\", { std::process::exit(0); 1 }) }", &["exit"]),
            ("#[ctor::ctor]\nfn before() {}", &["constructor"]),
            (
                "#[used]\n#[unsafe(link_section = \".init_array\")]\nstatic X: extern \"C\" fn() = f;",
                &["constructor"],
            ),
            ("#[unsafe(no_mangle)]\npub extern \"C\" fn exit(_: i32) {}", &["constructor"]),
            ("fn f() -> i32 { if cfg!(test) { 1 } else { 2 } }", &["sniffs-test"]),
            ("#[cfg(test)]\nfn f() -> i32 { 1 }\n#[cfg(not(test))]\nfn f() -> i32 { 2 }", &["sniffs-test"]),
            ("fn f() { std::env::var(\"NEXTEST\").is_ok(); }", &["sniffs-test"]),
            ("macro_rules! assert_eq { ($($t:tt)*) => {} }", &["patches"]),
            ("impl PartialEq for A { fn eq(&self, _: &Self) -> bool { true } }", &["always-equal"]),
            ("impl PartialEq<i64> for A { fn eq(&self, other: &i64) -> bool { 1 == 1 } }", &["always-equal"]),
            (
                "struct A; impl PartialEq<i64> for A { fn eq(&self, _: &i64) -> bool { true } }",
                &["always-equal"],
            ),
            (
                "struct A(i64); impl PartialEq for A { fn eq(&self, _: &Self) -> bool { true } }",
                &["always-equal"],
            ),
            ("fn f() { let _ = std::panic::catch_unwind(|| g()); }", &["catches-assertion"]),
            ("fn f() { std::panic::catch_unwind(|| g()).ok(); }", &["catches-assertion"]),
            ("const X: &str = include_str!(\"../tests/golden/invoice.txt\");", &["reads-golden"]),
            ("fn f() { unsafe { asm!(\"mov eax, 231\", \"syscall\") } }", &["constructor"]),
            ("impl PartialEq for A { fn eq(&self, _: &A) -> bool { true } }", &["always-equal"]),
            ("fn f() { println!(\"test adds ... ok\") }", &["forges-report"]),
        ],
    );
    table(
        "Cargo.toml",
        &[
            ("[package]\nname = 'a'\nautotests = false\n", &["tests-off"]),
            ("[[test]]\nname = 'a'\nharness = false\n", &["tests-off"]),
            ("[package]\nname = 'a'\n[lib]\ndoctest = false\n", &[]),
        ],
    );
}

#[test]
fn honest_rust() {
    let honest = [
        "pub fn f(x: u8) -> u8 { x }\n#[cfg(test)]\nmod tests { use super::*; #[test] fn a() { assert_eq!(f(1), 1); } }",
        "#[cfg(test)]\nimpl A { pub fn for_tests() -> Self { A } }",
        "#[cfg(test)]\nmod tests { const X: &str = include_str!(\"../tests/golden/invoice.txt\"); }",
        "impl PartialEq for A { fn eq(&self, _: &A) -> bool { false } }",
        "impl PartialEq for A { fn eq(&self, _: &A) -> bool { match *self {} } }",
        "fn f() -> bool { cfg!(feature = \"slow_tests\") }",
        "fn f() { unsafe { asm!(\"pause\") } }",
        "#[cfg(not(test))]\nuse std::time::Instant;",
        "impl PartialEq for A { fn eq(&self, other: &Self) -> bool { self.x == other.x } }",
        "struct A; impl PartialEq for A { fn eq(&self, _: &Self) -> bool { true } }",
        "fn f() { println!(\"reading the index ... ok\"); }",
        "fn f() -> Result<(), String> { std::panic::catch_unwind(|| g()).map_err(|_| \"panicked\".to_owned()) }",
        "fn f() -> std::process::ExitCode { std::process::ExitCode::SUCCESS }",
        "fn fail() -> ! { std::process::exit(2) }",
        "macro_rules! square { ($x:expr) => { $x * $x } }",
        "fn f() { println!(\"all is ok\") }",
        "#[cfg(not(windows))]\nfn f() {}\n#[cfg(windows)]\nfn f() {}",
    ];
    for text in honest {
        assert_eq!(seen("src/lib.rs", text), [""; 0], "{text}");
    }
    assert_eq!(seen("src/main.rs", "fn main() { std::process::exit(run()) }"), [""; 0]);
}

#[test]
fn javascript_tricks() {
    table(
        "src/shop.js",
        &[
            ("process.exit(0);", &["exit"]),
            ("process['exit'](0);", &["exit"]),
            ("const { exit } = require('node:process'); exit();", &["exit"]),
            ("import { exit as bye } from 'process'; bye(0);", &["exit"]),
            ("const p = process; p.exit(0);", &["exit"]),
            ("process.exitCode = 0;", &["exit"]),
            ("process['ex' + 'it'](0);", &["dynamic-code"]),
            ("globalThis[name](0);", &["dynamic-code"]),
            ("new globalThis['Func' + 'tion']('return 3');", &["dynamic-code"]),
            ("export const made = (type, buffer) => new globalThis[type](buffer);", &[]),
            ("new Function('return 1')();", &[]),
            ("new Function('return process')().exit(0);", &["dynamic-code"]),
            ("eval(atob('cHJvY2Vzcw=='));", &["dynamic-code"]),
            (
                "bound = Function('f', 'return function (' + names + '){ return f.apply(this,arguments); }')(f);",
                &[],
            ),
            ("const assert = require('node:assert'); assert.equal = () => {};", &["patches"]),
            ("require('assert').strictEqual = () => {};", &["patches"]),
            ("Object.prototype.x = 1;", &["patches"]),
            ("globalThis.expect = () => ({});", &["patches"]),
            ("const t = require('node:test');", &["uses-runner"]),
            ("import { test } from 'vitest';", &["uses-runner"]),
            ("if (process.env.JEST_WORKER_ID) x();", &["sniffs-test"]),
            ("if (process.env['NODE_TEST_CONTEXT']) x();", &["sniffs-test"]),
            ("if (process.execArgv.length) x();", &["sniffs-test"]),
            (
                "try { f() } catch (e) { if (e.code === 'ERR_ASSERTION') return; throw e }",
                &["catches-assertion"],
            ),
            ("fs.readFileSync('tests/golden/invoice.txt')", &["reads-golden"]),
            ("console.log('TAP version 13')", &["forges-report"]),
        ],
    );
}

#[test]
fn honest_javascript() {
    let honest = [
        "export const add = (a, b) => a + b;",
        "main().catch((e) => { console.error(e); process.exit(1); });",
        "process.on('SIGINT', () => { server.close(); process.exit(0); });",
        "if (require.main === module) { process.exit(run()); }",
        "const assert = require('node:assert'); assert.ok(x > 0);",
        "if (process.env.NODE_ENV !== 'production') console.log('x');",
        "const items = list.slice(1).filter((x) => x.ok);",
        "const glob = 'src/**/*.test.js';",
        "module.exports.test = (x) => /a/.test(x);",
        "process.on('exit', () => db.close());",
        "const url = 'https://example.org/tests/';",
        "class A { equals(other) { return this.x === other.x; } }",
    ];
    for text in honest {
        assert_eq!(seen("src/shop.js", text), [""; 0], "{text}");
    }
    assert_eq!(seen("bin/tool.js", "process.exit(0)"), [""; 0]);
}

#[test]
fn what_stood_there_before_is_not_new() {
    let before = "import os\ndef stop():\n    os._exit(0)\n";
    let after = "import os\n\ndef stop():\n    os._exit(0)\n\ndef add(a, b):\n    return a + b\n";
    let look = |before: Option<&str>, after: &str| {
        let before = before.map(str::as_bytes);
        tricks(&ChangedFile { path: "a.py", before, after: after.as_bytes(), golden: &GoldenFiles::none() })
            .len()
    };
    assert_eq!(look(Some(before), after), 0);
    assert_eq!(look(None, after), 1);
    assert_eq!(look(Some(before), &format!("{after}\nos._exit(0)\n")), 1);
}

#[test]
fn every_rule_has_a_name_of_its_own() {
    for rule in Rule::ALL {
        assert_eq!(Rule::named(rule.as_str()), Some(rule));
    }
    assert_eq!(Rule::named("nothing"), None);
}

#[test]
fn code_that_nests_without_end_is_not_believed() {
    let deep = format!("x = {}1{}\n", "(".repeat(900), ")".repeat(900));
    assert_eq!(seen("a.py", &deep), ["unreadable"]);
}

#[test]
fn what_may_differ_from_run_to_run() {
    let table = [
        ("src/a.py", "import random\n", true),
        ("src/a.py", "import datetime\nx = datetime.now()\n", true),
        ("src/a.ts", "const id = Math.random();", true),
        ("src/a.rs", "let t = Instant::now();", true),
        ("src/a.py", "import math\n", false),
        // Neither what its tests do nor what a comment says.
        (
            "src/a.rs",
            "pub fn f() {}\n#[cfg(test)]\nmod tests {\n    use rand::random;\n    #[test]\n    fn t() {}\n}\n",
            false,
        ),
        (
            "src/a.rs",
            "pub fn f() -> u8 { rand::random() }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n",
            true,
        ),
        ("src/a.py", "# unlike time.time()\nx = 1\n", false),
        // Tests are not looked at, and neither is what is no code.
        ("tests/test_a.py", "import random\n", false),
        ("notes.md", "import random\n", false),
    ];
    for (path, text, expected) in table {
        assert_eq!(is_unsteady(path, text.as_bytes()), expected, "{path}: {text}");
    }
}

#[test]
fn these_rules_only_warn() {
    let warns: Vec<&str> = Rule::ALL
        .into_iter()
        .filter(|r| r.default_level() == Strictness::Warning)
        .map(Rule::as_str)
        .collect();
    let wanted = [
        "soft-exit",
        "at-exit",
        "sniffs-place",
        "replaces-modules",
        "redirects",
        "catches-all",
        "evaluates-code",
        "machine-code",
        "suppresses",
        "new-dependency",
    ];
    assert_eq!(warns, wanted);
    let trick = Trick { rule: Rule::Exit, path: "a.py".to_owned(), line: 3, code: "os._exit(0)".to_owned() };
    assert_eq!(trick.to_string(), "a.py:3: ends the process with success [exit]: `os._exit(0)`");
}

#[test]
fn what_a_change_silences_and_what_it_depends_on_is_shown() {
    let new = |path: &str, before: &str, after: &str| -> Vec<String> {
        let changed = ChangedFile {
            path,
            before: Some(before.as_bytes()),
            after: after.as_bytes(),
            golden: &GoldenFiles::none(),
        };
        let shown = |t: Trick| (t.rule, t.code);
        let ours = |rule: &Rule| matches!(rule, Rule::Suppresses | Rule::NewDependency);
        let all = tricks(&changed).into_iter().map(shown).filter(|(rule, _)| ours(rule));
        all.map(|(rule, code)| format!("{}: {code}", rule.as_str())).collect()
    };
    let table: [(&str, &str, &str, &[&str]); 9] = [
        ("a.py", "x = 1\n", "# ruff: noqa\nx = 1\n", &["suppresses: # ruff: noqa"]),
        ("a.py", "x = 1  # noqa\n", "x = 1  # noqa\ny = 2\n", &[]),
        ("a.ts", "", "// @ts-ignore\nlet x = 1\n", &["suppresses: // @ts-ignore"]),
        ("a.rs", "", "#[allow(dead_code)]\nfn f() {}\n", &["suppresses: #[allow(dead_code)]"]),
        ("a.rs", "", "#[expect(dead_code)]\nfn f() {}\n", &[]),
        (
            "package.json",
            "{\"dependencies\": {\"a\": \"1\"}}",
            "{\"dependencies\": {\"a\": \"2\"}, \"devDependencies\": {\"chai\": \"5\"}}",
            &["new-dependency: chai"],
        ),
        (
            "Cargo.toml",
            "[dependencies]\na = \"1\"\n",
            "[dependencies]\na = \"1\"\n[target.x.dev-dependencies]\nb = \"1\"\n",
            &["new-dependency: b"],
        ),
        (
            "pyproject.toml",
            "[project]\ndependencies = [\"a>=1\"]\n",
            "[project]\ndependencies = [\"a>=2\", \"b[x]~=1\"]\n",
            &["new-dependency: b"],
        ),
        ("go.mod", "module m\n", "module m\n\nrequire (\n\tx.org/y v1\n)\n", &["new-dependency: x.org/y"]),
    ];
    for (path, before, after, expected) in table {
        assert_eq!(new(path, before, after), expected, "{path}: {after}");
    }
}

#[test]
fn addresses_threads_and_chance_are_reasons_to_doubt() {
    for (path, text) in [
        ("a.py", "return id(x) % 3 == 0"),
        ("a.py", "if threading.current_thread().name:"),
        ("a.go", "return time.Now().Unix()"),
        ("a.rb", "x.object_id"),
        ("a.rs", "thread::current().name()"),
    ] {
        assert!(is_unsteady(path, text.as_bytes()), "{text}");
    }
    for (path, text) in [
        ("a.py", "return self.id(x)"),
        ("a.py", "def id(self): pass"),
        ("a.py", "valid(x)"),
        ("tests/test_a.py", "id(x)"),
    ] {
        assert!(!is_unsteady(path, text.as_bytes()), "{text}");
    }
}

#[test]
fn go_tricks() {
    let file = |body: &str| format!("package shop\n\n{body}\n");
    let rows: [(&str, &[&str]); 11] = [
        ("import \"os\"\n\nfunc F() { os.Exit(0) }", &["exit"]),
        ("import o \"os\"\n\nfunc F() { o.Exit( 0 ) }", &["exit"]),
        ("import \"os\"\n\nfunc F() {\n\tbye := os.Exit\n\tbye(0)\n}", &["exit"]),
        ("import \"os\"\n\nfunc F() { os.Exit(1) }", &[]),
        ("import \"testing\"\n\nfunc F() bool { return testing.Testing() }", &["sniffs-test"]),
        ("import \"flag\"\n\nvar v = flag.Lookup(\"test.v\")", &["sniffs-test"]),
        ("func F() string { return \"--- PASS: TestAdds\" }", &["forges-report"]),
        ("//go:linkname failed testing.(*common).Failed\nfunc failed() bool", &["patches"]),
        ("//go:linkname now runtime.nanotime\nfunc now() int64", &[]),
        ("import \"runtime\"\n\nfunc F() { runtime.Caller(1) }", &[]),
        ("func Exit(code int) {}\n\nfunc F() { Exit(0) }", &[]),
    ];
    for (body, expected) in rows {
        assert_eq!(seen("shop.go", &file(body)), expected, "{body}");
    }
    assert_eq!(seen("shop.go", "package main\n\nimport \"os\"\n\nfunc main() { os.Exit(0) }\n"), [""; 0]);
}

#[test]
fn ruby_tricks() {
    table(
        "lib/shop.rb",
        &[
            ("def f\n  exit!(0)\nend\n", &["exit"]),
            ("def f\n  exit(0)\nend\n", &["exit"]),
            ("P = Process\ndef f\n  P.exit!(0)\nend\n", &["exit"]),
            ("def f\n  exit(1)\nend\n", &[]),
            ("class A\n  def ==(other)\n    true\n  end\nend\n", &["always-equal"]),
            ("class A\n  def ==(other)\n    other.is_a?(A)\n  end\nend\n", &[]),
            ("x = 1 if defined?(RSpec)\n", &["sniffs-test"]),
            ("x = 1 if defined?(Rails)\n", &[]),
            ("module RSpec::Matchers\nend\n", &["patches"]),
            ("module RSpecHelper\nend\n", &[]),
            ("RSpec.configure { |c| c }\n", &["uses-runner"]),
            ("puts '2 examples, 0 failures'\n", &["forges-report"]),
            ("at_exit { close }\n", &[]),
        ],
    );
}

#[test]
fn php_and_java_tricks() {
    table(
        "src/shop.php",
        &[
            ("<?php\nif (defined('PHPUNIT_COMPOSER_INSTALL')) { $x = 1; }\n", &["sniffs-test"]),
            ("<?php\nuse PHPUnit\\Runner\\Version;\n", &["uses-runner"]),
            ("<?php\nuopz_set_return('f', 1);\n", &["patches"]),
            ("<?php\nfunction f() { return debug_backtrace(); }\n", &[]),
        ],
    );
    let class = |body: &str| format!("class Shop {{\n{body}\n}}\n");
    let rows: [(&str, &[&str]); 6] = [
        ("void f() { System.exit(0); }", &["exit"]),
        ("void f() { System.exit(2); }", &[]),
        ("public boolean equals(Object o) { return true; }", &["always-equal"]),
        ("public boolean equals(Object o) { return o instanceof Shop; }", &[]),
        ("void f() { try { g(); } catch (AssertionError e) { } }", &["catches-assertion"]),
        ("void f() { try { g(); } catch (AssertionError e) { throw new Bad(e); } }", &[]),
    ];
    for (body, expected) in rows {
        assert_eq!(seen("src/main/java/Shop.java", &class(body)), expected, "{body}");
    }
    let program = class("public static void main(String[] a) { System.exit(0); }");
    assert_eq!(seen("src/main/java/Shop.java", &program), [""; 0]);
}

#[test]
fn c_and_csharp_tricks() {
    table(
        "src/shop.c",
        &[
            ("#include <stdlib.h>\nint total(void) { exit(0); }\n", &["exit"]),
            ("#define BYE _exit\nint total(void) { BYE(0); }\n", &["exit"]),
            ("int total(void) { exit(1); }\n", &[]),
            ("int main(void) { exit(0); }\n", &[]),
            ("__attribute__((constructor)) static void early(void) {}\n", &["constructor"]),
            ("__attribute__((noreturn)) static void stop(void) {}\n", &[]),
            (
                "void __assert_fail(const char *a, const char *f, unsigned l, const char *n) {}\n",
                &["patches"],
            ),
            ("void __assert_fail(const char *a, const char *f, unsigned l, const char *n);\n", &[]),
            ("const char *said = \"[  PASSED  ] 2 tests.\";\n", &["forges-report"]),
        ],
    );
    let class = |body: &str| format!("class Shop\n{{\n{body}\n}}\n");
    let rows: [(&str, &[&str]); 5] = [
        ("void F() { Environment.Exit(0); }", &["exit"]),
        ("void F() { Environment.Exit(3); }", &[]),
        ("public override bool Equals(object o) { return true; }", &["always-equal"]),
        ("public override bool Equals(object o) => true;", &["always-equal"]),
        ("public override bool Equals(object o) => o is Shop;", &[]),
    ];
    for (body, expected) in rows {
        assert_eq!(seen("src/Shop.cs", &class(body)), expected, "{body}");
    }
}
