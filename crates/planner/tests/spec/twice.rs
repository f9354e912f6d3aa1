//! What a document says twice, or has done already: overviews of its own parts, ticked lists, blanks of a template.

use windlass_planner::spec::Spec;

use crate::facts::read_documents;

fn read(name: &str, text: &str) -> Spec {
    read_documents(&[(name, text)])
}

fn titles(spec: &Spec) -> Vec<&str> {
    spec.stories.iter().map(|s| s.title.as_str()).collect()
}

/// Every criterion behind the title of its story.
fn told(spec: &Spec) -> Vec<String> {
    let title = |id: &String| spec.stories.iter().find(|s| s.id == *id).map_or("?", |s| s.title.as_str());
    spec.criteria.iter().map(|c| format!("{} | {}", c.story.as_ref().map_or("-", title), c.text)).collect()
}

#[test]
fn a_roadmap_is_what_is_still_to_come() {
    let spec = read("ROADMAP.md", include_str!("twice/roadmap.md"));
    assert_eq!(titles(&spec), ["Faster launch", "Better board", "Autopilot daemon"]);
    let said = told(&spec).join("\n");
    assert!(said.contains("Faster launch | Resume after a broken line"), "{said}");
    for wrong in ["Store of kites", "Terminal board", "earn money", "flagship", "what flies", "8 kinds"] {
        assert!(!said.contains(wrong), "{wrong} in\n{said}");
    }
    assert!(spec.files.iter().chain(&spec.mentions).all(|f| f.path != "board.py"));
    let left_out: Vec<&str> = spec.exclusions.iter().map(|r| r.heading.as_str()).collect();
    assert_eq!(
        left_out.iter().filter(|heading| **heading == "ticked off as done").count(),
        6,
        "{left_out:?}"
    );
}

/// A box that is ticked among open ones is work that goes on; so is a criterion.
#[test]
fn a_list_is_done_as_a_whole() {
    let open = "# Kites\n\n## To build\n\n- [x] The store keeps kites\n- [ ] The board shows the wind\n";
    assert_eq!(read("TODO.md", open).exclusions.len(), 0);
    let criteria = "# Kites\n\n## Store\n\n**Acceptance Criteria:**\n- [x] The store keeps kites\n\n## Board\n\n**Acceptance Criteria:**\n- [ ] The board shows the wind\n";
    assert_eq!(read("PRD.md", criteria).criteria.len(), 2);
}

#[test]
fn overviews_and_aims_are_no_work() {
    let spec = read("prd.md", include_str!("twice/epics.md"));
    assert_eq!(titles(&spec), ["Pictures", "Tables"]);
    let said = told(&spec).join("\n");
    for wrong in ["Epic 1", "of every kind", "short commands", "friendly", "Users are known", "easy way"] {
        assert!(!said.contains(wrong), "{wrong} in\n{said}");
    }
    // A list behind a requirement belongs to it.
    let values = spec.criteria.iter().find(|c| c.id == "FR2").map(|c| c.detail.as_str());
    assert_eq!(values, Some("Number of the receipt; Day of the purchase; Sum with taxes"));
    assert_eq!(spec.criteria.len(), 7, "{said}");
}

#[test]
fn blanks_of_a_template_are_questions() {
    let spec = read("spec.md", include_str!("twice/blanks.md"));
    let ids: Vec<&str> = spec.criteria.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["FR-002"]);
    let asked: Vec<&str> = spec.questions.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked[1].contains("Users MUST be able to [key interaction]"), "{asked:?}");
}

#[test]
fn models_are_things_where_nothing_uses_them() {
    let spec = read("SPECIFICATION.md", include_str!("twice/models.md"));
    assert_eq!(titles(&spec), ["Ship", "Crossing", "Export"]);
    let ship = &spec.criteria[0];
    assert_eq!(ship.text, "Ship: `id`: `string`: begins with `ship-`");
}

#[test]
fn the_flow_of_a_mode_belongs_to_it() {
    let spec = read("functional-spec.md", include_str!("twice/flows.md"));
    assert_eq!(titles(&spec), ["Guest mode", "Member mode"]);
    assert_eq!(spec.criteria.len(), 28);
    let said = told(&spec).join("\n");
    assert!(said.contains("Guest mode | Drag pictures onto the page"), "{said}");
    // A link alone says nothing.
    assert!(!said.contains("city"), "{said}");
}

#[test]
fn indented_lists_of_plain_text_are_no_code() {
    let spec = read("spec.txt", include_str!("twice/indented.txt"));
    assert_eq!(titles(&spec), ["Βιβλιοθήκη", "Ο διακομιστής δέχεται τα εξής αιτήματα"]);
    assert_eq!(spec.criteria.len(), 5, "{:?}", told(&spec));
}

#[test]
fn items_with_boxes_below_them_are_things_in_any_script() {
    let spec = read("TODO.md", include_str!("twice/nested.md"));
    assert_eq!(titles(&spec), ["得点表", "壁"]);
    assert!(spec.files.is_empty(), "{:?}", spec.files);
}

/// Two words about a file are not joined with two words about another one.
#[test]
fn short_items_about_files_stay_apart() {
    let text = "# 認証\n\n## 変更点\n\n- 利用者の登録とログインを追加する\n\n## 影響するコード\n\n- `server/users.ts` - 認証API\n- `web/app.tsx` - 画面の統合\n";
    let said = told(&read("proposal.md", text));
    let of = |path: &str| said.iter().filter(|text| text.contains(path)).count();
    assert!(!said.iter().any(|text| text.contains("users.ts") && text.contains("app.tsx")), "{said:?}");
    assert_eq!((of("users.ts"), of("app.tsx")), (1, 1), "{said:?}");
}

/// A mark behind an item, a heading or in a column of states says how its thing stands.
#[test]
fn marks_tell_what_is_done() {
    let spec = read("PRD.md", include_str!("twice/marks.md"));
    let said = told(&spec).join("\n");
    for wanted in [
        "Board | Warns when a storm comes",
        "Board | Prints labels",
        "Export | Writes lists of kites",
        "Sounds | Horn: a kite is late",
        "themes that members make",
        "dark themes of the desk",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    for over in
        ["wind of the day", "loans of a member", "newest first", "Reads lists", "Bell", "❌ ", "in progress"]
    {
        assert!(!said.contains(over), "{over} in\n{said}");
    }
    assert!(spec.exclusions.iter().any(|e| e.text.contains("Bell")), "{:?}", spec.exclusions);
}

/// Screens tell features again: what stands below the name of one belongs to it, and a screen without a feature is a thing.
#[test]
fn screens_are_joined_with_their_features() {
    let spec = read("PRD.md", include_str!("twice/again.md"));
    let said = told(&spec).join("\n");
    for wanted in [
        "Member registration | The form marks what is missing",
        "Kite search | The list shows ten kites at once",
    ] {
        assert!(said.contains(wanted), "{wanted} in\n{said}");
    }
    assert!(!said.contains("Registration screen |"), "{said}");
}
