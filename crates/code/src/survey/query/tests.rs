//! Questions to a survey.

use std::collections::BTreeMap;

use super::*;

fn test_of(paths: &[&str], source: &str) -> Option<String> {
    let mut survey = Survey::of(paths.iter().map(|p| (*p).to_owned()).collect(), BTreeMap::new());
    survey.sources = (0..u32::try_from(survey.paths.len()).unwrap()).collect();
    survey.test_file_for(source).map(|found| found.path)
}

/// A project of tests beside that of the code shows the way; a file elsewhere that is called like a test does not.
#[test]
fn tests_stand_with_tests() {
    let projects = ["Shop/Cart.cs", "Shop.Tests/CartTests.cs"];
    assert_eq!(test_of(&projects, "Shop/Order.cs").as_deref(), Some("Shop.Tests/OrderTests.cs"));
    let crates = ["a/src/detect/test_command.rs", "b/src/cli/command.rs", "b/src/cli/check.rs"];
    assert_eq!(test_of(&crates, "b/src/cli/check.rs"), None);
}

#[test]
fn the_words_of_a_file_name() {
    let table: [(&str, &[&str]); 7] = [
        ("order_service.py", &["order", "service"]),
        ("orderService.ts", &["order", "service"]),
        ("OrderService.test.ts", &["order", "service"]),
        ("order-service", &["order", "service"]),
        ("HTTPServer.java", &["httpserver"]),
        ("v2Cart.ts", &["v2", "cart"]),
        ("", &[]),
    ];
    for (name, expected) in table {
        assert_eq!(words_of(name), expected, "{name}");
    }
}

#[test]
fn likeness_of_two_paths() {
    let wanted = "src/shop/order_service.py";
    let ranked = [
        "src/shop/cart_service.py",
        "src/user/cart_service.py",
        "src/shop/order_line.py",
        "src/shop/cart.py",
        "src/user/order_line.py",
        "src/user/cart.py",
        "lib/cart.py",
    ];
    let scores: Vec<usize> = ranked.iter().map(|known| likeness(wanted, known)).collect();
    assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
    assert_eq!(scores.last(), Some(&0));
}

#[test]
fn interfaces_are_cut_to_a_limit() {
    let export = |kind, signature: &str| Export {
        name: "x".to_owned(),
        kind,
        signature: signature.to_owned(),
        line: 1,
    };
    let all = [
        export(ExportKind::Type, "class Cart"),
        export(ExportKind::Method, "def add(self)"),
        export(ExportKind::Function, "def total()"),
    ];
    assert_eq!(interface_lines(&all, 3), ["class Cart", "    def add(self)", "def total()"]);
    assert_eq!(interface_lines(&all, 2), ["class Cart", "… and 2 more"]);
    assert_eq!(interface_lines(&[], 2), [""; 0]);
}

#[test]
fn files_and_members() {
    let member =
        |dir: &str| WorkspaceMember { dir: dir.to_owned(), manifest: format!("{dir}/x"), name: None };
    let mut survey = Survey::of(vec!["a/b/c.py".to_owned(), "a-b/d.py".to_owned()], BTreeMap::new());
    survey.members = vec![member(""), member("a"), member("a/b")];
    assert!(survey.has("a/b/c.py") && !survey.has("a/b"));
    let of = |path| survey.member(path).map(|m| m.dir.as_str());
    assert_eq!((of("a/b/x.py"), of("a/x.py"), of("a-b/d.py")), (Some("a/b"), Some("a"), Some("")));
}
