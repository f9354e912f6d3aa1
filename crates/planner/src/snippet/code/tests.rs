//! Frames of files, per language.

use super::*;
use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;
use windlass_core::plan::CodeBlock;

fn framed(
    files: &[(&str, &str)],
    file: &str,
    blocks: &[(Option<&str>, Option<&str>, &str)],
) -> Option<String> {
    let tree = MemoryTree::new(files.iter().copied());
    let contract: Vec<CodeBlock> = blocks
        .iter()
        .map(|(language, path, code)| CodeBlock {
            language: language.map(str::to_owned),
            path: path.map(str::to_owned),
            code: (*code).to_owned(),
            ..CodeBlock::default()
        })
        .collect();
    code_snippet(
        &tree,
        &survey(&tree),
        &CodeWanted { file, contract: &contract, said: "Add the PaypalGateway and the BackupJob" },
    )
}

#[test]
fn files_that_get_no_frame() {
    let python = "def total(lines): ...";
    assert!(framed(&[], "shop/cart.py", &[(None, None, python)]).is_some());
    // The file exists.
    assert_eq!(framed(&[("shop/cart.py", "")], "shop/cart.py", &[(None, None, python)]), None);
    // The contract is empty, of another language, or of another file.
    assert_eq!(framed(&[], "shop/cart.py", &[]), None);
    assert_eq!(framed(&[], "shop/cart.py", &[(Some("ts"), None, python)]), None);
    assert_eq!(framed(&[], "shop/cart.py", &[(None, Some("shop/order.py"), python)]), None);
    // The language is unknown, or the result does not parse.
    assert_eq!(framed(&[], "shop/cart.xyz", &[(None, None, python)]), None);
    assert_eq!(framed(&[], "shop/cart.py", &[(None, None, "def total(")]), None);
}

#[test]
fn a_comment_with_the_path_is_taken_off() {
    let with = framed(&[], "shop/cart.py", &[(None, None, "# shop/cart.py\ndef total(lines): ...")]);
    assert_eq!(with, framed(&[], "shop/cart.py", &[(None, None, "def total(lines): ...")]));
    assert_eq!(without_path("# shop/cart.py"), "");
    assert_eq!(without_path("# a comment\nx"), "# a comment\nx");
}

/// An import is shared if more than half of at least two neighbours have it.
#[test]
fn shared_imports_come_first() {
    let logs = "import logging\n\ndef f(): ...\n";
    let none = "def f(): ...\n";
    let of = |texts: &[&str]| {
        let names = ["shop/a.py", "shop/b.py", "shop/c.py", "shop/d.py"];
        let files: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().copied()).collect();
        framed(&files, "shop/cart.py", &[(None, None, "def total(lines): ...")]).unwrap()
    };
    assert!(of(&[logs, logs, none]).starts_with("import logging\n\n"));
    assert!(of(&[logs, logs]).starts_with("import logging\n\n"));
    assert!(!of(&[logs]).contains("import"));
    assert!(!of(&[logs, none, none]).contains("import"));
    assert!(!of(&[logs, logs, none, none]).contains("import"));
}

/// A file of Go begins with the package of its directory.
#[test]
fn a_package_clause_comes_from_neighbours_or_the_directory() {
    let code = "func Total(lines []int) int";
    let of = |files: &[(&str, &str)], file: &str| {
        framed(files, file, &[(None, None, code)]).and_then(|made| made.lines().next().map(str::to_owned))
    };
    assert_eq!(of(&[], "cart/total.go").as_deref(), Some("package cart"));
    assert_eq!(of(&[("cart/a.go", "package shop\n")], "cart/total.go").as_deref(), Some("package shop"));
    // A directory that cannot be a package, and the root, show nothing.
    assert_eq!(of(&[], "my-cart/total.go"), None);
    assert_eq!(of(&[], "total.go"), None);
}

/// A name that the code uses brings its import, also from one neighbour.
#[test]
fn names_bring_their_imports() {
    let beside = "from shop.base import BaseService, log\n\n\nclass InvoiceService(BaseService):\n    pass\n";
    let made = framed(
        &[("shop/invoice.py", beside)],
        "shop/order.py",
        &[(None, None, "class OrderService(BaseService): ...")],
    );
    assert!(made.unwrap().starts_with("from shop.base import BaseService, log\n\n"));
}

/// Without a contract, the class that most neighbours declare in the same way.
#[test]
fn a_class_like_its_neighbours() {
    let python = |name: &str| {
        format!("from shop.base import BaseService\n\n\nclass {name}(BaseService):\n    x = 1\n")
    };
    let (invoice, order) = (python("InvoiceService"), python("OrderService"));
    let files = [("shop/invoice_service.py", invoice.as_str()), ("shop/order_service.py", order.as_str())];
    let made = framed(&files, "shop/refund_service.py", &[]).unwrap();
    assert_eq!(made, "from shop.base import BaseService\n\nclass RefundService(BaseService):\n    pass\n");
    let script = |name: &str| {
        format!("import {{ Base }} from './base'\n\nexport class {name} extends Base {{\n  a = 1\n}}\n")
    };
    let (a, b) = (script("InvoiceService"), script("OrderService"));
    let files = [("src/invoice-service.ts", a.as_str()), ("src/order-service.ts", b.as_str())];
    let made = framed(&files, "src/refund-service.ts", &[]).unwrap();
    assert!(made.ends_with("export class RefundService extends Base {\n}\n"), "{made}");
    // One neighbour, or two that differ, show nothing.
    assert_eq!(framed(&files[..1], "src/refund-service.ts", &[]), None);
    let other = [files[0], ("src/order-service.ts", "export class OrderService {\n}\n")];
    assert_eq!(framed(&other, "src/refund-service.ts", &[]), None);
}

/// A class may be called after its file with more to it, and what all of them can do is declared; their base is not one of them.
#[test]
fn a_class_with_the_methods_of_its_neighbours() {
    let base = "class BaseGateway:\n    def __init__(self, key):\n        self.key = key\n";
    let python = |name: &str, more: &str| {
        format!(
            "from pay.base import BaseGateway\n\n\nclass {name}Gateway(BaseGateway):\n    def charge(self, cents: int) -> str:\n        if cents:\n            return \"{name}\"\n{more}"
        )
    };
    let (stripe, adyen) = (python("Stripe", "\n    def only(self):\n        pass\n"), python("Adyen", ""));
    let files = [("pay/base.py", base), ("pay/stripe.py", stripe.as_str()), ("pay/adyen.py", adyen.as_str())];
    let made = framed(&files, "pay/paypal.py", &[]).unwrap();
    assert!(
        made.contains("class PaypalGateway(BaseGateway):\n    def charge(self, cents: int) -> str:\n"),
        "{made}"
    );
    assert!(made.starts_with("from pay.base import BaseGateway\n") && !made.contains("only"), "{made}");
    let script = |name: &str| {
        format!(
            "import {{ Job }} from './job'\n\nexport class {name}Job extends Job {{\n  run(at: Date): number {{\n    return 1\n  }}\n}}\n"
        )
    };
    let (mail, report) = (script("Mail"), script("Report"));
    let files = [("src/mail.ts", mail.as_str()), ("src/report.ts", report.as_str())];
    // The plan does not speak of a `CleanJob`: the file may hold something else.
    assert_eq!(framed(&files, "src/clean.ts", &[]), None);
    let made = framed(&files, "src/backup.ts", &[]).unwrap();
    assert!(made.contains("export class BackupJob extends Job {\n  run(at: Date): number {"), "{made}");
}
