//! What the tools print and how it is read.

use super::*;
use crate::red::with_owned;

#[test]
fn what_the_compiler_says() {
    let shown = |text: &str| {
        let files = ["core/src/main/java/shop/text/Text.java".to_owned()];
        let errors = read(text, OwnedFiles { files: &files, names: &[], present: &[] });
        format!("missing {:?} wrong {:?}", errors.missing, errors.wrong)
    };
    let table = [
        (
            "[ERROR] /w/src/test/java/shop/TextTest.java:[8,41] cannot find symbol\n[ERROR]   symbol:   variable Text\n[ERROR]   location: class shop.TextTest",
            r#"missing ["Text"] wrong []"#,
        ),
        (
            "/w/src/test/java/shop/TextTest.java:8: error: cannot find symbol\n        Text.slug(\"a\");\n        ^\n  symbol:   variable Text\n  location: class TextTest\n1 error",
            r#"missing ["Text"] wrong []"#,
        ),
        ("[ERROR] /w/X.java:[3,12] package shop.text does not exist", r#"missing ["shop.text"] wrong []"#),
        (
            "[ERROR] /w/X.java:[3,12] package org.mockito does not exist",
            r#"missing [] wrong [Foreign("/w/X.java:[3,12] package org.mockito does not exist")]"#,
        ),
        (
            "[ERROR] /w/X.java:[3,12] ';' expected",
            r#"missing [] wrong [Syntax("/w/X.java:[3,12] ';' expected")]"#,
        ),
        (
            "[ERROR] /w/X.java:[3,12] incompatible types: int cannot be converted to java.lang.String",
            r#"missing [] wrong [Misfit { line: "/w/X.java:[3,12] incompatible types: int cannot be converted to java.lang.String", about: "incompatible types: int cannot be converted to java.lang.String\n" }]"#,
        ),
        (
            "[ERROR] Failed to execute goal on project shop: Could not resolve dependencies for project shop:shop:jar:1",
            r#"missing [] wrong [Foreign("Failed to execute goal on project shop: Could not resolve dependencies for project shop:shop:jar:1")]"#,
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn packages_that_owned_files_provide() {
    let table: [(&[&str], &str, bool); 5] = [
        (&["src/main/java/shop/text/A.java"], "shop.text", true),
        (&["src/main/java/shop/A.java"], "shop.text", false),
        (&["pom.xml"], "org.mockito", true),
        (&["build.gradle.kts"], "org.mockito", true),
        (&["A.java"], "shop", false),
    ];
    for (files, package, expected) in table {
        assert_eq!(with_owned(files, &[], |owned| owned.java_package(package)), expected, "{files:?}");
    }
}
