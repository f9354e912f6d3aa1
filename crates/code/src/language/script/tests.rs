//! JavaScript and TypeScript: what is read of source code, contracts and output, one table per question.

use windlass_core::report::Runner;

use crate::language::Language;
use crate::language::tests::{
    assert_rules, canary_names, cut, errors_in, export_lines, findings, frozen_names, import_list, imported,
    promised, rules_broken, stub_of, style_of, test_names,
};
use crate::syntax::{parses, same_test, with_canaries};

#[test]
fn calls_that_are_tests() {
    let table = [
        ("", ""),
        ("test('a', f)", "a"),
        ("it.only('a', f)", "a"),
        ("describe('s', () => { it('a', f) })", "s > a"),
        ("suite('s', () => { test('a', f) })", "s > a"),
        ("describe('s', () => { describe('t', () => { it('a', f) }) })", "s > t > a"),
        ("it.each([1])('t %i', f)", "t %i"),
        ("it.each`a\n${1}`('t $a', f)", "t $a"),
        ("test('it\\'s', f)", "it's"),
        // A title that is only known at run time.
        ("test(name, f)", "${name}"),
        ("if (import.meta.vitest) { it('a', f) }", "a"),
        // Skipped, alone or with their suite.
        ("test.skip('a', f)", "a (skipped)"),
        ("test.todo('a')", "a (skipped)"),
        ("test.fails('a', f)", "a (skipped)"),
        ("xit('a', f)", "a (skipped)"),
        ("describe.skip('s', () => { it('a', f) })", "s > a (skipped)"),
        // What only looks like one.
        ("test.each([1])", ""),
        ("test()", ""),
        ("object.test('x')", ""),
        ("/a/.test('x')", ""),
        ("test.helper('x')", ""),
        ("// test('a', f)", ""),
    ];
    for (text, expected) in table {
        assert_eq!(test_names("a.test.ts", text), expected, "{text}");
    }
}

#[test]
fn exports_of_modules() {
    let table: [(&str, &[&str]); 9] = [
        ("const a = 1;\nfunction f() {}\nclass C {}\n", &[]),
        ("export * from './a';", &[]),
        ("export type { A } from './a';", &["Value A | export type { A } from './a'"]),
        ("function add(a: number) {}\nexport default add;", &["Function default | function add(a: number)"]),
        ("export const f = async (a: number) => a;", &["Function f | export const f = async (a: number)"]),
        ("export const LIMIT = 3;", &["Value LIMIT | export const LIMIT"]),
        (
            "export function* ids(): Generator<number> {}",
            &["Function ids | export function* ids(): Generator<number>"],
        ),
        (
            "export class A { #own() {} protected p() {} public q() {} get size() { return 1 } x = () => 1; }",
            &[
                "Type A | export class A",
                "Method A.q | public q()",
                "Method A.size | get size()",
                "Method A.x | x = ()",
            ],
        ),
        ("export const { a, b } = c;", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("src/a.ts", text), expected, "{text}");
    }
}

#[test]
fn exports_of_commonjs() {
    let table: [(&str, &[&str]); 5] = [
        ("function add(a) {}\nmodule.exports = add;", &["Function default | function add(a)"]),
        ("exports.a = 1;", &["Value a | exports.a = 1"]),
        ("module.exports.f = (a) => a;", &["Function f | module.exports.f = (a)"]),
        ("module.exports = { f(a) {}, g: 1 };", &["Function f | f(a)", "Value g | g: 1"]),
        ("other.exports = 1;", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(export_lines("src/a.js", text), expected, "{text}");
    }
}

#[test]
fn imports_of_both_kinds() {
    let table = [
        ("import type { A } from './a';", "./a: A"),
        ("import './a.css';", "./a.css"),
        ("import a, { b as c } from './a';", "./a: default, b"),
        ("export * as n from './a';", "./a: *"),
        ("const { a, b: c } = require('./a');", "./a: a, b"),
        ("const lazy = () => import('./a');", "./a"),
        ("require(name);", ""),
        ("// import './a'\nconst s = \"import './a'\";", ""),
    ];
    for (text, expected) in table {
        assert_eq!(import_list("src/a.ts", text), expected, "{text}");
    }
}

#[test]
fn promised_names_of_a_contract() {
    let table = [
        ("export function add(a: number): number;", "add"),
        ("export interface Store { save(id: string): void }", "Store, Store.save"),
        ("export class Cart { add(): void {} private own() {} }", "Cart, Cart.add"),
        ("export type Id = string;", "Id"),
        ("function own(): void;", ""),
    ];
    for (contract, expected) in table {
        assert_eq!(promised(contract, "src/a.ts"), expected, "{contract}");
    }
}

#[test]
fn code_against_its_contract() {
    let table = [
        ("export function f(a: string[]): void;", "export function f(a: Array<string>): void {}", ""),
        ("export function f(a: A | B): void;", "export const f = (a: B | A): void => {};", ""),
        ("export function f(a: string): void;", "export function f(a: string, b?: number): void {}", ""),
        ("export function f(...a: string[]): void;", "export function f(a: string): void {}", ""),
        ("export class P { m(): void {} }", "export class P extends Q {}", ""),
        ("export function f(): void;", "export * from './f';", ""),
        ("export function f(): void;", "Object.assign(exports, made);", ""),
        (
            "export function f(a: string): void;",
            "export function f(a: string, b: number): void {}",
            "different f",
        ),
        (
            "export function f(a: string, b?: number): void;",
            "export function f(a: string): void {}",
            "different f",
        ),
        ("export function f(a: string): void;", "export function f(b: string): void {}", "different f"),
        ("export function f(): Promise<void>;", "export function f(): void {}", "different f"),
        ("export interface S { go(): void }", "export interface S {}", "different S, missing S.go"),
        ("export function f(): void;", "function f(): void {}", "missing f"),
    ];
    for (contract, code, expected) in table {
        assert_eq!(findings(contract, "src/a.ts", code), expected, "{contract} / {code}");
    }
}

#[test]
fn stubs_throw_until_the_code_is_written() {
    let table = [
        (
            Language::TypeScript,
            "export function add(a: number): number;",
            "export function add(a: number): number {\n  throw new Error('not implemented');\n}",
        ),
        (
            Language::TypeScript,
            "export class Cart {\n  add(price: number): void;\n}",
            "export class Cart {\n  add(price: number): void {\n        throw new Error('not implemented');\n    }\n}",
        ),
        // An interface has no bodies.
        (
            Language::TypeScript,
            "export interface Store {\n  save(id: string): void;\n}",
            "export interface Store {\n  save(id: string): void;\n}",
        ),
        (
            Language::JavaScript,
            "export function add(a) {}",
            "export function add(a) {\n  throw new Error('not implemented');\n}",
        ),
    ];
    for (language, contract, expected) in table {
        let stub = stub_of(language, contract).unwrap();
        assert_eq!(stub, expected, "{contract}");
        assert_eq!(parses(language, stub.as_bytes()), Ok(()));
    }
}

#[test]
fn a_signature_as_a_declaration() {
    let table = [
        (
            Language::TypeScript,
            "export const add = (a: number): number",
            "export function add(a: number): number;",
        ),
        (Language::TypeScript, "export const add = async (a)", "export function add(a);"),
        (
            Language::TypeScript,
            "export async function f(): Promise<void>",
            "export function f(): Promise<void>;",
        ),
        (Language::TypeScript, "export const LIMIT: number", "export const LIMIT: number;"),
        (Language::JavaScript, "export function f(a)", "export function f(a) {}"),
    ];
    for (language, signature, expected) in table {
        assert_eq!((language.row().declaration)(signature), expected);
    }
}

#[test]
fn bodies_are_cut_out_and_lines_stay() {
    let table = [
        ("function f() {\n  return '}';\n}\n", "function f() {\n\n}\n"),
        ("const f = () => { return 1 };", "const f = () => {};"),
        ("class A { m() { x } }", "class A { m() {} }"),
        ("const o = { a: 1 };", "const o = { a: 1 };"),
        ("import { a } from './a';", "import { a } from './a';"),
        ("function f() { `${'}'}` ", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(cut("src/a.ts", text), expected, "{text}");
    }
}

#[test]
fn the_framework_shows_in_imports_and_mocks() {
    let table = [
        ("import { it } from 'vitest';\nit('a', f);", "vitest in functions"),
        ("it('a', () => { vi.fn() });", "vitest in functions"),
        ("import test from 'node:test';\ntest('a', f);", "node:test in functions"),
        ("import { it } from '@jest/globals';\nit('a', f);", "jest in functions"),
        ("import { expect } from 'chai';\ndescribe('s', () => { it('a', f) });", "mocha in describe blocks"),
        // Global names show no framework.
        ("it('a', f);", "none"),
        ("import { it } from 'vitest';", "none"),
    ];
    for (text, expected) in table {
        assert_eq!(style_of("a.test.ts", text), expected, "{text}");
    }
}

#[test]
fn tests_in_the_source_are_frozen_with_their_block() {
    let text = "export const a = 1;\nif (import.meta.vitest) {\n  const { it } = import.meta.vitest;\n  it('x', f);\n}\n";
    assert_eq!(frozen_names("src/a.ts", text), "import.meta.vitest (rest), x");
    assert_eq!(frozen_names("src/a.ts", "if (other) { run(); }\n"), "");
}

#[test]
fn titles_in_reports() {
    let table = [
        ("src/a.test.ts > s > adds 1", "src/a.test.ts > s > adds %i", true),
        ("a.test.ts > s > a", "src/a.test.ts > s > a", true),
        // TAP has no file and joins titles by a blank.
        ("s a", "src/a.test.ts > s > a", true),
        ("src/b.test.ts > s > a", "src/a.test.ts > s > a", false),
        ("src/a.test.ts > t > a", "src/a.test.ts > s > a", false),
        ("src/a.test.ts > s > a b", "src/a.test.ts > s > a", false),
    ];
    for (report, item, expected) in table {
        assert_eq!(same_test(report, item), expected, "{report}");
    }
}

#[test]
fn canaries_follow_the_runner() {
    let text = "import { it } from 'vitest';\ndescribe('s', () => { it(\"it's 1!\", f); });\n";
    let named = "a.test.ts > its 1 qx1, a.test.ts > its 1 qx2";
    for (runner, expected) in [
        (Runner::Vitest, named),
        (Runner::Jest, named),
        (Runner::NodeTest, named),
        (Runner::Tap, "none"),
        (Runner::Pytest, "none"),
    ] {
        assert_eq!(canary_names("a.test.ts", text, runner), expected, "{runner:?}");
    }
    let laid = |text: &str| {
        let laid = with_canaries("a.test.js", text.as_bytes(), Runner::NodeTest, "qx", &|_| true).unwrap();
        String::from_utf8(laid.bytes).unwrap()
    };
    // A module imports, a script requires.
    assert!(
        laid("import test from 'node:test';\ntest('a', f);")
            .contains("import { test as qxt } from 'node:test';")
    );
    assert!(
        laid("const test = require('node:test');\ntest('a', f);")
            .contains("const qxt = require('node:test').test;")
    );
}

#[test]
fn errors_of_node_runners_and_the_compiler() {
    let own: &[&str] = &["src/cart.ts", "packages/core/src/tax.ts"];
    let table: [(&str, &[&str], &[&str], &str); 20] = [
        ("", own, &[], ""),
        ("Error: Cannot find module './cart'", own, &[], "missing src/cart.ts"),
        ("Error: Cannot find module './line'", own, &[], "foreign"),
        (
            "Error: Failed to load url @/cart (resolved id: @/cart) in /w/a.test.ts",
            own,
            &[],
            "missing src/cart.ts",
        ),
        ("Error: Cannot find package 'lodash' imported from /w/a.ts", own, &[], "foreign"),
        (
            "Error: Cannot find package 'lodash' imported from /w/a.ts",
            &["package.json"],
            &[],
            "missing lodash",
        ),
        ("Error: Cannot find package '@shop/core' imported from /w/a.ts", own, &[], "missing @shop/core"),
        ("a.ts(1,1): error TS1005: ';' expected.", own, &[], "syntax"),
        ("a.ts(1,1): error TS2304: Cannot find name 'total'.", own, &[], "missing total"),
        ("a.ts(1,1): error TS2339: Property 'go' does not exist on type 'Cart'.", own, &[], "missing go"),
        ("a.ts(1,1): error TS7006: Parameter 'a' implicitly has an 'any' type.", own, &[], "other"),
        ("TypeError: cart.total is not a function", own, &[], "missing cart.total"),
        ("TypeError: Cart is not a constructor", own, &[], "missing Cart"),
        ("TypeError: Cannot read properties of undefined (reading 'x')", own, &[], "other"),
        ("ReferenceError: total is not defined", own, &[], "other"),
        ("ReferenceError: total is not defined", own, &["total"], "missing total"),
        ("Uncaught SyntaxError: Unexpected token '}'", own, &[], "syntax"),
        ("RangeError: Invalid array length", own, &[], "other"),
        // Wrappers say nothing new, and prose is no error.
        ("Error: Test suite failed to run", own, &[], ""),
        ("an Error: in a sentence", own, &[], ""),
    ];
    for (output, files, names, expected) in table {
        assert_eq!(errors_in(Language::TypeScript, output, files, names), expected, "{output}");
    }
}

#[test]
fn the_main_file_of_a_package_is_missed_by_its_path() {
    let why = "Please verify that the package.json has a valid \"main\" entry";
    let missed = |path: &str, own: &[&str]| {
        errors_in(Language::JavaScript, &format!("Error: Cannot find module '{path}'. {why}"), own, &[])
    };
    assert_eq!(missed("/w/index.js", &["index.js"]), "missing index.js");
    assert_eq!(missed("/w/main.js", &["main.js"]), "missing main.js");
    assert_eq!(missed("/w/lib/index.js", &["lib/index.js"]), "missing lib/index.js");
    assert_eq!(missed("/w/index.js", &["main.js"]), "foreign");
}

#[test]
fn each_rule_and_what_only_looks_like_it() {
    assert_rules(
        "src/shop.js",
        &[
            ("exit", "process.exit(0);", "process.exit(2);"),
            ("exit", "process.reallyExit(0);", "door.exit(0);"),
            ("exit", "process.exitCode = 0;", "process.exitCode = 1;"),
            ("at-exit", "process.on('exit', f);", "emitter.on('exit', f);"),
            ("catches-all", "process.on('uncaughtException', f);", "process.on('warning', f);"),
            ("skip", "this.skip();", "list.skip();"),
            ("sniffs-place", "if (process.env.NODE_ENV) x();", "if (process.env.NODE_PATH) x();"),
            ("sniffs-place", "if (process.env.CI) x();", "if (process.env.CITY) x();"),
            ("sniffs-test", "f.mock.calls.push([1]);", "f.log.calls.push([1]);"),
            ("sniffs-test", "if (process.env.VITEST) x();", "if (process.env.VITE) x();"),
            ("patches", "Array.prototype.map = f;", "Shop.prototype.map = f;"),
            ("patches", "require.cache[key] = fake;", "cache[key] = value;"),
            ("patches", "Module._load = f;", "Module.load = f;"),
            ("patches", "Date.now = f;", "clock.now = Date.now;"),
            ("patches", "Object.defineProperty(assert, 'ok', {});", "Object.defineProperty(shop, 'ok', {});"),
            ("evaluates-code", "eval(code);", "evaluate(code);"),
            ("evaluates-code", "new globalThis[type](buffer);", "new types[type](buffer);"),
            ("evaluates-code", "new Function('return 1');", "new Functions('return 1');"),
            ("dynamic-code", "process[name](0);", "shop[name](0);"),
            ("uses-runner", "import { it } from 'vitest';", "import { it } from './vitest-like';"),
            (
                "catches-assertion",
                "if (e instanceof AssertionError) g();",
                "if (e instanceof TypeError) g();",
            ),
            ("reads-golden", "read('shop.snap');", "read('shop.snapshot');"),
            ("forges-report", "console.log(`test:pass ${name}`);", "console.log('the test passed');"),
        ],
    );
    for path in ["bin/tool.js", "src/cli.js", "scripts/total.mjs"] {
        assert_eq!(rules_broken(path, "process.exit(0);"), "", "{path}");
    }
    assert_eq!(rules_broken("src/a.js", "#!/usr/bin/env node\nprocess.exit(0);"), "");
}

#[test]
fn imports_and_the_files_they_mean() {
    let tree = |path, text| {
        [
            ("package.json", "{\"name\": \"shop\"}"),
            ("src/money.ts", ""),
            ("src/cart/index.ts", ""),
            ("src/both.ts", ""),
            ("src/both.js", ""),
            ("packages/core/package.json", "{\"name\": \"@shop/core\"}"),
            ("packages/core/src/index.ts", ""),
            ("packages/core/src/tax.ts", ""),
            (path, text),
        ]
    };
    let table = [
        ("src/a.ts", "import { m } from './money';", "src/money.ts"),
        ("src/a.ts", "import { m } from './money.js';", "src/money.ts"),
        ("src/a.ts", "import { m } from './both.js';", "src/both.js"),
        ("src/a.ts", "import { c } from './cart';", "src/cart/index.ts"),
        ("src/a/b.ts", "import { m } from '@/money';", "src/money.ts"),
        ("src/a.ts", "import { t } from '@shop/core';", "packages/core/src/index.ts"),
        ("src/a.ts", "import { t } from '@shop/core/tax';", "packages/core/src/tax.ts"),
        ("src/a.ts", "import x from '../../../outside';", ""),
        ("src/a.ts", "import React from 'react';", ""),
    ];
    for (path, text, expected) in table {
        assert_eq!(imported(&tree(path, text), path), expected, "{path}: {text}");
    }
}

/// uvu, ava and tap have their own ways to write tests; a condition that may leave one out is noted.
#[test]
fn tests_of_other_runners_and_conditions() {
    let text = "const { suite } = require('uvu');\nconst Clone = suite('clone/json');\nconst Plain = suite();\n\
        Clone('objects', () => {});\nClone.skip('later', () => {});\nPlain('alone', () => {});\nClone.run();\n\
        t.test('outer', t => { t.test('inner', () => {}); });\ntap.test('top', () => {});\ntest.serial('serial', () => {});\n\
        test.before('no test', () => {});\ntest.skipIf(process.platform === 'win32')('unix', () => {});\n\
        describe.runIf(process.env.DB)('db', () => { it('reads', () => {}); });\n\
        if (major > 18) { test('new', () => {}); }\nit('self', function () { if (!process.env.X) { this.skip(); } });\n";
    let found: Vec<String> = crate::syntax::tests("test/a.js", text.as_bytes())
        .into_iter()
        .map(|item| {
            let skipped = if item.skipped { " skipped" } else { "" };
            item.condition.map_or_else(|| item.name.clone(), |c| format!("{} if {c}", item.name)) + skipped
        })
        .collect();
    insta::assert_debug_snapshot!(found, @r#"
    [
        "clone/json > objects",
        "clone/json > later skipped",
        "alone",
        "outer",
        "top",
        "serial",
        "unix if (process.platform === 'win32')",
        "db > reads if (process.env.DB)",
        "new if (major > 18)",
        "self if (!process.env.X)",
    ]
    "#);
}

#[test]
fn sub_tests_belong_to_their_test() {
    let same = |report: &str| crate::syntax::same_test(report, "t/a.js > outer");
    assert!(same("t/a.js > outer > inner") && same("outer > inner") && same("outer"));
    assert!(!same("t/a.js > outermost") && !same("t/b.js > outer > inner"));
}

/// An editor imports `describe` from the wrong runner; then no name has its title.
#[test]
fn suites_of_another_runner_are_in_no_name() {
    let name = |imports: &str| {
        let text = format!("{imports}\ndescribe('outer', () => {{ it('inner', () => {{}}); }});\n");
        crate::syntax::tests("test/a.test.ts", text.as_bytes()).remove(0).name
    };
    for (imports, expected) in [
        ("import { describe } from 'node:test'; import { it, expect } from 'vitest';", "inner"),
        ("const { describe } = require('node:test'); const { it } = require('@jest/globals');", "inner"),
        ("import { describe } from 'node:test';", "inner"),
        ("import it, { describe } from 'node:test';", "outer > inner"),
        ("import { describe, it } from 'node:test';", "outer > inner"),
        ("import { describe } from './helpers'; import { it } from 'vitest';", "outer > inner"),
        ("import { describe, it } from 'vitest'; import { mock } from 'node:test';", "outer > inner"),
        ("", "outer > inner"),
    ] {
        assert_eq!(name(imports), expected, "{imports}");
    }
}
