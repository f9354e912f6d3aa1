//! Documents of kinds that people have besides requirements and designs: what is read from each, and what is left out.

use windlass_planner::spec::Spec;

use crate::facts::{read_documents, read_in_repository};

/// One line per fact that decides about a plan.
fn told(documents: &[(&str, &str)]) -> String {
    let spec: Spec = read_documents(documents);
    let mut lines: Vec<String> = Vec::new();
    lines.extend(spec.stories.iter().map(|s| format!("story {}", s.title)));
    for task in &spec.tasks {
        let files = spec.files.iter().filter(|f| f.tasks.contains(&task.id)).map(|f| f.path.as_str());
        let after = spec.edges.iter().filter(|e| e.after == task.id).map(|e| e.before.as_str());
        let list = |of: Vec<&str>| if of.is_empty() { "-".to_owned() } else { of.join(" ") };
        lines.push(format!(
            "task {} {} | files {} | after {}",
            task.id,
            task.title,
            list(files.collect()),
            list(after.collect())
        ));
    }
    lines.extend(spec.mentions.iter().map(|f| format!("named {} ({:?})", f.path, f.operation)));
    for criterion in &spec.criteria {
        let story = criterion.story.as_ref().and_then(|id| spec.stories.iter().find(|s| s.id == *id));
        let story = story.map(|s| format!(" [{}]", s.title)).unwrap_or_default();
        let id = if criterion.given_id { format!("{} ", criterion.id) } else { String::new() };
        lines.push(format!("criterion {id}{}{story}", criterion.text));
    }
    for (name, remarks) in [
        ("left out", &spec.exclusions),
        ("stays", &spec.regressions),
        ("asked", &spec.questions),
        ("rule", &spec.conventions),
    ] {
        lines.extend(remarks.iter().map(|r| format!("{name} {}", r.text.lines().next().unwrap_or_default())));
    }
    lines.join("\n")
}

#[test]
fn a_change_of_openspec() {
    let documents = [
        ("changes/throttle/proposal.md", include_str!("kinds/openspec-proposal.md")),
        ("changes/throttle/design.md", include_str!("kinds/openspec-design.md")),
        ("changes/throttle/tasks.md", include_str!("kinds/openspec-tasks.md")),
        ("changes/throttle/specs/auth/spec.md", include_str!("kinds/openspec-spec.md")),
    ];
    insta::assert_snapshot!(told(&documents));
}

#[test]
fn boxes_that_are_ticked_off() {
    let list = "# Tasks\n\n## 1. Store\n\n- [x] 1.1 Write `src/store.py`\n- [ ] 1.2 Write `src/index.py`\n";
    let documents = [("tasks.md", list)];
    let ids = |spec: &Spec| spec.tasks.iter().map(|t| t.id.clone()).collect::<Vec<_>>();
    let begun = read_in_repository(&documents, &["src/store.py"]);
    assert_eq!(ids(&begun), ["TASK-1.2"]);
    assert!(begun.exclusions.iter().any(|e| e.heading == "ticked off as done"));
    // Where there is no code, nothing is done yet.
    let from_nothing = read_documents(&documents);
    assert_eq!(ids(&from_nothing), ["TASK-1.1", "TASK-1.2"]);
    assert!(from_nothing.doubted_tick.is_some() && begun.doubted_tick.is_none());
}

#[test]
fn a_spec_of_kiro() {
    insta::assert_snapshot!(told(&[
        ("csv-import/requirements.md", include_str!("kinds/kiro-requirements.md")),
        ("csv-import/design.md", include_str!("kinds/kiro-design.md")),
        ("csv-import/tasks.md", include_str!("kinds/kiro-tasks.md")),
    ]));
}

#[test]
fn feature_files() {
    insta::assert_snapshot!(told(&[
        ("features/basket.feature", include_str!("kinds/basket.feature")),
        ("features/checkout.feature", include_str!("kinds/checkout.feature")),
    ]));
}

#[test]
fn a_description_of_an_http_interface() {
    insta::assert_snapshot!(told(&[("openapi.yaml", include_str!("kinds/openapi.yaml"))]));
}

#[test]
fn records_of_decisions() {
    insta::assert_snapshot!(told(&[
        ("docs/adr/0002-store-notes-as-files.md", include_str!("kinds/record-holds.md")),
        ("docs/adr/0003-store-notes-in-sqlite.md", include_str!("kinds/record-superseded.md")),
        ("docs/adr/0004-sync-by-git.md", include_str!("kinds/record-proposed.md")),
    ]));
}

#[test]
fn minutes_of_a_meeting() {
    insta::assert_snapshot!(told(&[("2024-03-12.md", include_str!("kinds/minutes.md"))]));
}

#[test]
fn an_issue_pasted_as_text() {
    insta::assert_snapshot!(told(&[("issue.txt", include_str!("kinds/issue.txt"))]));
}

#[test]
fn an_rfc() {
    insta::assert_snapshot!(told(&[("0412-watch-mode.md", include_str!("kinds/rfc.md"))]));
}

#[test]
fn the_readme_of_a_command() {
    insta::assert_snapshot!(told(&[("README.md", include_str!("kinds/cli-readme.md"))]));
}

#[test]
fn prose_about_behaviour() {
    insta::assert_snapshot!(told(&[("behaviour.md", include_str!("kinds/prose.md"))]));
}

#[test]
fn other_markups() {
    insta::assert_snapshot!("restructured", told(&[("spec.rst", include_str!("kinds/spec.rst"))]));
    insta::assert_snapshot!("asciidoc", told(&[("spec.adoc", include_str!("kinds/spec.adoc"))]));
    insta::assert_snapshot!("jira", told(&[("PROJ-77.txt", include_str!("kinds/jira.txt"))]));
    insta::assert_snapshot!("notion", told(&[("Team Wiki 3f2a.md", include_str!("kinds/notion.md"))]));
}

#[test]
fn a_file_format() {
    insta::assert_snapshot!(told(&[("FORMAT.md", include_str!("kinds/format.md"))]));
}

#[test]
fn boxes_of_one_line_are_parts_of_a_task() {
    insta::assert_snapshot!(told(&[("changes/spool/tasks.md", include_str!("kinds/checklist-tasks.md"))]));
}

#[test]
fn rules_commands_and_tests_beside_a_scope() {
    insta::assert_snapshot!(told(&[("docs/PRD.md", include_str!("kinds/product-page.md"))]));
}

#[test]
fn sections_about_a_file_say_what_it_must_do() {
    insta::assert_snapshot!(told(&[("SPEC.md", include_str!("kinds/module-spec.md"))]));
}

#[test]
fn a_tree_of_data_is_no_project() {
    let documents = [("spec.md", include_str!("kinds/data-tree.md"))];
    assert!(read_documents(&documents).files.is_empty());
    insta::assert_snapshot!(told(&documents));
}

#[test]
fn stages_with_criteria_are_tasks() {
    insta::assert_snapshot!(told(&[("PRD.md", include_str!("kinds/stages.md"))]));
}

#[test]
fn a_page_pasted_without_marks() {
    let documents = [("requirements.md", include_str!("kinds/pasted.md"))];
    let files: Vec<String> = read_documents(&documents).files.iter().map(|f| f.path.clone()).collect();
    insta::assert_snapshot!(format!("{}\n{}", files.join("\n"), told(&documents)));
}

#[test]
fn a_script_without_spaces() {
    insta::assert_snapshot!(told(&[("docs/wide.md", include_str!("kinds/wide.md"))]));
}
