//! Tests of `src/briefing`.

use super::*;

fn task(inline: bool) -> Task {
    let mut task = Task::default();
    task.test.file = Some("tests/test_a.py".into());
    task.test.inline = inline;
    task
}

fn bounds(mode: Mode, inline: bool, purpose: Purpose) -> (String, String) {
    let owned = vec!["src/a.py".to_owned(), "tests/test_a.py".to_owned()];
    let bounds = Bounds::planned(&task(inline), mode, owned, purpose);
    (bounds.may_change.join(" "), bounds.frozen.join(" "))
}

#[test]
fn a_turn_may_change_what_its_purpose_allows() {
    let (code, test, both) = ("src/a.py", "tests/test_a.py", "src/a.py tests/test_a.py");
    let table = [
        (Mode::Tdd, false, Purpose::WriteTest, test, ""),
        (Mode::Tdd, true, Purpose::WriteTest, both, ""),
        (Mode::Tdd, false, Purpose::Implement, code, test),
        (Mode::Tdd, false, Purpose::Fix, code, test),
        (Mode::Tdd, false, Purpose::Refactor, code, test),
        (Mode::Tdd, true, Purpose::Implement, both, ""),
        (Mode::TestsOnly, false, Purpose::Implement, both, ""),
        (Mode::None, false, Purpose::Fix, both, ""),
    ];
    for (mode, inline, purpose, may_change, frozen) in table {
        let wanted = (may_change.to_owned(), frozen.to_owned());
        assert_eq!(bounds(mode, inline, purpose), wanted, "{mode:?} {inline} {purpose:?}");
    }
}
