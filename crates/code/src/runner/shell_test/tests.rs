//! Tests that are shell scripts.

use super::super::tests::{assert_commands, assert_untouched};

#[test]
fn a_script_is_judged_by_its_exit_code() {
    assert_untouched(&["sh tests/a.sh", "bash -e tests/a.sh", "./tests/a.sh && true"]);
}

/// The first line of the script names its shell; bash runs the others.
#[test]
fn the_shell_of_a_script() {
    assert_commands(
        &[
            ("sh.sh", "#!/bin/sh\n"),
            ("env.sh", "#!/usr/bin/env bash\n"),
            ("dash.sh", "#!/bin/dash\r\n"),
            ("none.sh", "echo\n#!/bin/sh\n"),
            ("empty.sh", ""),
        ],
        &[
            ("sh.sh", "sh sh.sh"),
            ("env.sh", "bash env.sh"),
            ("dash.sh", "sh dash.sh"),
            ("none.sh", "bash none.sh"),
            ("empty.sh", "bash empty.sh"),
            ("new.bash", "bash new.bash"),
            ("a;b.sh", "bash 'a;b.sh'"),
        ],
    );
}
