//! Orders in drawings, lists of levels and charts: text → pairs of tasks.

use super::names::TaskNames;
use super::{TaskPair, arrows, levels, mermaid, pairs_in_sentence};

/// T-001 to T-006 are known.
fn names() -> TaskNames {
    let ids: Vec<String> = (1..=6).map(|n| format!("T-00{n}")).collect();
    TaskNames::from_ids(ids.iter())
}

/// `1>2` for T-001 before T-002.
fn shown(mut pairs: Vec<TaskPair>) -> String {
    pairs.sort();
    let short = |id: &str| id.trim_start_matches("T-").trim_start_matches('0').to_owned();
    pairs.iter().map(|(b, a)| format!("{}>{}", short(b), short(a))).collect::<Vec<_>>().join(" ")
}

fn in_drawing(text: &str) -> String {
    shown(arrows::task_pairs(text, &mut names()))
}

#[test]
fn arrows_are_followed() {
    let table = [
        (
            "three lines join",
            "
T-001 (quick) ──┐
T-002 (wiki)  ──┼──► T-004 (push) ──► T-005
T-003 (deep)  ──┘
",
            "1>4 2>4 3>4 4>5",
        ),
        (
            "a line forks",
            "
T-001 ──┬──▶ T-002
        │
        └──▶ T-003
",
            "1>2 1>3",
        ),
        (
            "downwards",
            "
T-001 (a)
    │
    ▼
T-002 (b)
",
            "1>2",
        ),
        (
            "an arrow without a line",
            "
T-001
  ▼
T-002
",
            "1>2",
        ),
        (
            "upwards",
            "
T-001
  ▲
  │
T-002
",
            "2>1",
        ),
        (
            "to the left",
            "
T-001 ◀── T-002
",
            "2>1",
        ),
        (
            "dashes, equals signs and single characters",
            "
T-001 --> T-002 => T-003
  |
  v
T-004
",
            "1>2 1>4 2>3",
        ),
        (
            "dashes before a corner",
            "
T-001 ---┐
         └--> T-002
",
            "1>2",
        ),
        (
            "mixed arrows",
            "
T-001 ─> T-002
",
            "1>2",
        ),
        (
            "one column off",
            "
T-001
   │
  │
  ▼
T-002
",
            "1>2",
        ),
        (
            "the remark of an arrow names no task",
            "
L3: T-001 → T-002  [in order]
",
            "1>2",
        ),
        (
            "two tasks in one text",
            "
T-001, T-002 ──▶ T-003
",
            "1>3 2>3",
        ),
        (
            "a line without a head",
            "
T-001 ── T-002
",
            "",
        ),
        (
            "a far text",
            "
T-001               ──▶ T-002
",
            "",
        ),
        (
            "no line at all",
            "
T-001
T-002
",
            "",
        ),
        (
            "an id with dashes is not an arrow",
            "
T-001-old T-002
",
            "",
        ),
    ];
    for (name, text, expected) in table {
        assert_eq!(in_drawing(text), expected, "{name}");
    }
}

#[test]
fn every_shape_of_line_is_known() {
    let boxes = [
        ("┌┐└┘", "T-001 ─┐\n       └─▶ T-002"),
        ("╭╮╰╯", "T-001 ─╮\n       ╰─► T-002"),
        ("┏┓┗┛", "T-001 ━┓\n       ┗━▷ T-002"),
        ("├", "T-001\n │\n ├─▶ T-002"),
        ("┣", "T-001\n ┃\n ┣━▶ T-002"),
        ("┬", "T-001 ─┬─▶ T-002"),
        ("┴", "T-001 ─┴─▶ T-002"),
        ("┳", "T-001 ━┳━▶ T-002"),
        ("┻", "T-001 ━┻━▶ T-002"),
        ("┼", "T-001 ─┼─▶ T-002"),
        ("╋", "T-001 ━╋━▶ T-002"),
        ("double", "T-001 ══▶ T-002"),
        ("dashed", "T-001 ╌┄▶ T-002"),
        ("║", "T-001\n  ║\n  ▽\nT-002"),
        ("╎", "T-001\n  ╎\n  ↓\nT-002"),
        ("┆", "T-001\n  ┆\n  ▼\nT-002"),
        ("┌", "T-002 ◄─┐\n        │\n      T-001"),
        ("┘", "      T-001\n        │\nT-002 ←─┘"),
        ("┤", "      T-001\n        │\nT-002 ◀─┤"),
        ("┫", "      T-001\n        ┃\nT-002 ◀━┫"),
        ("↑", "T-002\n  ↑\n  │\nT-001"),
    ];
    for (name, text) in boxes {
        assert_eq!(in_drawing(text), "1>2", "{name}");
    }
}

#[test]
fn levels_wait_for_each_other() {
    let table = [
        (
            "a level waits for the one above it",
            "
Level 1 (parallel):
  T-001: One
  T-002: Two
Level 2:
  T-003: Three
",
            "1>3 2>3",
            "",
        ),
        (
            "a heading names what it waits for",
            "
Level 1:
  T-001: One
  T-002: Two
Level 2 (depends on T-002):
  T-003: Three
",
            "2>3",
            "",
        ),
        (
            "a level without dependencies",
            "
Level 1:
  T-001: One
Level 2 (no hard dependency):
  T-002: Two
",
            "",
            "T-002",
        ),
        (
            "a level that waits for all levels",
            "
LEVEL 1: T-001
LEVEL 2: T-002
LEVEL 3 (after all):
  T-003
",
            "1>2 1>3 2>3",
            "",
        ),
        (
            "short headings, phases and waves",
            "
L0: T-001 + T-002  [parallel]
Phase 1: T-003
Wave 2: T-004
",
            "1>3 2>3 3>4",
            "",
        ),
        (
            "a task names what it waits for",
            "
Level 1:
│ T-001: One
├ T-002: Two
Level 2:
└─ T-003: Three (needs T-001)
   T-004: Four
",
            "1>3 1>4 2>4",
            "",
        ),
        (
            "an id in a title is not listed",
            "
Level 1:
  T-001: One
Level 2:
  T-002: Delete the old one (T-001)
",
            "1>2",
            "",
        ),
        (
            "lines outside of levels",
            "
T-001
T-002
",
            "",
            "",
        ),
        (
            "a word that begins with L",
            "
Large: T-001
Later: T-002
",
            "",
            "",
        ),
    ];
    for (name, text, expected, free) in table {
        let mut names = names();
        assert_eq!(shown(levels::task_pairs(text, &mut names, &[])), expected, "{name}");
        assert_eq!(names.free.join(" "), free, "{name}");
    }
}

#[test]
fn arrows_overrule_levels() {
    let drawn = [("T-001".to_owned(), "T-003".to_owned())];
    let text = "Level 1: T-001 + T-002\nLevel 2: T-003 + T-004\n";
    assert_eq!(shown(levels::task_pairs(text, &mut names(), &drawn)), "1>4 2>4");
}

#[test]
fn titles_are_found_on_the_way() {
    let titles = |names: TaskNames| -> Vec<String> {
        names.titles.iter().map(|(id, title)| format!("{id} {title}")).collect()
    };
    let mut by_level = names();
    levels::task_pairs("Level 1:\n  T-001: One → two\n  T-002: 2\n", &mut by_level, &[]);
    assert_eq!(titles(by_level), ["T-001 One"]);
    let mut by_arrow = names();
    arrows::task_pairs("T-001 (a) --> T-002: b\n", &mut by_arrow);
    assert_eq!(titles(by_arrow), ["T-001 a", "T-002 b"]);
}

#[test]
fn charts_give_orders() {
    let table = [
        ("labels name tasks", "graph TD\n  A[T-001: Schema] --> B[\"T-002: Model\"]\n", "1>2"),
        ("nodes name tasks", "flowchart LR\n  T-001 --> T-002(Model);\n", "1>2"),
        ("groups", "graph TD\n  T-001 & T-002 --> T-003{Check}\n", "1>3 2>3"),
        ("chains", "graph TD\n  T-001 --> T-002 --> T-003\n", "1>2 2>3"),
        ("labels of arrows", "graph TD\n  T-001 -->|then| T-002\n", "1>2"),
        ("thick and dotted arrows", "graph TD\n  T-001 ==> T-002 -.-> T-003 --x T-004\n", "1>2 2>3 3>4"),
        ("arrows in labels", "graph TD\n  A[T-001: a --> b] --> T-002\n", "1>2"),
        (
            "a label is given once",
            "graph TD\n  A[T-001] --> B[T-002]\n  B --> C[T-003]\n  A --> C\n",
            "1>2 1>3 2>3",
        ),
        ("unknown nodes", "graph TD\n  T-001 --> X[elsewhere]\n  X --> T-002\n", ""),
        ("new ids of the same shape", "graph TD\n  T-001 --> A[T-007: New]\n", "1>7"),
        (
            "comments and styles",
            "graph TD\n  %% T-001 --> T-002\n  style T-001 --> T-002\n  subgraph T-001 --> T-002\n",
            "",
        ),
        ("itself", "graph TD\n  T-001 --> T-001\n", ""),
    ];
    for (name, text, expected) in table {
        assert_eq!(shown(mermaid::task_pairs(text, &mut names())), expected, "{name}");
    }
    let mut names = names();
    mermaid::task_pairs("graph TD\n A[T-001: Schema<br/>first] --> T-002[Model]\n", &mut names);
    let expected = [("T-001", "Schema first"), ("T-002", "Model")];
    assert_eq!(names.titles, expected.map(|(id, title)| (id.to_owned(), title.to_owned())));
}

#[test]
fn sentences_give_orders() {
    let table = [
        ("T-002 depends on T-001.", "1>2"),
        ("T-003 (needs T-001 + T-002)", "1>3 2>3"),
        ("T-002 and T-003 require a rest", ""),
        ("T-002, T-003: blocked by T-001; T-004 is not", "1>2 1>3"),
        ("T-002 requires T-001. T-004 follows.", "1>2"),
        ("T-001 depends on T-001", ""),
        ("T-001 depends on T-099", ""),
    ];
    for (text, expected) in table {
        assert_eq!(shown(pairs_in_sentence(text, &names())), expected, "{text}");
    }
}
