//! Rust modules and CMake lists.

use super::{default_plans, document};

#[test]
fn files_that_declare_other_files() {
    insta::assert_snapshot!(default_plans(document!("modules")), @r"
    # modules of several tasks are declared by a task of its own
    T001: Declare the modules cart and order in src/lib.rs
      create: src/cart.rs, src/order.rs
      modify: src/lib.rs
      test: type_definitions_only
      verify: cargo check
      type: add_config
    T002: Create src/cart.rs
      after: T001
      modify: src/cart.rs
      test: tests/cart.rs
      type: add_method
    T003: Create src/order.rs
      after: T001
      modify: src/order.rs
      test: tests/order.rs
      type: add_method
    (assumed: `src/lib.rs` has to declare 2 modules; a task of its own does it first)
    (no test runner: no known command runs the tests of `T002`, `T003`)

    # a single module is declared by its task
    T001: Create src/cart.rs
      create: src/cart.rs
      modify: src/lib.rs
      test: tests/cart.rs
      type: create_service
    T002: Document docs/guide.md
      after: T001
      create: docs/guide.md
      test: documentation_only
      type: add_config
    (no test runner: no known command runs the tests of `T001`)

    # a module that is declared already needs no declaration
    T001: Create src/cart.rs
      create: src/cart.rs
      test: tests/cart.rs
      type: create_service
    T002: Document docs/guide.md
      after: T001
      create: docs/guide.md
      test: documentation_only
      type: add_config
    (no test runner: no known command runs the tests of `T001`)

    # a stated task that owns the declaring file declares the modules
    T-1: Change src/lib.rs
      modify: src/lib.rs
      test: src/lib.rs (inline)
      type: add_method
    T-2: Create src/cart.rs
      after: T-1
      create: src/cart.rs
      modify: src/lib.rs
      test: tests/cart.rs
      type: create_service
    T-3: Create src/order.rs
      after: T-2
      create: src/order.rs
      modify: src/lib.rs
      test: tests/order.rs
      type: create_service
    (no test runner: no known command runs the tests of `T-1`, `T-2`, `T-3`)

    # a unit that only owns the declaring file is merged
    T001: Create src/cart.rs
      create: src/cart.rs
      modify: src/lib.rs
      test: tests/cart.rs
      type: create_service
    T002: Document docs/guide.md
      after: T001
      create: docs/guide.md
      test: documentation_only
      type: add_config
    (no test runner: no known command runs the tests of `T001`)

    # tests and programs are no modules
    T001: Create src/bin/tool.rs
      create: src/bin/tool.rs
      test: src/bin/tool.rs (inline)
      type: create_service
    T002: Create benches/speed.rs
      create: benches/speed.rs
      test: tests/speed_test.rs
      type: create_service
    T003: Test tests/carts.rs
      after: T001, T002
      create: tests/carts.rs
      test: tests/carts.rs
      type: add_test
    (no test runner: no known command runs the tests of `T001`, `T002`, `T003`)

    # the path of a crate is quoted in the command
    T-1: Create crates/shop/src/cart.rs
      create: crates/shop/src/cart.rs
      test: tests/cart_test.rs
      type: create_service
    T-2: Create crates/shop/src/order.rs
      create: crates/shop/src/order.rs
      test: tests/order_test.rs
      type: create_service
    (no test runner: no known command runs the tests of `T-1`, `T-2`)

    # a new folder of modules
    T001: Declare the modules cart and order in src/lib.rs
      create: src/cart/mod.rs, src/order.rs
      modify: src/lib.rs
      test: type_definitions_only
      verify: cargo check
      type: add_config
    T002: Declare the modules line and sum in src/cart/mod.rs
      after: T001
      create: src/cart/line.rs, src/cart/sum.rs
      modify: src/cart/mod.rs
      test: type_definitions_only
      verify: cargo check
      type: add_config
    T003: Create src/cart/line.rs
      after: T002
      modify: src/cart/line.rs
      test: tests/cart_line.rs
      type: add_method
    T004: Create src/cart/sum.rs
      after: T002
      modify: src/cart/sum.rs
      test: tests/cart_sum.rs
      type: add_method
    T005: Create src/order.rs
      after: T001
      modify: src/order.rs
      test: tests/order.rs
      type: add_method
    (assumed: `src/cart/mod.rs` has to declare 2 modules; a task of its own does it first)
    (assumed: `src/lib.rs` has to declare 2 modules; a task of its own does it first)
    (no test runner: no known command runs the tests of `T003`, `T004`, `T005`)

    # a test list of CMake belongs to the task
    T-1: Create src/cart.cpp
      create: src/cart.cpp
      modify: CMakeLists.txt, tests/CMakeLists.txt
      test: tests/cart_test.cpp
      verify: cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^cart_test$' --no-tests=error --output-on-failure
      type: create_service
    T-2: Create src/order.hpp
      after: T-1
      create: src/order.hpp
      modify: tests/CMakeLists.txt
      test: tests/order_test.cpp
      verify: cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^order_test$' --no-tests=error --output-on-failure
      type: create_service

    # a missing test list of CMake is created first
    T001: Configure CMake to find the tests in tests
      create: tests/CMakeLists.txt
      modify: CMakeLists.txt
      test: config_static
      verify: cmake -S . -B build
      type: add_config
    T-1: Create src/cart.cpp
      after: T001
      create: src/cart.cpp
      modify: CMakeLists.txt
      test: tests/cart_test.cpp
      verify: cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^cart_test$' --no-tests=error --output-on-failure
      type: create_service
    T-2: Create src/order.hpp
      after: T001
      create: src/order.hpp
      test: tests/order_test.cpp
      verify: cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^order_test$' --no-tests=error --output-on-failure
      type: create_service

    # a test list of CMake that globs needs no change
    T-1: Create src/cart.cpp
      create: src/cart.cpp
      modify: CMakeLists.txt
      test: tests/cart_test.cpp
      verify: cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^cart_test$' --no-tests=error --output-on-failure
      type: create_service
    T-2: Create src/order.hpp
      create: src/order.hpp
      test: tests/order_test.cpp
      verify: cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^order_test$' --no-tests=error --output-on-failure
      type: create_service
    ");
}
