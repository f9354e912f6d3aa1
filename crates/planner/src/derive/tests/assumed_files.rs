//! Documents that name no file.

use super::{default_plans, document};

#[test]
fn files_assumed_for_stories_and_requirements() {
    insta::assert_snapshot!(default_plans(document!("assumed_files")), @r"
    # one unit per story, in the layout of the repository
    T001: Add POST /gift-cards
      create: src/shop/post_gift_cards.py
      test: tests/test_post_gift_cards.py
      verify: python3 -m pytest tests/test_post_gift_cards.py
      type: create_service
      criteria: AC-001, AC-002
    (assumed: the documents name no file for post /gift-cards; assuming `src/shop/post_gift_cards.py`)

    # models, components and endpoints of a design without files
    T001: Create Order Desk
      create: src/shop/order_desk.py
      test: tests/test_order_desk.py
      verify: python3 -m pytest tests/test_order_desk.py
      type: create_service
    T002: Add POST /orders
      create: src/shop/routes/post_orders.py
      test: tests/test_post_orders.py
      verify: python3 -m pytest tests/test_post_orders.py
      type: add_endpoint
    (assumed: the documents name no file for Order Desk; assuming `src/shop/order_desk.py`)
    (assumed: the documents name no file for post /orders; assuming `src/shop/routes/post_orders.py`)

    # requirements with ids, one unit each
    T001: Build FR-1
      create: src/shop/fr_1.py
      test: tests/test_fr_1.py
      verify: python3 -m pytest tests/test_fr_1.py
      type: create_service
      criteria: FR-1
    T002: Build FR-2
      create: src/shop/fr_2.py
      test: tests/test_fr_2.py
      verify: python3 -m pytest tests/test_fr_2.py
      type: create_service
      criteria: FR-2
    (assumed: the documents name no file for FR-1; assuming `src/shop/fr_1.py`)
    (assumed: the documents name no file for FR-2; assuming `src/shop/fr_2.py`)

    # plain criteria become one unit named after the document
    T001: Build Wish List
      create: src/shop/wish_list.py
      test: tests/test_wish_list.py
      verify: python3 -m pytest tests/test_wish_list.py
      type: create_service
      criteria: AC-001, AC-002
    (assumed: the documents name no file for Wish List; assuming `src/shop/wish_list.py`)

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
    (assumed: the documents name no file for Edit my user profile; assuming `src/shop/user_profile.py`)
    (assumed: the documents name no file for Erase my user profile; assuming `src/shop/user_profile.py`)

    # the language of the manifest, where there is no code
    T001: Build gift cards
      create: gift_cards.go
      test: gift_cards_test.go
      verify: go test .
      type: create_service
      criteria: AC-001
    (assumed: the documents name no file for Gift cards; assuming `gift_cards.go`)

    # the language of code blocks, where there is neither code nor manifest
    T001: Create .pay
      create: .pay
      test: config_static
      type: add_config
      criteria: AC-001

    # the language the text mentions, where there is nothing else

    # nothing names a language, so nothing is planned
    ");
}
