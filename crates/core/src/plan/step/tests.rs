//! Steps: the template of each mode, and the defaults of a written step.

use serde_json::json;

use super::*;

#[test]
fn each_mode_has_its_steps() {
    let table = [
        (Mode::Tdd, "write_test verify_fail implement verify_pass format commit"),
        (Mode::TestsOnly, "write_test verify_pass format commit"),
        (Mode::Refactor, "verify_pass refactor verify_pass format commit"),
        (Mode::Gate, "verify_pass commit"),
        (Mode::None, "implement verify_pass format commit"),
    ];
    for (mode, expected) in table {
        let names: Vec<&str> = template(mode).iter().map(|s| s.action.as_str()).collect();
        assert_eq!(names.join(" "), expected, "{}", mode.as_str());
    }
}

#[test]
fn a_step_of_a_template_expects_what_its_action_means() {
    let table = [
        (Action::WriteTest, Expect::None),
        (Action::VerifyFail, Expect::ExitCodeNonzero),
        (Action::Implement, Expect::None),
        (Action::VerifyPass, Expect::ExitCode),
        (Action::Refactor, Expect::None),
        (Action::Format, Expect::ExitCode),
        (Action::Commit, Expect::ExitCode),
    ];
    for (action, expected) in table {
        assert_eq!(Step::of(action).verify, expected, "{}", action.as_str());
        assert_eq!(serde_json::to_value(action).unwrap(), action.as_str());
    }
}

#[test]
fn a_written_step_must_exit_with_zero_unless_it_says_otherwise() {
    let table = [
        (json!({"action": "verify_fail"}), Expect::ExitCode),
        (json!({"action": "verify_fail", "verify": "exit_code_nonzero"}), Expect::ExitCodeNonzero),
        (json!({"action": "implement", "verify": "none"}), Expect::None),
        (json!({"action": "implement", "colour": "blue"}), Expect::ExitCode),
    ];
    for (value, expected) in table {
        assert_eq!(serde_json::from_value::<Step>(value.clone()).unwrap().verify, expected, "{value}");
    }
    for bad in [json!({}), json!({"action": "deploy"}), json!({"action": "format", "verify": "maybe"})] {
        assert!(serde_json::from_value::<Step>(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn a_step_is_written_without_what_it_does_not_say() {
    let step = Step { run: Some("pytest -q".into()), ..Step::of(Action::VerifyPass) };
    let json = serde_json::to_value(&step).unwrap();
    assert_eq!(json, json!({"action": "verify_pass", "run": "pytest -q", "verify": "exit_code"}));
}
