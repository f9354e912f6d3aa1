//! What each runner is told so that it leaves a structured report beside what it prints anyway.
//!
//! Knows options by name; where a report lies and whether it must be there is the caller's business.

use std::fmt::Write as _;

use super::instrument::quote;
use super::shell::ShellWord;
use crate::report::REPORTER;

/// `xunit1` because it is the family that names the file of a test.
pub(super) fn pytest_options(file: &str) -> String {
    format!("--junitxml={} -o junit_family=xunit1", quote(file))
}

pub(super) fn vitest_options(args: &[ShellWord], file: &str) -> String {
    let own = if has_option(args, "--reporter") { "" } else { "--reporter=default " };
    format!("{own}--reporter=junit --outputFile.junit={}", quote(file))
}

/// Jest names files by absolute path, so the directory it starts in is noted beside its report.
pub(super) fn jest_options(file: &str) -> String {
    format!("--json --outputFile={}$(pwd -P >{})", quote(file), quote(&format!("{file}.root")))
}

pub(super) fn node_options(file: &str) -> String {
    format!("--test-reporter='{}' --test-reporter-destination={}", data_url(REPORTER), quote(file))
}

/// The source as a URL without anything that a shell, `NODE_OPTIONS` or the URL itself would read as its own.
fn data_url(source: &str) -> String {
    let mut url = String::from("data:text/javascript,");
    for byte in source.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.,:;=/()[]{}*+!|&$<>^".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

/// A formatter given by hand takes the place of the usual one, so that is asked for again.
pub(super) fn rspec_options(args: &[ShellWord], file: &str) -> String {
    let own = has_option(args, "--format") || args.iter().any(|arg| arg.text.starts_with("-f"));
    let usual = if own { "" } else { "--format progress " };
    format!("{usual}--format json --out {}", quote(file))
}

pub(super) fn phpunit_options(file: &str) -> String {
    format!("--log-junit {}", quote(file))
}

/// What a test program prints is cut after a kilobyte unless it is asked for; the names of its tests stand in it.
pub(super) fn ctest_options(file: &str) -> String {
    let all = "--test-output-size-passed 4194304 --test-output-size-failed 4194304";
    format!("--output-junit {} {all}", quote(file))
}

/// Maven and Gradle leave a file per class below every module: what to say before and after a call, so that those of
/// this call end up in one.
pub(super) fn collected(file: &str) -> (String, String) {
    let places = ["surefire-reports", "failsafe-reports", "test-results"];
    let paths: Vec<String> = places.iter().map(|dir| format!("-path '*/{dir}/*'")).collect();
    let find = format!(r"find . -name 'TEST-*.xml' \( {} \)", paths.join(" -o "));
    let before = format!("( {find} -delete; code=0; ");
    let strip = "-exec sed 's/<?xml[^>]*?>//' {} +";
    let after = format!(
        " || code=$?; {{ echo '<testsuites>'; {find} {strip}; echo '</testsuites>'; }} >{}; exit $code )",
        quote(file)
    );
    (before, after)
}

/// Whether an option is given, by itself or with a value behind `=`.
pub(super) fn has_option(args: &[ShellWord], name: &str) -> bool {
    args.iter().any(|word| {
        word.text == name || word.text.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reporter_is_a_url_without_special_characters() {
        let url = data_url(REPORTER);
        assert!(!url.contains([' ', '\'', '"', '#', '?', '\\', '\n']));
    }
}
