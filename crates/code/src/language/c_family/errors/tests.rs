//! What the tools print and how it is read.

use super::*;

#[test]
fn what_compilers_say() {
    let shown = |text: &str| {
        let files = ["src/text.hpp".to_owned(), "src/text.cpp".to_owned()];
        let errors = read(text, OwnedFiles { files: &files, names: &[], present: &[] });
        format!("missing {:?} wrong {:?}", errors.missing, errors.wrong)
    };
    let table = [
        (
            "/w/tests/text_test.cpp:2:10: fatal error: ../src/text.hpp: No such file or directory\n    2 | #include \"../src/text.hpp\"",
            r#"missing ["src/text.hpp"] wrong []"#,
        ),
        (
            "/w/tests/text_test.cpp:1:10: fatal error: gtest/gtest.h: No such file or directory",
            r#"missing [] wrong [Foreign("/w/tests/text_test.cpp:1:10: fatal error: gtest/gtest.h: No such file or directory")]"#,
        ),
        (
            "t.cpp:3:30: error: ‘slug’ was not declared in this scope; did you mean ‘slog’?\nt.cpp:3:40: error: expected ‘;’ before ‘r’",
            r#"missing ["slug"] wrong []"#,
        ),
        ("t.cpp:3:3: error: use of undeclared identifier 'slug'", r#"missing ["slug"] wrong []"#),
        ("t.cpp:3:3: error: ‘struct Page’ has no member named ‘slug’", r#"missing ["slug"] wrong []"#),
        (
            "/usr/bin/ld: t.o: in function `main':\nt.c:(.text+0x5): undefined reference to `slug(int)'",
            r#"missing ["slug"] wrong []"#,
        ),
        (
            "ld.lld: error: undefined symbol: slug(int)\n>>> referenced by t.cpp:3\nclang: error: linker command failed with exit code 1",
            r#"missing ["slug"] wrong []"#,
        ),
        (
            "t.cpp:(.text+0x5): undefined reference to `slug'\ncollect2: error: ld returned 1 exit status",
            r#"missing ["slug"] wrong []"#,
        ),
        (
            "CMake Error at CMakeLists.txt:5 (add_library):\n  Cannot find source file:\n\n    src/text.cpp\n",
            r#"missing ["src/text.cpp"] wrong []"#,
        ),
        (
            "make: *** No rule to make target 'build/test_text', needed by 'test-text'.  Stop.",
            r#"missing ["build/test_text"] wrong []"#,
        ),
        (
            "make: *** No rule to make target 'vendor/lib.a', needed by 'all'.  Stop.",
            r#"missing [] wrong [Foreign("make: *** No rule to make target 'vendor/lib.a', needed by 'all'.  Stop.")]"#,
        ),
        (
            "t.cpp:3:40: error: expected ‘;’ before ‘r’",
            r#"missing [] wrong [Syntax("t.cpp:3:40: error: expected ‘;’ before ‘r’")]"#,
        ),
        (
            "CMake Error at FindPackageHandleStandardArgs.cmake:230 (message):\n  Could NOT find GTest (missing: GTEST_LIBRARY)",
            r#"missing [] wrong [Foreign("Could NOT find GTest (missing: GTEST_LIBRARY)")]"#,
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}
