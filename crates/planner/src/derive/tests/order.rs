//! The rules of `order.rs`, each in a case of its own.

use super::{default_plans, document};

#[test]
fn order_between_units() {
    insta::assert_snapshot!(default_plans(document!("order")), @r"
    # edges of a graph order tasks, and one that closes a cycle is reported
    T-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    T-1: Create src/a.py
      after: T-2
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    T-3: Create src/c.py
      after: T-1
      create: src/c.py
      test: tests/test_c.py
      verify: python3 -m pytest tests/test_c.py
      type: create_service
    (contradiction: `T-3` before `T-2` contradicts an order stated elsewhere)

    # transitive orders are removed
    T-1: Create src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    T-2: Create src/b.py
      after: T-1
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    T-3: Create src/c.py
      after: T-2
      create: src/c.py
      test: tests/test_c.py
      verify: python3 -m pytest tests/test_c.py
      type: create_service

    # components order the units of their files
    T001: Create Basket in src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
    T002: Create Checkout in src/zone.py
      after: T001
      create: src/zone.py
      test: tests/test_zone.py
      verify: python3 -m pytest tests/test_zone.py
      type: create_service
      criteria: AC-001

    # components that need each other are contradictory
    T001: Create Basket in src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
      criteria: AC-002
    T002: Create Checkout in src/zone.py
      after: T001
      create: src/zone.py
      test: tests/test_zone.py
      verify: python3 -m pytest tests/test_zone.py
      type: create_service
      criteria: AC-001
    (contradiction: `Checkout` before `Basket` contradicts an order stated elsewhere)

    # a level waits for the level below
    BIG-L1-001: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    BIG-L1-002: Create src/c.py
      create: src/c.py
      test: tests/test_c.py
      verify: python3 -m pytest tests/test_c.py
      type: create_service
    BIG-L2-001: Create src/a.py
      after: BIG-L1-001, BIG-L1-002
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service

    # a phase waits for the phase before it
    T001: Create Basket in app/yard.py
      phase: Phase 1: Basket
      create: app/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
      notes: Phase 1: Basket: `app/yard.py`
    T002: Create Checkout in app/attic.py
      after: T001
      phase: Phase 2: Checkout
      create: app/attic.py
      test: tests/test_attic.py
      verify: python3 -m pytest tests/test_attic.py
      type: create_service
      notes: Phase 2: Checkout: `app/attic.py`

    # a modification comes before the removal
    T-2: Change src/a.py
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method
    T-1: Remove src/a.py
      after: T-2
      delete: src/a.py
      test: delete_dead_code
      type: add_config

    # tasks that modify one file follow the order of the documents
    T-2: Change src/a.py
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method
    T-1: Change src/a.py
      after: T-2
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method

    # a task of tests follows the code it tests
    T-2: Create src/yard.py
      create: src/yard.py
      test: tests/test_yard_basics.py
      verify: python3 -m pytest tests/test_yard_basics.py
      type: create_service
    T-1: Test tests/test_yard.py
      after: T-2
      create: tests/test_yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: add_test
    T-3: Create src/zone.py
      create: src/zone.py
      test: tests/test_zone.py
      verify: python3 -m pytest tests/test_zone.py
      type: create_service

    # a manifest comes before the code
    T001: Create requirements.txt
      create: requirements.txt
      test: config_static
      type: add_config
    T002: Create src/yard.py
      after: T001
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service

    # an imported file comes before its importer
    T001: Change src/shop/yard.py
      modify: src/shop/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: add_method
    T002: Change src/shop/attic.py
      after: T001
      modify: src/shop/attic.py
      test: tests/test_attic.py
      verify: python3 -m pytest tests/test_attic.py
      type: add_method

    # an index follows the files of its folder
    T001: Create web/yard.ts
      create: web/yard.ts
      test: web/yard.test.ts
      type: create_service
    T002: Create web/index.ts
      after: T001
      create: web/index.ts
      test: web/index.test.ts
      type: create_service
    T003: Create site/zone.ts
      create: site/zone.ts
      test: site/zone.test.ts
      type: create_service
    (no test runner: no known command runs the tests of `T001`, `T002`, `T003`)

    # lower layers come first
    T001: Create src/models/yard.ts
      create: src/models/yard.ts
      test: src/models/yard.test.ts
      type: create_model
    T002: Create src/services/yard.ts
      after: T001
      create: src/services/yard.ts
      test: src/services/yard.test.ts
      type: create_service
    T003: Create src/routes/yard.ts
      after: T002
      create: src/routes/yard.ts
      test: src/routes/yard.test.ts
      type: add_endpoint
    T004: Create src/pages/yard.ts
      after: T003
      create: src/pages/yard.ts
      test: src/pages/yard.test.ts
      type: create_service
    (no test runner: no known command runs the tests of `T001`, `T002`, `T003`, `T004`)

    # a component that mentions another file by name follows it
    T001: Create Open air in src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
    T002: Create Attic in src/attic.py
      after: T001
      create: src/attic.py
      test: tests/test_attic.py
      verify: python3 -m pytest tests/test_attic.py
      type: create_service
      criteria: AC-001

    # documentation and workflows follow the code
    T001: Create src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
    T002: Document docs/guide.md
      after: T001
      create: docs/guide.md
      test: documentation_only
      type: add_config
    T003: Create .github/workflows/ci.yml
      after: T001
      create: .github/workflows/ci.yml
      test: config_static
      type: add_config

    # the changelog comes last
    T-2: Create src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
    T-3: Create src/zone.py
      create: src/zone.py
      test: tests/test_zone.py
      verify: python3 -m pytest tests/test_zone.py
      type: create_service
    T-1: Document CHANGELOG.md
      after: T-2, T-3
      modify: CHANGELOG.md
      test: documentation_only
      type: add_config

    # a type in a contract comes before the code that uses it
    T001: Create src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
      contract: # src/yard.py / class StorageBox: /     def open(self) -> bool: ...
    T002: Create src/attic.py
      after: T001
      create: src/attic.py
      test: tests/test_attic.py
      verify: python3 -m pytest tests/test_attic.py
      type: create_service
      contract: # src/attic.py / def keep(box: StorageBox) -> None: ...
    ");
}

/// Sentences about some components leave the others to the usual order: the schema first, tests of the whole last.
#[test]
fn components_without_a_stated_order_keep_the_usual_one() {
    let table = "| Component | File |\n|---|---|\n| Schema | src/schema/card.py |\n| Model | src/models/card.py |\n\
        | CardService | src/services/card_service.py |\n| Integration tests | tests/integration/test_cards.py |\n\n";
    let text = format!(
        "# Technical Design: Cards\n\n## Components\n\n{table}## Dependencies\n\n- CardService depends on Model\n"
    );
    let case = super::Case { name: String::new(), files: Vec::new(), text };
    let made = case.derived(&super::options(crate::lint::Profile::Default));
    let after = |path: &str| {
        let task = made.plan.tasks.iter().find(|t| t.owned().any(|own| own == path)).unwrap();
        let named = |id: &String| made.plan.tasks.iter().find(|t| t.id == *id).and_then(|t| t.owned().next());
        task.depends_on.iter().filter_map(named).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(after("src/models/card.py"), ["src/schema/card.py"]);
    assert_eq!(after("src/services/card_service.py"), ["src/models/card.py"]);
    assert_eq!(after("tests/integration/test_cards.py"), ["src/services/card_service.py"]);
}

/// Examples come after the code they show, and are not where criteria go that nothing covers.
#[test]
fn routes_of_a_server_come_before_the_pages_of_a_browser() {
    let text = "# Design\n\n## File changes\n\n| File | Operation | Purpose |\n|---|---|---|\n\
                | `web/src/App.tsx` | create | shows the pages |\n| `server/src/routes/books.ts` | create | answers for books |\n\
                | `web/src/router.ts` | create | leads to the pages |\n";
    let case = super::Case { name: String::new(), files: Vec::new(), text: text.to_owned() };
    let made = case.derived(&super::options(crate::lint::Profile::Default));
    let files: Vec<&String> = made.plan.tasks.iter().flat_map(|task| &task.files.create).collect();
    let place = |path: &str| files.iter().position(|file| *file == path);
    assert!(place("server/src/routes/books.ts") < place("web/src/App.tsx"), "{files:?}");
    // The router of the browser leads to its pages, and comes after them.
    assert!(place("web/src/App.tsx") < place("web/src/router.ts"), "{files:?}");
}

#[test]
fn examples_come_after_the_code() {
    let text =
        "# PRD: Shapes\n\n## Acceptance Criteria\n\n- Answers within a second\n\n## File Structure\n\n```\n\
        examples/\n  demo.py\nshapes/\n  circle.py\n  __main__.py\n```\n"
            .to_owned();
    let case = super::Case { name: String::new(), files: Vec::new(), text };
    let made = case.derived(&super::options(crate::lint::Profile::Default));
    let task = |path: &str| made.plan.tasks.iter().find(|t| t.owned().any(|own| own == path)).unwrap();
    let (demo, circle, main) =
        (task("examples/demo.py"), task("shapes/circle.py"), task("shapes/__main__.py"));
    assert!(demo.depends_on.contains(&main.id), "{:?}", demo.depends_on);
    assert_eq!(main.depends_on, std::slice::from_ref(&circle.id));
    assert!(demo.criteria.is_empty(), "{:?}", demo.criteria);
}

/// Files that sentences name are those of the plan; a sentence that goes on stays with the one before it.
#[test]
fn sentences_name_the_files() {
    let text = "# Watch mode\n\nA tool.\n\n## Behaviour\n\nA new module `src/watch.py` has `watch(path)`. It writes a line every 500 ms. \
        `src/main.py` parses the flag `--watch`.\n\n## Example\n\n```\n$ tool content/a.py\n1\n```\n"
        .to_owned();
    let case = super::Case { name: String::new(), files: Vec::new(), text };
    let made = case.derived(&super::options(crate::lint::Profile::Default));
    let owned: Vec<Vec<&str>> = made.plan.tasks.iter().map(|t| t.owned().collect()).collect();
    let first: Vec<&str> = owned.iter().filter_map(|files| files.first().copied()).collect();
    assert_eq!(first, ["src/watch.py", "src/main.py"], "{owned:?}");
    let said: Vec<&str> = made.plan.tasks[0].criteria.iter().map(|c| c.text.as_str()).collect();
    assert!(said.contains(&"It writes a line every 500 ms."), "{said:?}");
}
