//! Documents that name no file.

use super::{default_plans, document};

#[test]
fn files_assumed_for_stories_and_requirements() {
    insta::assert_snapshot!(default_plans(document!("assumed_files")), @r#"
    # one unit per story, in the layout of the repository
    T001: Build discounts in carts
      modify: src/shop/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: AC-001
    T002: Build Gift Cards
      test: tests/test_gift_cards.py
      verify: python3 -m pytest tests/test_gift_cards.py
      type: add_method
      criteria: AC-002, AC-003
    (assumed: the documents give Discounts in carts no file; assuming `src/shop/cart.py` (it is called so))
    (assumed: the documents give Gift Cards no file; its files are left open)

    # models, components and endpoints of a design without files
    T001: Create Order Desk
      test: tests/test_order_desk.py
      verify: python3 -m pytest tests/test_order_desk.py
      type: add_method
      criteria: AC-001
    T002: Add POST /orders
      create: src/shop/routes/post_orders.py
      test: tests/test_post_orders.py
      verify: python3 -m pytest tests/test_post_orders.py
      type: add_endpoint
      criteria: AC-002, AC-003
    (assumed: the documents give Order Desk no file; its files are left open)
    (assumed: the documents give post /orders no file; assuming `src/shop/routes/post_orders.py` (a new file, named after it))
    (COVERAGE_GAP: nothing in the documents covers `AC-002`; assigned to `Add POST /orders`)

    # requirements with ids, one unit each
    T001: Export carts as CSV
      modify: src/shop/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: FR-1
    T002: Rename a cart
      after: T001
      modify: src/shop/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: FR-2
    (assumed: the documents give Export carts as CSV no file; assuming `src/shop/cart.py` (it is called so))
    (assumed: the documents give Rename a cart no file; assuming `src/shop/cart.py` (it is called so))

    # a requirement about a command belongs to the code that reads the command line
    T001: stock count prints the number of items
      modify: stock/cli.py
      test: tests/test_cli.py
      verify: python3 -m pytest tests/test_cli.py
      type: add_method
      criteria: AC-1
    (assumed: the documents give stock count prints the number of no file; assuming `stock/cli.py` (it reads the command line))

    # plain criteria become one unit named after the document
    T001: Build Wish List
      test: tests/test_wish_list.py
      verify: python3 -m pytest tests/test_wish_list.py
      type: add_method
      criteria: AC-001, AC-002
    (assumed: the documents give Wish List no file; its files are left open)

    # an existing file with all words of the title is modified
    T001: Edit my user profile
      modify: src/shop/user_profile.py
      test: tests/test_user_profile.py
      verify: python3 -m pytest tests/test_user_profile.py
      type: add_method
      criteria: AC-001
    T002: Build erase my user profile
      after: T001
      modify: src/shop/user_profile.py
      test: tests/test_user_profile.py
      verify: python3 -m pytest tests/test_user_profile.py
      type: add_method
      criteria: AC-002
    (assumed: the documents give Edit my user profile no file; assuming `src/shop/user_profile.py` (it is called so))
    (assumed: the documents give Erase my user profile no file; assuming `src/shop/user_profile.py` (it is called so))

    # the language of the manifest, where there is no code
    T001: Build gift cards
      create: gift_cards.go
      test: gift_cards_test.go
      verify: go test .
      type: create_service
      criteria: AC-001
    (assumed: the documents give Gift cards no file; assuming `gift_cards.go` (a new file, named after it))

    # the language of code blocks, where there is neither code nor manifest
    T001: Set up the project shop
      create: Gemfile
      test: config_static
      type: add_config
    T002: Build gift cards
      after: T001
      create: lib/gift_cards.rb
      test: spec/gift_cards_spec.rb
      verify: rspec spec/gift_cards_spec.rb
      type: create_service
      criteria: AC-001
      notes: Layout: The `Gemfile` lists the library that runs the tests: rspec, unless the documents name another.
    (assumed: no code found; assuming ruby, which the documents mention)
    (assumed: the documents give Gift cards no file; assuming `lib/gift_cards.rb` (a new file, named after it))

    # the language the text mentions, where there is nothing else
    T001: Set up the project shop
      create: package.json, tsconfig.json
      test: config_static
      type: add_config
    T002: Build gift cards
      after: T001
      create: src/gift-cards.ts
      test: src/gift-cards.test.ts
      type: create_service
      criteria: AC-001
      notes: Layout: ES modules (`"type": "module"`); `devDependencies` lists the test runner that the documents name, else vitest.
    (assumed: no code found; assuming typescript, which the documents mention)
    (assumed: the documents give Gift cards no file; assuming `src/gift-cards.ts` (a new file, named after it))
    (no test runner: no known command runs the tests of `T002`)

    # nothing names a language, so the tasks own no files
    T001: Build gift cards
      type: add_method, tdd
      criteria: AC-001
    (language: the documents name none, and there is no code; until it is known, the tasks own no files)

    # routes go where their resource is answered, and what is asked of everything is left open
    T001: Lend a book
      modify: app/books.py
      test: tests/test_books.py
      verify: python3 -m pytest tests/test_books.py
      type: add_method
      criteria: AC-001 `assert response.status_code == 201`
    T002: Build overdue list
      after: T001
      modify: app/books.py
      test: tests/test_books.py
      verify: python3 -m pytest tests/test_books.py
      type: add_method
      criteria: AC-002
    T003: Common behaviour of Shelf
      after: T002
      test: tests/test_shelf.py
      verify: python3 -m pytest tests/test_shelf.py
      type: add_method
      criteria: AC-003, AC-004, AC-005
    (assumed: the documents give Lend a book no file; assuming `app/books.py` (it answers `/books/{id}/loans`))
    (assumed: the documents give Overdue list no file; assuming `app/books.py` (the routes of Lend a book are there))
    (assumed: the documents give Shelf no file; its files are left open)
    (not read: `app/books.py` does not parse at line 1: its exports are known only in part)

    # what is asked beside the stories for another route has its code
    T001: Lend a book
      modify: app/books.py
      test: tests/test_books.py
      verify: python3 -m pytest tests/test_books.py
      type: add_method
      criteria: AC-001 `assert response.status_code == 201`
    T002: Return a book
      after: T001
      modify: app/books.py
      test: tests/test_books.py
      verify: python3 -m pytest tests/test_books.py
      type: add_method
      criteria: AC-002 `assert response.status_code == 204`
    T003: Common behaviour of Shelf
      after: T002
      modify: app/books.py
      test: tests/test_books.py
      verify: python3 -m pytest tests/test_books.py
      type: add_method
      criteria: FR-1, FR-2, FR-3
    (assumed: the documents give Lend a book no file; assuming `app/books.py` (it answers `/books/{id}/loans`))
    (assumed: the documents give Return a book no file; assuming `app/books.py` (it answers `/books/{id}/loans`))
    (assumed: the documents give Shelf no file; assuming `app/books.py` (it answers `/books`))
    (not read: `app/books.py` does not parse at line 1: its exports are known only in part)

    # lines of one paragraph with ids of their own, and qualities beside them
    T001: Refuse parcel numbers that have no 12 digits, with a message
      test: tests/test_refuse_parcel_numbers.py
      verify: python3 -m pytest tests/test_refuse_parcel_numbers.py
      type: add_method
      criteria: FR-01
    T002: Store every change with its time
      test: tests/test_store_change.py
      verify: python3 -m pytest tests/test_store_change.py
      type: add_method
      criteria: FR-02
    T003: Common behaviour of Parcel Tracker
      after: T001, T002
      test: tests/test_parcel_tracker.py
      verify: python3 -m pytest tests/test_parcel_tracker.py
      type: add_method
      criteria: NFR-01
    (assumed: the documents give Refuse parcel numbers that have no no file; its files are left open)
    (assumed: the documents give Store every change with its time no file; its files are left open)
    (assumed: the documents give Parcel Tracker no file; its files are left open)

    # files that configure say nothing about where code is
    T001: Build birthdays
      test: app/birthdays.test.ts
      verify: npx --no-install vitest run app/birthdays.test.ts
      type: add_method
      criteria: AC-001
    T002: Build export
      test: app/export-feature.test.ts
      verify: npx --no-install vitest run app/export-feature.test.ts
      type: add_method
      criteria: AC-002
    (assumed: the documents give Birthdays no file; its files are left open)
    (assumed: the documents give Export no file; its files are left open)
    "#);
}
