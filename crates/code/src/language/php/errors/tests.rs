//! What the tools print and how it is read.

use super::*;

#[test]
fn what_php_says() {
    let shown = |text: &str| {
        let files = ["src/Text.php".to_owned()];
        let errors = read(text, OwnedFiles { files: &files, names: &[], present: &[] });
        format!("missing {:?} wrong {:?}", errors.missing, errors.wrong)
    };
    let table = [
        (r#"Error: Class "Shop\Text" not found"#, r#"missing ["Shop\\Text"] wrong []"#),
        (
            r#"Error: Class "Mockery" not found"#,
            r#"missing [] wrong [Foreign("Error: Class \"Mockery\" not found")]"#,
        ),
        (r"Error: Call to undefined method Shop\Text::slug()", r#"missing ["Shop\\Text::slug"] wrong []"#),
        (r"Error: Call to undefined function Shop\slug()", r#"missing ["Shop\\slug"] wrong []"#),
        (
            "PHP Fatal error:  Uncaught Error: Failed opening required '/w/repo/src/Text.php' (include_path='.')",
            r#"missing ["Text.php"] wrong []"#,
        ),
        (
            "PHP Parse error:  syntax error, unexpected token in x.php on line 3",
            r#"missing [] wrong [Syntax("PHP Parse error:  syntax error, unexpected token in x.php on line 3")]"#,
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}
