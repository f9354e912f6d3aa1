//! Uses that do not fit what is there.

use windlass_core::report::Runner;

use super::*;

/// A test that uses the task's own code in another way waits for it; one that misuses something else is wrong.
#[test]
fn a_use_that_does_not_fit_the_own_code_is_red() {
    let e0061 = "error[E0061]: this function takes 1 argument but 2 arguments were supplied\n --> tests/t.rs:5:16\n  |\n\
                 5 |     assert_eq!(add(1, 2), 3);\n  |                ^^^    - unexpected argument\n";
    let here = "note: function defined here\n --> src/lib.rs:1:8\n";
    let e0308 =
        "error[E0308]: mismatched types\n --> tests/t.rs:5:21\n  |\n5 |     assert_eq!(add(1), Some(1));\n";
    let e0614 = "error[E0614]: type `(i32, i32)` cannot be dereferenced\n --> tests/t.rs:5:16\n  |\n\
                 5 |     assert_eq!(*add(1), 1);\n  |                ^^^^^^^ can't be dereferenced\n";
    let named_first = "error[E0614]: type `(Guard<{integer}>, {closure@...})` cannot be dereferenced\n --> tests/t.rs:5:16\n  |\n\
                       5 |     assert_eq!(*inner, 1);\n";
    let e0608 = "error[E0608]: cannot index into a value of type `i32`\n --> tests/t.rs:5:16\n  |\n\
                 5 |     assert_eq!(add(1)[0], 1);\n";
    let go = "./add_test.go:6:11: too many arguments in call to add\n\thave (number, number)\n\twant (int)\n";
    let two = "./add_test.go:6:11: assignment mismatch: 2 variables but add returns 1 value\n";
    let ts =
        "t.test.ts:3:14 - error TS2554: Expected 1 arguments, but got 2.\n\n3   expect(add(1, 2)).toBe(3)\n";
    let option = "t.test.ts(2,18): error TS2353: Object literal may only specify known properties, and 'round' does not exist in type 'Options'.\n";
    let java = "[ERROR] /w/src/test/java/AddTest.java:[3,12] method add in class Sums cannot be applied to given types;\n";
    let cpp = "t.cpp:3:14: error: too many arguments to function ‘int add(int)’\n";
    let table = [
        (Runner::Junit, "src/test/java/AddTest.java", "src/main/java/Sums.java", java.to_owned(), "Sums"),
        (Runner::Ctest, "t.cpp", "add.cpp", cpp.to_owned(), "add"),
        (Runner::CargoTest, "tests/t.rs", "src/lib.rs", e0061.to_owned(), "add"),
        (Runner::CargoTest, "tests/t.rs", "src/lib.rs", format!("{e0061}{here}"), ""),
        (Runner::CargoTest, "tests/t.rs", "src/lib.rs", e0308.to_owned(), "add"),
        (Runner::CargoTest, "tests/t.rs", "src/lib.rs", e0614.to_owned(), "add"),
        (Runner::CargoTest, "tests/t.rs", "src/lib.rs", e0608.to_owned(), "add"),
        (Runner::CargoTest, "tests/t.rs", "src/lib.rs", named_first.to_owned(), "Guard"),
        (Runner::GoTest, "add_test.go", "add.go", go.to_owned(), "add"),
        (Runner::GoTest, "add_test.go", "add.go", two.to_owned(), "add"),
        (Runner::Jest, "t.test.ts", "t.ts", ts.to_owned(), "add"),
        (Runner::Jest, "t.test.ts", "t.ts", option.to_owned(), "Options"),
        (Runner::Jest, "t.test.ts", "t.ts", option.to_owned(), "plus"),
    ];
    for (runner, test, own, output, name) in table {
        let text = "test('a', () => {\n  expect(plus({ round: 1 }));\n});\n";
        let judge = |declared: &[String]| {
            classify(&RedInput {
                exit: RunExit::Code(1),
                report: None,
                runner: Some(runner),
                output: output.as_bytes(),
                test_files: &[(test.to_owned(), text.as_bytes().to_vec())],
                author: TestAuthor::Base,
                owned: &[own.to_owned()],
                provides: &[],
                declared,
                present: &[],
            })
        };
        let found = judge(&["other".to_owned(), name.to_owned()]);
        assert!(matches!(found, Red::MissingCode { .. }), "{output}{found:?}");
        if !name.is_empty() {
            let found = judge(&["other".to_owned(), format!("{name}s")]);
            assert!(matches!(found, Red::NotRed(NotRed::WrongReason { .. })), "{output}{found:?}");
        }
    }
}
