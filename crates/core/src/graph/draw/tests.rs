//! What people see, as snapshots.

use std::collections::BTreeMap;

use super::super::what_if::outlook;
use super::super::{Graph, Limit, Overlap, SealOptions, seal, what_if};
use super::{Charset, DrawOptions, dot, mermaid, svg, text};
use crate::plan::{Plan, Task, Tier};
use crate::state::TaskState;

/// `id title minutes < deps`, a file after `+`.
fn plan(lines: &[&str]) -> Plan {
    let task = |line: &&str| {
        let (head, deps) = line.split_once('<').unwrap_or((line, ""));
        let mut words: Vec<&str> = head.split_whitespace().collect();
        let minutes = words.pop().unwrap().parse().unwrap();
        let files = deps.split_whitespace().filter_map(|w| w.strip_prefix('+')).map(str::to_owned);
        let mut task = Task { id: words[0].into(), title: words[1..].join(" "), ..Task::default() };
        task.files.modify = files.collect();
        task.depends_on =
            deps.split_whitespace().filter(|w| !w.starts_with('+')).map(str::to_owned).collect();
        task.estimate_minutes = Some(minutes);
        task
    };
    Plan { name: "shop".into(), tasks: lines.iter().map(task).collect(), ..Plan::default() }
}

fn sealed(plan: &Plan) -> Graph {
    let options = SealOptions {
        is_test: &|_| false,
        max_depth: 3,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::from([(Tier::Large, 1)]),
        pools: BTreeMap::new(),
    };
    seal(plan, &options).unwrap().graph
}

fn shop() -> Plan {
    plan(&[
        "001 Schema 10",
        "002 User model 20 < 001",
        "003 Order model 30 < 001",
        "004 Types 5 < 001",
        "005 Service 25 < 002 003 004",
        "006 User route 10 < 005 +src/app.ts",
        "007 Order route 15 < 005 +src/app.ts",
        "008 Middleware 5 < 005",
        "009 Audit log 5 < 001 004",
    ])
}

#[test]
fn a_small_plan_is_drawn_with_boxes() {
    let plan = shop();
    let options = DrawOptions::default();
    insta::assert_snapshot!(text(&sealed(&plan), &plan, &options), @"
                      ┏━━━━━━━━━━━━━━━┓
                      ┃     Schema    ┃
                      ┃      001      ┃
                      ┗━━━━━━━┯━━━━━━━┛
                              │
            ┌─────────────────┼─────────────────┐
            ▼                 ▼                 ▼
    ┌───────────────┐ ┏━━━━━━━━━━━━━━━┓ ┌───────────────┐
    │   User model  │ ┃  Order model  ┃ │     Types     │
    │      002      │ ┃      003      ┃ │      004      │
    └───────┬───────┘ ┗━━━━━━━┯━━━━━━━┛ └───────┬───────┘
            │                 │                 │
            └───────────┬─────┘                 │
                        │   ┌───────────────────┤
                        ▼   ▼                   ▼
                  ┏━━━━━━━━━━━━━━━┓ ┌───────────────┐
                  ┃    Service    ┃ │   Audit log   │
                  ┃      005      ┃ │      009      │
                  ┗━━━━━━━┯━━━━━━━┛ └───────────────┘
                          │
                 ┌────────┴────────┐
                 ▼                 ▼
         ┏━━━━━━━━━━━━━━━┓ ┌───────────────┐
         ┃   User route  ┃ │   Middleware  │
         ┃      006      ┃ │      008      │
         ┗━━━━━━━┯━━━━━━━┛ └───────────────┘
                 │
                 ▼
         ┏━━━━━━━━━━━━━━━┓
         ┃  Order route  ┃
         ┃      007      ┃
         ┗━━━━━━━━━━━━━━━┛

    critical path: 001 → 003 → 005 → 006 → 007 (90 min)
    added: 007 after 006, because of `src/app.ts`
    with 1 worker 2 h 5 min, with 3 workers 90 min, limited by the critical path
    ");
}

#[test]
fn a_plain_terminal_and_little_room_are_enough() {
    let plan = shop();
    let graph = sealed(&plan);
    let state = |ix: super::TaskIx| Some(if ix.0 < 2 { TaskState::Completed } else { TaskState::Pending });
    let options = DrawOptions { width: 60, charset: Charset::Ascii, state: &state };
    insta::assert_snapshot!(text(&graph, &plan, &options), @"
                      #===============#
                      #     Schema    #
                      #      001      #
                      #   completed   #
                      #=======#=======#
                              |
            +-----------------+-----------------+
            v                 v                 v
    +---------------+ #===============# +---------------+
    |   User model  | #  Order model  # |     Types     |
    |      002      | #      003      # |      004      |
    |   completed   | #    pending    # |    pending    |
    +-------+-------+ #=======#=======# +-------+-------+
            |                 |                 |
            +-----------+-----+                 |
                        |   +-------------------+
                        v   v                   v
                  #===============# +---------------+
                  #    Service    # |   Audit log   |
                  #      005      # |      009      |
                  #    pending    # |    pending    |
                  #=======#=======# +---------------+
                          |
                 +--------+--------+
                 v                 v
         #===============# +---------------+
         #   User route  # |   Middleware  |
         #      006      # |      008      |
         #    pending    # |    pending    |
         #=======#=======# +---------------+
                 |
                 v
         #===============#
         #  Order route  #
         #      007      #
         #    pending    #
         #===============#

    critical path: 001 -> 003 -> 005 -> 006 -> 007 (90 min)
    added: 007 after 006, because of `src/app.ts`
    with 1 worker 2 h 5 min, with 3 workers 90 min, limited by the critical path
    ");
    let narrow = DrawOptions { width: 30, ..options };
    insta::assert_snapshot!(text(&graph, &plan, &narrow), @"
    level 1 (1 task)
    * 001  Schema                10 min  completed
    level 2 (3 tasks)
      002  User model            20 min  completed  after 001
    * 003  Order model           30 min  pending  after 001
      004  Types                  5 min  pending  after 001
    level 3 (2 tasks)
    * 005  Service               25 min  pending  after 002, 003, 004
      009  Audit log              5 min  pending  after 001, 004
    level 4 (2 tasks)
    * 006  User route            10 min  pending  after 005
      008  Middleware             5 min  pending  after 005
    level 5 (1 task)
    * 007  Order route           15 min  pending  after 005, 006
    * on the critical path

    critical path: 001 -> 003 -> 005 -> 006 -> 007 (90 min)
    added: 007 after 006, because of `src/app.ts`
    with 1 worker 2 h 5 min, with 3 workers 90 min, limited by the critical path
    ");
}

#[test]
fn links_that_skip_levels_find_their_way() {
    let plan = plan(&[
        "a Parser 10",
        "b Lexer 5",
        "c Types 5 < b",
        "d Checker 20 < c a",
        "e Report 5 < b d",
        "f Docs 5 < a",
        "g Release 1 < e f",
    ]);
    insta::assert_snapshot!(text(&sealed(&plan), &plan, &DrawOptions::default()), @"
       ┏━━━━━━━━━━━┓ ┌───────────┐
       ┃   Parser  ┃ │   Lexer   │
       ┃     a     ┃ │     b     │
       ┗━━━━━┯━━━━━┛ └─────┬─────┘
             │             │
             ├────┐        │
             ▼    │        ▼
    ┌───────────┐ │ ┌───────────┐
    │    Docs   │ │ │   Types   │
    │     f     │ │ │     c     │
    └─────┬─────┘ │ └─────┬─────┘
          │       │       │
          └───┐   └───┬───┘
              │       ▼
              │ ┏━━━━━━━━━━━┓
              │ ┃  Checker  ┃
              │ ┃     d     ┃
              │ ┗━━━━━┯━━━━━┛
              │       │
              │       ▼
              │ ┏━━━━━━━━━━━┓
              │ ┃   Report  ┃
              │ ┃     e     ┃
              │ ┗━━━━━┯━━━━━┛
              │       │
              └───┬───┘
                  ▼
            ┏━━━━━━━━━━━┓
            ┃  Release  ┃
            ┃     g     ┃
            ┗━━━━━━━━━━━┛

    critical path: a → d → e → g (36 min)
    with 1 worker 51 min, with 3 workers 36 min, limited by the critical path
    ");
}

#[test]
fn a_large_plan_is_listed() {
    let lines: Vec<String> = (0..45)
        .map(|i| {
            format!(
                "t{i:02} Task number {i} 10{}",
                if i < 3 { String::new() } else { format!(" < t{:02}", i / 3) }
            )
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let plan = plan(&lines);
    let drawn = text(&sealed(&plan), &plan, &DrawOptions::default());
    let ends: Vec<&str> = drawn.lines().take(6).chain(drawn.lines().rev().take(4)).collect();
    insta::assert_snapshot!(ends.join("\n"), @"
    level 1 (3 tasks)
      t00  Task number 0         10 min
    * t01  Task number 1         10 min
      t02  Task number 2         10 min
    level 2 (6 tasks)
    * t03  Task number 3         10 min  after t01
    with 1 worker 7 h 30 min, with 3 workers 2 h 30 min, with 8 workers 70 min, with 32 workers 40 min, limited by the critical path
    critical path: t01 → t03 → t09 → t27 (40 min)

    * on the critical path
    ");
}

#[test]
fn names_from_a_plan_cannot_break_out() {
    let mut plan = plan(&["a x 5", "b x 5"]);
    plan.tasks[0].title = "\"]; <script>&'\\ \u{1b}[31m`|#\n日本".into();
    plan.tasks[0].files.modify = vec!["s<>\"&.ts".into()];
    plan.tasks[1].files.modify = vec!["s<>\"&.ts".into()];
    plan.name = "</title>\"".into();
    let graph = sealed(&plan);
    let options = DrawOptions::default();
    insta::assert_snapshot!(text(&graph, &plan, &options), @r#"
    ┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃  "]; <script>&'\ [31m`|# 日本 ┃
    ┃               a               ┃
    ┗━━━━━━━━━━━━━━━┯━━━━━━━━━━━━━━━┛
                    │
                    ▼
    ┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃               x               ┃
    ┃               b               ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛

    critical path: a → b (10 min)
    added: b after a, because of `s<>\"&.ts`
    with 1 worker 10 min, limited by the critical path
    "#);
    insta::assert_snapshot!(dot(&graph, &plan, &options), @r#"
    digraph "</title>\"" {
      rankdir=LR;
      node [shape=box, style="rounded,filled", fillcolor=white];
      "a" [label="a\n\"]; <script>&'\\ [31m`|# 日本\n5 min", penwidth=2];
      "b" [label="b\nx\n5 min", penwidth=2];
      "a" -> "b" [style=dashed, label="s<>\"&.ts"];
    }
    "#);
    insta::assert_snapshot!(mermaid(&graph, &plan, &options), @r#"
    flowchart LR
      n0["a #34;#93;#59; #60;script#62;#38;'#92; #91;31m#96;#124;#35; 日本"]
      n1["b x"]
      n0 -. "s#60;#62;#34;#38;.ts" .-> n1
      classDef critical stroke:#d9480f,stroke-width:3px
      class n0,n1 critical
    "#);
    let picture = svg(&graph, &plan, &options);
    assert!(
        !picture.contains("<script")
            && !picture.contains('\u{1b}')
            && picture.matches("</title>").count() == 3
    );
}

#[test]
fn the_picture_names_every_task_and_link() {
    let plan = shop();
    let graph = sealed(&plan);
    let picture =
        svg(&graph, &plan, &DrawOptions { state: &|_| Some(TaskState::Failed), ..DrawOptions::default() });
    assert_eq!(picture.matches("<g>").count(), 9);
    assert_eq!(picture.matches("marker-end").count(), 10, "links that follow from others are left out");
    assert_eq!(
        picture.matches("class=\"link added\" d=\"M").count(),
        1,
        "the legend's; the added link is critical"
    );
    assert!(picture.contains("link critical added"));
    assert!(picture.contains("failed"));
}

#[test]
fn more_workers_help_until_something_else_binds() {
    let plan = shop();
    let graph = sealed(&plan);
    insta::assert_snapshot!(outlook(&graph), @"with 1 worker 2 h 5 min, with 3 workers 90 min, limited by the critical path");
    assert_eq!(what_if(&graph, 1).limited_by, Limit::Workers);
    assert_eq!(what_if(&graph, 0), what_if(&graph, 1));
    let mut tight = plan.clone();
    for task in &mut tight.tasks {
        task.tier = Some(Tier::Large);
    }
    let graph = sealed(&tight);
    assert_eq!(what_if(&graph, 8).limited_by, Limit::Pool("tier:large".into()));
    assert_eq!(what_if(&graph, 8).makespan, graph.nodes().iter().map(|n| n.cost).sum::<u64>());
    insta::assert_snapshot!(outlook(&graph), @"with 1 worker 2 h 5 min, limited by `tier:large`");
    insta::assert_snapshot!(outlook(&sealed(&Plan::default())), @"no tasks");
}

#[test]
fn several_pools_are_shared_without_idle_places() {
    let mut plan = plan(&["a x 10", "b x 10", "c x 10", "d x 10"]);
    for (task, wants) in plan.tasks.iter_mut().zip([&["x", "y"][..], &["x", "y"], &["x"], &["y"]]) {
        task.resources = wants.iter().map(|w| (*w).to_owned()).collect();
    }
    let graph = sealed(&plan);
    assert_eq!(what_if(&graph, 4).makespan, 30 * 60);
}

#[test]
fn texts_are_measured_in_columns() {
    for (text, columns) in
        [("", 0), ("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("a\u{200b}b", 2), ("🚀", 2)]
    {
        assert_eq!(super::width(text), columns, "{text}");
    }
}

#[test]
fn texts_are_cut_with_a_mark() {
    let table = [
        ("Service", 7, Charset::Unicode, "Service"),
        ("Service", 6, Charset::Unicode, "Servi…"),
        ("Service", 6, Charset::Ascii, "Servi~"),
        ("a b c", 3, Charset::Unicode, "a…"),
        ("日本語", 4, Charset::Unicode, "日…"),
        ("abc", 1, Charset::Unicode, "…"),
        ("", 0, Charset::Unicode, ""),
    ];
    for (text, room, charset, expected) in table {
        assert_eq!(super::shorten(text, room, charset), expected, "{text} in {room}");
    }
}

#[test]
fn titles_are_folded_between_words() {
    let table: [(&str, usize, &[&str]); 6] = [
        ("User model", 10, &["User model"]),
        ("User model", 5, &["User", "model"]),
        ("User model", 4, &["User", "mod…"]),
        ("one two three four", 7, &["one two", "three…"]),
        ("Unbreakable", 5, &["Unbr…"]),
        ("anything", 0, &[]),
    ];
    for (text, room, expected) in table {
        assert_eq!(super::folded(text, room, Charset::Unicode), expected, "{text} in {room}");
    }
}

#[test]
fn no_task_and_one_task_are_drawn() {
    let empty = Plan { name: "p".into(), ..Plan::default() };
    let options = DrawOptions { charset: Charset::Ascii, ..DrawOptions::default() };
    let graph = sealed(&empty);
    assert_eq!(text(&graph, &empty, &options), "no tasks\n");
    assert_eq!(mermaid(&graph, &empty, &options), "flowchart LR\n");
    assert!(svg(&graph, &empty, &options).contains("critical path, 0 s"));
    let one = plan(&["a A 5"]);
    let expected = "\
#=====#
#  A  #
#  a  #
#=====#

critical path: a (5 min)
with 1 worker 5 min, limited by the critical path
";
    assert_eq!(text(&sealed(&one), &one, &options), expected);
}

#[test]
fn two_tasks_in_every_language() {
    let plan = plan(&["a First 5", "b Second 10 < a", "c Third 1"]);
    let graph = sealed(&plan);
    let state = |ix: super::TaskIx| (ix.0 == 0).then_some(TaskState::Completed);
    let options = DrawOptions { state: &state, ..DrawOptions::default() };
    let expected = r##"digraph "shop" {
  rankdir=LR;
  node [shape=box, style="rounded,filled", fillcolor=white];
  "a" [label="a\nFirst\n5 min", penwidth=2, fillcolor="#d3f9d8"];
  "b" [label="b\nSecond\n10 min", penwidth=2];
  "c" [label="c\nThird\n60 s"];
  "a" -> "b" [penwidth=2];
}
"##;
    assert_eq!(dot(&graph, &plan, &options), expected);
    let expected = r#"flowchart LR
  n0["a First"]
  n1["b Second"]
  n2["c Third"]
  n0 --> n1
  classDef completed fill:#d3f9d8,color:#212529
  class n0 completed
  classDef critical stroke:#d9480f,stroke-width:3px
  class n0,n1 critical
"#;
    assert_eq!(mermaid(&graph, &plan, &options), expected);
    let picture = svg(&graph, &plan, &options);
    for part in [
        "<title>shop</title>",
        "level 1 · 2 tasks",
        "level 2 · 1 task<",
        "<title>a: First</title>",
        "5 min · completed",
        "fill=\"#d3f9d8\"",
        "critical path, 15 min",
    ] {
        assert!(picture.contains(part), "{part}");
    }
    assert_eq!(picture.matches("class=\"box critical\"").count(), 2);
    assert_eq!(picture.matches("marker-end").count(), 1);
}

#[test]
fn a_long_title_is_cut_in_the_box_and_whole_beside_it() {
    let mut plan = plan(&["a x 5"]);
    plan.title = Some("Shop & Co".into());
    plan.tasks[0].title = "A title of rather more than twenty-seven columns".into();
    let picture = svg(&sealed(&plan), &plan, &DrawOptions::default());
    assert!(picture.contains("<title>a: A title of rather more than twenty-seven columns</title>"));
    assert!(picture.contains(">A title of rather more tha…</text>"), "{picture}");
    assert!(picture.contains("<title>Shop &amp; Co</title>"), "the title of the plan, not its name");
}

#[test]
fn more_than_nine_names_are_shortened() {
    let lines: Vec<String> = (0..12).map(|i| format!("t{i} x 1")).collect();
    let plan = plan(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let graph = sealed(&plan);
    let all: Vec<super::TaskIx> = graph.indices().collect();
    assert_eq!(super::list::names(&graph, &all[..2], ", "), "t0, t1");
    assert_eq!(super::list::names(&graph, &all[..9], " "), "t0 t1 t2 t3 t4 t5 t6 t7 t8");
    assert_eq!(super::list::names(&graph, &all[..10], " "), "t0 t1 t2 t3 (2 more) t6 t7 t8 t9");
}
