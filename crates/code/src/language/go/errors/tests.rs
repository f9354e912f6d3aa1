//! What the tools print and how it is read.

use super::*;
use crate::red::with_owned;

fn shown(text: &str) -> String {
    let files = ["nosuch/a.go".to_owned()];
    let errors = read(text, OwnedFiles { files: &files, names: &[], present: &[] });
    format!("missing {:?} wrong {:?}", errors.missing, errors.wrong)
}

#[test]
fn what_go_says() {
    let table = [
        (
            "# example.com/lab/miss [example.com/lab/miss.test]\nmiss/miss_test.go:3:31: undefined: Sub\nmiss/miss_test.go:3:67: undefined: calc.Parser\nFAIL\texample.com/lab/miss [build failed]\nFAIL",
            r#"missing ["Sub", "calc.Parser"] wrong []"#,
        ),
        (
            "m_test.go:2:20: cannot find module providing package example.com/lab/nosuch: import lookup disabled by -mod=readonly",
            r#"missing ["example.com/lab/nosuch"] wrong []"#,
        ),
        (
            "m_test.go:4:2: no required module provides package github.com/foo/bar; to add it:\n\tgo get github.com/foo/bar",
            r#"missing [] wrong [Foreign("m_test.go:4:2: no required module provides package github.com/foo/bar; to add it:")]"#,
        ),
        (
            "m_test.go:4:2: package example.com/lab/nosuch is not in std (/go/src/x)",
            r#"missing ["example.com/lab/nosuch"] wrong []"#,
        ),
        (
            "m_test.go:3:30: expected '}', found 'EOF'",
            r#"missing [] wrong [Syntax("m_test.go:3:30: expected '}', found 'EOF'")]"#,
        ),
        ("a_test.go:3:4: p.Go undefined (type P has no field or method Go)", r#"missing ["p.Go"] wrong []"#),
        (
            "a_test.go:3:4: declared and not used: x",
            r#"missing [] wrong [Other("a_test.go:3:4: declared and not used: x")]"#,
        ),
        ("    calc_test.go:4: got 3", "missing [] wrong []"),
        (
            "go build example.com/lab/nosuch: no non-test Go files in /w/nosuch\nFAIL\texample.com/lab/nosuch [build failed]",
            r#"missing ["nosuch/a.go"] wrong []"#,
        ),
        (
            "go build example.com/lab/other: no non-test Go files in /w/other",
            r#"missing [] wrong [Foreign("go build example.com/lab/other: no non-test Go files in /w/other")]"#,
        ),
        (
            "./m.go:449:2: type declarations inside generic functions are not currently supported\nnote: module requires Go 1.20\nFAIL\tx [build failed]",
            r#"missing [] wrong [Foreign("go.mod asks for Go 1.20, and an older Go is installed")]"#,
        ),
        (
            "./m_test.go:4:2: undefined: Sub\nnote: module requires Go 1.20\nFAIL\tx [build failed]",
            r#"missing ["Sub"] wrong []"#,
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn packages_that_owned_files_provide() {
    let table: [(&[&str], &str, bool); 5] = [
        (&["cart/a.go"], "example.com/shop/cart", true),
        (&["cart/a.go"], "example.com/shop/scart", false),
        (&["cart/a.txt"], "example.com/shop/cart", false),
        (&["a.go"], "example.com/shop", false),
        (&["go.mod"], "github.com/x/y", true),
    ];
    for (files, import, expected) in table {
        assert_eq!(with_owned(files, &[], |owned| owned.go_package(import)), expected, "{files:?}");
    }
}
