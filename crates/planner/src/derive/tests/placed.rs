//! Where criteria go by what they stand under, and the files they name.

use super::*;

fn plan_of(path: &str, text: &str, files: &[(&str, &str)]) -> Derived {
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    let tree = MemoryTree::new(files.iter().map(own).collect::<Vec<_>>());
    let spec = read(&[SpecFile { path: path.to_owned(), text: text.to_owned() }], tree.paths());
    derive(&spec, &Repository::new(&tree, survey(&tree)), &options(Profile::Default))
}

fn criteria(made: &Derived, title: &str) -> Vec<String> {
    let task = made.plan.tasks.iter().find(|task| task.title.contains(title));
    task.map(|task| task.criteria.iter().map(|c| c.text.clone()).collect()).unwrap_or_default()
}

#[test]
fn what_stands_in_the_section_of_a_module_belongs_to_it() {
    let text = "# Gate design\n\nWritten in Go.\n\n## Module Design\n\n### internal/door - the door\n\n**Purpose**: Open for a known card\n\n\
                **Endpoints**:\n- `POST /cards` - Add a card\n\n### internal/cards - what is known\n\n**Purpose**: Keep cards apart from the door\n\n\
                - `POST /door` - Mock of the door\n";
    let made = plan_of("design.md", text, &[]);
    assert_eq!(criteria(&made, "internal/door"), ["Open for a known card", "`POST /cards` - Add a card"]);
    assert_eq!(
        criteria(&made, "internal/cards"),
        ["Keep cards apart from the door", "`POST /door` - Mock of the door"]
    );
    let files: Vec<&String> = made.plan.tasks.iter().flat_map(|task| &task.files.create).collect();
    assert!(files.contains(&&"internal/door/door.go".to_owned()), "{files:?}");
    // Endpoints inside a module are no tasks beside it.
    assert!(
        !made
            .plan
            .tasks
            .iter()
            .any(|task| task.title.contains("/cards ") || task.title.starts_with("Add POST"))
    );
}

#[test]
fn a_file_that_a_criterion_orders_is_owned_by_its_task() {
    let text = "# Actions\n\n## Remaining steps\n\n1. **Schema**: Add the action to `src/schema.yaml`\n\
                2. **Mapper**: Add the import to `src/mapper.ts`\n\n## Behaviour\n\nReading returns every row.\n";
    let made = plan_of(
        "REQUEST.md",
        text,
        &[("src/mapper.ts", "export const a = 1;\n"), ("src/schema.yaml", "a: 1\n")],
    );
    let changed: Vec<&String> = made.plan.tasks.iter().flat_map(|task| &task.files.modify).collect();
    assert!(changed.contains(&&"src/schema.yaml".to_owned()), "{changed:?}");
    assert!(changed.contains(&&"src/mapper.ts".to_owned()), "{changed:?}");
}

/// The titles of the tasks of a document, with how many criteria each has.
fn things(text: &str) -> Vec<(String, usize)> {
    let made = plan_of("BACKLOG.md", text, &[]);
    let tasks = made.plan.tasks.iter().filter(|task| !task.criteria.is_empty());
    tasks.map(|task| (task.title.clone(), task.criteria.len())).collect()
}

#[test]
fn headings_that_rank_wishes_are_no_things() {
    // The items below them are.
    let items = "# Lantern backlog\n\nWhat the lantern still lacks.\n\n## P1 — next up\n\n- **Dimmer** — turn the wheel to change the light\n\
                 - **Alarm** — blink at the time that was set\n\n## P2 — strong candidates\n\n- **Colours** — choose one of eight colours\n\n\
                 ## P3 — later\n\n- **Radio** — play the news\n";
    assert_eq!(
        things(items),
        [("Build dimmer".to_owned(), 1), ("Build alarm".to_owned(), 1), ("Build colours".to_owned(), 1)]
    );
    // So are the rows of a table with names, whatever sign stands before the heading.
    let rows = "# Ferry desk\n\n## 🔴 High priority\n\n| # | Task | Description |\n|---|---|---|\n\
                | 1 | **Lock the desk** | Anyone can open it. Ask for a code. |\n| 2 | **Count seats** | Seats are sold twice. Refuse the second sale. |\n\n\
                ## 🟡 Low priority\n\n| # | Task | Description |\n|---|---|---|\n| 3 | **Print tickets** | Print one for each seat. |\n\
                | 4 | **Show weather** | Show the wind of the next crossing. |\n";
    let found = things(rows);
    assert_eq!(found.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [1, 1, 1, 1], "{found:?}");
    // And the rows of a table with a column of ranks.
    let column = "# Choir site\n\n## What it has\n\n| Priority | Part | What it does |\n|---|---|---|\n\
                  | P0 | Programme | Shows the next three concerts in order of their dates |\n\
                  | P1 | Voices | Lists the singers of each voice |\n| P2 | Archive | Keeps every recording |\n";
    let found = things(column);
    assert_eq!(found.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [1, 1, 1], "{found:?}");
}

#[test]
fn what_depends_on_time_that_is_left_is_not_planned() {
    let text = "# Kite shop\n\n## Features\n\n### P0 — must be there\n\n- **Cart** — keeps what was chosen\n- **Till** — takes cards\n\n\
                ### P1 — if time remains\n\n- **Gift cards** — printed at the till\n\n### P2 — post-launch vision\n\n- **Rental** — by the hour\n";
    let titles: Vec<String> = things(text).into_iter().map(|(title, _)| title).collect();
    assert_eq!(titles, ["Build cart", "Build till"]);
}

#[test]
fn what_stands_below_an_item_that_is_called_like_a_file_belongs_to_it() {
    let text = "# Box design\n\nWritten in TypeScript.\n\n## Files\n\n- `src/pack.ts`: puts things into the box\n- `src/send.ts`: calls the carrier\n\n\
                ## Commands\n\n* **`pack`:** Fills a box with things.\n  * Required option: `--box <id>`\n  * Output: one line for each carrier that was asked\n\
                * **`send`:** Hands a box over.\n  * Required option: `--box <id>`\n  * Output: no line on success\n";
    let made = plan_of("design.md", text, &[]);
    assert_eq!(
        criteria(&made, "pack.ts").iter().filter(|text| text.contains("--box")).count(),
        1,
        "{:?}",
        made.plan.tasks
    );
    assert!(criteria(&made, "pack.ts").iter().any(|text| text.contains("each carrier")));
    assert!(criteria(&made, "send.ts").iter().any(|text| text.contains("no line on success")));
    assert!(criteria(&made, "send.ts").iter().any(|text| text.contains("--box")));
}

#[test]
fn a_code_of_its_own_says_when_it_comes() {
    let text = "# Sieve\n\n## Exit codes\n\n* **`0` (fine):**\n  * The help was asked for and shown.\n* **`1` (broken):**\n  * An unknown option was given.\n\n\
                ## Input\n\nReads one name for each line.\n";
    let made = plan_of("SPEC.md", text, &[]);
    let said: Vec<&str> =
        made.plan.tasks.iter().flat_map(|task| &task.criteria).map(|c| c.text.as_str()).collect();
    assert!(said.iter().any(|text| text.contains("unknown option was given")), "{said:?}");
    assert!(said.iter().any(|text| text.contains("asked for and shown")), "{said:?}");
}

#[test]
fn files_below_an_item_with_a_folder_stand_in_it() {
    let text = "# Tide design\n\nWritten in TypeScript.\n\n## Code organization\n\nThe components are structured within `src/`:\n\n\
                * **Start (`src/main.ts`):** Reads the options and calls the command.\n\
                * **Commands (`src/commands/`):** One handler for each command:\n  * `high.ts`\n  * `low.ts`\n\
                * **Clock (`src/clock.ts`):** Tells the time of the next tide.\n";
    let made = plan_of("design.md", text, &[]);
    let files: Vec<&str> =
        made.plan.tasks.iter().flat_map(|task| &task.files.create).map(String::as_str).collect();
    assert!(files.contains(&"src/commands/high.ts") && files.contains(&"src/commands/low.ts"), "{files:?}");
    assert!(!files.contains(&"high.ts"), "{files:?}");
}

#[test]
fn a_row_that_is_a_requirement_is_told_once() {
    let text = "# Choir site\n\n## Requirements\n\n| Priority | Feature | Details |\n|---|---|---|\n\
                | P0 | Programme | Shows the next three concerts in order of their dates |\n\
                | P1 | Voices | Lists the singers of each voice |\n";
    let counts: Vec<usize> = things(text).into_iter().map(|(_, count)| count).collect();
    assert_eq!(counts, [1, 1]);
}

#[test]
fn a_paragraph_without_spaces_has_a_short_title() {
    let text = "我们要做一个图书馆的借书系统，读者可以查看所有的书并且借走没有被借出的书，系统会记录借出的日期和读者的姓名，还要在到期之前三天提醒读者归还。\n\n\
                每一本书需要有编号和名称，管理员可以新增、修改和删除，删除之前需要确认没有被借出。\n";
    let made = plan_of("需求.txt", text, &[]);
    let titles: Vec<&str> = made.plan.tasks.iter().map(|task| task.title.as_str()).collect();
    assert_eq!(titles, ["我们要做一个图书馆的借书系统"]);
}
