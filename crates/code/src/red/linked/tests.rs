//! Tests of `linked`.

use super::*;

fn criterion(id: &str) -> Criterion {
    Criterion { id: id.into(), text: format!("what {id} says"), ..Criterion::default() }
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn tests_are_linked_by_plan_answer_and_name_and_nothing_is_guessed() {
    let text = "def test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_ac_3_empty():\n    assert total([]) == 0\n\n\n\
                def test_other():\n    assert total([5]) == 5\n";
    let known = strings(&[
        "tests/test_a.py::test_total",
        "tests/test_a.py::test_ac_3_empty",
        "tests/test_a.py::test_other",
    ]);
    let criteria = [
        Criterion { assertion: Some("total([1,2])  == 3".into()), ..criterion("AC-1") },
        criterion("AC-2"),
        criterion("AC-3"),
        Criterion { tests: strings(&["test_other", "test_gone"]), ..criterion("AC-4") },
        criterion("AC-30"),
    ];
    let answer = BTreeMap::from([("AC-2".to_owned(), strings(&["test_total", "test_invented"]))]);
    let files = [("tests/test_a.py".to_owned(), text.as_bytes().to_vec())];
    let found = linked(&LinkInput { criteria: &criteria, known: &known, files: &files, answer: &answer });
    let shown: Vec<String> = found
        .links
        .iter()
        .map(|l| {
            format!(
                "{} [{}] by {}",
                l.criterion,
                l.tests.join(" ").replace("tests/test_a.py::", ""),
                l.by.as_str()
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "AC-1 [test_total] by the plan",
            "AC-2 [test_total] by the test-writer's answer",
            "AC-3 [test_ac_3_empty] by the test's name",
            "AC-4 [test_other] by the plan",
        ]
    );
    assert_eq!(found.untested, ["AC-30"]);
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(found.unknown, [pair("AC-2", "test_invented"), pair("AC-4", "test_gone")]);
}

#[test]
fn a_criterion_stated_by_an_example_is_linked_to_the_test_with_that_example() {
    let text = "def test_one():\n    assert slug('Hello World') == 'hello-world'\n\n\ndef test_two():\n    with \
                pytest.raises(TypeError):\n        slug(None)\n";
    let said = |id: &str, text: &str| Criterion { text: text.into(), ..criterion(id) };
    let criteria = [
        said("AC-1", "`slug(\"Hello World\")` returns `\"hello-world\"`"),
        said("AC-2", "`slug(None)` raises `TypeError`"),
        said("AC-3", "`slug(\"A\")` returns `\"a\"`"),
        said("AC-4", "`slug(None)` is refused"),
    ];
    let files = [("test_a.py".to_owned(), text.as_bytes().to_vec())];
    let known = strings(&["test_a.py::test_one", "test_a.py::test_two"]);
    let none = BTreeMap::new();
    let found = linked(&LinkInput { criteria: &criteria, known: &known, files: &files, answer: &none });
    let shown: Vec<&str> = found.links.iter().map(|l| l.tests[0].as_str()).collect();
    assert_eq!(shown, ["test_a.py::test_one", "test_a.py::test_two"]);
    assert_eq!(found.untested, ["AC-3", "AC-4"], "another example; a call without what it gives");
}

#[test]
fn all_tests_of_a_task_stand_for_its_only_criterion() {
    let known = strings(&["a.py::test_one", "a.py::test_two"]);
    let none = BTreeMap::new();
    let found = linked(&LinkInput { criteria: &[criterion("#1")], known: &known, files: &[], answer: &none });
    assert_eq!((found.links[0].tests.len(), found.links[0].by), (2, LinkSource::OnlyCriterion));
    let two = [criterion("#1"), criterion("#2")];
    let found = linked(&LinkInput { criteria: &two, known: &known, files: &[], answer: &none });
    assert_eq!((found.links.len(), found.untested.len()), (0, 2), "two criteria: nothing is said");
    let found = linked(&LinkInput { criteria: &[criterion("AC-1")], known: &[], files: &[], answer: &none });
    assert_eq!(found.untested, ["AC-1"], "no test is known by name");
}

#[test]
fn a_test_names_a_criterion_by_its_parts() {
    assert!(names("tests/a.py::test_ac_1_prints", "AC-1"));
    assert!(names("src/a.test.ts > AC-001: prints", "AC-1"));
    assert!(names("TestAC1Prints", "AC-1"));
    assert!(names("a::us2_ac1_prints", "US2.AC1"));
    assert!(!names("tests/a.py::test_ac_12_prints", "AC-1"));
    assert!(!names("tests/a.py::test_1", "1"), "a number alone");
    assert!(!names("anything", ""));
}

/// By an agent's word a test stands for no more criteria than it asserts things; what the plan says counts as it is.
#[test]
fn a_test_with_one_assertion_does_not_stand_for_three_criteria() {
    let text = "def test_adds():\n    assert total([1, 2]) == 3\n\n\ndef test_page():\n    assert page() == 'one two three'\n";
    let known = strings(&["tests/test_a.py::test_adds", "tests/test_a.py::test_page"]);
    let criteria = [criterion("AC-1"), criterion("AC-2"), criterion("AC-3")];
    let files = [("tests/test_a.py".to_owned(), text.as_bytes().to_vec())];
    let by = |test: &str| {
        let answer = criteria.iter().map(|one| (one.id.clone(), strings(&[test]))).collect();
        linked(&LinkInput { criteria: &criteria, known: &known, files: &files, answer: &answer })
    };
    let adds = by("test_adds");
    assert_eq!(adds.untested, ["AC-2", "AC-3"]);
    assert_eq!(adds.overclaimed, [(known[0].clone(), strings(&["AC-2", "AC-3"]))]);
    assert_eq!(adds.links.len(), 1);
    assert_eq!((by("test_page").links.len(), by("test_page").overclaimed), (3, Vec::new()));
    let planned = criteria.clone().map(|one| Criterion { tests: strings(&["test_adds"]), ..one });
    let answer = BTreeMap::new();
    let found = linked(&LinkInput { criteria: &planned, known: &known, files: &files, answer: &answer });
    assert_eq!(found.links.len(), 3);
}
