//! rspec on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects,
};

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "rspec",
        &[
            "rspec",
            "bundle exec rspec",
            "bin/rspec spec/a_spec.rb",
            "RAILS_ENV=test bundle exec rspec",
            "timeout 9 rspec",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "rspec --dry-run",
        "rspec --init",
        "rspec --version",
        "rspec -v",
        "bundle exec rspec --help",
        "bundle install",
        "bundle exec rubocop",
        "gem install rspec",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &[
            "rspec -e adds",
            "rspec --example 'adds up'",
            "rspec spec/a_spec.rb:12",
            "rspec spec/a_spec.rb:12:30",
        ],
        &["rspec", "rspec spec/a_spec.rb", "rspec --fail-fast"],
    );
}

/// A formatter given by hand replaces the usual one.
#[test]
fn a_second_formatter_writes_the_report() {
    assert_instrumented(&[
        ("rspec", "rspec --format progress --format json --out /r/report-1.json"),
        ("rspec --format doc a", "rspec --format doc a --format json --out /r/report-1.json"),
        ("rspec -fd", "rspec -fd --format json --out /r/report-1.json"),
        ("rspec -f d | cat", "rspec -f d --format json --out /r/report-1.json | cat"),
    ]);
}

#[test]
fn one_file_from_the_directory_of_its_gems() {
    assert_commands(
        &[("gem/Gemfile", ""), ("new/gems.rb", "")],
        &[
            ("gem/spec/a_spec.rb", "cd gem && bundle exec rspec spec/a_spec.rb"),
            ("new/spec/a_spec.rb", "cd new && bundle exec rspec spec/a_spec.rb"),
            ("spec/a_spec.rb", "rspec spec/a_spec.rb"),
        ],
    );
}
