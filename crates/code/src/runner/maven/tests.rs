//! Maven on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects,
};
use super::*;
use crate::script::ShellScript;

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "mvn",
        &[
            "mvn test",
            "mvn -q verify",
            "./mvnw package",
            "mvnd install",
            "mvn -pl core -am test",
            "mvn surefire:test",
            "mvn clean integration-test",
            "MAVEN_OPTS=-Xmx1g mvn -B test",
            "mvn -DskipTests=false test",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "mvn compile",
        "mvn test-compile",
        "mvn -DskipTests package",
        "mvn -DskipTests=true verify",
        "mvn -Dmaven.test.skip install",
        "mvn -Dmaven.test.skip=true install",
        "mvn -h test",
        "mvn --help test",
        "mvn dependency:tree",
        "mvn",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["mvn -Dtest=CartTest#adds test", "mvn test '-Dtest=CartTest#adds*'"],
        &["mvn test", "mvn -Dtest=CartTest test", "mvn -Dtest='Cart*' test"],
    );
}

/// Old reports are deleted first, the new ones are collected in one file, and the exit code stays.
#[test]
fn reports_of_all_modules_are_collected() {
    let find = r"find . -name 'TEST-*.xml' \( -path '*/surefire-reports/*' -o -path '*/failsafe-reports/*' -o -path '*/test-results/*' \)";
    let strip = "-exec sed 's/<?xml[^>]*?>//' {} +";
    let collect =
        |file: &str| format!("{{ echo '<testsuites>'; {find} {strip}; echo '</testsuites>'; }} >{file}");
    let wrapped = |command: &str| {
        format!(
            "( {find} -delete; code=0; {command} || code=$?; {}; exit $code )",
            collect("/r/report-1.xml")
        )
    };
    assert_instrumented(&[
        ("mvn test", &wrapped("mvn test")),
        ("cd a && ./mvnw -q verify >x", &format!("cd a && {}", wrapped("./mvnw -q verify >x"))),
        ("./gradlew test", &wrapped("./gradlew test")),
        ("mvn compile", "mvn compile"),
    ]);
}

#[test]
fn goals_with_and_without_a_project() {
    let table = [
        ("mvn test", true),
        ("mvn :core:test", true),
        ("mvn :test", true),
        ("mvn core:test", false),
        ("mvn testing", false),
        ("mvn", false),
    ];
    for (script, expected) in table {
        let words = &ShellScript::parse(script).commands[0].words;
        assert_eq!(runs_goal(words, 0, &["test"]), expected, "{script}");
    }
}

#[test]
fn one_class() {
    assert_commands(
        &[
            ("pom.xml", "<project><modules><module>a</module></modules></project>"),
            ("a/pom.xml", "<project/>"),
            ("a/src/test/java/x/OneTest.java", ""),
            ("a/src/test/java/y/OneTest.java", ""),
            ("alone/pom.xml", "<project/>"),
            ("alone/mvnw", ""),
        ],
        &[
            (
                "a/src/test/java/x/NewTest.java",
                "mvn -q -pl a -am -Dtest=NewTest -Dsurefire.failIfNoSpecifiedTests=false test",
            ),
            (
                "a/src/test/java/x/OneTest.java",
                "mvn -q -pl a -am -Dtest=x/OneTest -Dsurefire.failIfNoSpecifiedTests=false test",
            ),
            (
                "a/src/test/java/x/Odd$Test.java",
                "mvn -q -pl a -am '-Dtest=Odd$Test' -Dsurefire.failIfNoSpecifiedTests=false test",
            ),
        ],
    );
    assert_commands(
        &[("alone/pom.xml", "<project/>"), ("alone/mvnw", "")],
        &[("alone/src/test/java/ATest.java", "cd alone && ./mvnw -q -Dtest=ATest test")],
    );
}
