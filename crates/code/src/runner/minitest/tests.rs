//! minitest and test-unit on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects, assert_untouched,
};

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "minitest",
        &[
            "ruby test/a_test.rb",
            "ruby -Itest test/test_a.rb",
            "ruby -I lib -r ./x test/a_test.rb",
            "bundle exec ruby -Ilib test/a_test.rb",
            "rails test",
            "bin/rails test test/models",
            "bundle exec rails test",
            "RAILS_ENV=test bin/rails test",
        ],
    );
}

/// A file that is not named like a test may be anything.
#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "ruby lib/a.rb",
        "ruby test/helper.rb",
        "ruby -e 'puts :test_a'",
        "ruby $FILE",
        "ruby test/a_test.py",
        "ruby",
        "rails server",
        "rails test --help",
        "rails test:prepare",
        "rake test",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["ruby test/a_test.rb -n test_adds", "rails test --name=test_adds"],
        &["ruby test/a_test.rb", "rails test test/models/a_test.rb", "rails test -v"],
    );
}

#[test]
fn names_are_printed_and_copied() {
    assert_instrumented(&[
        ("ruby test/a_test.rb", "( set -o pipefail; ruby test/a_test.rb -v 2>&1 | tee /r/report-1.txt )"),
        ("rails test", "( set -o pipefail; rails test -v 2>&1 | tee /r/report-1.txt )"),
        ("rails test --verbose", "( set -o pipefail; rails test --verbose 2>&1 | tee /r/report-1.txt )"),
        ("rails test -v | cat", "( set -o pipefail; rails test -v | tee -p /r/report-1.txt ) | cat"),
        ("rails test >/dev/null", "rails test -v >/r/report-1.txt"),
    ]);
    assert_untouched(&["rails test > out.txt", "ruby lib/a.rb"]);
}

#[test]
fn one_file() {
    assert_commands(
        &[("gem/Gemfile", ""), ("app/Gemfile", ""), ("app/bin/rails", "")],
        &[
            ("test/a_test.rb", "ruby -Ilib -Itest test/a_test.rb"),
            ("gem/test/test_a.rb", "cd gem && bundle exec ruby -Ilib -Itest test/test_a.rb"),
            ("app/test/a_test.rb", "cd app && bin/rails test test/a_test.rb"),
            ("app/spec/a_spec.rb", "cd app && bundle exec rspec spec/a_spec.rb"),
        ],
    );
}
