//! PHPUnit and Pest on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects,
};

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "phpunit",
        &[
            "phpunit",
            "vendor/bin/phpunit",
            "php vendor/bin/phpunit",
            "php -d memory_limit=-1 phpunit.phar tests",
            "./vendor/bin/pest",
            "vendor/bin/simple-phpunit",
            "XDEBUG_MODE=off vendor/bin/phpunit --testdox",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "phpunit --list-tests",
        "phpunit --list-suites",
        "phpunit --version",
        "phpunit --check-version",
        "vendor/bin/pest --help",
        "php tools/x.php",
        "php -v",
        "php",
        "composer test",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["phpunit --filter 'testAdds$'", "phpunit --filter='/::testAdds$/'"],
        &["phpunit", "phpunit --filter testAdds", "phpunit tests/ATest.php", "phpunit --testsuite unit"],
    );
}

#[test]
fn a_log_is_asked_for() {
    assert_instrumented(&[
        ("vendor/bin/phpunit", "vendor/bin/phpunit --log-junit /r/report-1.xml"),
        ("php phpunit.phar tests >x", "php phpunit.phar tests --log-junit /r/report-1.xml >x"),
        ("cd a && vendor/bin/pest", "cd a && vendor/bin/pest --log-junit /r/report-1.xml"),
    ]);
}

#[test]
fn one_file_with_the_program_that_is_installed() {
    assert_commands(
        &[
            ("plain/composer.json", r#"{"require-dev":{"phpunit/phpunit":"10"}}"#),
            ("pest/composer.json", r#"{"require":{"pestphp/pest":"2"}}"#),
            ("sym/composer.json", r#"{"require-dev":{"symfony/phpunit-bridge":"6"}}"#),
            ("two/composer.json", r#"{"require-dev":{"symfony/phpunit-bridge":"6","phpunit/phpunit":"10"}}"#),
            ("tool/composer.json", "{}"),
            ("tool/tools/phpunit", ""),
            ("phar/phpunit.xml", ""),
            ("phar/phpunit.phar", ""),
            ("broken/composer.json", "{"),
        ],
        &[
            ("plain/tests/ATest.php", "cd plain && vendor/bin/phpunit tests/ATest.php"),
            ("pest/tests/ATest.php", "cd pest && vendor/bin/pest tests/ATest.php"),
            ("sym/tests/ATest.php", "cd sym && vendor/bin/simple-phpunit tests/ATest.php"),
            ("two/tests/ATest.php", "cd two && vendor/bin/phpunit tests/ATest.php"),
            ("tool/tests/ATest.php", "cd tool && tools/phpunit tests/ATest.php"),
            ("phar/tests/ATest.php", "cd phar && php phpunit.phar tests/ATest.php"),
            ("broken/tests/ATest.php", "cd broken && phpunit tests/ATest.php"),
            ("tests/ATest.php", "phpunit tests/ATest.php"),
        ],
    );
}
