//! Documents as strangers write them: what structure alone says, whatever the language and the marks.

use windlass_planner::spec::Spec;

use crate::facts::read_documents;

fn read(name: &str, text: &str) -> Spec {
    read_documents(&[(name, text)])
}

/// Every criterion behind the title of its story.
fn told(spec: &Spec) -> Vec<String> {
    let title = |id: &String| spec.stories.iter().find(|s| s.id == *id).map_or("?", |s| s.title.as_str());
    spec.criteria.iter().map(|c| format!("{} | {}", c.story.as_ref().map_or("-", title), c.text)).collect()
}

fn paths(spec: &Spec) -> Vec<&str> {
    spec.files.iter().chain(&spec.mentions).map(|f| f.path.as_str()).collect()
}

#[test]
fn sentences_in_another_language_count() {
    let spec = read("DESAFIO.md", include_str!("manners/foreign.md"));
    assert_eq!(
        told(&spec),
        [
            "- | O sistema deve aceitar várias encomendas ao mesmo tempo",
            "- | Em caso de queda nenhuma encomenda pode ser perdida",
            "- | Um morador recebe um aviso quando a encomenda chega.",
            "- | O sistema deve guardar os dados em disco",
            "- | O projeto deve ter testes.",
        ]
    );
}

#[test]
fn signs_in_front_of_lines_make_a_list() {
    let spec = read("PRD.md", include_str!("manners/signs.md"));
    let said = told(&spec).join("\n");
    for text in
        ["Start page with a search field", "A table of late parcels", "Parcel page that shows every step"]
    {
        assert!(said.contains(text), "{text} in\n{said}");
    }
    assert!(!said.contains('✅'), "{said}");
    // Each is a criterion of its own.
    assert!(!said.contains("search field Board"), "{said}");
}

#[test]
fn paragraphs_of_requirements_are_items() {
    let spec = read("spec.md", include_str!("manners/unmarked.md"));
    assert_eq!(
        told(&spec),
        [
            "- | The start page shows every entry, the newest first.",
            "- | File names give the date: YYYY-MM-DD-title.txt.",
            "- | Plain pages: no pictures, no scripts.",
            "- | Publishing on every push.",
        ]
    );
}

#[test]
fn criteria_beside_a_nested_story_are_its_own() {
    let spec = read("PRD.md", include_str!("manners/nested_stories.md"));
    assert_eq!(
        told(&spec),
        [
            "Watering plan | Ten kinds of plants",
            "Watering plan | Daily and weekly plans",
            "Frost warning | A forecast of three days",
            "Frost warning | Advice for each bed",
        ]
    );
}

#[test]
fn criteria_below_the_sentence_of_a_story_are_its_own() {
    let spec = read("PRD.md", include_str!("manners/paragraphs_of_stories.md"));
    let told = told(&spec);
    assert_eq!(
        told[..3],
        [
            "Borrow a tool | A tool is lent to one member at a time",
            "Borrow a tool | A loan ends after two weeks",
            "Give a tool back | A returned tool is free at once",
        ]
        .map(|line| line.replace("Borrow", "borrow").replace("Give", "give"))
    );
    // Two stories in a row share what follows them; of neither something else is said.
    assert!(told.contains(&"- | Both lists are sorted by date".to_owned()), "{told:?}");
    assert!(told.contains(&"see my loans | As a member, I want to see my loans.".to_owned()), "{told:?}");
}

#[test]
fn what_is_said_to_people_is_no_criterion() {
    let spec = read("ASSIGNMENT.md", include_str!("manners/assignment.md"));
    let said = told(&spec).join("\n");
    assert!(said.contains("An empty file prints nothing."), "{said}");
    for text in
        ["last submission", "Please add", "search engine", "Created a parser", "Fixed the build", "leave out"]
    {
        assert!(!said.contains(text), "{text} in\n{said}");
    }
    assert_eq!(paths(&spec), ["wc.c"]);
}

#[test]
fn a_design_on_its_own_asks() {
    let text = include_str!("manners/design_alone.md");
    let said = told(&read("ARCHITECTURE.md", text)).join("\n");
    for wanted in ["`GET /parcels` → list of parcels", "refuses a parcel without an owner", "leaves the list"]
    {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    // Beside requirements it only says how.
    let both = read_documents(&[
        ("PRD.md", "# Desk\n\n## Requirements\n\n- Parcels are kept\n"),
        ("ARCHITECTURE.md", text),
    ]);
    assert!(!told(&both).join("\n").contains("leaves the list"), "{:?}", told(&both));
}

#[test]
fn nouns_behind_a_line_are_one_criterion() {
    let spec = read("notes.md", include_str!("manners/nouns.md"));
    assert_eq!(
        told(&spec),
        [
            "Loan | Each loan has: a tool; a member; a due date",
            "Loan | Members can extend a loan once.",
            "Tool | Tools can be reserved by members.",
            "Tool | A tool may be in one of these states: free; lent",
        ]
    );
}

#[test]
fn sections_below_required_tasks_are_features() {
    let spec = read("ASSIGNMENT.md", include_str!("manners/grouped_tasks.md"));
    assert_eq!(
        told(&spec),
        [
            "Add GET /tools/{id} | Return the tool by its id",
            "Add GET /tools/{id} | Return 404 if there is none",
            "Add paging to GET /tools | `limit` and `offset` in the query",
            "- | Follow the layers that are there",
        ]
    );
}

#[test]
fn folders_in_brackets_are_folders() {
    let spec = read("design.md", include_str!("manners/groups_of_folders.md"));
    assert_eq!(
        paths(&spec),
        [
            "web/src/app/page.tsx",
            "web/src/app/(shop)/layout.tsx",
            "web/src/app/(shop)/items/[id]/page.tsx",
            "web/package.json",
        ]
    );
}

#[test]
fn headings_without_a_space_are_headings() {
    let spec = read(
        "CHALLENGE.md",
        "#Juggling\n\nA program for the festival.\n\n#Input file\nEvery line holds one juggler.\n\n#Output file\nEvery line shows a team.\n",
    );
    assert_eq!(spec.title.as_deref(), Some("Juggling"));
    assert_eq!(told(&spec), ["- | Every line holds one juggler.", "- | Every line shows a team."]);
}

#[test]
fn sections_beside_features_hold_together() {
    let spec = read("PRD.md", include_str!("manners/beside.md"));
    assert_eq!(
        told(&spec),
        [
            "Lending | Members can borrow one tool at a time",
            "Lending | A loan ends after two weeks",
            "Returns | A returned tool is free at once",
            "Start page | Show the tools of the week",
            "Start page | Show the loans of the member",
            "- | Every page must load within a second",
            "- | Old browsers must show a plain page",
        ]
    );
}

#[test]
fn what_is_said_below_a_command_is_about_it() {
    let spec = read("PROJECT.md", include_str!("manners/commands.md"));
    assert_eq!(
        told(&spec),
        [
            "- | The program keeps books on a shelf.",
            "- | `shelf add TITLE`: Store a title.",
            "- | `shelf add TITLE`: Print an error if the title is empty.",
            "- | `shelf add TITLE`: If the shelf is full, exit with 3.",
            "- | `shelf -V`: Print the version.",
            "- | When a title is looked up, the index is read, and then the file.",
        ]
    );
}

#[test]
fn a_page_called_like_a_feature_belongs_to_it() {
    let spec = read(
        "PRD.md",
        "# Desk\n\n## Features\n\n### Loans\n\n- Members can borrow a tool\n\n### Fines\n\n- A late tool costs money\n\n\
         ## Pages\n\n### Loans\n\n- Show every loan of a member\n- Show the date of its end\n",
    );
    let loans = told(&spec).iter().filter(|line| line.starts_with("Loans | ")).count();
    assert_eq!((loans, spec.stories.len()), (3, 2), "{:?}", told(&spec));
}

#[test]
fn what_is_listed_without_verbs_is_built() {
    let spec = read("SPEC.md", include_str!("manners/nominal.md"));
    assert_eq!(
        told(&spec),
        [
            "Judge | Correctness — Did it name the right tree?",
            "Judge | Completeness — Were all leaves looked at?",
            "Judge | Final mark = the mean of both parts",
            "Kinds of trees | Oak: 10: Broad leaves and acorns",
            "Kinds of trees | Pine: 10: Long needles and cones",
            "Herbarium | A single page per tree, with a drawing of its leaf.",
            "Herbarium | Pages sorted by the Latin name.",
            "Seasons | Leaves by month in a small table",
            "Seasons | Flowers by week in another table",
        ]
    );
}

#[test]
fn bodies_of_requests_belong_to_their_endpoint() {
    let spec = read("API.md", include_str!("manners/bodies.md"));
    assert_eq!(
        told(&spec),
        [
            "Add a bird | Stores a sighting.",
            "Add a bird | Request body: { \"name\": \"string (required)\" }",
            "Add a bird | Error response — 400 Bad Request: { \"error\": \"no name\" }",
            "Count birds | Answers with a number.",
            "Count birds | Response — 200 OK: { \"count\": 3 }",
            "Page for visitors | A field for the name, with a button beside it",
            "Page for visitors | A list of the last ten birds",
        ]
    );
}

#[test]
fn what_is_over_or_not_wanted_now_is_left_out() {
    let spec = read("BACKLOG.md", include_str!("manners/over.md"));
    assert_eq!(
        told(&spec),
        ["Maps | Maps: a map of all nests", "Alarm | Alarm: a sound when a nest is empty"]
    );
}

#[test]
fn paragraphs_that_begin_with_a_name_are_things() {
    let spec = read("PRD.md", include_str!("manners/named_paragraphs.md"));
    assert_eq!(
        told(&spec),
        [
            "Checklist | A small widget on the start page showing four steps, with a bar that can be hidden.",
            "Checklist | Progress persists across sessions.",
            "Reminders | If a visitor leaves before the last step, send one mail on the second day with a link.",
            "Rollout | New visitors only; old ones are excluded.",
            "Rollout | Every step emits an event.",
        ]
    );
}

#[test]
fn sections_beside_features_divide_what_is_asked() {
    let spec = read("PRD.md", include_str!("manners/asked_beside.md"));
    assert_eq!(
        told(&spec),
        [
            "Feeding | Grain in the morning, at a set hour",
            "Feeding | Water whenever the bowl is empty",
            "Doors | Open at dawn, by the sensor",
            "Doors | Closed at dusk, with a bell",
            "Counting | The system shall count the hens at the door.",
            "Counting | The system shall report a missing hen.",
            "Warnings | A fox near the fence rings the bell.",
            "Warnings | Frost in the water is shown on the start page.",
            "- | The keeper must: see every hen",
            "- | The keeper must: hear every bell",
        ]
    );
}

#[test]
fn an_item_that_is_a_story_says_itself_what_is_wanted() {
    let spec = read(
        "PRD.md",
        "# Chess club\n\n## User stories\n\n1. Members see the table of the season\n2. Members enter the result of a game\n",
    );
    assert_eq!(spec.stories.len(), spec.criteria.len(), "{:?}", told(&spec));
}

#[test]
fn what_was_decided_is_wanted_and_what_was_weighed_is_not() {
    let spec = read(
        "SPEC.md",
        "# Farm\n\n## Locked decisions\n\n1. One binary for the farm, with a library behind it\n2. Pictures kept for a week\n\n## Alternatives considered\n\n- A second server in the barn, for the pictures\n",
    );
    assert_eq!(
        told(&spec),
        ["- | One binary for the farm, with a library behind it", "- | Pictures kept for a week"]
    );
}

#[test]
fn the_items_below_a_requirement_are_criteria_where_no_design_refers_to_it() {
    let text = "# Hens\n\n## Requirements\n\n### FR-1: Counting at the door of the house\n\n- Hens are counted at dusk\n- A missing hen is reported\n\n### FR-2: Warnings for the keeper\n\n- A fox rings the bell\n- Frost is shown on a lamp\n";
    assert_eq!(
        told(&read("requirements.md", text)),
        [
            "Counting at the door of the house | Hens are counted at dusk",
            "Counting at the door of the house | A missing hen is reported",
            "Warnings for the keeper | A fox rings the bell",
            "Warnings for the keeper | Frost is shown on a lamp",
        ]
    );
}
