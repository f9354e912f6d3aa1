//! Tests of `minitest`.

use super::*;

fn shown(text: &str) -> String {
    match read(text.as_bytes()) {
        Ok(Some(report)) => format!("{:?} {:?}", report.tests, report.messages),
        Ok(None) => "none".into(),
        Err(error) => error.to_string(),
    }
}

/// As minitest 5.17 and test-unit 3.5 print it.
#[test]
fn both_are_read() {
    let minitest = "Run options: -v --seed 1\n\n# Running:\n\nTextTest#test_ok = 0.00 s = .\nTextTest#test_skip = 0.00 s = S\nTextTest#test_gone = 0.00 s = E\nCart::#total#test_0001_adds up = 0.00 s = F\n\nFinished in 0.01s, 2 runs/s, 1 assertions/s.\n\n  2) Error:\nTextTest#test_gone:\nNoMethodError: undefined method `slugg' for #<TextTest>\n    test/text_test.rb:6:in `test_gone'\n\n  3) Failure:\nCart::#total#test_0001_adds up [test/text_test.rb:5]:\nExpected: \"a\"\n\n4 runs, 2 assertions, 1 failures, 1 errors, 1 skips\n";
    let unit = "Loaded suite test/tu_test\nStarted\nTuTest: \n  test_bad:\t\t\t\t\t\tF\n=====\nFailure: test_bad(TuTest)\n<\"a\"> expected but was\n=====\n: (0.007365)\n  test_ok:\t\t\t\t\t\t.: (0.000386)\n  inner: \n    test: words here:\t\t\t\t\t.: (0.000236)\n\nFinished in 0.03 seconds.\n-----\n3 tests, 3 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n";
    insta::assert_snapshot!([minitest, unit].map(shown).join("\n"), @r#"
        {"Cart #total adds up": Failed, "TextTest::test_gone": Failed, "TextTest::test_ok": Passed, "TextTest::test_skip": Skipped} {"Cart #total adds up": "Expected: \"a\"", "TextTest::test_gone": "NoMethodError: undefined method `slugg' for #<TextTest>\n    test/text_test.rb:6:in `test_gone'\n\n  3) Failure:"}
        {"TuTest::inner::words here": Passed, "TuTest::test_bad": Failed, "TuTest::test_ok": Passed} {"TuTest::test_bad": "<\"a\"> expected but was\n=====\n: (0.007365)"}
        "#);
}

#[test]
fn other_runs() {
    let empty = "Run options: -v\n\n0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n";
    let hidden = "T#test_a = 0.00 s = .\n\n2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\n";
    insta::assert_snapshot!([empty, hidden, "cannot load such file\n"].map(shown).join("\n"), @"
        {} {}
        the report says 2 tests but names 1
        none
        ");
}

#[test]
fn marks() {
    let table = [(".", "Passed"), ("F", "Failed"), ("E", "Failed"), ("S", "Skipped")];
    for (mark, expected) in table {
        let text = format!("T#test_a = 0.01 s = {mark}\n1 runs, 1 assertions, 0 failures\n");
        assert_eq!(shown(&text), format!("{{\"T::test_a\": {expected}}} {{}}"), "{mark}");
    }
    for line in ["T#test_a = x s = .", "T#test_a = 0.01 s = ?", "T#other = 0.01 s = .", "puts = 1 s = ."] {
        assert_eq!(minitest(line), None, "{line}");
    }
}

#[test]
fn names() {
    let table = [
        ("CartTest#test_adds", Some("CartTest::test_adds")),
        ("Shop::CartTest#test_adds", Some("Shop::CartTest::test_adds")),
        ("Cart::total#test_0001_adds up", Some("Cart total adds up")),
        ("CartTest#test_12", Some("CartTest::test_12")),
        ("CartTest#adds", None),
        ("", None),
    ];
    for (name, expected) in table {
        assert_eq!(method(name).as_deref(), expected, "{name}");
    }
}

#[test]
fn totals() {
    let table = [
        ("4 runs, 2 assertions, 0 failures, 0 errors, 0 skips", Some(4)),
        ("3 tests, 3 assertions, 1 failures, 0 errors", Some(3)),
        ("3 tests, 3 failures", None),
        ("x runs, 2 assertions, 0 failures", None),
        ("runs, 2 assertions, ", None),
    ];
    for (line, expected) in table {
        assert_eq!(total(line), expected, "{line}");
    }
}
