//! What the tools print and how it is read.

use super::*;

#[test]
fn what_ruby_says() {
    let shown = |text: &str| {
        let files = ["lib/shop/text.rb".to_owned()];
        let errors = read(text, OwnedFiles { files: &files, names: &[], present: &[] });
        format!("missing {:?} wrong {:?}", errors.missing, errors.wrong)
    };
    let table = [
        ("LoadError:\n  cannot load such file -- /w/repo/lib/shop/text", r#"missing ["text"] wrong []"#),
        (
            "test/x_test.rb:2:in `require': cannot load such file -- shop/text (LoadError)",
            r#"missing ["text"] wrong []"#,
        ),
        (
            "cannot load such file -- nokogiri",
            r#"missing [] wrong [Foreign("cannot load such file -- nokogiri")]"#,
        ),
        ("NameError:\n  uninitialized constant Shop::Text", r#"missing ["Shop::Text"] wrong []"#),
        ("NoMethodError: undefined method `slug' for #<X>", r#"missing ["slug"] wrong []"#),
        ("undefined local variable or method 'cart' for main:Object", r#"missing ["cart"] wrong []"#),
        (
            "spec/x_spec.rb:3: syntax error, unexpected end",
            r#"missing [] wrong [Syntax("spec/x_spec.rb:3: syntax error, unexpected end")]"#,
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}
