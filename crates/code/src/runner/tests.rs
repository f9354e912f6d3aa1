//! Every runner: how it is recognised, the command for one file, and its report. Instrumentation in all its forms is tested
//! in `script`.

use windlass_core::report::Runner;

use super::*;
use crate::detect::{runner_config, test_command};
use crate::repo::MemoryTree;
use crate::report::ReportPlace;
use crate::script::{ShellScript, instrument, selects_by_name};

mod reports;

const RECORDED: [Runner; 18] = [
    Runner::Pytest,
    Runner::CargoTest,
    Runner::Nextest,
    Runner::Vitest,
    Runner::Jest,
    Runner::NodeTest,
    Runner::GoTest,
    Runner::Unittest,
    Runner::Rspec,
    Runner::Minitest,
    Runner::Phpunit,
    Runner::Ctest,
    Runner::Junit,
    Runner::Uvu,
    Runner::Ava,
    Runner::NodeTap,
    Runner::Tape,
    Runner::Tap,
];

#[test]
fn every_recorded_runner_has_a_row_and_every_row_a_name() {
    for runner in RECORDED {
        assert!(!row(runner).name.is_empty(), "{runner:?}");
    }
    let mut names: Vec<&str> = RUNNERS.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RUNNERS.len());
}

#[test]
fn runners_that_build_before_they_run() {
    let built: Vec<Runner> = RECORDED.into_iter().filter(|runner| builds_first(*runner)).collect();
    assert_eq!(
        built,
        [Runner::CargoTest, Runner::Nextest, Runner::GoTest, Runner::Ctest, Runner::Junit, Runner::Tap]
    );
}

/// Every script's last command starts this runner.
pub(super) fn assert_runs(runner: &str, scripts: &[&str]) {
    for script in scripts {
        let parsed = ShellScript::parse(script);
        let found = parsed.commands.last().and_then(runner_call).map(|call| call.row.name);
        assert_eq!(found, Some(runner), "{script}");
    }
}

/// No command of these scripts runs tests.
pub(super) fn assert_runs_no_tests(scripts: &[&str]) {
    for script in scripts {
        let parsed = ShellScript::parse(script);
        let found = parsed.commands.iter().find_map(runner_call).map(|call| call.row.name);
        assert_eq!(found, None, "{script}");
    }
}

/// The first scripts pick tests by name, the others do not.
pub(super) fn assert_selects(single: &[&str], whole: &[&str]) {
    for script in single {
        assert!(selects_by_name(script), "{script}");
    }
    for script in whole {
        assert!(!selects_by_name(script), "{script}");
    }
}

/// Each script and what is run in its place, with reports in `/r`. Node's reporter is shown as `<reporter>`.
pub(super) fn assert_instrumented(table: &[(&str, &str)]) {
    for (script, expected) in table {
        let mut changed = instrument(script, "/r").script;
        while let Some((before, rest)) = changed.split_once("data:text/javascript,") {
            let end = rest.find(['\'', ' ']).unwrap_or(rest.len());
            changed = format!("{before}<reporter>{}", &rest[end..]);
        }
        assert_eq!(changed, *expected, "{script}");
    }
}

/// Scripts that are run as they are: their runner is judged by its exit code, or by TAP.
pub(super) fn assert_untouched(scripts: &[&str]) {
    for script in scripts {
        let run = instrument(script, "/r");
        assert_eq!(run.script, *script);
        assert_eq!(run.expects.len(), 1, "{script}");
        assert_eq!(run.expects[0].place, ReportPlace::Output, "{script}");
    }
}

/// In a tree of these files, each test file and the command that runs it; `none` where there is none.
pub(super) fn assert_commands(files: &[(&str, &str)], table: &[(&str, &str)]) {
    let tree = MemoryTree::new(files.iter().copied());
    for (file, expected) in table {
        let found = test_command(&tree, file).map_or("none".to_owned(), |command| command.script);
        assert_eq!(found, *expected, "{file}");
    }
}

/// A command that runs tests does not with any of the runner's idle options.
#[test]
fn idle_options_run_no_tests() {
    let commands = [
        "pytest tests",
        "python -m unittest",
        "cargo test",
        "cargo nextest run",
        "npx vitest",
        "npx jest",
        "npx mocha",
        "npx uvu",
        "npx ava",
        "npx tap",
        "npx tape",
        "node --test",
        "go test",
        "rspec",
        "ruby test/a_test.rb",
        "phpunit",
        "mvn test",
        "gradle test",
        "ctest",
    ];
    let runs = |script: &str| ShellScript::parse(script).commands.iter().any(|c| runner_call(c).is_some());
    for command in commands {
        let parsed = ShellScript::parse(command);
        let idle = &runner_call(&parsed.commands[0]).unwrap_or_else(|| panic!("{command}")).row.idle;
        let options = [idle.commands, idle.list, idle.build, idle.other].concat();
        assert!(!options.is_empty(), "{command}");
        for option in options {
            assert!(!runs(&format!("{command} {option}")), "{command} {option}");
        }
    }
}

/// Options that pick single tests, and options that look alike and do not.
#[test]
fn single_tests_are_picked() {
    let table = [
        ("pytest", "tests/a.py::test_b", "-k adds"),
        ("pytest", "-m fast", "tests/a.py"),
        ("python -m unittest", "-k adds", "tests.test_a"),
        ("cargo test", "-- --exact adds", "adds"),
        ("cargo nextest run", "-E 'test(a)'", "adds"),
        ("npx vitest run", "-t adds", "src/a.test.ts"),
        ("npx jest", "--testNamePattern=adds", "a.test.js"),
        ("npx mocha", "--grep adds", "test/a.js"),
        ("node --test", "--test-name-pattern='^adds$'", "--test-name-pattern=adds"),
        ("go test", "-run '^TestA$' .", "-run TestA ."),
        ("rspec", "spec/a_spec.rb:12", "spec/a_spec.rb"),
        ("ruby test/a_test.rb", "-n test_adds", "-v"),
        ("phpunit", "--filter 'testAdds$'", "--filter testAdds"),
        ("mvn test", "-Dtest=CartTest#adds", "-Dtest=CartTest"),
    ];
    for (command, single, whole) in table {
        assert!(selects_by_name(&format!("{command} {single}")), "{command} {single}");
        assert!(!selects_by_name(&format!("{command} {whole}")), "{command} {whole}");
    }
}

/// A path that a shell would split reaches the command as one word.
#[test]
fn paths_are_quoted() {
    let tree = MemoryTree::new([
        ("m d/pom.xml", "<project/>"),
        ("g d/build.gradle", ""),
        ("c s/A.csproj", ""),
        ("p d/composer.json", "{}"),
        ("g o/go.mod", ""),
        ("r b/Gemfile", ""),
        ("j s/package.json", r#"{"devDependencies":{"jest":"29"}}"#),
        ("rs/Cargo.toml", "[package]\nname = \"a\"\n"),
        ("rs/src/lib.rs", ""),
    ]);
    let files = [
        "m d/src/test/java/A;B.java",
        "g d/src/test/java/A$B.java",
        "c s/A&B.cs",
        "p d/tests/ATest.php",
        "g o/a b/a_test.go",
        "r b/spec/a b_spec.rb",
        "j s/a b.test.js",
        "rs/src/a b.rs",
        "tests/a b.py",
        "tests/a b.sh",
        "tests/a b.bats",
    ];
    let scripts: Vec<String> =
        files.iter().map(|file| test_command(&tree, file).map_or("none".to_owned(), |c| c.script)).collect();
    insta::assert_snapshot!(scripts.join("\n"), @"
    cd 'm d' && mvn -q '-Dtest=A;B' test
    cd 'g d' && gradle test --tests 'A$B'
    dotnet test 'c s/A.csproj' --filter FullyQualifiedName~'A&B' -- RunConfiguration.TreatNoTestsAsError=true
    cd 'p d' && vendor/bin/phpunit tests/ATest.php
    cd 'g o' && go test './a b'
    cd 'r b' && bundle exec rspec 'spec/a b_spec.rb'
    cd 'j s' && npx --no-install jest 'a b.test.js'
    cd rs && cargo test --lib 'a b::'
    python3 -m pytest 'tests/a b.py'
    bash 'tests/a b.sh'
    bats --tap 'tests/a b.bats'
    ");
}

#[test]
fn runners_are_seen_through_their_wrappers() {
    let table = [
        ("pytest tests/x.py", Some("pytest")),
        (".venv/bin/pytest -q", Some("pytest")),
        ("python -m pytest x", Some("pytest")),
        ("python3.11 -u -m pytest x", Some("pytest")),
        ("PYTHONPATH=src timeout 60 uv run --with pytest-xdist pytest -n 2", Some("pytest")),
        ("uv run python -m pytest", Some("pytest")),
        ("poetry run pytest", Some("pytest")),
        ("python -m coverage run --source src -m pytest x", Some("pytest")),
        ("pytest --collect-only", None),
        ("python -m pytest --markers", None),
        ("python -m unittest", Some("unittest")),
        ("uv run --frozen python -m unittest -v tests/test_a.py", Some("unittest")),
        ("bundle exec rspec spec/a_spec.rb", Some("rspec")),
        ("rspec --dry-run", None),
        ("bundle exec ruby -Ilib -Itest test/a_test.rb", Some("minitest")),
        ("ruby -I lib test/test_a.rb", Some("minitest")),
        ("ruby tools/build.rb", None),
        ("bin/rails test test/models/a_test.rb", Some("minitest")),
        ("vendor/bin/phpunit tests/ATest.php", Some("phpunit")),
        ("php -d memory_limit=-1 vendor/bin/pest", Some("phpunit")),
        ("php tools/x.php", None),
        ("./mvnw -q -pl core -am -Dtest=ATest test", Some("mvn")),
        ("mvn -q compile", None),
        ("mvn -DskipTests package", None),
        ("./gradlew :app:test --tests shop.ATest", Some("gradle")),
        ("gradle assemble", None),
        ("ctest --test-dir build -R a_test", Some("ctest")),
        ("ctest -N", None),
        ("python -c 'import pytest'", None),
        ("cargo test -q", Some("cargo test")),
        ("cargo +nightly --offline t --lib", Some("cargo test")),
        ("cargo test --no-run", None),
        ("cargo nextest run -p x", Some("cargo nextest")),
        ("cargo nextest list", None),
        ("cargo build", None),
        ("npx --yes vitest run a.test.ts", Some("vitest")),
        ("pnpm vitest run", Some("vitest")),
        ("yarn jest", Some("jest")),
        ("npm exec -- jest x", Some("jest")),
        ("node_modules/.bin/mocha", Some("mocha")),
        ("node --test", Some("node --test")),
        ("node --import tsx --test a.ts", Some("node --test")),
        ("node src/a.test.js", Some("node --test")),
        ("node src/main.js", None),
        ("node node_modules/.bin/jest a.js", Some("jest")),
        ("node --experimental-vm-modules node_modules/jest/bin/jest.js", Some("jest")),
        ("node node_modules/mocha/bin/_mocha test", Some("mocha")),
        ("node ./node_modules/vitest/vitest.mjs run", Some("vitest")),
        ("node node_modules/typescript/bin/tsc", None),
        ("nyc -r lcov --lines 90 mocha test", Some("mocha")),
        ("coverage run -m pytest tests", Some("pytest")),
        ("coverage run --branch --source x -m unittest discover", Some("unittest")),
        ("coverage run setup.py", None),
        ("coverage report -m", None),
        ("go -C api test ./...", Some("go test")),
        ("go -C api vet", None),
        ("go test ./...", Some("go test")),
        ("go vet ./...", None),
        ("env -u X CI=1 nice -n 5 go test", Some("go test")),
        ("timeout", None),
    ];
    for (script, expected) in table {
        let parsed = ShellScript::parse(script);
        let found = parsed.commands.first().and_then(runner_call).map(|call| call.row.name);
        assert_eq!(found, expected, "{script}");
    }
}

#[test]
fn build_tools_run_one_file() {
    let tree = MemoryTree::new([
        ("mono/pom.xml", "<project><modules><module>core</module></modules></project>"),
        ("mono/mvnw", ""),
        ("mono/core/pom.xml", "<project/>"),
        ("solo/pom.xml", "<project/>"),
        ("g/settings.gradle.kts", ""),
        ("g/gradlew", ""),
        ("g/app/build.gradle.kts", ""),
        ("g1/build.gradle", ""),
        ("cs/App.Tests/App.Tests.csproj", ""),
        ("cpp/CMakeLists.txt", ""),
        ("cpp/tests/CMakeLists.txt", ""),
        ("c/Makefile", "all: x\n\techo\ntest-cart: x\n\t./t\ntest: x\n\t./all\n"),
        ("c2/Makefile", "test:\n\t./all\n"),
        ("c2/test/a.c", ""),
        ("cpp2/CMakeLists.txt", "add_test(\n  NAME unit.page_test COMMAND x)\n"),
        ("cpp2/tests/page_test.cpp", ""),
        ("cpp3/CMakeLists.txt", "gtest_discover_tests(all)\n"),
        ("cpp4/CMakeLists.txt", "catch_discover_tests(all)\n"),
        ("solo2/pom.xml", "<project/>"),
        ("solo2/src/test/java/a/CartTest.java", ""),
        ("plain/phpunit.xml", ""),
        ("phar/tools/phpunit.phar", ""),
        ("phar/composer.json", "{}"),
        ("php/composer.json", "{}"),
        ("pest/composer.json", r#"{"require-dev":{"pestphp/pest":"2"}}"#),
        ("rb/Gemfile", ""),
        ("rails/Gemfile", ""),
        ("rails/bin/rails", ""),
    ]);
    let files = [
        "mono/core/src/test/java/shop/CartTest.java",
        "solo/src/test/java/CartTest.java",
        "g/app/src/test/kotlin/shop/CartTest.kt",
        "g1/src/test/java/shop/CartTest.java",
        "loose/CartTest.java",
        "cs/App.Tests/Cart/CartTests.cs",
        "cpp/tests/cart_test.cpp",
        "cpp2/tests/cart_test.cpp",
        "cpp3/tests/http_client_test.cpp",
        "cpp4/tests/cart_test.cpp",
        "solo2/src/test/java/b/CartTest.java",
        "plain/tests/CartTest.php",
        "phar/tests/CartTest.php",
        "c/tests/cart.c",
        "c/tests/test_cart.c",
        "c/tests/other.c",
        "c2/test/a.c",
        "plain/tests/other.c",
        "php/tests/CartTest.php",
        "pest/tests/CartTest.php",
        "rb/spec/cart_spec.rb",
        "rb/test/cart_test.rb",
        "rails/test/models/cart_test.rb",
    ];
    let all: String = files
        .iter()
        .map(|file| match test_command(&tree, file) {
            Some(found) => format!("{file}: {} ({})\n", found.script, found.why),
            None => format!("{file}: none\n"),
        })
        .collect();
    insta::assert_snapshot!(all, @"
    mono/core/src/test/java/shop/CartTest.java: cd mono && ./mvnw -q -pl core -am -Dtest=CartTest -Dsurefire.failIfNoSpecifiedTests=false test (mono/core/pom.xml)
    solo/src/test/java/CartTest.java: cd solo && mvn -q -Dtest=CartTest test (solo/pom.xml)
    g/app/src/test/kotlin/shop/CartTest.kt: cd g && ./gradlew :app:test --tests shop.CartTest (g/app/build.gradle.kts)
    g1/src/test/java/shop/CartTest.java: cd g1 && gradle test --tests shop.CartTest (g1/build.gradle)
    loose/CartTest.java: none
    cs/App.Tests/Cart/CartTests.cs: dotnet test cs/App.Tests/App.Tests.csproj --filter FullyQualifiedName~CartTests -- RunConfiguration.TreatNoTestsAsError=true (cs/App.Tests/App.Tests.csproj)
    cpp/tests/cart_test.cpp: cd cpp && cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^cart_test$' --no-tests=error --output-on-failure (cpp/CMakeLists.txt)
    cpp2/tests/cart_test.cpp: cd cpp2 && cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^unit.cart_test$' --no-tests=error --output-on-failure (cpp2/CMakeLists.txt)
    cpp3/tests/http_client_test.cpp: cd cpp3 && cmake -S . -B build && cmake --build build && ctest --test-dir build -R '(^|[./])HttpClient(Tests?)?[./]' --no-tests=error --output-on-failure (cpp3/CMakeLists.txt)
    cpp4/tests/cart_test.cpp: cd cpp4 && cmake -S . -B build && cmake --build build && ctest --test-dir build --no-tests=error --output-on-failure (cpp4/CMakeLists.txt)
    solo2/src/test/java/b/CartTest.java: cd solo2 && mvn -q -Dtest=b/CartTest test (solo2/pom.xml)
    plain/tests/CartTest.php: cd plain && phpunit tests/CartTest.php (plain/phpunit.xml)
    phar/tests/CartTest.php: cd phar && php tools/phpunit.phar tests/CartTest.php (phar/composer.json)
    c/tests/cart.c: cd c && make test-cart (c/Makefile)
    c/tests/test_cart.c: cd c && make test-cart (c/Makefile)
    c/tests/other.c: cd c && make test (c/Makefile)
    c2/test/a.c: cd c2 && make -B test (c2/Makefile)
    plain/tests/other.c: none
    php/tests/CartTest.php: cd php && vendor/bin/phpunit tests/CartTest.php (php/composer.json)
    pest/tests/CartTest.php: cd pest && vendor/bin/pest tests/CartTest.php (pest/composer.json)
    rb/spec/cart_spec.rb: cd rb && bundle exec rspec spec/cart_spec.rb (rb/Gemfile)
    rb/test/cart_test.rb: cd rb && bundle exec ruby -Ilib -Itest test/cart_test.rb (rb/Gemfile)
    rails/test/models/cart_test.rb: cd rails && bin/rails test test/models/cart_test.rb (rails/Gemfile)
    ");
}

/// The configuration of a runner may not be changed by a task that does not own it.
#[test]
fn configurations_of_runners_are_guarded() {
    for name in RUNNERS.iter().flat_map(|row| row.detect.configs) {
        assert!(runner_config(name), "{name}");
        assert!(runner_config(&format!("web/{name}")), "{name}");
    }
}
