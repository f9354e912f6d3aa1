//! Gradle on the command line.

use super::super::tests::{assert_commands, assert_runs, assert_runs_no_tests};

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "gradle",
        &[
            "gradle test",
            "./gradlew check",
            "./gradlew build",
            "gradlew :app:test",
            "./gradlew clean test --info",
            "gradle :app:core:test --tests shop.ATest",
            "JAVA_HOME=/jdk ./gradlew test",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "gradle assemble",
        "gradle tasks",
        "gradle testClasses",
        "gradle test --dry-run",
        "gradle -m test",
        "gradle test --help",
        "./gradlew",
    ]);
}

#[test]
fn one_class_of_one_project() {
    assert_commands(
        &[
            ("one/build.gradle", ""),
            ("many/settings.gradle", ""),
            ("many/gradlew", ""),
            ("many/app/core/build.gradle.kts", ""),
            ("both/build.gradle", ""),
            ("both/pom.xml", "<project/>"),
        ],
        &[
            ("one/src/test/java/shop/ATest.java", "cd one && gradle test --tests shop.ATest"),
            ("one/src/test/kotlin/shop/ATest.kt", "cd one && gradle test --tests shop.ATest"),
            ("one/odd/ATest.java", "cd one && gradle test --tests ATest"),
            ("many/app/core/src/test/java/ATest.java", "cd many && ./gradlew :app:core:test --tests ATest"),
            ("both/src/test/java/ATest.java", "cd both && gradle test --tests ATest"),
        ],
    );
}
