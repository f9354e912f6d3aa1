//! What each form is written as.

use super::DocumentForm;

fn markdown(path: &str, text: &str) -> String {
    let form = DocumentForm::of(path, text);
    form.rewritten(text).map(|source| source.text.into_owned()).unwrap_or_default()
}

#[test]
fn forms_are_told_by_name_and_marks() {
    let api = "openapi: 3.0.0\npaths:\n  /a:\n    get: {}\n";
    let table = [
        ("a.feature", "Feature: A", DocumentForm::Gherkin),
        ("a.adoc", "= A", DocumentForm::AsciiDoc),
        ("a.rst", "A\n=\n", DocumentForm::Restructured),
        ("api.yaml", api, DocumentForm::OpenApi),
        ("ci.yaml", "on: push\n", DocumentForm::Text),
        ("issue.txt", "h2. Description\nwords", DocumentForm::Jira),
        ("a.md", "# A", DocumentForm::Text),
    ];
    for (path, text, expected) in table {
        assert_eq!(DocumentForm::of(path, text), expected, "{path}");
    }
}

#[test]
fn scenarios_have_the_steps_of_the_background() {
    let text = "Feature: Basket\n  Collects items.\n\n  Background:\n    Given an empty basket\n\n  @later\n  Scenario: Wrap\n    \
                When I ask\n    Then it is wrapped\n\n  Scenario Outline: Price\n    When I add <n>\n    Then it costs <p>\n    \
                Examples:\n      | n | p |\n      | 1 | 2 |\n";
    let expected = "# Basket\n\n## Feature: Basket\n\nCollects items.\n\n### Scenario: Wrap (@later, not now)\n\n\
                    - Given an empty basket\n- When I ask\n- Then it is wrapped\n\n### Scenario: Price\n\n\
                    - Given an empty basket\n- When I add \\<n>\n- Then it costs \\<p>\n\n\
                    | n | p |\n|---|---|\n| 1 | 2 |\n\n";
    assert_eq!(markdown("a.feature", text), expected);
}

#[test]
fn asciidoc() {
    let text = "= Title\nJane <j@x.org>\n:toc:\n\n== Part\n\n* one\n** two\n\n.Shown\n[source,json]\n----\n{}\n----\n\n|===\n|a |b\n\n|1\n|2\n|===\n\
                term:: said\n";
    let expected = "# Title\n\n## Part\n\n- one\n  - two\n\n**Shown**\n\n~~~~json\n{}\n~~~~\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\
                    - **term**: said\n";
    assert_eq!(markdown("a.adoc", text), expected);
}

#[test]
fn restructured_text() {
    let text = "=====\nTitle\n=====\n\n:Author: R\n\nPart\n====\n\n* ``a`` and :func:`b`\n  goes on\n\nShown::\n\n  x = 1\n\n.. code-block:: python\n\n   \
                >>> f()\n   1\n\n.. note:: Kept.\n\n.. comment\n   gone\n\n+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n";
    let expected = "# Title\n\n## Part\n\n- `a` and `b`\n  goes on\n\nShown:\n\n~~~~\nx = 1\n~~~~\n\n~~~~python\n>>> f()\n1\n~~~~\n\n\
                    Kept.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n";
    assert_eq!(markdown("a.rst", text), expected);
}

#[test]
fn markup_of_jira() {
    let text = "P-1: Reset\n\nh2. Notes\n* one {{a.js}}\n# two\n{code:js}\nx\n{code}\n||a||b||\n|1|2|\n";
    let expected = "# P-1: Reset\n\n## Notes\n\n- one `a.js`\n- two\n\n~~~~js\nx\n~~~~\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n";
    assert_eq!(markdown("a.txt", text), expected);
}

#[test]
fn operations_stand_under_their_tags_with_their_schemas() {
    let text = "openapi: 3.0.3\ninfo: {title: Books}\npaths:\n  /books:\n    post:\n      tags: [books]\n      summary: Add a book\n      \
                requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}\n      responses:\n        \
                '201': {description: The book}\n  /old:\n    get:\n      deprecated: true\n      responses: {'200': {description: x}}\n\
                components:\n  schemas:\n    Book: {type: object}\n    Other: {type: object}\n";
    let written = markdown("api.yaml", text);
    for part in [
        "# Books",
        "## Feature: books\n",
        "### POST /books\n",
        "- `POST /books` answers 201: The book\n",
        "### Schema Book\n",
        "### GET /old (deprecated, not now)\n",
    ] {
        assert!(written.contains(part), "{part}\n{written}");
    }
    assert!(!written.contains("Other"), "{written}");
}

#[test]
fn places_lead_back_to_the_text() {
    let text = "Feature: Basket\n  Scenario: Add\n    When I add an apple\n    Then it is there\n";
    let source = DocumentForm::Gherkin.rewritten(text).unwrap();
    let at = source.text.find("When I add").unwrap();
    assert_eq!(&text[source.place(&(at..at + 4))], "When");
}
