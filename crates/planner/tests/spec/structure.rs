//! What the structure of a document says before its words do: which headings are things, which say how they stand, what listings and
//! lists without marks hold.

use windlass_planner::spec::Spec;

use crate::facts::read_documents;

fn read(name: &str, text: &str) -> Spec {
    read_documents(&[(name, text)])
}

fn titles(spec: &Spec) -> Vec<&str> {
    spec.stories.iter().map(|s| s.title.as_str()).collect()
}

fn said(spec: &Spec) -> Vec<&str> {
    spec.criteria.iter().map(|c| c.text.as_str()).collect()
}

/// What is said of one thing.
fn of<'s>(spec: &'s Spec, title: &str) -> Vec<&'s str> {
    let story = spec.stories.iter().find(|s| s.title == title).map(|s| &s.id);
    let own = spec.criteria.iter().filter(|c| c.story.is_some() && c.story.as_ref() == story);
    own.map(|c| c.text.as_str()).collect()
}

#[test]
fn tags_of_their_own_are_headings() {
    let text = "<project_specification>\n  <project_name>Kite club</project_name>\n  <core_features>\n    <flight_log>\n      - Enter a flight with date and place\n      \
                - Show all flights of a kite\n    </flight_log>\n    <kite_store>\n      - Add a kite with a picture\n      - Sort kites by size\n    </kite_store>\n  \
                </core_features>\n</project_specification>\n";
    let spec = read("app_spec.txt", text);
    assert_eq!(spec.title.as_deref(), Some("Kite club"));
    assert_eq!(titles(&spec), ["Flight log", "Kite store"]);
    assert_eq!(of(&spec, "Kite store"), ["Add a kite with a picture", "Sort kites by size"]);
    // A page of HTML has tags that are no headings.
    let page =
        read("page.md", "# Desk\n\n<details>\n\n## Requirements\n\n- Parcels are listed\n\n</details>\n");
    assert_eq!(said(&page), ["Parcels are listed"]);
}

#[test]
fn a_document_inside_one_fence_is_read() {
    let text = "```markdown\n# Desk\n\n## Requirements\n\n- Parcels are listed by day\n- Owners are told at once\n```\n";
    assert_eq!(said(&read("PRD.md", text)), ["Parcels are listed by day", "Owners are told at once"]);
}

#[test]
fn a_document_inside_a_fence_behind_a_few_words_is_read() {
    let document = "# Desk\n\n## Requirements\n\n- Parcels are listed by day\n\n```sh\ndesk list\n```\n\n- Owners are told at once\n";
    let prompt = format!("You are an engineer. Build this.\n\n```markdown\n{document}```\n\nBegin now.\n");
    assert_eq!(said(&read("PROMPT.md", &prompt)), ["Parcels are listed by day", "Owners are told at once"]);
    // A template inside a longer document is an example.
    let around =
        "## Goals\n\n- The desk keeps a template for notices, which everybody may change at any time\n"
            .repeat(3);
    let example =
        format!("# Notices\n\n{around}\n```markdown\n# Notice\n\n## Requirements\n\n- Sent by mail\n```\n");
    assert!(!said(&read("PRD.md", &example)).contains(&"Sent by mail"));
}

#[test]
fn tasks_that_headings_state_are_the_things_and_wait_for_what_their_fields_say() {
    let fields = |before: &str| format!("PRIORITY: HIGH\nDEPENDENCIES: {before}\nSTATUS: Not Started\n");
    let text = format!(
        "SHOP\n====\n\nTASK 1: Name of the shop\n- Register a name\n- Write the name into the page\n{}\nTASK 2: Mail\n- Send a mail for every order\n{}\n\
         TASK 3: Mail testing\n- Test that a mail arrives in src/mail.py\n{}\nACCEPTANCE CRITERIA:\n====================\n- An order can be placed\n",
        fields("None"),
        fields("Task 1 (Name of the shop)"),
        fields("Tasks 1 and 2"),
    );
    let spec = read("prd.txt", &text);
    assert_eq!(titles(&spec), ["Name of the shop", "Mail", "Mail testing"]);
    assert_eq!(of(&spec, "Mail testing"), ["Test that a mail arrives in src/mail.py"]);
    let order: Vec<(&str, &str)> = spec.edges.iter().map(|e| (e.before.as_str(), e.after.as_str())).collect();
    assert_eq!(order, [("TASK-1", "TASK-2"), ("TASK-1", "TASK-3"), ("TASK-2", "TASK-3")]);
    // In Markdown, with numbers alone.
    let listed = "# Shop\n\n## Task 1: Name\n\n- Register a name\n\n## Task 2: Mail\n\n**Depends on:** 1\n\n- Send a mail\n";
    let spec = read("plan.md", listed);
    assert_eq!(spec.edges.len(), 1, "{:?}", spec.edges);
    assert_eq!((spec.edges[0].before.as_str(), spec.edges[0].after.as_str()), ("TASK-1", "TASK-2"));
}

#[test]
fn a_drawing_of_boxes_is_no_tree_of_files() {
    let boxes = "   +------------------+\n   | Input: a page    |\n   +------------------+\n            |\n            v\n   +------------------+\n   | reader.py        |\n   | - Reads pages    |\n   \
                 +------------------+\n            |\n   +------------------+\n   | writer.py        |\n   +------------------+\n";
    let paths = |drawing: &str| {
        let text = format!("# Pages\n\n## Architecture\n\n```\n{drawing}```\n");
        read("DESIGN.md", &text).files.into_iter().map(|row| row.path).collect::<Vec<_>>()
    };
    assert_eq!(paths(boxes), Vec::<String>::new());
    let tree = "pages/\n+-- reader.py\n+-- writer.py\n";
    assert_eq!(paths(tree), ["pages/reader.py", "pages/writer.py"]);
}

#[test]
fn sections_that_are_put_off_by_their_status_are_left_out() {
    let text = "# Roadmap\n\n## 1. Phase 0 — Ground (completed)\n\nStatus: Completed\n\n- Fence the field\n\n## 2. Phase 1 — Kites\n\nStatus: In progress\n\n\
                - Store kites with their size\n- Show a kite on its page\n\n## 3. Phase 2 — Races\n\nStatus: Long-term\n\n- Race two kites over the field\n";
    let spec = read("ROADMAP.md", text);
    let all = titles(&spec).join("\n");
    assert!(all.contains("Store kites") && !all.contains("Race two") && !all.contains("Fence"), "{all}");
    // Where everything is done, the document says what is wanted.
    let done = "# Requests\n\n## FR-1 — Left title\n\n**Status:** Done\n\n- The title of the list stands left\n- The count stands behind it\n";
    assert!(said(&read("REQUESTS.md", done)).join("\n").contains("stands left"));
}

#[test]
fn a_tick_among_pictures_is_a_picture() {
    let text = "# Tutor\n\n## 🎯 Completion\n\n- The lesson ends when the line is full\n- The clock stops at the end\n\n## ✅ Accuracy\n\n\
                - Words are compared one by one\n- Quotes are made straight first\n\n## 🚀 Speed\n\n- Words are counted each minute\n- The result is rounded\n";
    assert_eq!(titles(&read("LOGIC.md", text)), ["Completion", "Accuracy", "Speed"]);
}

#[test]
fn a_heading_among_names_is_a_name() {
    let text = "# Ideas\n\n## Proposed features\n\n### Splitting a plan\n\nA command that cuts a plan in two parts.\n\n### Plan rollback\n\nA command that takes a \
                plan back to its start.\n\n### Linting of plans\n\nA command that looks for empty plans.\n\n### Retry with failure context\n\nA second try is told \
                what went wrong.\n";
    let spec = read("IDEAS.md", text);
    assert_eq!(
        titles(&spec),
        ["Splitting a plan", "Plan rollback", "Linting of plans", "Retry with failure context"]
    );
}

#[test]
fn headings_that_only_group_features_are_cut() {
    let parts = ["Splitting", "Joining", "Sorting", "Counting"].map(|name| {
        format!(
            "#### {name}\n\n- {name} writes every line down\n- {name} sends nothing twice\n- {name} finds a lost line again\n- In {name} the last one wins\n\n"
        )
    });
    let text = format!(
        "# Lines\n\n## Features\n\n### Shape\n\n{}\n### Order\n\n- Lines keep their order\n- The first line is a head\n",
        parts.join("")
    );
    assert_eq!(titles(&read("LINES.md", &text)), ["Splitting", "Joining", "Sorting", "Counting", "Order"]);
}

#[test]
fn a_heading_below_several_is_a_side_of_each() {
    let module = |name: &str| {
        format!(
            "### {name} module\n\nThe {name} module keeps all {name}s.\n\n#### Functions\n\n##### `add{name}`\nStore one.\n\n##### `drop{name}`\nTake one out.\n\n"
        )
    };
    let text = format!("# API\n\n## Core modules\n\n{}{}{}", module("Kite"), module("Line"), module("Field"));
    let spec = read("API.md", &text);
    assert_eq!(titles(&spec), ["Kite module", "Line module", "Field module"]);
    assert!(of(&spec, "Kite module").contains(&"Store one."), "{:?}", of(&spec, "Kite module"));
}

#[test]
fn a_list_that_says_again_what_was_said_is_planned_once() {
    let text = "# Chat\n\n## Functional requirements\n\n- Users should be able to register\n- Users should be able to send messages\n- Users should be able to make \
                groups\n\n## Plan\n\nFor the first version we support these:\n\n- Users should be able to register\n- Users should be able to send messages\n- Users \
                should be able to make groups\n";
    let spec = read("REQUIREMENTS.md", text);
    let times = said(&spec).iter().filter(|text| text.contains("send messages")).count();
    assert_eq!(times, 1, "{:?}", said(&spec));
}

#[test]
fn headings_of_other_languages_say_what_stands_below_them() {
    let text = "# Especificación\n\n## Funcionalidades\n\n### Registro de vuelos\n\n- El sistema guarda cada vuelo con su fecha\n- El sistema muestra los vuelos de un \
                día\n\n### Tienda de cometas\n\n- El sistema ordena las cometas por tamaño\n- El sistema avisa cuando falta una\n\n## Limitaciones técnicas\n\n- **Viento**: \
                Depende del tiempo de cada día\n\n## Próximas mejoras\n\n- Mapa de los campos\n";
    let all = said(&read("especificacion.md", text)).join("\n");
    assert!(all.contains("guarda cada vuelo") && !all.contains("Mapa") && !all.contains("Viento"), "{all}");
}

#[test]
fn listings_say_what_their_comments_and_sentences_say() {
    let text = "# Kite player\n\n## Mixer\n\nThe mixer plays all kites at once.\n\n```cpp\nclass Mixer {\n    // Keep only the loudest kites at each moment.\n    void \
                rank(int most);\n};\n```\n\n## Export\n\nBefore the export the kites are counted.\n\n```\nfor each kite K:\n    length = end - start\nShow the counts to \
                the user in a table.\n```\n\n## Opcode\n\nA client sends one message for each kite.\n\n```jsonc\n// CircleKite\n{ \"center\": [x, y], \"radius\": r }\n```\n";
    let all = said(&read("DESIGN.md", text)).join("\n");
    for wanted in ["Keep only the loudest kites", "Show the counts to the user", "CircleKite: {"] {
        assert!(all.contains(wanted), "{wanted} in\n{all}");
    }
}

#[test]
fn lines_and_trees_whose_marks_were_lost_are_lists_and_trees() {
    let text = "Kite driver\nA proposal for a driver.\n\n📌 Goal\nImplement a driver for the kite in the field program, with all that belongs to a good driver of \
                kites:\n\nReading of the wind\nSlow and fast turns\nLanding without a crash\n📁 Structure\nkite/ ├── docs/ │ └── goal.md ├── src/ │ └── driver.c └── test/ │ \
                └── driver_test.c\n\n⚙️ Tools\nLanguage: C\n";
    let spec = read("PROPOSAL.txt", text);
    let all = said(&spec).join("\n");
    assert!(all.contains("Slow and fast turns") && all.contains("Landing without a crash"), "{all}");
    assert!(spec.files.iter().any(|f| f.path == "src/driver.c"), "{:?}", spec.files);
}

#[test]
fn names_of_several_words_are_statements_and_single_words_are_not() {
    let text = "# Shop\n\n## Features\n\n### Page of a kite\n\n- Large picture\n- Price tag\n- Related kites\n\n### Colours\n\n- red\n- green\n- blue\n- as the owner wants it\n";
    let spec = read("PRD.md", text);
    assert_eq!(of(&spec, "Page of a kite"), ["Large picture", "Price tag", "Related kites"]);
    assert!(of(&spec, "Colours").contains(&"Colours: red; green; blue"), "{:?}", of(&spec, "Colours"));
}

#[test]
fn a_section_about_data_is_one_thing() {
    let table = |name: &str| {
        format!(
            "### {name}\n\n- id (primary key)\n- name (not null)\n- made at\n- changed at\n- sort order\n\n"
        )
    };
    let text = format!(
        "# Shop\n\n## Features\n\n### Kite store\n\n- Kites are added with a picture\n- Kites are sorted by size\n\n### Owners\n\n- Owners are added by mail\n- Owners \
         are told of a sale\n\n## Database schema\n\n{}{}{}",
        table("kites"),
        table("sales"),
        table("fields")
    );
    assert_eq!(titles(&read("PRD.md", &text)), ["Kite store", "Owners", "Database schema"]);
}

#[test]
fn labelled_lines_and_lettered_ones_are_statements() {
    let text = "# Client\n\n## Features\n\n### Timeouts\n\n**Connection**: 10 seconds\n**Read**: 30 seconds\n**Whole request**: 60 seconds\n\n### Fetching\n\n1. Call the \
                server for all kites\n2. For each kite:\n   a. Call the server for its lines\n   b. Sort the lines by age\n3. Return the kites with their lines\n";
    let spec = read("PRD.md", text);
    assert_eq!(
        of(&spec, "Timeouts"),
        ["Connection: 10 seconds", "Read: 30 seconds", "Whole request: 60 seconds"]
    );
    let fetching = of(&spec, "Fetching").join("\n");
    assert!(fetching.contains("Call the server for its lines\n"), "{fetching}");
    assert!(fetching.contains("Sort the lines by age"), "{fetching}");
}
